//! Pig: roll a die again and again, or hold. Two players and chance.

use crate::game::options::{OptionDecl, OptionError, Options, Settings, integer, settings};
use crate::game::{Entries, Facts, Game, NamedGame, NamedPolicy, Player, Policy, PositionError, Turn};
use crate::rng::PlayoutRng;

/// The rules. In a turn a player rolls a die, once at least, as often as they like. A 1 ends the turn with nothing; another number is added to the total of the turn,
/// which holding adds to the score. Who first has the target wins.
///
/// # References
/// John Scarne 1945; Neller, Presser 2004, "Optimal play of the dice game Pig", The UMAP Journal 25(1): with best play the first player
/// wins .5306 of the games to 100.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player};
/// use shikou::games::pig::Pig;
/// let game = Pig::new(10);
/// let position = game.follow("roll 6 roll 5 hold").unwrap();
/// assert_eq!(game.drawing(&position), "10 to 0; player 1 has won");
/// assert_eq!(game.payoff(&position, Player::FIRST), 1);
/// assert_eq!(game.drawing(&game.follow("roll 6 roll 1").unwrap()), "0 to 0; player 2 has 0 in this turn");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pig {
    target: u16,
}

/// The scores, the total of the turn, and whether a die is rolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    scores: [u16; 2],
    total: u16,
    to_move: Player,
    is_rolling: bool,
}

/// A decision of a player, or the number of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Roll the die.
    Roll,
    /// Add the total of the turn to the score.
    Hold,
    /// The die shows 1 to 6.
    Die(u8),
}

impl Pig {
    /// The game to this score, 1 to 10 000.
    ///
    /// # Panics
    /// If the target is out of range.
    pub fn new(target: u16) -> Self {
        assert!((1..=10_000).contains(&target), "the target is 1 to 10 000, not {target}");
        Self { target }
    }

    /// The position with these scores and this total of the player to move, before a decision.
    pub const fn position(scores: [u16; 2], total: u16, to_move: Player) -> Position {
        Position { scores, total, to_move, is_rolling: false }
    }
}

impl Game for Pig {
    type Position = Position;
    type Move = Move;
    const ALWAYS: Option<Facts> = Some(Facts::two_player().with_chance());

    fn facts(&self) -> Facts {
        Facts::two_player().with_chance()
    }

    fn start(&self) -> Position {
        Self::position([0; 2], 0, Player::FIRST)
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        // Only who held can have reached the target, and then the other is to move.
        if position.scores[position.to_move.other().index()] >= self.target {
            Turn::Over
        } else if position.is_rolling {
            Turn::Chance
        } else {
            Turn::Player(position.to_move)
        }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let count = if matches!(self.turn(position), Turn::Player(_)) {
            1 + usize::from(position.total > 0)
        } else {
            0
        };
        [Move::Roll, Move::Hold].into_iter().take(count)
    }

    #[inline(always)]
    fn outcomes(&self, position: &Position) -> impl Iterator<Item = (Move, u32)> {
        let sides = if self.turn(position) == Turn::Chance { 6 } else { 0 };
        (1..=sides).map(|side| (Move::Die(side), 1))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        let is_on = matches!(self.turn(position), Turn::Player(_));
        u32::from(is_on) * (1 + u32::from(position.total > 0))
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        if draws.below(1 + u32::from(position.total > 0)) == 0 { Move::Roll } else { Move::Hold }
    }

    #[inline(always)]
    fn random_outcome(&self, _position: &Position, draws: &mut PlayoutRng) -> Move {
        Move::Die(1 + draws.below(6) as u8)
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: Move) {
        match mv {
            Move::Roll => position.is_rolling = true,
            Move::Die(side @ 2..) => {
                position.total = (position.total + u16::from(side)).min(self.target);
                position.is_rolling = false;
            }
            Move::Hold | Move::Die(_) => {
                let held = if mv == Move::Hold { position.total } else { 0 };
                position.scores[position.to_move.index()] += held;
                *position = Self::position(position.scores, 0, position.to_move.other());
            }
        }
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        if player == position.to_move { -1 } else { 1 }
    }

    #[inline(always)]
    fn move_number(&self, mv: Move) -> Option<u16> {
        Some(u16::from(mv == Move::Hold))
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        let Position { scores: [first, second], total, to_move, is_rolling } = *position;
        let sides = (to_move.index() as u128) << 1 | u128::from(is_rolling);
        Some(u128::from(first) << 48 | u128::from(second) << 32 | u128::from(total) << 16 | sides)
    }

    fn notation(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Roll => "roll".into(),
            Move::Hold => "hold".into(),
            Move::Die(side) => side.to_string(),
        }
    }

    fn drawing(&self, position: &Position) -> String {
        let Position { scores: [first, second], total, to_move, is_rolling } = *position;
        let state = match self.turn(position) {
            Turn::Over => format!("{} has won", to_move.other()),
            _ if is_rolling => format!("{to_move} has {total} in this turn, and rolls"),
            _ => format!("{to_move} has {total} in this turn"),
        };
        format!("{first} to {second}; {state}")
    }

    /// The scores, the total of the turn, the side to move (1 or 2), and `roll` if the die rolls: `20 35 12 1`.
    fn position_text(&self, position: &Position) -> Option<String> {
        let Position { scores: [first, second], total, to_move, is_rolling } = *position;
        let roll = if is_rolling { " roll" } else { "" };
        Some(format!("{first} {second} {total} {}{roll}", to_move.index() + 1))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        self.parse_position(text)
            .ok()
            .filter(|_| text.starts_with(|c: char| c.is_ascii_digit()))
            .map(|at| at.to_move)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        use crate::game::GameExt as _;
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.first().is_none_or(|word| word.parse::<u16>().is_err()) {
            return self.follow(text).map_err(|error| PositionError(error.to_string()));
        }
        let read = || {
            let number = |index: usize| words.get(index)?.parse::<u16>().ok();
            let (scores, total) = ([number(0)?, number(1)?], number(2)?);
            let to_move = number(3).filter(|side| (1..=2).contains(side))?;
            let is_rolling = words.get(4).is_some();
            let position =
                Position { is_rolling, ..Self::position(scores, total, Player::new(to_move as u8 - 1)) };
            let has_won = scores.map(|score| score >= self.target);
            let is_possible = total <= self.target
                && words.len() <= 5
                && words.get(4).is_none_or(|word| *word == "roll")
                && !has_won[position.to_move.index()]
                && (!has_won[position.to_move.other().index()] || total == 0 && !is_rolling)
                && scores.iter().all(|&score| score < 2 * self.target);
            is_possible.then_some(position)
        };
        read().ok_or_else(|| {
            PositionError(format!(
                "`{}` is no position: expected the scores of both, the total of the turn, the side to move, 1 or 2, and `roll` if the die \
                 rolls, such as `20 35 12 1`",
                text.escape_debug()
            ))
        })
    }
}

/// Rolls until the turn has this total, or enough to win: holding at 20 is the usual rule of thumb (Neller, Presser 2004).
#[derive(Clone, Copy, Debug)]
pub struct HoldAt(pub u16);

impl HoldAt {
    fn decision(self, game: Pig, position: Position) -> Move {
        let Position { scores, total, to_move, .. } = position;
        let holds = total >= self.0 || scores[to_move.index()] + total >= game.target;
        if holds && total > 0 { Move::Hold } else { Move::Roll }
    }
}

impl Policy<Pig> for HoldAt {
    #[inline(always)]
    fn choose(&self, game: &Pig, position: &Position, _draws: &mut PlayoutRng) -> Move {
        self.decision(*game, *position)
    }

    fn distribution(&self, game: &Pig, position: &Position) -> Vec<(Move, u32)> {
        vec![(self.decision(*game, *position), 1)]
    }
}

settings! {
    struct PigOptions {
        /// the score that wins
        target: u16 = integer(1..=10_000, 100),
    }
}

impl NamedGame for Pig {
    const NAME: &'static str = "pig";
    const ABOUT: &'static str = "roll a die again, or hold: two players and chance";

    fn options() -> Vec<OptionDecl> {
        PigOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let PigOptions { target } = Settings::read(options);
        Ok(Self::new(target))
    }

    fn entries(&self) -> Entries<Self> {
        let about = "rolls until the turn has 20, or enough to win";
        let policies = vec![NamedPolicy::uniform(), NamedPolicy::new("hold-at-20", about, HoldAt(20))];
        Entries { policies, ..Entries::default() }
    }
}
