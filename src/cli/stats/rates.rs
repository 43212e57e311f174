//! Rates: one, two, paired, and watched.

use serde::Serialize;

use super::SCHEMA;
use super::arguments::{PairedArguments, RateArguments, TwoArguments};
use super::figures::{interval_table, maybe, small};
use crate::cli::failure::Failure;
use crate::cli::output::{print, print_json};
use crate::report::Table;
use crate::stats::{
    Confidence, Estimate, PairedCounts, beta_binomial_sequence, bonett_price, clopper_pearson, jeffreys,
    mcnemar_asymptotic, mcnemar_exact, mcnemar_mid_p, newcombe, newcombe_paired, paired_ln_e, tango, wilson,
};

/// The line below intervals that hold at one look only.
const FIXED: &str = "For a number of trials that was fixed beforehand.";

#[derive(Serialize)]
struct RateContent {
    level: f64,
    successes: u64,
    trials: u64,
    intervals: Vec<Estimate>,
}

pub(super) fn rate(arguments: &RateArguments) -> Result<(), Failure> {
    let (k, n) = of(arguments.successes, arguments.trials)?;
    let confidence = Confidence::new(arguments.shown.level);
    let intervals = [wilson, clopper_pearson, jeffreys].map(|interval| interval(k, n, confidence));
    show_rate(
        "stats rate",
        arguments,
        &intervals,
        &format!("{FIXED} While trials run, use `shikou stats sequence`."),
    )
}

pub(super) fn sequence(arguments: &RateArguments) -> Result<(), Failure> {
    let (k, n) = of(arguments.successes, arguments.trials)?;
    let intervals = [beta_binomial_sequence(k, n, Confidence::new(arguments.shown.level))];
    let below = "It holds at all looks together: look as often as you like, and stop when you like.";
    show_rate("stats sequence", arguments, &intervals, below)
}

fn show_rate(
    command: &str,
    arguments: &RateArguments,
    intervals: &[Estimate],
    below: &str,
) -> Result<(), Failure> {
    let (successes, trials, level) = (arguments.successes, arguments.trials, arguments.shown.level);
    if arguments.shown.json {
        let content = RateContent { level, successes, trials, intervals: intervals.to_vec() };
        return print_json(command, SCHEMA, content);
    }
    let rows: Vec<(&str, Estimate)> = intervals.iter().map(|&estimate| ("rate", estimate)).collect();
    let table = interval_table(&rows, 6, Confidence::new(level));
    print(format!("{successes} successes in {trials} trials\n\n{table}\n\n{below}"))
}

#[derive(Serialize)]
struct TwoContent {
    level: f64,
    first: Estimate,
    second: Estimate,
    difference: Estimate,
}

pub(super) fn two(arguments: &TwoArguments) -> Result<(), Failure> {
    let confidence = Confidence::new(arguments.shown.level);
    let one = of(arguments.successes1, arguments.trials1)?;
    let other = of(arguments.successes2, arguments.trials2)?;
    let first = wilson(one.0, one.1, confidence);
    let second = wilson(other.0, other.1, confidence);
    let difference = newcombe(one, other, confidence);
    if arguments.shown.json {
        let content = TwoContent { level: confidence.level(), first, second, difference };
        return print_json("stats two", SCHEMA, content);
    }
    let rows = [("first", first), ("second", second), ("first less second", difference)];
    let head = format!("{} successes in {} trials, and {} in {}", one.0, one.1, other.0, other.1);
    print(format!("{head}\n\n{}\n\n{FIXED}", interval_table(&rows, 6, confidence)))
}

#[derive(Serialize)]
struct PairedContent {
    level: f64,
    counts: PairedCounts,
    difference: Vec<Estimate>,
    mcnemar_mid_p: f64,
    mcnemar_exact: f64,
    mcnemar_asymptotic: f64,
    ln_e: f64,
    correlation: Option<f64>,
    variance_reduction: Option<f64>,
}

pub(super) fn paired(arguments: &PairedArguments) -> Result<(), Failure> {
    let &PairedArguments { both, only_first, only_second, neither, ref shown } = arguments;
    let counts = PairedCounts { both, only_first, only_second, neither };
    let confidence = Confidence::new(shown.level);
    let content = PairedContent {
        level: confidence.level(),
        counts,
        difference: [tango, newcombe_paired, bonett_price]
            .map(|interval| interval(counts, confidence))
            .into(),
        mcnemar_mid_p: mcnemar_mid_p(only_first, only_second),
        mcnemar_exact: mcnemar_exact(only_first, only_second),
        mcnemar_asymptotic: mcnemar_asymptotic(only_first, only_second),
        ln_e: paired_ln_e(only_first, only_second),
        correlation: counts.correlation(),
        variance_reduction: counts.variance_reduction(),
    };
    if shown.json {
        return print_json("stats paired", SCHEMA, content);
    }
    let rows: Vec<(&str, Estimate)> = content.difference.iter().map(|&e| ("first less second", e)).collect();
    let mut tests = Table::new(&["<test of equal rates", ">figure", "<note"]);
    tests.row(["McNemar mid-p", &small(content.mcnemar_mid_p), "p; the default"]);
    tests.row(["McNemar exact", &small(content.mcnemar_exact), "p"]);
    tests.row(["McNemar asymptotic", &small(content.mcnemar_asymptotic), "p"]);
    tests.row(["e-process", &format!("{:.4}", content.ln_e), "ln E, anytime: reject at ln 1/α"]);
    print(format!(
        "{} instances: both succeeded on {both}, only the first on {only_first}, only the second on {only_second}, neither on {neither}\n\n{}\n\n{tests}\n\nCorrelation of the successes {}; pairing lowered the variance {}-fold.\n{FIXED} The e-process holds at any.",
        counts.instances(),
        interval_table(&rows, 6, confidence),
        maybe(content.correlation, 3),
        maybe(content.variance_reduction, 2),
    ))
}

/// Successes and trials that can be.
fn of(successes: u64, trials: u64) -> Result<(u64, u64), Failure> {
    if successes > trials {
        let message =
            format!("{successes} successes in {trials} trials cannot be; successes come first, then trials");
        return Err(Failure::Usage(message));
    }
    Ok((successes, trials))
}
