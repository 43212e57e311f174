//! The positions after all moves of one position, with one move per lane.

use super::super::{MOST_MADE, Made};
use super::group::{make_moves, moves, nothing};
use super::memory::{Memory, store_all};
use super::words::{WIDTH, Words, all};

for_this_path! {
    /// Makes the chosen moves of a position, and finds the moves after each. Lanes without a square pass.
    pub(in super::super) fn make(playable: u64, (mine, theirs): (u64, u64), chosen: [u64; MOST_MADE]) -> Made {
        let mut group = nothing();
        (group.mine, group.theirs) = (Words([all(mine); WIDTH]), Words([all(theirs); WIDTH]));
        moves(&mut group, playable);
        group.chosen = Memory(chosen);
        make_moves(&mut group);
        let moves = moves(&mut group, playable);
        let mut made = Made { mine: [0; MOST_MADE], theirs: [0; MOST_MADE], moves: [0; MOST_MADE] };
        store_all(&mut made.mine, group.mine);
        store_all(&mut made.theirs, group.theirs);
        store_all(&mut made.moves, moves);
        made
    }
}
