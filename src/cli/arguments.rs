//! What can be typed, with the help that teaches it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use super::conclude::Format;
use super::diverge::DivergeArguments;
use super::exact::{ExactArguments, ExplainArguments, ProveArguments};
use super::r#match::MatchArguments;
use super::profile::ProfileArguments;
use super::progress::Form;
use super::solve::SolveArguments;
use super::stats::StatsArguments;
use super::validate::ValidateArguments;
use crate::experiment::Share;
use crate::game::options::read_time;

const TOP_EXAMPLES: &str = "\
Begin with:
  shikou run experiments/tour.toml       a comparison of strategies on three games, in a minute
  shikou play othello                    a game against flat Monte Carlo, which shows what it thinks
  shikou games                           the games, their options, policies and evaluations
  shikou searchers                       the searchers, their options and papers

Exit codes: 0 done; 1 the command's own check failed; 2 usage or manifest;
3 trials failed; 4 interrupted.";

const SCHEMA_EXAMPLES: &str = "\
Example:
  shikou schema > manifest.schema.json

An editor that knows TOML completes a manifest that begins with #:schema ./manifest.schema.json.";

/// A research harness for Monte Carlo search: games, searchers, and experiments whose results hold.
#[derive(Parser)]
#[command(name = "shikou", version, after_help = TOP_EXAMPLES, max_term_width = 100)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// List the games, or show one: options, facts, policies, evaluations, and which searchers fit
    Games(GamesArguments),
    /// List the searchers, or show one: options, paper, and which games it fits
    Searchers(SearchersArguments),
    /// Count the game tree, ply by ply: the test of a move generator
    Perft(PerftArguments),
    /// Check that a game keeps the laws that searchers rely on
    Check(CheckArguments),
    /// Find the exact value of a position, the best moves, and a line of best play
    Solve(SolveArguments),
    /// Compare players exactly, by enumerating a small game: win, draw and loss as fractions
    Exact(ExactArguments),
    /// Prove that a player never gives away what a small game is worth, or show how it does
    Prove(ProveArguments),
    /// Show where two players part when they meet the same luck, and which of them is wrong
    Diverge(DivergeArguments),
    /// Show why a player that goes by rules likes each move
    Explain(ExplainArguments),
    /// Play recorded games again and check every move
    Replay(ReplayArguments),
    /// Show what a manifest asks for: cells, trials and games; with --pilot how long they will take
    Plan(PlanArguments),
    /// Print the JSON Schema of manifests, by which editors complete them
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema,
    /// Run the experiments of a manifest, and say what they show
    Run(RunArguments),
    /// Say again what a folder of results shows, from its log
    Report(ReportArguments),
    /// Compare two folders of results: before and after a change, or of two machines
    Compare(CompareArguments),
    /// Join shares of a run that were played apart
    Merge(MergeArguments),
    /// Show how far a folder of results is
    Status(StatusArguments),
    /// Play one trial again, alone, with every decision shown
    Trial(TrialArguments),
    /// Play trials of a log again and compare
    Verify(VerifyArguments),
    /// Play a match between two players from both seats, and say who is better and from which seat
    Match(MatchArguments),
    /// Play a game at the terminal against a searcher that shows what it thinks
    Play(PlayArguments),
    /// Show what a searcher thinks of a position, and how its choice changes with its budget
    Analyze(AnalyzeArguments),
    /// Ask how many deals could be won if the order of the stock were known: a bound, not a player
    Clairvoyant(ClairvoyantArguments),
    /// Derive published figures again, and compare
    Validate(ValidateArguments),
    /// Measure how fast playouts and searchers are on this machine, and where their time goes
    Profile(ProfileArguments),
    /// Compute intervals, tests, ratings and plans for given counts
    Stats(StatsArguments),
}

fn time(text: &str) -> Result<Duration, String> {
    read_time(text).ok_or_else(|| "a time is a whole number with its unit, such as 90s or 2h".into())
}

/// A game with its options.
#[derive(Args)]
pub(super) struct GameArguments {
    /// The game; `shikou games` lists them
    pub(super) game: String,
    /// An option of the game, such as size=6; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub(super) options: Vec<String>,
}

#[derive(Args)]
#[command(after_help = "Example:\n  shikou games calculation")]
pub(super) struct GamesArguments {
    /// The game to show; without it all are listed
    pub(super) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:\n  shikou searchers simple-tree")]
pub(super) struct SearchersArguments {
    /// The searcher to show; without it all are listed
    pub(super) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou perft othello 8                  4, 12, 56, 244, 1396, 8200, 55092, 390216
  shikou perft othello 6 --option size=6
  shikou perft othello 3 --divide         the count behind each first move

Moves, passes and outcomes of chance are one ply each.")]
pub(super) struct PerftArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The number of plies
    pub(super) depth: u32,
    /// Split the last count among the first moves
    #[arg(long)]
    pub(super) divide: bool,
    /// Count only lines of exactly this many plies; else a finished game is one leaf at every depth beyond its end
    #[arg(long)]
    pub(super) exact: bool,
    /// How many threads count; 0 means all
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(super) threads: u16,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou check calculation --option piles=3
  shikou check othello --games 1000 --seed 7

Exit code 1 where a law is broken; the position that shows it is drawn.")]
pub(super) struct CheckArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// How many random games are examined
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) games: u32,
    /// The seed of the random games
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  echo f5d6c3d3c4 | shikou replay othello -
  shikou replay othello WTH_*.wtb --quiet

A text file holds one transcript a line; empty lines and lines that begin with # are passed
over. A file that ends in .wtb is read as WTHOR, the database of the Othello federation.
Exit code 1 where a move was illegal.")]
pub(super) struct ReplayArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The files; - is standard input
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Print the total only
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou plan experiments/tour.toml
  shikou plan experiments/tour.toml --pilot=20 --threads 2

A pilot plays the first trials of every cell in turn; its results are not kept.")]
pub(super) struct PlanArguments {
    /// The manifest, a TOML file
    pub(super) manifest: PathBuf,
    /// Play a few trials of every cell for so many seconds, and foretell how long all will take [default: 5]
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5",
        value_parser = clap::value_parser!(u64).range(1..=86_400)
    )]
    pub(super) pilot: Option<u64>,
    /// How many threads play; 0 means all
    #[arg(long, default_value_t = 0)]
    pub(super) threads: usize,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:
  shikou run experiments/tour.toml

The results go to results/<name of the manifest>/; docs/results.md describes the files. For
budgets that count, the results are the same bytes for any number of threads: the last line
is their digest, and whether it is that of results/reference/<name of the manifest>/.

Run again, the same command plays what is missing: after Ctrl-C, after a crash, after a change
of the manifest.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that people type")]
pub(super) struct RunArguments {
    /// The manifest, a TOML file
    pub(super) manifest: PathBuf,
    /// The folder for the results [default: results/<name of the manifest>]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// How many threads play; 0 means all
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(super) threads: u16,
    /// Play so many trials of a cell at a time on each thread, for throughput: the single playouts of their searches share
    /// vector lanes. The results are the same bytes; the time of a move is then its share of the thread's time, and memory
    /// is needed for so many searches. 16 where no number is given
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, num_args = 0..=1,
        default_missing_value = "16", require_equals = true, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(super) lock_step: u16,
    /// Play one of n shares, into a folder of its own; `shikou merge` joins them
    #[arg(long, value_name = "I/N", default_value_t = Share::WHOLE, hide_default_value = true, conflicts_with = "smoke")]
    pub(super) shard: Share,
    /// Start no trial after so much time, such as "30min", and leave off long ones that can be taken up again; what is
    /// missing is played by the same command again
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) time_limit: Option<Duration>,
    /// How to show how far the run is
    #[arg(long, value_enum, default_value_t = Form::Auto, value_name = "FORM")]
    pub(super) progress: Form,
    /// Move what was played before aside and begin anew
    #[arg(long)]
    pub(super) restart: bool,
    /// Print the last line only
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Exit with code 1 where the results differ from the reference, or there is none
    #[arg(long, conflicts_with_all = ["smoke", "shard"])]
    pub(super) check: bool,
    /// Try the manifest: two trials a cell, at most 4 playouts and 2 plies deep; nothing is kept or compared
    #[arg(long, conflicts_with = "out")]
    pub(super) smoke: bool,
    /// Print the summary as JSON instead of tables
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou report results/tour
  shikou report results/tour --format markdown > tour.md

The figures follow from the manifest and the log in the folder: the same command prints the same
bytes.")]
pub(super) struct ReportArguments {
    /// The folder that a run wrote
    pub(super) results: PathBuf,
    /// Print the last line only
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// The form of what is printed
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Print JSON; short for --format json
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:
  shikou compare results/before results/tour

Trials are compared by their names, strategies and meetings by theirs in experiments of one name:
on the same deals and openings where both runs have them.")]
pub(super) struct CompareArguments {
    /// The first folder
    pub(super) first: PathBuf,
    /// The second folder; differences are this one less the first
    pub(super) second: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Example, on three machines and then on one:
  shikou run experiments/tour.toml --shard 1/3
  shikou run experiments/tour.toml --shard 2/3
  shikou run experiments/tour.toml --shard 3/3
  shikou merge results/tour results/tour.shard-*

Trials are joined by their names, in any order and any number of times; the canonical log is
that of a single run.")]
pub(super) struct MergeArguments {
    /// The folder to join into; what is there already is kept
    pub(super) into: PathBuf,
    /// The folders to join
    #[arg(required = true)]
    pub(super) parts: Vec<PathBuf>,
    /// Print the last line only
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Print the summary as JSON instead of tables
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:\n  shikou status results/tour")]
pub(super) struct StatusArguments {
    /// The folder that a run wrote
    pub(super) results: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:
  shikou trial results/tour 58c1

The names of trials stand in the log, results/tour/trials.csv; the beginning of one is enough.")]
pub(super) struct TrialArguments {
    /// A folder that a run wrote, or a manifest
    pub(super) source: PathBuf,
    /// The name of the trial, or its beginning
    pub(super) id: String,
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou verify results/tour
  shikou verify results/tour --all

Exit code 1 where a trial goes otherwise than the log says.")]
pub(super) struct VerifyArguments {
    /// The folder that a run wrote
    pub(super) results: PathBuf,
    /// How many trials are played again, spread over the log
    #[arg(long, default_value_t = 100, value_name = "TRIALS")]
    pub(super) sample: usize,
    /// Play all of them again
    #[arg(long, conflicts_with = "sample")]
    pub(super) all: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou play othello                                       you are black
  shikou play othello --against 'minimax(depth=4)' --second  you are white
  shikou play calculation --against 'flat(policy=foundation-first)'
                                                             a solitaire: ask with `hint`

At the prompt: a move as the list shows it, or moves, hint, undo, show, quit.")]
pub(super) struct PlayArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The searcher to play against, or to ask for hints, with its options in brackets, or the name of one of the game's
    /// lists of rules or policies
    #[arg(long, default_value = "flat(playouts=200)", value_name = "SEARCHER")]
    pub(super) against: String,
    /// Take the second seat
    #[arg(long)]
    pub(super) second: bool,
    /// The seed of chance and of the searcher
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou analyze othello --moves f5d6c3 --search 'uct@playouts=4000'
  shikou analyze tic-tac-toe 'xo------- x' --search 'minimax(depth=full)'
  shikou analyze calculation --moves 7 --search 'flat(playouts=1000,policy=waste-first)'

A position is written as for `shikou solve`. The value of a move is for the player who moves.
The line is the principal variation: what the searcher expects to be played, its own move first.
It ends where the search did, and before chance's turn; a searcher that looks no further than its
move names just that.

A searcher with a budget is asked again with a half, a quarter … of it; one without, with smaller
options of its own. What was too little for a decision is left out.")]
pub(super) struct AnalyzeArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The position, as the game writes it; it may begin with a dash; without it the start
    #[arg(allow_hyphen_values = true)]
    pub(super) position: Option<String>,
    /// The side to move, where it is not in the same argument
    pub(super) side: Option<String>,
    /// The moves from the start to the position, chance's outcomes too, as a transcript
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "TRANSCRIPT",
        conflicts_with = "position"
    )]
    pub(super) moves: String,
    /// The searcher, with its options in brackets and its budget behind an @, or the name of one of the game's lists of rules
    /// or policies
    #[arg(long, value_name = "SEARCHER")]
    pub(super) search: String,
    /// The seed of the searcher
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:
  shikou clairvoyant calculation --option piles=3 --deals 100

The deals are those of an experiment with the same game and seed. What the search cannot decide
within its limit counts as lost at the lower end of the interval and as won at the upper one.")]
pub(super) struct ClairvoyantArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// How many deals
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) deals: u64,
    /// The number of the first deal
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1 << 40))]
    pub(super) first: u64,
    /// The seed of the deals
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// About how many positions may be made for a deal
    #[arg(long, default_value_t = 300_000)]
    pub(super) nodes: u64,
    /// How many threads search; 0 means all
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(super) threads: u16,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}
