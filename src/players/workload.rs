//! Playouts and searches from one position, of a game whose type is forgotten: what a profile times.
//!
//! One virtual call is paid a batch, a stage or a decision; inside, everything is static in the game. Nothing here
//! reads a clock.

use std::sync::Arc;

use super::recipe::{Misfit, Recipe, build};
use super::searchers::{policy, policy_option};
use super::{Failure, SearcherSpec};
use crate::game::options::{Invalid, Options};
use crate::game::{
    Batch, Game, GameExt, NamedGame, Path, PlainStage, Player, PlyOf, Policy, PositionError, Stage, Tally,
    Turn, play_out, record_plies, run_playouts,
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
    /// The position as the game writes it, else as it was given; empty where none was given, for the start.
    fn position(&self) -> &str;

    /// Plays a batch out as searchers do: on the fastest path.
    fn playouts(&self, batch: Batch) -> Tally;

    /// The same on a named path; `None` where there is none. See [`Policy::playouts_on`].
    fn playouts_on(&self, path: Path, batch: Batch) -> Option<Tally>;

    /// The same by the plain loop, whatever faster ways there are.
    fn plain_playouts(&self, batch: Batch) -> Tally;

    /// The plies of every playout of a batch.
    fn lengths(&self, batch: Batch) -> Vec<u32>;

    /// The plies of a batch, to run parts of playouts over them.
    fn record(&self, batch: Batch) -> Box<dyn Recording + '_>;

    /// The bytes of a position and of a move.
    fn sizes(&self) -> (usize, usize);

    /// A searcher that is asked for a move again and again, each time with a new machine: at this position, or at
    /// the first after it, by random moves, at which there is something to decide.
    ///
    /// # Errors
    /// Where the searcher does not fit.
    fn searches(&self, searcher: &SearcherSpec) -> Result<Box<dyn Searches + '_>, Misfit>;
}

/// Recorded plies.
pub trait Recording {
    /// How many plies there are.
    fn plies(&self) -> u64;

    /// The parts of the playouts on a path, in the order of a ply; none where they are not known.
    fn stages(&self, path: Path) -> Vec<Stage<'_>>;

    /// Whether those are the parts of the plain loop, and not of a faster way that the path has.
    fn are_plain(&self, path: Path) -> bool;
}

/// What a decision took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The work that was counted.
    pub spent: Spent,
    /// In how many batches the playouts were made; 0 without playouts.
    pub batches: u64,
}

/// A searcher to be asked for a move.
pub trait Searches {
    /// Decides once, with a new machine.
    ///
    /// # Errors
    /// Where the search gives no decision.
    fn decide(&self, key: PlayoutKey) -> Result<Searched, Failure>;
}

/// Why there is nothing to play out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoWorkload {
    /// The text stands for no position.
    #[error("no position: {0}")]
    Position(#[from] PositionError),
    /// Nothing can be played there.
    #[error("the game is over there; give a position at which something can be played")]
    Over,
    /// The policy makes no sense.
    #[error("{0}")]
    Policy(String),
}

impl From<Invalid> for NoWorkload {
    fn from(invalid: Invalid) -> Self {
        Self::Policy(invalid.to_string())
    }
}

/// A [`Workload`] of a known game.
pub(super) struct Work<'g, G: Game> {
    game: &'g G,
    policy: Arc<dyn Policy<G>>,
    /// Whether the policy is the uniform one.
    is_uniform: bool,
    from: G::Position,
    text: String,
}

impl<'g, G: NamedGame> Work<'g, G> {
    /// A policy as the option `policy` of searchers names it, and a position as the game writes it; none is the start.
    pub(super) fn new(game: &'g G, policy_text: &str, position: &str) -> Result<Self, NoWorkload> {
        let options = Options::from_pairs(&[policy_option()], &[format!("policy={policy_text}")])?;
        let policy = policy(game, &options).map_err(|misfit| NoWorkload::Policy(misfit.reason))?;
        let position = position.trim();
        let (from, text) = if position.is_empty() {
            (game.start(), String::new())
        } else {
            let from = game.parse_position(position)?;
            (from, game.position_text(&from).unwrap_or_else(|| position.into()))
        };
        if game.turn(&from) == Turn::Over {
            return Err(NoWorkload::Over);
        }
        Ok(Self { game, policy, is_uniform: policy_text.trim() == "uniform", from, text })
    }
}

impl<G: Game> Workload for Work<'_, G> {
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
        let (outcomes, decisions) =
            plies.iter().partition(|ply| self.game.turn(&ply.position) == Turn::Chance);
        Box::new(Recorded { work: self, plies, decisions, outcomes })
    }

    fn sizes(&self) -> (usize, usize) {
        (size_of::<G::Position>(), size_of::<G::Move>())
    }

    fn searches(&self, searcher: &SearcherSpec) -> Result<Box<dyn Searches + '_>, Misfit> {
        let recipe = build(self.game, searcher)?;
        let at = decision_near(self.game, self.from)
            .ok_or_else(|| Misfit::searcher("no playout from there comes to a decision"))?;
        Ok(Box::new(Searcher { game: self.game, recipe, at }))
    }
}

/// The position, or the first after it in one of some uniform playouts, at which a player has two moves or more.
fn decision_near<G: Game>(game: &G, from: G::Position) -> Option<G::Position> {
    /// So many playouts are tried.
    const PLAYOUTS: u64 = 100;
    (0..PLAYOUTS).find_map(|index| {
        let (mut position, mut draws) = (from, PlayoutKey::new(0).playout(index));
        loop {
            let mv = match game.turn(&position) {
                Turn::Player(_) if game.legal(&position).nth(1).is_some() => return Some(position),
                Turn::Player(_) => game.random_move(&position, &mut draws),
                Turn::Chance => game.random_outcome(&position, &mut draws),
                Turn::Over => return None,
            };
            game.apply(&mut position, mv);
        }
    })
}

/// A [`Recording`] of a known game.
struct Recorded<'w, 'g, G: Game> {
    work: &'w Work<'g, G>,
    plies: Vec<PlyOf<G>>,
    /// The plies of players, and those of chance.
    decisions: Vec<PlyOf<G>>,
    outcomes: Vec<PlyOf<G>>,
}

impl<G: Game> Recorded<'_, '_, G> {
    /// What the game says of the parts of its uniform playouts.
    fn own(&self, path: Path) -> Vec<Stage<'_>> {
        let work = self.work;
        if work.is_uniform { work.game.playout_stages(path, &self.plies) } else { Vec::new() }
    }

    /// A part of the plain loop.
    fn plain(&self, stage: PlainStage) -> Stage<'_> {
        let plies = match stage {
            PlainStage::Choice => &self.decisions,
            PlainStage::Chance => &self.outcomes,
            PlainStage::Turn | PlainStage::Draws | PlainStage::Apply => &self.plies,
        };
        let run = move || self.work.policy.run_stage(self.work.game, stage, plies);
        Stage { within: stage == PlainStage::Draws, ..Stage::new(stage.name(), stage.about(), run) }
    }
}

impl<G: Game> Recording for Recorded<'_, '_, G> {
    fn plies(&self) -> u64 {
        self.plies.len() as u64
    }

    fn stages(&self, path: Path) -> Vec<Stage<'_>> {
        if !self.are_plain(path) {
            return self.own(path);
        }
        // Chance only where it has turns.
        let there = |stage: &PlainStage| *stage != PlainStage::Chance || !self.outcomes.is_empty();
        PlainStage::ALL.into_iter().filter(there).map(|stage| self.plain(stage)).collect()
    }

    fn are_plain(&self, path: Path) -> bool {
        path == Path::Portable && self.own(path).is_empty()
    }
}

/// A searcher at a position.
struct Searcher<'g, G: Game> {
    game: &'g G,
    recipe: Recipe<G>,
    at: G::Position,
}

impl<G: Game> Searches for Searcher<'_, G> {
    fn decide(&self, key: PlayoutKey) -> Result<Searched, Failure> {
        let mut meter = Meter::new(Limits::default()).with_budget(self.recipe.budget());
        let mut machine = self.recipe.machine();
        machine.choose(self.game, &self.at, MoveStream::new(key), &mut meter)?;
        Ok(Searched { spent: meter.spent(), batches: meter.batches() })
    }
}
