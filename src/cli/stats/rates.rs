//! Success rates: one, two, paired, and anytime-valid; and corrections for several comparisons.

use clap::Args;

use super::{Shown, count, interval_table, maybe, probability, refuse_nothing, small};
use crate::cli::error::{Result, usage};
use crate::cli::groups::OutputArguments;
use crate::players::Registry;
use crate::report::{Block, Document, Table, counted, decimals, object};
use crate::stats;
use crate::stats::{
    Estimate, PairedCounts, beta_binomial_sequence, bonett_price, clopper_pearson, jeffreys,
    mcnemar_asymptotic, mcnemar_exact, mcnemar_mid_p, newcombe, newcombe_paired, paired_ln_e, tango, wilson,
};

#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct RateArguments {
    /// Successes
    #[arg(value_parser = count)]
    successes: u64,
    /// Trials
    #[arg(value_parser = count)]
    trials: u64,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats two 56 70 48 80

For players on the same deals use `shikou stats paired`: it needs fewer trials."
)]
pub(super) struct TwoArguments {
    /// Successes of the first
    #[arg(value_parser = count)]
    successes1: u64,
    /// Trials of the first
    #[arg(value_parser = count)]
    trials1: u64,
    /// Successes of the second
    #[arg(value_parser = count)]
    successes2: u64,
    /// Trials of the second
    #[arg(value_parser = count)]
    trials2: u64,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Args)]
#[command(allow_negative_numbers = true, after_help = "Example:\n  shikou stats paired 20 12 2 16")]
pub(super) struct PairedArguments {
    /// Instances on which both succeeded
    #[arg(value_parser = count)]
    both: u64,
    /// Instances on which only the first did
    #[arg(value_parser = count)]
    only_first: u64,
    /// Instances on which only the second did
    #[arg(value_parser = count)]
    only_second: u64,
    /// Instances on which neither did
    #[arg(value_parser = count)]
    neither: u64,
    #[command(flatten)]
    shown: Shown,
}

/// The note below intervals that are not anytime-valid.
const FIXED: &str = "For a number of trials that was fixed in advance.";

pub(super) fn rate(_registry: &Registry, arguments: &RateArguments) -> Result {
    let (k, n) = of(arguments.successes, arguments.trials)?;
    let level = arguments.shown.level;
    let intervals = [wilson, clopper_pearson, jeffreys].map(|interval| interval(k, n, level));
    let below = format!("{FIXED} While trials run, use `shikou stats sequence`.");
    show_rate("stats rate", arguments, &intervals, &below)
}

pub(super) fn sequence(_registry: &Registry, arguments: &RateArguments) -> Result {
    let (k, n) = of(arguments.successes, arguments.trials)?;
    let intervals = [beta_binomial_sequence(k, n, arguments.shown.level)];
    let below = "Anytime-valid: look as often as you like, and stop when you like.";
    show_rate("stats sequence", arguments, &intervals, below)
}

fn show_rate(command: &str, arguments: &RateArguments, intervals: &[Estimate], below: &str) -> Result {
    let (successes, trials, confidence) = (arguments.successes, arguments.trials, arguments.shown.level);
    let rows: Vec<(&str, Estimate)> = intervals.iter().map(|&estimate| ("rate", estimate)).collect();
    let table = interval_table(&rows, 6, confidence);
    let head = format!("{} in {}", counted(successes, "success"), counted(trials, "trial"));
    let content = object! { level: confidence.level(), successes, trials, intervals };
    let document = Document(vec![head.into(), table.into(), below.into()]);
    arguments.shown.output.show(command, content, document)
}

pub(super) fn two(_registry: &Registry, arguments: &TwoArguments) -> Result {
    let confidence = arguments.shown.level;
    let one = of(arguments.successes1, arguments.trials1)?;
    let other = of(arguments.successes2, arguments.trials2)?;
    let first = wilson(one.0, one.1, confidence);
    let second = wilson(other.0, other.1, confidence);
    let difference = newcombe(one, other, confidence);
    let rows = [("first", first), ("second", second), ("first minus second", difference)];
    let head = format!(
        "{} in {}, and {} in {}",
        counted(one.0, "success"),
        counted(one.1, "trial"),
        other.0,
        other.1
    );
    let document = Document(vec![head.into(), interval_table(&rows, 6, confidence).into(), FIXED.into()]);
    let content = object! { level: confidence.level(), first, second, difference };
    arguments.shown.output.show("stats two", content, document)
}

pub(super) fn paired(_registry: &Registry, arguments: &PairedArguments) -> Result {
    let &PairedArguments { both, only_first, only_second, neither, ref shown } = arguments;
    let counts = PairedCounts { both, only_first, only_second, neither };
    refuse_nothing(counts.instances(), "all counts are")?;
    let confidence = shown.level;
    let difference = [tango, newcombe_paired, bonett_price].map(|interval| interval(counts, confidence));
    let p = [mcnemar_mid_p, mcnemar_exact, mcnemar_asymptotic, paired_ln_e];
    let [mcnemar_mid_p, mcnemar_exact, mcnemar_asymptotic, ln_e] = p.map(|of| of(only_first, only_second));
    let (correlation, variance_reduction) = (counts.correlation(), counts.variance_reduction());
    let rows: Vec<(&str, Estimate)> = difference.iter().map(|&e| ("first minus second", e)).collect();
    let mut tests = Table::new(&["<test of equal rates", ">figure", "<note"]);
    tests.row(["McNemar mid-p", &small(mcnemar_mid_p), "p"]);
    tests.row(["McNemar exact", &small(mcnemar_exact), "p"]);
    tests.row(["McNemar asymptotic", &small(mcnemar_asymptotic), "p; the test that Tango inverts"]);
    tests.row(["e-process", &decimals(ln_e, 4), "ln E, anytime: reject at ln 1/α"]);
    let head = format!(
        "{}: both succeeded on {both}, only the first on {only_first}, only the second on {only_second}, neither on {neither}",
        counted(counts.instances(), "instance"),
    );
    let notes = vec![
        format!(
            "Correlation of the successes {}; pairing reduced the variance {}-fold.",
            maybe(correlation, 3),
            maybe(variance_reduction, 2),
        ),
        format!("{FIXED} The e-process is anytime-valid."),
    ];
    let table = interval_table(&rows, 6, confidence);
    let document = Document(vec![head.into(), table.into(), tests.into(), Block::Text(notes)]);
    let content = object! {
        level: confidence.level(), counts, difference, mcnemar_mid_p, mcnemar_exact, mcnemar_asymptotic, ln_e,
        correlation, variance_reduction,
    };
    shown.output.show("stats paired", content, document)
}

fn of(successes: u64, trials: u64) -> Result<(u64, u64)> {
    if successes > trials {
        return Err(usage!(
            "{} in {} cannot be; expected successes first, then trials",
            counted(successes, "success"),
            counted(trials, "trial")
        ));
    }
    refuse_nothing(trials, "the number of trials is")?;
    Ok((successes, trials))
}

#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct CorrectionArguments {
    /// The p-values of the whole family
    #[arg(value_parser = probability, num_args = 1.., required = true)]
    p: Vec<f64>,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn holm(_registry: &Registry, arguments: &CorrectionArguments) -> Result {
    let note = "Holm: rejecting the comparisons with an adjusted p of at most α bounds the family-wise error rate by α.";
    show("stats holm", "holm", note, arguments, stats::holm(&arguments.p))
}

pub(super) fn bh(_registry: &Registry, arguments: &CorrectionArguments) -> Result {
    let note = "Benjamini–Hochberg, for exploration: rejecting the comparisons with an adjusted p of at most α bounds the false discovery rate by α if the tests are independent or positively dependent (PRDS).";
    show("stats bh", "benjamini-hochberg", note, arguments, stats::benjamini_hochberg(&arguments.p))
}

fn show(
    command: &str,
    method: &str,
    note: &str,
    arguments: &CorrectionArguments,
    adjusted: Vec<f64>,
) -> Result {
    let p = &arguments.p;
    let mut table = Table::new(&[">comparison", ">p", ">adjusted p"]);
    for (number, (p, adjusted)) in p.iter().zip(&adjusted).enumerate() {
        table.row([(number + 1).to_string(), small(*p), small(*adjusted)]);
    }
    let document = Document(vec![format!("A family of {}", p.len()).into(), table.into(), note.into()]);
    arguments.output.show(command, object! { method, family: p.len(), p, adjusted }, document)
}
