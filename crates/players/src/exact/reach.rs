//! The positions that come up when a player plays one seat against any opponent.

use std::collections::VecDeque;

use super::{ExactError, Known};
use crate::game::{Graph, Node, Player};

/// The positions that can arise, each once, those nearest to the start first.
pub(super) struct Reach {
    pub(super) positions: Vec<u32>,
    /// The position before each, and the index of the edge from there.
    from: Vec<Option<(u32, usize)>>,
}

impl Reach {
    /// The positions that can arise when the player makes any of its possible moves, and the others and chance make any.
    pub(super) fn new(graph: &Graph, player: &Known<'_>, seat: Player) -> Result<Self, ExactError> {
        let mut seen = vec![false; graph.len()];
        seen[graph.start() as usize] = true;
        let mut reach = Self { positions: Vec::new(), from: vec![None; graph.len()] };
        let mut waiting = VecDeque::from([graph.start()]);
        while let Some(number) = waiting.pop_front() {
            reach.positions.push(number);
            let choices: Vec<usize> = if graph.node(number) == Node::Player(seat) {
                player.choices(number)?.collect()
            } else {
                (0..graph.edges(number).len()).collect()
            };
            for edge in choices {
                let to = graph.edges(number)[edge].to;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    reach.from[to as usize] = Some((number, edge));
                    waiting.push_back(to);
                }
            }
        }
        Ok(reach)
    }

    /// A shortest line from the start to a position, as indices of edges.
    pub(super) fn line(&self, number: u32) -> Vec<usize> {
        let before = |&(at, _): &(u32, usize)| self.from[at as usize];
        let mut line: Vec<usize> =
            std::iter::successors(self.from[number as usize], before).map(|(_, edge)| edge).collect();
        line.reverse();
        line
    }
}
