//! `shikou explain`: why a player that goes by rules plays as it does.

use serde::Serialize;

use super::ExplainArguments;
use crate::cli::failure::Failure;
use crate::cli::field::Field;
use crate::cli::output::{print, print_json};
use crate::game::{MoveReasons, Points, Turn};
use crate::players::Registry;
use crate::report::Table;
use crate::rng::Stream;

const SCHEMA: u32 = 1;

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

pub(in crate::cli) fn explain(registry: &Registry, arguments: &ExplainArguments) -> Result<(), Failure> {
    let field = Field::new(registry, &arguments.game)?;
    let player = field.player(&arguments.player)?;
    let seats = vec![Some(player.searcher.clone()); usize::from(field.game.facts().players)];
    let mut table = field.game.table(&seats).map_err(|misfit| Failure::Usage(misfit.to_string()))?;
    let words = [arguments.position.as_deref(), arguments.side.as_deref()];
    let position = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if !position.is_empty() {
        table.begin_at(&position).map_err(|error| Failure::Usage(format!("no position: {error}")))?;
    }
    let drawing = table.drawing();
    let is_its_turn = matches!(table.turn(), Turn::Player(_));
    // Whether it goes by rules shows at the next turn of a player.
    let mut rng = (Stream::new(0) / "explain").rng();
    while matches!(table.turn(), Turn::Chance) {
        table.let_chance_choose(&mut rng);
    }
    let reasons = matches!(table.turn(), Turn::Player(_)).then(|| table.reasons());
    let reasons = match reasons {
        Some(None) => {
            let reason = "it does not go by rules; `shikou analyze` shows what a searcher thinks";
            return Err(Failure::Usage(format!("{}: {reason}", player.name)));
        }
        Some(Some(reasons)) if is_its_turn => reasons,
        _ => return Err(Failure::Usage(format!("it is no player's turn there\n{drawing}"))),
    };
    let best = reasons.iter().map(|reason| reason.points).max().expect("a player's turn has a move");
    if arguments.json {
        let content = Content {
            game: field.game.spec().to_string(),
            position: table.position_text(),
            player: player.name,
            moves: reasons.into_iter().map(|reason| view(reason, best)).collect(),
        };
        return print_json("explain", SCHEMA, content);
    }
    let alike = reasons.iter().filter(|reason| reason.points == best).count();
    let plays = match alike {
        1 => "plays the best move".into(),
        _ => format!("plays one of the {alike} best moves, each as likely"),
    };
    print(format!("{drawing}\n\n{}\n{} {plays}", reasons_table(reasons, best), player.name))
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

fn reasons_table(mut reasons: Vec<MoveReasons<String>>, best: Points) -> Table {
    let mut table = Table::new(&["<move", ">score", "<", "<rule", "<terms", "<counted"]);
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.points));
    for MoveReasons { mv, points, rule, terms, patterns } in reasons {
        let terms = terms.iter().map(|term| format!("{} → {}", term.term, term.points));
        let patterns = patterns.iter().map(|(name, count)| format!("{name}: {count}"));
        table.row([
            mv,
            points.to_string(),
            if points == best { "●" } else { "" }.into(),
            rule.unwrap_or_else(|| "no rule applies".into()),
            terms.collect::<Vec<_>>().join(", "),
            patterns.collect::<Vec<_>>().join(", "),
        ]);
    }
    table
}
