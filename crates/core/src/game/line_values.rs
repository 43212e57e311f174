//! Values of whole lines of a solitaire player's moves, and playouts that follow the best lines.
//!
//! The key decision: all lines to the next turn of chance are looked at once, and the best is followed to its end. Rejected: a look at
//! each move, which values most ends again after every move of a line.

use std::ops::ControlFlow;

use super::{Ends, Evaluation, Game, GameExt, Player, Turn};
use crate::rng::PlayoutRng;

/// Values the positions that a solitaire player's moves reach before chance or the end of the game decides: the ends of lines. Single
/// moves are lines too, for an evaluation that knows no longer ones.
///
/// # Laws
/// - What a look finds depends on the game and the position only.
/// - The value of an end depends on the end only, not on the position from which it was looked at.
pub trait LineValues<G: Game> {
    /// Looks at the lines from a position at the player's turn. Returns the value of each end, once: its estimated points, in
    /// [0, 1], or of another evaluation its value. An end that was not looked at closely, because its estimate is lower, has −∞.
    fn look(&mut self, position: &G::Position) -> &[f64];

    /// Whether the last look was at all ends. If not, a look from the next position of a line may find more.
    fn is_whole(&self) -> bool;

    /// An end of the last look.
    fn end(&self, number: usize) -> &G::Position;

    /// The number of moves to an end of the last look.
    fn count_moves(&self, number: usize) -> u32;

    /// The moves to an end of the last look.
    fn moves(&self, number: usize) -> Vec<G::Move>;
}

/// Lines of one move each, by an evaluation that compares moves.
struct MoveValues<'v, G: Game> {
    game: &'v G,
    evaluation: &'v dyn Evaluation<G>,
    ends: Vec<(G::Move, G::Position)>,
    values: Vec<f64>,
}

/// The lines of an evaluation: its [whole lines](Evaluation::lines), else single moves.
pub fn lines_of<'v, G: Game>(evaluation: &'v dyn Evaluation<G>, game: &'v G) -> Box<dyn LineValues<G> + 'v> {
    let moves = || MoveValues { game, evaluation, ends: Vec::new(), values: Vec::new() };
    evaluation.lines(game).unwrap_or_else(|| Box::new(moves()))
}

impl<G: Game> LineValues<G> for MoveValues<'_, G> {
    fn look(&mut self, position: &G::Position) -> &[f64] {
        let Self { game, evaluation, ends, values } = self;
        ends.clear();
        ends.extend(game.children(position));
        values.clear();
        let facts = evaluation.facts();
        evaluation.each_child(game, position, Ends::Known.exact(Player::FIRST), &mut |value| {
            values.push(facts.points(value).unwrap_or(value as f64 * facts.unit));
            ControlFlow::Continue(())
        });
        values
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn end(&self, number: usize) -> &G::Position {
        &self.ends[number].1
    }

    fn count_moves(&self, _number: usize) -> u32 {
        1
    }

    fn moves(&self, number: usize) -> Vec<G::Move> {
        vec![self.ends[number].0]
    }
}

/// Where a playout that follows the best lines ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinePlayout {
    /// The estimated points of the last position, if the game was not played to its end.
    pub estimated: Option<f64>,
    /// The number of plies, those of chance included.
    pub plies: u32,
}

/// The number of the largest value, and whether no other is as large.
fn largest(values: &[f64]) -> (usize, bool) {
    let (mut best, mut alone) = (0, true);
    for (number, &value) in values.iter().enumerate().skip(1) {
        if value > values[best] {
            (best, alone) = (number, true);
        } else if value >= values[best] {
            alone = false;
        }
    }
    (best, alone)
}

pub(super) fn best_move<G: Game>(lines: &mut dyn LineValues<G>, position: &G::Position) -> G::Move {
    let (best, _) = largest(lines.look(position));
    lines.moves(best)[0]
}

/// Plays a solitaire on by the best lines, in place: to its end, or to the end of the line after a number of turns of chance. Each
/// turn of chance takes one draw, and the player's moves take none.
///
/// # Cost
/// One look at each turn of the player. A second one follows if two ends are equally good, because the choice between them may be
/// another one after the first move.
#[inline(never)]
pub fn play_lines<G: Game>(
    game: &G,
    lines: &mut dyn LineValues<G>,
    position: &mut G::Position,
    draws: &mut PlayoutRng,
    turns: u32,
) -> LinePlayout {
    let (mut plies, mut chance) = (0, 0);
    loop {
        match game.turn(position) {
            Turn::Over => return LinePlayout { estimated: None, plies },
            Turn::Chance => {
                let outcome = game.random_outcome(position, draws);
                game.apply(position, outcome);
                plies += 1;
                chance += 1;
            }
            Turn::Player(_) => {
                let values = lines.look(position);
                let (best, alone) = largest(values);
                let estimated = values[best];
                if alone && lines.is_whole() {
                    plies += lines.count_moves(best);
                    *position = *lines.end(best);
                } else {
                    game.apply(position, lines.moves(best)[0]);
                    plies += 1;
                }
                let is_over = || game.turn(position) == Turn::Over;
                if chance >= turns && !is_over() {
                    return LinePlayout { estimated: Some(estimated), plies };
                }
            }
        }
    }
}
