//! An experiment as in a manifest, played and measured for one of its players; or a tournament, whose mean points of each player are
//! compared with published ones.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use toml::de::DeValue;

use super::{Context, Derivation, Derive, Derived, Yields, measures};
use crate::experiment::document::{PlacedError, Section, Value as Written, text};
use crate::experiment::{Finished, Pace, Plan, Record, Sink, player_named, read_single_experiment, run};
use crate::players::Registry;
use crate::stats::{Moments, PairedCounts};
use crate::validate::{Found, Sample, Value};

/// The number of trials that share SIMD lanes on a thread.
const LOCK_STEP: usize = 16;

measures! {
    Success,
    Points,
    Margin,
    /// The games won of a pair.
    Wins,
    /// The games of a pair after which the sum of the margins is above 0: source N counted them as won.
    WinsBySum,
}

struct Play {
    plan: Plan,
    measure: Measure,
    player: usize,
    /// The player whose successes on the same deals are subtracted.
    less: Option<usize>,
}

pub(super) fn read(section: &mut Section<'_>, path: &Path, registry: &Registry) -> Derivation {
    let experiment_value = section.require("experiment", "experiment.game = \"calculation\"")?;
    let manifest = match read_single_experiment(experiment_value, path, registry)? {
        Ok(manifest) => manifest,
        Err(reason) => return Ok(Box::new(Unplayable { reason, yields: measured(section)? })),
    };
    let plan = Plan::resolve(&manifest)?;
    let experiment = plan.experiment(0);
    let mut named = |key| {
        let named = |value: &Written<'_>| player_named(&text(key, value)?, value.span(), &experiment.players);
        section.take(key).map(named).transpose()
    };
    let (player, less) = (named("player")?, named("less")?);
    let measure = Measure::read(section)?;
    let span = section.span.clone();
    section.finish()?;
    if (measure == Measure::Success) != (experiment.game.facts().players == 1) && measure != Measure::Margin {
        let message = "the measure must be `success` or `margin` for a solitaire, and not `success` for a two-player game";
        return Err(PlacedError::new(span, message));
    }
    if less.is_some() && measure != Measure::Success {
        return Err(PlacedError::new(
            span,
            "`less` compares successes on the same deals; write measure = \"success\"",
        ));
    }
    if experiment.game.facts().players == 2 && experiment.players.len() != 2 {
        let message = "a two-player game needs exactly two players here, because pairs with the same opening are not independent";
        return Err(PlacedError::new(span, message));
    }
    if experiment.stopping.is_some() {
        return Err(PlacedError::new(span, "the number of trials must be fixed; remove `stopping`"));
    }
    Ok(Box::new(Play { plan, measure, player: player.unwrap_or(0), less }))
}

/// The yield of an experiment that cannot be played on this machine.
fn measured(section: &mut Section<'_>) -> Result<Yields, PlacedError> {
    section.take("player");
    let less = section.take("less").is_some();
    let measure = Measure::read(section)?;
    section.finish()?;
    Ok(yields(measure, less))
}

const fn yields(measure: Measure, less: bool) -> Yields {
    match (measure, less) {
        (_, true) => Yields::Paired,
        (Measure::Success, false) => Yields::Rate,
        _ => Yields::Mean,
    }
}

/// An experiment that cannot be played on this machine.
struct Unplayable {
    reason: String,
    yields: Yields,
}

impl Derive for Unplayable {
    fn yields(&self) -> Yields {
        self.yields
    }

    fn derive(&self, _context: &Context<'_>) -> Derived {
        Ok(Found::Missing(self.reason.clone()))
    }
}

#[derive(Default)]
struct Records(Vec<Record>);

/// The records of all trials of a plan, in its order, unless a game failed.
fn play_all(plan: &Plan, context: &Context<'_>) -> Derived<Vec<Record>> {
    let mut records = Records::default();
    let pace = Pace { threads: context.threads, lock_step: LOCK_STEP };
    run(plan, pace, &|_| true, &AtomicBool::new(false), None, &mut [&mut records])?;
    let mut records = records.0;
    records.sort_by_key(|record| record.trial);
    let failed = records.iter().flat_map(|record| &record.games).find_map(|game| game.result.as_ref().err());
    match failed {
        Some(reason) => Err(format!("a game failed: {reason}").into()),
        None => Ok(records),
    }
}

impl Sink for Records {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        self.0.extend(finished.records.iter().cloned());
        Ok(())
    }
}

impl Derive for Play {
    fn yields(&self) -> Yields {
        yields(self.measure, self.less.is_some())
    }

    fn derive(&self, context: &Context<'_>) -> Derived {
        let records = play_all(&self.plan, context)?;
        let results = |player: usize| records.iter().filter_map(move |record| record.result_of(player));
        // At least half a point; a won solitaire has a whole point.
        let solved = |player: usize| results(player).map(|(share, _)| share > 0.5);
        Ok(match (self.measure, self.less) {
            (_, Some(less)) => {
                let mut counts = PairedCounts::default();
                solved(self.player).zip(solved(less)).for_each(|(first, second)| counts.push(first, second));
                Found::Paired(counts)
            }
            (Measure::Success, None) => Found::Rate {
                successes: solved(self.player).filter(|&solved| solved).count() as u64,
                trials: results(self.player).count() as u64,
            },
            (Measure::Points, None) => mean(results(self.player).map(|(share, _)| share)),
            (Measure::Margin, None) => mean(results(self.player).map(|(_, margin)| margin)),
            (Measure::Wins, None) => mean(records.iter().map(|record| won(record, self.player, false))),
            (Measure::WinsBySum, None) => mean(records.iter().map(|record| won(record, self.player, true))),
        })
    }
}

/// How many games of a pair a player won, or after how many the sum of its margins is above 0. It moves first in the first one.
fn won(record: &Record, player: usize, by_sum: bool) -> f64 {
    let mut games: Vec<(bool, i32)> = record
        .games
        .iter()
        .filter_map(|game| {
            let is_first = game.seats.first()?.player == player;
            let margin = game.result.as_ref().ok()?.1;
            Some((is_first, if is_first { margin } else { -margin }))
        })
        .collect();
    games.sort_by_key(|(is_first, _)| !is_first);
    let mut before = 0;
    let is_won = |&(_, margin): &(bool, i32)| {
        before = if by_sum { before } else { 0 } + margin;
        before > 0
    };
    f64::from(
        u8::try_from(games.iter().map(is_won).filter(|won| *won).count()).expect("a pair has two games"),
    )
}

fn mean(values: impl Iterator<Item = f64>) -> Found {
    Found::Mean(Sample::from(&values.collect::<Moments>()))
}

/// A tournament, and the published mean points of some of its players.
struct Tournament {
    plan: Plan,
    published: Vec<(usize, f64)>,
}

pub(super) fn read_tournament(section: &mut Section<'_>, path: &Path, registry: &Registry) -> Derivation {
    let experiment_value = section.require("experiment", "experiment.game = \"othello\"")?;
    let points = section.require("points", "points = { random = 0.2 }")?;
    section.finish()?;
    let manifest = match read_single_experiment(experiment_value, path, registry)? {
        Ok(manifest) => manifest,
        Err(reason) => return Ok(Box::new(Unplayable { reason, yields: Yields::Exact })),
    };
    let plan = Plan::resolve(&manifest)?;
    let DeValue::Table(table) = points.get_ref() else {
        return Err(PlacedError::new(points.span(), "`points` must be a table of players and mean points"));
    };
    let mut published = Vec::new();
    for (name, value) in table {
        let player = player_named(name.get_ref(), name.span(), &plan.experiment(0).players)?;
        let DeValue::Float(number) = value.get_ref() else {
            return Err(PlacedError::new(value.span(), "mean points are a number such as 0.816"));
        };
        let number = number.as_str().parse();
        published.push((player, number.map_err(|_| PlacedError::new(value.span(), "this is no number"))?));
    }
    Ok(Box::new(Tournament { plan, published }))
}

impl Derive for Tournament {
    /// For each published player the mean points less the published ones, in thousandths. A player does not meet itself
    /// in another form, which has its name and more.
    fn derive(&self, context: &Context<'_>) -> Derived {
        let records = play_all(&self.plan, context)?;
        let players = &self.plan.experiment(0).players;
        let difference = |&(player, published): &(usize, f64)| {
            let name = &players[player].name;
            let (mut sum, mut count) = (0.0, 0_u32);
            for record in &records {
                let seats = record.games.iter().flat_map(|game| &game.seats).map(|seat| seat.player);
                let other = seats.clone().find(|&other| other != player);
                let is_other = |other: usize| !players[other].name.starts_with(&format!("{name} "));
                if seats.clone().any(|seat| seat == player)
                    && other.is_some_and(is_other)
                    && let Some((points, _)) = record.result_of(player)
                {
                    sum += points;
                    count += 1;
                }
            }
            Value::Real((1e6 * (sum / f64::from(count) - published)).round() / 1e3)
        };
        Ok(Found::Exact(self.published.iter().map(difference).collect()))
    }
}
