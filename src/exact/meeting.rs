//! What comes out on average when two known players meet, or one plays alone.

use super::fraction::{whole, zero};
use super::{Fraction, Known, NoExact};
use crate::game::{Graph, Node, Outcome, Player};
use crate::players::Explored;

/// What is to be expected of a game, for the player who was named first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The chance to win; at a solitaire to succeed.
    pub win: Fraction,
    /// The chance of a draw.
    pub draw: Fraction,
    /// The chance to lose.
    pub loss: Fraction,
    /// The mean number of plies, of chance too.
    pub plies: Fraction,
    /// The mean score in the game's unit.
    pub score: Fraction,
}

impl Expected {
    /// Nothing yet.
    pub(super) fn zero() -> Self {
        Self { win: zero(), draw: zero(), loss: zero(), plies: zero(), score: zero() }
    }

    /// Points a game: a win is 1, a draw ½.
    pub fn points(&self) -> Fraction {
        &self.win + &self.draw / whole(2)
    }

    /// The same game as the other player sees it; the score is left as it is.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { win: self.loss, loss: self.win, ..self }
    }

    /// The mean of two games.
    #[must_use]
    pub fn mean(&self, other: &Self) -> Self {
        let mean = |a: &Fraction, b: &Fraction| (a + b) / whole(2);
        Self {
            win: mean(&self.win, &other.win),
            draw: mean(&self.draw, &other.draw),
            loss: mean(&self.loss, &other.loss),
            plies: mean(&self.plies, &other.plies),
            score: mean(&self.score, &other.score),
        }
    }
}

/// What is to be expected when `players` sit in the order of seats; for the player in the seat `whose`.
///
/// # Errors
/// Where a player cannot state its chances.
///
/// # Cost
/// One pass over the positions that can come up, with exact fractions.
///
/// # Example: random play at tic-tac-toe
/// ```
/// use shikou::exact::{Fraction, Known, meeting};
/// use shikou::game::Player;
/// use shikou::players::Registry;
/// let game = Registry::standard().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("", 10_000).unwrap();
/// let random = Known::new(&*all, "random", &"random".parse().unwrap()).unwrap();
/// let expected = meeting(&*all, [&random, &random], Player::FIRST).unwrap();
/// assert_eq!(expected.win, Fraction::new(737.into(), 1260.into()));
/// assert_eq!(expected.plies, Fraction::new(3203.into(), 420.into()));
/// ```
pub fn meeting(all: &dyn Explored, players: [&Known<'_>; 2], whose: Player) -> Result<Expected, NoExact> {
    expected(all.graph(), whose, |player, number| players[player.index()].chances(number))
}

/// What is to be expected of a player at a solitaire.
///
/// # Errors
/// Where it cannot state its chances.
pub fn solo(all: &dyn Explored, player: &Known<'_>) -> Result<Expected, NoExact> {
    meeting(all, [player, player], Player::FIRST)
}

/// The mean over all lines, each with its chance.
fn expected<'k>(
    graph: &Graph,
    whose: Player,
    chances: impl Fn(Player, u32) -> Result<&'k [u64], NoExact>,
) -> Result<Expected, NoExact> {
    let mut expected = Expected::zero();
    visit(graph, chances, |number, chance| {
        let Node::Over(end) = graph.node(number) else {
            expected.plies += chance;
            return Ok(());
        };
        let sum = match end.outcomes[whose.index()] {
            Outcome::Win => &mut expected.win,
            Outcome::Draw => &mut expected.draw,
            Outcome::Loss => &mut expected.loss,
        };
        *sum += chance;
        expected.score += chance * whole(end.scores[whose.index()].into());
        Ok(())
    })?;
    Ok(expected)
}

/// Visits every position that can come up, once and before those behind it, with the chance that a game comes there.
pub(super) fn visit<'k>(
    graph: &Graph,
    chances: impl Fn(Player, u32) -> Result<&'k [u64], NoExact>,
    mut at: impl FnMut(u32, &Fraction) -> Result<(), NoExact>,
) -> Result<(), NoExact> {
    let mut reached: Vec<Option<Fraction>> = vec![None; graph.len()];
    reached[graph.start() as usize] = Some(whole(1));
    for number in (0..=graph.start()).rev() {
        let Some(chance) = reached[number as usize].take() else { continue };
        at(number, &chance)?;
        let edges = graph.edges(number);
        let of_chance: Vec<u64>;
        let weights = match graph.node(number) {
            Node::Over(_) => continue,
            Node::Chance => {
                of_chance = edges.iter().map(|edge| edge.weight.into()).collect();
                &of_chance[..]
            }
            Node::Player(player) => chances(player, number)?,
        };
        let all: u64 = weights.iter().sum();
        for (edge, &weight) in edges.iter().zip(weights).filter(|&(_, &weight)| weight > 0) {
            let part = if weight == all {
                chance.clone()
            } else {
                &chance * Fraction::new(weight.into(), all.into())
            };
            match &mut reached[edge.to as usize] {
                Some(sum) => *sum += part,
                none => *none = Some(part),
            }
        }
    }
    Ok(())
}
