//! Closed loop, open loop and sampled chance outcomes, compared with the exact values of small decks.

use std::collections::BTreeMap;

use shikou::game::{Game, GameExt, Turn};
use shikou::games::calculation::{Calculation, Deck, Position, Reward};
use shikou::search::{Decision, MoveEstimate, Stop};

use crate::support;

use super::mean;

/// Exact values by simple recursion, each position once.
pub(super) struct Exact<'g> {
    game: &'g Calculation,
    known: BTreeMap<String, f64>,
}

impl<'g> Exact<'g> {
    pub(super) const fn new(game: &'g Calculation) -> Self {
        Self { game, known: BTreeMap::new() }
    }

    pub(super) fn value(&mut self, position: &Position) -> f64 {
        if let Some(&value) = self.known.get(&self.game.position_text(position)) {
            return value;
        }
        let game = self.game;
        let value = match game.turn(position) {
            Turn::Over => game.payoff(position, shikou::game::Player::FIRST).into(),
            Turn::Chance => {
                let children: Vec<(f64, u32)> =
                    game.outcomes(position).map(|(mv, weight)| (self.after(position, mv), weight)).collect();
                mean(children.into_iter())
            }
            Turn::Player(_) => {
                let values: Vec<f64> = game.moves(position).map(|mv| self.after(position, mv)).collect();
                values.into_iter().fold(f64::NEG_INFINITY, f64::max)
            }
        };
        self.known.insert(game.position_text(position), value);
        value
    }

    fn after(&mut self, position: &Position, mv: <Calculation as Game>::Move) -> f64 {
        self.value(&self.game.after(position, mv))
    }
}

type Found = (Decision<<Calculation as Game>::Move>, MoveEstimate<<Calculation as Game>::Move>);

/// A searcher's decision, and its value of the chosen move.
fn decide(spec: &str, game: &Calculation, position: &Position) -> Found {
    let (decision, _) = support::decide(spec, game, position, 1);
    let chosen = *decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
    (decision, chosen)
}

/// The positions of a player with a choice after the first cards of a game: each first card, and each second card
/// after the first move.
fn first_decisions(game: &Calculation) -> Vec<Position> {
    let cards = |position: &Position| game.children(position).map(|(_, child)| child).collect::<Vec<_>>();
    let mut found = cards(&game.start());
    for position in found.clone() {
        let (_, child) = game.children(&position).next().unwrap();
        if game.turn(&child) == Turn::Chance {
            found.extend(cards(&child));
        }
    }
    found.retain(|position| matches!(game.turn(position), Turn::Player(_)) && game.move_count(position) > 1);
    found
}

/// On whole games with small decks: the solver proves the exact value; closed loop converges to it, and its move is best or
/// nearly so; open loop, which cannot depend on the cards drawn so far, has no higher value, and its move
/// is nearly as good.
#[test]
fn open_and_closed_loop_agree_with_the_exact_values_of_small_decks() {
    for (ranks, suits, piles) in [(3, 2, 2), (5, 1, 2), (7, 1, 1)] {
        let game = Calculation::default()
            .with_deck(Deck::new(ranks, suits).unwrap())
            .with_piles(piles)
            .with_reward(Reward::Score);
        let mut exact = Exact::new(&game);
        let positions = first_decisions(&game);
        assert!(positions.len() > 1, "{ranks}×{suits}: {}", positions.len());
        let range = f64::from(game.facts().max_payoff);
        for position in positions {
            let best = exact.value(&position);
            let (proved, chosen) = decide("uct(solver=bounds)@playouts=300000", &game, &position);
            assert_eq!(proved.stop, Stop::Proved);
            assert!((chosen.value - best).abs() < 1e-9, "{position:?}: {chosen:?}, {best}");
            let (_, closed) = decide("uct(selection=ucb1(exploration=0.2))@playouts=20000", &game, &position);
            assert!((closed.value - best).abs() < 0.05 * range, "{position:?}: {closed:?}, {best}");
            assert!(exact.after(&position, closed.mv) > best - 0.02 * range, "{position:?}: {closed:?}");
            let (_, open) = decide("open-loop-uct(exploration=0.2)@playouts=20000", &game, &position);
            assert!(open.value < best + 6.0 * open.standard_error + 1e-9, "{position:?}: {open:?}, {best}");
            assert!(exact.after(&position, open.mv) > best - 0.05 * range, "{position:?}: {open:?}, {best}");
        }
    }
}

/// With one sample there is one future: playouts with the same decisions end equally. With many samples the value is the
/// exact one again.
#[test]
fn sparse_uct_knows_only_its_samples() {
    let game =
        Calculation::default().with_deck(Deck::new(5, 1).unwrap()).with_piles(1).with_reward(Reward::Score);
    let mut exact = Exact::new(&game);
    let mut optimistic = 0;
    for position in first_decisions(&game) {
        let best = exact.value(&position);
        let (_, many) =
            decide("uct(sparse=1000,selection=ucb1(exploration=0.2))@playouts=20000", &game, &position);
        assert!((many.value - best).abs() < 0.2, "{position:?}: {many:?}, {best}");
        // One sample of each card: the value is that of a known stock, an integer.
        let (_, one) =
            decide("uct(sparse=1,selection=ucb1(exploration=0.05))@playouts=20000", &game, &position);
        assert!((one.value - one.value.round()).abs() < 0.1, "{position:?}: {one:?}");
        optimistic += u32::from((one.value - best).abs() > 0.2);
    }
    assert!(optimistic > 0);
}
