//! The command line: one file for each command, with its arguments and its function. The only room that prints.
//!
//! A command is a file of its name. The other files:
//!
//! | file | holds |
//! |---|---|
//! | `commands` | the list of commands, and those about the program itself |
//! | `groups` | arguments that several commands share, and the format of the output |
//! | `output`, `error` | standard output, standard error, exit codes |
//! | `guesses` | advice on options that people try and arguments that they leave out |
//! | `field` | a game with the players that have names in it, and the enumeration of a small game |
//! | `folder` | the input of commands, a folder of results or a file; and folders for results that are not kept |
//! | `conclude` | the derived files and the report of a folder of results, and its form |
//! | `pages` | a page, its figures and games; a folder of pages |
//! | `optimise` | the trainings and the optimisations of a manifest, before its experiments |
//! | `task` | the shard that a run plays, by a scheduler's variables if it is not written out |
//! | `division` | the division of a manifest among the tasks of a scheduler |
//! | `stop` | signals and time limits that stop a run |
//! | `progress` | the progress of a run, and a sign of life of other long work |
//! | `estimates` | a searcher's estimates, and its tree, as a table |

/// An enum of commands, each with its arguments, and the function that runs it.
macro_rules! commands {
    ($visible:vis $enum:ident: $($(#[$about:meta])* $name:ident($arguments:path) => $run:path,)*) => {
        #[derive(clap::Subcommand)]
        $visible enum $enum {
            $($(#[$about])* $name($arguments),)*
        }

        impl $enum {
            /// Runs the command.
            $visible fn run(&self, registry: &$crate::players::Registry) -> $crate::cli::error::Result {
                match self {
                    $(Self::$name(arguments) => $run(registry, arguments),)*
                }
            }
        }
    };
}

mod analyze;
mod check;
mod clairvoyant;
mod commands;
mod compare;
mod conclude;
mod diverge;
mod division;
mod engine;
mod error;
mod estimates;
mod exact;
mod explain;
mod field;
mod folder;
mod games;
mod groups;
mod guesses;
mod init;
mod kubernetes;
mod r#match;
mod merge;
mod optimise;
mod output;
mod pages;
mod perft;
mod plan;
mod play;
mod profile;
mod progress;
mod prove;
mod recover;
mod replay;
mod report;
mod run;
mod samples;
mod searchers;
mod serve;
mod slurm;
mod solve;
mod stats;
mod status;
mod stop;
mod task;
mod trial;
mod validate;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use self::commands::{Arguments, Command};
use self::error::CommandError;
pub use self::init::starter_manifest;
use crate::experiment::Build;
use crate::players::Registry;

/// The command with each paragraph below its options on one line, which is wrapped to the width of the terminal. Indented lines
/// stay.
fn unwrapped(command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let is_flush = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let (mut text, mut last) = (String::new(), "");
    for line in help.lines() {
        if !text.is_empty() {
            text.push(if is_flush(last) && is_flush(line) { ' ' } else { '\n' });
        }
        text += line;
        last = line;
    }
    let command = if text.is_empty() { command } else { command.after_help(text) };
    command.mut_subcommands(unwrapped)
}

/// Runs the command of the program's arguments with the games of this registry, and returns its exit code: 0 done; 1 the
/// command's own check failed; 2 usage, manifest or file; 3 trials failed; 4 interrupted; 5 an error of the system, such as a
/// full disk.
///
/// A program of your own calls it with a registry that holds your games: see `examples/connect-four/main.rs`.
pub fn main(registry: &Registry) -> ExitCode {
    let (commit, rustc, target) = (env!("SHIKOU_COMMIT"), env!("SHIKOU_RUSTC"), env!("SHIKOU_TARGET"));
    Build { commit, rustc, target }.state();
    let matches = unwrapped(Arguments::command()).try_get_matches();
    let command = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(Arguments { command }) => command,
        Err(error) => {
            let arguments =
                std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
            return output::report_parsing(&guesses::advise(error, &arguments.collect::<Vec<_>>()));
        }
    };
    if !matches!(command, Command::Run(_) | Command::Match(_)) {
        stop::on_signal(|| CommandError::Interrupted("stopped".into()).exit());
    }
    stop::survive_full_files();
    match command.run(registry) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
