//! The parts of a playout, each alone, as shares of the whole: an estimate.

use serde::{Deserialize, Serialize};

use super::settings::{Manner, key_of_round};
use super::{Lap, Sample, Settings, Spread};
use crate::game::{Batch, Stage};
use crate::players::Workload;

/// So many recorded plies the parts are run over: too many for a branch predictor to learn, few enough for a cache of
/// the second level.
const PLIES: u64 = 1 << 14;

/// What stands for a path where the parts are those of the plain loop.
pub(super) const PLAIN: &str = "plain";

/// One part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartProfile {
    /// The name, in kebab case.
    pub name: String,
    /// What it does, in a line.
    pub about: String,
    /// Whether it is a part of other parts, so that it does not add to their sum.
    pub within: bool,
    /// Nanoseconds of processor time a ply, where it runs alone.
    pub ns_per_ply: Spread,
    /// The same as a share of the whole in the same round.
    pub share: Spread,
}

/// The parts of the playouts on a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartsProfile {
    /// The path, or `plain`: the plain loop, which the fastest way of the portable path need not be.
    pub path: String,
    /// Playouts of a batch of the whole.
    pub batch: u64,
    /// The plies that the parts were run over.
    pub plies: u64,
    /// Nanoseconds of processor time a ply of the whole.
    pub whole_ns_per_ply: Spread,
    /// The parts, in the order of a ply.
    pub parts: Vec<PartProfile>,
    /// What is left of the whole; negative where parts alone take longer than together.
    pub rest: f64,
}

/// Times the whole and its parts, in turn in every round. `None` where the parts of the path are not known.
pub(super) fn parts_profile(
    workload: &dyn Workload,
    manner: Manner,
    settings: &Settings,
) -> Option<PartsProfile> {
    let key = key_of_round(0);
    let mean = Batch::new(key, 64);
    let mean = workload.lengths(mean).iter().map(|&plies| u64::from(plies)).sum::<u64>() / 64;
    let recording = workload.record(Batch::new(key, PLIES.div_ceil(mean.max(1))));
    let (stages, plies) = (recording.stages(manner.path), recording.plies());
    if stages.is_empty() {
        return None;
    }
    let run = |stage: &Stage<'_>, times: u64| (0..times).for_each(|_| (stage.run)());
    let is_plain = recording.are_plain(manner.path);
    let play = |key, batches: u64| {
        if is_plain {
            workload.plain_playouts(Batch::new(key, batches * manner.batch))
        } else {
            manner.play(workload, key, batches)
        }
    };
    let pace_of_whole = settings.pace(|count| play(key, count));
    let paces: Vec<u64> = stages.iter().map(|stage| settings.pace(|count| run(stage, count))).collect();
    let mut whole = Vec::new();
    let mut alone = vec![Vec::new(); stages.len()];
    for round in 0..settings.repeats {
        let (tally, lap) = Lap::time(|| play(key_of_round(round), pace_of_whole));
        whole.push(Sample::new(tally, lap).ns_per_ply());
        for ((stage, &pace), alone) in stages.iter().zip(&paces).zip(&mut alone) {
            let ((), lap) = Lap::time(|| run(stage, pace));
            alone.push(lap.cpu_ns / (pace * plies).max(1) as f64);
        }
    }
    let parts: Vec<PartProfile> = stages
        .iter()
        .zip(&alone)
        .map(|(stage, alone)| PartProfile {
            name: stage.name.into(),
            about: stage.about.into(),
            within: stage.within,
            ns_per_ply: Spread::of(alone.clone()),
            share: Spread::of_ratios(alone, &whole),
        })
        .collect();
    let known: f64 = parts.iter().filter(|part| !part.within).map(|part| part.share.median).sum();
    Some(PartsProfile {
        path: if is_plain { PLAIN } else { manner.path.name() }.into(),
        batch: manner.batch,
        plies,
        whole_ns_per_ply: Spread::of(whole),
        parts,
        rest: 1.0 - known,
    })
}
