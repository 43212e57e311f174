//! The report of a training: how good its weights are, in games that it did not learn, and its learning curve.

use super::document::Block;
use super::numbers::{decimals, interval, with_thousands};
use super::table::Table;
use crate::experiment::TrainingSummary;

/// The largest number of rows of a learning curve, unless the report is whole.
const MOST: usize = 12;

/// The decimals of points.
const DIGITS: usize = 4;

/// The blocks of a training; the `whole` report shows every judgement.
pub(super) fn training(of: &TrainingSummary, whole: bool) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(format!("{} · {} · training", of.name, of.game))];
    let mut sentences = vec![format!(
        "{} weights of {} from {} games against {}.",
        with_thousands(of.weights),
        of.weights_of,
        with_thousands(of.learned.unwrap_or_default()),
        of.against.join(", ")
    )];
    if !of.complete {
        sentences
            .insert(0, format!("It has not ended: {} games are to be learned.", with_thousands(of.games)));
    }
    match of.curve.last() {
        Some(last) => sentences.push(format!(
            "It has {} {} points a game against the judge, in games that it did not learn.",
            decimals(last.points.value, DIGITS),
            interval(&last.points, DIGITS)
        )),
        None if of.judges.is_empty() => {
            sentences
                .push("Let an experiment test it, or name a `judge`: nothing says how good it is.".into());
        }
        None => {}
    }
    blocks.push(Block::Notes(sentences));
    blocks.extend(curve(of, whole));
    if let (Some(last), true) = (of.curve.last(), of.judges.len() > 1) {
        let mut table = Table::new(&["<judge", ">points", "<95 % interval", "?<met in training"]);
        for ((name, is_met), points) in of.judges.iter().zip(&last.against) {
            let met = if *is_met { "yes" } else { "no" };
            table.row([name.clone(), decimals(points.value, DIGITS), interval(points, DIGITS), met.into()]);
        }
        blocks.push(table.into());
    }
    let met = of.judges.iter().filter(|(_, is_met)| *is_met).map(|(name, _)| name.as_str());
    let met = met.collect::<Vec<_>>().join(", ");
    if !met.is_empty() {
        let note =
            format!("The training met {met} too, in other games: this is no result against strangers.");
        blocks.push(Block::Notes(vec![note]));
    }
    blocks
}

/// The learning curve, if it has more than one point.
fn curve(of: &TrainingSummary, whole: bool) -> Option<Block> {
    if of.curve.len() < 2 {
        return None;
    }
    let step = if whole { 1 } else { of.curve.len().div_ceil(MOST) };
    let mut table = Table::new(&[">games", ">points", "<95 % interval"]);
    // The last judgement is always shown.
    for point in of.curve.iter().rev().step_by(step).collect::<Vec<_>>().into_iter().rev() {
        let points = &point.points;
        table.row([with_thousands(point.games), decimals(points.value, DIGITS), interval(points, DIGITS)]);
    }
    Some(table.into())
}
