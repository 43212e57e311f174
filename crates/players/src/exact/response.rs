//! The best response to a known player.

use super::values::whole;
use super::{ExactError, Expected, Known, Values};
use crate::game::{Graph, Node, Outcome, Player};
use crate::players::Explored;

/// The constraint on a best response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// None.
    Nothing,
    /// The player must guarantee the value of the start position against best play.
    Start,
    /// The player must keep the value of every position that it reaches.
    EveryPosition,
}

/// The expected result of the strategy that wins most often against a known player, from one seat. Ties in wins are
/// broken by draws.
///
/// # Errors
/// Returns an error if the known player does not state its move probabilities.
///
/// # Cost
/// A pass over all positions, in exact fractions.
///
/// # Example: no player wins more often against random play than this
/// ```
/// use shikou::exact::{Keep, Known, Values, best_response, percent};
/// use shikou::game::Player;
/// let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("", 10_000).unwrap();
/// let random = Known::new(&all, "random", &game.read_searcher("random").unwrap()).unwrap();
/// let values = Values::new(all.graph()).unwrap();
/// let best = best_response(&all, &random, Player::FIRST, Keep::Nothing, &values).unwrap();
/// let safe = best_response(&all, &random, Player::FIRST, Keep::EveryPosition, &values).unwrap();
/// assert!(best.win >= safe.win && percent(&safe.loss, 3) == "0.000");
/// ```
pub fn best_response(
    all: &Explored<'_>,
    against: &Known<'_>,
    seat: Player,
    keep: Keep,
    values: &Values,
) -> Result<Expected, ExactError> {
    Ok(best_responses(all, against, seat, keep, values)?.pop().expect("there is a start"))
}

/// The best response's expected result from every position.
pub(super) fn best_responses(
    all: &Explored<'_>,
    against: &Known<'_>,
    seat: Player,
    keep: Keep,
    values: &Values,
) -> Result<Vec<Expected>, ExactError> {
    let graph = all.graph();
    let mut best: Vec<Expected> = Vec::with_capacity(graph.len());
    for number in 0..=graph.start() {
        let mean = |weights: &[u64]| mean(graph, number, weights, &best);
        let expected = match graph.node(number) {
            Node::Over(end) => {
                let is = |outcome| whole(end.outcomes[seat.index()] == outcome);
                Expected {
                    win: is(Outcome::Win),
                    draw: is(Outcome::Draw),
                    loss: is(Outcome::Loss),
                    margin: whole(end.scores[seat.index()]),
                    ..Expected::zero()
                }
            }
            Node::Chance => {
                mean(&graph.edges(number).iter().map(|edge| edge.weight.into()).collect::<Vec<_>>())
            }
            Node::Player(player) if player != seat => mean(against.chances(number)?),
            Node::Player(_) => {
                let due = match keep {
                    Keep::Nothing => None,
                    Keep::Start => Some(values.of(graph.start(), seat)),
                    Keep::EveryPosition => Some(values.of(number, seat)),
                };
                // If the required value is already lost, any move is allowed: no such player reaches this position.
                let keeps =
                    |to: u32| due.is_none_or(|due| values.of(to, seat) >= due.min(values.of(number, seat)));
                let allowed = graph.edges(number).iter().filter(|edge| keeps(edge.to));
                let chosen = allowed
                    .map(|edge| &best[edge.to as usize])
                    .max_by(|a, b| a.win.cmp(&b.win).then_with(|| a.draw.cmp(&b.draw)));
                one_ply_more(chosen.expect("a best move keeps the value").clone())
            }
        };
        best.push(expected);
    }
    Ok(best)
}

/// The weighted mean over the successors of a position.
fn mean(graph: &Graph, number: u32, weights: &[u64], below: &[Expected]) -> Expected {
    let edges = graph.edges(number).iter().zip(weights);
    one_ply_more(Expected::weighted(edges.map(|(edge, &weight)| (&below[edge.to as usize], weight))))
}

fn one_ply_more(expected: Expected) -> Expected {
    Expected { plies: expected.plies + whole(1), ..expected }
}
