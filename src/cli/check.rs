//! `shikou check`: the conformance kit from the command line.

use clap::Args;
use serde::Serialize;

use super::error::CommandError;
use super::groups::{GameArguments, OutputArguments};
use crate::game::conformance::{Effort, Report};
use crate::players::Registry;
use crate::report::Document;

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou check calculation --option piles=3
  shikou check othello --games 1000 --seed 7

Exit code 1 if a law is broken; the report shows the position.")]
pub(super) struct CheckArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The number of random games to examine
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of the random games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Content<'a> {
    game: String,
    conforms: bool,
    laws: &'a Report,
}

pub(super) fn check(registry: &Registry, arguments: &CheckArguments) -> Result<(), CommandError> {
    let game = arguments.game.read(registry)?;
    let effort = Effort { games: arguments.games, seed: arguments.seed, ..Effort::default() };
    // A panic of the game is a violation, which the report shows.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let report = game.check(effort);
    std::panic::set_hook(usual);
    let broken = report.violations().count();
    let verdict = if broken == 0 { "keeps every law".into() } else { format!("breaks {broken} of its laws") };
    let document = Document(vec![report.to_string().into(), format!("{} {verdict}", game.spec()).into()]);
    let content = Content { game: game.spec().to_string(), conforms: report.is_ok(), laws: &report };
    arguments.output.show("check", SCHEMA, content, document)?;
    if report.is_ok() { Ok(()) } else { Err(CommandError::Check) }
}
