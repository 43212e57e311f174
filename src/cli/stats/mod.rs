//! `shikou stats`: the statistics of given counts.

mod figures;
mod matches;
mod planning;
mod rates;
mod ratings;

use clap::Args;

use self::matches::{EloArguments, PairsArguments, SprtArguments};
use self::planning::PlanArguments;
use self::rates::{CorrectionArguments, PairedArguments, RateArguments, TwoArguments};
use self::ratings::BradleyTerryArguments;
use super::commands::commands;
use super::error::Result;
use crate::players::Registry;

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
    Plan(PlanArguments) => planning::plan,
}

pub(super) fn stats(registry: &Registry, arguments: &StatsArguments) -> Result {
    arguments.question.run(registry)
}
