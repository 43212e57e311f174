//! Two profiles: one of before, one of now.
//!
//! The two were not measured in turn, so that the ratios hold the difference of two minutes as well as of two builds,
//! and an interval knows only how much the rounds of each differed. Ratios in cycles leave the frequency out.

use serde::Serialize;

use super::{PathRow, Profile, Sample};
use crate::stats::{Confidence, Estimate, ratio_of_medians};

/// Something that both profiles have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRow {
    /// What.
    pub what: String,
    /// The median speed then, in playouts or decisions a second.
    pub then_per_s: f64,
    /// The same now.
    pub now_per_s: f64,
    /// The speed now over that of then.
    pub ratio: Estimate,
    /// The same in cycles: the cycles of then over those of now; none where they are not known.
    pub ratio_in_cycles: Option<Estimate>,
}

/// What two profiles have in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What both have.
    pub rows: Vec<ComparedRow>,
    /// The facts of machine and build that differ: name, then, now.
    pub differing: Vec<(&'static str, String, String)>,
    /// Whether the machine is another one, so that the ratios are of machines and not of builds.
    pub is_another_machine: bool,
}

/// Why two profiles have nothing in common.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// They are of different things.
    #[error("the earlier profile is of {what} `{then}`, and this one of `{now}`; ask for the same")]
    Other {
        /// Which thing differs.
        what: &'static str,
        /// What it was.
        then: String,
        /// What it is.
        now: String,
    },
    /// They have no row in common.
    #[error("the earlier profile has no row of this one: {0}; ask for the same paths, batches and threads")]
    NoRow(String),
}

impl Comparison {
    /// Whether two profiles are of the same game, policy and position; what was measured may be missing yet.
    ///
    /// # Errors
    /// Where one of these differs.
    pub fn check(then: &Profile, now: &Profile) -> Result<(), Incomparable> {
        let same = [
            ("game", &then.game, &now.game),
            ("policy", &then.policy, &now.policy),
            ("position", &then.position, &now.position),
        ];
        let other = same.into_iter().find(|(_, then, now)| then != now);
        other.map_or(Ok(()), |(what, then, now)| {
            Err(Incomparable::Other { what, then: then.clone(), now: now.clone() })
        })
    }

    /// Compares two profiles of the same game, policy and position.
    ///
    /// # Errors
    /// Where these differ, or the profiles have nothing in common.
    pub fn new(then: &Profile, now: &Profile) -> Result<Self, Incomparable> {
        Self::check(then, now)?;
        let (before, after) = (series(then), series(now));
        let of_now: Vec<String> = after.iter().map(|series| series.what.clone()).collect();
        let rows: Vec<ComparedRow> = after
            .into_iter()
            .filter_map(|now| Some(compared(before.iter().find(|then| then.what == now.what)?, &now)))
            .collect();
        if rows.is_empty() {
            return Err(Incomparable::NoRow(of_now.join(", ")));
        }
        Ok(Self {
            rows,
            differing: then.host.differing(&now.host),
            is_another_machine: then.host.is_another_machine(&now.host),
        })
    }
}

/// A speed over the rounds of a profile.
struct Series {
    what: String,
    per_s: Vec<f64>,
    /// Cycles, where they are known.
    cycles: Option<Vec<f64>>,
}

fn series(profile: &Profile) -> Vec<Series> {
    let mut all = Vec::new();
    if let Some(playouts) = &profile.playouts {
        all.extend(playouts.paths.iter().map(of_path));
        all.extend(playouts.threads.iter().map(|row| Series {
            what: format!("{}, batches of {}, threads {}", row.path, row.batch, row.threads),
            per_s: row.samples.iter().map(|sample| sample.playouts_per_s).collect(),
            cycles: None,
        }));
    }
    if let Some(searchers) = &profile.searchers {
        all.extend(searchers.rows.iter().map(|row| Series {
            what: row.searcher.clone(),
            per_s: row.rounds_ns.iter().map(|ns| 1e9 / ns).collect(),
            cycles: None,
        }));
    }
    all
}

fn of_path(row: &PathRow) -> Series {
    Series {
        what: format!("{}, batches of {}", row.path, row.batch),
        per_s: row.samples.iter().map(Sample::playouts_per_s).collect(),
        cycles: row.samples.iter().map(Sample::cycles_per_ply).collect(),
    }
}

fn compared(then: &Series, now: &Series) -> ComparedRow {
    let confidence = Confidence::default_level();
    let ratio = ratio_of_medians(&now.per_s, &then.per_s, confidence);
    let cycles = then.cycles.as_ref().zip(now.cycles.as_ref());
    ComparedRow {
        what: now.what.clone(),
        then_per_s: super::Spread::of(then.per_s.clone()).median,
        now_per_s: super::Spread::of(now.per_s.clone()).median,
        ratio,
        ratio_in_cycles: cycles.map(|(then, now)| ratio_of_medians(then, now, confidence)),
    }
}
