//! The character of a game, by games of random moves: what may decide which search gains on it.

use std::collections::BTreeMap;

use crate::game::{GameObject, Turn, Value};
use crate::players::AnyGame;
use crate::report::Character;
use crate::rng::{PlayoutKey, PlayoutRng, Stream};
use crate::stats::PairedMoments;

/// Games of random moves, from each of which one position is taken.
const GAMES: u64 = 60;

/// Playouts after each move of such a position.
const PLAYOUTS: u64 = 20;

/// The least number of playouts in which a move is played later, for its mean to count.
const ENOUGH: u32 = 8;

/// The least number of moves of a position for a correlation.
const LEAST: usize = 4;

/// The character of a game, from the same games of random moves each time.
///
/// # Cost
/// About 60 positions × moves × 20 playouts.
pub(super) fn character(game: &dyn AnyGame) -> Character {
    let (game, luck) = (game.object(), Stream::new(0) / "character");
    let (mut moves, mut turns, mut outcomes) = (0, 0, 0);
    let mut correlations = Vec::new();
    for number in 0..GAMES {
        let key = (luck / number).playout_key();
        let mut draws = key.playout(0);
        let (mut at, mut seen) = (game.start(), Vec::new());
        while game.turn(&at) != Turn::Over {
            if let Turn::Player(_) = game.turn(&at) {
                (moves, turns) = (moves + u64::from(game.move_count(&at)), turns + 1);
                seen.push(at.clone());
            } else {
                outcomes += 1;
            }
            at = step(game, &at, &mut draws).0;
        }
        let Some(position) = seen.get(draws.below(seen.len().max(1) as u32) as usize) else { continue };
        correlations.extend(amaf(game, position, key.child(1)));
    }
    let plies = (turns + outcomes).max(1) as f64;
    let mean = correlations.iter().sum::<f64>() / correlations.len() as f64;
    Character {
        branching: moves as f64 / turns.max(1) as f64,
        plies: plies / GAMES as f64,
        chance: outcomes as f64 / plies,
        amaf: (!correlations.is_empty()).then_some(mean),
    }
}

/// A random move or outcome, and the position after it.
fn step(game: &dyn GameObject, at: &Value, draws: &mut PlayoutRng) -> (Value, Value) {
    let is_chance = game.turn(at) == Turn::Chance;
    let mv = if is_chance { game.random_outcome(at, draws) } else { game.random_move(at, draws) };
    (game.after(at, &mv), mv)
}

/// The correlation of both means over the moves of a position; none if the game does not number its moves.
fn amaf(game: &dyn GameObject, position: &Value, key: PlayoutKey) -> Option<f64> {
    let Turn::Player(player) = game.turn(position) else { return None };
    let legal = game.legal(position);
    let mut firsts = Vec::new();
    // By number: the first move of a playout, and the sum and count of payoffs of those in which it is played later.
    let mut later: BTreeMap<u16, (f64, u32)> = BTreeMap::new();
    for (index, (mv, _)) in legal.iter().enumerate() {
        let number = game.move_number(mv)?;
        let mut sum = 0.0;
        for playout in 0..PLAYOUTS {
            let mut draws = key.child(index as u64).playout(playout);
            let (mut at, mut made) = (game.after(position, mv), Vec::new());
            while game.turn(&at) != Turn::Over {
                let turn = game.turn(&at);
                let (next, mv) = step(game, &at, &mut draws);
                if turn == Turn::Player(player) {
                    made.extend(game.move_number(&mv));
                }
                at = next;
            }
            let payoff = f64::from(game.payoff(&at, player));
            sum += payoff;
            made.sort_unstable();
            made.dedup();
            for other in made.into_iter().filter(|&other| other != number) {
                let (sum, count) = later.entry(other).or_default();
                (*sum, *count) = (*sum + payoff, *count + 1);
            }
        }
        firsts.push((number, sum / PLAYOUTS as f64));
    }
    let (mut pairs, mut count) = (PairedMoments::default(), 0);
    for (number, first) in firsts {
        if let Some(&(sum, times)) = later.get(&number).filter(|(_, times)| *times >= ENOUGH) {
            pairs.push(first, sum / f64::from(times));
            count += 1;
        }
    }
    if count >= LEAST { pairs.correlation() } else { None }
}
