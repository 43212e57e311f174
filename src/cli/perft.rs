//! `shikou perft`: the number of nodes of the game tree at each depth.

use clap::Args;

use super::error::Result;
use super::groups::{GameArguments, OutputArguments, ThreadsArguments};
use super::output::tell;
use super::progress::waiting;
use crate::game::{DEEPEST, FinishedGames};
use crate::players::Registry;
use crate::report::{Document, Table, duration, object, optional, rate};
use crate::search::Clock;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou perft othello 8                  4, 12, 56, 244, 1396, 8200, 55092, 390216
  shikou perft othello 6 --option size=6
  shikou perft othello 3 --divide         the count after each first move

A move, a pass and a chance outcome are one ply each.")]
pub(super) struct PerftArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The number of plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(DEEPEST)))]
    depth: u32,
    /// Divide the last count among the first moves
    #[arg(long)]
    divide: bool,
    /// Count only games that reach this depth; else a finished game is one leaf at every later depth
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    threads: ThreadsArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// The fewest leaves of a count whose time is printed.
const ENOUGH_TO_TIME: u64 = 1_000_000;

/// The nanoseconds of a count that is told before the next one.
const LONG: u64 = 1_000_000_000;

pub(super) fn perft(registry: &Registry, arguments: &PerftArguments) -> Result {
    let game = arguments.game.read(registry)?;
    let finished = if arguments.exact { FinishedGames::Skip } else { FinishedGames::Count };
    let pool = arguments.threads.pool()?;
    let mut table = Table::new(&[">depth", ">leaves"]);
    let mut leaves = Vec::new();
    let mut last = 0;
    for depth in 1..=arguments.depth {
        let clock = Clock::start();
        let counting = format!("counting depth {depth}");
        leaves.push(waiting(&counting, "Ctrl-C stops it", || pool.install(|| game.perft(depth, finished))));
        last = clock.elapsed().as_nanos() as u64;
        if last > LONG && depth < arguments.depth {
            // A count is told at once, lest it be lost if the next depth takes too long.
            tell(format_args!("depth {depth}: {} leaves, {}", leaves[leaves.len() - 1], duration(last)));
        }
        table.row([depth.to_string(), leaves[leaves.len() - 1].to_string()]);
    }
    let divide = arguments.divide.then(|| pool.install(|| game.divide(arguments.depth, finished)));
    let mut document = Document(vec![table.into()]);
    if let Some(lines) = &divide {
        let mut table = Table::new(&["<move", ">leaves"]);
        for line in lines {
            table.row([line.mv.clone(), line.leaves.to_string()]);
        }
        document.0.push(table.into());
    }
    let timed = leaves.last().copied().filter(|&count| count >= ENOUGH_TO_TIME);
    let (game, exact) = (game.spec().to_string(), arguments.exact);
    let content = object! { game, exact, leaves, #[serde(flatten)] divide: optional("divide", divide) };
    arguments.output.show("perft", content, document)?;
    if let Some(count) = timed.filter(|_| arguments.output.is_text()) {
        // Times differ between machines, so they go to standard error.
        tell(format_args!(
            "the last count took {}: {} leaves/s",
            duration(last),
            rate(count as f64 * 1e9 / last as f64)
        ));
    }
    Ok(())
}
