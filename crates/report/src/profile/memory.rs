//! The memory of positions, moves and the process.

use serde::{Deserialize, Serialize};

use crate::players::Workload;

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
