//! `shikou check`: the conformance kit from the command line.

use serde::Serialize;

use super::arguments::CheckArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::game::conformance::{Effort, Report};
use crate::players::Registry;

const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Content<'a> {
    game: String,
    conforms: bool,
    laws: &'a Report,
}

pub(super) fn check(registry: &Registry, arguments: &CheckArguments) -> Result<(), Failure> {
    let game = registry.game(&arguments.game.game, &arguments.game.options)?;
    let effort = Effort { games: arguments.games, seed: arguments.seed, ..Effort::default() };
    // A panic of the game is a violation, and stands in the report.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let report = game.check(effort);
    std::panic::set_hook(usual);
    if arguments.json {
        print_json(
            "check",
            SCHEMA,
            Content { game: game.spec().to_string(), conforms: report.is_ok(), laws: &report },
        )?;
    } else {
        let broken = report.violations().count();
        let verdict =
            if broken == 0 { "keeps every law".into() } else { format!("breaks {broken} of its laws") };
        print(format!("{report}\n\n{} {verdict}", game.spec()))?;
    }
    if report.is_ok() { Ok(()) } else { Err(Failure::Check) }
}
