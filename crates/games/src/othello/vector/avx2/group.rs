//! Games in step.

use std::arch::x86_64::_pdep_u64;
use std::hint::black_box;

use super::super::work::Lanes;
use super::lines::lines;
use super::play::{Memory, load_all, store_all};
use super::words::{
    GAMES, Words, add, and, and_with_all, down, is_all, is_zero, less, or, up, upside_down, without, zero,
};
use crate::rng::mixing::{GAMMA, mix};

/// All squares except the files a and h. Only discs here can turn over along a row or a diagonal.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Runs of the opponent's discs that end at a disc of the player, named by the direction from that disc.
#[derive(Clone, Copy)]
struct Runs {
    east: Words,
    west: Words,
    south: Words,
    north: Words,
    south_east: Words,
    north_west: Words,
    south_west: Words,
    north_east: Words,
}

/// Games in step. Between plies the moves of the players to move are known and chosen, but not yet made.
pub(super) struct Group {
    pub(super) mine: Words,
    pub(super) theirs: Words,
    runs: Runs,
    /// The chosen squares, as masks and as numbers. For a pass the mask is empty and the number is 64.
    pub(super) chosen: Memory,
    pub(super) squares: Memory,
    /// The counters from which the next words of the draws are mixed.
    counters: Memory,
    /// The words of the draws, with the low half still unused.
    words: Memory,
    plies: u64,
    /// For each game, the number of plies since the last disc.
    idle: Words,
    /// Whether a disc was put in any game at the last ply.
    moved: bool,
}

for_this_path! {
    /// The discs of `theirs` in a run that begins at a disc of `mine`, towards higher squares and towards lower ones:
    /// the parallel-prefix fill of Kogge and Stone.
    fn fill<const BY: i32, const TWICE: i32>(mine: Words, theirs: Words) -> (Words, Words) {
        let mut on = and(theirs, up::<BY>(mine));
        let mut back = and(theirs, down::<BY>(mine));
        let pairs_on = and(theirs, up::<BY>(theirs));
        let pairs_back = down::<BY>(pairs_on);
        on = or(on, and(theirs, up::<BY>(on)));
        back = or(back, and(theirs, down::<BY>(back)));
        for _ in 0..2 {
            on = or(on, and(pairs_on, up::<TWICE>(on)));
            back = or(back, and(pairs_back, down::<TWICE>(back)));
        }
        (on, back)
    }

    /// The fill to the west only.
    fn fill_west(mine: Words, theirs: Words) -> Words {
        let west = and(theirs, down::<1>(mine));
        let west = or(west, and(theirs, down::<1>(west)));
        let pairs = and(theirs, down::<1>(theirs));
        let west = or(west, and(pairs, down::<2>(west)));
        or(west, and(pairs, down::<2>(west)))
    }

    /// The moves, and the runs that they turn over.
    pub(super) fn moves(group: &mut Group, playable: u64) -> Words {
        let Group { mine, theirs, .. } = *group;
        let inner = and_with_all(theirs, INNER_FILES);
        let (south, north) = fill::<8, 16>(mine, theirs);
        let (south_east, north_west) = fill::<9, 18>(mine, inner);
        let (south_west, north_east) = fill::<7, 14>(mine, inner);
        // To the east an addition carries along the runs, and out of them onto the next square.
        let sum_east = add(inner, and(add(mine, mine), inner));
        let east = without(inner, sum_east);
        let west = fill_west(mine, inner);
        group.runs = Runs { east, west, south, north, south_east, north_west, south_west, north_east };
        let reached = or(or(sum_east, down::<1>(west)), or(up::<8>(south), down::<8>(north)));
        let falling = or(up::<9>(south_east), down::<9>(north_west));
        let rising = or(up::<7>(south_west), down::<7>(north_east));
        let reached = or(reached, or(falling, rising));
        and_with_all(without(reached, or(mine, theirs)), playable)
    }

    /// The part of the runs that begins next to the chosen square on a line. A carry runs through it and through all
    /// squares off the line.
    fn onwards(runs: Words, not_line: Words, behind: Words) -> Words {
        without(without(runs, add(or(runs, not_line), behind)), not_line)
    }

    /// Makes the chosen moves, or passes if there is none, and swaps sides.
    pub(super) fn make_moves(group: &mut Group) {
        let Group { mine, theirs, runs, .. } = *group;
        let square = load_all(&group.chosen.0);
        let lines = lines(&group.squares.0);
        let next = add(square, square);
        let south = onwards(runs.north, lines.not_south, next);
        let south_west = onwards(runs.north_east, lines.not_south_west, next);
        let south_east = onwards(runs.north_west, lines.not_south_east, next);
        let east = without(runs.west, add(runs.west, next));
        let north = onwards(upside_down(runs.south), lines.not_north, lines.behind);
        let north_west = onwards(upside_down(runs.south_east), lines.not_north_west, lines.behind);
        let north_east = onwards(upside_down(runs.south_west), lines.not_north_east, lines.behind);
        // To the west: the squares up to the first one that is in no run.
        let mut beyond = without(lines.west, runs.east);
        beyond = or(beyond, down::<1>(beyond));
        beyond = or(beyond, down::<2>(beyond));
        beyond = or(beyond, down::<4>(beyond));
        let west = without(lines.west, beyond);
        let flipped = or(or(or(south, south_west), or(south_east, east)), west);
        let flipped = or(flipped, upside_down(or(or(north, north_west), north_east)));
        group.mine = without(theirs, flipped);
        group.theirs = or(or(mine, flipped), square);
    }

    /// A group without games.
    pub(super) fn nothing() -> Group {
        let none = zero();
        Group {
            mine: zero(),
            theirs: zero(),
            runs: Runs {
                east: none,
                west: none,
                south: none,
                north: none,
                south_east: none,
                north_west: none,
                south_west: none,
                north_east: none,
            },
            chosen: Memory([0; GAMES]),
            squares: Memory([64; GAMES]),
            counters: Memory([0; GAMES]),
            words: Memory([0; GAMES]),
            plies: 0,
            idle: zero(),
            moved: true,
        }
    }

    pub(super) fn begin(group: &mut Group, lanes: &Lanes<GAMES>) {
        // As if the other player had just passed.
        group.mine = load_all(&lanes.theirs);
        group.theirs = load_all(&lanes.mine);
        group.chosen.0 = [0; GAMES];
        group.squares.0 = [64; GAMES];
        group.counters.0 = lanes.counters;
        group.plies = 0;
        group.idle = zero();
        group.moved = true;
    }

    /// Plays one ply in every game. Returns whether any game continues.
    pub(super) fn ply(group: &mut Group, playable: u64) -> bool {
        make_moves(group);
        let moves = moves(group, playable);
        let none = is_zero(moves);
        group.idle = and(less(group.idle, none), none);
        choose(group, moves);
        let moved = !is_all(none);
        let goes_on = group.moved || moved;
        group.moved = moved;
        goes_on
    }

    /// Chooses a move in every game that has one, by the draws of this ply.
    fn choose(group: &mut Group, moves: Words) {
        let mut among = Memory([0; GAMES]);
        store_all(&mut among.0, moves);
        let among = black_box(&among);
        let odd = group.plies % 2 == 1;
        group.plies += 1;
        for game in 0..GAMES {
            let moves = among.0[game];
            let draw = if odd {
                group.words.0[game] & 0xffff_ffff
            } else {
                let word = mix(group.counters.0[game]);
                group.counters.0[game] = group.counters.0[game].wrapping_add(GAMMA);
                group.words.0[game] = word;
                word >> 32
            };
            let chosen = pick(moves, draw);
            group.chosen.0[game] = chosen;
            group.squares.0[game] = u64::from(chosen.trailing_zeros());
        }
    }

    /// The move that a draw picks among some moves; 0 if there are none.
    pub(super) fn pick(moves: u64, draw: u64) -> u64 {
        let pick = (draw * u64::from(moves.count_ones())) >> 32;
        _pdep_u64(1_u64.wrapping_shl(pick as u32), moves)
    }

    /// Ends the games: the results for the players to move at their beginning.
    pub(super) fn end(group: &Group, lanes: &mut Lanes<GAMES>) {
        let (mine, theirs) =
            if group.plies % 2 == 1 { (group.mine, group.theirs) } else { (group.theirs, group.mine) };
        store_all(&mut lanes.mine, mine);
        store_all(&mut lanes.theirs, theirs);
        store_all(&mut lanes.plies, group.idle);
        for plies in &mut lanes.plies {
            *plies = group.plies - *plies;
        }
    }
}
