//! What two players may do in a position, and which of it is wrong.

use super::{Fraction, Known, NoExact, Values};
use crate::game::{MoveReasons, Node};
use crate::players::Explored;

/// What two players think of a position in which they may choose differently, and what its moves are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The position.
    pub number: u32,
    /// For each player whether it may play each move, in the order of the edges.
    pub choices: [Vec<bool>; 2],
    /// For each player that goes by rules, the scores of the moves and where they come from.
    pub reasons: [Option<Vec<MoveReasons<String>>>; 2],
    /// What each move is worth to who makes it, under best play from there; what the best is worth, the position is.
    pub values: Vec<Fraction>,
}

impl Judgement {
    /// Asks both players about a position, which is at the turn of a player.
    ///
    /// # Errors
    /// Where one cannot state its chances.
    pub fn new(
        all: &dyn Explored,
        two: [&Known<'_>; 2],
        number: u32,
        values: &Values,
    ) -> Result<Self, NoExact> {
        let Node::Player(mover) = all.graph().node(number) else { panic!("it is not a player's turn") };
        let [a, b] = two.map(|player| Ok(player.chances(number)?.iter().map(|&weight| weight > 0).collect()));
        let edges = all.graph().edges(number).iter();
        Ok(Self {
            number,
            choices: [a?, b?],
            reasons: two.map(|player| player.with(|player| player.reasons(number))),
            values: edges.map(|edge| values.of(edge.to, mover).clone()).collect(),
        })
    }

    /// Whether the two may choose differently.
    pub fn differs(&self) -> bool {
        self.choices[0] != self.choices[1]
    }

    /// What the position is worth to who is to move.
    pub fn best(&self) -> &Fraction {
        self.values.iter().max().expect("a player's turn has a move")
    }

    /// Whether a player, the first or the second, may make a move there that gives value away.
    pub fn is_mistaken(&self, player: usize) -> bool {
        let played = self.choices[player].iter().zip(&self.values).filter(|(may, _)| **may);
        played.map(|(_, value)| value).any(|value| value < self.best())
    }
}

/// The positions that moves from the start lead through, each with the place of its move among its edges.
///
/// # Panics
/// Where a move is not one of the game's.
pub fn steps<'m>(all: &dyn Explored, moves: impl Iterator<Item = &'m str>) -> Vec<(u32, usize)> {
    let mut number = all.graph().start();
    let step = |mv: &str| {
        let edge = all.moves(number).iter().position(|known| known == mv);
        let step = (number, edge.unwrap_or_else(|| panic!("{mv} is not a move of the position")));
        number = all.graph().edges(number)[step.1].to;
        step
    };
    moves.map(step).collect()
}
