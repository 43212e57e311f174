//! Samples of finished games: positions as numbers, each with the outcome.

use super::network_file::NetworkForm;
use crate::game::tuples::Seen;
use crate::game::{Game, GameExt, Player, SearchHints, Turn};
use crate::learn::Input;
use crate::rng::Stream;
use crate::search::{BestMoves, Limits, Meter, SolveSettings, solve};

/// A position of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSample<T = f32> {
    /// The ply after which it is, from 1.
    pub ply: u32,
    /// The player who sees it.
    pub player: Player,
    /// The numbers of the position: the inputs of a network, or for each place of n-tuples the index of its weight.
    pub input: Vec<T>,
    /// The payoff of the game for this player.
    pub outcome: i32,
}

/// The samples of a transcript.
type Sampled = dyn Fn(&str) -> Result<Vec<GameSample>, String> + Send + Sync;

/// Makes samples of finished games of one game; see [`Learning::sampler`](super::Learning::sampler).
///
/// # Example
/// ```
/// use shikou::game::Player;
/// use shikou::players::Registry;
/// let registry = Registry::standard();
/// let game = registry.game("othello", &["size=4".into()]).unwrap();
/// let sampler = game.learning().sampler("one-hot", "inversion").unwrap();
/// assert_eq!(sampler.form.inputs, 48);
/// let samples = sampler.samples("b1a1a2c1d4a3d1b4a4c4").unwrap();
/// assert_eq!((samples[0].ply, samples[0].player), (1, Player::FIRST));
/// assert!(samples.iter().all(|sample| sample.input.iter().sum::<f32>() == 16.0));
/// ```
pub struct Sampler {
    /// What the samples are for.
    pub form: NetworkForm,
    samples: Box<Sampled>,
}

impl Sampler {
    pub(super) fn new<G: Game>(form: NetworkForm, sampling: Sampling<G, f32>) -> Self {
        Self { form, samples: Box::new(move |transcript| sampling.samples(transcript)) }
    }

    /// The samples of a game: the position after each written move, seen by the player who made it (with negation, by the
    /// first player).
    ///
    /// # Errors
    /// If a move is not legal or the game is not over.
    pub fn samples(&self, transcript: &str) -> Result<Vec<GameSample>, String> {
        (self.samples)(transcript)
    }
}

/// The numbers of a position, as a player sees it.
type See<G, T> = Box<dyn Fn(&G, &<G as Game>::Position, Player) -> Vec<T> + Send + Sync>;

/// How finished games of one type become samples.
pub(super) struct Sampling<G: Game, T> {
    game: G,
    seen: Seen,
    see: See<G, T>,
}

/// The reason why positions near the end are not found.
const NO_PLIES_LEFT: &str = "the game does not know how many plies are left";

impl<G: Game> Sampling<G, f32> {
    /// Samples of the inputs of a network.
    pub(super) fn of_input(game: &G, input: Input<G>, seen: Seen) -> Self {
        Self::new(game, seen, move |game, position, player| {
            let mut numbers = Vec::with_capacity(input.width());
            input.numbers(game, position, player, &mut numbers);
            numbers
        })
    }
}

impl<G: Game, T> Sampling<G, T> {
    pub(super) fn new(
        game: &G,
        seen: Seen,
        see: impl Fn(&G, &G::Position, Player) -> Vec<T> + Send + Sync + 'static,
    ) -> Self {
        Self { game: game.clone(), seen, see: Box::new(see) }
    }

    /// A position with its outcome, seen by the player who moved there, or with negation by the first player.
    fn sample(
        &self,
        ply: u32,
        position: &G::Position,
        mover: Player,
        outcome: impl FnOnce(Player) -> i32,
    ) -> GameSample<T> {
        let player = if self.seen == Seen::Negation { Player::FIRST } else { mover };
        GameSample { ply, player, input: (self.see)(&self.game, position, player), outcome: outcome(player) }
    }

    /// The samples of a game; see [`Sampler::samples`]. Passes and forced moves that the game's transcripts omit are left out.
    pub(super) fn samples(&self, transcript: &str) -> Result<Vec<GameSample<T>>, String> {
        let game = &self.game;
        let mut end = game.start();
        game.follow_from(&mut end, transcript, &mut |_| ()).map_err(|error| error.to_string())?;
        if game.turn(&end) != Turn::Over {
            return Err("the game is not over, so that it has no outcome".into());
        }
        let (mut position, mut text, mut samples) = (game.start(), transcript.trim(), Vec::new());
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
                samples.push(self.sample(ply, &position, mover, |player| game.payoff(&end, player)));
            }
        }
        Ok(samples)
    }

    /// Why [`solved`](Self::solved) gives no samples of this game, if it does not.
    pub(super) fn lacks_solver(&self) -> Option<&'static str> {
        let facts = self.game.facts();
        if facts.players > 1 && !facts.zero_sum {
            return Some("only games whose payoffs add up to 0 can be solved for two");
        }
        let left = self.game.hints().plies_left(&self.game, &self.game.start());
        left.is_none().then_some(NO_PLIES_LEFT)
    }

    /// One sample of a game: a position with two thirds of `most` to `most` plies left, its value by [`solve`]. At most `detour`
    /// plies before it are random.
    ///
    /// # Errors
    /// If a move is not legal, the game [lacks a solver](Self::lacks_solver), or it ends before.
    pub(super) fn solved(
        &self,
        transcript: &str,
        most: u32,
        detour: u32,
        luck: Stream,
    ) -> Result<Vec<GameSample<T>>, String> {
        if let Some(reason) = self.lacks_solver() {
            return Err(reason.into());
        }
        let game = &self.game;
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
                let settings = SolveSettings::new(SOLVER_BYTES).with_best(BestMoves::One);
                let found = solve(game, &position, &settings, &mut Meter::new(Limits::default()));
                let value = found.map_err(|error| error.to_string())?.value as i32;
                let outcome = |of| if of == player { value } else { -value };
                return Ok(vec![self.sample(ply, &position, mover, outcome)]);
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

/// The bytes of the table that solves a sample.
const SOLVER_BYTES: u64 = 8 << 20;
