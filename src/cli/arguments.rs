//! What can be typed, with the help that teaches it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::stats::StatsArguments;

const TOP_EXAMPLES: &str = "\
Begin with:
  shikou run experiments/tour.toml       a comparison of strategies on three games, in a minute
  shikou play othello                    a game against flat Monte Carlo, which shows what it thinks
  shikou games                           the games, their options, policies and evaluations
  shikou searchers                       the searchers, their options and papers

Exit codes: 0 done; 1 the command's own check failed; 2 usage or manifest;
3 trials failed; 4 interrupted.";

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
    /// Play recorded games again and check every move
    Replay(ReplayArguments),
    /// Run the experiments of a manifest, and say what they show
    Run(RunArguments),
    /// Play a game at the terminal against a searcher that shows what it thinks
    Play(PlayArguments),
    /// Compute intervals, tests, ratings and plans for given counts
    Stats(StatsArguments),
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
    #[arg(long, default_value_t = 0)]
    pub(super) threads: usize,
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
    #[arg(long, default_value_t = 100)]
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
#[command(after_help = "Example:
  shikou run experiments/tour.toml

The results go to results/<name of the manifest>/; docs/design.md describes the files. For
budgets that count, the results are the same bytes for any number of threads: the last line
is their digest, and whether it is that of results/reference/<name of the manifest>/.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that people type")]
pub(super) struct RunArguments {
    /// The manifest, a TOML file
    pub(super) manifest: PathBuf,
    /// The folder for the results [default: results/<name of the manifest>]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// How many threads play; 0 means all
    #[arg(long, default_value_t = 0)]
    pub(super) threads: usize,
    /// Print the last line only
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Exit with code 1 where the results differ from the reference, or there is none
    #[arg(long, conflicts_with = "smoke")]
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
  shikou play othello                                       you are black
  shikou play othello --against 'minimax(depth=4)' --second  you are white
  shikou play calculation --against 'flat(policy=foundation-first)'
                                                             a solitaire: ask with `hint`

At the prompt: a move as the list shows it, or moves, hint, undo, show, quit.")]
pub(super) struct PlayArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The searcher to play against, or to ask for hints, with its options in brackets
    #[arg(long, default_value = "flat(playouts=200)", value_name = "SEARCHER")]
    pub(super) against: String,
    /// Take the second seat
    #[arg(long)]
    pub(super) second: bool,
    /// The seed of chance and of the searcher
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}
