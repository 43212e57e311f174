//! Samples of finished games: positions as numbers, each with the outcome.

use std::sync::Arc;

use super::network_file::NetworkForm;
use crate::game::tuples::{Board, Seen, stage_of};
use crate::game::{Game, GameExt, Player, SearchHints, Turn};
use crate::learn::{Input, TupleSum};
use crate::rng::Stream;
use crate::search::{BestMoves, Limits, Meter, SolveSettings, solve};

/// A position of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSample {
    /// The ply after which it is, from 1.
    pub ply: u32,
    /// The player who sees it.
    pub player: Player,
    /// The inputs.
    pub input: Vec<f32>,
    /// The payoff of the game for this player.
    pub outcome: i32,
}

/// Makes samples of finished games of one game; see [`Learning::sampler`](super::Learning::sampler).
///
/// # Example
/// ```
/// use shikou::game::Player;
/// use shikou::players::Registry;
/// let registry = Registry::standard();
/// let game = registry.game("othello", &["size=4".into()]).unwrap();
/// let sampler = game.learning().sampler("one-hot", "inversion").unwrap();
/// assert_eq!(sampler.form().inputs, 48);
/// let samples = sampler.samples("b1a1a2c1d4a3d1b4a4c4").unwrap();
/// assert_eq!((samples[0].ply, samples[0].player), (1, Player::FIRST));
/// assert!(samples.iter().all(|sample| sample.input.iter().sum::<f32>() == 16.0));
/// ```
pub trait Sampler: Send + Sync {
    /// What the samples are for.
    fn form(&self) -> &NetworkForm;

    /// The samples of a game: the position after each written move, seen by the player who made it (with negation, by the
    /// first player).
    ///
    /// # Errors
    /// If a move is not legal or the game is not over.
    fn samples(&self, transcript: &str) -> Result<Vec<GameSample>, String>;
}

/// A [`Sampler`] of a known game type.
pub(super) struct SamplerOf<G: Game> {
    pub(super) game: G,
    pub(super) input: Input<G>,
    pub(super) seen: Seen,
    pub(super) form: NetworkForm,
}

impl<G: Game> Sampler for SamplerOf<G> {
    fn form(&self) -> &NetworkForm {
        &self.form
    }

    fn samples(&self, transcript: &str) -> Result<Vec<GameSample>, String> {
        let Self { game, input, seen, .. } = self;
        let mut samples = Vec::new();
        each_position(game, transcript, &mut |ply, mover, position, end| {
            let player = if *seen == Seen::Negation { Player::FIRST } else { mover };
            let mut numbers = Vec::with_capacity(input.width());
            input.numbers(game, position, player, &mut numbers);
            samples.push(GameSample { ply, player, input: numbers, outcome: game.payoff(end, player) });
        })?;
        Ok(samples)
    }
}

/// The receiver of a ply, its mover, the position after it and the end.
type Show<'a, P> = dyn FnMut(u32, Player, &P, &P) + 'a;

/// Shows the position after each move of a finished game, with its ply, its mover and the end. Passes and forced moves that the
/// game's transcripts omit are left out.
fn each_position<G: Game>(
    game: &G,
    transcript: &str,
    show: &mut Show<'_, G::Position>,
) -> Result<(), String> {
    let mut end = game.start();
    game.follow_from(&mut end, transcript, &mut |_| ()).map_err(|error| error.to_string())?;
    if game.turn(&end) != Turn::Over {
        return Err("the game is not over, so that it has no outcome".into());
    }
    let (mut position, mut text) = (game.start(), transcript.trim());
    for ply in 1.. {
        let Some((mv, rest)) = game.read_move(&position, text) else { break };
        let mover = game.turn(&position);
        let is_written = rest.len() < text.len();
        if !is_written && mover == Turn::Over {
            break;
        }
        let is_shown = is_written && !game.is_pass(&position, mv);
        game.apply(&mut position, mv);
        text = rest;
        if let Turn::Player(mover) = mover
            && is_shown
        {
            show(ply, mover, &position, &end);
        }
    }
    Ok(())
}

/// The reason why positions near the end are not found.
const NO_PLIES_LEFT: &str = "the game does not know how many plies are left";

/// A position of a finished game, for weights of n-tuples.
#[derive(Clone, Debug, PartialEq)]
pub struct TupleSample {
    /// The ply after which it is, from 1.
    pub ply: u32,
    /// For each place the index of its weight.
    pub indices: Vec<u32>,
    /// The payoff of the game for the player who sees it.
    pub outcome: i32,
}

/// Makes samples of finished games for weights of n-tuples by stage.
pub trait TupleSampler: Send + Sync {
    /// The number of weights of all stages.
    fn weights(&self) -> usize;

    /// The samples of a game, as [`Sampler::samples`].
    ///
    /// # Errors
    /// If a move is not legal or the game is not over.
    fn samples(&self, transcript: &str) -> Result<Vec<TupleSample>, String>;

    /// Why [`solved`](TupleSampler::solved) gives no samples of this game, if it does not.
    fn lacks_solver(&self) -> Option<&'static str>;

    /// One sample of a game: a position with two thirds of `most` to `most` plies left, its value by [`solve`]. At most `detour` plies
    /// before it are random.
    ///
    /// # Errors
    /// If a move is not legal, the game [lacks a solver](TupleSampler::lacks_solver), or it ends before.
    fn solved(
        &self,
        transcript: &str,
        most: u32,
        detour: u32,
        luck: Stream,
    ) -> Result<Vec<TupleSample>, String>;
}

/// A [`TupleSampler`] of a known game type.
pub(super) struct TupleSamplerOf<G: Game> {
    pub(super) game: G,
    pub(super) board: Arc<dyn Board<G>>,
    pub(super) sum: TupleSum,
    pub(super) seen: Seen,
    pub(super) stages: usize,
}

impl<G: Game> TupleSampler for TupleSamplerOf<G> {
    fn weights(&self) -> usize {
        self.stages * self.sum.weights()
    }

    fn samples(&self, transcript: &str) -> Result<Vec<TupleSample>, String> {
        let Self { game, seen, .. } = self;
        let (mut owners, mut samples) = (vec![1; self.sum.squares()], Vec::new());
        each_position(game, transcript, &mut |ply, mover, position, end| {
            let player = if *seen == Seen::Negation { Player::FIRST } else { mover };
            let indices = self.indices(position, player, &mut owners);
            samples.push(TupleSample { ply, indices, outcome: game.payoff(end, player) });
        })?;
        Ok(samples)
    }

    fn lacks_solver(&self) -> Option<&'static str> {
        let facts = self.game.facts();
        if facts.players > 1 && !facts.zero_sum {
            return Some("only games whose payoffs add up to 0 can be solved for two");
        }
        let left = self.game.hints().plies_left(&self.game, &self.game.start());
        left.is_none().then_some(NO_PLIES_LEFT)
    }

    fn solved(
        &self,
        transcript: &str,
        most: u32,
        detour: u32,
        luck: Stream,
    ) -> Result<Vec<TupleSample>, String> {
        if let Some(reason) = self.lacks_solver() {
            return Err(reason.into());
        }
        let Self { game, .. } = self;
        let mut rng = luck.rng();
        let mut draw = |least: u32, most: u32| least + rng.below(u64::from(most - least) + 1) as u32;
        let (goal, detour) = (draw(most - most / 3, most), draw(0, detour));
        let left = |position: &G::Position| game.hints().plies_left(game, position).ok_or(NO_PLIES_LEFT);
        let (mut position, mut text, mut ply) = (game.start(), transcript.trim(), 0);
        let mut mover = None;
        loop {
            let (Turn::Player(player), now) = (game.turn(&position), left(&position)?) else {
                return Err("the game ends before".into());
            };
            if let (true, Some(mover)) = (now <= goal, mover) {
                return self.solved_sample(&position, mover, ply);
            }
            let mv = if now > goal + detour {
                let (mv, rest) = game.read_move(&position, text).ok_or("a move is not legal")?;
                text = rest;
                mv
            } else {
                let number = draw(0, game.move_count(&position) - 1);
                game.moves(&position).nth(number as usize).expect("as many as are counted")
            };
            game.apply(&mut position, mv);
            (mover, ply) = (Some(player), ply + 1);
        }
    }
}

impl<G: Game> TupleSamplerOf<G> {
    /// The indices of a position, as this player sees it.
    fn indices(&self, position: &G::Position, player: Player, owners: &mut [u8]) -> Vec<u32> {
        self.board.owners(&self.game, position, player, owners);
        let begin = (stage_of(owners, self.stages) * self.sum.weights()) as u32;
        self.sum.indices(owners).into_iter().map(|index| begin + index).collect()
    }

    /// A position with its exact value, seen by the player who moved there.
    fn solved_sample(
        &self,
        position: &G::Position,
        mover: Player,
        ply: u32,
    ) -> Result<Vec<TupleSample>, String> {
        let player = if self.seen == Seen::Negation { Player::FIRST } else { mover };
        let settings = SolveSettings::new(SOLVER_BYTES).with_best(BestMoves::One);
        let found = solve(&self.game, position, &settings, &mut Meter::new(Limits::default()));
        let value = found.map_err(|error| error.to_string())?.value as i32;
        let outcome = if self.game.turn(position) == Turn::Player(player) { value } else { -value };
        let indices = self.indices(position, player, &mut vec![1; self.sum.squares()]);
        Ok(vec![TupleSample { ply, indices, outcome }])
    }
}

/// The bytes of the table that solves a sample.
const SOLVER_BYTES: u64 = 8 << 20;

/// The words that choose how a position is seen.
pub(super) const SEEN: [(&str, Seen); 2] = [("inversion", Seen::Inversion), ("negation", Seen::Negation)];
