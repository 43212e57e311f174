//! An experiment, as a manifest writes one, played and measured for one of its players.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::{Context, Derive, Yields, choice};
use crate::experiment::document::{Blame, Section, Value as Written};
use crate::experiment::{
    Finished, Manifest, Pace, Plan, Record, Sink, player_named, read_single_experiment, run,
};
use crate::players::Registry;
use crate::stats::{Moments, PairedCounts};
use crate::validate::{Found, Sample};

/// So many trials share vector lanes on a thread.
const LOCK_STEP: usize = 16;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Success,
    Points,
    Score,
}

const MEASURES: [(&str, Measure); 3] =
    [("success", Measure::Success), ("points", Measure::Points), ("score", Measure::Score)];

struct Play {
    manifest: Manifest,
    measure: Measure,
    player: usize,
    /// Whose successes on the same deals are taken off.
    less: Option<usize>,
}

pub(super) fn read(value: &Written<'_>, path: &Path, registry: &Registry) -> Result<Box<dyn Derive>, Blame> {
    let mut section = Section::from_value(value, "`play`")?;
    let experiment_value = section.require("experiment", "experiment.game = \"calculation\"")?;
    let experiment = read_single_experiment(experiment_value, path, registry)?;
    let player =
        section.take("player").map(|value| player_named("player", value, &experiment.players)).transpose()?;
    let less =
        section.take("less").map(|value| player_named("less", value, &experiment.players)).transpose()?;
    let measure = choice(&mut section, "measure", &MEASURES)?;
    let span = section.span.clone();
    section.finish()?;
    if (measure == Measure::Success) != (experiment.game.facts().players == 1) && measure != Measure::Score {
        let message =
            "a solitaire is measured by `success` or `score`, a game for two by `points` or `score`";
        return Err(Blame::new(span, message));
    }
    if less.is_some() && measure != Measure::Success {
        return Err(Blame::new(span, "`less` compares successes on the same deals: measure = \"success\""));
    }
    if experiment.game.facts().players == 2 && experiment.players.len() != 2 {
        let message = "a game for two is measured between two players: pairs that share an opening depend on each other";
        return Err(Blame::new(span, message));
    }
    if experiment.stopping.is_some() {
        return Err(Blame::new(span, "the number of trials has to be fixed: leave `stopping` out"));
    }
    Ok(Box::new(Play { manifest: Manifest::of_one(experiment), measure, player: player.unwrap_or(0), less }))
}

/// Keeps the records of a run.
#[derive(Default)]
struct Records(Vec<Record>);

impl Sink for Records {
    fn take(&mut self, finished: &Finished) -> io::Result<()> {
        self.0.extend(finished.records.iter().cloned());
        Ok(())
    }
}

impl Derive for Play {
    fn yields(&self) -> Yields {
        match (self.measure, self.less) {
            (_, Some(_)) => Yields::Paired,
            (Measure::Success, None) => Yields::Rate,
            _ => Yields::Mean,
        }
    }

    fn derive(&self, context: &Context<'_>) -> Result<Found, String> {
        let plan = Plan::new(&self.manifest);
        let mut records = Records::default();
        let pace = Pace { threads: context.threads, lock_step: LOCK_STEP };
        run(&plan, pace, &|_| true, &AtomicBool::new(false), &mut [&mut records])
            .map_err(|error| error.to_string())?;
        let mut records = records.0;
        records.sort_by_key(|record| record.trial);
        if let Some(reason) =
            records.iter().flat_map(|record| &record.games).find_map(|game| game.result.as_ref().err())
        {
            return Err(format!("a game failed: {reason}"));
        }
        let results = |player: usize| records.iter().filter_map(move |record| record.result_of(player));
        // Half a point and more: a solitaire that is won has the whole.
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
            (Measure::Score, None) => mean(results(self.player).map(|(_, score)| score)),
        })
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Found {
    Found::Mean(Sample::from(&values.collect::<Moments>()))
}
