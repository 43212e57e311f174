//! `shikou stats`: the statistics of given counts.
//!
//! | file | holds |
//! |---|---|
//! | `rates` | success rates: one, two, paired, and anytime-valid |
//! | `matches` | points, Elo, and the sequential test |
//! | `ratings` | ratings from a table of points |
//! | `correction` | corrections for several comparisons |
//! | `planning` | the number of trials that a question needs |
//! | `figures` | figures as text; level and format, and the values that they take |

mod correction;
mod figures;
mod matches;
mod planning;
mod rates;
mod ratings;

use clap::{Args, Subcommand};

use self::correction::CorrectionArguments;
use self::matches::{EloArguments, PairsArguments, SprtArguments};
use self::planning::PlanArguments;
use self::rates::{PairedArguments, RateArguments, TwoArguments};
use self::ratings::BradleyTerryArguments;
use super::error::CommandError;
use crate::players::Registry;

const SCHEMA: u32 = 3;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou stats rate 37 100                        a success rate with its intervals
  shikou stats paired 20 12 2 16                  two players on the same deals
  shikou stats pairs 75 64 63 54 34               a match in pairs of games
  shikou stats sprt --elo0 0 --elo1 2 --model normalized 365 16618 36229 16974 390
  shikou stats plan arms 0.50 0.55                the trials needed to distinguish two rates

Every interval is labelled with its method and level. Unless it is anytime-valid, an interval
assumes that the number of trials was fixed in advance.")]
pub(super) struct StatsArguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// One success rate: Wilson, Clopper–Pearson and Jeffreys
    #[command(after_help = "Example:\n  shikou stats rate 37 100 --level 0.99")]
    Rate(RateArguments),
    /// Two independent rates, and their difference
    Two(TwoArguments),
    /// Two players on the same instances: difference, tests, correlation
    Paired(PairedArguments),
    /// A match counted in pairs of games: points, Elo, normalised Elo, likelihood of superiority
    #[command(alias = "pentanomial")]
    Pairs(PairsArguments),
    /// A match counted in single games: points, Elo, normalised Elo, likelihood of superiority
    Elo(EloArguments),
    /// The sequential probability ratio test of two Elo hypotheses
    Sprt(SprtArguments),
    /// Ratings of several players from a table of points
    BradleyTerry(BradleyTerryArguments),
    /// One success rate with an anytime-valid interval
    #[command(after_help = "Example:\n  shikou stats sequence 37 100")]
    Sequence(RateArguments),
    /// Holm's correction of p-values for several comparisons
    #[command(after_help = "Example:\n  shikou stats holm 0.001 0.04 0.03")]
    Holm(CorrectionArguments),
    /// Benjamini–Hochberg correction of p-values, for exploration
    #[command(after_help = "Example:\n  shikou stats bh 0.001 0.04 0.03")]
    Bh(CorrectionArguments),
    /// The number of trials that a question needs
    Plan(PlanArguments),
}

pub(super) fn stats(_registry: &Registry, arguments: &StatsArguments) -> Result<(), CommandError> {
    match &arguments.question {
        Question::Rate(arguments) => rates::rate(arguments),
        Question::Two(arguments) => rates::two(arguments),
        Question::Paired(arguments) => rates::paired(arguments),
        Question::Sequence(arguments) => rates::sequence(arguments),
        Question::Pairs(arguments) => matches::pairs(arguments),
        Question::Elo(arguments) => matches::elo(arguments),
        Question::Sprt(arguments) => matches::sprt(arguments),
        Question::BradleyTerry(arguments) => ratings::bradley_terry(arguments),
        Question::Holm(arguments) => correction::holm(arguments),
        Question::Bh(arguments) => correction::bh(arguments),
        Question::Plan(arguments) => planning::plan(arguments),
    }
}
