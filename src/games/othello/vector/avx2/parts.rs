//! The parts of a ply, each alone, for whoever asks where the time goes.
//!
//! Nothing branches on the boards, so that a part takes the same for any: a few groups, which stay in the nearest cache, are
//! gone through again and again.

use std::array::from_fn;
use std::hint::black_box;

use super::super::LanePart;
use super::group::{Memory, choose, make_moves, moves, nothing};
use super::words::{GAMES, load_all, store_all};

/// How many groups are gone through: about 8 KiB.
const GROUPS: usize = 8;

for_avx2! {
    /// Does a part once for each of so many plies, on these boards: the discs of the player to move and of the other.
    /// The plies are rounded up to whole groups, and boards are empty where there are too few.
    pub(in super::super) fn run_part(part: LanePart, playable: u64, boards: &[(u64, u64)], plies: usize) {
        let mut groups = from_fn::<_, GROUPS, _>(|_| nothing());
        let mut found = [Memory([0; GAMES]); GROUPS];
        for (index, (group, found)) in groups.iter_mut().zip(&mut found).enumerate() {
            let board = |game| boards.get(index * GAMES + game).copied().unwrap_or_default();
            group.mine = load_all(&from_fn(|game| board(game).0));
            group.theirs = load_all(&from_fn(|game| board(game).1));
            let among = moves(group, playable);
            choose::<true>(group, among);
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
                        choose::<true>(group, among);
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
