//! The distribution of playout lengths, an HDR histogram; and the memory of positions, moves and the process.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use crate::game::Batch;
use crate::players::Workload;
use crate::rng::PlayoutKey;

const SHARES: [f64; 7] = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99];

/// The lengths of some playouts. Exact up to 2047 plies, to three digits above.
///
/// # Example
/// ```
/// use shikou::players::Registry;
/// use shikou::profile::Lengths;
/// let game = Registry::standard().game("tic-tac-toe", &[]).unwrap();
/// let lengths = Lengths::of(&*game.workload("uniform", "").unwrap(), 1000);
/// assert_eq!((lengths.playouts, lengths.min, lengths.max), (1000, 5, 9));
/// assert_eq!(lengths.counts.iter().map(|&(_, count)| count).sum::<u64>(), 1000);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lengths {
    /// The number of playouts.
    pub playouts: u64,
    /// The mean number of plies.
    pub mean: f64,
    /// The smallest number of plies.
    pub min: u64,
    /// The largest number of plies.
    pub max: u64,
    /// Quantiles: a fraction of the playouts, and the plies that it does not exceed.
    pub quantiles: Vec<(f64, u64)>,
    /// Every length that occurs, with its count.
    pub counts: Vec<(u64, u64)>,
}

impl Lengths {
    /// The lengths of the first playouts under a fixed key. Playouts from a finished game count with 0 plies.
    ///
    /// # Panics
    /// If `playouts` is 0.
    pub fn of(workload: &dyn Workload, playouts: u64) -> Self {
        assert!(playouts > 0, "at least one playout is needed");
        let mut histogram = Histogram::<u64>::new(3).expect("three significant digits are allowed");
        let lengths = workload.lengths(Batch::new(PlayoutKey::new(2026), playouts));
        let sum: u64 = lengths.iter().map(|&plies| u64::from(plies)).sum();
        for plies in lengths {
            histogram.record(plies.into()).expect("an auto-resizing histogram takes every length");
        }
        let counts = histogram
            .iter_recorded()
            .map(|step| (step.value_iterated_to(), step.count_since_last_iteration()))
            .collect();
        Self {
            playouts,
            mean: sum as f64 / playouts as f64,
            min: histogram.min(),
            max: histogram.max(),
            quantiles: SHARES.map(|share| (share, histogram.value_at_quantile(share))).into(),
            counts,
        }
    }
}

/// The sizes of a position and a move, and the memory of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The bytes of a position.
    pub position_bytes: u64,
    /// The bytes of a move.
    pub move_bytes: u64,
    /// The peak resident memory of the process so far, in bytes; `None` except on Linux.
    pub peak_bytes: Option<u64>,
}

impl Memory {
    /// The sizes of a workload, and the current process.
    pub fn of(workload: &dyn Workload) -> Self {
        let (position, mv) = workload.sizes();
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        Self { position_bytes: position as u64, move_bytes: mv as u64, peak_bytes: peak(&status) }
    }
}

/// The peak resident set size, from the text of `/proc/self/status`.
fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_the_system() {
        assert_eq!(peak("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"), Some(2 << 20));
        assert_eq!(peak(""), None);
    }
}
