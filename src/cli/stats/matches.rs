//! Matches: score, Elo, and the sequential test.

use serde::Serialize;

use super::SCHEMA;
use super::arguments::{EloArguments, PairsArguments, Shown, SprtArguments, TestArguments};
use super::figures::{decimals, maybe, percent};
use crate::cli::failure::Failure;
use crate::cli::output::{print, print_json};
use crate::report::Table;
use crate::stats::{
    Bounds, Confidence, EloInterval, EloModel, Estimate, Hypotheses, InvalidTest, MatchCounts, Unit, Verdict,
    estimate_after_sprt, log_likelihood_ratio,
};

impl From<InvalidTest> for Failure {
    fn from(invalid: InvalidTest) -> Self {
        Self::Usage(invalid.to_string())
    }
}

#[derive(Serialize)]
struct MatchContent {
    level: f64,
    counts: MatchCounts,
    score: Estimate,
    variance: f64,
    elo: EloInterval,
    elo_half_width: Option<f64>,
    normalized_elo: Option<f64>,
    superiority: Option<f64>,
}

impl MatchContent {
    fn new(counts: MatchCounts, confidence: Confidence) -> Self {
        let elo = counts.elo(confidence);
        Self {
            level: confidence.level(),
            counts,
            score: counts.score_interval(confidence),
            variance: counts.variance(),
            elo,
            elo_half_width: elo.half_width(),
            normalized_elo: counts.normalized_elo(),
            superiority: counts.superiority(),
        }
    }
}

pub(super) fn pairs(arguments: &PairsArguments) -> Result<(), Failure> {
    let counts = counted(&arguments.counts)?;
    show_match("stats pairs", counts, &arguments.shown)
}

pub(super) fn elo(arguments: &EloArguments) -> Result<(), Failure> {
    let counts = counted(&[arguments.losses, arguments.draws, arguments.wins])?;
    show_match("stats elo", counts, &arguments.shown)
}

/// Three counts of games or five of pairs, not all of them 0.
fn counted(counts: &[u64]) -> Result<MatchCounts, Failure> {
    let found = match *counts {
        [losses, draws, wins] => MatchCounts::games([losses, draws, wins]),
        [ll, ld, dd, wd, ww] => MatchCounts::pairs([ll, ld, dd, wd, ww]),
        _ => {
            let message = format!(
                "{} counts; five are pairs (LL LD DD+WL WD WW), three are games (lost drawn won)",
                counts.len()
            );
            return Err(Failure::Usage(message));
        }
    };
    if found.total() == 0 {
        return Err(Failure::Usage("all counts are 0: nothing was played".into()));
    }
    Ok(found)
}

/// What was counted, in words.
fn heading(counts: &MatchCounts) -> String {
    match (counts.unit(), counts.counts()) {
        (Unit::Pairs, &[ll, ld, dd, wd, ww]) => {
            format!("{} pairs of games: LL {ll}, LD {ld}, DD or WL {dd}, WD {wd}, WW {ww}", counts.total())
        }
        (_, counts) => {
            let total: u64 = counts.iter().sum();
            format!("{total} games: {} won, {} drawn, {} lost", counts[2], counts[1], counts[0])
        }
    }
}

fn show_match(command: &str, counts: MatchCounts, shown: &Shown) -> Result<(), Failure> {
    let content = MatchContent::new(counts, Confidence::new(shown.level));
    if shown.json {
        return print_json(command, SCHEMA, content);
    }
    let (score, elo) = (content.score, content.elo);
    let level = percent(shown.level);
    let mut table = Table::new(&["<figure", ">value", ">±", ">level", ">low", ">high", "<method"]);
    table.row([
        "score".into(),
        decimals(score.value, 6),
        decimals((score.high - score.low) / 2.0, 6),
        level.clone(),
        decimals(score.low, 6),
        decimals(score.high, 6),
        score.method.to_string(),
    ]);
    table.row([
        "Elo".into(),
        maybe(elo.value, 2),
        maybe(elo.half_width(), 2),
        level,
        maybe(elo.low, 2),
        maybe(elo.high, 2),
        format!("{}, mapped", elo.method),
    ]);
    let mut more = Table::new(&["<figure", ">value"]);
    more.row(["normalised Elo".to_owned(), maybe(content.normalized_elo, 2)]);
    more.row(["likelihood of superiority".to_owned(), maybe(content.superiority, 4)]);
    let what = match counts.unit() {
        Unit::Games => "games",
        Unit::Pairs => "pairs",
    };
    let mut text = format!("{}\n\n{table}\n\n{more}\n\n", heading(&counts));
    if elo.value.is_none() || elo.half_width().is_none() {
        text += "A dash stands for what has no finite value: of Elo there is a bound on one side only.\n";
    }
    print(text + &format!("For a number of {what} that was fixed beforehand. ± is half the width."))
}

#[derive(Serialize)]
struct SprtContent {
    hypotheses: Hypotheses,
    bounds: Bounds,
    counts: MatchCounts,
    log_likelihood_ratio: f64,
    verdict: Verdict,
    level: f64,
    /// In the unit of the hypotheses; biased, because the test chose when to stop.
    naive_elo: Option<f64>,
    median_unbiased_elo: Option<EloInterval>,
}

/// The hypotheses and bounds that were asked for.
pub(super) fn test(arguments: &TestArguments) -> Result<(Hypotheses, Bounds), Failure> {
    let hypotheses = Hypotheses::new(arguments.model.into(), arguments.elo0, arguments.elo1)?;
    Ok((hypotheses, Bounds::new(arguments.alpha, arguments.beta)?))
}

pub(super) fn sprt(arguments: &SprtArguments) -> Result<(), Failure> {
    let (hypotheses, bounds) = test(&arguments.test)?;
    let counts = counted(&arguments.counts)?;
    let confidence = Confidence::new(arguments.shown.level);
    let ratio = log_likelihood_ratio(hypotheses, &counts);
    let verdict = bounds.verdict(ratio);
    let naive_elo = match hypotheses.model() {
        EloModel::Logistic => counts.elo(confidence).value,
        EloModel::Normalized => counts.normalized_elo(),
    };
    let median_unbiased_elo = estimate_after_sprt(hypotheses, bounds, &counts, verdict, confidence);
    if arguments.shown.json {
        let content = SprtContent {
            hypotheses,
            bounds,
            counts,
            log_likelihood_ratio: ratio,
            verdict,
            level: confidence.level(),
            naive_elo,
            median_unbiased_elo,
        };
        return print_json("stats sprt", SCHEMA, content);
    }
    let mut table = Table::new(&["<test", ">value"]);
    table.row(["log-likelihood ratio".to_owned(), format!("{ratio:.6}")]);
    table.row([
        format!("H0, Elo {}, accepted at or below", hypotheses.elo0()),
        format!("{:.6}", bounds.lower),
    ]);
    table.row([
        format!("H1, Elo {}, accepted at or above", hypotheses.elo1()),
        format!("{:.6}", bounds.upper),
    ]);
    table.row(["verdict".to_owned(), verdict.to_string()]);
    let mut estimates = Table::new(&["<estimate", ">value", ">level", ">low", ">high", "<method"]);
    estimates.row(["naive, biased by stopping", &maybe(naive_elo, 2), "–", "–", "–", "none"]);
    if let Some(elo) = median_unbiased_elo {
        estimates.row([
            "after the test".to_owned(),
            maybe(elo.value, 2),
            percent(confidence.level()),
            maybe(elo.low, 2),
            maybe(elo.high, 2),
            elo.method.to_string(),
        ]);
    }
    print(format!("{}\n\n{table}\n\n{estimates}\n\n{}", heading(&counts), unit_note(hypotheses)))
}

/// Which Elo is meant.
pub(super) fn unit_note(hypotheses: Hypotheses) -> &'static str {
    match hypotheses.model() {
        EloModel::Logistic => "Elo is logistic here.",
        EloModel::Normalized => "Elo is normalised here.",
    }
}
