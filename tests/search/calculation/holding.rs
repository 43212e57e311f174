//! The cost of each rule for going up on small decks, by exact expectimax.

use std::collections::BTreeMap;

use shikou::game::{Batch, Game, GameExt, Player, PolicyExt, Turn, Uniform, run_playouts};
use shikou::games::calculation::{Calculation, Deck, Position, Rank, Reward};
use shikou::rng::PlayoutKey;

use super::RULES;

/// The value of a whole game by simple recursion, each position once; the order of the piles does not matter.
pub(super) struct Exact<'g> {
    game: &'g Calculation,
    known: BTreeMap<Vec<u8>, f64>,
}

impl<'g> Exact<'g> {
    pub(super) const fn new(game: &'g Calculation) -> Self {
        Self { game, known: BTreeMap::new() }
    }

    fn key(&self, position: &Position) -> Vec<u8> {
        let mut piles: Vec<Vec<u8>> =
            (1..=self.game.piles()).map(|pile| position.pile(pile).map(Rank::number).collect()).collect();
        piles.sort_unstable();
        let hand = position.hand().map_or(0, Rank::number);
        let mut key = vec![hand];
        key.extend(position.heights());
        for pile in &piles {
            key.push(0);
            key.extend(pile);
        }
        key
    }

    pub(super) fn value(&mut self, position: &Position) -> f64 {
        let game = self.game;
        if game.turn(position) == Turn::Over {
            return game.payoff(position, Player::FIRST).into();
        }
        let key = self.key(position);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let after = |exact: &mut Self, mv| exact.value(&game.after(position, mv));
        let value = if game.turn(position) == Turn::Chance {
            let (mut sum, mut weights) = (0.0, 0.0);
            for (mv, weight) in game.outcomes(position) {
                sum += f64::from(weight) * after(self, mv);
                weights += f64::from(weight);
            }
            sum / weights
        } else {
            game.moves(position).map(|mv| after(self, mv)).fold(f64::NEG_INFINITY, f64::max)
        };
        self.known.insert(key, value);
        value
    }
}

/// The values of a deck under each of the rules, in their order.
fn values(ranks: u8, suits: u8, piles: u8, reward: Reward) -> [f64; 5] {
    RULES.map(|rule| {
        let game = Calculation::default()
            .with_deck(Deck::new(ranks, suits).unwrap())
            .with_piles(piles)
            .with_merged_empty_piles(true)
            .with_reward(reward)
            .with_foundation_rule(rule);
        Exact::new(&game).value(&game.start())
    })
}

/// A card may be held back without loss of anything as long as another of its rank is not up; every stricter rule loses. It is
/// not enough that a card may be held while another of its rank lies buried: a copy in the stock is a reason too.
#[test]
fn each_rule_costs_what_expectimax_says() {
    for (ranks, suits, piles, reward) in [
        (3, 2, 1, Reward::Success),
        (3, 2, 2, Reward::Score),
        (5, 1, 1, Reward::Score),
        (5, 2, 1, Reward::Success),
        (5, 2, 1, Reward::Score),
        (5, 2, 2, Reward::Success),
    ] {
        let [optional, automatic, first, buried, outstanding] = values(ranks, suits, piles, reward);
        let of = format!("{ranks}×{suits}, {piles}: {optional} {automatic} {first} {buried} {outstanding}");
        assert!((optional - outstanding).abs() < 1e-12, "{of}");
        assert!(automatic < first + 1e-12 && first < buried + 1e-12 && buried < optional + 1e-12, "{of}");
        if ranks == 5 && suits == 2 {
            assert!(automatic + 0.005 < first && first + 0.005 < buried && buried + 0.005 < optional, "{of}");
        }
    }
    let [optional, automatic, first, buried, _] = values(5, 2, 2, Reward::Success);
    let found = [optional, automatic, first, buried].map(|value| (value * 1e4).round() / 1e4);
    assert_eq!(found, [0.9919, 0.9657, 0.9766, 0.9843]);
}

/// In the witness that holding pays another card of the rank is buried.
#[test]
fn the_witness_is_won_by_each_rule_that_allows_its_hold() {
    for (rule, expected) in RULES.into_iter().zip([1.0, 1.0 / 3.0, 1.0 / 3.0, 1.0, 1.0]) {
        let game = Calculation::default().with_piles(3).with_foundation_rule(rule);
        let position = game.parse_position(super::WITNESS).unwrap();
        let value = super::expectimax(&game, super::any_move, &position);
        assert!((value - expected).abs() < 1e-12, "{rule:?}: {value}");
    }
}

/// Uniform playouts are those of the plain loop on every path, also under the rules that lanes do not know.
#[test]
fn playouts_keep_to_every_rule() {
    for rule in RULES {
        let game = Calculation::default().with_piles(3).with_foundation_rule(rule);
        let batch = Batch::new(PlayoutKey::new(9), 2000);
        let plain = run_playouts(&game, &Uniform, &game.start(), Player::FIRST, batch);
        assert_eq!(Uniform.playouts(&game, &game.start(), Player::FIRST, batch), plain, "{rule:?}");
    }
}
