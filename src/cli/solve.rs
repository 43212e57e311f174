//! `shikou solve`: the exact value of positions.

use std::io::Read;

use clap::Args;
use serde::{Serialize, Serializer};

use super::failure::Failure;
use super::output::{print, print_json};
use crate::players::{AnyGame, Registry, SolutionView};
use crate::report::{Table, duration, rate};
use crate::search::Clock;

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou solve tic-tac-toe 'xo------- x'
  shikou solve othello --option size=4 ''
  shikou solve othello --file problems.obf

A position of Othello is its squares row by row from a1, X black, O white, - empty, then a space
and the side to move, X or O. Any game takes the moves that lead to the position; none of them
mean the start. The value is what the side to move gets: at Othello discs, the empty squares for
the winner, unless an option says otherwise.

A file has a position a line; behind a semicolon may follow moves with their values, as A2:+38;
and exit code 1 says that the largest of these is not the value.")]
pub(super) struct SolveArguments {
    /// The game; `shikou games` lists them
    game: String,
    /// The position, as the game writes it; it may begin with a dash
    #[arg(allow_hyphen_values = true, required_unless_present = "file", conflicts_with = "file")]
    position: Option<String>,
    /// The side to move, where it is not in the same argument
    side: Option<String>,
    /// Solve every line of a file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// An option of the game, such as size=6; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The size of the table of positions in MiB
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u32).range(0..=65_536))]
    table: u32,
    /// How many threads search; 0 means all
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A position that was solved.
#[derive(Serialize)]
struct Solved {
    #[serde(flatten)]
    solution: SolutionView,
    /// What the file says, if it says something.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "whole")]
    expected: Option<f64>,
    wall_ns: u64,
}

/// A whole number as one.
#[expect(clippy::ref_option, reason = "the signature that serde asks for")]
fn whole<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(|value| value as i64).serialize(serializer)
}

/// One position as JSON.
#[derive(Serialize)]
struct One<'a> {
    game: String,
    #[serde(flatten)]
    solved: &'a Solved,
}

/// A file of them.
#[derive(Serialize)]
struct Many<'a> {
    game: String,
    positions: &'a [Solved],
    wrong: usize,
}

pub(super) fn solve(registry: &Registry, arguments: &SolveArguments) -> Result<(), Failure> {
    let game = registry.game_to_solve(&arguments.game, &arguments.options)?;
    if let Some(file) = &arguments.file {
        return solve_file(&*game, arguments, file);
    }
    let words = [arguments.position.as_deref(), arguments.side.as_deref()];
    let text = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let solved = solve_one(&*game, arguments, &text, None)?;
    if arguments.json {
        return print_json("solve", SCHEMA, One { game: game.spec().to_string(), solved: &solved });
    }
    let SolutionView { position, value, best, line, nodes } = &solved.solution;
    let list =
        |moves: &[String]| if moves.is_empty() { "none: the game is over".into() } else { moves.join(" ") };
    let rows = [
        ("position", position.clone()),
        ("game", game.spec().to_string()),
        ("value", format!("{} for the side to move", value.signed())),
        ("best", list(best)),
        ("line", list(line)),
        ("work", work(*nodes, solved.wall_ns)),
    ];
    print(rows.map(|(name, text)| format!("{name:<8}  {text}")).join("\n"))
}

fn solve_file(game: &dyn AnyGame, arguments: &SolveArguments, file: &str) -> Result<(), Failure> {
    let text = if file == "-" {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| Failure::system("standard input", &error))?;
        text
    } else {
        std::fs::read_to_string(file).map_err(|error| Failure::system(file, &error))?
    };
    let mut table = Table::new(&[">line", ">value", ">file says", "<best", ">nodes", ">time"]);
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let (position, answers) = line.split_once(';').unwrap_or((line, ""));
        let expected = expected(answers);
        let solved = solve_one(game, arguments, position, expected).map_err(|failure| match failure {
            Failure::Usage(message) => Failure::Usage(format!("{file}:{number}: {message}")),
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
    let is_wrong =
        |solved: &&Solved| solved.expected.is_some_and(|expected| expected != solved.solution.value.0);
    let wrong = all.iter().filter(is_wrong).count();
    if arguments.json {
        print_json("solve", SCHEMA, Many { game: game.spec().to_string(), positions: &all, wrong })?;
    } else {
        let nodes = all.iter().map(|solved| solved.solution.nodes).sum();
        let wall_ns = all.iter().map(|solved| solved.wall_ns).sum();
        let verdict = match wrong {
            0 => String::new(),
            _ => format!("\n{wrong} of them are not what the file says"),
        };
        print(format!("{table}\n{} positions: {}{verdict}", all.len(), work(nodes, wall_ns)))?;
    }
    if wrong == 0 { Ok(()) } else { Err(Failure::Check) }
}

fn solve_one(
    game: &dyn AnyGame,
    arguments: &SolveArguments,
    text: &str,
    expected: Option<f64>,
) -> Result<Solved, Failure> {
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let clock = Clock::start();
    let solution = game.solve(text, u64::from(arguments.table) << 20, threads);
    let wall_ns = clock.elapsed().as_nanos() as u64;
    solution
        .map(|solution| Solved { solution, expected, wall_ns })
        .map_err(|error| Failure::Usage(error.to_string()))
}

/// The largest of the values that a line of a file gives behind the moves: `A2:+38; C7:+36;`.
fn expected(answers: &str) -> Option<f64> {
    let value = |answer: &str| answer.split_once(':')?.1.trim().parse::<i32>().ok();
    answers.split(';').filter_map(value).max().map(f64::from)
}

fn work(nodes: u64, wall_ns: u64) -> String {
    let per_s = rate(nodes as f64 * 1e9 / wall_ns.max(1) as f64);
    format!("{nodes} nodes in {}, {per_s} nodes/s", duration(wall_ns))
}
