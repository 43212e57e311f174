//! What can be typed behind `shikou profile`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou profile othello                           every path of this processor; one thread, and all
  shikou profile othello --path portable,avx512 --batch 1,16,1000
  shikou profile calculation --policy foundation-first
  shikou profile othello --searchers               decisions of every searcher that fits
  shikou profile othello --save before.json        then, with another build:
  shikou profile othello --compare before.json

Rows of a table are timed in turn, round by round, on the processor's clock of the thread; the
first row is what the others are compared with. Cycles and the shares of parts are estimates, and
say so. docs/profiling.md reads a profile line by line. Exit code 1 where a path plays other games
than the plain loop.")]
pub(in crate::cli) struct ProfileArguments {
    /// The game; `shikou games` lists them
    #[arg(default_value = "othello")]
    pub(in crate::cli) game: String,
    /// An option of the game, such as size=6; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub(in crate::cli) options: Vec<String>,
    /// The position, as the game writes it, or the moves that lead to it [default: the start]
    #[arg(
        long,
        value_name = "POSITION",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub(in crate::cli) position: String,
    /// The policy of the playouts, with its options in brackets; `shikou games NAME` lists them
    #[arg(long, default_value = "uniform")]
    pub(in crate::cli) policy: String,
    /// The paths: portable, avx2, avx512 [default: all that the game and this processor have]
    #[arg(long, value_name = "PATHS", value_delimiter = ',', conflicts_with = "searchers")]
    pub(in crate::cli) path: Vec<String>,
    /// Playouts of a batch; several sizes are compared
    #[arg(
        long,
        value_name = "SIZES",
        value_delimiter = ',',
        default_value = "1000",
        conflicts_with = "searchers",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    pub(in crate::cli) batch: Vec<u64>,
    /// Numbers of threads, on the last path [default: 1 and all]
    #[arg(
        long,
        value_name = "NUMBERS",
        value_delimiter = ',',
        conflicts_with = "searchers",
        value_parser = clap::value_parser!(u32).range(1..=1024)
    )]
    pub(in crate::cli) threads: Vec<u32>,
    /// Measure the searchers that fit the game, with their default options
    #[arg(long)]
    pub(in crate::cli) searchers: bool,
    /// What a searcher that keeps a budget may spend on a move: playouts, or nodes where it makes none
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 10_000,
        requires = "searchers",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    pub(in crate::cli) budget: u64,
    /// The time for each row, all its rounds together
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    pub(in crate::cli) seconds: f64,
    /// The rounds; intervals need six of them
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(in crate::cli) repeats: u32,
    /// Write the profile to a file, for --compare
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) save: Option<PathBuf>,
    /// Compare with a profile that was saved before
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) compare: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds goes from 0.001 to 86400".into()),
    }
}
