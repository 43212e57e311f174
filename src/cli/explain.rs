//! `shikou explain`: why a player chooses its move: the scores of its rules, or what its search found.

use std::fmt::Write as _;

use clap::Args;

use super::error::{Result, usage};
use super::estimates::{decided, difference, estimates, upper_bounds};
use super::field::{Field, SeatedArguments};
use super::groups::{GameArguments, OutputArguments};
use crate::game::{MoveReasons, Points, Turn};
use crate::players::{DecisionView, Others, Registry};
use crate::report::{Block, Document, Table, object, unless_empty, with_thousands};
use crate::rng::Stream;
use crate::search::MoveStream;
use crate::words::shell_word;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou explain tic-tac-toe ai12s 'xo--x---- o'
  shikou explain tic-tac-toe 'rules(list=\"centre: 1\")'
  shikou explain tic-tac-toe uct@1000 'b2 a1'

For a player by rules, of each move: its score, the rule that gave the score, and the patterns that
were counted. For any other searcher: its value of each move, the line that it expects, and how
close the next best move came. `shikou analyze` shows how the choice changes with the budget.")]
pub(super) struct ExplainArguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    seated: SeatedArguments,
    /// The seed of a searcher
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn explain(registry: &Registry, arguments: &ExplainArguments) -> Result {
    let field = Field::new(registry, &arguments.game)?;
    let (player, position) = arguments.seated.read(&field, None)?;
    let seats = vec![Some(player.searcher.clone()); usize::from(field.game.facts().players)];
    let mut table = field.game.table(&seats)?;
    if !position.is_empty() {
        table.begin_at(&position).map_err(|error| usage!("no position: {error}"))?;
    }
    let drawing = table.drawing();
    let problem = match table.turn() {
        Turn::Player(_) => None,
        Turn::Chance => {
            let outcome = table.legal_moves().swap_remove(0);
            let next = format!("{position} {outcome}");
            let mut words = vec![arguments.game.game.as_str(), &player.name];
            words.extend(arguments.game.options.iter().flat_map(|option| ["--option", option]));
            let words: Vec<String> = words.into_iter().map(shell_word).collect();
            Some(format!(
                "it is chance's turn; add its outcome to the position, for example `shikou explain {} {}`",
                words.join(" "),
                shell_word(next.trim_start())
            ))
        }
        Turn::Over => Some("the game is over in this position".into()),
    };
    if let Some(problem) = problem {
        return Err(usage!("{problem}\n{drawing}"));
    }
    let Some(reasons) = table.reasons() else {
        let position = table.position_text();
        // The search that `analyze` makes.
        let stream = Stream::new(arguments.seed) / "analyze" / 0_u64;
        let view = decided(&mut *table, MoveStream::new(stream.playout_key()))
            .map_err(|failure| usage!("{}: {failure}", player.name))?;
        let line = table.last_line();
        let notes = if view.moves.is_empty() {
            vec!["it chose without a search, so it has no values to show".into()]
        } else {
            let values_all = player.searcher.claims().others == Others::Values;
            let next = if values_all { next_best(&view) } else { None };
            [format!("it expects {}", line.join(" "))].into_iter().chain(next).collect()
        };
        let thoughts = estimates(&player.name, Some(&player.searcher), "plays", &view);
        let document = Document(vec![Block::Picture(vec![drawing]), thoughts.into(), Block::Notes(notes)]);
        let upper_bounds = unless_empty("upper_bounds", upper_bounds(&player.searcher, &view));
        let thought = object! {
            game: field.game.spec().to_string(), position, player: player.name, seed: arguments.seed,
            #[serde(flatten)] view, #[serde(flatten)] upper_bounds, line,
        };
        return arguments.output.show("explain", thought, document);
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
    let mv = |MoveReasons { mv, points, rule, terms, patterns }| {
        let terms: Vec<_> = terms.into_iter().map(|term| (term.term, term.points.as_f64())).collect();
        object! { r#move: mv, points: points.as_f64(), is_best: points == best, rule, terms, patterns }
    };
    let content = object! {
        game: field.game.spec().to_string(), position: table.position_text(), player: player.name,
        moves: reasons.into_iter().map(mv).collect::<Vec<_>>(),
    };
    arguments.output.show("explain", content, document)
}

/// The moves that it might have played instead: those of equal value, or the next best.
fn next_best(view: &DecisionView) -> Option<String> {
    let chosen = view.moves.iter().find(|estimate| estimate.mv == view.chosen)?;
    let others = || view.moves.iter().filter(|estimate| estimate.mv != view.chosen && estimate.visits > 0);
    let equal: Vec<&str> =
        others().filter(|other| other.value == chosen.value).map(|other| other.mv.as_str()).collect();
    if !equal.is_empty() {
        return Some(format!("of the same value: {}", equal.join(" ")));
    }
    let next = others().max_by(|a, b| a.value.total_cmp(&b.value))?;
    let (ahead, error) = (chosen.value - next.value, chosen.standard_error.hypot(next.standard_error));
    let mut words = format!(
        "next best: {}, whose value is {} by {}",
        next.mv,
        if ahead > 0.0 { "lower" } else { "higher" },
        difference(ahead.abs()),
    );
    // An error of 0 of some visits is unknown: all playouts gave the same.
    if chosen.standard_error.min(next.standard_error) > 0.0 {
        let _ = write!(words, " ({:.1} standard errors of the difference)", ahead.abs() / error);
    }
    if chosen.visits != next.visits {
        let how = if chosen.visits > next.visits { "fewer" } else { "more" };
        let _ = write!(
            words,
            ", with {how} visits: {} against {}",
            with_thousands(next.visits),
            with_thousands(chosen.visits)
        );
    }
    Some(words)
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
