//! What can be typed behind `shikou stats`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::stats::{EloModel, Unit};

/// The largest count that is taken; the exact intervals need time with its square root.
const MOST: u64 = 1_000_000_000_000;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou stats rate 37 100                        a success rate with its intervals
  shikou stats paired 20 12 2 16                  two strategies on the same deals
  shikou stats pairs 75 64 63 54 34               a match in pairs of games
  shikou stats sprt --elo0 0 --elo1 2 --model normalized 365 16618 36229 16974 390
  shikou stats plan arms 0.50 0.55                how many trials tell two rates apart

Every interval is labelled with its method and its level. Intervals are for a number of trials
that was fixed beforehand, but for those that say anytime.")]
pub(in crate::cli) struct StatsArguments {
    #[command(subcommand)]
    pub(super) question: Question,
}

#[derive(Subcommand)]
pub(super) enum Question {
    /// One success rate: Wilson, Clopper–Pearson and Jeffreys
    Rate(RateArguments),
    /// Two independent rates, and their difference
    Two(TwoArguments),
    /// Two strategies on the same instances: difference, tests, correlation
    Paired(PairedArguments),
    /// A match counted in pairs of games: score, Elo, normalised Elo, likelihood of superiority
    #[command(alias = "pentanomial")]
    Pairs(PairsArguments),
    /// A match counted in single games: score, Elo, normalised Elo, likelihood of superiority
    Elo(EloArguments),
    /// The sequential probability ratio test of two Elo hypotheses
    Sprt(SprtArguments),
    /// Ratings of several strategies from a table of points
    BradleyTerry(BradleyTerryArguments),
    /// A success rate that may be looked at at any time
    Sequence(RateArguments),
    /// Holm's correction of p-values for several comparisons
    Holm(CorrectionArguments),
    /// Benjamini and Hochberg's correction of p-values, for exploring
    Bh(CorrectionArguments),
    /// How many trials a question needs
    Plan(PlanArguments),
}

/// The confidence level of the intervals.
#[derive(Args)]
pub(super) struct Shown {
    /// The level of the intervals
    #[arg(long, default_value = "0.95", value_parser = open_probability)]
    pub(super) level: f64,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(allow_negative_numbers = true, after_help = "Example:\n  shikou stats rate 37 100 --level 0.99")]
pub(super) struct RateArguments {
    /// Successes
    #[arg(value_parser = count)]
    pub(super) successes: u64,
    /// Trials
    #[arg(value_parser = count)]
    pub(super) trials: u64,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats two 56 70 48 80

For strategies that met the same deals use `shikou stats paired`: it needs fewer trials."
)]
pub(super) struct TwoArguments {
    /// Successes of the first
    #[arg(value_parser = count)]
    pub(super) successes1: u64,
    /// Trials of the first
    #[arg(value_parser = count)]
    pub(super) trials1: u64,
    /// Successes of the second
    #[arg(value_parser = count)]
    pub(super) successes2: u64,
    /// Trials of the second
    #[arg(value_parser = count)]
    pub(super) trials2: u64,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Args)]
#[command(allow_negative_numbers = true, after_help = "Example:\n  shikou stats paired 20 12 2 16")]
pub(super) struct PairedArguments {
    /// Instances on which both succeeded
    #[arg(value_parser = count)]
    pub(super) both: u64,
    /// Instances on which only the first did
    #[arg(value_parser = count)]
    pub(super) only_first: u64,
    /// Instances on which only the second did
    #[arg(value_parser = count)]
    pub(super) only_second: u64,
    /// Instances on which neither did
    #[arg(value_parser = count)]
    pub(super) neither: u64,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats pairs 75 64 63 54 34

A pair is two games from one opening with the seats swapped; its result is that of the player
in question: LL lost both, LD lost one and drew one, and so on."
)]
pub(super) struct PairsArguments {
    /// Pairs with result LL, LD, DD or WL, WD, WW
    #[arg(value_parser = count, num_args = 5, required = true, value_names = ["LL", "LD", "DD+WL", "WD", "WW"])]
    pub(super) counts: Vec<u64>,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats elo 36433 68692 36027

Games of pairs are not independent: count them with `shikou stats pairs`."
)]
pub(super) struct EloArguments {
    /// Games won
    #[arg(value_parser = count)]
    pub(super) wins: u64,
    /// Games drawn
    #[arg(value_parser = count)]
    pub(super) draws: u64,
    /// Games lost
    #[arg(value_parser = count)]
    pub(super) losses: u64,
    #[command(flatten)]
    pub(super) shown: Shown,
}

/// What an Elo number is a number of.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ModelWord {
    /// The expected score
    Logistic,
    /// The expected score in standard deviations
    Normalized,
}

impl From<ModelWord> for EloModel {
    fn from(word: ModelWord) -> Self {
        match word {
            ModelWord::Logistic => Self::Logistic,
            ModelWord::Normalized => Self::Normalized,
        }
    }
}

/// Two hypotheses, and how often the test may err.
#[derive(Args)]
pub(super) struct TestArguments {
    /// The Elo difference under H0
    #[arg(long, value_name = "ELO", value_parser = number)]
    pub(super) elo0: f64,
    /// The Elo difference under H1
    #[arg(long, value_name = "ELO", value_parser = number)]
    pub(super) elo1: f64,
    /// What the Elo numbers are numbers of
    #[arg(long, default_value = "logistic")]
    pub(super) model: ModelWord,
    /// How often H1 may be accepted where H0 holds
    #[arg(long, default_value = "0.05", value_parser = number)]
    pub(super) alpha: f64,
    /// How often H0 may be accepted where H1 holds
    #[arg(long, default_value = "0.05", value_parser = number)]
    pub(super) beta: f64,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:
  shikou stats sprt --elo0 0 --elo1 2 --model normalized 365 16618 36229 16974 390
  shikou stats sprt --elo0 0 --elo1 10 --alpha 0.01 --beta 0.01 3000 4000 3300

Five counts are pairs of games: LL LD DD+WL WD WW. Three are single games: lost, drawn, won.
The counts are taken for those at which the test stopped, folded in the order of the trials."
)]
pub(super) struct SprtArguments {
    #[command(flatten)]
    pub(super) test: TestArguments,
    /// Five counts of pairs or three of games, the worst result first
    #[arg(value_parser = count, num_args = 1.., required = true)]
    pub(super) counts: Vec<u64>,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Args)]
#[command(after_help = "Example:
  printf ',a,b,c\\na,0,60,75\\nb,40,0,58\\nc,25,42,0\\n' | shikou stats bradley-terry -

Row by row, how many points a strategy made against each: a win 1, a draw 0.5. The first line
and the first column may hold names. Points against oneself are not looked at.")]
pub(super) struct BradleyTerryArguments {
    /// The table, a CSV file; - is standard input
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Args)]
#[command(allow_negative_numbers = true, after_help = "Example:\n  shikou stats holm 0.001 0.04 0.03")]
pub(super) struct CorrectionArguments {
    /// The p-values of the whole family
    #[arg(value_parser = probability, num_args = 1.., required = true)]
    pub(super) p: Vec<f64>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
pub(super) struct PlanArguments {
    #[command(subcommand)]
    pub(super) plan: Plan,
}

#[derive(Subcommand)]
pub(super) enum Plan {
    /// Trials for an interval of a given half-width
    HalfWidth(HalfWidthArguments),
    /// Trials for each of two independent strategies
    Arms(ArmsArguments),
    /// Instances on which two strategies are compared
    Paired(PairedPlanArguments),
    /// How a sequential test ends, and how long it takes
    Sprt(SprtPlanArguments),
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  shikou stats plan half-width 0.03 --rate 0.2"
)]
pub(super) struct HalfWidthArguments {
    /// Half the width of the interval, between 0 and 1
    #[arg(value_parser = open_probability)]
    pub(super) half_width: f64,
    /// The rate that is expected; 0.5 needs the most trials
    #[arg(long, default_value = "0.5", value_parser = open_probability)]
    pub(super) rate: f64,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  shikou stats plan arms 0.50 0.55 --power 0.9"
)]
pub(super) struct ArmsArguments {
    /// The rate of the first that is expected
    #[arg(value_parser = open_probability)]
    pub(super) rate1: f64,
    /// The rate of the second that is expected
    #[arg(value_parser = open_probability)]
    pub(super) rate2: f64,
    /// How likely the difference is to be found
    #[arg(long, default_value = "0.8", value_parser = open_probability)]
    pub(super) power: f64,
    #[command(flatten)]
    pub(super) shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats plan paired 0.15 0.05

A short pilot tells the two shares: see `shikou stats paired`."
)]
pub(super) struct PairedPlanArguments {
    /// The share of instances on which only the first succeeds
    #[arg(value_parser = probability)]
    pub(super) only_first: f64,
    /// The share of instances on which only the second succeeds
    #[arg(value_parser = probability)]
    pub(super) only_second: f64,
    /// How likely the difference is to be found
    #[arg(long, default_value = "0.8", value_parser = open_probability)]
    pub(super) power: f64,
    #[command(flatten)]
    pub(super) shown: Shown,
}

/// What is counted.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum UnitWord {
    /// Single games
    Games,
    /// Pairs of games from one opening, seats swapped
    Pairs,
}

impl From<UnitWord> for Unit {
    fn from(word: UnitWord) -> Self {
        match word {
            UnitWord::Games => Self::Games,
            UnitWord::Pairs => Self::Pairs,
        }
    }
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats plan sprt --elo0 0 --elo1 5 --unit games --elo 0 --elo 2.5 --elo 10"
)]
pub(super) struct SprtPlanArguments {
    #[command(flatten)]
    pub(super) test: TestArguments,
    /// A true Elo difference to show; may be given several times [default: elo0, the middle, elo1]
    #[arg(long, value_parser = number)]
    pub(super) elo: Vec<f64>,
    /// What is counted
    #[arg(long, default_value = "pairs")]
    pub(super) unit: UnitWord,
    /// The variance of one unit's score; the logistic model needs it [default: 0.25 for games and 0.125 for pairs,
    /// those of games without draws]
    #[arg(long, value_parser = positive)]
    pub(super) variance: Option<f64>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

fn count(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| *count <= MOST);
    count.ok_or_else(|| format!("a count is a whole number from 0 to {MOST}"))
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "this takes a number".into())
}

fn positive(text: &str) -> Result<f64, String> {
    number(text).ok().filter(|number| *number > 0.0).ok_or_else(|| "this takes a number above 0".into())
}

fn probability(text: &str) -> Result<f64, String> {
    let number = number(text).ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "this takes a number from 0 to 1".into())
}

fn open_probability(text: &str) -> Result<f64, String> {
    let number = number(text).ok().filter(|number| *number > 0.0 && *number < 1.0);
    number.ok_or_else(|| "this takes a number between 0 and 1".into())
}
