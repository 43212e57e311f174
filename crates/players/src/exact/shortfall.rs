//! The positions in which a player wins less than the best response.

use super::meeting::visit;
use super::response::best_responses;
use super::values::whole;
use super::{ExactError, Fraction, Keep, Known, Values};
use crate::game::{Node, Player};
use crate::players::Explored;

/// A position in which the player's move wins less often than the best response's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortfall {
    /// The position.
    pub number: u32,
    /// The probability that a game reaches it.
    pub chance: Fraction,
    /// The best response's probability to win from here.
    pub best: Fraction,
    /// The same if the player makes this one move and the best response all later ones.
    pub played: Fraction,
    /// The best response's probability to win after each move, in edge order.
    pub moves: Vec<Fraction>,
}

impl Shortfall {
    /// The resulting loss in the probability to win a game. It is negative if the player makes a move that the best
    /// response may not make.
    pub fn cost(&self) -> Fraction {
        &self.chance * (&self.best - &self.played)
    }
}

/// The positions in which a player wins less than the best response to its opponent, most costly first. The costs add
/// up to the difference in the probability to win between the best response and the player.
///
/// # Errors
/// Returns an error if a player does not state its move probabilities.
///
/// # Cost
/// Two passes over all positions, in exact fractions.
///
/// # Example: the shortfalls of `ai12s` against random play
/// ```
/// use shikou::exact::{Fraction, Keep, Known, Values, best_response, meeting, shortfalls};
/// use shikou::game::Player;
/// let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("", 10_000).unwrap();
/// let values = Values::new(all.graph()).unwrap();
/// let [player, random] = [r#"rules(list="ai12s")"#, "random"]
///     .map(|text| Known::new(&all, text, &game.read_searcher(text).unwrap()).unwrap());
/// let (seat, keep) = (Player::FIRST, Keep::Nothing);
/// let missed = shortfalls(&all, [&player, &random], seat, keep, &values).unwrap();
/// let best = best_response(&all, &random, seat, keep, &values).unwrap().win;
/// let sum: Fraction = missed.iter().map(|shortfall| shortfall.cost()).sum();
/// assert_eq!(sum, best - meeting(&all, [&player, &random], seat).unwrap().win);
/// ```
pub fn shortfalls(
    all: &Explored<'_>,
    players: [&Known<'_>; 2],
    seat: Player,
    keep: Keep,
    values: &Values,
) -> Result<Vec<Shortfall>, ExactError> {
    let graph = all.graph();
    let best = best_responses(all, players[seat.other().index()], seat, keep, values)?;
    let mut found = Vec::new();
    visit(graph, players, |number, chance| {
        if graph.node(number) != Node::Player(seat) {
            return Ok(());
        }
        let weights = players[seat.index()].chances(number)?;
        let moves: Vec<Fraction> =
            graph.edges(number).iter().map(|edge| best[edge.to as usize].win.clone()).collect();
        let mut played = whole(0);
        for (win, &weight) in moves.iter().zip(weights) {
            played += win * whole(weight);
        }
        played /= whole(weights.iter().sum::<u64>());
        let best = best[number as usize].win.clone();
        if played != best {
            found.push(Shortfall { number, chance: chance.clone(), best, played, moves });
        }
        Ok(())
    })?;
    found.sort_by_key(|shortfall| std::cmp::Reverse(shortfall.cost()));
    Ok(found)
}
