//! Games side by side, a byte for each in every register, that turn with the wheel.
//!
//! One turn of the wheel is up to two plies of every game: a card is turned where the hand is empty, and the player
//! moves. A pile's top lies in a register and the cards under it in memory, where the scalar unit exchanges one byte of
//! each game: it puts a covered top down and takes an uncovered one up. What comes back is read at the beginning of the next
//! turn, so that other groups can use the time.

use std::array::from_fn;
use std::hint::black_box;

use super::super::LanePolicy;
use super::super::start::{NEVER, STRIDE, Start};
use super::bytes::{
    Bytes, GAMES, Mask, add, add_where, all, all_if, both, but_not, choose, count_down, count_up, either,
    from_bits, has_bit, is_below, is_equal, less, load, look_up, member, store, table, to_bits, zero,
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
    /// What the exchange gave for it.
    uncovered: Memory,
    /// What lies under the tops.
    stacks: [[[u8; 256]; BANKS]; GAMES],
}

for_this_path! {
    pub(super) fn rules(start: &Start) -> Rules {
        let first = start.policy;
        Rules {
            after: from_fn(|index| table(start.after[index])),
            piles: start.piles,
            merge_empty: start.merge_empty,
            // What goes up by itself goes in the order of the moves, but piles first.
            waste_first: all_if(first == LanePolicy::WasteFirst || start.automatic),
            up_first: all_if(first != LanePolicy::Uniform || start.automatic),
            automatic: all_if(start.automatic),
        }
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
            uncovered: Memory([0; GAMES]),
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
    fn wanting(wanted: &[Bytes; 4], card: Bytes) -> Bytes {
        let mut set = zero();
        for (index, &rank) in wanted.iter().enumerate() {
            set = add_where(is_equal(card, rank), set, all(1 << index));
        }
        set
    }

    /// Where a byte is not 0.
    fn is_some(a: Bytes) -> Mask {
        is_below(zero(), a)
    }

    /// The last move is made on its pile, now that the exchange is over.
    fn finish<const BANKS: usize>(group: &mut Group<BANKS>) {
        let top = choose(group.covered, group.card, load(&group.uncovered.0));
        let by = choose(group.covered, all(STRIDE), all(STRIDE.wrapping_neg()));
        for index in 0..4 * BANKS {
            let here = is_equal(group.pile, all(index as u8));
            let (top_here, place) = (&mut group.tops[index / 4][index % 4], &mut group.places[index / 4][index % 4]);
            *top_here = choose(here, top, *top_here);
            *place = add_where(here, *place, by);
        }
    }

    /// Turns a card of those games: the hand after it.
    fn turn_card<const BANKS: usize>(group: &mut Group<BANKS>, turning: Mask, pick: Bytes) -> Bytes {
        // No sum is above that of another game.
        let pick = choose(turning, pick, all(127));
        let mut left = zero();
        for sum in &mut group.sums {
            let not_passed = is_below(pick, *sum);
            *sum = count_down(not_passed, *sum);
            left = count_up(not_passed, left);
        }
        choose(turning, less(all(14), left), group.hand)
    }

    /// Exchanges a byte of each game's stacks.
    fn exchange<const BANKS: usize>(group: &mut Group<BANKS>, pile: Bytes, lower: Mask) {
        let (mut top, mut place) = (zero(), group.places[0][0]);
        for index in 0..4 * BANKS {
            let here = is_equal(pile, all(index as u8));
            top = choose(here, group.tops[index / 4][index % 4], top);
            place = choose(here, group.places[index / 4][index % 4], place);
        }
        place = add_where(lower, place, all(STRIDE.wrapping_neg()));
        let (mut places, mut banks) = (Memory([0; GAMES]), Memory([0; GAMES]));
        store(&mut places.0, place);
        if BANKS > 1 {
            store(&mut banks.0, choose(is_below(all(3), pile), all(1), zero()));
        }
        store(&mut group.uncovered.0, top);
        // Through memory: taking bytes out of a register would keep busy the ports that are short.
        let (places, banks) = (black_box(&places), black_box(&banks));
        let exchanged = black_box(&mut group.uncovered);
        for game in 0..GAMES {
            let bank = if BANKS > 1 { usize::from(banks.0[game] & 1) } else { 0 };
            let under = &mut group.stacks[game][bank][usize::from(places.0[game])];
            std::mem::swap(under, &mut exchanged.0[game]);
        }
    }

    /// A turn of the wheel: up to two plies in every game. The games that are over, as bits.
    pub(super) fn turn<const BANKS: usize>(group: &mut Group<BANKS>, rules: &Rules) -> u64 {
        finish(group);
        let sizes = table(SIZES);
        let mut offers = [[zero(); 4]; BANKS];
        let mut numbers = [[zero(); 4]; BANKS];
        let mut on_waste = zero();
        for index in 0..4 * BANKS {
            let offer = wanting(&group.wanted, group.tops[index / 4][index % 4]);
            let number = look_up(sizes, offer);
            on_waste = add(on_waste, number);
            (offers[index / 4][index % 4], numbers[index / 4][index % 4]) = (offer, number);
        }
        let waste = is_some(on_waste);

        let stock = group.sums[12];
        let turning = but_not(is_some(stock), either(is_some(group.hand), both(rules.automatic, waste)));
        let (first, then) = peek(&group.draws, turning);
        let hand = turn_card(group, turning, below(&first, stock));

        // How many moves there are of each kind, in their order: hand up, hand down, tops up.
        let offer_of_hand = wanting(&group.wanted, hand);
        let mut from_hand = look_up(sizes, offer_of_hand);
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
                down = count_up(is_open, down);
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
        take(&mut group.draws, turning, drawing);

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
                rank = count_down(is_open, rank);
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
        group.up = count_up(raised, group.up);
        group.plies = count_up(drawing, count_up(turning, group.plies));
        group.card = hand;
        group.hand = choose(no_waste, zero(), hand);
        group.covered = hand_down;
        group.pile = pile;
        exchange(group, pile, but_not(raised, hand_up));
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
