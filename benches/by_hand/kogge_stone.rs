//! The yardstick of Othello playouts: the plain scalar loop that everybody writes, with the fill of Kogge and Stone in all
//! eight directions for moves and for flips. It takes the draws of the house, so it must come to the same tally.

use shikou::game::{Batch, Kernel, Tally, nth_set_bit};

pub(crate) struct KoggeStone(pub(crate) Batch);

const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const ALL: u64 = !0;

#[inline(always)]
fn shift(x: u64, by: i32) -> u64 {
    if by > 0 { x << by } else { x >> -by }
}

/// The discs of `over` in an unbroken run from one of `from`.
#[inline(always)]
fn fill(from: u64, over: u64, by: i32) -> u64 {
    let mut reached = over & shift(from, by);
    reached |= over & shift(reached, by);
    let pairs = over & shift(over, by);
    reached |= pairs & shift(reached, 2 * by);
    reached | pairs & shift(reached, 2 * by)
}

/// What all directions give together.
#[inline(always)]
fn all_directions(of: impl Fn(i32, u64) -> u64) -> u64 {
    of(1, INNER_FILES)
        | of(-1, INNER_FILES)
        | of(8, ALL)
        | of(-8, ALL)
        | of(7, INNER_FILES)
        | of(-7, INNER_FILES)
        | of(9, INNER_FILES)
        | of(-9, INNER_FILES)
}

#[inline(always)]
fn moves(mine: u64, theirs: u64) -> u64 {
    all_directions(
        #[inline(always)]
        |by, among| shift(fill(mine, theirs & among, by), by),
    ) & !(mine | theirs)
}

#[inline(always)]
fn flips(mine: u64, theirs: u64, square: u64) -> u64 {
    all_directions(
        #[inline(always)]
        |by, among| {
            let run = fill(square, theirs & among, by);
            if shift(run, by) & mine == 0 { 0 } else { run }
        },
    )
}

impl Kernel for KoggeStone {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let mut tally = Tally::default();
        for index in self.0.first..self.0.first + self.0.count {
            let mut draws = self.0.key.playout(index);
            let (mut mine, mut theirs) = (1_u64 << 28 | 1 << 35, 1_u64 << 27 | 1 << 36);
            let (mut plies, mut first_moves) = (0, true);
            loop {
                let moves = moves(mine, theirs);
                if moves == 0 {
                    if self::moves(theirs, mine) == 0 {
                        break;
                    }
                    let _pass = draws.next_u32();
                } else {
                    let pick = draws.below(moves.count_ones());
                    let square = 1 << nth_set_bit(moves, pick).expect("there is a move");
                    let flipped = flips(mine, theirs, square);
                    mine |= flipped | square;
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
