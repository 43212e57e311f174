//! The command line: one file for each command. The only room that prints.

mod analyze;
mod arguments;
mod check;
mod clairvoyant;
mod compare;
mod conclude;
mod diverge;
mod exact;
mod failure;
mod field;
mod games;
mod r#match;
mod merge;
mod output;
mod perft;
mod plan;
mod play;
mod profile;
mod progress;
mod replay;
mod report;
mod run;
mod schema;
mod searchers;
mod solve;
mod stats;
mod status;
mod thoughts;
mod trial;
mod validate;

use std::process::ExitCode;

use clap::Parser;

use self::arguments::{Arguments, Command};
use self::failure::Failure;
use crate::players::Registry;

/// Runs the command that the program's arguments ask for, with the games of this registry, and returns its exit
/// code: 0 done; 1 the command's own check failed; 2 usage or manifest; 3 trials failed; 4 interrupted.
///
/// A program of a user's own calls it with a registry that knows the user's games:
/// see `examples/connect-four/main.rs`.
pub fn main(registry: &Registry) -> ExitCode {
    let arguments = Arguments::parse();
    if !matches!(arguments.command, Command::Run(_)) {
        // Where no handler can be set a signal ends the program as ever.
        let _ = ctrlc::set_handler(|| Failure::Interrupted("stopped".into()).exit());
    }
    let done = match arguments.command {
        Command::Games(arguments) => games::games(registry, &arguments),
        Command::Searchers(arguments) => searchers::searchers(registry, &arguments),
        Command::Perft(arguments) => perft::perft(registry, &arguments),
        Command::Check(arguments) => check::check(registry, &arguments),
        Command::Solve(arguments) => solve::solve(registry, &arguments),
        Command::Exact(arguments) => exact::exact(registry, &arguments),
        Command::Prove(arguments) => exact::prove(registry, &arguments),
        Command::Diverge(arguments) => diverge::diverge(registry, &arguments),
        Command::Explain(arguments) => exact::explain(registry, &arguments),
        Command::Replay(arguments) => replay::replay(registry, &arguments),
        Command::Plan(arguments) => plan::plan(registry, &arguments),
        Command::Schema => schema::schema(registry),
        Command::Run(arguments) => run::run(registry, &arguments),
        Command::Report(arguments) => report::report(registry, &arguments),
        Command::Compare(arguments) => compare::compare(registry, &arguments),
        Command::Merge(arguments) => merge::merge(registry, &arguments),
        Command::Status(arguments) => status::status(registry, &arguments),
        Command::Trial(arguments) => trial::trial(registry, &arguments),
        Command::Verify(arguments) => trial::verify(registry, &arguments),
        Command::Match(arguments) => r#match::run(registry, &arguments),
        Command::Play(arguments) => play::play(registry, &arguments),
        Command::Analyze(arguments) => analyze::analyze(registry, &arguments),
        Command::Clairvoyant(arguments) => clairvoyant::clairvoyant(registry, &arguments),
        Command::Validate(arguments) => validate::validate(registry, &arguments),
        Command::Profile(arguments) => profile::profile(registry, &arguments),
        Command::Stats(arguments) => stats::stats(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
