//! The last screen of a run: of each experiment the verdict and one table.
//!
//! Everything else is in the whole report. Showing all of it was rejected: the answer scrolled away.

use super::document::{Block, Document};
use super::measure::{Measure, results_strip};
use super::numbers::{WIDEST_DURATION, count, counted, duration, elo_words, with_thousands};
use super::optimisation::optimisation;
use super::page::Tone;
use super::run::{engines, notes};
use super::table::{Table, column, estimate, number, when};
use super::tables::{published_verdicts, totals};
use super::training::trainings;
use super::verdict::verdict;
use super::warnings::notes_of_this_run;
use crate::experiment::{ExperimentSummary, PlayerSummary, RunFacts, Summary};
use crate::stats::{EloInterval, Estimate, Method};

/// The largest number of players of a table; of more, the best.
const MOST: usize = 12;

/// The answer of a run to its question. With the facts of the run it shows times, and warns if they are distorted.
pub fn answer_report(summary: &Summary, timed: Option<&RunFacts>) -> Document {
    let mut blocks = Vec::new();
    if let Some(question) = &summary.question {
        blocks.push(question.trim().into());
    }
    blocks.extend(trainings(&summary.trainings, false).flatten());
    for found in &summary.optimisations {
        blocks.extend(optimisation(found, false));
    }
    for experiment in &summary.experiments {
        blocks.push(Block::Heading(title(experiment)));
        blocks.push(Block::Notes(
            verdict(experiment).into_iter().chain(published_verdicts(experiment)).collect(),
        ));
        let order = shown(experiment);
        blocks.push(Block::Table(table(experiment, &order, timed.is_some())));
        blocks.extend(totals(experiment));
        let mut notes = notes(experiment, experiment.scored);
        notes.splice(0..0, marks(&order).chain(games(experiment)));
        let left_out = experiment.players.len() - order.len();
        if left_out > 0 {
            notes.insert(0, format!("The best {MOST} of {} players.", MOST + left_out));
        }
        blocks.push(Block::Notes(notes));
    }
    let notes = timed.map(|facts| [engines(facts), notes_of_this_run(summary, facts)].concat());
    blocks.push(Block::OfThisRun(vec![Block::Notes(notes.unwrap_or_default())]));
    Document(blocks)
}

fn title(experiment: &ExperimentSummary) -> String {
    let mut parts = vec![experiment.name.clone()];
    parts.extend((experiment.name != experiment.game).then(|| experiment.game.clone()));
    parts.extend(experiment.paired.then(|| experiment.design.clone()));
    if let Some(trials) = same_trials(experiment) {
        let each = if experiment.design == "round-robin" { " each" } else { "" };
        parts.push(counted(trials, if experiment.paired { "pair" } else { "deal" }) + each);
    }
    parts.join(" · ")
}

fn same_trials(experiment: &ExperimentSummary) -> Option<u64> {
    let first = experiment.players.first()?.trials;
    experiment.players.iter().all(|player| player.trials == first).then_some(first)
}

/// The games and the Elo difference of the only meeting, from the view of the better player.
fn games(experiment: &ExperimentSummary) -> Option<String> {
    let [meeting] = &experiment.meetings[..] else { return None };
    let mut points = meeting.points;
    let [mut won, drawn, mut lost] = meeting.wins_draws_losses;
    let mut name = &meeting.first;
    if points.value < 0.5 {
        let Estimate { value, low, high, .. } = points;
        points = Estimate { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low, ..points };
        (name, won, lost) = (&meeting.second, lost, won);
    }
    let [won, drawn, lost] = [won, drawn, lost].map(with_thousands);
    let elo = EloInterval::of_score(points);
    // Stopping biases the estimate; the verdict of an SPRT has an unbiased one.
    let is_shown = elo.value.is_some() && experiment.stopping.is_none() && points.method != Method::None;
    let elo =
        if is_shown { format!("; Elo difference {}", elo_words(&elo).join(" ")) } else { String::new() };
    Some(format!("{name}: {won} won, {drawn} drawn, {lost} lost{elo}."))
}

fn marks(players: &[&PlayerSummary]) -> impl Iterator<Item = String> {
    let any = |methods: &[Method]| players.iter().any(|player| methods.contains(&player.result().method));
    let exact = any(&[Method::ExactOnPairs]).then_some("x: all pairs had equal points; exact interval.");
    let anytime = any(&[Method::BetaBinomial, Method::Betting])
        .then_some("a: anytime-valid interval, which holds whenever the games are stopped.");
    [exact, anytime].into_iter().flatten().map(String::from)
}

/// The players to show: all in their order, or the best of too many.
fn shown(experiment: &ExperimentSummary) -> Vec<&PlayerSummary> {
    let mut players: Vec<&PlayerSummary> = experiment.players.iter().collect();
    if players.len() > MOST {
        players.sort_by(|a, b| b.result().value.total_cmp(&a.result().value));
        players.truncate(MOST);
    }
    players
}

fn table(experiment: &ExperimentSummary, players: &[&PlayerSummary], has_times: bool) -> Table {
    let (trials, measure) = (if experiment.paired { "?>pairs" } else { "?>deals" }, Measure::of(experiment));
    let result = if experiment.paired { ">points a game".into() } else { format!(">{}", measure.title()) };
    let digits = measure.digits();
    let has_intervals = players.iter().any(|player| player.result().method != Method::None);
    let value = |player: &&PlayerSummary| (player.trials > 0).then(|| player.result());
    let moves = |player: &PlayerSummary| player.moves.max(1) as f64;
    let cost = |total: u64, player: &PlayerSummary| count(total as f64 / moves(player));
    // The clock and the processor say the same where nothing depends on them.
    let is_timed = experiment.is_timed();
    let heading = if is_timed { "?<│ time a move (CPU)" } else { "?<│ time a move" };
    let times = |player: &PlayerSummary| {
        let [wall, cpu] = [player.wall_ns, player.cpu_ns].map(|ns| duration((ns / moves(player)) as u64));
        // Of one width, so that no layout depends on a time.
        if is_timed {
            format!("│ {:<1$}", format!("{wall} ({cpu})"), 2 * WIDEST_DURATION + 3)
        } else {
            format!("│ {wall:<WIDEST_DURATION$}")
        }
    };
    let mut table = Table::of(
        players,
        [
            column("<player", &|player| player.name.clone()),
            when(same_trials(experiment).is_none(), column(trials, &|player| with_thousands(player.trials))),
            when(!has_intervals, number(&result, digits, &|player| Some(value(player)?.value))),
            when(has_intervals, estimate(&result, digits, &value)),
            when(has_intervals, results_strip(experiment, &|player: &&PlayerSummary| player.result())),
            when(
                players.iter().any(|player| player.playouts > 0),
                column("?>playouts", &|player| cost(player.playouts, player)),
            ),
            column(">positions a move", &|player| cost(player.plies + player.nodes, player)),
            when(has_times, column(heading, &|player| times(player))),
        ],
    );
    let best = players.iter().map(|player| player.result().value).fold(f64::NEG_INFINITY, f64::max);
    let has_best = experiment.complete && players.len() > 1;
    table.paint(Tone::Best, |row| has_best && players[row].result().value == best);
    table
}
