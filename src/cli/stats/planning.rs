//! How many trials a question needs.

use serde::Serialize;

use super::SCHEMA;
use super::arguments::{Plan, Shown, SprtPlanArguments};
use super::figures::{decimals, percent};
use super::matches::{test, unit_note};
use crate::cli::failure::Failure;
use crate::cli::output::{print, print_json};
use crate::report::{Table, with_thousands};
use crate::stats::{
    Bounds, Confidence, EloModel, Hypotheses, Operating, Unit, instances_for_paired_rates, operating,
    trials_for_half_width, trials_for_two_rates,
};

#[derive(Serialize)]
struct NumberContent {
    level: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    power: Option<f64>,
    #[serde(flatten)]
    number: Number,
}

/// How many of what.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Number {
    Trials(u64),
    TrialsPerArm(u64),
    Instances(u64),
}

pub(super) fn plan(plan: &Plan) -> Result<(), Failure> {
    match plan {
        Plan::HalfWidth(arguments) => {
            let confidence = Confidence::new(arguments.shown.level);
            let trials = trials_for_half_width(arguments.rate, arguments.half_width, confidence);
            let text = format!(
                "{} trials give a rate near {} an interval of ± {}.",
                with_thousands(trials),
                arguments.rate,
                arguments.half_width
            );
            show("stats plan half-width", Number::Trials(trials), &text, None, &arguments.shown)
        }
        Plan::Arms(arguments) => {
            differ(arguments.rate1, arguments.rate2)?;
            let confidence = Confidence::new(arguments.shown.level);
            let trials = trials_for_two_rates(arguments.rate1, arguments.rate2, arguments.power, confidence);
            let text = format!(
                "{} trials for each of two independent strategies tell the rates {} and {} apart.",
                with_thousands(trials),
                arguments.rate1,
                arguments.rate2
            );
            show(
                "stats plan arms",
                Number::TrialsPerArm(trials),
                &text,
                Some(arguments.power),
                &arguments.shown,
            )
        }
        Plan::Paired(arguments) => {
            let (first, second) = (arguments.only_first, arguments.only_second);
            differ(first, second)?;
            if first + second > 1.0 {
                return Err(Failure::Usage(format!("the shares {first} and {second} add up to more than 1")));
            }
            let confidence = Confidence::new(arguments.shown.level);
            let instances = instances_for_paired_rates(first, second, arguments.power, confidence);
            let text = format!(
                "{} instances, each met by both strategies, tell them apart where only the first succeeds on a share of {first} and only the second on {second}.",
                with_thousands(instances)
            );
            show(
                "stats plan paired",
                Number::Instances(instances),
                &text,
                Some(arguments.power),
                &arguments.shown,
            )
        }
        Plan::Sprt(arguments) => sprt(arguments),
    }
}

fn differ(first: f64, second: f64) -> Result<(), Failure> {
    if first == second {
        return Err(Failure::Usage(format!("no number of trials tells {first} from {second}")));
    }
    Ok(())
}

fn show(command: &str, number: Number, text: &str, power: Option<f64>, shown: &Shown) -> Result<(), Failure> {
    if shown.json {
        return print_json(command, SCHEMA, NumberContent { level: shown.level, power, number });
    }
    let level = percent(shown.level);
    print(match power {
        Some(power) => format!("{text}\nLevel {level}, two-sided; power {}.", percent(power)),
        None => format!("{text}\nLevel {level}; normal approximation."),
    })
}

#[derive(Serialize)]
struct SprtContent {
    hypotheses: Hypotheses,
    bounds: Bounds,
    unit: Unit,
    /// None for the normalised model, which needs none.
    variance: Option<f64>,
    truths: Vec<Operating>,
}

fn sprt(arguments: &SprtPlanArguments) -> Result<(), Failure> {
    let (hypotheses, bounds) = test(&arguments.test)?;
    let unit = Unit::from(arguments.unit);
    let (what, usual) = match unit {
        Unit::Games => ("games", 0.25),
        Unit::Pairs => ("pairs", 0.125),
    };
    let variance = arguments.variance.unwrap_or(usual);
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    let elos = if arguments.elo.is_empty() {
        vec![elo0, f64::midpoint(elo0, elo1), elo1]
    } else {
        arguments.elo.clone()
    };
    let truths: Vec<Operating> =
        elos.into_iter().map(|elo| operating(hypotheses, bounds, unit, variance, elo)).collect();
    if arguments.json {
        let variance = (hypotheses.model() == EloModel::Logistic).then_some(variance);
        return print_json(
            "stats plan sprt",
            SCHEMA,
            SprtContent { hypotheses, bounds, unit, variance, truths },
        );
    }
    let expected = format!(">expected {what}");
    let mut table = Table::new(&[">true Elo", ">accepts H1", &expected]);
    for truth in &truths {
        let length = with_thousands(truth.expected.round() as u64);
        table.row([truth.elo.to_string(), decimals(truth.accept_h1, 4), length]);
    }
    let assumed = match hypotheses.model() {
        EloModel::Logistic => format!("; variance of a score {variance}"),
        EloModel::Normalized => String::new(),
    };
    print(format!(
        "H0: Elo {elo0}; H1: Elo {elo1}; alpha {}, beta {}{assumed}\n\n{table}\n\n{} By the Brownian approximation: real tests overshoot and take a little longer.",
        bounds.alpha,
        bounds.beta,
        unit_note(hypotheses)
    ))
}
