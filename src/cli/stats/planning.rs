//! The number of trials that a question needs.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::matches::{TestArguments, test, unit_note};
use super::{Shown, number, open_probability, percent, positive, probability};
use crate::cli::error::{CommandError, Result, usage};
use crate::cli::groups::{OutputArguments, words};
use crate::experiment::{Meeting, Reference};
use crate::players::Registry;
use crate::report::{Block, Document, Table, counted, decimals, object, optional, with_thousands};
use crate::stats::{
    Bounds, EloModel, Hypotheses, MatchCounts, Operating, Unit, elo_of_score, instances_for_mean_difference,
    instances_for_paired_rates, operating, pair_variance, pairs_for_scores, trials_for_half_width,
    trials_for_two_rates,
};
use crate::words::shell_path;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Two rates without a word before them plan a match: shikou stats plan 0.50 0.52")]
pub(super) struct PlanArguments {
    #[command(subcommand)]
    plan: Option<Plan>,
    #[command(flatten)]
    of_match: MatchPlanArguments,
}

#[derive(Subcommand)]
pub(super) enum Plan {
    /// Games of a match that show a difference in points
    Match(MatchPlanArguments),
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
    after_help = "Examples:
  shikou stats plan match 0.50 0.52 --draws 0.3
  shikou stats plan match 0.50 0.53 --pilot results/reference/tour"
)]
pub(super) struct MatchPlanArguments {
    /// The points a game of the first player if there is no difference [default with --pilot: 0.5]
    #[arg(value_parser = open_probability, required_unless_present = "pilot")]
    points0: Option<f64>,
    /// The points a game to be found [default with --pilot: those of the pilot, most of which may be luck]
    #[arg(value_parser = open_probability, required_unless_present = "pilot")]
    points1: Option<f64>,
    /// The share of games that are drawn
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = probability)]
    draws: f64,
    /// Take the variance of a pair from the first match in this folder of results, and the points too unless they are given
    #[arg(long, value_name = "DIR", conflicts_with = "draws")]
    pilot: Option<PathBuf>,
    /// The probability of finding the difference
    #[arg(long, default_value = "0.8", value_parser = open_probability)]
    power: f64,
    #[command(flatten)]
    shown: Shown,
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
    let Some(plan) = &arguments.plan else { return of_match(&arguments.of_match) };
    let (command, unit, number, text, power, shown) = match plan {
        Plan::Match(arguments) => return of_match(arguments),
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

/// The variances of a pair at both points a game, and from where they are.
fn variances(arguments: &MatchPlanArguments, points: [f64; 2]) -> Result<[f64; 2]> {
    let [Some(first), Some(second)] = points.map(|points| pair_variance(points, arguments.draws)) else {
        let [drawn, most] =
            [arguments.draws, 2.0 * points.iter().fold(0.5, |most: f64, of| most.min(*of).min(1.0 - of))];
        return Err(usage!(
            "a share of {drawn} of the games cannot be drawn with these points; expected {most:.4} or less"
        ));
    };
    Ok([first, second])
}

fn of_match(arguments: &MatchPlanArguments) -> Result {
    let MatchPlanArguments { points0, points1, draws, pilot: folder, power, shown } = arguments;
    let pilot = folder.as_ref().map(|folder| pilot_of(folder)).transpose()?;
    let points0 = points0.unwrap_or(0.5);
    let of_pilot = || pilot.as_ref().map_or(0.5, |meeting| meeting.points.value);
    let points1 = points1.unwrap_or_else(of_pilot);
    if let (Some(folder), None, true) = (folder, arguments.points1, points0 == points1) {
        return Err(usage!(
            "the pilot shows {points1} points a game, no difference from {points0}; give the points to be found: shikou \
             stats plan match 0.50 0.53 --pilot {}",
            shell_path(folder)
        ));
    }
    differ(points0, points1)?;
    let rounded = (1e4 * points1).round() / 1e4;
    let (variances, from) = match &pilot {
        None => (
            variances(arguments, [points0, points1])?,
            format!("A share of {draws} of the games drawn; the games of a pair independent."),
        ),
        Some(Meeting { first, second, pairs, pentanomial, .. }) => {
            let variance = MatchCounts::pairs(*pentanomial).variance();
            let pairs = counted(*pairs, "pair");
            (
                [variance; 2],
                format!("The variance of a pair, {variance:.4}, is that of {pairs} of {first} and {second}."),
            )
        }
    };
    let pairs = pairs_for_scores([points0, points1], variances, *power, shown.level);
    let mut lines = vec![
        format!(
            "With {} ({} games), {rounded} points a game are told apart from {points0}.",
            counted(pairs, "pair"),
            with_thousands(2 * pairs)
        ),
        format!("Level {}, two-sided; power {}. {from}", percent(shown.level.level()), percent(*power)),
    ];
    // Those of `shikou match --sprt`, whatever the level and the power.
    let bounds = Bounds::new(Bounds::ERROR, Bounds::ERROR).expect("an error below one half");
    let elos = [points0, points1].map(|points| (10.0 * elo_of_score(points)).round() / 10.0);
    let mut sprt = None;
    let hypotheses = Hypotheses::new(EloModel::Logistic, elos[0].min(elos[1]), elos[0].max(elos[1]));
    if let (Ok(hypotheses), true) = (hypotheses, variances[0] > 0.0) {
        let expected = elos
            .map(|elo| operating(hypotheses, bounds, Unit::Pairs, variances[0], elo).expected.ceil() as u64);
        let [under0, under1] = expected.map(|pairs| counted(pairs, "pair"));
        lines.push(format!(
            "A test that stops early, --sprt {},{} with errors of {}, expects {under0} at {points0} points a game, and {under1} \
             at {rounded}.",
            hypotheses.elo0(),
            hypotheses.elo1(),
            percent(Bounds::ERROR)
        ));
        sprt = Some(object! { elo0: hypotheses.elo0(), elo1: hypotheses.elo1(), expected_pairs: expected });
    }
    let content = object! {
        level: shown.level.level(), power, points: [points0, points1], variances, pairs, games: 2 * pairs,
        #[serde(flatten)] sprt: optional("sprt", sprt),
    };
    shown.output.show("stats plan match", content, Document(vec![Block::Text(lines)]))
}

/// The first match in a folder of results with points that vary.
fn pilot_of(folder: &Path) -> Result<Meeting> {
    let reference = Reference::of_summary(folder).map_err(|error| {
        let next = format!("`shikou report {}` writes it from the log", shell_path(folder));
        CommandError::because(io::Error::new(error.kind(), format!("{error}; {next}")))
    })?;
    let meetings =
        reference.into_iter().flat_map(|found| found.summary.experiments).flat_map(|of| of.meetings);
    let varies =
        |meeting: &Meeting| meeting.pairs > 1 && MatchCounts::pairs(meeting.pentanomial).variance() > 0.0;
    meetings.into_iter().find(varies).ok_or_else(|| {
        usage!(
            "{} has no match whose points vary; `shikou match … --save DIR` plays a pilot",
            folder.display()
        )
    })
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
