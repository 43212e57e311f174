//! Where a player falls short of the best response.

use super::fraction::zero;
use super::meeting::visit;
use super::response::best_responses;
use super::{Fraction, Keep, Known, NoExact, Values};
use crate::game::{Node, Player};
use crate::players::Explored;

/// A position at which a player wins less than could be won there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortfall {
    /// The position.
    pub number: u32,
    /// The chance that a game comes there.
    pub chance: Fraction,
    /// The chance to win from there of the best response.
    pub best: Fraction,
    /// The same where the player makes this one move, and the best response all that follow.
    pub played: Fraction,
    /// The chance to win behind each move, in the order of the edges, with the best response from there on.
    pub moves: Vec<Fraction>,
}

impl Shortfall {
    /// What it costs: the share of all games that is won less because of it. Below 0 where the player takes what the best
    /// response may not take.
    pub fn cost(&self) -> Fraction {
        &self.chance * (&self.best - &self.played)
    }
}

/// The positions at which a player falls short of the best response to its opponent, the dearest first. Their costs add up
/// to all that the best response wins more.
///
/// # Errors
/// Where a player cannot state its chances.
///
/// # Cost
/// Two passes over all positions, with exact fractions.
///
/// # Example: what `ai12s` misses against random play
/// ```
/// use shikou::exact::{Fraction, Keep, Known, Values, best_response, meeting, shortfalls};
/// use shikou::game::Player;
/// use shikou::players::Registry;
/// let game = Registry::standard().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("", 10_000).unwrap();
/// let values = Values::new(all.graph()).unwrap();
/// let [player, random] = [r#"rules(list="ai12s")"#, "random"]
///     .map(|text| Known::new(&*all, text, &text.parse().unwrap()).unwrap());
/// let (seat, keep) = (Player::FIRST, Keep::Nothing);
/// let missed = shortfalls(&*all, [&player, &random], seat, keep, &values).unwrap();
/// let best = best_response(&*all, &random, seat, keep, &values).unwrap().win;
/// let sum: Fraction = missed.iter().map(|shortfall| shortfall.cost()).sum();
/// assert_eq!(sum, best - meeting(&*all, [&player, &random], seat).unwrap().win);
/// ```
pub fn shortfalls(
    all: &dyn Explored,
    players: [&Known<'_>; 2],
    seat: Player,
    keep: Keep,
    values: &Values,
) -> Result<Vec<Shortfall>, NoExact> {
    let graph = all.graph();
    let best = best_responses(all, players[seat.other().index()], seat, keep, values)?;
    let mut found = Vec::new();
    let chances = |player: Player, number| players[player.index()].chances(number);
    visit(graph, chances, |number, chance| {
        if graph.node(number) != Node::Player(seat) {
            return Ok(());
        }
        let weights = chances(seat, number)?;
        let moves: Vec<Fraction> =
            graph.edges(number).iter().map(|edge| best[edge.to as usize].win.clone()).collect();
        let mut played = zero();
        for (win, &weight) in moves.iter().zip(weights) {
            played += win * Fraction::from_integer(weight.into());
        }
        played /= Fraction::from_integer(weights.iter().sum::<u64>().into());
        let best = best[number as usize].win.clone();
        if played != best {
            found.push(Shortfall { number, chance: chance.clone(), best, played, moves });
        }
        Ok(())
    })?;
    found.sort_by_key(|shortfall| std::cmp::Reverse(shortfall.cost()));
    Ok(found)
}
