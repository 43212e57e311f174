//! The last screen of a run: of each experiment the verdict and one table.
//!
//! Everything else is in the whole report. Showing all of it was rejected: the answer scrolled away.

use super::document::{Block, Document};
use super::numbers::{count, decimals, duration, interval, interval_strip};
use super::page::Tone;
use super::run::{notes, warnings};
use super::table::Table;
use super::verdict::verdict;
use crate::experiment::{ExperimentSummary, PlayerSummary, RunFacts, Summary};
use crate::stats::{Estimate, Method};

/// The largest number of strategies of a table; of more, the best.
const MOST: usize = 12;

/// The answer of a run to its question. With the facts of the run it shows times, and warns of what distorts them.
pub fn answer_report(summary: &Summary, timed: Option<&RunFacts>) -> Document {
    let mut blocks = Vec::new();
    if let Some(question) = &summary.question {
        blocks.push(question.trim().into());
    }
    for experiment in &summary.experiments {
        blocks.push(Block::Heading(title(experiment)));
        let sentences = verdict(experiment);
        if !sentences.is_empty() {
            blocks.push(Block::Notes(sentences));
        }
        let order = shown(experiment);
        blocks.push(Block::Table(table(experiment, &order, timed.is_some())));
        let mut notes = notes(experiment);
        let left_out = experiment.players.len() - order.len();
        if left_out > 0 {
            notes.insert(0, format!("The best {MOST} of {} strategies.", MOST + left_out));
        }
        if !notes.is_empty() {
            blocks.push(Block::Notes(notes));
        }
    }
    let warnings = timed.map(warnings).unwrap_or_default();
    if !warnings.is_empty() {
        blocks.push(Block::OfThisRun(vec![Block::Notes(warnings)]));
    }
    Document(blocks)
}

fn title(experiment: &ExperimentSummary) -> String {
    let mut parts = vec![experiment.name.as_str()];
    parts.extend((experiment.name != experiment.game).then_some(experiment.game.as_str()));
    parts.extend(experiment.paired.then_some(experiment.design.as_str()));
    parts.join(" · ")
}

/// The strategies to show: all in their order, or the best of too many.
fn shown(experiment: &ExperimentSummary) -> Vec<&PlayerSummary> {
    let mut players: Vec<&PlayerSummary> = experiment.players.iter().collect();
    if players.len() > MOST {
        players.sort_by(|a, b| b.result().value.total_cmp(&a.result().value));
        players.truncate(MOST);
    }
    players
}

fn table(experiment: &ExperimentSummary, players: &[&PlayerSummary], has_times: bool) -> Table {
    let (trials, result) =
        if experiment.paired { ("?>pairs", ">points a game") } else { ("?>deals", ">success") };
    let mut headings =
        vec!["<strategy", trials, result, "<95 % interval", "<0    ½    1", ">positions a move"];
    if has_times {
        headings.push("?<│ time a move");
    }
    let mut table = Table::new(&headings);
    let best = players.iter().map(|player| player.result().value).fold(f64::NEG_INFINITY, f64::max);
    for player in players {
        let estimate = player.result();
        let Estimate { value, low, high, method } = estimate;
        let moves = player.moves.max(1) as f64;
        let known = player.trials > 0;
        let mut row = vec![
            player.name.clone(),
            super::numbers::with_thousands(player.trials),
            if known { decimals(value, 3) } else { "–".into() },
            interval(&estimate, 3),
            if method == Method::None { String::new() } else { interval_strip(value, low, high, 11) },
            count((player.plies + player.nodes) as f64 / moves),
        ];
        if has_times {
            row.push(format!("│ {}", duration((player.wall_ns / moves) as u64)));
        }
        let is_best = experiment.complete && players.len() > 1 && value == best;
        table.toned_row(if is_best { Tone::Best } else { Tone::Plain }, row);
    }
    table
}
