//! The report of a training: how good its weights are, in games that it did not learn, and its learning curve.

use super::caution::{Caution, lines};
use super::document::Block;
use super::numbers::{counted, decimals, interval, with_thousands};
use super::optimisation::time;
use super::table::{Table, column, columns, estimate, number};
use crate::experiment::{
    NetworkErrors, RaceSummary, SETS, SetOfSeeds, Took, TrainingPoint, TrainingSetting, TrainingSummary,
    WarningKind,
};
use crate::stats::{Confidence, Estimate, difference_of};

/// The largest number of rows of a learning curve, unless the report is whole.
const MOST: usize = 12;

const DIGITS: usize = 4;

/// The blocks of each training; those of a sweep are shown together. The `whole` report shows every judgement.
pub(super) fn trainings(all: &[TrainingSummary], whole: bool) -> impl Iterator<Item = Vec<Block>> {
    in_sweeps(all).map(move |group| match group {
        [one] => training(one, whole),
        several => sweep(&several.iter().collect::<Vec<_>>(), whole),
    })
}

pub(super) fn in_sweeps(all: &[TrainingSummary]) -> impl Iterator<Item = &[TrainingSummary]> {
    all.chunk_by(|a, b| a.swept_from.is_some() && a.swept_from == b.swept_from)
}

fn sweep(of: &[&TrainingSummary], whole: bool) -> Vec<Block> {
    let name = of[0].swept_from.as_deref().unwrap_or_default();
    let heading = format!("{name} · {} · {} trainings", of[0].game, with_thousands(of.len() as u64));
    let settings = TrainingSetting::all(of);
    let sets: Vec<_> =
        settings.iter().flat_map(|of| of.sets.iter().map(move |set| (&of.name, set))).collect();
    let errors = Table::of(
        &sets,
        [
            column("<setting", &|(name, _)| (*name).clone()),
            column("<samples", &|(_, (set, _))| *set),
            columns([">squared error", "<95 % interval"], &|(_, (_, SetOfSeeds { squared, .. }))| {
                let digits = digits(squared.value);
                Some([significant(squared.value).into(), interval(squared, digits).into()])
            }),
            column(">range", &|(_, (_, of))| of.range.map(significant).join("–")),
            column(">absolute error", &|(_, (_, of))| significant(of.absolute)),
        ],
    );
    let judged: Vec<&TrainingSetting> = settings.iter().filter(|of| of.judge.is_some()).collect();
    let judged = Table::of(
        &judged,
        [column("<setting", &|of| of.name.clone()), estimate(">points", DIGITS, &|of| of.judge)],
    );
    let ended = settings.iter().map(|setting| format!("{} of {}", setting.ended, setting.of));
    let ended: Vec<String> = ended.collect();
    let note = format!(
        "Trainings that have ended: {}. Means over them, with Student's interval: each is one observation.",
        ended.join(", ")
    );
    let notes = [note].into_iter().chain(lines(of_each_kind(of.iter().copied())));
    let mut blocks = vec![Block::Heading(heading), Block::Notes(notes.collect())];
    blocks.extend((!errors.is_empty()).then(|| errors.into()));
    blocks.extend((!judged.is_empty()).then(|| judged.into()));
    if whole {
        blocks.push(each(of).into());
    }
    blocks.extend(time(sum(of), unit(of[0]), whole));
    blocks
}

/// A row for each training of a sweep: its held-out errors and its points.
fn each(of: &[&TrainingSummary]) -> Table {
    Table::of(
        of,
        [
            column("<training", &|of| of.name.clone()),
            columns(["?>epoch"], &|of| Some([of.errors.as_ref()?.epoch.to_string().into()])),
            columns([">squared error", ">absolute error"], &|of| {
                let errors = of.errors.as_ref()?.held_out?;
                Some([errors.squared, errors.absolute].map(|error| significant(error).into()))
            }),
            number("?>points", DIGITS, &|of| Some(of.curve.last()?.points.value)),
        ],
    )
}

/// The time of trainings together, if it was recorded of each.
fn sum(of: &[&TrainingSummary]) -> Option<Took> {
    of.iter().map(|of| of.took).try_fold(Took::default(), |mut sum, took| {
        sum += took?;
        Some(sum)
    })
}

fn training(of: &TrainingSummary, whole: bool) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(format!("{} · {} · training", of.name, of.game))];
    let from = of.against.join(", ");
    let learned = with_thousands(of.learned.unwrap_or_default());
    let source = match (of.epochs, &of.errors) {
        (None, _) if of.against.is_empty() => format!("from {learned} deals"),
        (None, _) => format!("from {learned} games against {from}"),
        (Some(_), Some(errors)) => {
            let skipped = match errors.skipped {
                0 => String::new(),
                skipped => format!(", {} skipped", with_thousands(skipped)),
            };
            format!("from {learned} epochs over {} games of {from}{skipped}", with_thousands(errors.games))
        }
        (Some(_), None) => format!("from {learned} epochs over games of {from}"),
    };
    let mut sentences =
        vec![format!("{} weights of {} {source}.", with_thousands(of.weights), of.weights_of)];
    if !of.complete {
        let (count, unit) = match of.epochs {
            Some(epochs) => (epochs, "epochs"),
            None if of.against.is_empty() => (of.games, "deals"),
            None => (of.games, "games"),
        };
        let words = format!("It has not ended: {} {unit} are to be learned.", with_thousands(count));
        sentences.insert(0, words);
    }
    sentences.extend(of.race.as_ref().and_then(race));
    match of.curve.last() {
        Some(last) => {
            let judges: Vec<_> = of.judges.iter().map(|(name, _)| name.as_str()).collect();
            let noun = if judges.len() == 1 { "judge" } else { "judges" };
            sentences.push(format!(
                "It has {} {} points a game against the {noun} {}, in games that it did not learn.",
                decimals(last.points.value, DIGITS),
                interval(&last.points, DIGITS),
                judges.join(", ")
            ));
        }
        None if of.judges.is_empty() && of.errors.is_none() => {
            sentences
                .push("Let an experiment test it, or name a `judge`: nothing says how good it is.".into());
        }
        None => {}
    }
    sentences.extend(lines(of_curve(of)));
    blocks.push(Block::Notes(sentences));
    blocks.extend(raced(of, whole));
    blocks.extend(of.errors.as_ref().into_iter().flat_map(errors));
    blocks.extend(curve(of, whole));
    if let (Some(last), true) = (of.curve.last(), of.judges.len() > 1) {
        let judges: Vec<_> = of.judges.iter().zip(&last.against).collect();
        let table = Table::of(
            &judges,
            [
                column("<judge", &|((name, _), _)| name.clone()),
                estimate(">points", DIGITS, &|(_, points)| Some(**points)),
                column("?<met in training", &|((_, is_met), _)| if *is_met { "yes" } else { "no" }),
            ],
        );
        blocks.push(table.into());
    }
    let met = of.judges.iter().filter(|(_, is_met)| *is_met).map(|(name, _)| name.as_str());
    let met = met.collect::<Vec<_>>().join(", ");
    if !met.is_empty() {
        let note =
            format!("The training met {met} too, in other games: this is no result against strangers.");
        blocks.push(Block::Notes(vec![note]));
    }
    blocks.extend(time(of.took, unit(of), whole));
    blocks
}

/// The result of a race, in a sentence.
fn race(of: &RaceSummary) -> Option<String> {
    let points = |points: &Estimate| decimals(points.value, DIGITS);
    let (best, of_best) = of.candidates.first()?;
    let second = of.candidates.get(1).map(|(name, of)| format!(" Next was {name}, with {}.", points(of)));
    Some(format!(
        "A race chose the settings that were left out: {} learned {} games each and met the others, and {best} had most, {} points \
         a game.{}",
        counted(of.candidates.len() as u64, "candidate"),
        with_thousands(of.games),
        points(of_best),
        second.unwrap_or_default()
    ))
}

/// All candidates of a race, in the whole report.
fn raced(of: &TrainingSummary, whole: bool) -> Option<Block> {
    let race = of.race.as_ref().filter(|_| whole)?;
    let table = Table::of(
        &race.candidates,
        [
            column("<candidate", &|(name, _)| name.clone()),
            estimate(">points against the others", DIGITS, &|(_, points)| Some(*points)),
        ],
    );
    Some(table.into())
}

/// Signs in its curve that a training went wrong.
fn of_curve(of: &TrainingSummary) -> Vec<Caution> {
    let Some((last, before)) = of.curve.split_last().filter(|_| of.complete) else { return Vec::new() };
    let mut cautions = Vec::new();
    let is_no_better = |start: &&TrainingPoint| difference_of(&last.points, &start.points).low <= 0.0;
    if let Some(start) = before.first().filter(|start| start.games == 0).filter(is_no_better) {
        let advice = match (&of.race, &of.squares) {
            (Some(_), _) => "let it learn more games, or write longer `shapes`",
            (None, Some(_)) => {
                "if it learned enough games, `seen`, `step` or `shapes` do not fit the game, and a training that leaves out all \
                 three tries some"
            }
            (None, None) => "let it learn more games, or take other layers or another `step`",
        };
        let points = decimals(start.points.value, DIGITS);
        let words =
            format!("it is not shown to be better than the start, which had {points} points; {advice}.");
        cautions.push(Caution::new(WarningKind::NoBetterThanStart, words));
    }
    if let Some(best) = best_if_worse(before, last) {
        let advice = match of.epochs {
            Some(_) => "take fewer `epochs`",
            None => "take a smaller `step` or `last-step`, or fewer games",
        };
        let words = format!(
            "it had {} points after {} {}s and is worse at the end; {advice}.",
            decimals(best.points.value, DIGITS),
            with_thousands(best.games),
            unit(of)
        );
        cautions.push(Caution::new(WarningKind::WorseThanEarlier, words));
    }
    cautions
}

/// The best point of a curve if the last one is worse. The best is chosen among all, so by Bonferroni each comparison has the
/// level 1 − .05/n: the interval of the difference is as much wider as the normal quantile.
fn best_if_worse<'c>(before: &'c [TrainingPoint], last: &TrainingPoint) -> Option<&'c TrainingPoint> {
    let level = 1.0 - Confidence::default_level().alpha() / before.len().max(1) as f64;
    let wider = Confidence::new(level).z() / Confidence::default_level().z();
    let most = |one: &&TrainingPoint, other: &&TrainingPoint| one.points.value.total_cmp(&other.points.value);
    before.iter().max_by(most).filter(|best| {
        let lost = difference_of(&best.points, &last.points);
        lost.value > wider * (lost.value - lost.low)
    })
}

/// The unit of what is learned.
const fn unit(of: &TrainingSummary) -> &'static str {
    if of.epochs.is_some() {
        "epoch"
    } else if of.against.is_empty() {
        "deal"
    } else {
        "game"
    }
}

/// The learning curve, if it has more than one point.
fn curve(of: &TrainingSummary, whole: bool) -> Option<Block> {
    if of.curve.len() < 2 {
        return None;
    }
    let step = if whole { 1 } else { of.curve.len().div_ceil(MOST) };
    let done = if of.epochs.is_some() { ">epochs" } else { ">games" };
    // The last judgement is always shown.
    let mut points: Vec<_> = of.curve.iter().rev().step_by(step).collect();
    points.reverse();
    let table = Table::of(
        &points,
        [
            column(done, &|point| with_thousands(point.games)),
            estimate(">points", DIGITS, &|point| Some(point.points)),
        ],
    );
    Some(table.into())
}

/// The warnings of trainings; of a sweep one of each kind.
pub(super) fn cautions(all: &[TrainingSummary]) -> impl Iterator<Item = Caution> {
    in_sweeps(all).flat_map(|group| of_each_kind(group.iter()))
}

fn of_each_kind<'s>(group: impl Iterator<Item = &'s TrainingSummary>) -> Vec<Caution> {
    let mut found: Vec<Caution> = Vec::new();
    for caution in group.flat_map(of_training) {
        if found.iter().all(|known| known.kind != caution.kind) {
            found.push(caution);
        }
    }
    found
}

fn of_training(of: &TrainingSummary) -> impl Iterator<Item = Caution> {
    of.errors.as_ref().and_then(shared).into_iter().chain(of_curve(of))
}

fn shared(of: &NetworkErrors) -> Option<Caution> {
    let words = "the samples were split one by one, so games that trained are also held out: the held-out error is too small; \
                 split by game.";
    (of.split == "sample").then(|| Caution::new(WarningKind::SharedGames, words))
}

fn errors(of: &NetworkErrors) -> Vec<Block> {
    let mut table = Table::new(&["<samples", ">number", ">squared error", ">absolute error", "?>loss"]);
    for (name, set) in SETS {
        let Some(set) = set(of) else { continue };
        let [loss, squared, absolute] = [set.loss, set.squared, set.absolute].map(significant);
        table.row([name.into(), with_thousands(set.samples as u64), squared, absolute, loss]);
    }
    let mut notes = vec![format!("The result is that of epoch {}.", with_thousands(of.epoch.into()))];
    notes.extend(lines(shared(of)));
    vec![table.into(), Block::Notes(notes)]
}

/// An error with four significant digits.
fn significant(number: f64) -> String {
    decimals(number, digits(number))
}

fn digits(number: f64) -> usize {
    if number > 0.0 { (3.0 - number.log10().floor()).clamp(0.0, 12.0) as usize } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::MatchCounts;

    /// A point of 50 pairs with this chance to win a game, drawn by SplitMix64.
    fn point(seed: u64, percent: u64) -> TrainingPoint {
        let (mut state, mut pairs) = (seed << 32, [0; 5]);
        for _ in 0..50 {
            let mut won = || {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                usize::from((mixed ^ mixed >> 31) % 100 < percent)
            };
            pairs[2 * (won() + won())] += 1;
        }
        let points = MatchCounts::pairs(pairs).score_interval(Confidence::default_level());
        TrainingPoint { games: 1, points, against: Vec::new() }
    }

    /// The best of many points is above the last by chance alone. A fall is found nevertheless.
    #[test]
    fn a_flat_curve_is_seldom_worse_at_the_end() {
        const CURVES: u64 = 400;
        let fires = |last: u64| {
            let is_worse = |curve: &u64| {
                let before: Vec<_> = (1..=100).map(|number| point(1000 * curve + number, 70)).collect();
                best_if_worse(&before, &point(1000 * curve, last)).is_some()
            };
            (0..CURVES).filter(is_worse).count()
        };
        let (flat, fallen) = (fires(70), fires(30));
        assert!(flat <= 20 && fallen == CURVES as usize, "{flat} {fallen}");
        assert!(best_if_worse(&[], &point(1, 70)).is_none());
    }
}
