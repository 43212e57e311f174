//! The exact end, and the hints that it uses, compared with plain expectimax.

use std::sync::Arc;

use shikou::game::{Follow, Game, GameExt, Player, Policy, SearchHints, Turn, Uniform, Window};
use shikou::games::calculation::{Calculation, Deck, FoundationRule, Position, Reward, WasteFirst};
use shikou::rng::PlayoutKey;
use shikou::search::{ExactEnd, PolicyPlayer};

use crate::support::ask;

use super::{RULES, holding, loops};

/// The late positions of some games of a policy: at most `cards` cards are left in the stock.
fn late_positions(
    game: &Calculation,
    policy: &dyn Policy<Calculation>,
    cards: u32,
    games: u64,
) -> Vec<Position> {
    let mut found = Vec::new();
    for playout in 0..games {
        let mut draws = PlayoutKey::new(7).playout(playout);
        let mut position = game.start();
        while game.turn(&position) != Turn::Over {
            let mv = match game.turn(&position) {
                Turn::Chance => game.random_outcome(&position, &mut draws),
                _ => policy.choose(game, &position, &mut draws),
            };
            game.apply(&mut position, mv);
            if position.stock_len() <= cards {
                found.push(position);
            }
        }
    }
    found
}

/// The counts of comparisons.
#[derive(Debug, Default)]
struct Compared {
    decisions: u32,
    dead: u32,
    known_dead: u32,
    sure: u32,
    known_sure: u32,
    safe: u32,
}

/// Compares the exact end and all hints with the true values of positions.
fn compare(
    game: &Calculation,
    positions: &[Position],
    mut value: impl FnMut(&Position) -> f64,
    compared: &mut Compared,
) {
    let [low, high] = [game.facts().min_payoff, game.facts().max_payoff].map(f64::from);
    for position in positions {
        let exact = value(position);
        compared.dead += u32::from(exact == low);
        compared.sure += u32::from(exact == high);
        if let Some((least, most)) = game.hints().payoff_bounds(game, position, Window::FULL) {
            assert!((f64::from(least)..=f64::from(most)).contains(&exact), "{position:?}: {exact}");
            compared.known_dead += u32::from(f64::from(most) == low);
            compared.known_sure += u32::from(f64::from(least) == high);
        }
        if !matches!(game.turn(position), Turn::Player(_)) || game.move_count(position) < 2 {
            continue;
        }
        let truth: Vec<_> = game.children(position).map(|(mv, child)| (mv, value(&child))).collect();
        let of = |mv| truth.iter().find(|(other, _)| *other == mv).unwrap().1;
        if let Some(mv) = game.hints().lines().only_move(game, position) {
            assert!((of(mv) - exact).abs() < 1e-12, "{position:?}: {mv}");
            compared.safe += 1;
        }
        let mut player = ExactEnd::new(Box::new(PolicyPlayer::new(Arc::new(Uniform))), 52, 1_000_000);
        let (decision, _) = ask(&mut player, game, position, 1);
        assert_eq!(decision.moves.len(), truth.len(), "it decides by itself");
        assert!((of(decision.chosen) - exact).abs() < 1e-12, "{position:?}: {}", decision.chosen);
        for estimate in &decision.moves {
            assert!(estimate.value > of(estimate.mv) - 1e-12, "{position:?}: {estimate:?}");
            let is_chosen = estimate.mv == decision.chosen;
            assert!(!is_chosen || (estimate.value - exact).abs() < 1e-12, "{position:?}: {estimate:?}");
        }
        compared.decisions += 1;
    }
}

/// On small decks under every rule and reward, against expectimax that merges nothing but equal positions.
#[test]
#[ignore = "long: exact values of 144 small games"]
fn the_exact_end_is_expectimax_on_small_decks() {
    let mut compared = Compared::default();
    for (ranks, suits, piles) in [(3, 2, 1), (3, 2, 2), (5, 1, 2), (5, 2, 1), (5, 2, 2), (5, 3, 2)] {
        for rule in RULES {
            for reward in [Reward::Success, Reward::Score, Reward::Mixture(0.5)] {
                for merge in [false, true] {
                    let game = Calculation::default()
                        .with_deck(Deck::new(ranks, suits).unwrap())
                        .with_piles(piles)
                        .with_foundation_rule(rule)
                        .with_merged_empty_piles(merge)
                        .with_reward(reward);
                    let positions = late_positions(&game, &Uniform, 5, 6);
                    let mut exact = loops::Exact::new(&game);
                    compare(&game, &positions, |position| exact.value(position), &mut compared);
                }
            }
        }
    }
    assert!(compared.decisions > 2000 && compared.safe > 300, "{compared:?}");
    assert!(compared.known_dead > 400 && compared.known_sure > 1000, "{compared:?}");
}

/// On random late positions of a full pack, where a player of rules came far.
#[test]
fn the_exact_end_is_expectimax_on_late_positions_of_a_full_pack() {
    let mut compared = Compared::default();
    for (rule, piles) in [
        (FoundationRule::Optional, 3),
        (FoundationRule::Optional, 4),
        (FoundationRule::Outstanding, 4),
        (FoundationRule::Buried, 4),
        (FoundationRule::First, 3),
    ] {
        let game = Calculation::default().with_piles(piles).with_foundation_rule(rule);
        let positions = late_positions(&game, &WasteFirst, 3, 300);
        let far: Vec<Position> = positions.into_iter().filter(|position| position.cards_up() > 34).collect();
        let mut exact = holding::Exact::new(&game);
        compare(&game, &far, |position| exact.value(position), &mut compared);
    }
    assert!(
        compared.decisions > 200 && compared.known_dead > 100 && compared.known_sure > 20,
        "{compared:?}"
    );
}

/// The witness that holding pays, one card before.
#[test]
fn the_exact_end_holds_where_it_pays() {
    let game = Calculation::default().with_piles(3);
    let mut position = game.parse_position(super::WITNESS).unwrap();
    let nine = game.outcomes(&position).map(|(mv, _)| mv).find(|mv| mv.to_string() == "9").unwrap();
    game.apply(&mut position, nine);
    let mut player = ExactEnd::new(Box::new(PolicyPlayer::new(Arc::new(Uniform))), 3, 10_000);
    let (decision, _) = ask(&mut player, &game, &position, 1);
    let value = |text: &str| {
        let of = |mv| game.notation(&position, mv) == text;
        decision.moves.iter().find(|estimate| of(estimate.mv)).unwrap().value
    };
    assert_eq!(value(&game.notation(&position, decision.chosen)), 1.0);
    assert!(value("f2") < 1.0 || game.payoff(&position, Player::FIRST) == 1, "{decision:?}");
}
