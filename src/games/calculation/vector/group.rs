//! Games side by side, a byte for each in every register, that turn with the wheel.
//!
//! One turn of the wheel is up to two plies of every game: a card is turned where the hand is empty, and the player
//! moves. A pile's top lies in a register and the cards under it in memory, where the scalar unit exchanges one byte of
//! each game: it puts a covered top down and takes an uncovered one up. A turn only asks for these exchanges. They are
//! made while the other group has its turn, by units that lanes leave idle, and read at the beginning of the next turn.

use std::array::from_fn;
use std::hint::black_box;

use super::super::LanePolicy;
use super::super::start::{NEVER, STRIDE, Start};
use super::bytes::{
    Bytes, GAMES, Mask, add, add_where, all, all_if, both, but_not, choose, either, from_bits, has_bit,
    is_below, is_equal, less, less_where, load, look_up, member, store, table, to_bits, zero,
};
use super::draws::{self, Draws, below, no_draws, peek, take};

/// A byte for each game in memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Memory([u8; GAMES]);

/// The number of members of a set of four.
const SIZES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// No pile.
const NONE: u8 = 255;

/// The rules, in registers.
pub(super) struct Rules {
    /// For each foundation the table of ranks that it wants after each.
    after: [Bytes; 4],
    /// How many piles there are.
    piles: u8,
    merge_empty: bool,
    /// All games, or none: whether a card in hand waits while a pile's top can go up; whether piles wait while any card
    /// can; whether going up is no turn.
    waste_first: Mask,
    up_first: Mask,
    automatic: Mask,
    /// 1 for every game; each bit for every game; and the table of [`SIZES`].
    one: Bytes,
    bits: [Bytes; 4],
    sizes: Bytes,
}

/// Games in step, with one bank of four piles or two.
pub(super) struct Group<const BANKS: usize> {
    /// The stock: for each rank the number of cards up to it that are left.
    sums: [Bytes; 13],
    /// The rank that each foundation wants.
    wanted: [Bytes; 4],
    /// The rank on top of each pile, 0 for none.
    tops: [[Bytes; 4]; BANKS],
    /// Where in its bank each top is put when it is covered.
    places: [[Bytes; 4]; BANKS],
    /// The card in hand, 0 for none.
    hand: Bytes,
    up: Bytes,
    plies: Bytes,
    draws: Draws,
    /// The pile of the last move, or [`NONE`]: its top and its place are yet to be changed.
    pile: Bytes,
    /// Whether it was covered, and by what.
    covered: Mask,
    card: Bytes,
    /// Where the exchange is to be made.
    asked_places: Memory,
    asked_banks: Memory,
    /// The tops to be exchanged, and then what was exchanged for them.
    exchanged: Memory,
    /// What lies under the tops.
    stacks: [[[u8; 256]; BANKS]; GAMES],
}

for_this_path! {
    pub(super) fn rules(start: &Start) -> Rules {
        let first = start.policy;
        // A compiler that knows the numbers would take two operations for one that a mask selects.
        black_box(Rules {
            after: from_fn(|index| table(start.after[index])),
            piles: start.piles,
            merge_empty: start.merge_empty,
            // What goes up by itself goes in the order of the moves, but piles first.
            waste_first: all_if(first == LanePolicy::WasteFirst || start.automatic),
            up_first: all_if(first != LanePolicy::Uniform || start.automatic),
            automatic: all_if(start.automatic),
            one: all(1),
            bits: [1, 2, 4, 8].map(|bit| all(bit)),
            sizes: table(SIZES),
        })
    }

    /// No games.
    pub(super) fn nothing<const BANKS: usize>() -> Group<BANKS> {
        Group {
            sums: [zero(); 13],
            wanted: [all(NEVER); 4],
            tops: [[zero(); 4]; BANKS],
            places: [[zero(); 4]; BANKS],
            hand: zero(),
            up: zero(),
            plies: zero(),
            draws: no_draws(),
            pile: all(NONE),
            covered: all_if(false),
            card: zero(),
            asked_places: Memory([0; GAMES]),
            asked_banks: Memory([0; GAMES]),
            exchanged: Memory([0; GAMES]),
            stacks: [[[0; 256]; BANKS]; GAMES],
        }
    }

    /// Lets the games with these bits begin; each is given the counter of its draws.
    pub(super) fn begin<const BANKS: usize>(
        group: &mut Group<BANKS>,
        start: &Start,
        bits: u64,
        mut counter: impl FnMut(usize) -> u64,
    ) {
        let games = from_bits(bits);
        let set = |register: &mut Bytes, byte: u8| *register = choose(games, all(byte), *register);
        for (sums, sum) in group.sums.iter_mut().zip(start.sums) {
            set(sums, sum);
        }
        for (wanted, rank) in group.wanted.iter_mut().zip(start.wanted) {
            set(wanted, rank);
        }
        for (tops, rank) in group.tops.iter_mut().flatten().zip(start.tops) {
            set(tops, rank);
        }
        for (places, place) in group.places.iter_mut().flatten().zip(start.places) {
            set(places, place);
        }
        set(&mut group.hand, start.hand);
        set(&mut group.up, start.up);
        set(&mut group.plies, 0);
        set(&mut group.pile, NONE);
        // What is still asked for would be exchanged in the stacks of these games.
        let mut asked = load(&group.asked_places.0);
        set(&mut asked, start.places[0]);
        store(&mut group.asked_places.0, asked);
        let mut counters = draws::counters(&group.draws);
        let mut left = bits;
        while left != 0 {
            let game = left.trailing_zeros() as usize;
            *counters.of(game) = counter(game);
            for (stack, bank) in group.stacks[game].iter_mut().zip(&start.banks) {
                stack[..start.depth].copy_from_slice(&bank[..start.depth]);
            }
            left &= left - 1;
        }
        draws::begin(&mut group.draws, games, &counters);
    }

    /// The foundations that want a card: in the low four bits the set, bit 0 for the first.
    fn wanting(rules: &Rules, wanted: &[Bytes; 4], card: Bytes) -> Bytes {
        let mut set = zero();
        for (&rank, &bit) in wanted.iter().zip(&rules.bits) {
            set = add_where(is_equal(card, rank), set, bit);
        }
        set
    }

    /// Where a byte is not 0.
    fn is_some(a: Bytes) -> Mask {
        is_below(zero(), a)
    }

    /// The last move is made on its pile, now that the exchange is over.
    fn finish<const BANKS: usize>(group: &mut Group<BANKS>) {
        let top = choose(group.covered, group.card, load(&group.exchanged.0));
        let by = choose(group.covered, all(STRIDE), all(STRIDE.wrapping_neg()));
        for index in 0..4 * BANKS {
            let here = is_equal(group.pile, all(index as u8));
            let (top_here, place) = (&mut group.tops[index / 4][index % 4], &mut group.places[index / 4][index % 4]);
            *top_here = choose(here, top, *top_here);
            *place = add_where(here, *place, by);
        }
    }

    /// Turns a card of those games: the hand after it.
    fn turn_card<const BANKS: usize>(
        group: &mut Group<BANKS>,
        rules: &Rules,
        turning: Mask,
        pick: Bytes,
    ) -> Bytes {
        // No sum is above that of another game.
        let pick = choose(turning, pick, all(127));
        let mut left = zero();
        for sum in &mut group.sums {
            let not_passed = is_below(pick, *sum);
            *sum = less_where(not_passed, *sum, rules.one);
            left = add_where(not_passed, left, rules.one);
        }
        choose(turning, less(all(14), left), group.hand)
    }

    /// Asks for the exchange that a move needs: the top of each game's pile for what lies under it.
    fn ask<const BANKS: usize>(group: &mut Group<BANKS>, pile: Bytes, lower: Mask) {
        let (mut top, mut place) = (zero(), group.places[0][0]);
        for index in 0..4 * BANKS {
            let here = is_equal(pile, all(index as u8));
            top = choose(here, group.tops[index / 4][index % 4], top);
            place = choose(here, group.places[index / 4][index % 4], place);
        }
        place = add_where(lower, place, all(STRIDE.wrapping_neg()));
        store(&mut group.asked_places.0, place);
        if BANKS > 1 {
            store(&mut group.asked_banks.0, choose(is_below(all(3), pile), all(1), zero()));
        }
        store(&mut group.exchanged.0, top);
    }

    /// An eighth of the exchanges that were asked for.
    pub(super) fn exchange<const BANKS: usize>(group: &mut Group<BANKS>, eighth: usize) {
        const PART: usize = GAMES / 8;
        let Group { asked_places, asked_banks, exchanged, stacks, .. } = group;
        let bytes = &mut exchanged.0.as_chunks_mut::<PART>().0[eighth];
        let places = asked_places.0.as_chunks::<PART>().0[eighth];
        let mut covered = [0; 8];
        covered[..PART].copy_from_slice(bytes);
        // In words, not bytes: there would be too many stores.
        let (mut covered, mut uncovered) = (u64::from_le_bytes(covered), 0);
        for part in 0..PART {
            let game = PART * eighth + part;
            let bank = if BANKS > 1 { usize::from(asked_banks.0[game] & 1) } else { 0 };
            let under = &mut stacks[game][bank][usize::from(places[part])];
            uncovered |= u64::from(*under) << (8 * part);
            *under = covered as u8;
            covered >>= 8;
        }
        bytes.copy_from_slice(&uncovered.to_le_bytes()[..PART]);
    }

    /// A turn of the wheel: up to two plies in every game. The games that are over, as bits.
    pub(super) fn turn<const BANKS: usize>(
        group: &mut Group<BANKS>,
        rules: &Rules,
        meanwhile: impl FnMut(usize),
    ) -> u64 {
        finish(group);
        let mut offers = [[zero(); 4]; BANKS];
        let mut numbers = [[zero(); 4]; BANKS];
        let mut on_waste = zero();
        for index in 0..4 * BANKS {
            let offer = wanting(rules, &group.wanted, group.tops[index / 4][index % 4]);
            let number = look_up(rules.sizes, offer);
            on_waste = add(on_waste, number);
            (offers[index / 4][index % 4], numbers[index / 4][index % 4]) = (offer, number);
        }
        let waste = is_some(on_waste);

        let stock = group.sums[12];
        // Also where tops go up by themselves: that takes no draw, and goes before the card in hand.
        let turning = but_not(is_some(stock), is_some(group.hand));
        let (first, then) = peek(&group.draws, turning);
        let hand = turn_card(group, rules, turning, below(&first, stock));

        // How many moves there are of each kind, in their order: hand up, hand down, tops up.
        let offer_of_hand = wanting(rules, &group.wanted, hand);
        let mut from_hand = look_up(rules.sizes, offer_of_hand);
        from_hand = choose(both(rules.waste_first, waste), zero(), from_hand);
        let can_go_up = is_some(add(from_hand, on_waste));
        let can_go_down = but_not(is_some(hand), both(rules.up_first, can_go_up));
        let mut open = [[all_if(true); 4]; BANKS];
        let mut down = all(rules.piles);
        if rules.merge_empty {
            down = zero();
            let mut was_empty = all_if(false);
            for index in 0..usize::from(rules.piles) {
                let is_taken = is_some(group.tops[index / 4][index % 4]);
                let is_open = either(is_taken, but_not(all_if(true), was_empty));
                was_empty = either(was_empty, but_not(all_if(true), is_taken));
                open[index / 4][index % 4] = is_open;
                down = add_where(is_open, down, rules.one);
            }
        }
        let down = choose(can_go_down, down, zero());
        let before_waste = add(from_hand, down);
        let all_moves = add(before_waste, on_waste);
        let moving = is_some(all_moves);
        let by_itself = both(rules.automatic, can_go_up);
        let drawing = but_not(moving, by_itself);
        // What goes up by itself is the first of its kind. No pick is that of a game that is over.
        let pick = choose(drawing, below(&then, all_moves), choose(by_itself, zero(), all(NONE)));
        take(&mut group.draws, turning, drawing, meanwhile);

        let hand_up = is_below(pick, from_hand);
        let no_waste = is_below(pick, before_waste);
        let hand_down = but_not(no_waste, hand_up);
        let mut pile_down = less(pick, from_hand);
        if rules.merge_empty {
            // The pile with this number among the open ones.
            let mut rank = pile_down;
            for index in 0..usize::from(rules.piles) {
                let is_open = open[index / 4][index % 4];
                let here = both(is_open, is_equal(rank, zero()));
                pile_down = choose(here, all(index as u8), pile_down);
                rank = less_where(is_open, rank, rules.one);
            }
        }
        // The last pile whose first number is not above the pick.
        let mut offer = choose(hand_up, offer_of_hand, zero());
        let mut pile = choose(hand_down, pile_down, all(NONE));
        let (mut first_here, mut first_chosen) = (before_waste, zero());
        for index in 0..4 * BANKS {
            let above = is_below(pick, first_here);
            offer = choose(above, offer, offers[index / 4][index % 4]);
            pile = choose(above, pile, all(index as u8));
            first_chosen = choose(above, first_chosen, first_here);
            first_here = add(first_here, numbers[index / 4][index % 4]);
        }
        let foundation = member(offer, less(pick, first_chosen));
        for (index, wanted) in group.wanted.iter_mut().enumerate() {
            let here = has_bit(foundation, 1 << index);
            *wanted = choose(here, look_up(rules.after[index], *wanted), *wanted);
        }
        let raised = is_some(foundation);
        group.up = add_where(raised, group.up, rules.one);
        group.plies = add_where(drawing, add_where(turning, group.plies, rules.one), rules.one);
        group.card = hand;
        group.hand = choose(no_waste, zero(), hand);
        group.covered = hand_down;
        group.pile = pile;
        ask(group, pile, but_not(raised, hand_up));
        !to_bits(either(moving, turning))
    }

    /// The cards up and the plies of each game.
    pub(super) fn results<const BANKS: usize>(group: &Group<BANKS>) -> [[u8; GAMES]; 2] {
        let mut results = [[0; GAMES]; 2];
        store(&mut results[0], group.up);
        store(&mut results[1], group.plies);
        results
    }
}
