//! The choices of two players in a position, compared with its exact move values.

use super::{ExactError, Fraction, Known, Values};
use crate::game::{MoveReasons, Node};
use crate::players::Explored;

/// The choices of two players in one position, and the exact values of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The position.
    pub number: u32,
    /// For each player, whether it plays each move with positive probability, in edge order.
    pub choices: [Vec<bool>; 2],
    /// For each player that plays by rules, the scores of the moves and how they arise.
    pub reasons: [Option<Vec<MoveReasons<String>>>; 2],
    /// The value of each move for the player to move, under best play afterwards. Their maximum is the position's value.
    pub values: Vec<Fraction>,
}

impl Judgement {
    /// Judges a position in which a player is to move.
    ///
    /// # Errors
    /// Returns an error if a player does not state its move probabilities.
    ///
    /// # Panics
    /// If the position is not a player's turn.
    pub fn new(
        all: &Explored<'_>,
        two: [&Known<'_>; 2],
        number: u32,
        values: &Values,
    ) -> Result<Self, ExactError> {
        let Node::Player(mover) = all.graph().node(number) else { panic!("it is not a player's turn") };
        let [a, b] = two.map(|player| Ok(player.chances(number)?.iter().map(|&weight| weight > 0).collect()));
        let edges = all.graph().edges(number).iter();
        Ok(Self {
            number,
            choices: [a?, b?],
            reasons: two.map(|player| player.reasons(number)),
            values: edges.map(|edge| values.of(edge.to, mover).clone()).collect(),
        })
    }

    /// Whether the players' sets of possible moves differ.
    pub fn differs(&self) -> bool {
        self.choices[0] != self.choices[1]
    }

    /// The position's value for the player to move.
    pub fn best(&self) -> &Fraction {
        self.values.iter().max().expect("a player's turn has a move")
    }

    /// Whether a player (0 or 1) plays, with positive probability, a move below the position's value.
    pub fn is_mistaken(&self, player: usize) -> bool {
        let played = self.choices[player].iter().zip(&self.values).filter(|(may, _)| **may);
        played.map(|(_, value)| value).any(|value| value < self.best())
    }
}

/// The positions on a line of play from the start, each with the index of its next move among its edges.
///
/// # Panics
/// If a move is not legal in its position.
pub fn steps<'m>(all: &Explored<'_>, moves: impl Iterator<Item = &'m str>) -> Vec<(u32, usize)> {
    let mut number = all.graph().start();
    let step = |mv: &str| {
        let edge = all.moves(number).iter().position(|known| known == mv);
        let step = (number, edge.unwrap_or_else(|| panic!("{mv} is not a legal move of the position")));
        number = all.graph().edges(number)[step.1].to;
        step
    };
    moves.map(step).collect()
}
