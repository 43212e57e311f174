//! The workload of a profile: playouts and searches from one position of a game with an erased type.
//!
//! A batch, stage or decision costs one virtual call; everything inside is compiled for the game. Nothing here reads a
//! clock.

use std::sync::Arc;

use super::catalogue::Catalogue;
use super::choices::{PolicyChoice, policy};
use super::files::typed;
use super::play_error::PlayError;
use super::recipe::{FitError, Recipe};
use super::spec::SearcherSpec;
use crate::game::options::settings;
use crate::game::{
    Batch, Game, GameExt, NamedGame, Path, Player, Policy, PolicyExt, PositionError, Stage, Tally, Turn,
    Uniform, play_out, record_plies, run_playouts, run_stage,
};
use crate::rng::PlayoutKey;
use crate::search::{Limits, Meter, MoveStream, Spent};

/// Playouts of one policy from one position.
///
/// # Example
/// ```
/// use shikou::game::{Batch, Path};
/// use shikou::players::Registry;
/// use shikou::rng::PlayoutKey;
/// let game = Registry::standard().game("tic-tac-toe", &[]).unwrap();
/// let workload = game.workload("uniform", "").unwrap();
/// let batch = Batch::new(PlayoutKey::new(1), 100);
/// let tally = workload.playouts(batch);
/// assert_eq!(workload.playouts_on(Path::Portable, batch), Some(tally));
/// assert_eq!(u64::from(workload.lengths(batch).iter().sum::<u32>()), tally.plies);
/// ```
pub trait Workload: Send + Sync {
    /// The position as the game writes it, or else as it was given; empty for the start position.
    fn position(&self) -> &str;

    /// Plays a batch on the fastest path, as searchers do.
    fn playouts(&self, batch: Batch) -> Tally;

    /// Plays a batch on a named path; `None` if it is not available. See [`PolicyExt::playouts_on`].
    fn playouts_on(&self, path: Path, batch: Batch) -> Option<Tally>;

    /// Plays a batch by the plain loop.
    fn plain_playouts(&self, batch: Batch) -> Tally;

    /// The number of plies of each playout of a batch.
    fn lengths(&self, batch: Batch) -> Vec<u32>;

    /// Records the plies of a batch, so that parts of playouts can be run over them.
    fn record(&self, batch: Batch) -> Box<dyn Recording + '_>;

    /// The sizes of a position and of a move, in bytes.
    fn sizes(&self) -> (usize, usize);

    /// A searcher that decides repeatedly, each time with a new machine: at this position, or after random moves at the first
    /// one with a choice.
    ///
    /// # Errors
    /// Returns an error if the searcher does not fit.
    fn searches(&self, searcher: &SearcherSpec) -> Result<Box<dyn Searches + '_>, FitError>;
}

/// Recorded plies.
pub trait Recording {
    /// The number of plies.
    fn plies(&self) -> u64;

    /// The parts of the plain loop, in the order of a ply.
    fn stages(&self) -> Vec<Stage>;

    /// Runs a part once for every ply.
    fn run(&self, stage: Stage);
}

/// The costs of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The counted work.
    pub spent: Spent,
    /// The number of batches of playouts.
    pub batches: u64,
}

/// A searcher that decides repeatedly.
pub trait Searches {
    /// Decides once, with a new machine.
    ///
    /// # Errors
    /// Returns an error if the search gives no decision.
    fn decide(&self, key: PlayoutKey) -> Result<Searched, PlayError>;

    /// Decides with a new machine, plays on at random until its player has a choice again, and returns that next decision of
    /// the same machine. `None` if the game ended before.
    ///
    /// # Errors
    /// Returns an error if the search gives no decision.
    fn later(&self, key: PlayoutKey) -> Result<Option<LaterDecision<'_>>, PlayError>;
}

/// A decision to be made, by a machine that has decided before.
pub type LaterDecision<'s> = Box<dyn FnMut() -> Result<Searched, PlayError> + 's>;

/// The reason why a workload cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// The text is not a position.
    #[error("no position: {0}")]
    Position(#[from] PositionError),
    /// The game is over in this position.
    #[error("the game is over there; give a position at which something can be played")]
    Over,
    /// The policy is not valid.
    #[error("{0}")]
    Policy(String),
}

settings! {
    /// How playouts choose their moves.
    struct PlayoutSettings {
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
    }
}

/// A [`Workload`] of a known game type.
pub(super) struct Work<'g, G: Game> {
    catalogue: Catalogue<'g, G>,
    game: &'g G,
    policy: Arc<dyn Policy<G>>,
    /// Whether the policy is the uniform one.
    is_uniform: bool,
    from: G::Position,
    text: String,
}

impl<'g, G: NamedGame> Work<'g, G> {
    /// `policy` is a value of the searchers' option `policy`; `position` is a text, empty for the start.
    pub(super) fn new(
        catalogue: Catalogue<'g, G>,
        policy_text: &str,
        position: &str,
    ) -> Result<Self, WorkloadError> {
        let game = catalogue.game();
        let PlayoutSettings { policy } =
            typed(format!("policy={policy_text}")).map_err(WorkloadError::Policy)?;
        let policy = catalogue.policy(&policy).map_err(|misfit| WorkloadError::Policy(misfit.reason))?;
        let position = position.trim();
        let (from, text) = if position.is_empty() {
            (game.start(), String::new())
        } else {
            let from = game.parse_position(position)?;
            (from, game.position_text(&from).unwrap_or_else(|| position.into()))
        };
        if game.turn(&from) == Turn::Over {
            return Err(WorkloadError::Over);
        }
        Ok(Self { catalogue, game, policy, is_uniform: policy_text.trim() == "uniform", from, text })
    }
}

impl<G: NamedGame> Workload for Work<'_, G> {
    fn position(&self) -> &str {
        &self.text
    }

    fn playouts(&self, batch: Batch) -> Tally {
        self.policy.playouts(self.game, &self.from, Player::FIRST, batch)
    }

    fn playouts_on(&self, path: Path, batch: Batch) -> Option<Tally> {
        self.policy.playouts_on(path, self.game, &self.from, Player::FIRST, batch)
    }

    fn plain_playouts(&self, batch: Batch) -> Tally {
        run_playouts(self.game, &*self.policy, &self.from, Player::FIRST, batch)
    }

    fn lengths(&self, batch: Batch) -> Vec<u32> {
        let length =
            |index| play_out(self.game, &*self.policy, &mut self.from.clone(), &mut batch.key.playout(index));
        (batch.first..batch.first + batch.count).map(length).collect()
    }

    fn record(&self, batch: Batch) -> Box<dyn Recording + '_> {
        let plies = record_plies(self.game, &*self.policy, &self.from, batch);
        let (outcomes, decisions) = plies.iter().partition(|ply| self.game.turn(&ply.0) == Turn::Chance);
        Box::new(Recorded { work: self, plies, decisions, outcomes })
    }

    fn sizes(&self) -> (usize, usize) {
        (size_of::<G::Position>(), size_of::<G::Move>())
    }

    fn searches(&self, searcher: &SearcherSpec) -> Result<Box<dyn Searches + '_>, FitError> {
        let recipe = self.catalogue.build(searcher)?;
        let at = decision_near(self.game, self.from, PlayoutKey::new(0), None)
            .ok_or_else(|| FitError::searcher("no playout from there reaches a decision with a choice"))?;
        Ok(Box::new(Searcher { game: self.game, recipe, at }))
    }
}

/// The position, or the first one after it in some uniform playouts, in which this player, or any, has at least two moves.
fn decision_near<G: Game>(
    game: &G,
    from: G::Position,
    key: PlayoutKey,
    wanted: Option<Turn>,
) -> Option<G::Position> {
    /// The number of playouts to try.
    const PLAYOUTS: u64 = 100;
    (0..PLAYOUTS).find_map(|index| {
        let (mut position, mut draws) = (from, key.playout(index));
        loop {
            let mv = match game.turn(&position) {
                turn @ Turn::Player(_)
                    if wanted.is_none_or(|wanted| wanted == turn)
                        && game.legal(&position).nth(1).is_some() =>
                {
                    return Some(position);
                }
                Turn::Player(_) => game.random_move(&position, &mut draws),
                Turn::Chance => game.random_outcome(&position, &mut draws),
                Turn::Over => return None,
            };
            game.apply(&mut position, mv);
        }
    })
}

/// A [`Recording`] of a known game type.
struct Recorded<'w, 'g, G: Game> {
    work: &'w Work<'g, G>,
    plies: Vec<(G::Position, G::Move)>,
    /// The plies of players, and the chance outcomes.
    decisions: Vec<(G::Position, G::Move)>,
    outcomes: Vec<(G::Position, G::Move)>,
}

impl<G: NamedGame> Recording for Recorded<'_, '_, G> {
    fn plies(&self) -> u64 {
        self.plies.len() as u64
    }

    fn stages(&self) -> Vec<Stage> {
        // Leaves out the chance stage if the game has no chance turns.
        let there = |stage: &Stage| *stage != Stage::Chance || !self.outcomes.is_empty();
        Stage::ALL.into_iter().filter(there).collect()
    }

    fn run(&self, stage: Stage) {
        let plies = match stage {
            Stage::Choice => &self.decisions,
            Stage::Chance => &self.outcomes,
            Stage::Turn | Stage::Draw | Stage::Apply => &self.plies,
        };
        let Work { game, policy, is_uniform, .. } = self.work;
        if *is_uniform {
            run_stage(*game, &Uniform, stage, plies);
        } else {
            run_stage(*game, &**policy, stage, plies);
        }
    }
}

/// A searcher at a position.
struct Searcher<'g, G: Game> {
    game: &'g G,
    recipe: Recipe<G>,
    at: G::Position,
}

impl<G: Game> Searches for Searcher<'_, G> {
    fn decide(&self, key: PlayoutKey) -> Result<Searched, PlayError> {
        let mut meter = Meter::new(Limits::default()).with_budget(self.recipe.budget());
        let mut machine = self.recipe.machine();
        machine.choose(self.game, &self.at, MoveStream::new(key), &mut meter)?;
        Ok(Searched { spent: meter.spent(), batches: meter.batches() })
    }

    fn later(&self, key: PlayoutKey) -> Result<Option<LaterDecision<'_>>, PlayError> {
        let (game, budget, player) = (self.game, self.recipe.budget(), self.game.turn(&self.at));
        let mut machine = self.recipe.machine();
        let mut meter = Meter::new(Limits::default()).with_budget(budget);
        let decision = machine.choose(game, &self.at, MoveStream::new(key.child(0)), &mut meter)?;
        let mut after = self.at;
        game.apply(&mut after, decision.chosen);
        let Some(at) = decision_near(game, after, key.child(1), Some(player)) else { return Ok(None) };
        Ok(Some(Box::new(move || {
            let mut meter = Meter::new(Limits::default()).with_budget(budget);
            machine.choose(game, &at, MoveStream::new(key.child(2)), &mut meter)?;
            Ok(Searched { spent: meter.spent(), batches: meter.batches() })
        })))
    }
}
