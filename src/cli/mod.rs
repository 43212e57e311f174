//! The command line: one file for each command, with its arguments and its function. The only room that prints.

/// An enum of commands, each with its arguments, and the function that runs it.
macro_rules! commands {
    ($enum:ident: $($(#[$about:meta])* $name:ident($arguments:path) => $run:path,)*) => {
        #[derive(clap::Subcommand)]
        enum $enum {
            $($(#[$about])* $name($arguments),)*
        }

        impl $enum {
            /// Runs the command.
            fn run(&self, registry: &$crate::players::Registry) -> $crate::cli::error::Result {
                match self {
                    $(Self::$name(arguments) => $run(registry, arguments),)*
                }
            }
        }
    };
}

mod analyze;
mod atlas;
mod call;
mod check;
mod clairvoyant;
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
mod new_game;
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

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser};
use clap_complete::Shell;

pub use self::call::{Answer, Call};
use self::error::{CommandError, Result};
pub use self::init::starter_manifest;
use self::output::{print, program};
use crate::experiment::{Build, Manifest};
use crate::players::Registry;

/// A research harness for Monte Carlo search: games, searchers, and reproducible experiments.
#[derive(Parser)]
#[command(
    name = "shikou",
    version,
    max_term_width = 100,
    after_help = "Start with:
  shikou run experiments/tour.toml       a comparison of players on three games, in seconds
  shikou play othello                    a game against flat Monte Carlo, which shows its estimates
  shikou games                           the games, their options, policies and evaluations
  shikou searchers                       the searchers, their options and papers

Exit codes: 0 done; 1 the command's own check failed; 2 usage, manifest or file;
3 trials failed; 4 interrupted; 5 an error of the system, such as a full disk."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

commands! { Command:
    /// List the games, or show one: options, facts, policies, evaluations, and the searchers that fit
    Games(games::GamesArguments) => games::games,
    /// List the searchers, or show one: options, paper, and the games that it fits
    Searchers(searchers::SearchersArguments) => searchers::searchers,
    /// Count the nodes of the game tree at each depth, to test a move generator
    Perft(perft::PerftArguments) => perft::perft,
    /// Check that a game keeps the laws that searchers rely on
    Check(check::CheckArguments) => check::check,
    /// Find the exact value of a position, the best moves, and a principal variation
    Solve(solve::SolveArguments) => solve::solve,
    /// Compare players exactly by enumerating a small game: win, draw and loss as fractions
    Exact(exact::ExactArguments) => exact::exact,
    /// Prove that a player never loses value in a small game, or show how it does
    Prove(prove::ProveArguments) => prove::prove,
    /// Show where two players with the same luck diverge, and which of them is wrong
    Diverge(diverge::DivergeArguments) => diverge::diverge,
    /// Show why a player chooses its move: the scores of its rules, or what its search found
    Explain(explain::ExplainArguments) => explain::explain,
    /// Replay recorded games and check every move
    Replay(replay::ReplayArguments) => replay::replay,
    /// Write positions of games with their outcomes, for training in other programs
    Samples(samples::SamplesArguments) => samples::samples,
    /// Write a starter manifest that runs in seconds, or a crate with a game of your own
    Init(init::InitArguments) => init::init,
    /// Show the cells, trials and games of a manifest; with --pilot, estimate the total run time
    Plan(plan::PlanArguments) => plan::plan,
    /// Print the JSON Schema of manifests, for completion in editors
    Schema(SchemaArguments) => schema,
    /// Run the experiments of a manifest and report the results
    Run(run::RunArguments) => run::run,
    /// Report the results in a folder again, from its log
    Report(report::ReportArguments) => report::report,
    /// Compare two folders of results: before and after a change, or from two machines
    Compare(compare::CompareArguments) => compare::compare,
    /// Show which enhancements of UCT gain on which games, and play cells of that map
    Atlas(atlas::AtlasArguments) => atlas::atlas,
    /// Merge the shards of a run
    Merge(merge::MergeArguments) => merge::merge,
    /// Write a manifest as a Slurm job array, and submit it
    Slurm(slurm::SlurmArguments) => slurm::slurm,
    /// Print a manifest as an indexed job of Kubernetes
    Kubernetes(kubernetes::KubernetesArguments) => kubernetes::kubernetes,
    /// Show the progress of a folder of results, or of the shards of a run
    Status(status::StatusArguments) => status::status,
    /// Keep the sound rows of a damaged log
    Recover(recover::RecoverArguments) => recover::recover,
    /// Play one trial again and show every decision, or list the trials of a folder
    Trial(trial::TrialArguments) => trial::trial,
    /// Play trials of a log again and compare
    Verify(verify::VerifyArguments) => verify::verify,
    /// Play a match between two players from both seats
    Match(r#match::MatchArguments) => r#match::run,
    /// Play a game at the terminal against a searcher that shows its estimates
    Play(play::PlayArguments) => play::play,
    /// Let another program play against a searcher, by GTP or NBoard
    Serve(serve::ServeArguments) => serve::serve,
    /// Examine another program that plays
    Engine(engine::EngineArguments) => engine::engine,
    /// Show a searcher's estimates for a position, and how its choice changes with its budget
    Analyze(analyze::AnalyzeArguments) => analyze::analyze,
    /// Bound the success rate of a solitaire: the deals that could be won with the hidden order known
    Clairvoyant(clairvoyant::ClairvoyantArguments) => clairvoyant::clairvoyant,
    /// Derive published figures again and compare
    Validate(validate::ValidateArguments) => validate::validate,
    /// Measure the speed of playouts and searchers on this machine, and where the time goes
    Profile(profile::ProfileArguments) => profile::profile,
    /// Compute intervals, tests, ratings and sample sizes for given counts
    Stats(stats::StatsArguments) => stats::stats,
    /// Print a script with which a shell completes commands and options
    Completions(CompletionsArguments) => completions,
    /// Write manual pages
    Man(ManArguments) => man,
}

#[derive(Args)]
#[command(after_help = "Examples:
  bash         shikou completions bash > ~/.local/share/bash-completion/completions/shikou
  zsh          shikou completions zsh > ~/.zfunc/_shikou   (with fpath+=~/.zfunc before compinit)
  fish         shikou completions fish > ~/.config/fish/completions/shikou.fish
  PowerShell   shikou completions powershell >> $PROFILE")]
struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

fn completions(_registry: &Registry, arguments: &CompletionsArguments) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command_line(), program(), &mut script);
    print(String::from_utf8_lossy(&script).trim_end())
}

#[derive(Args)]
#[command(after_help = "Example:
  shikou man ~/.local/share/man/man1   then: man shikou, man shikou-run")]
struct ManArguments {
    /// The folder for the pages; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

fn man(_registry: &Registry, arguments: &ManArguments) -> Result {
    let folder = &arguments.folder;
    let written = fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command_line().name(program()), folder));
    written.map_err(|error| CommandError::at(folder.display(), &error))?;
    print(format!("manual pages written to {}", folder.display()))
}

#[derive(Args)]
#[command(after_help = "Example:
  shikou schema > manifest.schema.json

A TOML-aware editor completes a manifest that begins with #:schema ./manifest.schema.json.")]
struct SchemaArguments {}

fn schema(registry: &Registry, _arguments: &SchemaArguments) -> Result {
    print(serde_json::to_string_pretty(&Manifest::json_schema(registry)?).expect("a schema is JSON"))
}

/// All commands, each with the formats that it prints.
fn command_line() -> clap::Command {
    groups::with_formats(Arguments::command())
}

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

/// The command line, with its help.
fn parsed() -> clap::Command {
    unwrapped(command_line())
}

fn state_build() {
    let (commit, rustc, target) = (env!("SHIKOU_COMMIT"), env!("SHIKOU_RUSTC"), env!("SHIKOU_TARGET"));
    Build { commit, rustc, target }.state();
}

/// Runs the command of the program's arguments with the games of this registry, and returns its exit code: 0 done; 1 the
/// command's own check failed; 2 usage, manifest or file; 3 trials failed; 4 interrupted; 5 an error of the system, such as a
/// full disk.
///
/// A program of your own calls it with a registry that holds your games: see `examples/connect-four/main.rs`.
pub fn main(registry: &Registry) -> ExitCode {
    state_build();
    let matches = parsed().try_get_matches();
    let denies = matches.as_ref().is_ok_and(groups::WarningArguments::denies);
    let command = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(Arguments { command }) => command,
        Err(error) => {
            let arguments =
                std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
            return output::report_parsing(&guesses::advise(error, &arguments.collect::<Vec<_>>(), registry));
        }
    };
    let takes_signals = match &command {
        Command::Run(_) | Command::Match(_) => true,
        Command::Atlas(arguments) => arguments.plays(),
        _ => false,
    };
    if !takes_signals {
        stop::on_signal(|| CommandError::Interrupted("stopped".into()).exit());
    }
    stop::survive_full_files();
    let denied = |()| if denies { output::deny_warnings() } else { Ok(()) };
    match command.run(registry).and_then(denied) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
