//! Tests of policy gradients.

use std::convert::Infallible;
use std::sync::Arc;

use super::*;
use crate::game::{Facts, Features, Game, GameExt, Turn};
use crate::learn::Input;
use crate::learn::environment::GameEnvironment;

/// A card of value 0, 1 or 2 is turned, and the player names a number from 0 to 2, twice. The game is won with both.
#[derive(Clone)]
struct Guess;

/// The cards turned, the numbers named, and how many were right.
type Seen = ([u8; 2], [u8; 2], u8);

impl Game for Guess {
    type Position = (u8, Seen);
    type Move = u8;

    fn facts(&self) -> Facts {
        Facts::solitaire().with_chance().with_payoffs(0, 1).with_max_plies(4)
    }

    fn start(&self) -> Self::Position {
        (0, ([0; 2], [0; 2], 0))
    }

    fn turn(&self, &(plies, _): &Self::Position) -> Turn {
        match plies {
            4 => Turn::Over,
            0 | 2 => Turn::Chance,
            _ => Turn::Player(Player::FIRST),
        }
    }

    fn moves(&self, &(plies, _): &Self::Position) -> impl Iterator<Item = u8> {
        (0..3).filter(move |_| plies % 2 == 1)
    }

    fn outcomes(&self, &(plies, _): &Self::Position) -> impl Iterator<Item = (u8, u32)> {
        (0..3).filter(move |_| plies % 2 == 0 && plies < 4).map(|card| (card, 1 + u32::from(card)))
    }

    fn apply(&self, (plies, (cards, named, right)): &mut Self::Position, number: u8) {
        let turn = usize::from(*plies / 2);
        if *plies % 2 == 0 {
            cards[turn] = number;
        } else {
            named[turn] = number;
            *right += u8::from(number == cards[turn]);
        }
        *plies += 1;
    }

    fn payoff(&self, &(_, (.., right)): &Self::Position, _: Player) -> i32 {
        i32::from(right == 2)
    }

    fn score(&self, &(_, (.., right)): &Self::Position, _: Player) -> i32 {
        right.into()
    }

    fn notation(&self, _: &Self::Position, number: u8) -> String {
        number.to_string()
    }

    fn drawing(&self, position: &Self::Position) -> String {
        format!("{position:?}")
    }
}

/// A number for each pair of a card and a name, counted over both turns, and one that all moves share.
struct Pairs;

impl Features<Guess> for Pairs {
    fn names(&self, _: &Guess) -> Vec<String> {
        (0..10).map(|pair| pair.to_string()).collect()
    }

    fn values(&self, _: &Guess, &(plies, (cards, named, _)): &(u8, Seen), _: Player, values: &mut [i32]) {
        values.fill(0);
        values[9] = 7;
        for turn in 0..usize::from(plies / 2) {
            values[usize::from(3 * cards[turn] + named[turn])] += 1;
        }
    }
}

const SETTINGS: PolicySettings =
    PolicySettings { optimiser: Optimiser::adam(0.05), last: 0.2, shaping: 0.5, shaped: 0.5 };

fn games(weights: &[f32], group: u64, count: u64) -> Vec<PolicyGame> {
    let input = Input::features(&Guess, Arc::new(Pairs));
    let play = |game| {
        let mut environment = GameEnvironment::<_, Infallible>::new(&Guess, Some(&input));
        play_by_policy(&mut environment, weights, (PlayoutKey::new(group), game), 4).unwrap()
    };
    (0..count).map(play).collect()
}

/// The expected reward of a policy, by enumeration.
fn expected(weights: &[f64], position: (u8, Seen), shaping: f64) -> f64 {
    let children = || Guess.children(&position);
    match Guess.turn(&position) {
        Turn::Over => {
            let (payoff, score) =
                (Guess.payoff(&position, Player::FIRST), Guess.score(&position, Player::FIRST));
            f64::from(payoff) + shaping * f64::from(score)
        }
        Turn::Chance => {
            let chances: Vec<f64> = Guess.outcomes(&position).map(|(_, weight)| f64::from(weight)).collect();
            let sum: f64 = chances.iter().sum();
            children()
                .zip(&chances)
                .map(|((_, child), weight)| weight / sum * expected(weights, child, shaping))
                .sum()
        }
        Turn::Player(player) => {
            let exponential = |child: &(u8, Seen)| {
                let mut values = [0; 10];
                Pairs.values(&Guess, child, player, &mut values);
                values
                    .iter()
                    .zip(weights)
                    .map(|(&value, weight)| f64::from(value) * weight)
                    .sum::<f64>()
                    .exp()
            };
            let sum: f64 = children().map(|(_, child)| exponential(&child)).sum();
            children().map(|(_, child)| exponential(&child) / sum * expected(weights, child, shaping)).sum()
        }
    }
}

/// The mean over many groups is the slope of the expected reward, up to the share by which a mean of eight games that
/// includes the game itself is too small.
#[test]
fn the_gradient_is_that_of_finite_differences() {
    let weights: Vec<f32> = (0..10).map(|number| (number * 7 % 5) as f32 / 5.0 - 0.4).collect();
    let mut learner = PolicyLearner::new(10, PolicySettings { shaped: 1.0, ..SETTINGS });
    learner.weights.copy_from_slice(&weights);
    let groups: Vec<_> = (0..40_000).map(|group| games(&weights, group, 8)).collect();
    for (done, shaping) in [(0.0, 0.5), (0.5, 0.25), (1.0, 0.0)] {
        let found = learner.gradient(&groups, done);
        for (index, found) in found.into_iter().enumerate() {
            let at = |step: f64| {
                let mut moved: Vec<f64> = weights.iter().copied().map(f64::from).collect();
                moved[index] += step;
                expected(&moved, Guess.start(), shaping)
            };
            let slope = (at(1e-4) - at(-1e-4)) / 2e-4;
            let found = -f64::from(found) * 8.0 / 7.0;
            // Five standard errors of 320 000 games, whose terms are at most about 1 in size.
            assert!((found - slope).abs() < 0.004, "{index} at {done}: {found} and {slope}");
        }
    }
    // The check can fail: most slopes are larger than its margin.
    let slopes = learner.gradient(&groups, 1.0);
    assert!(slopes.iter().filter(|slope| slope.abs() > 0.008).count() >= 6, "{slopes:?}");
    assert!(slopes[9].abs() < 1e-6, "what all moves share has no slope: {}", slopes[9]);
}

#[test]
fn a_policy_learns_to_win() {
    let mut learner = PolicyLearner::new(10, SETTINGS);
    let uniform = 1.0 / 9.0;
    let value = |learner: &PolicyLearner| {
        let weights: Vec<f64> = learner.weights().iter().copied().map(f64::from).collect();
        expected(&weights, Guess.start(), 0.0)
    };
    assert!((value(&learner) - uniform).abs() < 1e-9);
    for step in 0..400 {
        let groups: Vec<_> = (0..16).map(|group| games(learner.weights(), 16 * step + group, 8)).collect();
        learner.learn_batch(&groups, |_| step as f64 / 400.0);
    }
    assert!(learner.is_finite() && value(&learner) > 0.95, "{}", value(&learner));
    assert!(!learner.restore(&learner.state()[1..]));
}

#[test]
fn the_games_of_a_group_have_the_same_deal() {
    // With weights that always name 0, all games of a group are alike.
    let mut weights = [0.0; 10];
    for pair in [0, 3, 6] {
        weights[pair] = 1e3;
    }
    for group in 0..50 {
        let games = games(&weights, group, 8);
        assert!(games.iter().all(|game| game.score == games[0].score));
    }
}
