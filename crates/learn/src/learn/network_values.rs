//! The values of positions after moves by a network.

use super::input::Input;
use super::network::{Network, Scratch};
use super::pupil::Values;
use crate::game::tuples::Seen;
use crate::game::{Game, Player};

/// The values of a network, for all moves of a position at once.
pub struct NetworkValues<'l, G: Game> {
    input: &'l Input<G>,
    network: &'l Network,
    seen: Seen,
    /// The inputs after each move, one after the other.
    inputs: Vec<f32>,
    /// The inputs that are 1, if all others are 0, and where those of each move end.
    ones: Vec<u16>,
    ends: Vec<usize>,
    scratch: Scratch,
    values: Vec<f32>,
}

impl<'l, G: Game> NetworkValues<'l, G> {
    /// The values of a network of these inputs.
    ///
    /// # Panics
    /// If the network has another number of inputs.
    pub fn new(input: &'l Input<G>, network: &'l Network, seen: Seen) -> Self {
        assert_eq!(network.inputs(), input.width(), "the network takes these inputs");
        let (inputs, ones, ends) = (Vec::new(), Vec::new(), Vec::new());
        Self { input, network, seen, inputs, ones, ends, scratch: Scratch::default(), values: Vec::new() }
    }

    /// Values the positions after some moves.
    fn value(
        &mut self,
        game: &G,
        position: &G::Position,
        player: Player,
        moves: impl Iterator<Item = G::Move>,
    ) -> impl Iterator<Item = f64> {
        let is_negated = self.seen == Seen::Negation && player == Player::SECOND;
        let viewer = if is_negated { Player::FIRST } else { player };
        let Self { input, network, inputs, ones, ends, scratch, values, .. } = self;
        inputs.clear();
        ones.clear();
        ends.clear();
        ends.push(0);
        values.clear();
        for mv in moves {
            let mut after = *position;
            game.apply(&mut after, mv);
            if !input.ones(game, &after, viewer, ones) {
                input.numbers(game, &after, viewer, inputs);
            }
            ends.push(ones.len());
        }
        if inputs.is_empty() {
            let each = ends.windows(2).map(|ends| &ones[ends[0]..ends[1]]);
            network.values_of_ones(each, scratch, values);
        } else {
            network.values(inputs, scratch, values);
        }
        let sign = if is_negated { -1.0 } else { 1.0 };
        values.iter().map(move |&value| sign * f64::from(value))
    }
}

impl<G: Game> Values<G> for NetworkValues<'_, G> {
    type Seen = f32;

    fn after_all(&mut self, game: &G, position: &G::Position, player: Player, values: &mut Vec<f64>) {
        values.extend(self.value(game, position, player, game.moves(position)));
    }

    fn after(&mut self, game: &G, position: &G::Position, player: Player, mv: G::Move) -> f64 {
        self.value(game, position, player, std::iter::once(mv)).next().expect("one move has one value")
    }

    fn keep(&self, number: usize, seen: &mut Vec<f32>) {
        let width = self.input.width();
        if self.inputs.is_empty() {
            let begin = seen.len();
            seen.resize(begin + width, 0.0);
            for &one in &self.ones[self.ends[number]..self.ends[number + 1]] {
                seen[begin + usize::from(one)] = 1.0;
            }
        } else {
            seen.extend_from_slice(&self.inputs[number * width..][..width]);
        }
    }
}
