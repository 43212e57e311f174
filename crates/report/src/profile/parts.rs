//! The parts of a playout, timed alone, as fractions of the whole: an estimate.

use serde::{Deserialize, Serialize};

use super::settings::key_of_round;
use super::{Lap, Sample, Settings, Spread};
use crate::game::{Batch, Stage};
use crate::players::Workload;

/// The number of recorded plies that the parts run over: too many for a branch predictor to learn, few enough for the
/// second-level cache.
const PLIES: u64 = 1 << 14;

/// One part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartProfile {
    /// The name, in kebab case.
    pub name: String,
    /// A one-line description.
    pub about: String,
    /// Whether it is contained in other parts, so that it is not added to their sum.
    pub within: bool,
    /// CPU nanoseconds per ply if it runs alone.
    pub ns_per_ply: Spread,
    /// The same as a fraction of the whole, within a round.
    pub share: Spread,
}

/// The parts of the plain loop of playouts, which need not be the fastest way of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartsProfile {
    /// The number of plies that the parts ran over.
    pub plies: u64,
    /// CPU nanoseconds per ply of the whole.
    pub whole_ns_per_ply: Spread,
    /// The parts, in the order of a ply.
    pub parts: Vec<PartProfile>,
    /// The rest of the whole, as a fraction; negative if the parts take longer alone than together.
    pub rest: f64,
}

/// Times the whole, in batches of this size, and its parts, in turn in every round.
pub(super) fn parts_profile(workload: &dyn Workload, batch: u64, settings: &Settings) -> PartsProfile {
    let key = key_of_round(0);
    let mean = Batch::new(key, 64);
    let mean = workload.lengths(mean).iter().map(|&plies| u64::from(plies)).sum::<u64>() / 64;
    let recording = workload.record(Batch::new(key, PLIES.div_ceil(mean.max(1))));
    let (stages, plies) = (recording.stages(), recording.plies());
    let run = |stage: Stage, times: u64| (0..times).for_each(|_| recording.run(stage));
    let play = |key, batches: u64| workload.plain_playouts(Batch::new(key, batches * batch));
    let pace_of_whole = settings.pace(|count| play(key, count));
    let paces: Vec<u64> = stages.iter().map(|&stage| settings.pace(|count| run(stage, count))).collect();
    let mut whole = Vec::new();
    let mut alone = vec![Vec::new(); stages.len()];
    for round in 0..settings.repeats {
        let (tally, lap) = Lap::time(|| play(key_of_round(round), pace_of_whole));
        whole.push(Sample::new(tally, lap).ns_per_ply());
        for ((&stage, &pace), alone) in stages.iter().zip(&paces).zip(&mut alone) {
            let ((), lap) = Lap::time(|| run(stage, pace));
            alone.push(lap.cpu_ns / (pace * plies).max(1) as f64);
        }
    }
    let parts: Vec<PartProfile> = stages
        .iter()
        .zip(&alone)
        .map(|(stage, alone)| PartProfile {
            name: stage.name().into(),
            about: stage.about().into(),
            within: stage.is_within(),
            ns_per_ply: Spread::of(alone.clone()),
            share: Spread::of_ratios(alone, &whole),
        })
        .collect();
    let known: f64 = parts.iter().filter(|part| !part.within).map(|part| part.share.median).sum();
    PartsProfile { plies, whole_ns_per_ply: Spread::of(whole), parts, rest: 1.0 - known }
}
