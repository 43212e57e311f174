//! Proofs that a player never gives value away, against every reply.

use super::reach::Reach;
use super::{ExactError, Fraction, Known, Values};
use crate::game::{Edge, Graph, Node, Player};
use crate::players::Explored;

/// The result of a proof for a player in one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The value of the start position for the player.
    pub value: Fraction,
    /// The number of positions that can arise in its games, at any turn.
    pub positions: usize,
    /// The number of these in which it is to move.
    pub decisions: usize,
    /// The shortest line to a move that gives value away; `None` if there is none.
    pub counterexample: Option<Counterexample>,
}

/// A move that gives value away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The moves from the start to the position, as indices of edges.
    pub line: Vec<usize>,
    /// The position, in which the player is to move.
    pub number: u32,
    /// The move, as an index of an edge.
    pub mistake: usize,
    /// The value of the position for the player.
    pub before: Fraction,
    /// The value after the move.
    pub after: Fraction,
    /// Best play by both players afterwards, as indices of edges. It ends at a chance turn or at the end of the game.
    pub refutation: Vec<usize>,
}

/// Checks every position that can arise when the player makes any of its possible moves and the others make any move.
/// With `every_position`, no move may lower the value of the position it is played in. Without it, no move may lead
/// below the value of the start position, so the player always gets at least that value.
///
/// # Errors
/// Returns an error if the player does not state its move probabilities.
///
/// # Cost
/// A visit to each such position, breadth first, so the counterexample is a shortest one. The search continues after
/// a counterexample, so that the counts are totals.
pub fn prove(
    all: &Explored<'_>,
    player: &Known<'_>,
    seat: Player,
    every_position: bool,
    values: &Values,
) -> Result<Proof, ExactError> {
    let graph = all.graph();
    let reach = Reach::new(graph, player, seat)?;
    let value = values.of(graph.start(), seat);
    let positions = reach.positions.len();
    let mut proof = Proof { value: value.clone(), positions, decisions: 0, counterexample: None };
    for &number in reach.positions.iter().filter(|&&number| graph.node(number) == Node::Player(seat)) {
        proof.decisions += 1;
        let due = if every_position { values.of(number, seat) } else { value };
        for edge in player.choices(number)? {
            let to = graph.edges(number)[edge].to;
            if proof.counterexample.is_none() && values.of(to, seat) < due {
                proof.counterexample = Some(Counterexample {
                    line: reach.line(number),
                    number,
                    mistake: edge,
                    before: values.of(number, seat).clone(),
                    after: values.of(to, seat).clone(),
                    refutation: best_play(graph, to, values),
                });
            }
        }
    }
    Ok(proof)
}

/// Best play from a position until a chance turn or the end.
fn best_play(graph: &Graph, from: u32, values: &Values) -> Vec<usize> {
    let mut line = Vec::new();
    let mut at = from;
    while let Node::Player(player) = graph.node(at) {
        let is_best = |edge: &Edge| values.of(edge.to, player) == values.of(at, player);
        let edge = graph.edges(at).iter().position(is_best).expect("some move is best");
        line.push(edge);
        at = graph.edges(at)[edge].to;
    }
    line
}
