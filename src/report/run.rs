//! The report of a run: a table for each experiment.
//!
//! What stands to the right of `│` is of this machine and this run: times, and playouts a second. All the rest is
//! a function of the manifest, the same on every machine.

use std::fmt::Write as _;

use super::{Table, duration, interval_strip, rate, with_thousands};
use crate::experiment::{ExperimentSummary, PlayerSummary, Summary, Times};
use crate::stats::{Estimate, Method};

/// Below so many independent values the normal quantile is too small: by 4 % at 30, by 15 % at 10.
const FEW: u64 = 30;

/// The report of a run.
pub fn run_report(summary: &Summary, times: &Times) -> String {
    let mut parts = Vec::new();
    if let Some(question) = &summary.question {
        parts.push(format!("Question: {}", question.trim()));
    }
    if let Some(source) = &summary.source {
        parts.push(format!("Source: {}", source.trim()));
    }
    let head = parts.join("\n");
    let tables =
        summary.experiments.iter().enumerate().map(|(index, experiment)| table(experiment, index, times));
    let mut text: Vec<String> = (!head.is_empty()).then_some(head).into_iter().collect();
    text.extend(tables);
    text.push(legend(summary));
    text.join("\n\n")
}

fn table(experiment: &ExperimentSummary, index: usize, times: &Times) -> String {
    let with_score = experiment.score_unit != "points";
    let score_heading =
        format!(">{}{}", if experiment.paired { "margin, " } else { "" }, experiment.score_unit);
    let mut headings = vec!["<strategy"];
    headings.extend(if experiment.paired {
        [">pairs", ">won", ">drawn", ">lost", ">score"].as_slice()
    } else {
        [">deals", ">solved", ">success"].as_slice()
    });
    headings.extend(["<95 % interval", "<0    ½    1"]);
    if with_score {
        headings.extend([score_heading.as_str(), "<95 % interval"]);
    }
    headings.extend(["<│", ">move p50", ">p99", ">playouts/s"]);
    let mut table = Table::new(&headings);
    for (number, player) in experiment.players.iter().enumerate() {
        let mut row = vec![player.name.clone(), with_thousands(player.trials)];
        row.extend(counts(experiment, player));
        row.push(value(player, player.success.value, 3));
        row.push(interval(&player.success, 3));
        let Estimate { value: at, low, high, method } = player.success;
        row.push(if method == Method::None { String::new() } else { interval_strip(at, low, high, 11) });
        if with_score {
            row.push(value(player, player.score.value, 2));
            row.push(interval(&player.score, 2));
        }
        let time = |share| times.quantile_ns(index, number, share).map_or_else(|| "–".into(), duration);
        let playouts = times.playouts_per_s(index, number).map_or_else(|| "–".into(), rate);
        row.extend(["│".into(), time(0.5), time(0.99), playouts]);
        table.row(row);
    }
    let mut text = format!("{}\n\n{table}", title(experiment));
    if !experiment.complete {
        text.push_str("\nNot all trials are done: there are no intervals before.");
    }
    if experiment.distinct_games < experiment.games {
        let (distinct, games) = (with_thousands(experiment.distinct_games), with_thousands(experiment.games));
        let _ = write!(
            text,
            "\n{distinct} of {games} games are different; the others repeat one that the same players played."
        );
    }
    for (reason, count) in &experiment.failures {
        let _ = write!(text, "\n{} games failed: {reason}", with_thousands(*count));
    }
    text
}

fn title(experiment: &ExperimentSummary) -> String {
    let game =
        if experiment.name == experiment.game { String::new() } else { format!(" · {}", experiment.game) };
    let unit = match (experiment.paired, &experiment.openings) {
        (false, _) => "every strategy plays the same deals".into(),
        (true, None) => "a pair: two games, seats swapped".into(),
        (true, Some(openings)) => format!("a pair: two games from one opening {openings}, seats swapped"),
    };
    format!("{}{game} · {unit}", experiment.name)
}

fn counts(experiment: &ExperimentSummary, player: &PlayerSummary) -> Vec<String> {
    let [wins, draws, losses] = player.wins_draws_losses.map(with_thousands);
    if experiment.paired { vec![wins, draws, losses] } else { vec![wins] }
}

/// An estimate; nothing where there was no trial to estimate from.
fn value(player: &PlayerSummary, value: f64, digits: usize) -> String {
    if player.trials == 0 { "–".into() } else { format!("{value:.digits$}") }
}

/// An interval in brackets; marked where the method is not the table's usual one.
fn interval(estimate: &Estimate, digits: usize) -> String {
    match estimate.method {
        Method::None => "–".into(),
        method => {
            let mark = if method == Method::WilsonOnPairs { " w" } else { "" };
            format!("[{:.digits$}, {:.digits$}]{mark}", estimate.low, estimate.high)
        }
    }
}

/// What every interval is.
fn legend(summary: &Summary) -> String {
    let mut lines = vec![];
    let paired = summary.experiments.iter().any(|experiment| experiment.paired);
    let solo = summary.experiments.iter().any(|experiment| !experiment.paired);
    let marked = |player: &PlayerSummary| player.success.method == Method::WilsonOnPairs;
    if solo {
        lines.push("Success: 95 % Wilson interval. Mean score: normal 95 % interval over deals.");
    }
    if paired {
        lines.push("Score: points a game (win 1, draw ½); normal 95 % interval from the variance over openings of the mean pair score.");
    }
    if summary.experiments.iter().flat_map(|experiment| &experiment.players).any(marked) {
        lines.push("w: all pair scores were equal; Wilson 95 % interval with n = openings.");
    }
    let few = |player: &PlayerSummary| player.score.method == Method::Normal && player.instances < FEW;
    if summary.experiments.iter().flat_map(|experiment| &experiment.players).any(few) {
        lines.push("Normal intervals from fewer than 30 deals or openings are too narrow: play more.");
    }
    lines.push("Intervals hold for the number of trials that was fixed before. Right of │: this machine and this run only.");
    lines.join("\n")
}
