//! A solitaire with dice, correct or with one fault in its hints.

use shikou::game::options::{OptionError, Options};
use shikou::game::{Facts, Follow, Game, NamedGame, Player, SearchHints, Turn, Window};

/// The fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: this one conforms.
    None,
    /// The bounds of some open positions say that they are won.
    HighBounds,
    /// The safe move is no move.
    IllegalSafeMove,
    /// The safe move may lose.
    UnsafeMove,
    /// The key of equal values leaves out the height.
    LooseValueKey,
}

/// Wins who climbs eight steps in five turns. A turn: one step, or a throw for none, one or three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiceClimb(pub(crate) Fault);

/// The steps climbed, the turns left, and whether the dice have been thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Climb {
    steps: u8,
    turns: u8,
    thrown: bool,
}

/// The notation of moves and outcomes: 0, 1 and 3 steps, and the throw.
const THROW: u8 = 9;
const GOAL: u8 = 8;

impl Game for DiceClimb {
    type Position = Climb;
    type Move = u8;

    fn facts(&self) -> Facts {
        Facts::solitaire().with_chance()
    }

    fn start(&self) -> Climb {
        Climb { steps: 0, turns: 5, thrown: false }
    }

    fn turn(&self, climb: &Climb) -> Turn {
        match climb.thrown {
            true => Turn::Chance,
            false if climb.turns == 0 => Turn::Over,
            false => Turn::Player(Player::FIRST),
        }
    }

    fn moves(&self, climb: &Climb) -> impl Iterator<Item = u8> {
        let moves: &[u8] = if matches!(self.turn(climb), Turn::Player(_)) { &[1, THROW] } else { &[] };
        moves.iter().copied()
    }

    fn outcomes(&self, climb: &Climb) -> impl Iterator<Item = (u8, u32)> {
        let outcomes: &[(u8, u32)] = if climb.thrown { &[(0, 1), (1, 2), (3, 2)] } else { &[] };
        outcomes.iter().copied()
    }

    fn apply(&self, climb: &mut Climb, mv: u8) {
        climb.thrown = mv == THROW;
        if !climb.thrown {
            climb.steps += mv;
            climb.turns -= 1;
        }
    }

    fn payoff(&self, climb: &Climb, _player: Player) -> i32 {
        i32::from(climb.steps >= GOAL)
    }

    fn notation(&self, _climb: &Climb, mv: u8) -> String {
        if mv == THROW { "throw".into() } else { format!("+{mv}") }
    }

    fn drawing(&self, climb: &Climb) -> String {
        format!("step {}, {} turns left", climb.steps, climb.turns)
    }

    fn hints(&self) -> impl SearchHints<Self> {
        Hints
    }
}

struct Hints;

impl SearchHints<DiceClimb> for Hints {
    fn payoff_bounds(&self, game: &DiceClimb, climb: &Climb, _window: Window) -> Option<(i32, i32)> {
        if climb.steps >= GOAL || climb.steps >= 5 && game.0 == Fault::HighBounds {
            return Some((1, 1));
        }
        Some((0, i32::from(climb.steps + 3 * climb.turns >= GOAL)))
    }

    fn lines(&self) -> impl Follow<DiceClimb, Key = Option<u128>> {
        Hints
    }
}

impl Follow<DiceClimb> for Hints {
    type Key = Option<u128>;

    fn key(&self, game: &DiceClimb, climb: &Climb) -> Option<u128> {
        let steps = if game.0 == Fault::LooseValueKey { 0 } else { climb.steps };
        Some(u128::from(steps) << 8 | u128::from(climb.turns) << 1 | u128::from(climb.thrown))
    }

    fn is_same(&self, _key: Option<u128>, _one: &Climb, _other: &Climb) -> bool {
        true
    }

    fn only_move(&self, game: &DiceClimb, climb: &Climb) -> Option<u8> {
        match game.0 {
            Fault::IllegalSafeMove => Some(3),
            Fault::UnsafeMove => Some(1),
            _ => (climb.steps + climb.turns >= GOAL).then_some(1),
        }
    }
}

impl NamedGame for DiceClimb {
    const NAME: &'static str = "dice-climb";
    const ABOUT: &'static str = "a climb with dice";

    fn with_options(_options: &Options) -> Result<Self, OptionError> {
        Ok(Self(Fault::None))
    }
}
