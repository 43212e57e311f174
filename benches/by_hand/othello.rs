//! Handwritten Othello with the crate's bit functions: moves are generated at the top of the loop.

use shikou::game::{Batch, Kernel, Tally, nth_set_bit};
use shikou::games::othello::board::{flips, legal_moves};

pub(crate) struct OthelloByHand(pub(crate) Batch);

impl Kernel for OthelloByHand {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let mut tally = Tally::default();
        for index in self.0.first..self.0.first + self.0.count {
            let mut draws = self.0.key.playout(index);
            let (mut mine, mut theirs) = (1_u64 << 28 | 1 << 35, 1_u64 << 27 | 1 << 36);
            let (mut plies, mut first_moves) = (0, true);
            loop {
                let moves = legal_moves(mine, theirs);
                if moves == 0 {
                    if legal_moves(theirs, mine) == 0 {
                        break;
                    }
                    let _pass = draws.next_u32();
                } else {
                    let pick = draws.below(moves.count_ones());
                    let square = nth_set_bit(moves, pick).expect("there is a move");
                    let flipped = flips(mine, theirs, square);
                    mine |= flipped | 1 << square;
                    theirs &= !flipped;
                }
                (mine, theirs) = (theirs, mine);
                first_moves = !first_moves;
                plies += 1;
            }
            let difference = mine.count_ones() as i32 - theirs.count_ones() as i32;
            tally.record(if first_moves { difference } else { -difference }.signum(), plies);
        }
        tally
    }
}
