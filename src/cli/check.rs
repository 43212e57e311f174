//! `shikou check`: the conformance kit from the command line.

use clap::Args;

use super::error::{CommandError, Result};
use super::groups::{GameArguments, OutputArguments};
use crate::game::Facts;
use crate::game::conformance::{Effort, Law, Report};
use crate::players::Registry;
use crate::report::{Block, Document, Table, Tone, object};
use crate::words::counted;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou check calculation --option piles=3
  shikou check othello --games 1000 --seed 7

Exit code 1 if a law is broken; the report shows the position. --full lists every law with its cases.")]
pub(super) struct CheckArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The number of random games to examine
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of the random games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Lists every law, with the number of its cases
    #[arg(long)]
    full: bool,
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
    let mut document = Document(if arguments.full { vec![laws(&report).into()] } else { Vec::new() });
    document.0.extend(report.violations().map(violation));
    document.0.extend(seen(&report, &game.facts()).map(Block::from));
    let (tried, untried): (Vec<&Law>, Vec<&Law>) = report.laws.iter().partition(|law| law.cases > 0);
    if !untried.is_empty() {
        let names: Vec<_> = untried.iter().map(|law| law.name).collect();
        document.0.push(format!("no case of: {}", names.join(", ")).into());
    }
    let cases = counted(tried.iter().map(|law| law.cases).sum(), "case");
    let verdict = match broken {
        0 => format!("keeps every law: {} in {cases}", counted(tried.len() as u64, "law")),
        _ => format!("breaks {broken} of {}", counted(report.laws.len() as u64, "law")),
    };
    document.0.push(format!("{} {verdict}", game.spec()).into());
    let payoffs_seen = report.payoffs;
    let content =
        object! { game: game.spec().to_string(), conforms: report.is_ok(), payoffs_seen, laws: &report };
    arguments.output.show("check", content, document)?;
    if report.is_ok() { Ok(()) } else { Err(CommandError::Check) }
}

/// The part of the declared payoffs that the random games had, if it is at most half of them.
fn seen(report: &Report, facts: &Facts) -> Option<String> {
    let [least, most] = report.payoffs?;
    let (seen, range) = (most - least, facts.max_payoff - facts.min_payoff);
    (2 * seen <= range && seen > 0).then(|| {
        format!(
            "The payoffs of the random games went from {least} to {most}, {:.0} % of the range that the facts state, {} to {}. Searchers \
             scale their exploration by the stated range. `uct(scale={seen})` takes what was seen; of the others lower `exploration`.",
            100.0 * f64::from(seen) / f64::from(range), facts.min_payoff, facts.max_payoff
        )
    })
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
