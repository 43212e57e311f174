//! Sixteen games in step. Fields and functions that are not described are those of the group for AVX2.

use std::arch::x86_64::{
    _mm512_mask_set1_epi64, _mm512_mul_epu32, _mm512_popcnt_epi64, _mm512_rolv_epi64, _mm512_srli_epi64,
    _mm512_test_epi64_mask, _pdep_u64,
};
use std::hint::black_box;

use super::super::work::Lanes;
use super::super::{MOST_MADE, Made};
use super::lines::{FALLING, RISING, diagonal};
use super::play::{Memory, load_all, store_all};
use super::words::{
    A, B, C, GAMES, NOT_B, NOT_C, WIDTH, Words, add, add_to_all, all, and, and_with_all, flip, leading_zeros,
    mirror, mix, ones_but, ones_but_modulo_64, or, or_with_all, quarter, rotate, shift_down, ternary,
    without, zero,
};
use crate::rng::mixing::GAMMA;

/// All squares except the files a and h. Only discs here can turn over along a row.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// All squares except the edge. Only discs here can turn over along a diagonal.
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;

/// Runs of the opponent's discs that end at a disc of the player, in two opposite directions. A run with that disc at
/// its lower end, by square number, can be turned over by a move above it, and the others by a move below.
#[derive(Clone, Copy)]
struct Runs {
    turned_from_above: Words,
    turned_from_below: Words,
}

/// Games in step. Between plies the moves of the players to move are known and chosen, but not yet made.
pub(super) struct Group {
    pub(super) mine: Words,
    pub(super) theirs: Words,
    /// The runs of each direction: along rows; along files, on the board turned by a quarter; along falling and
    /// along rising diagonals.
    rows: Runs,
    files: Runs,
    falling: Runs,
    rising: Runs,
    /// The chosen squares; none for a pass.
    pub(super) chosen: Memory,
    counters: Words,
    words: Words,
    plies: u64,
    /// For each game, the number of plies up to the last disc.
    lengths: Words,
    moved: bool,
}

for_this_path! {
    /// The discs of `theirs` in a run that begins at a disc of `mine`, and the squares next to the runs: an addition
    /// carries along them. `theirs` must not touch the end of a row.
    fn carry(mine: Words, theirs: Words) -> (Words, Words) {
        let sum = add(theirs, and(add(mine, mine), theirs));
        (without(theirs, sum), sum)
    }

    /// The discs of `theirs`, all off the edge, in a run that begins at a disc of `mine`, in the direction of a
    /// rotation and in the opposite one: the parallel-prefix fill of Kogge and Stone. Rotations can replace shifts
    /// because nothing on the edge is kept.
    fn fill<const ON: i32, const BACK: i32, const TWICE_ON: i32, const TWICE_BACK: i32>(
        mine: Words,
        theirs: Words,
    ) -> (Words, Words) {
        let mut on = and(theirs, rotate::<ON>(mine));
        let mut back = and(theirs, rotate::<BACK>(mine));
        let pairs_on = and(theirs, rotate::<ON>(theirs));
        let pairs_back = rotate::<BACK>(pairs_on);
        on = ternary::<{ A | B & C }>(on, theirs, rotate::<ON>(on));
        back = ternary::<{ A | B & C }>(back, theirs, rotate::<BACK>(back));
        for _ in 0..2 {
            on = ternary::<{ A | B & C }>(on, pairs_on, rotate::<TWICE_ON>(on));
            back = ternary::<{ A | B & C }>(back, pairs_back, rotate::<TWICE_BACK>(back));
        }
        (on, back)
    }

    /// The moves, and the runs that they turn over.
    pub(super) fn moves(group: &mut Group, playable: u64) -> Words {
        let Group { mine, theirs, .. } = *group;
        let inner = and_with_all(theirs, INNER_FILES);
        let (east, sum_east) = carry(mine, inner);
        let (west, sum_west) = carry(mirror(mine), mirror(inner));
        // Turned by a quarter, files are rows, north to the right.
        let (mine_turned, inner) = (quarter(mine), and_with_all(quarter(theirs), INNER_FILES));
        let (north, sum_north) = carry(mine_turned, inner);
        let (south, sum_south) = carry(mirror(mine_turned), mirror(inner));
        group.rows = Runs { turned_from_above: east, turned_from_below: mirror(west) };
        group.files = Runs { turned_from_above: north, turned_from_below: mirror(south) };
        // All on the mirrored board. The sums also hold discs, which are not moves.
        let mirrored = ternary::<{ A | B | C }>(sum_west, flip(sum_north), quarter(sum_south));
        let straight = or(sum_east, mirror(mirrored));

        let inner = and_with_all(theirs, INNER);
        let (south_east, north_west) = fill::<9, 55, 18, 46>(mine, inner);
        let (south_west, north_east) = fill::<7, 57, 14, 50>(mine, inner);
        group.falling = Runs { turned_from_above: south_east, turned_from_below: north_west };
        group.rising = Runs { turned_from_above: south_west, turned_from_below: north_east };
        let reached = ternary::<{ A | B | C }>(straight, rotate::<9>(south_east), rotate::<55>(north_west));
        let reached = ternary::<{ A | B | C }>(reached, rotate::<7>(south_west), rotate::<57>(north_east));
        and_with_all(ternary::<{ A & NOT_B & NOT_C }>(reached, mine, theirs), playable)
    }

    /// Makes the chosen moves, or passes if there is none, and swaps sides.
    pub(super) fn make_moves(group: &mut Group) {
        let Group { mine, theirs, rows, files, falling, rising, .. } = *group;
        let square = load_all(&group.chosen.0);
        let turned = quarter(square);
        let (above, below) = (add(square, square), add_to_all(square, !0));
        let (above_turned, below_turned) = (add(turned, turned), add_to_all(turned, !0));
        let behind = leading_zeros(square);
        let (fall, rise) = (diagonal(&FALLING, behind), diagonal(&RISING, behind));
        // Downwards: the highest square below that is not in a run ends the run. Without a move all squares are below,
        // and the highest one, which is in no run, leaves nothing between. The lowest square is a corner and never
        // turns over, so it may end any line; this saves the shift a special case.
        let end_row = leading_zeros(or_with_all(without(below, rows.turned_from_above), 1));
        let end_file = leading_zeros(or_with_all(without(below_turned, files.turned_from_above), 1));
        let end_fall = leading_zeros(ternary::<{ A & NOT_B & C }>(fall, falling.turned_from_above, below));
        let end_rise = leading_zeros(ternary::<{ A & NOT_B & C }>(rise, rising.turned_from_above, below));
        // Upwards: adding the square above clears the run.
        let up_row = without(rows.turned_from_below, add(rows.turned_from_below, above));
        let up_file = without(files.turned_from_below, add(files.turned_from_below, above_turned));
        let up_fall = upwards(falling.turned_from_below, fall, above);
        let up_rise = upwards(rising.turned_from_below, rise, above);
        let row = ternary::<{ A | B & NOT_C }>(up_row, below, ones_but(end_row));
        let file = ternary::<{ A | B & NOT_C }>(up_file, below_turned, ones_but(end_file));
        let down_fall = ternary::<{ A & B & NOT_C }>(fall, below, ones_but_modulo_64(end_fall));
        let down_rise = ternary::<{ A & B & NOT_C }>(rise, below, ones_but_modulo_64(end_rise));
        let flipped = ternary::<{ A | B | C }>(row, up_fall, up_rise);
        let flipped = ternary::<{ A | B | C }>(flipped, down_fall, down_rise);
        let flipped = or(flipped, mirror(flip(file)));
        group.mine = without(theirs, flipped);
        group.theirs = ternary::<{ A | B | C }>(mine, flipped, square);
    }

    /// The part of a diagonal's runs that begins above the square. A carry runs through it and through all squares off
    /// the diagonal.
    fn upwards(runs: Words, diagonal: Words, above: Words) -> Words {
        let sum = add(ternary::<{ A | NOT_B }>(runs, diagonal, diagonal), above);
        ternary::<{ A & NOT_B & C }>(runs, sum, diagonal)
    }

    /// The draws of this ply, each in the lower half of its lane.
    fn draw(group: &mut Group) -> Words {
        if group.plies % 2 == 1 {
            return group.words;
        }
        group.words = mix(group.counters);
        group.counters = add_to_all(group.counters, GAMMA);
        shift_down::<32>(group.words)
    }

    pub(super) fn nothing() -> Group {
        let none = Runs { turned_from_above: zero(), turned_from_below: zero() };
        Group {
            mine: zero(),
            theirs: zero(),
            rows: none,
            files: none,
            falling: none,
            rising: none,
            chosen: Memory([0; GAMES]),
            counters: zero(),
            words: zero(),
            plies: 0,
            lengths: zero(),
            moved: true,
        }
    }

    pub(super) fn begin(group: &mut Group, lanes: &Lanes<GAMES>) {
        // As if the other player had just passed.
        group.mine = load_all(&lanes.theirs);
        group.theirs = load_all(&lanes.mine);
        group.chosen.0 = [0; GAMES];
        group.counters = load_all(&lanes.counters);
        group.plies = 0;
        group.lengths = zero();
        group.moved = true;
    }

    pub(super) fn ply(group: &mut Group, playable: u64) -> bool {
        make_moves(group);
        let moves = moves(group, playable);
        let draws = draw(group);
        group.plies += 1;
        let can_move = choose(group, moves, draws);
        let goes_on = group.moved || can_move != 0;
        group.moved = can_move != 0;
        goes_on
    }

    /// Chooses a move in every game that has one. Returns these games as bits, both registers together.
    fn choose(group: &mut Group, moves: Words, draws: Words) -> u8 {
        let mut can_move = 0;
        for i in 0..WIDTH {
            let lanes = _mm512_test_epi64_mask(moves.0[i], moves.0[i]);
            group.lengths.0[i] = _mm512_mask_set1_epi64(group.lengths.0[i], lanes, group.plies as i64);
            can_move |= lanes;
        }
        pick(&mut group.chosen, moves, draws);
        can_move
    }

    /// The move that each game's draw picks among its moves; 0 if there are none.
    pub(super) fn pick(chosen: &mut Memory, moves: Words, draws: Words) {
        let mut bits = zero();
        for i in 0..WIDTH {
            // The pick among n is (draw · n) >> 32. Its bit, deposited among the moves, is the move.
            let pick = _mm512_srli_epi64::<32>(_mm512_mul_epu32(draws.0[i], _mm512_popcnt_epi64(moves.0[i])));
            bits.0[i] = _mm512_rolv_epi64(all(1), pick);
        }
        // Through memory: extracting lanes from a register would use the ports that are the bottleneck.
        let (mut among, mut bit) = (Memory([0; GAMES]), Memory([0; GAMES]));
        store_all(&mut among.0, moves);
        store_all(&mut bit.0, bits);
        let (among, bit) = (black_box(&among), black_box(&bit));
        for game in 0..GAMES {
            chosen.0[game] = _pdep_u64(bit.0[game], among.0[game]);
        }
    }

    pub(super) fn end(group: &Group, lanes: &mut Lanes<GAMES>) {
        let (mine, theirs) = if group.plies % 2 == 1 {
            (group.mine, group.theirs)
        } else {
            (group.theirs, group.mine)
        };
        store_all(&mut lanes.mine, mine);
        store_all(&mut lanes.theirs, theirs);
        store_all(&mut lanes.plies, group.lengths);
    }

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
