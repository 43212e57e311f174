//! Whether a player ever gives value away: every play of it that has a chance, against every reply.

use std::collections::VecDeque;

use super::{Fraction, Known, NoExact, Values};
use crate::game::{Edge, Graph, Node, Player};
use crate::players::Explored;

/// What was proved of a player in a seat, or what refutes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What the start is worth to it under best play.
    pub value: Fraction,
    /// How many positions can come up when it plays, of any turn.
    pub positions: usize,
    /// In how many of them it is to move.
    pub decisions: usize,
    /// The shortest way to a move that gives value away; `None`: there is none.
    pub counterexample: Option<Counterexample>,
}

/// A move that gives value away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The moves from the start to the position, as places among its edges.
    pub line: Vec<usize>,
    /// The position in which the player is to move.
    pub number: u32,
    /// Its move, as a place among the edges.
    pub mistake: usize,
    /// What the position was worth to it.
    pub before: Fraction,
    /// What it is worth behind the move.
    pub after: Fraction,
    /// Best play of both from there to the end, as places among edges; at chance's turn it stops.
    pub refutation: Vec<usize>,
}

/// Looks at every position that can come up when a player sits in a seat and plays as it may, and all others play
/// anything. With `every_position` no move may lose what the position before was worth under best play; without, none may
/// lead to less than the start was worth, so that the player always gets at least that.
///
/// # Errors
/// Where the player cannot state its chances.
///
/// # Cost
/// Each such position once, nearest to the start first, so that a counterexample is as short as can be; behind it the walk
/// goes on, so that the counts are totals.
pub fn prove(
    all: &dyn Explored,
    player: &Known<'_>,
    seat: Player,
    every_position: bool,
    values: &Values,
) -> Result<Proof, NoExact> {
    let graph = all.graph();
    let start = graph.start();
    let mut from: Vec<Option<(u32, usize)>> = vec![None; graph.len()];
    let mut seen = vec![false; graph.len()];
    seen[start as usize] = true;
    let mut waiting = VecDeque::from([start]);
    let mut proof =
        Proof { value: values.of(start, seat).clone(), positions: 0, decisions: 0, counterexample: None };
    while let Some(number) = waiting.pop_front() {
        proof.positions += 1;
        let is_its_turn = graph.node(number) == Node::Player(seat);
        let choices: Vec<usize> = if is_its_turn {
            player.choices(number)?.collect()
        } else {
            (0..graph.edges(number).len()).collect()
        };
        proof.decisions += usize::from(is_its_turn);
        let due = if every_position { values.of(number, seat) } else { values.of(start, seat) };
        for edge in choices {
            let to = graph.edges(number)[edge].to;
            if is_its_turn && proof.counterexample.is_none() && values.of(to, seat) < due {
                proof.counterexample = Some(Counterexample {
                    line: line(&from, number),
                    number,
                    mistake: edge,
                    before: values.of(number, seat).clone(),
                    after: values.of(to, seat).clone(),
                    refutation: best_play(graph, to, values),
                });
            }
            if !seen[to as usize] {
                seen[to as usize] = true;
                from[to as usize] = Some((number, edge));
                waiting.push_back(to);
            }
        }
    }
    Ok(proof)
}

/// The way to a position.
fn line(from: &[Option<(u32, usize)>], number: u32) -> Vec<usize> {
    let mut line = Vec::new();
    let mut at = number;
    while let Some((before, edge)) = from[at as usize] {
        line.push(edge);
        at = before;
    }
    line.reverse();
    line
}

/// Best play of all from a position on, as long as players decide.
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
