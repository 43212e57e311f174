//! `shikou solve`: the exact value of positions.

use std::path::Path;

use clap::{ArgGroup, Args};
use serde::Serialize;

use super::error::{CommandError, Result, usage};
use super::folder::read_text;
use super::groups::{GameArguments, OutputArguments, PositionArguments, ThreadsArguments};
use super::progress::waiting;
use crate::players::{AnyGame, Registry, SolutionView, SolveMethod, Solver, Viewpoint};
use crate::report::{Block, Document, Table, duration, object, rate};
use crate::search::{BestMoves, Clock, OrderBy};
use crate::words::counted;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou solve tic-tac-toe 'xo------- x'
  shikou solve tic-tac-toe 'a1 b1' --soonest
  shikou solve othello --option size=4
  shikou solve othello --file problems.obf
  shikou solve othello --file problems.obf --order-margin 8 \\
    --order 'tuples(file=\"experiments/data/othello-endgame.weights.txt\",seen=inversion)'

A position is in the game's notation, or the moves that lead to it. In Othello the notation lists
the squares row by row from a1 (X black, O white, - empty), then a space and the side to move. The
value is for the side to move: in Othello the difference in discs, with the empty squares for the
winner, unless an option says otherwise. A finished game that is written as moves has no side to
move; then it is the first player's value.

A file has one position per line. A semicolon may separate it from moves with their values, such as
A2:+38. Exit code 1 if the largest of these differs from the value found.")]
#[command(group = ArgGroup::new("positions").args(["position", "file"]))]
pub(super) struct SolveArguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// Solve every line of a file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// The largest size of the transposition table in MiB; it grows as it fills
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u32).range(0..=65_536))]
    table: u32,
    /// An evaluation that orders the moves near the root, as in a searcher: `weights`, `tuples(file="w.txt")`
    #[arg(long, value_name = "EVALUATION")]
    order: Option<String>,
    /// The plies from the root in which --order orders moves; deeper, the game's own order is faster
    #[arg(long, default_value_t = 8, value_name = "PLIES", requires = "order")]
    order_plies: u32,
    /// The error that --order rarely exceeds, in units of the payoff: a first search prunes positions that --order values
    /// this far outside the window, and the exact search tries its moves first
    #[arg(long, value_name = "PAYOFF", requires = "order")]
    order_margin: Option<u32>,
    /// Find one best move, not all, which is faster
    #[arg(long)]
    one: bool,
    /// Of the best moves, find those that win in the fewest plies or lose in the most; drawn moves count alike. Slower
    #[arg(long, conflicts_with_all = ["one", "order"])]
    soonest: bool,
    #[command(flatten)]
    threads: ThreadsArguments,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Solved {
    #[serde(flatten)]
    solution: SolutionView,
    /// The value in the file, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
    wall_ns: u64,
}

pub(super) fn solve(registry: &Registry, arguments: &SolveArguments) -> Result {
    let game = registry.game_to_solve(&arguments.game.game, &arguments.game.options)?;
    let solver = game.solver(&method(arguments)).map_err(CommandError::usage)?;
    if let Some(file) = &arguments.file {
        return solve_file(&*game, &solver, arguments, file);
    }
    let solved = solve_one(&solver, &arguments.position.text(), None)?;
    let SolutionView { position, value, value_of, best, line, nodes } = &solved.solution;
    let list =
        |moves: &[String]| if moves.is_empty() { "none: the game is over".into() } else { moves.join(" ") };
    let side = match value_of {
        Viewpoint::SideToMove => "side to move",
        Viewpoint::FirstPlayer => "first player",
    };
    let rows = [
        ("position", position.clone()),
        ("game", game.spec().to_string()),
        ("value", format!("{} for the {side}", value.signed())),
        ("best", list(best)),
        ("line", list(line)),
        ("work", work(*nodes, solved.wall_ns)),
    ];
    let lines = rows.map(|(name, text)| format!("{name:<8}  {text}")).into();
    let content = object! { game: game.spec().to_string(), #[serde(flatten)] solved: &solved };
    arguments.output.show("solve", content, Document(vec![Block::Text(lines)]))
}

fn solve_file(game: &dyn AnyGame, solver: &Solver<'_>, arguments: &SolveArguments, file: &str) -> Result {
    let text = read_text(Path::new(file))?;
    let is_obf = Path::new(file).extension().is_some_and(|extension| extension == "obf");
    let mut table = Table::new(&[">line", ">value", ">in the file", "<best", ">nodes", ">time"]);
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let (position, answers) = line.split_once(';').unwrap_or((line, ""));
        let expected = expected(answers);
        let solved = solve_one(solver, position, expected).map_err(|failure| match failure {
            // If the first line is no position, the file is probably of another kind, and the line is not quoted.
            CommandError::Usage(_) if all.is_empty() && file != "-" && !is_obf => {
                usage!("{file}:{number}: this is no position of {}", game.spec())
            }
            CommandError::Usage(message) => usage!("{file}:{number}: {message}"),
            other => other,
        })?;
        let SolutionView { value, best, nodes, .. } = &solved.solution;
        table.row([
            number.to_string(),
            value.signed(),
            expected.map_or_else(String::new, |value| format!("{value:+}")),
            best.join(" "),
            nodes.to_string(),
            duration(solved.wall_ns),
        ]);
        all.push(solved);
    }
    let is_wrong = |solved: &&Solved| {
        solved.expected.is_some_and(|expected| f64::from(expected) != solved.solution.value.0)
    };
    let wrong = all.iter().filter(is_wrong).count();
    let nodes = all.iter().map(|solved| solved.solution.nodes).sum();
    let wall_ns = all.iter().map(|solved| solved.wall_ns).sum();
    let mut notes = vec![format!("{}: {}", counted(all.len() as u64, "position"), work(nodes, wall_ns))];
    if wrong > 0 {
        notes.push(format!(
            "{wrong} of them {} from the value in the file",
            if wrong == 1 { "differs" } else { "differ" }
        ));
    }
    let document = Document(vec![table.into(), Block::Notes(notes)]);
    let content = object! { game: game.spec().to_string(), positions: &all, wrong };
    arguments.output.show("solve", content, document)?;
    if wrong == 0 { Ok(()) } else { Err(CommandError::Check) }
}

fn method(arguments: &SolveArguments) -> SolveMethod {
    let best = match (arguments.one, arguments.soonest) {
        (true, _) => BestMoves::One,
        (_, true) => BestMoves::Soonest,
        _ => BestMoves::All,
    };
    let order = arguments.order.as_ref().map(|evaluation| OrderBy {
        evaluation: evaluation.clone(),
        plies: arguments.order_plies,
        margin: arguments.order_margin,
    });
    let (table_bytes, threads) = (u64::from(arguments.table) << 20, arguments.threads.count());
    SolveMethod { table_bytes, threads, best, order }
}

const ADVICE: &str = "Ctrl-C stops it, and `shikou analyze` estimates";

fn solve_one(solver: &Solver<'_>, text: &str, expected: Option<i32>) -> Result<Solved> {
    let (solution, wall_ns) = waiting("solving", ADVICE, || {
        let clock = Clock::start();
        let solution = solver(text);
        (solution, clock.elapsed().as_nanos() as u64)
    });
    solution.map(|solution| Solved { solution, expected, wall_ns }).map_err(CommandError::usage)
}

/// The largest value of the moves in a line of a file: `A2:+38; C7:+36;`.
fn expected(answers: &str) -> Option<i32> {
    let value = |answer: &str| answer.split_once(':')?.1.trim().parse::<i32>().ok();
    answers.split(';').filter_map(value).max()
}

fn work(nodes: u64, wall_ns: u64) -> String {
    let per_s = rate(nodes as f64 * 1e9 / wall_ns.max(1) as f64);
    format!("{} in {}, {per_s} nodes/s", counted(nodes, "node"), duration(wall_ns))
}
