//! `shikou analyze`: what a searcher thinks of one position, and how its choice changes with its budget.

use serde::Serialize;

use super::arguments::AnalyzeArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use super::thoughts::thoughts;
use crate::game::Turn;
use crate::game::options::OptionValue;
use crate::players::{AnyGame, DecisionView, Failure as NoDecision, NamedPlayer, Registry, SearcherSpec};
use crate::report::{Table, with_thousands};
use crate::rng::Stream;
use crate::search::{Budget, Fault, Limits, MoveStream, Spent};

const SCHEMA: u32 = 1;

/// Options that say how much a searcher does, where it has no budget.
const AMOUNTS: [&str; 3] = ["playouts", "iterations", "futures"];

/// How often the budget is halved.
const HALVINGS: u32 = 6;

#[derive(Serialize)]
struct Content {
    game: String,
    /// As the game writes it, else as it was given.
    position: Option<String>,
    moves: Vec<String>,
    seed: u64,
    /// With growing budgets, but those that did not suffice; the last is the searcher as it was given.
    decisions: Vec<DecisionAt>,
}

#[derive(Serialize)]
struct DecisionAt {
    searcher: String,
    #[serde(flatten)]
    view: DecisionView,
    /// The principal variation.
    line: Vec<String>,
    playouts: u64,
    plies: u64,
    nodes: u64,
}

/// The position that is looked at: where the game begins, and the moves from there.
struct Place {
    begin: Option<String>,
    moves: Vec<String>,
}

pub(super) fn analyze(registry: &Registry, arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let game = registry.game(&arguments.game.game, &arguments.game.options)?;
    let NamedPlayer { searcher, .. } = NamedPlayer::read(&*game, &[], &arguments.search)?;
    let words = [arguments.position.as_deref(), arguments.side.as_deref()];
    let begin =
        arguments.position.is_some().then(|| words.into_iter().flatten().collect::<Vec<_>>().join(" "));
    let moves = game
        .written_moves(&arguments.moves)
        .map_err(|error| Failure::Usage(format!("{error}\n{}", error.drawing)))?;
    let place = Place { begin, moves };
    let mut decisions = Vec::new();
    let mut at = At::default();
    for spec in ladder(&searcher) {
        let (decision, place) = decide(&*game, &spec, &place, arguments.seed)?;
        at = place;
        match decision {
            Ok(decision) => decisions.push(decision),
            Err(NoDecision::Fault(Fault::Budget { .. })) if spec != searcher => {}
            Err(failure) => return Err(Failure::System(format!("{spec}: {failure}"))),
        }
    }
    if arguments.json {
        let (game, Place { begin, moves }) = (game.spec().to_string(), place);
        let position = at.text.or(begin);
        return print_json(
            "analyze",
            SCHEMA,
            Content { game, position, moves, seed: arguments.seed, decisions },
        );
    }
    let last = &decisions[decisions.len() - 1];
    let spent = format!(
        "{} playouts, {} simulated plies, {} nodes; {}",
        with_thousands(last.playouts),
        with_thousands(last.plies),
        with_thousands(last.nodes),
        last.view.stop,
    );
    let thoughts = thoughts(&last.searcher, "plays", &last.view);
    print(format!("{}\n\n{thoughts}\nline: {}\n{spent}", at.drawing, last.line.join(" ")))?;
    if decisions.len() > 1 {
        print(format!("\n{}", growth(&decisions)))?;
    }
    Ok(())
}

/// The searcher with smaller and smaller amounts of what limits it, the smallest first, itself last.
fn ladder(searcher: &SearcherSpec) -> Vec<SearcherSpec> {
    let mut specs = vec![searcher.clone()];
    for halving in 1..=HALVINGS {
        let smaller = match searcher.budget {
            Budget::UNLIMITED => smaller_options(searcher, halving),
            budget => searcher.clone().with_budget(Budget {
                playouts: budget.playouts.map(|count| (count >> halving).max(1)),
                nodes: budget.nodes.map(|count| (count >> halving).max(1)),
                plies: budget.plies.map(|count| (count >> halving).max(1)),
                time: budget.time.map(|time| time / (1 << halving)),
            }),
        };
        if specs.contains(&smaller) {
            break;
        }
        specs.push(smaller);
    }
    specs.reverse();
    specs
}

fn smaller_options(searcher: &SearcherSpec, halving: u32) -> SearcherSpec {
    let given = searcher.options.iter().map(|(decl, value)| match *value {
        OptionValue::Integer(amount) if AMOUNTS.contains(&decl.name) => {
            (decl.name, (amount >> halving).max(1).into())
        }
        OptionValue::Integer(depth) if decl.name == "depth" => {
            (decl.name, (depth - i64::from(halving)).max(1).into())
        }
        _ => (decl.name, value.clone()),
    });
    SearcherSpec::new(searcher.kind, given).expect("smaller amounts are in range too")
}

/// The position that was looked at, in words.
#[derive(Default)]
struct At {
    drawing: String,
    text: Option<String>,
}

/// What the searcher decides at this place, if it does.
fn decide(
    game: &dyn AnyGame,
    searcher: &SearcherSpec,
    place: &Place,
    seed: u64,
) -> Result<(Result<DecisionAt, NoDecision>, At), Failure> {
    let seats = vec![Some(searcher.clone()); usize::from(game.facts().players)];
    let mut table = game.table(&seats).map_err(|misfit| Failure::Usage(misfit.to_string()))?;
    if let Some(position) = &place.begin {
        table.begin_at(position).map_err(|error| Failure::Usage(format!("no position: {error}")))?;
    }
    for text in &place.moves {
        table.make_written_move(text);
    }
    let at = At { drawing: table.drawing(), text: table.position_text() };
    let problem = match table.turn() {
        Turn::Player(_) => None,
        Turn::Chance => Some("it is chance's turn: write its outcome behind --moves too"),
        Turn::Over => Some("the game is over there"),
    };
    if let Some(problem) = problem {
        let legal = legal(&table.legal_moves());
        return Err(Failure::Usage(format!("{problem}; {legal}\n{}", at.drawing)));
    }
    let stream = Stream::new(seed) / "analyze" / u64::from(table.plies());
    let decided = table.decide(MoveStream::new(stream.playout_key()), Limits::default());
    let decision = decided.map(|Spent { playouts, plies, nodes }| {
        let (_, view) = table.last_decision().expect("it has just decided");
        DecisionAt { searcher: searcher.to_string(), view, line: table.last_line(), playouts, plies, nodes }
    });
    Ok((decision, at))
}

fn legal(moves: &[String]) -> String {
    if moves.is_empty() { "there are no moves".into() } else { format!("legal: {}", moves.join(" ")) }
}

/// How the choice changed.
fn growth(decisions: &[DecisionAt]) -> String {
    let mut table =
        Table::new(&[">playouts", ">nodes", "<chosen", ">value", ">± std. error", "<runner-up", ">value"]);
    for decision in decisions {
        let mut moves: Vec<_> = decision.view.moves.iter().collect();
        moves.sort_by(|a, b| b.value.total_cmp(&a.value));
        let chosen = moves.iter().find(|estimate| estimate.mv == decision.view.chosen);
        let other = moves.iter().find(|estimate| estimate.mv != decision.view.chosen);
        let number = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.3}"));
        table.row([
            with_thousands(decision.playouts),
            with_thousands(decision.nodes),
            decision.view.chosen.clone(),
            number(chosen.map(|estimate| estimate.value)),
            number(chosen.map(|estimate| estimate.spread).filter(|&spread| spread > 0.0)),
            other.map_or("–".into(), |estimate| estimate.mv.clone()),
            number(other.map(|estimate| estimate.value)),
        ]);
    }
    format!("How the choice changed with the budget:\n{table}")
}
