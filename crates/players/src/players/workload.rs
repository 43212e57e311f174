//! The workload of a profile: playouts and searches from one position of a game with an erased type.
//!
//! A batch, stage or decision costs one virtual call; everything inside is compiled for the game. Nothing here reads a
//! clock.

use super::any_game::AnyGame;
use super::choices::policy;
use super::files::typed;
use super::machine::AnyMachine;
use super::play_error::PlayError;
use super::recipe::FitError;
use super::spec::SearcherSpec;
use crate::game::{Batch, GameObject, Path, Player, PolicyObject, Stage, Tally, Turn, Value, erased};
use crate::rng::PlayoutKey;
use crate::search::{Budget, Limits, Meter, MoveStream, Spent};

/// The costs of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The counted work.
    pub spent: Spent,
    /// The number of batches of playouts.
    pub batches: u64,
    /// The bytes that the search reserved; of several decisions the most.
    pub bytes: u64,
}

/// A searcher that decides repeatedly.
pub struct Searches<'w> {
    game: &'w dyn GameObject,
    machine: Box<dyn AnyMachine + 'w>,
    budget: Budget,
    at: Value,
}

impl Searches<'_> {
    /// Decides once, with a new machine.
    ///
    /// # Errors
    /// Returns an error if the search gives no decision.
    pub fn decide(&self, key: PlayoutKey) -> Result<Searched, PlayError> {
        Ok(searched(&mut *self.machine.another(), &self.at, key, self.budget)?.1)
    }

    /// Decides with a new machine, plays on at random until its player has a choice again, and returns that next decision of
    /// the same machine. `None` if the game ended before.
    ///
    /// # Errors
    /// Returns an error if the search gives no decision.
    pub fn later(
        &self,
        key: PlayoutKey,
    ) -> Result<Option<impl FnMut() -> Result<Searched, PlayError>>, PlayError> {
        let (budget, player) = (self.budget, self.game.turn(&self.at));
        let mut machine = self.machine.another();
        let (chosen, _) = searched(&mut *machine, &self.at, key.child(0), budget)?;
        let after = self.game.after(&self.at, &chosen);
        let next = decision_near(self.game, &after, key.child(1), Some(player));
        Ok(next.map(|at| move || Ok(searched(&mut *machine, &at, key.child(2), budget)?.1)))
    }
}

fn searched(
    machine: &mut dyn AnyMachine,
    at: &Value,
    key: PlayoutKey,
    budget: Budget,
) -> Result<(Value, Searched), PlayError> {
    let mut meter = Meter::new(Limits::default()).with_budget(budget);
    let chosen = machine.choose(at, MoveStream::new(key), &mut meter)?.chosen;
    Ok((chosen, Searched { spent: meter.spent(), batches: meter.batches(), bytes: meter.reserved() }))
}

/// The reason why a workload cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WorkloadError(String);

pub(super) struct Work<'g> {
    game: &'g dyn AnyGame,
    policy: Box<dyn PolicyObject + 'g>,
    is_uniform: bool,
    from: Value,
    text: String,
}

impl dyn AnyGame + '_ {
    /// Playouts of a policy from a position given as text; the empty text is the start. The policy is written as a
    /// searcher's option: `uniform`, `softmax(temperature=2)`.
    ///
    /// # Errors
    /// If the text is not a position, the game is over there, or this game has no such policy.
    pub fn workload(
        &self,
        text_of_policy: &str,
        position: &str,
    ) -> Result<Box<dyn Workload + '_>, WorkloadError> {
        let chosen = typed(&policy(), "policy", text_of_policy).map_err(WorkloadError)?;
        let policy = self.policy(&chosen).map_err(|misfit| WorkloadError(misfit.reason))?;
        let (rules, position) = (self.object(), position.trim());
        let (from, text) = if position.is_empty() {
            (rules.start(), String::new())
        } else {
            let read = rules.parse_position(position);
            let from = read.map_err(|reason| WorkloadError(format!("no position: {reason}")))?;
            let text = rules.position_text(&from).unwrap_or_else(|| position.into());
            (from, text)
        };
        if rules.turn(&from) == Turn::Over {
            let reason = "the game is over there; give a position at which something can be played";
            return Err(WorkloadError(reason.into()));
        }
        Ok(Box::new(Work { game: self, policy, is_uniform: text_of_policy.trim() == "uniform", from, text }))
    }
}

erased! {
    /// Playouts of one policy from one position.
    ///
    /// # Example
    /// ```
    /// use shikou::game::{Batch, Path};
    /// use shikou::rng::PlayoutKey;
    /// let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
    /// let workload = game.workload("uniform", "").unwrap();
    /// let batch = Batch::new(PlayoutKey::new(1), 100);
    /// let tally = workload.playouts(batch);
    /// assert_eq!(workload.playouts_on(Path::Portable, batch), Some(tally));
    /// assert_eq!(u64::from(workload.lengths(batch).iter().sum::<u32>()), tally.plies);
    /// ```
    pub trait Workload: [Send + Sync] for Work<'_>;

    /// The position as the game writes it, or else as it was given; empty for the start position.
    fn position(&self) -> &str { &self.text }

    /// Plays a batch on the fastest path, as searchers do.
    fn playouts(&self, batch: Batch) -> Tally {
        let mut tally = [Tally::default()];
        self.policy.play(Path::best(), &self.from, &[(Player::FIRST, batch)], &mut tally);
        tally[0]
    }

    /// Plays a batch on a named path; `None` if it is not available. See [`PolicyExt::playouts_on`].
    fn playouts_on(&self, path: Path, batch: Batch) -> Option<Tally> {
        let mut tally = [Tally::default()];
        let taken = self.policy.play(path, &self.from, &[(Player::FIRST, batch)], &mut tally);
        (taken == path).then_some(tally[0])
    }

    /// Plays a batch by the plain loop.
    fn plain_playouts(&self, batch: Batch) -> Tally { self.policy.plain(&self.from, Player::FIRST, batch) }

    /// The number of plies of each playout of a batch.
    fn lengths(&self, batch: Batch) -> Vec<u32> {
        let alone = |first| Batch { first, count: 1, ..batch };
        let all = batch.first..batch.first + batch.count;
        all.map(|first| self.plain_playouts(alone(first)).plies as u32).collect()
    }

    /// Records the plies of a batch. Returns a function that runs a part of the plain loop once for every ply that has it, and
    /// returns the number of these.
    fn record(&self, batch: Batch) -> Box<dyn Fn(Stage) -> u64 + '_> {
        self.policy.record(&self.from, batch, self.is_uniform)
    }

    /// The sizes of a position and of a move, in bytes.
    fn sizes(&self) -> (usize, usize) { self.game.object().sizes() }

    /// A searcher that decides repeatedly, each time with a new machine: at this position, or after random moves at the first
    /// one with a choice.
    ///
    /// # Errors
    /// Returns an error if the searcher does not fit.
    fn searches(&self, searcher: &SearcherSpec) -> Result<Searches<'_>, FitError> {
        let (game, machine) = (self.game.object(), self.game.machine(searcher)?);
        let at = decision_near(game, &self.from, PlayoutKey::new(0), None)
            .ok_or_else(|| FitError::searcher("no playout from there reaches a decision with a choice"))?;
        Ok(Searches { game, machine, budget: searcher.budget, at })
    }
}

/// The position, or the first one after it in some uniform playouts, in which this player, or any, has at least two moves.
fn decision_near(
    game: &dyn GameObject,
    from: &Value,
    key: PlayoutKey,
    wanted: Option<Turn>,
) -> Option<Value> {
    /// The number of playouts to try.
    const PLAYOUTS: u64 = 100;
    (0..PLAYOUTS).find_map(|index| {
        let (mut position, mut draws) = (from.clone(), key.playout(index));
        loop {
            let mv = match game.turn(&position) {
                turn @ Turn::Player(_)
                    if wanted.is_none_or(|wanted| wanted == turn) && game.listed(&position)[0] > 1 =>
                {
                    return Some(position);
                }
                Turn::Player(_) => game.random_move(&position, &mut draws),
                Turn::Chance => game.random_outcome(&position, &mut draws),
                Turn::Over => return None,
            };
            position = game.after(&position, &mv);
        }
    })
}
