//! The number of trials that a question needs.

use clap::{Args, Subcommand};

use super::matches::{TestArguments, test, unit_note};
use super::{Shown, number, open_probability, percent, positive, probability};
use crate::cli::error::{Result, usage};
use crate::cli::groups::{OutputArguments, words};
use crate::players::Registry;
use crate::report::{Block, Document, Table, counted, decimals, object, optional, with_thousands};
use crate::stats::{
    EloModel, Operating, Unit, instances_for_mean_difference, instances_for_paired_rates, operating,
    trials_for_half_width, trials_for_two_rates,
};

#[derive(Args)]
pub(super) struct PlanArguments {
    #[command(subcommand)]
    plan: Plan,
}

#[derive(Subcommand)]
pub(super) enum Plan {
    /// Trials for an interval of a given half-width
    HalfWidth(HalfWidthArguments),
    /// Trials for each of two independent players
    Arms(ArmsArguments),
    /// Instances on which two players are compared
    Paired(PairedPlanArguments),
    /// Instances on which the mean scores of two players are compared
    Mean(MeanPlanArguments),
    /// The decision probabilities and expected length of a sequential test
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
    half_width: f64,
    /// The expected rate; 0.5 needs the most trials
    #[arg(long, default_value = "0.5", value_parser = open_probability)]
    rate: f64,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:\n  shikou stats plan arms 0.50 0.55 --power 0.9"
)]
pub(super) struct ArmsArguments {
    /// The expected rate of the first
    #[arg(value_parser = open_probability)]
    rate1: f64,
    /// The expected rate of the second
    #[arg(value_parser = open_probability)]
    rate2: f64,
    /// The probability of finding the difference
    #[arg(long, default_value = "0.8", value_parser = open_probability)]
    power: f64,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats plan paired 0.15 0.05

A short pilot estimates the two shares: see `shikou stats paired`."
)]
pub(super) struct PairedPlanArguments {
    /// The share of instances on which only the first succeeds
    #[arg(value_parser = probability)]
    only_first: f64,
    /// The share of instances on which only the second succeeds
    #[arg(value_parser = probability)]
    only_second: f64,
    /// The probability of finding the difference
    #[arg(long, default_value = "0.8", value_parser = open_probability)]
    power: f64,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats plan mean 30 110

The pilot of `shikou plan --pilot` measures the standard deviation."
)]
pub(super) struct MeanPlanArguments {
    /// The difference of the mean scores that is to be found
    #[arg(value_parser = positive)]
    difference: f64,
    /// The standard deviation of the difference on one instance, in the same unit
    #[arg(value_parser = positive)]
    deviation: f64,
    /// The probability of finding the difference
    #[arg(long, default_value = "0.8", value_parser = open_probability)]
    power: f64,
    #[command(flatten)]
    shown: Shown,
}

const UNITS: [(&str, &str, Unit); 2] = [
    ("games", "Single games", Unit::Games),
    ("pairs", "Pairs of games from one opening, seats swapped", Unit::Pairs),
];

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats plan sprt --elo0 0 --elo1 5 --unit games --elo 0 --elo 2.5 --elo 10"
)]
pub(super) struct SprtPlanArguments {
    #[command(flatten)]
    test: TestArguments,
    /// A true Elo difference to show; repeatable [default: elo0, the middle, elo1]
    #[arg(long, value_parser = number)]
    elo: Vec<f64>,
    /// The unit of the counts
    #[arg(long, default_value = "pairs", value_parser = words(UNITS))]
    unit: Unit,
    /// The variance of one unit's points; the logistic model needs it [default: 0.25 for games and 0.125 for pairs,
    /// those of games without draws]
    #[arg(long, value_parser = positive)]
    variance: Option<f64>,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn plan(_registry: &Registry, arguments: &PlanArguments) -> Result {
    let (command, unit, number, text, power, shown) = match &arguments.plan {
        Plan::HalfWidth(HalfWidthArguments { half_width, rate, shown }) => {
            let trials = trials_for_half_width(*rate, *half_width, shown.level);
            let text = format!(
                "With {} the interval of a rate near {rate} is ± {half_width}.",
                counted(trials, "trial"),
            );
            ("stats plan half-width", "trials", trials, text, None, shown)
        }
        Plan::Arms(ArmsArguments { rate1, rate2, power, shown }) => {
            differ(*rate1, *rate2)?;
            let trials = trials_for_two_rates(*rate1, *rate2, *power, shown.level);
            let text = format!(
                "With {} for each, two independent players with the rates {rate1} and {rate2} are told apart.",
                counted(trials, "trial"),
            );
            ("stats plan arms", "trials_per_arm", trials, text, Some(*power), shown)
        }
        Plan::Paired(PairedPlanArguments { only_first, only_second, power, shown }) => {
            let (first, second) = (*only_first, *only_second);
            differ(first, second)?;
            if first + second > 1.0 {
                return Err(usage!("the shares {first} and {second} add up to more than 1"));
            }
            let instances = instances_for_paired_rates(first, second, *power, shown.level);
            let text = format!(
                "With {}, each played by both players, they are told apart if only the first succeeds on a share of {first} and only the second on {second}.",
                counted(instances, "instance")
            );
            ("stats plan paired", "instances", instances, text, Some(*power), shown)
        }
        Plan::Mean(MeanPlanArguments { difference, deviation, power, shown }) => {
            let instances = instances_for_mean_difference(difference / deviation, *power, shown.level);
            let instances = instances.ok_or_else(|| {
                usage!("no possible number of instances finds {difference} in a standard deviation of {deviation}")
            })?;
            let text = format!(
                "With {}, each played by both players, a difference of {difference} is found if its standard deviation is {deviation}.",
                counted(instances, "instance")
            );
            ("stats plan mean", "instances", instances, text, Some(*power), shown)
        }
        Plan::Sprt(arguments) => return sprt(arguments),
    };
    let level = percent(shown.level.level());
    let note = match power {
        Some(power) => format!("Level {level}, two-sided; power {}.", percent(power)),
        None => format!("Level {level}; normal approximation."),
    };
    let content = object! {
        level: shown.level.level(),
        #[serde(flatten)] power: optional("power", power),
        #[serde(flatten)] number: optional(unit, Some(number)),
    };
    shown.output.show(command, content, Document(vec![Block::Text(vec![text, note])]))
}

fn differ(first: f64, second: f64) -> Result {
    if first == second {
        return Err(usage!("the rates {first} and {second} are equal; expected two different rates"));
    }
    Ok(())
}

fn sprt(arguments: &SprtPlanArguments) -> Result {
    let (hypotheses, bounds) = test(&arguments.test)?;
    let unit = arguments.unit;
    let (what, usual) = if unit == Unit::Games { ("games", 0.25) } else { ("pairs", 0.125) };
    let variance = arguments.variance.unwrap_or(usual);
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    let elos = if arguments.elo.is_empty() {
        vec![elo0, f64::midpoint(elo0, elo1), elo1]
    } else {
        arguments.elo.clone()
    };
    let truths: Vec<Operating> =
        elos.into_iter().map(|elo| operating(hypotheses, bounds, unit, variance, elo)).collect();
    let expected = format!(">expected {what}");
    let mut table = Table::new(&[">true Elo", ">accepts H1", &expected]);
    for truth in &truths {
        let length = with_thousands(truth.expected.round() as u64);
        table.row([truth.elo.to_string(), decimals(truth.accept_h1, 4), length]);
    }
    let assumed = match hypotheses.model() {
        EloModel::Logistic => format!("; variance of the points {variance}"),
        EloModel::Normalized => String::new(),
    };
    let head =
        format!("H0: Elo {elo0}; H1: Elo {elo1}; alpha {}, beta {}{assumed}", bounds.alpha, bounds.beta);
    let note = format!(
        "{} Brownian approximation: real tests overshoot and take a little longer.",
        unit_note(hypotheses)
    );
    let document = Document(vec![head.into(), table.into(), note.into()]);
    let variance = (hypotheses.model() == EloModel::Logistic).then_some(variance);
    let content = object! { hypotheses, bounds, unit, variance, truths };
    arguments.output.show("stats plan sprt", content, document)
}
