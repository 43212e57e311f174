//! Matches: points, Elo, and the sequential test.

use clap::Args;

use super::{Shown, count, maybe, number, percent, refuse_nothing, small};
use crate::cli::error::{Result, usage};
use crate::cli::groups::words;
use crate::players::Registry;
use crate::report::{Block, Document, Table, counted, decimals, object};
use crate::stats::{
    Bounds, EloModel, Estimate, Hypotheses, MatchCounts, Method, Unit, Verdict, estimate_after_sprt,
    log_likelihood_ratio,
};

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats pairs 75 64 63 54 34

A pair is two games from one opening with the seats swapped. Its result is from the view of one
player: LL lost both, LD lost one and drew one, and so on."
)]
pub(super) struct PairsArguments {
    /// Pairs with result LL, LD, DD or WL, WD, WW
    #[arg(value_parser = count, num_args = 5, required = true, value_names = ["LL", "LD", "DD+WL", "WD", "WW"])]
    counts: Vec<u64>,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Example:
  shikou stats elo 36027 68692 36433

Counts go from the worst result to the best, as in `shikou stats sprt`. The two games of a pair are not independent: count pairs with `shikou stats pairs`."
)]
pub(super) struct EloArguments {
    /// Games lost
    #[arg(value_parser = count)]
    lost: u64,
    /// Games drawn
    #[arg(value_parser = count)]
    drawn: u64,
    /// Games won
    #[arg(value_parser = count)]
    won: u64,
    #[command(flatten)]
    shown: Shown,
}

const MODELS: [(&str, &str, EloModel); 2] = [
    ("logistic", "The expected points a game", EloModel::Logistic),
    ("normalized", "The expected points a game in standard deviations", EloModel::Normalized),
];

/// Two hypotheses and the error probabilities of their test.
#[derive(Args)]
pub(super) struct TestArguments {
    /// The Elo difference under H0
    #[arg(long, value_name = "ELO", value_parser = number)]
    elo0: f64,
    /// The Elo difference under H1
    #[arg(long, value_name = "ELO", value_parser = number)]
    elo1: f64,
    /// The model of the Elo differences
    #[arg(long, default_value = "logistic", value_parser = words(MODELS))]
    model: EloModel,
    /// The probability of accepting H1 if H0 holds
    #[arg(long, default_value_t = Bounds::ERROR, value_parser = number)]
    alpha: f64,
    /// The probability of accepting H0 if H1 holds
    #[arg(long, default_value_t = Bounds::ERROR, value_parser = number)]
    beta: f64,
}

#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "Examples:
  shikou stats sprt --elo0 0 --elo1 2 --model normalized 365 16618 36229 16974 390
  shikou stats sprt --elo0 0 --elo1 10 --alpha 0.01 --beta 0.01 3000 4000 3245

Five counts are pairs of games: LL LD DD+WL WD WW. Three are single games: lost, drawn, won.
The counts must be those at which the test stopped, in the order of the trials: the estimate after
the test is shown only if a test that looks after every result can have stopped there."
)]
pub(super) struct SprtArguments {
    #[command(flatten)]
    test: TestArguments,
    /// Five counts of pairs or three of games, the worst result first
    #[arg(value_name = "WORST_TO_BEST", value_parser = count, num_args = 1.., required = true)]
    counts: Vec<u64>,
    #[command(flatten)]
    shown: Shown,
}

pub(super) fn pairs(_registry: &Registry, arguments: &PairsArguments) -> Result {
    let counts = match_counts(&arguments.counts)?;
    show_match("stats pairs", counts, &arguments.shown)
}

pub(super) fn elo(_registry: &Registry, arguments: &EloArguments) -> Result {
    let counts = match_counts(&[arguments.lost, arguments.drawn, arguments.won])?;
    show_match("stats elo", counts, &arguments.shown)
}

/// Three counts of games or five of pairs, not all of them 0.
fn match_counts(counts: &[u64]) -> Result<MatchCounts> {
    let found = match *counts {
        [losses, draws, wins] => MatchCounts::games([losses, draws, wins]),
        [ll, ld, dd, wd, ww] => MatchCounts::pairs([ll, ld, dd, wd, ww]),
        _ => {
            return Err(usage!(
                "found {}; expected five of pairs (LL LD DD+WL WD WW) or three of games (lost drawn won)",
                counted(counts.len() as u64, "count")
            ));
        }
    };
    refuse_nothing(found.total(), "all counts are")?;
    Ok(found)
}

/// The counts, in words: from the worst to the best.
fn heading(counts: &MatchCounts) -> String {
    let (total, names) = (counts.total(), counts.unit().results());
    let each = |of: &dyn Fn(&str, u64) -> String| {
        let all = names.iter().zip(counts.counts()).map(|(name, count)| of(name, *count));
        all.collect::<Vec<_>>().join(", ")
    };
    match counts.unit() {
        Unit::Pairs => {
            format!("{} of games: {}", counted(total, "pair"), each(&|name, count| format!("{name} {count}")))
        }
        Unit::Games => {
            format!("{}: {}", counted(total, "game"), each(&|name, count| format!("{count} {name}")))
        }
    }
}

/// The note on counts that seem to begin with the best result.
fn reversed(counts: &MatchCounts) -> String {
    format!(
        "The counts go from the worst result to the best: {}. If yours begin with the best, turn them round.",
        counts.unit().results().join(", ")
    )
}

fn show_match(command: &str, counts: MatchCounts, shown: &Shown) -> Result {
    let confidence = shown.level;
    let (points, elo) = (counts.score_interval(confidence), counts.elo(confidence));
    let normalized = counts.normalized_elo_interval(confidence);
    let content = object! {
        level: confidence.level(), counts, points, variance: counts.variance(), elo,
        elo_half_width: elo.half_width(),
        normalized_elo: counts.normalized_elo(), normalized_elo_interval: normalized,
        superiority: counts.superiority(), p: counts.p_value(), sign_test: counts.sign_test(),
    };
    let mut table = Table::new(&["<figure", ">value", ">±", ">level", ">low", ">high", "<method"]);
    let mut row = |figure: &str, digits: usize, [value, low, high]: [Option<f64>; 3], method: String| {
        let half = low.zip(high).map(|(low, high)| (high - low) / 2.0);
        let level = if half.or(low).or(high).is_some() { percent(confidence.level()) } else { "–".into() };
        let [value, half, low, high] = [value, half, low, high].map(|figure| maybe(figure, digits));
        table.row([figure.to_owned(), value, half, level, low, high, method]);
    };
    let all = |Estimate { value, low, high, .. }| [value, low, high].map(Some);
    row("points", 6, all(points), points.method.to_string());
    row("Elo", 2, [elo.value, elo.low, elo.high], format!("{}, mapped", elo.method));
    row(
        "normalised Elo",
        2,
        normalized.map_or([content.normalized_elo, None, None], all),
        normalized.map_or(Method::None, |estimate| estimate.method).to_string(),
    );
    let what = if counts.unit() == Unit::Games { "games" } else { "pairs" };
    let mut more = Table::new(&["<figure", ">value"]);
    more.row(["likelihood of superiority".to_owned(), maybe(content.superiority, 4)]);
    more.row(["p of ½, by the test of the interval".to_owned(), small(content.p)]);
    more.row([format!("p of the sign test, {what} won and lost"), small(content.sign_test)]);
    let mut notes = vec![format!("For a number of {what} that was fixed in advance. ± is half the width.")];
    if elo.value.is_none() || elo.half_width().is_none() {
        notes.insert(0, "A dash is a value that is not finite: Elo has a bound on one side only.".into());
    }
    if counts.unit() == Unit::Games && points.value < 0.5 {
        notes.push(reversed(&counts));
    }
    let document = Document(vec![heading(&counts).into(), table.into(), more.into(), Block::Text(notes)]);
    shown.output.show(command, content, document)
}

pub(super) fn test(arguments: &TestArguments) -> Result<(Hypotheses, Bounds)> {
    let hypotheses = Hypotheses::new(arguments.model, arguments.elo0, arguments.elo1)?;
    Ok((hypotheses, Bounds::new(arguments.alpha, arguments.beta)?))
}

pub(super) fn sprt(_registry: &Registry, arguments: &SprtArguments) -> Result {
    let (hypotheses, bounds) = test(&arguments.test)?;
    let counts = match_counts(&arguments.counts)?;
    let confidence = arguments.shown.level;
    let ratio = log_likelihood_ratio(hypotheses, &counts);
    let verdict = bounds.verdict(ratio);
    let naive_elo = match hypotheses.model() {
        EloModel::Logistic => counts.elo(confidence).value,
        EloModel::Normalized => counts.normalized_elo(),
    };
    let can_have_stopped = verdict != Verdict::Inconclusive && bounds.can_be_at(hypotheses, &counts);
    let median_unbiased_elo =
        estimate_after_sprt(hypotheses, bounds, &counts, verdict, confidence).filter(|_| can_have_stopped);
    let mut table = Table::new(&["<test", ">value"]);
    table.row(["log-likelihood ratio".to_owned(), decimals(ratio, 6)]);
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    table.row([format!("H0, Elo {elo0}, accepted at or below"), format!("{:.6}", bounds.lower)]);
    table.row([format!("H1, Elo {elo1}, accepted at or above"), format!("{:.6}", bounds.upper)]);
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
    let mut notes = vec![unit_note(hypotheses).to_owned()];
    if verdict != Verdict::Inconclusive && !can_have_stopped {
        let bound = if verdict == Verdict::AcceptH1 { bounds.upper } else { bounds.lower };
        notes.push(format!(
            "A test that looks after every result stops before these counts: whichever result is taken for the last one, the \
             ratio was beyond {bound:.2} before it. So there is no estimate after the test; give the counts at which it stopped."
        ));
    }
    if verdict == Verdict::AcceptH0 && log_likelihood_ratio(hypotheses, &counts.turned()) > 0.0 {
        notes.push(reversed(&counts));
    }
    let document =
        Document(vec![heading(&counts).into(), table.into(), estimates.into(), Block::Text(notes)]);
    let content = object! {
        hypotheses, bounds, counts, log_likelihood_ratio: ratio, verdict, level: confidence.level(),
        can_have_stopped,
        naive_elo, median_unbiased_elo,
    };
    arguments.shown.output.show("stats sprt", content, document)
}

pub(super) fn unit_note(hypotheses: Hypotheses) -> &'static str {
    match hypotheses.model() {
        EloModel::Logistic => "Elo is logistic.",
        EloModel::Normalized => "Elo is normalised.",
    }
}
