//! `shikou check`: the conformance kit from the command line.

use clap::Args;

use super::error::{CommandError, Result};
use super::groups::{GameArguments, OutputArguments};
use crate::game::conformance::{Effort, Law, Report};
use crate::players::Registry;
use crate::report::{Block, Document, Table, Tone, object};

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

pub(super) fn check(registry: &Registry, arguments: &CheckArguments) -> Result {
    let game = arguments.game.read(registry)?;
    let effort = Effort { games: arguments.games, seed: arguments.seed, ..Effort::default() };
    // A panic of the game is a violation, which the report shows.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let report = game.check(effort);
    std::panic::set_hook(usual);
    let broken = report.violations().count();
    let verdict = if broken == 0 { "keeps every law".into() } else { format!("breaks {broken} of its laws") };
    let mut document = Document(vec![laws(&report).into()]);
    document.0.extend(report.violations().map(violation));
    document.0.push(format!("{} {verdict}", game.spec()).into());
    let content = object! { game: game.spec().to_string(), conforms: report.is_ok(), laws: &report };
    arguments.output.show("check", content, document)?;
    if report.is_ok() { Ok(()) } else { Err(CommandError::Check) }
}

fn laws(report: &Report) -> Table {
    let mut table = Table::new(&["<", "<law", ">cases", "<what it says"]);
    for law in &report.laws {
        let (tone, mark) = if law.result.is_ok() { (Tone::Plain, "ok") } else { (Tone::Failure, "FAIL") };
        table.toned_row(tone, [mark, law.name, &law.cases.to_string(), law.about]);
    }
    table
}

fn violation(law: &Law) -> Block {
    let lines = law.result.as_ref().err().map_or("", String::as_str).lines().map(Into::into);
    Block::Picture([format!("FAIL {}", law.name)].into_iter().chain(lines).collect())
}
