//! The commands, with the help of the whole program; and those about the program itself: completions, manual pages, the schema.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser};
use clap_complete::Shell;

use super::error::{CommandError, Result};
use super::output::{print, program};
use super::{
    analyze, check, clairvoyant, compare, diverge, engine, exact, explain, games, init, kubernetes, r#match,
    merge, perft, plan, play, profile, prove, recover, replay, report, run, samples, searchers, serve, slurm,
    solve, stats, status, trial, validate, verify,
};
use crate::experiment::Manifest;
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
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

commands! { pub(super) Command:
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
    /// Write a starter manifest that runs in seconds
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
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

fn completions(_registry: &Registry, arguments: &CompletionsArguments) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), program(), &mut script);
    print(String::from_utf8_lossy(&script).trim_end())
}

#[derive(Args)]
#[command(after_help = "Example:
  shikou man ~/.local/share/man/man1   then: man shikou, man shikou-run")]
pub(super) struct ManArguments {
    /// The folder for the pages; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

fn man(_registry: &Registry, arguments: &ManArguments) -> Result {
    let folder = &arguments.folder;
    let written = fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Arguments::command().name(program()), folder));
    written.map_err(|error| CommandError::at(folder.display(), &error))?;
    print(format!("manual pages written to {}", folder.display()))
}

#[derive(Args)]
#[command(after_help = "Example:
  shikou schema > manifest.schema.json

A TOML-aware editor completes a manifest that begins with #:schema ./manifest.schema.json.")]
pub(super) struct SchemaArguments {}

fn schema(registry: &Registry, _arguments: &SchemaArguments) -> Result {
    print(serde_json::to_string_pretty(&Manifest::json_schema(registry)?).expect("a schema is JSON"))
}
