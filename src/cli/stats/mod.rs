//! `shikou stats`: the statistics of given counts.

mod matches;
mod planning;
mod rates;
mod ratings;
mod trends;

use clap::Args;

use self::matches::{EloArguments, PairsArguments, SprtArguments};
use self::planning::PlanArguments;
use self::rates::{CorrectionArguments, PairedArguments, RateArguments, TwoArguments};
use self::ratings::BradleyTerryArguments;
use self::trends::SlopeArguments;
use super::error::{Result, usage};
use super::groups::OutputArguments;
use crate::players::Registry;
use crate::report::{Table, decimals};
use crate::stats::{Confidence, Estimate};

#[derive(Args)]
#[command(after_help = "Examples:
  shikou stats rate 37 100                        a success rate with its intervals
  shikou stats paired 20 12 2 16                  two players on the same deals
  shikou stats pairs 75 64 63 54 34               a match in pairs of games
  shikou stats sprt --elo0 0 --elo1 2 --model normalized 365 16618 36229 16974 390
  shikou stats plan match 0.50 0.52               the games that show 0.52 points a game
  shikou stats plan arms 0.50 0.55                the trials needed to distinguish two rates

Every interval is labelled with its method and level. Unless it is anytime-valid, an interval
assumes that the number of trials was fixed in advance.")]
pub(super) struct StatsArguments {
    #[command(subcommand)]
    question: Question,
}

commands! { Question:
    /// One success rate: Wilson, Clopper–Pearson and Jeffreys
    #[command(after_help = "Example:\n  shikou stats rate 37 100 --level 0.99")]
    Rate(RateArguments) => rates::rate,
    /// Two independent rates, and their difference
    Two(TwoArguments) => rates::two,
    /// Two players on the same instances: difference, tests, correlation
    Paired(PairedArguments) => rates::paired,
    /// A match counted in pairs of games: points, Elo, normalised Elo, likelihood of superiority
    #[command(alias = "pentanomial")]
    Pairs(PairsArguments) => matches::pairs,
    /// A match counted in single games: points, Elo, normalised Elo, likelihood of superiority
    Elo(EloArguments) => matches::elo,
    /// The sequential probability ratio test of two Elo hypotheses
    Sprt(SprtArguments) => matches::sprt,
    /// Ratings of several players from a table of points
    BradleyTerry(BradleyTerryArguments) => ratings::bradley_terry,
    /// The trend of one or more series: slope, interval and test
    Slope(SlopeArguments) => trends::slope,
    /// One success rate with an anytime-valid interval
    #[command(after_help = "Example:\n  shikou stats sequence 37 100")]
    Sequence(RateArguments) => rates::sequence,
    /// Holm's correction of p-values for several comparisons
    #[command(after_help = "Example:\n  shikou stats holm 0.001 0.04 0.03")]
    Holm(CorrectionArguments) => rates::holm,
    /// Benjamini–Hochberg correction of p-values, for exploration
    #[command(after_help = "Example:\n  shikou stats bh 0.001 0.04 0.03")]
    Bh(CorrectionArguments) => rates::bh,
    /// The number of trials that a question needs
    #[command(aliases = ["power", "samplesize", "sample-size"])]
    Plan(PlanArguments) => planning::plan,
}

pub(super) fn stats(registry: &Registry, arguments: &StatsArguments) -> Result {
    arguments.question.run(registry)
}

/// A share as a percentage: 95 %, 99.9 %.
fn percent(share: f64) -> String {
    let digits = format!("{:.6}", 100.0 * share);
    format!("{} %", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// A number with this many decimals, or a dash if it is missing.
fn maybe(value: Option<f64>, digits: usize) -> String {
    decimals(value.unwrap_or(f64::NAN), digits)
}

/// A p-value or another small number: four decimals, or two digits and an exponent.
fn small(value: f64) -> String {
    if value >= 0.001 { format!("{value:.4}") } else { format!("{value:.1e}") }
}

fn interval_table(intervals: &[(&str, Estimate)], digits: usize, confidence: Confidence) -> Table {
    let mut table = Table::new(&["<figure", ">value", ">level", ">low", ">high", "<method"]);
    for (figure, estimate) in intervals {
        table.row([
            (*figure).to_owned(),
            decimals(estimate.value, digits),
            percent(confidence.level()),
            decimals(estimate.low, digits),
            decimals(estimate.high, digits),
            estimate.method.to_string(),
        ]);
    }
    table
}

/// The largest count that is taken; the exact intervals need time with its square root.
const MOST: u64 = 1_000_000_000_000;

/// The confidence level of the intervals.
#[derive(Args)]
struct Shown {
    /// The level of the intervals
    #[arg(long, default_value = "0.95", value_parser = confidence)]
    level: Confidence,
    #[command(flatten)]
    output: OutputArguments,
}

fn count(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| *count <= MOST);
    count.ok_or_else(|| format!("expected a whole number from 0 to {MOST}"))
}

/// An error if this total of `counts` is 0.
fn refuse_nothing(total: u64, counts: &str) -> Result {
    if total == 0 {
        return Err(usage!("{counts} 0: nothing was played"));
    }
    Ok(())
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "expected a number".into())
}

fn positive(text: &str) -> Result<f64, String> {
    number(text).ok().filter(|number| *number > 0.0).ok_or_else(|| "expected a number above 0".into())
}

fn probability(text: &str) -> Result<f64, String> {
    let number = number(text).ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".into())
}

fn confidence(text: &str) -> Result<Confidence, String> {
    open_probability(text).map(Confidence::new)
}

fn open_probability(text: &str) -> Result<f64, String> {
    let number = number(text).ok().filter(|number| *number > 0.0 && *number < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1".into())
}
