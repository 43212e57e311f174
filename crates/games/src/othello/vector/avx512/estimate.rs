//! How promising positions are after their best replies, with one reply per lane.

use std::arch::x86_64::{
    _mm512_add_epi64, _mm512_cmpeq_epi64_mask, _mm512_mask_slli_epi64, _mm512_max_epi64, _mm512_min_epi64,
    _mm512_movm_epi8, _mm512_popcnt_epi64, _mm512_set1_epi64, _mm512_slli_epi64, _mm512_sub_epi64,
    _mm512_testn_epi8_mask, _mm512_testn_epi64_mask,
};
use std::array::from_fn;

use super::super::{MOST_MADE, Replies};
use super::group::{make_moves, moves, nothing};
use super::play::{Memory, load_all, store_all};
use super::words::{
    A, B, C, WIDTH, Words, add, and, and_with_all, or, or_with_all, rotate, shift_down, ternary, without,
    zero,
};
use crate::othello::hints::Weighed;
use crate::othello::stability::{Edges, NOT_LEFT_FILES, NOT_RIGHT_FILES};

/// For each direction of a line, the squares whose discs need no neighbour there.
struct Held {
    rows: Words,
    files: Words,
    falling: Words,
    rising: Words,
}

for_this_path! {
    /// Makes the chosen replies, and finds how promising each is for the player who makes it.
    pub(in super::super) fn estimates(playable: u64, weighed: Weighed, replies: &Replies) -> [u64; MOST_MADE] {
        let mut group = nothing();
        (group.mine, group.theirs) = (load_all(&replies.mine), load_all(&replies.theirs));
        moves(&mut group, playable);
        group.chosen = Memory(replies.chosen);
        make_moves(&mut group);
        let others = moves(&mut group, playable);
        (group.mine, group.theirs) = (group.theirs, group.mine);
        let own = moves(&mut group, playable);
        let free = subtract(weigh(own, weighed), weigh(others, weighed));
        let empty = without(without(everywhere(playable), group.mine), group.theirs);
        let held = held(empty, weighed.edges);
        let safe = subtract(weigh(stable(group.mine, &held), weighed), weigh(stable(group.theirs, &held), weighed));
        let mut value = add(add(free, free), safe);
        let stuck = or(own, others);
        for i in 0..WIDTH {
            let over = _mm512_testn_epi64_mask(stuck.0[i], stuck.0[i]);
            if over != 0 {
                let lead = _mm512_sub_epi64(_mm512_popcnt_epi64(group.mine.0[i]), _mm512_popcnt_epi64(group.theirs.0[i]));
                let sign = _mm512_max_epi64(_mm512_min_epi64(lead, _mm512_set1_epi64(1)), _mm512_set1_epi64(-1));
                value.0[i] = _mm512_mask_slli_epi64::<22>(value.0[i], over, sign);
            }
        }
        let mut values = [0; MOST_MADE];
        store_all(&mut values, value);
        values
    }

    fn everywhere(word: u64) -> Words {
        or_with_all(zero(), word)
    }

    fn subtract(a: Words, b: Words) -> Words {
        Words(from_fn(|i| _mm512_sub_epi64(a.0[i], b.0[i])))
    }

    fn shift_up<const BY: u32>(a: Words) -> Words {
        Words(from_fn(|i| _mm512_slli_epi64::<BY>(a.0[i])))
    }

    /// The number of squares, with corners counted twice.
    fn weigh(squares: Words, weighed: Weighed) -> Words {
        let corners = and_with_all(squares, weighed.corners);
        Words(from_fn(|i| {
            _mm512_add_epi64(_mm512_popcnt_epi64(squares.0[i]), _mm512_popcnt_epi64(corners.0[i]))
        }))
    }

    fn held(empty: Words, (files, rows): Edges) -> Held {
        let full_rows = Words(from_fn(|i| _mm512_movm_epi8(_mm512_testn_epi8_mask(empty.0[i], empty.0[i]))));
        let some = or(empty, rotate::<8>(empty));
        let some = or(some, rotate::<16>(some));
        let some = or(some, rotate::<32>(some));
        let edge = files | rows;
        let all = everywhere(!0);
        let falling = without(all, along_diagonals::<9, 18, 36>(empty, [NOT_LEFT_FILES, NOT_RIGHT_FILES]));
        let rising = without(all, along_diagonals::<7, 14, 28>(empty, [NOT_RIGHT_FILES, NOT_LEFT_FILES]));
        Held {
            rows: or_with_all(full_rows, files),
            files: or_with_all(without(all, some), rows),
            falling: or_with_all(falling, edge),
            rising: or_with_all(rising, edge),
        }
    }

    /// See the function of the same name for one board.
    fn along_diagonals<const ONE: u32, const TWO: u32, const FOUR: u32>(
        squares: Words,
        [kept_down, kept_up]: [[u64; 3]; 2],
    ) -> Words {
        let down = or(squares, and_with_all(shift_up::<ONE>(squares), kept_down[0]));
        let down = or(down, and_with_all(shift_up::<TWO>(down), kept_down[1]));
        let down = or(down, and_with_all(shift_up::<FOUR>(down), kept_down[2]));
        let up = or(squares, and_with_all(shift_down::<ONE>(squares), kept_up[0]));
        let up = or(up, and_with_all(shift_down::<TWO>(up), kept_up[1]));
        or(down, or(up, and_with_all(shift_down::<FOUR>(up), kept_up[2])))
    }

    /// See the function of the same name for one board.
    fn stable(discs: Words, held: &Held) -> Words {
        let Held { rows, files, falling, rising } = *held;
        let mut stable = and(and(and(rows, files), and(falling, rising)), discs);
        loop {
            let row = ternary::<{ A | B | C }>(rows, shift_up::<1>(stable), shift_down::<1>(stable));
            let file = ternary::<{ A | B | C }>(files, shift_up::<8>(stable), shift_down::<8>(stable));
            let fall = ternary::<{ A | B | C }>(falling, shift_up::<9>(stable), shift_down::<9>(stable));
            let rise = ternary::<{ A | B | C }>(rising, shift_up::<7>(stable), shift_down::<7>(stable));
            let next = and(ternary::<{ A & B & C }>(row, file, fall), and(rise, discs));
            let is_same = (0..WIDTH).all(|i| _mm512_cmpeq_epi64_mask(next.0[i], stable.0[i]) == 0xff);
            if is_same {
                return stable;
            }
            stable = next;
        }
    }
}
