//! Many playouts of a policy from one position.
//!
//! A tally keeps integer sums, which do not depend on the number of threads and lanes.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Context, Derivation, Derive, Derived, Yields, count, game, measures, seed};
use crate::experiment::document::{PlacedError, Section};
use crate::game::options::text;
use crate::game::{Batch, Tally, divided};
use crate::players::{AnyGame, Registry};
use crate::rng::Stream;
use crate::validate::{Found, Sample};

const BATCH: u64 = 1 << 14;

// Counted for the first player.
measures! { Successes, Wins, Draws, Losses, Points, Payoff, Plies, }

struct Playouts {
    game: Arc<dyn AnyGame>,
    policy: String,
    from: String,
    count: u64,
    seed: u64,
    measure: Measure,
}

pub(super) fn read(section: &mut Section<'_>, _path: &Path, registry: &Registry) -> Derivation {
    let game = game(section, registry)?;
    let policy = section.get("policy", &text("a text", "uniform"))?;
    let from = section.get("from", &text("a text", ""))?;
    let count = section.get("playouts", &count(1 << 40))?;
    let seed = section.get("seed", &seed())?;
    let measure = Measure::read(section)?;
    let span = section.span.clone();
    section.finish()?;
    let facts = game.facts();
    let (min, max) = match measure {
        Measure::Successes => (0, 1),
        Measure::Payoff | Measure::Plies => (facts.min_payoff, facts.max_payoff),
        _ => (-1, 1),
    };
    if (facts.min_payoff, facts.max_payoff) != (min, max) {
        let message =
            format!("this measure needs payoffs from {min} to {max}, but those of {} differ", game.spec());
        return Err(PlacedError::new(span, message));
    }
    game.workload(&policy, &from).map_err(|reason| PlacedError::new(span, reason.to_string()))?;
    Ok(Box::new(Playouts { game, policy, from, count, seed, measure }))
}

impl Derive for Playouts {
    fn yields(&self) -> Yields {
        match self.measure {
            Measure::Successes | Measure::Wins | Measure::Draws | Measure::Losses => Yields::Rate,
            Measure::Points | Measure::Payoff | Measure::Plies => Yields::Mean,
        }
    }

    fn derive(&self, _context: &Context<'_>) -> Derived {
        let workload = self.game.workload(&self.policy, &self.from)?;
        let key = (Stream::new(self.seed) / "validate" / &*self.game.spec().to_string()).playout_key();
        let batch = |range: Range<u64>| Batch { key, first: range.start, count: range.end - range.start };
        let batches = || {
            (0..self.count.div_ceil(BATCH))
                .into_par_iter()
                .map(|index| batch(index * BATCH..((index + 1) * BATCH).min(self.count)))
        };
        let add = |mut sum: Tally, tally: Tally| {
            sum += tally;
            sum
        };
        if self.measure == Measure::Plies {
            // The length replaces the payoff, so that the tally has the sum of its squares.
            let tally = batches().map(|batch| {
                let mut tally = Tally::default();
                workload.lengths(batch).into_iter().for_each(|plies| tally.record(plies as i32, plies));
                tally
            });
            return Ok(Found::Mean(Sample::from(&divided(|| tally.reduce(Tally::default, add)))));
        }
        let played = batches().map(|batch| workload.playouts(batch));
        let tally = divided(|| played.reduce(Tally::default, add));
        let (trials, sum, decided) = (tally.playouts, tally.sum, tally.sum_squares as i64);
        let rate = |count: i64| Found::Rate { successes: count as u64, trials };
        Ok(match self.measure {
            Measure::Successes => rate(sum),
            // Payoffs are −1, 0 and 1: their sum is wins − losses, and the sum of their squares is wins + losses.
            Measure::Wins => rate(i64::midpoint(decided, sum)),
            Measure::Losses => rate((decided - sum) / 2),
            Measure::Draws => rate(trials as i64 - decided),
            Measure::Points => Found::Mean(Sample::from(&tally).scaled(0.5, 0.5)),
            Measure::Payoff | Measure::Plies => Found::Mean(Sample::from(&tally)),
        })
    }
}
