//! The values of positions after moves by weights of n-tuples.

use super::pupil::Values;
use super::td::{Learner, sign};
use super::tuple_sum::TupleSum;
use crate::game::tuples::{Board, MOST_SQUARES, Seen};
use crate::game::{Game, Player};

/// The sums of the weights that were learned so far. What a player sees is followed from position to position.
pub struct TupleValues<'l, G: Game> {
    board: &'l dyn Board<G>,
    learner: &'l Learner,
    /// What each player saw last; of a negated sum both share one.
    views: [View; 2],
    /// For each move the index of each place after it.
    rows: Vec<u32>,
}

/// What a player sees of a position.
struct View {
    owners: [u8; MOST_SQUARES],
    indices: Vec<u32>,
}

impl<'l, G: Game> TupleValues<'l, G> {
    /// The values of a learner's weights.
    ///
    /// # Panics
    /// If the board has more than [`MOST_SQUARES`] squares.
    pub fn new(board: &'l dyn Board<G>, learner: &'l Learner) -> Self {
        let squares = learner.sum().squares();
        let view = || View {
            owners: [1; MOST_SQUARES],
            indices: learner.sum().indices(&[1; MOST_SQUARES][..squares]),
        };
        Self { board, learner, views: [view(), view()], rows: Vec::new() }
    }

    fn seen_by(&self, player: Player) -> Player {
        if self.learner.seen() == Seen::Negation { Player::FIRST } else { player }
    }

    /// Looks at a position as a player sees it.
    fn look(&mut self, game: &G, position: &G::Position, viewer: Player) {
        let (sum, view) = (self.learner.sum(), &mut self.views[viewer.index()]);
        let mut owners = [1; MOST_SQUARES];
        let squares = sum.squares();
        self.board.owners(game, position, viewer, &mut owners[..squares]);
        sum.change(&mut view.indices, &view.owners[..squares], &owners[..squares]);
        view.owners = owners;
    }
}

impl<G: Game> Values<G> for TupleValues<'_, G> {
    type Seen = u32;

    fn after_all(&mut self, game: &G, position: &G::Position, player: Player, values: &mut Vec<f64>) {
        let viewer = self.seen_by(player);
        self.look(game, position, viewer);
        let Self { board, learner, views, rows } = self;
        let (sum, indices) = (learner.sum(), &views[viewer.index()].indices);
        rows.clear();
        board.each_change(game, position, viewer, &mut |changes| {
            let begin = rows.len();
            rows.extend_from_slice(indices);
            for &change in changes {
                sum.shift(&mut rows[begin..], change);
            }
        });
        sum.sums(learner.weights(), rows, values);
        let sign = sign(learner.seen(), player);
        for value in values {
            *value *= sign;
        }
    }

    fn after(&mut self, game: &G, position: &G::Position, player: Player, mv: G::Move) -> f64 {
        let viewer = self.seen_by(player);
        let mut after = *position;
        game.apply(&mut after, mv);
        self.look(game, &after, viewer);
        self.rows.clone_from(&self.views[viewer.index()].indices);
        sign(self.learner.seen(), player) * TupleSum::sum(self.learner.weights(), &self.rows)
    }

    fn keep(&self, number: usize, seen: &mut Vec<u32>) {
        let places = self.learner.sum().places();
        seen.extend_from_slice(&self.rows[number * places..][..places]);
    }
}
