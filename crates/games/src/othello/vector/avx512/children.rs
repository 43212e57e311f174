//! The positions after all moves of one position, with one move per lane.

use std::arch::x86_64::{
    _mm512_add_epi64, _mm512_mask_testn_epi64_mask, _mm512_maskz_popcnt_epi64, _mm512_reduce_add_epi64,
};

use super::super::work::Lanes;
use super::super::{MOST_MADE, Made};
use super::group::{make_moves, moves, nothing};
use super::memory::{Memory, store_all};
use super::words::{GAMES, WIDTH, Words, all};
use crate::game::Bits;

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

    /// The total number of moves after the moves `among` of a position. Calls `stuck` for positions without moves, with
    /// the discs of the player to move and those of the other.
    pub(in super::super) fn moves_after(
        playable: u64,
        (mine, theirs): (u64, u64),
        among: u64,
        mut stuck: impl FnMut(u64, u64),
    ) -> u64 {
        let mut squares = Bits::new(among);
        let mut count = 0;
        let mut group = nothing();
        while squares.len() > 0 {
            let used = squares.len().min(GAMES);
            (group.mine, group.theirs) = (Words([all(mine); WIDTH]), Words([all(theirs); WIDTH]));
            moves(&mut group, playable);
            for chosen in &mut group.chosen.0 {
                // Without a square the lane passes, and is not used.
                *chosen = squares.next().map_or(0, |square| 1 << square);
            }
            make_moves(&mut group);
            let [low, high] = moves(&mut group, playable).0;
            let used = (1_u32 << used) - 1;
            let counts = _mm512_add_epi64(
                _mm512_maskz_popcnt_epi64(used as u8, low),
                _mm512_maskz_popcnt_epi64((used >> 8) as u8, high),
            );
            count += _mm512_reduce_add_epi64(counts) as u64;
            let without = u32::from(_mm512_mask_testn_epi64_mask(used as u8, low, low))
                | u32::from(_mm512_mask_testn_epi64_mask((used >> 8) as u8, high, high)) << 8;
            if without != 0 {
                let mut lanes = Lanes::<GAMES>::EMPTY;
                store_all(&mut lanes.mine, group.mine);
                store_all(&mut lanes.theirs, group.theirs);
                for lane in Bits::new(u64::from(without)) {
                    stuck(lanes.mine[usize::from(lane)], lanes.theirs[usize::from(lane)]);
                }
            }
        }
        count
    }
}
