//! The parts of a ply, each alone, for timing: the same source on every path.
//!
//! Nothing branches on the boards, so a part takes the same time for all. It runs repeatedly over a few groups, which
//! stay in the L1 cache.

use std::array::from_fn;
use std::hint::black_box;

use super::super::LanePart;
use super::group::{choose_alone, make_moves, moves, nothing};
use super::memory::{Memory, load_all, store_all};
use super::words::GAMES;

/// The number of groups, which take less than 16 KiB.
const GROUPS: usize = 8;

for_this_path! {
    /// Runs a part once for each of a number of plies, on these boards: the discs of the player to move and of the other.
    /// The plies are rounded up to whole groups, and missing boards are empty.
    pub(in super::super) fn run_part(part: LanePart, playable: u64, boards: &[(u64, u64)], plies: usize) {
        let mut groups = from_fn::<_, GROUPS, _>(|_| nothing());
        let mut found = [Memory([0; GAMES]); GROUPS];
        for (index, (group, found)) in groups.iter_mut().zip(&mut found).enumerate() {
            let board = |game| boards.get(index * GAMES + game).copied().unwrap_or_default();
            group.mine = load_all(&from_fn(|game| board(game).0));
            group.theirs = load_all(&from_fn(|game| board(game).1));
            let among = moves(group, playable);
            choose_alone(group, among);
            store_all(&mut found.0, among);
        }
        for _ in 0..plies.div_ceil(GROUPS * GAMES) {
            for (group, found) in groups.iter_mut().zip(&mut found) {
                match part {
                    LanePart::Moves => {
                        let among = moves(group, playable);
                        store_all(&mut found.0, among);
                    }
                    LanePart::Choice => {
                        let among = load_all(&found.0);
                        choose_alone(group, among);
                    }
                    LanePart::Flips => {
                        let (mine, theirs) = (group.mine, group.theirs);
                        make_moves(group);
                        black_box(&*group);
                        (group.mine, group.theirs) = (mine, theirs);
                    }
                }
                black_box((&*group, &*found));
            }
        }
    }
}
