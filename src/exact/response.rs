//! The most that can be got out of a known player.

use super::fraction::whole;
use super::{Expected, Fraction, Known, NoExact, Values};
use crate::game::{Graph, Node, Outcome, Player};
use crate::players::Explored;

/// What a best response must never give away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nothing: it may gamble.
    Nothing,
    /// What the start is worth to it: against best play it would still get that.
    Start,
    /// What any position that it gets into is worth to it.
    EveryPosition,
}

/// What is to be expected of the player that wins most against a known one, from a seat; among those that win as much, of
/// one that draws most.
///
/// # Errors
/// Where the known player cannot state its chances.
///
/// # Cost
/// One pass over all positions, with exact fractions.
///
/// # Example: nobody wins more against a random player than this
/// ```
/// use shikou::exact::{Keep, Known, Values, best_response, percent};
/// use shikou::game::Player;
/// use shikou::players::Registry;
/// let game = Registry::standard().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("", 10_000).unwrap();
/// let random = Known::new(&*all, "random", &"random".parse().unwrap()).unwrap();
/// let values = Values::new(all.graph()).unwrap();
/// let best = best_response(&*all, &random, Player::FIRST, Keep::Nothing, &values).unwrap();
/// let safe = best_response(&*all, &random, Player::FIRST, Keep::EveryPosition, &values).unwrap();
/// assert!(best.win >= safe.win && percent(&safe.loss, 3) == "0.000");
/// ```
pub fn best_response(
    all: &dyn Explored,
    against: &Known<'_>,
    seat: Player,
    keep: Keep,
    values: &Values,
) -> Result<Expected, NoExact> {
    Ok(best_responses(all, against, seat, keep, values)?.pop().expect("there is a start"))
}

/// The same from every position.
pub(super) fn best_responses(
    all: &dyn Explored,
    against: &Known<'_>,
    seat: Player,
    keep: Keep,
    values: &Values,
) -> Result<Vec<Expected>, NoExact> {
    let graph = all.graph();
    let mut best: Vec<Expected> = Vec::with_capacity(graph.len());
    for number in 0..=graph.start() {
        let mean = |weights: &[u64]| mean(graph, number, weights, &best);
        let expected = match graph.node(number) {
            Node::Over(end) => {
                let is = |outcome| whole((end.outcomes[seat.index()] == outcome).into());
                Expected {
                    win: is(Outcome::Win),
                    draw: is(Outcome::Draw),
                    loss: is(Outcome::Loss),
                    score: whole(end.scores[seat.index()].into()),
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
                // Where what was due is lost already, anything may be played: no such player gets there.
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

/// The mean over what is behind a position, by weight.
fn mean(graph: &Graph, number: u32, weights: &[u64], below: &[Expected]) -> Expected {
    let all = Fraction::from_integer(weights.iter().sum::<u64>().into());
    let mut sum = Expected::zero();
    for (edge, &weight) in graph.edges(number).iter().zip(weights).filter(|&(_, &weight)| weight > 0) {
        let weight = Fraction::from_integer(weight.into());
        let part = &below[edge.to as usize];
        sum.win += &part.win * &weight;
        sum.draw += &part.draw * &weight;
        sum.loss += &part.loss * &weight;
        sum.plies += &part.plies * &weight;
        sum.score += &part.score * &weight;
    }
    one_ply_more(Expected {
        win: sum.win / &all,
        draw: sum.draw / &all,
        loss: sum.loss / &all,
        plies: sum.plies / &all,
        score: sum.score / &all,
    })
}

fn one_ply_more(expected: Expected) -> Expected {
    Expected { plies: expected.plies + whole(1), ..expected }
}
