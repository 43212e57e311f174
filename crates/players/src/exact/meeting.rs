//! The expected result of two known players, or of one at a solitaire.

use super::values::whole;
use super::{ExactError, Fraction, Known};
use crate::game::{Graph, Node, Outcome, Player};
use crate::players::Explored;

/// The expected result of a game for one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The probability of a win; at a solitaire, of success.
    pub win: Fraction,
    /// The probability of a draw.
    pub draw: Fraction,
    /// The probability of a loss.
    pub loss: Fraction,
    /// The mean number of plies, including chance outcomes.
    pub plies: Fraction,
    /// The mean margin in the game's unit.
    pub margin: Fraction,
}

impl Expected {
    pub(super) fn zero() -> Self {
        let [win, draw, loss, plies, margin] = std::array::from_fn(|_| whole(0));
        Self { win, draw, loss, plies, margin }
    }

    /// The expected points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> Fraction {
        &self.win + &self.draw / whole(2)
    }

    /// The result for the other player. The margin is unchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { win: self.loss, loss: self.win, ..self }
    }

    /// The mean of two results.
    #[must_use]
    pub fn mean(&self, other: &Self) -> Self {
        Self::weighted([(self, 1), (other, 1)])
    }

    /// The mean of results with weights, not all of which are 0.
    pub(super) fn weighted<'e>(terms: impl IntoIterator<Item = (&'e Self, u64)>) -> Self {
        let (mut sum, mut all) = (Self::zero(), 0);
        for (term, weight) in terms.into_iter().filter(|&(_, weight)| weight > 0) {
            all += weight;
            let weight = Fraction::from_integer(weight.into());
            for (sum, part) in sum.parts_mut().into_iter().zip(term.parts()) {
                *sum += part * &weight;
            }
        }
        let all = Fraction::from_integer(all.into());
        sum.parts_mut().into_iter().for_each(|part| *part /= &all);
        sum
    }

    fn parts(&self) -> [&Fraction; 5] {
        [&self.win, &self.draw, &self.loss, &self.plies, &self.margin]
    }

    fn parts_mut(&mut self) -> [&mut Fraction; 5] {
        [&mut self.win, &mut self.draw, &mut self.loss, &mut self.plies, &mut self.margin]
    }
}

/// The expected result for the player in seat `whose`; `players` are in seat order. A solitaire asks the first alone.
///
/// # Errors
/// Returns an error if a player does not state its move probabilities.
///
/// # Cost
/// A pass over the reachable positions, in exact fractions.
///
/// # Example: random play at tic-tac-toe
/// ```
/// use shikou::exact::{Fraction, Known, meeting};
/// use shikou::game::Player;
/// let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
/// let all = game.explore("", 10_000).unwrap();
/// let random = Known::new(&all, "random", &game.read_searcher("random").unwrap()).unwrap();
/// let expected = meeting(&all, [&random, &random], Player::FIRST).unwrap();
/// assert_eq!(expected.win, Fraction::new(737.into(), 1260.into()));
/// assert_eq!(expected.plies, Fraction::new(3203.into(), 420.into()));
/// ```
pub fn meeting(all: &Explored<'_>, players: [&Known<'_>; 2], whose: Player) -> Result<Expected, ExactError> {
    let (graph, mut expected) = (all.graph(), Expected::zero());
    visit(graph, players, |number, chance| {
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
        expected.margin += chance * whole(end.scores[whose.index()]);
        Ok(())
    })?;
    Ok(expected)
}

/// Visits every reachable position once, before its successors, with the probability that a game reaches it.
pub(super) fn visit(
    graph: &Graph,
    players: [&Known<'_>; 2],
    mut at: impl FnMut(u32, &Fraction) -> Result<(), ExactError>,
) -> Result<(), ExactError> {
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
            Node::Player(player) => players[player.index()].chances(number)?,
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
