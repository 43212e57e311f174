//! The commands, with the help of the whole program.

use clap::{Parser, Subcommand};

use super::analyze::{AnalyzeArguments, analyze};
use super::check::{CheckArguments, check};
use super::clairvoyant::{ClairvoyantArguments, clairvoyant};
use super::compare::{CompareArguments, compare};
use super::completions::{CompletionsArguments, completions};
use super::diverge::{DivergeArguments, diverge};
use super::engine::{EngineArguments, engine};
use super::error::CommandError;
use super::exact::{ExactArguments, exact};
use super::explain::{ExplainArguments, explain};
use super::games::{GamesArguments, games};
use super::init::{InitArguments, init};
use super::kubernetes::{KubernetesArguments, kubernetes};
use super::man::{ManArguments, man};
use super::r#match::{MatchArguments, run as run_match};
use super::merge::{MergeArguments, merge};
use super::perft::{PerftArguments, perft};
use super::plan::{PlanArguments, plan};
use super::play::{PlayArguments, play};
use super::profile::{ProfileArguments, profile};
use super::prove::{ProveArguments, prove};
use super::recover::{RecoverArguments, recover};
use super::replay::{ReplayArguments, replay};
use super::report::{ReportArguments, report};
use super::run::{RunArguments, run};
use super::samples::{SamplesArguments, samples};
use super::schema::{SchemaArguments, schema};
use super::searchers::{SearchersArguments, searchers};
use super::serve::{ServeArguments, serve};
use super::slurm::{SlurmArguments, slurm};
use super::solve::{SolveArguments, solve};
use super::stats::{StatsArguments, stats};
use super::status::{StatusArguments, status};
use super::trial::{TrialArguments, trial};
use super::validate::{ValidateArguments, validate};
use super::verify::{VerifyArguments, verify};
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

#[derive(Subcommand)]
pub(super) enum Command {
    /// List the games, or show one: options, facts, policies, evaluations, and the searchers that fit
    Games(GamesArguments),
    /// List the searchers, or show one: options, paper, and the games that it fits
    Searchers(SearchersArguments),
    /// Count the nodes of the game tree at each depth, to test a move generator
    Perft(PerftArguments),
    /// Check that a game keeps the laws that searchers rely on
    Check(CheckArguments),
    /// Find the exact value of a position, the best moves, and a principal variation
    Solve(SolveArguments),
    /// Compare players exactly by enumerating a small game: win, draw and loss as fractions
    Exact(ExactArguments),
    /// Prove that a player never loses value in a small game, or show how it does
    Prove(ProveArguments),
    /// Show where two players with the same luck diverge, and which of them is wrong
    Diverge(DivergeArguments),
    /// Show why a player chooses its move: the scores of its rules, or what its search found
    Explain(ExplainArguments),
    /// Replay recorded games and check every move
    Replay(ReplayArguments),
    /// Write positions of games with their outcomes, for training in other programs
    Samples(SamplesArguments),
    /// Write a starter manifest that runs in seconds
    Init(InitArguments),
    /// Show the cells, trials and games of a manifest; with --pilot, estimate the total run time
    Plan(PlanArguments),
    /// Print the JSON Schema of manifests, for completion in editors
    Schema(SchemaArguments),
    /// Run the experiments of a manifest and report the results
    Run(RunArguments),
    /// Report the results in a folder again, from its log
    Report(ReportArguments),
    /// Compare two folders of results: before and after a change, or from two machines
    Compare(CompareArguments),
    /// Merge the shards of a run
    Merge(MergeArguments),
    /// Write a manifest as a Slurm job array, and submit it
    Slurm(SlurmArguments),
    /// Print a manifest as an indexed job of Kubernetes
    Kubernetes(KubernetesArguments),
    /// Show the progress of a folder of results, or of the shards of a run
    Status(StatusArguments),
    /// Keep the sound rows of a damaged log
    Recover(RecoverArguments),
    /// Play one trial again and show every decision, or list the trials of a folder
    Trial(TrialArguments),
    /// Play trials of a log again and compare
    Verify(VerifyArguments),
    /// Play a match between two players from both seats
    Match(MatchArguments),
    /// Play a game at the terminal against a searcher that shows its estimates
    Play(PlayArguments),
    /// Let another program play against a searcher, by GTP or NBoard
    Serve(ServeArguments),
    /// Examine another program that plays
    Engine(EngineArguments),
    /// Show a searcher's estimates for a position, and how its choice changes with its budget
    Analyze(AnalyzeArguments),
    /// Bound the success rate of a solitaire: the deals that could be won with the hidden order known
    Clairvoyant(ClairvoyantArguments),
    /// Derive published figures again and compare
    Validate(ValidateArguments),
    /// Measure the speed of playouts and searchers on this machine, and where the time goes
    Profile(ProfileArguments),
    /// Compute intervals, tests, ratings and sample sizes for given counts
    Stats(StatsArguments),
    /// Print a script with which a shell completes commands and options
    Completions(CompletionsArguments),
    /// Write manual pages
    Man(ManArguments),
}

/// The name under which the program was started: a program of your own has another.
pub(super) fn program() -> &'static str {
    let path = std::env::args_os().next().map(std::path::PathBuf::from);
    let name = path.and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    // It is asked for once or twice.
    name.filter(|name| !name.is_empty()).map_or("shikou", |name| name.leak())
}

impl Command {
    /// Runs the command.
    pub(super) fn run(&self, registry: &Registry) -> Result<(), CommandError> {
        match self {
            Self::Games(arguments) => games(registry, arguments),
            Self::Searchers(arguments) => searchers(registry, arguments),
            Self::Perft(arguments) => perft(registry, arguments),
            Self::Check(arguments) => check(registry, arguments),
            Self::Solve(arguments) => solve(registry, arguments),
            Self::Exact(arguments) => exact(registry, arguments),
            Self::Prove(arguments) => prove(registry, arguments),
            Self::Diverge(arguments) => diverge(registry, arguments),
            Self::Explain(arguments) => explain(registry, arguments),
            Self::Replay(arguments) => replay(registry, arguments),
            Self::Init(arguments) => init(registry, arguments),
            Self::Plan(arguments) => plan(registry, arguments),
            Self::Schema(_) => schema(registry),
            Self::Run(arguments) => run(registry, arguments),
            Self::Report(arguments) => report(registry, arguments),
            Self::Compare(arguments) => compare(registry, arguments),
            Self::Merge(arguments) => merge(registry, arguments),
            Self::Slurm(arguments) => slurm(registry, arguments),
            Self::Kubernetes(arguments) => kubernetes(registry, arguments),
            Self::Status(arguments) => status(registry, arguments),
            Self::Recover(arguments) => recover(arguments),
            Self::Trial(arguments) => trial(registry, arguments),
            Self::Verify(arguments) => verify(registry, arguments),
            Self::Match(arguments) => run_match(registry, arguments),
            Self::Play(arguments) => play(registry, arguments),
            Self::Engine(arguments) => engine(registry, arguments),
            Self::Serve(arguments) => serve(registry, arguments),
            Self::Analyze(arguments) => analyze(registry, arguments),
            Self::Clairvoyant(arguments) => clairvoyant(registry, arguments),
            Self::Validate(arguments) => validate(registry, arguments),
            Self::Profile(arguments) => profile(registry, arguments),
            Self::Stats(arguments) => stats(arguments),
            Self::Samples(arguments) => samples(registry, arguments),
            Self::Completions(arguments) => completions(arguments),
            Self::Man(arguments) => man(arguments),
        }
    }
}
