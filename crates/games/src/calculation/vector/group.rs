//! Games side by side, with one byte per game in every register. All take turns of the wheel together.
//!
//! One turn of the wheel is up to two plies of every game: a card is turned if the hand is empty, and the player moves.
//! A change of a pile is requested in one turn and finished at the beginning of the next, so that another group can
//! take its turn in between.

use super::super::start::NEVER;
use super::super::start::Start;
use super::bytes::{
    Bytes, GAMES, Mask, add, add_where, all, both, but_not, choose, either, from_bits, has_bit, is_below,
    less, less_where, look_up, member, store, to_bits, zero,
};
use super::draws::{PlayoutRng, below, no_draws, peek, take};
use super::piles::{NONE, Piles, ask, finish, no_piles, set_piles, top};
use super::rules::{Rules, numbered, open, wanting};

/// Games in step, with one bank of four piles or two.
pub(super) struct Group<const BANKS: usize> {
    /// The stock: for each rank the number of cards up to it that are left.
    sums: [Bytes; 13],
    /// The rank that each foundation wants.
    wanted: [Bytes; 4],
    pub(super) piles: Piles<BANKS>,
    /// The card in hand, 0 for none.
    hand: Bytes,
    /// The cards on the foundations.
    up: Bytes,
    plies: Bytes,
    pub(super) draws: PlayoutRng,
}

/// The moves from tops of piles.
struct Offers<const BANKS: usize> {
    /// The foundations that want each top, as a set.
    sets: [[Bytes; 4]; BANKS],
    numbers: [[Bytes; 4]; BANKS],
    /// The total number of the moves.
    all: Bytes,
}

for_this_path! {
    pub(super) fn nothing<const BANKS: usize>() -> Group<BANKS> {
        Group {
            sums: [zero(); 13],
            wanted: [all(NEVER); 4],
            piles: no_piles(),
            hand: zero(),
            up: zero(),
            plies: zero(),
            draws: no_draws(),
        }
    }

    /// Sets the games with these bits, which must be over, to a position, without their draws.
    pub(super) fn set<const BANKS: usize>(group: &mut Group<BANKS>, start: &Start, bits: u64) {
        let games = from_bits(bits);
        let set = |register: &mut Bytes, byte: u8| *register = choose(games, all(byte), *register);
        for (sums, sum) in group.sums.iter_mut().zip(start.sums) {
            set(sums, sum);
        }
        for (wanted, rank) in group.wanted.iter_mut().zip(start.wanted) {
            set(wanted, rank);
        }
        set(&mut group.hand, start.hand);
        set(&mut group.up, start.up);
        set(&mut group.plies, 0);
        set_piles(&mut group.piles, start, games);
        let mut left = bits;
        while left != 0 {
            group.piles.fill(left.trailing_zeros() as usize, start);
            left &= left - 1;
        }
    }

    /// The bytes that are not 0.
    fn is_some(a: Bytes) -> Mask {
        is_below(zero(), a)
    }

    /// The tops of piles that can go up.
    fn offers<const BANKS: usize>(group: &Group<BANKS>, rules: &Rules) -> Offers<BANKS> {
        let none = [[zero(); 4]; BANKS];
        let mut offers = Offers { sets: none, numbers: none, all: zero() };
        for index in 0..4 * BANKS {
            let set = wanting(rules, &group.wanted, top(&group.piles, index));
            let number = look_up(rules.sizes, set);
            offers.sets[index / 4][index % 4] = set;
            offers.numbers[index / 4][index % 4] = number;
            offers.all = add(offers.all, number);
        }
        offers
    }

    /// Turns a card in the `turning` games, by a pick among the cards. Returns the hands.
    fn turn_card<const BANKS: usize>(
        group: &mut Group<BANKS>,
        rules: &Rules,
        turning: Mask,
        pick: Bytes,
    ) -> Bytes {
        // In the other games, a pick that exceeds all sums.
        let pick = choose(turning, pick, all(127));
        let mut not_passed = zero();
        for sum in &mut group.sums {
            let above = is_below(pick, *sum);
            *sum = less_where(above, *sum, rules.one);
            not_passed = add_where(above, not_passed, rules.one);
        }
        choose(turning, less(all(14), not_passed), group.hand)
    }

    /// Puts a card up on the foundation given as a set, which may be empty.
    fn raise<const BANKS: usize>(group: &mut Group<BANKS>, rules: &Rules, foundation: Bytes) {
        for (index, wanted) in group.wanted.iter_mut().enumerate() {
            let here = has_bit(foundation, 1 << index);
            *wanted = choose(here, look_up(rules.after[index], *wanted), *wanted);
        }
        group.up = add_where(is_some(foundation), group.up, rules.one);
    }

    /// A turn of the wheel: up to two plies in every game, interleaved with eighths of other work. Returns the finished
    /// games as bits.
    pub(super) fn turn<const BANKS: usize>(
        group: &mut Group<BANKS>,
        rules: &Rules,
        meanwhile: impl FnMut(usize),
    ) -> u64 {
        finish(&mut group.piles);
        let offers = offers(group, rules);
        let waste = is_some(offers.all);
        let stock = group.sums[12];
        // The order also holds if tops go up automatically: that takes no draw and precedes the card in hand.
        let turning = but_not(is_some(stock), is_some(group.hand));
        let (first, then) = peek(&group.draws, turning);
        let hand = turn_card(group, rules, turning, below(&first, stock));

        // The number of moves of each kind, in their order: hand up, hand down, tops up.
        let offer_of_hand = wanting(rules, &group.wanted, hand);
        let hand_waits = both(rules.waste_first, waste);
        let from_hand = choose(hand_waits, zero(), look_up(rules.sizes, offer_of_hand));
        let can_go_up = is_some(add(from_hand, offers.all));
        let can_go_down = but_not(is_some(hand), both(rules.up_first, can_go_up));
        let open = open(rules, &group.piles);
        let before_waste = add(from_hand, choose(can_go_down, open.number, zero()));
        let moves = add(before_waste, offers.all);
        let moving = is_some(moves);
        let by_itself = both(rules.automatic, can_go_up);
        let drawing = but_not(moving, by_itself);
        // An automatic move is the first of its kind. Finished games have no pick.
        let pick = choose(drawing, below(&then, moves), choose(by_itself, zero(), all(NONE)));
        take(&mut group.draws, turning, drawing, meanwhile);

        let hand_up = is_below(pick, from_hand);
        let hand_leaves = is_below(pick, before_waste);
        let hand_down = but_not(hand_leaves, hand_up);
        let mut offer = choose(hand_up, offer_of_hand, zero());
        let mut pile = choose(hand_down, numbered(rules, &open, less(pick, from_hand)), all(NONE));
        // The last pile whose first number does not exceed the pick.
        let (mut first_here, mut first_chosen) = (before_waste, zero());
        for index in 0..4 * BANKS {
            let above = is_below(pick, first_here);
            offer = choose(above, offer, offers.sets[index / 4][index % 4]);
            pile = choose(above, pile, all(index as u8));
            first_chosen = choose(above, first_chosen, first_here);
            first_here = add(first_here, offers.numbers[index / 4][index % 4]);
        }
        raise(group, rules, member(offer, less(pick, first_chosen)));
        group.plies = add_where(drawing, add_where(turning, group.plies, rules.one), rules.one);
        group.hand = choose(hand_leaves, zero(), hand);
        ask(&mut group.piles, pile, hand_down, but_not(moving, hand_leaves), hand);
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
