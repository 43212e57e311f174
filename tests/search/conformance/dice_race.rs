//! A race with dice, correct or with one fault in its chance turns.

use std::sync::Arc;

use shikou::game::options::{OptionError, Options};
use shikou::game::{Entries, Facts, Game, NamedGame, PlainBoard, Player, Symmetry, Turn};
use shikou::rng::PlayoutRng;

/// The fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: this one conforms.
    None,
    /// The facts say that chance has no turn.
    ChanceDenied,
    /// An outcome has the weight 0.
    ZeroWeight,
    /// The weights sum to 2³² and more.
    HeavyWeights,
    /// An outcome is listed twice.
    DuplicateOutcome,
    /// A chance turn has no outcomes late in the game.
    NoOutcomes,
    /// The player may move at a chance turn.
    MovesForChance,
    /// Chance outcomes are listed at a player's turn.
    OutcomesForPlayers,
    /// `random_outcome` ignores the weights.
    UnweightedOutcome,
    /// `random_outcome` takes two draws.
    TwoDraws,
    /// The pieces go in opposite directions, and both players see the board alike.
    SharedView,
    /// Nothing: the second player's piece leaps over its row, so no view of the board makes the directions alike.
    UnlikeSides,
}

/// The first to reach ten wins. A turn: one step, or a throw for none, one or three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiceRace(pub(crate) Fault);

/// The progress of both, the player to move, and whether the dice have been thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Track {
    steps: [u8; 2],
    to_move: Player,
    thrown: bool,
}

/// The notation of moves and outcomes: 0, 1 and 3 steps, and the throw.
const THROW: u8 = 9;
const GOAL: u8 = 10;

/// The squares of each row of the board, the one row for the first player's piece, which goes to the right, and the other for the
/// second's, which goes to the left.
const ROW: usize = 13;

impl DiceRace {
    fn has(self, fault: Fault) -> bool {
        self.0 == fault
    }
}

impl Game for DiceRace {
    type Position = Track;
    type Move = u8;

    fn facts(&self) -> Facts {
        let facts = Facts::two_player();
        if self.has(Fault::ChanceDenied) { facts } else { facts.with_chance() }
    }

    fn start(&self) -> Track {
        Track { steps: [0, 0], to_move: Player::FIRST, thrown: false }
    }

    fn turn(&self, track: &Track) -> Turn {
        match track.thrown {
            true => Turn::Chance,
            false if track.steps[track.to_move.other().index()] >= GOAL => Turn::Over,
            false => Turn::Player(track.to_move),
        }
    }

    fn moves(&self, track: &Track) -> impl Iterator<Item = u8> {
        let moves: &[u8] = match self.turn(track) {
            Turn::Player(_) => &[1, THROW],
            Turn::Chance if self.has(Fault::MovesForChance) => &[1],
            _ => &[],
        };
        moves.iter().copied()
    }

    fn outcomes(&self, track: &Track) -> impl Iterator<Item = (u8, u32)> {
        let late = track.steps[track.to_move.index()] > 6;
        let outcomes: &[(u8, u32)] = match (self.turn(track), self.0) {
            (Turn::Player(_), Fault::OutcomesForPlayers) => &[(0, 1)],
            (Turn::Chance, Fault::NoOutcomes) if late => &[],
            (Turn::Chance, Fault::ZeroWeight) => &[(0, 3), (1, 0), (3, 1)],
            (Turn::Chance, Fault::HeavyWeights) => &[(0, 3 << 30), (1, 2 << 30), (3, 1)],
            (Turn::Chance, Fault::DuplicateOutcome) => &[(0, 3), (1, 2), (0, 1)],
            (Turn::Chance, _) => &[(0, 3), (1, 2), (3, 1)],
            _ => &[],
        };
        outcomes.iter().copied()
    }

    fn apply(&self, track: &mut Track, mv: u8) {
        if mv == THROW {
            track.thrown = true;
            return;
        }
        track.steps[track.to_move.index()] += mv;
        track.thrown = false;
        track.to_move = track.to_move.other();
    }

    fn payoff(&self, track: &Track, player: Player) -> i32 {
        if track.steps[player.index()] >= GOAL { 1 } else { -1 }
    }

    fn notation(&self, _track: &Track, mv: u8) -> String {
        if mv == THROW { "throw".into() } else { format!("+{mv}") }
    }

    fn drawing(&self, track: &Track) -> String {
        format!("{:?}, {} to move", track.steps, track.to_move)
    }

    fn random_outcome(&self, track: &Track, draws: &mut PlayoutRng) -> u8 {
        let outcomes: Vec<(u8, u32)> = self.outcomes(track).collect();
        if self.has(Fault::UnweightedOutcome) {
            return outcomes[draws.below(outcomes.len() as u32) as usize].0;
        }
        let sum: u64 = outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
        let mut pick = u64::from(draws.below(u32::try_from(sum).unwrap_or(u32::MAX)));
        if self.has(Fault::TwoDraws) {
            let _ = draws.next_u32();
        }
        for (mv, weight) in outcomes {
            if pick < u64::from(weight) {
                return mv;
            }
            pick -= u64::from(weight);
        }
        unreachable!("a pick below the sum of the weights")
    }
}

impl NamedGame for DiceRace {
    const NAME: &'static str = "dice-race";
    const ABOUT: &'static str = "a race with dice";

    fn with_options(_options: &Options) -> Result<Self, OptionError> {
        Ok(Self(Fault::None))
    }

    fn entries(&self) -> Entries<Self> {
        let leaps = self.has(Fault::UnlikeSides);
        let owner = move |track: &Track, square: usize| {
            let [first, second] = track.steps.map(usize::from);
            let at_second = if leaps { ROW + 7 * second % ROW } else { 2 * ROW - 1 - second };
            [(first, Player::FIRST), (at_second, Player::SECOND)]
                .into_iter()
                .find(|(at, _)| *at == square)
                .map(|(_, player)| player)
        };
        let board = PlainBoard::new(2, ROW, owner);
        let is_shared = self.has(Fault::SharedView);
        let board = if is_shared { board } else { board.exchanged_by(Symmetry::HalfTurn) };
        Entries { board: Some(Arc::new(board)), ..Entries::default() }
    }
}
