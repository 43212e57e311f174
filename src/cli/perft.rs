//! `shikou perft`: counting the game tree.

use serde::Serialize;

use super::arguments::PerftArguments;
use super::failure::Failure;
use super::output::{print, print_json, tell};
use crate::game::FinishedGames;
use crate::players::{PerftLine, Registry};
use crate::report::{Table, duration, rate};
use crate::search::Clock;

const SCHEMA: u32 = 1;

/// A count of fewer leaves says nothing about speed.
const ENOUGH_TO_TIME: u64 = 1_000_000;

#[derive(Serialize)]
struct Content {
    game: String,
    exact: bool,
    /// The leaves at depth 1, 2, …
    leaves: Vec<u64>,
    /// The last count divided among the first moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<PerftLine>>,
}

pub(super) fn perft(registry: &Registry, arguments: &PerftArguments) -> Result<(), Failure> {
    let game = registry.game(&arguments.game.game, &arguments.game.options)?;
    let finished = if arguments.exact { FinishedGames::Skip } else { FinishedGames::Count };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.into()).build();
    let pool = pool.map_err(|error| Failure::System(format!("cannot start the threads: {error}")))?;
    let mut table = Table::new(&[">depth", ">leaves"]);
    let mut leaves = Vec::new();
    let mut last = 0;
    for depth in 1..=arguments.depth {
        let clock = Clock::start();
        leaves.push(pool.install(|| game.perft(depth, finished)));
        last = clock.elapsed().as_nanos() as u64;
        table.row([depth.to_string(), leaves[leaves.len() - 1].to_string()]);
    }
    let divide = arguments.divide.then(|| pool.install(|| game.divide(arguments.depth, finished)));
    if arguments.json {
        let content = Content { game: game.spec().to_string(), exact: arguments.exact, leaves, divide };
        return print_json("perft", SCHEMA, content);
    }
    print(table)?;
    if let Some(lines) = divide {
        let mut table = Table::new(&["<move", ">leaves"]);
        for line in lines {
            table.row([line.mv, line.leaves.to_string()]);
        }
        print(format!("\n{table}"))?;
    }
    if let Some(&count) = leaves.last().filter(|&&count| count >= ENOUGH_TO_TIME) {
        // A time is of this machine; it goes where it disturbs no comparison of results.
        tell(format_args!(
            "the last count took {}: {} leaves/s",
            duration(last),
            rate(count as f64 * 1e9 / last as f64)
        ));
    }
    Ok(())
}
