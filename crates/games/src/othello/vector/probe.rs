//! Single boards in lanes, for tests: the functions of playouts, on every path.

use super::Path;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Board {
    /// The discs of the player to move; after the move, those of the next player to move.
    pub(super) mine: u64,
    pub(super) theirs: u64,
    /// The move to make; 0 for a pass.
    pub(super) chosen: u64,
    /// The result: the legal moves before it.
    pub(super) moves: u64,
}

/// An implementation of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// In lanes, with one game per lane.
    Lanes(Path),
    /// One game, with its directions in the lanes of AVX-512.
    Single,
}

impl Way {
    /// The implementations that this processor supports.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let ways = [Self::Lanes(Path::Avx2), Self::Lanes(Path::Avx512), Self::Single];
        ways.into_iter().filter(|way| way.path().is_available())
    }

    fn path(self) -> Path {
        match self {
            Self::Lanes(path) => path,
            Self::Single => Path::Avx512,
        }
    }

    /// Finds the moves of boards, and makes the chosen ones.
    pub(super) fn make(self, playable: u64, boards: &mut [Board]) {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Lanes(Path::Avx2) => call_on!(Avx2, avx2::make(playable, boards)),
            Self::Lanes(_) => call_on!(Avx512, avx512::make_boards(playable, boards)),
            Self::Single => call_on!(Avx512, avx512::make_single(playable, boards)),
        }
    }

    /// The moves that draws, below 2³², choose among masks of moves, in the lanes of this path.
    pub(super) fn choose(self, masks: &[u64], draws: &[u64], chosen: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if self.path() == Path::Avx2 {
            call_on!(Avx2, avx2::choose(masks, draws, chosen));
        } else {
            call_on!(Avx512, avx512::choose(masks, draws, chosen));
        }
    }
}
