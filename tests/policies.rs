//! The policies of every game with an evaluation: their probabilities, and their choices.

use std::sync::Arc;

use shikou::game::{
    Best, EpsilonGreedy, Evaluation, Features, Game, GameExt, Linear, NamedGame, Player, Policy, Softmax,
    Turn, Uniform,
};
use shikou::games::calculation::{Calculation, FoundationRule, Order, Waste};
use shikou::games::left_moves::{LeftMoves, Score};
use shikou::games::othello::Othello;
use shikou::players::build;
use shikou::rng::PlayoutKey;

use crate::support::searcher;

/// Positions of random games in which a player has a choice.
fn decisions<G: Game>(game: &G, count: u64) -> Vec<G::Position> {
    let mut found = Vec::new();
    for playout in 0..count {
        let mut draws = PlayoutKey::new(4).playout(playout);
        let mut position = game.start();
        let mut left = 12 + 2 * playout;
        while game.turn(&position) != Turn::Over {
            let chance = game.turn(&position) == Turn::Chance;
            if left == 0 && !chance && game.move_count(&position) > 1 {
                found.push(position);
                break;
            }
            left = left.saturating_sub(1);
            let mv = if chance {
                game.random_outcome(&position, &mut draws)
            } else {
                Uniform.choose(game, &position, &mut draws)
            };
            game.apply(&mut position, mv);
        }
    }
    assert!(found.len() > 5);
    found
}

/// The evaluation of the position after each move, for the player who makes it.
fn values<G: Game>(game: &G, evaluation: &dyn Evaluation<G>, position: &G::Position) -> Vec<f64> {
    let player = match game.turn(position) {
        Turn::Player(player) => player,
        _ => Player::FIRST,
    };
    let value = |(_, child)| match game.turn(&child) {
        Turn::Over => evaluation.finished(game, &child, player) as f64,
        _ => evaluation.evaluate(game, &child, player) as f64,
    };
    game.children(position).map(value).collect()
}

/// The probabilities that a policy states, in the order of the moves.
fn stated<G: Game>(game: &G, policy: &dyn Policy<G>, position: &G::Position) -> Vec<f64> {
    let distribution = policy.distribution(game, position);
    let moves: Vec<G::Move> = game.moves(position).collect();
    assert_eq!(distribution.iter().map(|&(mv, _)| mv).collect::<Vec<_>>(), moves);
    let all: f64 = distribution.iter().map(|&(_, weight)| f64::from(weight)).sum();
    distribution.iter().map(|&(_, weight)| f64::from(weight) / all).collect()
}

/// Fails by chance less than once in 10⁸ a move: six standard errors.
fn assert_chooses<G: Game>(game: &G, policy: &dyn Policy<G>, position: &G::Position, expected: &[f64]) {
    let moves: Vec<G::Move> = game.moves(position).collect();
    let mut counts = vec![0.0; moves.len()];
    let n = 20_000_u32;
    for playout in 0..u64::from(n) {
        let mv = policy.choose(game, position, &mut PlayoutKey::new(6).playout(playout));
        counts[moves.iter().position(|&other| other == mv).unwrap()] += 1.0;
    }
    for (count, &probability) in counts.iter().zip(expected) {
        let error = (f64::from(n) * probability * (1.0 - probability)).sqrt();
        assert!((count - f64::from(n) * probability).abs() <= 6.0 * error + 1.0, "{counts:?}, {expected:?}");
    }
}

fn check_epsilon<G: Game>(game: &G, evaluation: &Arc<dyn Evaluation<G>>) {
    for epsilon in [0.0, 0.25, 1.0] {
        let policy = EpsilonGreedy::new(evaluation.clone(), epsilon);
        for position in decisions(game, 12) {
            let values = values(game, &**evaluation, &position);
            let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let best = values.iter().filter(|&&value| value == largest).count() as f64;
            let expected: Vec<f64> = values
                .iter()
                .map(|&value| {
                    let greedy = if value == largest { (1.0 - epsilon) / best } else { 0.0 };
                    epsilon / values.len() as f64 + greedy
                })
                .collect();
            let found = stated(game, &policy, &position);
            assert!(
                found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9),
                "{found:?}, {expected:?}"
            );
            assert_chooses(game, &policy, &position, &expected);
        }
    }
}

fn check_softmax<G: Game>(game: &G, evaluation: &Arc<dyn Evaluation<G>>, temperature: f64) {
    let policy = Softmax::new(evaluation.clone(), temperature);
    for position in decisions(game, 12) {
        let values = values(game, &**evaluation, &position);
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = values.iter().map(|value| ((value - largest) / temperature).exp()).collect();
        let all: f64 = shares.iter().sum();
        let expected: Vec<f64> = shares.iter().map(|share| share / all).collect();
        let found = stated(game, &policy, &position);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}, {expected:?}");
        assert_chooses(game, &policy, &position, &expected);
    }
}

fn check_best<G: Game>(game: &G, evaluation: &Arc<dyn Evaluation<G>>) {
    let policy = Best::new(evaluation.clone());
    for position in decisions(game, 12) {
        let values = values(game, &**evaluation, &position);
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best = game.moves(&position).nth(values.iter().position(|&value| value == largest).unwrap());
        assert_eq!(policy.distribution(game, &position), [(best.unwrap(), 1)]);
        let (mut draws, mut untouched) = (PlayoutKey::new(6).playout(1), PlayoutKey::new(6).playout(1));
        assert_eq!(Some(policy.choose(game, &position, &mut draws)), best);
        assert_eq!(draws.next_u32(), untouched.next_u32(), "it takes no draw");
    }
}

#[test]
fn best_is_its_definition() {
    let othello = Othello::default();
    check_best(&othello, &othello.entries().evaluations[0].evaluation);
    check_best(&Calculation::default(), &(Arc::new(Order) as Arc<dyn Evaluation<Calculation>>));
}

/// A policy that compares moves without making them chooses as one that makes them.
#[test]
fn policies_of_features_are_their_definition() {
    for rule in [FoundationRule::Optional, FoundationRule::First, FoundationRule::Automatic] {
        let game = Calculation::default().with_piles(3).with_foundation_rule(rule);
        let weights: Vec<f64> =
            (0..Waste.names(&game).len()).map(|place| (place * 7919 % 1000) as f64 / 1000.0).collect();
        let linear = Linear::of_reals(&game, Arc::new(Waste), &weights, 1e-3).unwrap();
        let linear = Arc::new(linear) as Arc<dyn Evaluation<Calculation>>;
        check_softmax(&game, &linear, 500.0);
        check_best(&game, &linear);
    }
}

#[test]
fn epsilon_greedy_is_its_definition() {
    let othello = Othello::default();
    check_epsilon(&othello, &othello.entries().evaluations[0].evaluation);
    check_epsilon(&Calculation::default(), &(Arc::new(Order) as Arc<dyn Evaluation<Calculation>>));
}

#[test]
fn softmax_is_its_definition() {
    let othello = Othello::default();
    check_softmax(&othello, &othello.entries().evaluations[0].evaluation, 2.0);
    check_softmax(&Calculation::default(), &(Arc::new(Order) as Arc<dyn Evaluation<Calculation>>), 5.0);
}

#[test]
fn policies_read_their_options_in_place() {
    let game = Calculation::default();
    let fits = |text: &str| build(&game, &searcher(text)).map(|_| ());
    assert_eq!(fits("policy(policy=softmax(evaluation=order,temperature=4))"), Ok(()));
    assert_eq!(fits("flat(policy=epsilon-greedy(epsilon=0.2))"), Ok(()));
    let error = fits("flat(policy=softmax(evaluation=cads))").unwrap_err().to_string();
    assert_eq!(error, "unknown evaluation `cads`; did you mean `cards`?");
    let game = LeftMoves::new(5, Score::LeftMoves);
    let error = build(&game, &searcher("flat(policy=softmax)")).err().unwrap().to_string();
    assert_eq!(error, "this game has no evaluation, which softmax needs");
}
