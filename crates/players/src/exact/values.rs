//! The value of every position under best play.

use super::Fraction;
use super::fraction::{whole, zero};
use crate::game::{Graph, Node, Player};

/// The expected payoff of every position for each player, under best play by all.
pub struct Values(Vec<[Fraction; 2]>);

/// The payoffs are not zero-sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the payoffs of the two players do not add up to 0, so best play is undefined")]
pub struct ValuesError;

impl Values {
    /// Computes all values: the maximum over the moves of the player to move, the weighted mean at chance turns.
    ///
    /// # Errors
    /// Returns an error if the payoffs of two players do not add up to 0.
    pub fn new(graph: &Graph) -> Result<Self, ValuesError> {
        let mut values: Vec<[Fraction; 2]> = Vec::with_capacity(graph.len());
        for number in 0..=graph.start() {
            let edges = graph.edges(number);
            let value = match graph.node(number) {
                Node::Over(end) => {
                    if graph.players() == 2 && end.payoffs[0] + end.payoffs[1] != 0 {
                        return Err(ValuesError);
                    }
                    end.payoffs.map(|payoff| whole(payoff.into()))
                }
                Node::Player(player) => {
                    let best = edges.iter().max_by(|a, b| {
                        let of = |to: u32| &values[to as usize][player.index()];
                        of(a.to).cmp(of(b.to))
                    });
                    values[best.expect("a player's turn has a move").to as usize].clone()
                }
                Node::Chance => {
                    let all: i64 = edges.iter().map(|edge| i64::from(edge.weight)).sum();
                    let mut sums = [zero(), zero()];
                    for edge in edges {
                        for (sum, value) in sums.iter_mut().zip(&values[edge.to as usize]) {
                            *sum += value * whole(edge.weight.into());
                        }
                    }
                    sums.map(|sum| sum / whole(all))
                }
            };
            values.push(value);
        }
        Ok(Self(values))
    }

    /// The value of a position for a player.
    pub fn of(&self, number: u32, player: Player) -> &Fraction {
        &self.0[number as usize][player.index()]
    }
}
