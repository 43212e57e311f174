//! Handwritten tic-tac-toe: two masks, and the number of free squares, which is the number of plies left. Its picks
//! share a word.

use shikou::game::{Batch, Kernel, Tally, nth_set_bit};

pub(crate) struct TicTacToeByHand(pub(crate) Batch);

const LINES: [u64; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

/// Bit `m` is 1 if the marks `m` contain a line.
const WON: [u64; 8] = {
    let mut table = [0; 8];
    let mut marks = 0;
    while marks < 512 {
        let mut line = 0;
        while line < 8 {
            if marks & LINES[line] == LINES[line] {
                table[(marks / 64) as usize] |= 1 << (marks % 64);
            }
            line += 1;
        }
        marks += 1;
    }
    table
};

impl Kernel for TicTacToeByHand {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let mut tally = Tally::default();
        for index in self.0.first..self.0.first + self.0.count {
            let mut draws = self.0.key.playout(index);
            let (mut mine, mut theirs) = (0_u64, 0_u64);
            let (mut payoff, mut plies) = (0, 0);
            let mut value = 1;
            while plies < 9 {
                let pick = draws.digit(9 - plies);
                let square = nth_set_bit(0o777 & !(mine | theirs), pick).expect("a square is free");
                mine |= 1 << square;
                plies += 1;
                if WON[(mine / 64) as usize % 8] >> (mine % 64) & 1 == 1 {
                    payoff = value;
                    break;
                }
                value = -value;
                (mine, theirs) = (theirs, mine);
            }
            tally.record(payoff, plies);
        }
        tally
    }
}
