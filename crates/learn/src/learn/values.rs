//! The values of positions after moves, by weights of n-tuples or by a network.

use super::environment::{At, Environment, Sight};
use super::input::Inputs;
use super::network::{Network, Scratch};
use super::network_learner::NetworkLearner;
use super::td::Learner;
use crate::game::Player;
use crate::game::tuples::{MOST_SQUARES, Seen, SquareChange};

/// The values of the positions after moves, as logits of the expected points. Each game has its own.
pub(super) struct Values<'l>(By<'l>);

enum By<'l> {
    Tuples {
        learner: &'l Learner,
        /// The last view of each player; of a negated sum both share one.
        views: Box<[View; 2]>,
        /// For each move the index of each place after it.
        rows: Vec<u32>,
    },
    Network {
        network: &'l Network,
        seen: Seen,
        inputs: Inputs,
        scratch: Scratch,
        sums: Vec<f32>,
    },
}

/// A player's view of a position, followed from position to position.
struct View {
    owners: [u8; MOST_SQUARES],
    indices: Vec<u32>,
}

impl<'l> Values<'l> {
    /// The sums of the weights that a learner has learned so far.
    pub(super) fn of_tuples(learner: &'l Learner) -> Self {
        let squares = learner.sum().squares();
        let view = || View {
            owners: [1; MOST_SQUARES],
            indices: learner.sum().indices(&[1; MOST_SQUARES][..squares]),
        };
        Self(By::Tuples { learner, views: Box::new([view(), view()]), rows: Vec::new() })
    }

    /// The values of a network, for all moves of a position at once.
    pub(super) fn of_network(learner: &'l NetworkLearner) -> Self {
        let (network, seen) = (learner.network(), learner.seen);
        let (inputs, scratch) = (Inputs::default(), Scratch::default());
        Self(By::Network { network, seen, inputs, scratch, sums: Vec::new() })
    }

    /// Appends the value for `player` of the position after each move of that player, or after one.
    pub(super) fn after<E>(
        &mut self,
        environment: &dyn Environment<E>,
        player: Player,
        mv: Option<usize>,
        values: &mut Vec<f64>,
    ) {
        match &mut self.0 {
            By::Tuples { learner, views, rows } => {
                let ((viewer, is_negated), sum) = (learner.seen().by(player), learner.sum());
                let View { owners, indices } = &mut views[viewer.index()];
                let (mut now, squares) = ([1; MOST_SQUARES], sum.squares());
                environment.show(viewer, mv.map_or(At::Now, At::After), Sight::Owners(&mut now[..squares]));
                sum.change(indices, &owners[..squares], &now[..squares]);
                *owners = now;
                rows.clear();
                let mut changed = |changes: &[SquareChange]| {
                    let begin = rows.len();
                    rows.extend_from_slice(indices);
                    for &change in changes {
                        sum.shift(&mut rows[begin..], change);
                    }
                };
                match mv {
                    Some(_) => changed(&[]),
                    None => environment.show(viewer, At::Each, Sight::Changes(&mut changed)),
                }
                let first = values.len();
                sum.sums(learner.weights(), rows, values);
                if is_negated {
                    values[first..].iter_mut().for_each(|value| *value = -*value);
                }
            }
            By::Network { network, seen, inputs, scratch, sums } => {
                let (viewer, is_negated) = seen.by(player);
                inputs.clear();
                environment.show(viewer, mv.map_or(At::Each, At::After), Sight::Inputs(inputs));
                sums.clear();
                inputs.values(network, scratch, sums);
                let sign = if is_negated { -1.0 } else { 1.0 };
                values.extend(sums.iter().map(|&value| sign * f64::from(value)));
            }
        }
    }

    /// Appends what was seen after a move of the last call: its number there, 0 of a single move.
    pub(super) fn keep(&mut self, number: usize, seen: &mut Vec<u32>) {
        match &mut self.0 {
            By::Tuples { learner, rows, .. } => {
                let places = learner.sum().places();
                seen.extend_from_slice(&rows[number * places..][..places]);
            }
            By::Network { network, inputs, sums: row, .. } => {
                row.clear();
                inputs.numbers(number, network.inputs(), row);
                seen.extend(row.iter().map(|number| number.to_bits()));
            }
        }
    }
}
