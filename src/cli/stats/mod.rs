//! `shikou stats`: the statistics of given counts.

mod arguments;
mod correction;
mod figures;
mod matches;
mod planning;
mod rates;
mod ratings;

pub(super) use self::arguments::StatsArguments;

use self::arguments::Question;
use super::failure::Failure;

const SCHEMA: u32 = 1;

pub(super) fn stats(arguments: &StatsArguments) -> Result<(), Failure> {
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
        Question::Plan(arguments) => planning::plan(&arguments.plan),
    }
}
