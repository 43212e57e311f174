//! The baseline for Othello playouts: the usual scalar loop, with the fill of Kogge and Stone in all eight directions
//! for moves and for flips. It uses the crate's draws, so it must give the same tally.

use shikou::game::{Batch, Kernel, Tally, nth_set_bit};

pub(crate) struct KoggeStone(pub(crate) Batch);

const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const ALL: u64 = !0;

#[inline(always)]
const fn shift<const BY: i32>(x: u64) -> u64 {
    if BY > 0 { x << BY } else { x >> -BY }
}

#[inline(always)]
const fn shift_twice<const BY: i32>(x: u64) -> u64 {
    if BY > 0 { x << (2 * BY) } else { x >> (-2 * BY) }
}

/// The discs of `over` in an unbroken run from a disc of `from`.
#[inline(always)]
const fn fill<const BY: i32>(from: u64, over: u64) -> u64 {
    let mut reached = over & shift::<BY>(from);
    reached |= over & shift::<BY>(reached);
    let pairs = over & shift::<BY>(over);
    reached |= pairs & shift_twice::<BY>(reached);
    reached | pairs & shift_twice::<BY>(reached)
}

#[inline(always)]
const fn moves(mine: u64, theirs: u64) -> u64 {
    macro_rules! ends {
        ($by:literal, $among:expr) => {
            shift::<$by>(fill::<$by>(mine, theirs & $among))
        };
    }
    let rows = ends!(1, INNER_FILES) | ends!(-1, INNER_FILES);
    let files = ends!(8, ALL) | ends!(-8, ALL);
    let rising = ends!(7, INNER_FILES) | ends!(-7, INNER_FILES);
    let falling = ends!(9, INNER_FILES) | ends!(-9, INNER_FILES);
    (rows | files | rising | falling) & !(mine | theirs)
}

#[inline(always)]
const fn flips(mine: u64, theirs: u64, square: u64) -> u64 {
    macro_rules! run {
        ($by:literal, $among:expr) => {{
            let run = fill::<$by>(square, theirs & $among);
            if shift::<$by>(run) & mine == 0 { 0 } else { run }
        }};
    }
    let rows = run!(1, INNER_FILES) | run!(-1, INNER_FILES);
    let files = run!(8, ALL) | run!(-8, ALL);
    let rising = run!(7, INNER_FILES) | run!(-7, INNER_FILES);
    let falling = run!(9, INNER_FILES) | run!(-9, INNER_FILES);
    rows | files | rising | falling
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
