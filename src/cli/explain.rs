//! `shikou explain`: the scores of a rule-based player.

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::field::Field;
use super::groups::{GameArguments, OutputArguments, PositionArguments};
use crate::game::{MoveReasons, Points, Turn};
use crate::players::Registry;
use crate::report::{Block, Document, Table};
use crate::rng::Stream;

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou explain tic-tac-toe ai12s 'xo--x---- o'
  shikou explain tic-tac-toe 'rules(list=\"centre: 1\")'

For each move: its score, the rule that gave the score, and the patterns that were counted.")]
pub(super) struct ExplainArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The player, which must follow rules
    player: String,
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Content {
    game: String,
    position: Option<String>,
    player: String,
    moves: Vec<MoveView>,
}

#[derive(Serialize)]
struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    points: f64,
    is_best: bool,
    rule: Option<String>,
    terms: Vec<(String, f64)>,
    patterns: Vec<(String, i32)>,
}

pub(super) fn explain(registry: &Registry, arguments: &ExplainArguments) -> Result<(), CommandError> {
    let field = Field::new(registry, &arguments.game)?;
    let player = field.player(&arguments.player)?;
    let seats = vec![Some(player.searcher.clone()); usize::from(field.game.facts().players)];
    let mut table = field.game.table(&seats)?;
    let position = arguments.position.text();
    if !position.is_empty() {
        table.begin_at(&position).map_err(|error| CommandError::Usage(format!("no position: {error}")))?;
    }
    let drawing = table.drawing();
    let is_its_turn = matches!(table.turn(), Turn::Player(_));
    // At the next player turn it shows whether the player follows rules.
    let mut rng = (Stream::new(0) / "explain").rng();
    while matches!(table.turn(), Turn::Chance) {
        table.let_chance_choose(&mut rng);
    }
    let reasons = matches!(table.turn(), Turn::Player(_)).then(|| table.reasons());
    let reasons = match reasons {
        Some(None) => {
            let reason = "it does not follow rules; `shikou analyze` shows the estimates of a searcher";
            return Err(CommandError::Usage(format!("{}: {reason}", player.name)));
        }
        Some(Some(reasons)) if is_its_turn => reasons,
        _ => return Err(CommandError::Usage(format!("no player is to move in this position\n{drawing}"))),
    };
    let best = reasons.iter().map(|reason| reason.points).max().expect("a player's turn has a move");
    let alike = reasons.iter().filter(|reason| reason.points == best).count();
    let plays = match alike {
        1 => "plays the best move".into(),
        _ => format!("plays one of the {alike} best moves, each with equal probability"),
    };
    let document = Document(vec![
        Block::Picture(vec![drawing]),
        reasons_table(&reasons, best).into(),
        Block::Notes(vec![format!("{} {plays}", player.name)]),
    ]);
    let content = Content {
        game: field.game.spec().to_string(),
        position: table.position_text(),
        player: player.name,
        moves: reasons.into_iter().map(|reason| view(reason, best)).collect(),
    };
    arguments.output.show("explain", SCHEMA, content, document)
}

fn view(reason: MoveReasons<String>, best: Points) -> MoveView {
    MoveView {
        is_best: reason.points == best,
        mv: reason.mv,
        points: reason.points.as_f64(),
        rule: reason.rule,
        terms: reason.terms.into_iter().map(|term| (term.term, term.points.as_f64())).collect(),
        patterns: reason.patterns,
    }
}

fn reasons_table(reasons: &[MoveReasons<String>], best: Points) -> Table {
    let mut table = Table::new(&["<move", ">score", "<", "<rule", "<terms", "<counted"]);
    let mut sorted: Vec<_> = reasons.iter().collect();
    sorted.sort_by_key(|reason| std::cmp::Reverse(reason.points));
    for MoveReasons { mv, points, rule, terms, patterns } in sorted {
        let terms = terms.iter().map(|term| format!("{} → {}", term.term, term.points));
        let patterns = patterns.iter().map(|(name, count)| format!("{name}: {count}"));
        table.row([
            mv.clone(),
            points.to_string(),
            if *points == best { "●" } else { "" }.into(),
            rule.clone().unwrap_or_else(|| "no rule applies".into()),
            terms.collect::<Vec<_>>().join(", "),
            patterns.collect::<Vec<_>>().join(", "),
        ]);
    }
    table
}
