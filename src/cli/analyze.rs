//! `shikou analyze`: a searcher's estimates for one position, and how its choice changes with its budget.

use clap::Args;
use serde::Serialize;

use super::error::{CommandError, Result, usage};
use super::estimates::{TreeArguments, bounded, estimates, refusal, tree_table, upper_bounds};
use super::field::{Field, SeatedArguments};
use super::groups::{GameArguments, OutputArguments};
use super::progress::waiting;
use crate::game::Turn;
use crate::game::options::{Cost, OptionValue};
use crate::players::{AnyGame, DecisionView, PlayError, Registry, SearcherSpec};
use crate::report::{Block, Document, Table, counted, decimals, object, optional, with_thousands};
use crate::rng::Stream;
use crate::search::{Branches, Budget, Limits, MoveStream, NoTree, Spent, TreeExtent};

#[derive(Args)]
#[command(after_help = "Examples:
  shikou analyze othello f5d6c3
  shikou analyze othello uct@4000 --moves f5d6c3
  shikou analyze tic-tac-toe 'minimax(depth=full)' 'xo------- x'
  shikou analyze tic-tac-toe uct@2000 b2 --tree 2
  shikou analyze calculation 'flat(playouts-per-move=1000,policy=waste-first)' --moves 7

A position is written as for `shikou solve`. The value of a move is from the view of the player to
move. The principal variation begins with the searcher's own move and ends where the search ended,
or before a chance turn.

The command repeats the search with a half, a quarter … of the budget; without a budget, with
smaller options of the searcher. It omits budgets that are too small for a decision.

--tree prints the tree of the last search instead: the most visited children of each node, with
values for the player to move in the position. A proved value is exact. Searchers that keep a tree:
uct, open-loop-uct, sp-mcts, bts, dents, unbounded-minimax. The tree of open-loop-uct ends at chance.")]
pub(super) struct AnalyzeArguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    seated: SeatedArguments,
    /// The moves from the start to the position, with the outcomes of chance, as a transcript
    #[arg(long, value_name = "TRANSCRIPT")]
    moves: Option<String>,
    /// The player, as it was given before it had its place after the game
    #[arg(long, value_name = "SEARCHER", hide = true,
        aliases = ["searcher", "player", "engine", "strategy", "algorithm"])]
    search: Option<String>,
    /// The seed of the searcher
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    tree: TreeArguments,
    #[command(flatten)]
    output: OutputArguments,
}

const HALVINGS: u32 = 6;

#[derive(Serialize)]
struct DecisionAt {
    searcher: String,
    #[serde(flatten)]
    view: DecisionView,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    upper_bounds: Vec<String>,
    line: Vec<String>,
    playouts: u64,
    plies: u64,
    nodes: u64,
}

/// A position: where the game begins, and the moves from there.
struct Place {
    begin: Option<String>,
    moves: Vec<String>,
}

pub(super) fn analyze(registry: &Registry, arguments: &AnalyzeArguments) -> Result {
    let field = Field::new(registry, &arguments.game)?;
    let (player, position) = arguments.seated.read(&field, arguments.search.as_deref())?;
    let (game, searcher) = (&field.game, player.searcher);
    if arguments.moves.is_some() && !position.is_empty() {
        return Err(usage!("--moves begins at the start; write the position, or the moves that lead to it"));
    }
    let begin = Some(position).filter(|position| !position.is_empty());
    let moves = game.written_moves(arguments.moves.as_deref().unwrap_or_default());
    let moves = moves.map_err(|error| usage!("{error}\n{}", error.drawing))?;
    let place = Place { begin, moves };
    let mut decisions = Vec::new();
    let extent = arguments.tree.extent();
    let mut at = At::default();
    for spec in if extent.is_some() { vec![searcher.clone()] } else { ladder(&searcher) } {
        let (decision, place) = decide(&**game, &spec, &place, arguments.seed, extent)?;
        at = place;
        match decision {
            Ok(DecisionAt { view, .. }) if view.found_nothing_within().is_some() => {
                if spec == searcher {
                    return Err(usage!(
                        "{spec}: its budget ends before it finds anything; it plays a random move"
                    ));
                }
            }
            Ok(decision) => decisions.push(decision),
            Err(failure) => return Err(usage!("{spec}: {failure}")),
        }
    }
    let last = &decisions[decisions.len() - 1];
    let spent = format!(
        "{}, {} simulated plies, {}; {}",
        counted(last.playouts, "playout"),
        with_thousands(last.plies),
        counted(last.nodes, "node"),
        last.view.stop,
    );
    let notes = vec![format!("principal variation: {}", last.line.join(" ")), spent];
    let thoughts = estimates(&last.searcher, Some(&searcher), "plays", &last.view);
    let mut document = Document(vec![Block::Picture(vec![at.drawing]), thoughts.into(), Block::Notes(notes)]);
    let tree = match at.tree {
        None => None,
        Some(Ok(tree)) => Some(tree),
        Some(Err(reason)) => return Err(CommandError::Usage(refusal(&last.searcher, reason))),
    };
    if let Some(tree) = &tree {
        document.0.push("The search tree, with values for the player to move above:".into());
        document.0.push(tree_table(tree).into());
    }
    if decisions.len() > 1 {
        document.0.push("The choice by budget:".into());
        document.0.push(growth(&decisions).into());
    }
    let Place { begin, moves } = place;
    let content = object! {
        game: game.spec().to_string(), position: at.text.or(begin), moves, seed: arguments.seed, decisions,
        #[serde(flatten)] tree: optional("tree", tree),
    };
    arguments.output.show("analyze", content, document)
}

/// The searcher with smaller limits, the smallest first, and the searcher itself last.
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
                cpu_time: budget.cpu_time.map(|time| time / (1 << halving)),
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
    let given = searcher.options.iter().map(|(decl, value)| match (decl.cost, value) {
        (Cost::Amount { .. }, OptionValue::Integer(amount)) => (decl.name, (amount >> halving).max(1).into()),
        (Cost::Depth { .. }, OptionValue::Integer(depth)) => {
            (decl.name, (depth - i64::from(halving)).max(1).into())
        }
        _ => (decl.name, value.clone()),
    });
    SearcherSpec::new(searcher.searcher, given).expect("smaller amounts are in range too")
}

#[derive(Default)]
struct At {
    drawing: String,
    text: Option<String>,
    tree: Option<Result<Branches<String>, NoTree>>,
}

fn decide(
    game: &dyn AnyGame,
    searcher: &SearcherSpec,
    place: &Place,
    seed: u64,
    extent: Option<TreeExtent>,
) -> Result<(Result<DecisionAt, PlayError>, At)> {
    let seats = vec![Some(searcher.clone()); usize::from(game.facts().players)];
    let mut table = game.table(&seats)?;
    if let Some(position) = &place.begin {
        table.begin_at(position).map_err(|error| usage!("no position: {error}"))?;
    }
    for text in &place.moves {
        table.make_written_move(text);
    }
    let mut at = At { drawing: table.drawing(), text: table.position_text(), tree: None };
    let problem = match table.turn() {
        Turn::Player(_) => None,
        Turn::Chance => Some("this is a chance turn: add its outcome to --moves"),
        Turn::Over => Some("the game is over in this position"),
    };
    if let Some(problem) = problem {
        let legal = legal(&table.legal_moves());
        return Err(usage!("{problem}; {legal}\n{}", at.drawing));
    }
    // A position has one stream, however it was reached.
    let stream = Stream::new(seed) / "analyze" / 0_u64;
    let decided = waiting("searching", "Ctrl-C stops it", || {
        table.decide(MoveStream::new(stream.playout_key()), Limits::default())
    });
    let decision = decided.map(|Spent { playouts, plies, nodes }| {
        let (_, view) = table.last_decision().expect("it has just decided");
        let (upper_bounds, line) = (upper_bounds(searcher, &view), table.last_line());
        DecisionAt { searcher: searcher.to_string(), view, upper_bounds, line, playouts, plies, nodes }
    });
    at.tree = extent.filter(|_| decision.is_ok()).map(|extent| table.last_tree(extent));
    Ok((decision, at))
}

fn legal(moves: &[String]) -> String {
    if moves.is_empty() { "there are no moves".into() } else { format!("legal: {}", moves.join(" ")) }
}

fn growth(decisions: &[DecisionAt]) -> Table {
    let mut table =
        Table::new(&[">playouts", ">nodes", "<chosen", ">value", ">± std. error", "<runner-up", ">value"]);
    for decision in decisions {
        let mut moves: Vec<_> = decision.view.moves.iter().collect();
        moves.sort_by(|a, b| b.value.total_cmp(&a.value));
        let chosen = moves.iter().find(|estimate| estimate.mv == decision.view.chosen);
        let other = moves.iter().find(|estimate| estimate.mv != decision.view.chosen && estimate.visits > 0);
        let number = |value: Option<f64>| decimals(value.unwrap_or(f64::NAN), 3);
        table.row([
            with_thousands(decision.playouts),
            with_thousands(decision.nodes),
            decision.view.chosen.clone(),
            number(chosen.map(|estimate| estimate.value)),
            number(chosen.map(|estimate| estimate.standard_error).filter(|&error| error > 0.0)),
            other.map_or("–".into(), |estimate| estimate.mv.clone()),
            other.map_or("–".into(), |other| {
                bounded(other.value, decision.upper_bounds.contains(&other.mv))
            }),
        ]);
    }
    table
}
