//! Whether two players are the same player.

use super::reach::Reach;
use super::{ExactError, Fraction, Known};
use crate::game::{Node, Player};
use crate::players::Explored;

/// A comparison of the move probabilities of two players in one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sameness {
    /// The decisions that can come up when either of the two plays the seat against any opponent.
    pub decisions: usize,
    /// Those at which their move probabilities differ.
    pub different: usize,
    /// A nearest of these to the start.
    pub first: Option<Difference>,
}

/// A decision at which two players differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The moves from the start to the position, as indices of edges.
    pub line: Vec<usize>,
    /// The position.
    pub number: u32,
    /// For each player, the probability of each move, in edge order.
    pub chances: [Vec<Fraction>; 2],
}

/// Compares two players at every decision that can come up: the opponent may make any move, and chance any outcome.
/// Positions that are mirror images of each other are different decisions.
///
/// # Errors
/// Returns an error if a player does not state its move probabilities.
///
/// # Cost
/// A visit to each position that can come up, for each player.
///
/// # Example: a player that always moves to the centre, and one that does not care
/// ```
/// use shikou::exact::{Known, sameness};
/// use shikou::game::Player;
/// let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("", 10_000).unwrap();
/// let [two, three] = ["ai2", "ai3"].map(|list| game.read_searcher(&format!("rules(list={list:?})")).unwrap());
/// let [two, three] = [two, three].map(|player| Known::new(&all, "it", &player).unwrap());
/// assert_eq!(sameness(&all, [&two, &two], Player::FIRST).unwrap().first, None);
/// let found = sameness(&all, [&two, &three], Player::FIRST).unwrap();
/// assert!(found.first.unwrap().line.is_empty());
/// ```
pub fn sameness(all: &Explored<'_>, two: [&Known<'_>; 2], seat: Player) -> Result<Sameness, ExactError> {
    let graph = all.graph();
    let mut found = Sameness { decisions: 0, different: 0, first: None };
    let mut seen = vec![false; graph.len()];
    for player in two {
        let reach = Reach::new(graph, player, seat)?;
        for &number in &reach.positions {
            if graph.node(number) != Node::Player(seat) || std::mem::replace(&mut seen[number as usize], true)
            {
                continue;
            }
            found.decisions += 1;
            let [a, b] = two.map(|player| shares(player, number));
            let chances = [a?, b?];
            if chances[0] != chances[1] {
                found.different += 1;
                // The first player comes to a nearest one, because up to there the two are the same.
                let line = || reach.line(number);
                found.first.get_or_insert_with(|| Difference { line: line(), number, chances });
            }
        }
    }
    Ok(found)
}

/// The probability of each move.
fn shares(player: &Known<'_>, number: u32) -> Result<Vec<Fraction>, ExactError> {
    let weights = player.chances(number)?;
    let all: u64 = weights.iter().sum();
    Ok(weights.iter().map(|&weight| Fraction::new(weight.into(), all.into())).collect())
}
