//! Learners that play their games: in batches, each with the same weights.
//!
//! The games of a batch are learned in their order. So the threads that play them change nothing, and a training goes on
//! from any batch. A student that learns game by game begins while the rest of the batch is still played, with a copy of
//! the weights as they were.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use super::{
    Form, LearnError, Learnable, Learning, LearningRun, Place, Play, Setup, Tuples, activations, layers,
    network_input, played, without_weights,
};
use crate::game::Player;
use crate::game::options::{Parts, flag, integer, integers, part, real, settings};
use crate::learn::{
    Activation, Actor, BatchLearner, DeepSets, DeepSetsLearner, Episode, Epoch, Layer, Learner, Network,
    NetworkLearner, Optimiser, PolicyLearner, PolicySettings, Problem, Target, TdSettings, play_by_policy,
    read_deep_sets,
};
use crate::players::choices::{PlainEvaluation, UNIT};
use crate::players::network_file::read_learned;
use crate::players::play_error::playing;
use crate::players::weights_file::WeightsForm;
use crate::players::{FitError, PlayError, longest};
use crate::rng::Stream;
use crate::search::Limits;

/// The options of temporal differences, with those of one learner after its steps and at the end.
macro_rules! td_options {
    ($(#[$doc:meta])* $name:ident { $($of_steps:tt)* } { $($own:tt)* }) => {
        settings! {
            $(#[$doc])*
            pub(super) struct $name {
                /// how far a target looks ahead: 0 to the next move, 1 to the result
                lambda: f64 = real(0.0..=1.0, 0.0),
                /// the share of an error that the first steps remove; of a network a factor of the optimiser's rate
                step: f64 = real(1e-9..=1e3, 1.0),
                /// the same of the last steps; linear between
                last_step: f64 = real(0.0..=1e3, 0.01),
                $($of_steps)*
                /// the chance of a random move
                random: f64 = real(0.0..=1.0, 0.1),
                /// what is learned where a random move was made
                target: Target = Target::setting(),
                /// games that are played with the same weights, and then learned in their order, by a network in one step
                batch: u64 = integer(1..=1_000_000, 16),
                $($own)*
            }
        }

        impl $name {
            fn settings(&self) -> TdSettings {
                let &Self { lambda, step, last_step, random, target, .. } = self;
                TdSettings { lambda, step: [step, last_step], random, target }
            }
        }
    };
}

td_options! {
    /// Weights of n-tuples by temporal differences.
    TupleTd {
        /// whether each weight has a step size of its own, by temporal coherence (Beal, Smith 1999)
        coherence: bool = flag(false),
    } {}
}

td_options! {
    /// A network of dense layers by temporal differences.
    NetworkTd {} {
        /// with a network: the widths of the layers, the last of which is 1
        layers: Vec<i64> = integers(1..=1_000_000),
        /// with a network: what all layers but the last do with their sums
        activation: Activation = Activation::setting(),
        /// in place of `activation`: one for each layer, such as "relu,tanh,linear"
        activations: String = activations(),
        /// with a network: how gradients change it
        optimiser: Optimiser = part(),
    }
}

td_options! {
    /// A network of bags by temporal differences.
    DeepSetsTd {} {}
}

settings! {
    /// Weights of a policy by policy gradients.
    pub(super) struct PolicyGradient {
        /// games of each deal; their mean reward is what each is compared with
        group: u64 = integer(2..=1_000_000, 8),
        /// deals that are played with the same weights, and then learned in one step
        batch: u64 = integer(1..=1_000_000, 16),
        /// the rate of the first steps of Adam
        rate: f64 = real(1e-9..=1e3, 0.02),
        /// the rate of the last steps as a share of the first; linear between
        last: f64 = real(0.0..=1.0, 0.1),
        /// what a point of the score adds to the reward of the first games, in payoffs from 0 to 1
        shaping: f64 = real(0.0..=1e6, 0.0),
        /// the share of the training after which it adds nothing; linear before
        shaped: f64 = real(1e-9..=1.0, 0.5),
    }
}

impl TupleTd {
    pub(super) fn learnable(&self, of: &Setup<'_>) -> Result<Learnable, LearnError> {
        let tuples = Tuples::read(&*opponents(of)?, of.part)?;
        if tuples.stages > 1 {
            let reason = "td learns weights for all stages together; omit `stages`, or write method = \"least-squares\"";
            return Err(FitError::option("stages", reason).into());
        }
        let form = tuples.form(false);
        let Tuples { game, sum, seen, .. } = tuples;
        let (settings, coherence, batch) = (self.settings(), self.coherence, self.batch);
        let (opponents, longest) = (of.players.len() as u64, longest(&game.game().1));
        let play = move |student: &Learner, number, luck, limits| {
            play_actor((&*game, opponents), Actor::of_tuples(student, longest), (number, luck, limits))
        };
        let begin = move |place: Place<'_>| -> Result<Box<dyn LearningRun>, LearnError> {
            let student = Learner::new(sum, seen, settings, coherence);
            Ok(ByGames::begin(
                student,
                |own| Some((own.clone(), Learner::play_like)),
                batch,
                TD,
                place,
                Box::new(play),
            ))
        };
        Ok(Learnable { form, begin: Box::new(begin) })
    }
}

impl NetworkTd {
    pub(super) fn learnable(&self, of: &Setup<'_>) -> Result<Learnable, LearnError> {
        let (game, seen, form) = network_input(&*opponents(of)?, of.part)?;
        if self.layers.is_empty() {
            let reason = "a network needs layers; write for example layers = [32, 1]";
            return Err(Problem::new("layers", reason).into());
        }
        let layers: Arc<[Layer]> = layers(form.inputs, &self.layers, self.activation, &self.activations)?;
        if layers.last().is_some_and(|last| last.activation != Activation::Linear) {
            let reason =
                "the last layer gives the logit of the points, which has no bounds; write `linear` for it";
            return Err(Problem::new("activations", reason).into());
        }
        let (settings, optimiser, batch, inputs) = (self.settings(), self.optimiser, self.batch, form.inputs);
        let (opponents, longest) = (of.players.len() as u64, longest(&game.game().1));
        let play = move |student: &NetworkLearner, number, luck, limits| {
            play_actor((&*game, opponents), Actor::of_network(student, longest), (number, luck, limits))
        };
        let form = Form::of_network(form, Arc::clone(&layers));
        let begin = move |place: Place<'_>| -> Result<Box<dyn LearningRun>, LearnError> {
            let network = Network::random(inputs, &layers, place.luck / "weights")?;
            let student = NetworkLearner::new(network, seen, settings, optimiser);
            Ok(ByGames::begin(student, |_| None, batch, TD, place, Box::new(play)))
        };
        Ok(Learnable { form, begin: Box::new(begin) })
    }
}

impl DeepSetsTd {
    pub(super) fn learnable(&self, of: &Setup<'_>) -> Result<Learnable, LearnError> {
        let Some(PlainEvaluation::Bags { file, evolved: None, .. }) = PlainEvaluation::read(of.part) else {
            let reason = "a training begins with random weights, or with those of a `file`; omit `evolved`, or run the \
                          other training first and name its file";
            return Err(FitError::option("evaluation", reason).into());
        };
        let (settings, batch, (name, _)) = (self.settings(), self.batch, of.game.game());
        let player = of.players.first();
        let (kinds, play) = of.game.bags(settings.of_random(), player)?;
        let read = |file| read_learned(Some(&file), None, |bytes| read_deep_sets(bytes, name, kinds));
        let first = file.map(read).transpose()?;
        if player.is_some() && self.random > 0.0 {
            return Err(no_random_moves().into());
        }
        let begin = move |place: Place<'_>| -> Result<Box<dyn LearningRun>, LearnError> {
            let first = first.unwrap_or_else(|| DeepSets::random(kinds, place.luck / "weights"));
            let student = DeepSetsLearner::new(first, settings);
            let copy =
                |own: &DeepSetsLearner| Some((own.clone(), DeepSetsLearner::play_like as fn(&mut _, &_)));
            Ok(ByGames::begin(student, copy, batch, TD, place, play))
        };
        Ok(Learnable { form: Form::of_bags(name, kinds), begin: Box::new(begin) })
    }
}

impl PolicyGradient {
    pub(super) fn learnable(&self, of: &Setup<'_>) -> Result<Learnable, LearnError> {
        let Some(PlainEvaluation::Linear { features, unit, .. }) = PlainEvaluation::read(of.part) else {
            unreachable!("the method is of features")
        };
        without_weights(of.part)?;
        let (game, (of, names)) = of.game.features(&features)?;
        let ((name, facts), count) = (game.game(), names.len());
        let unit = unit.unwrap_or(UNIT);
        let form = move || WeightsForm { game: name.into(), of: of.into(), unit, names, sparse: false };
        let &Self { group, batch, rate, last, shaping, shaped } = self;
        let optimiser = Optimiser::adam(rate);
        let student = PolicyLearner::new(count, PolicySettings { optimiser, last, shaping, shaped });
        let play = move |student: &PolicyLearner, _, luck: Stream, _| {
            let deal = luck.playout_key();
            let play = |number| {
                play_by_policy(
                    &mut *game.environment(None),
                    student.weights(),
                    (deal, number),
                    longest(&facts),
                )
            };
            (0..group).map(play).map(|game| game.map_err(played)).collect()
        };
        let begin = move |place: Place<'_>| -> Result<Box<dyn LearningRun>, LearnError> {
            Ok(ByGames::begin(
                student,
                |_| None,
                batch,
                ["deals", "rate", "a smaller rate"],
                place,
                Box::new(play),
            ))
        };
        Ok(Learnable { form: Form::of_weights(of.into(), count, form), begin: Box::new(begin) })
    }
}

/// The game with the opponents of a learner, which is for two.
fn opponents(of: &Setup<'_>) -> Result<Box<dyn Learning>, LearnError> {
    if of.game.game().1.players != 2 {
        return Err(FitError::searcher("td learns from games for two, and this is a solitaire").into());
    }
    of.game.with_players(of.players).map_err(LearnError::Player)
}

/// Plays a game of an actor against itself, or against the opponents in turn, in both seats.
fn play_actor(
    (game, opponents): (&dyn Learning, u64),
    actor: Actor<'_>,
    (number, luck, limits): (u64, Stream, Limits),
) -> Result<Episode, PlayError> {
    let opponent = (number / 2).checked_rem(opponents);
    let seat = opponent.map(|_| Player::new((1 - number % 2) as u8));
    let mut environment =
        game.environment(opponent.map(|player| (player as usize, luck / "opponent", limits)));
    actor.play(&mut *environment, seat, luck).map_err(played)
}

/// The games that are counted, the setting and the advice once weights are no numbers any more.
type Words = [&'static str; 3];

const TD: Words = ["games", "method", "smaller steps"];

/// A copy of a student, and what lets it play as the student does.
type PlayingCopy<S> = (S, fn(&mut S, &S));

struct ByGames<S: BatchLearner> {
    student: S,
    /// A copy that plays while the student learns, if the student learns game by game.
    copy: Option<PlayingCopy<S>>,
    play: Box<Play<S>>,
    luck: Stream,
    limits: Limits,
    /// All games of the training, and those of a batch.
    length: u64,
    batch: u64,
    words: Words,
    pool: rayon::ThreadPool,
}

impl<S: BatchLearner + 'static> ByGames<S> {
    /// Begins with a student, which `copy` copies if it learns game by game.
    fn begin(
        student: S,
        copy: fn(&S) -> Option<PlayingCopy<S>>,
        batch: u64,
        words: Words,
        Place { luck, games: length, limits, pool, .. }: Place<'_>,
        play: Box<Play<S>>,
    ) -> Box<dyn LearningRun> {
        let copy = if pool.current_num_threads() > 1 && batch > 1 { copy(&student) } else { None };
        Box::new(Self { student, copy, play, luck: luck / "games", limits, length, batch, words, pool })
    }

    /// Plays a batch, and then learns it.
    fn one_after_the_other(
        &mut self,
        batch: Range<u64>,
        done: impl Fn(usize) -> f64 + Send,
    ) -> Result<(), PlayError> {
        let Self { student, pool, play, luck, limits, .. } = self;
        let play = |game| playing(|| play(student, game, *luck / game, *limits));
        let played: Result<Vec<_>, _> = if pool.current_num_threads() == 1 {
            batch.map(play).collect()
        } else {
            pool.install(|| batch.into_par_iter().map(play).collect())
        };
        let played = played?;
        pool.install(|| student.learn_batch(&played, done));
        Ok(())
    }

    /// Plays a batch by `player`, and learns each game once it and those before it are over. Every thread learns what is
    /// ready, and else plays.
    fn side_by_side(
        &mut self,
        player: &S,
        batch: Range<u64>,
        done: impl Fn(usize) -> f64 + Sync,
    ) -> Result<(), PlayError> {
        let Self { student, pool, play, luck, limits, .. } = self;
        let play = |game| playing(|| play(player, game, *luck / game, *limits));
        let played: Vec<_> = batch.clone().map(|_| OnceLock::new()).collect();
        let (next, learning) = (AtomicUsize::new(0), Mutex::new((student, 0)));
        let learn_ready = |(student, learned): &mut (&mut S, usize)| {
            while let Some(Ok(game)) = played.get(*learned).and_then(OnceLock::get) {
                student.learn_batch(std::slice::from_ref(game), |_| done(*learned));
                *learned += 1;
            }
        };
        pool.broadcast(|_| {
            loop {
                if let Ok(mut learning) = learning.try_lock() {
                    learn_ready(&mut learning);
                }
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = played.get(number) else { break };
                slot.get_or_init(|| play(batch.start + number as u64));
            }
            learn_ready(&mut learning.lock().unwrap_or_else(PoisonError::into_inner));
        });
        played.into_iter().filter_map(OnceLock::into_inner).find_map(Result::err).map_or(Ok(()), Err)
    }
}

impl<S: BatchLearner + 'static> LearningRun for ByGames<S> {
    fn step(&self) -> u64 {
        self.batch
    }

    fn state(&self) -> Vec<f64> {
        self.student.state()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.student.restore(state)
    }

    fn learn(&mut self, batch: Range<u64>) -> Result<Option<Epoch>, LearnError> {
        let (begin, length, end) = (batch.start, self.length, batch.end);
        let done = |number: usize| (begin + number as u64) as f64 / length as f64;
        match self.copy.take() {
            Some((mut player, play_like)) => {
                play_like(&mut player, &self.student);
                let played = self.side_by_side(&player, batch, done);
                self.copy = Some((player, play_like));
                played?;
            }
            None => self.one_after_the_other(batch, done)?,
        }
        if self.student.is_finite() {
            return Ok(None);
        }
        let [games, setting, advice] = self.words;
        let reason = format!("the weights are no numbers any more after {end} {games}; write {advice}");
        Err(Problem::new(setting, reason).into())
    }
}

/// The refusal of random moves of a player that plays in place of the learner.
pub fn no_random_moves() -> Problem {
    Problem::new("random", "a player in place of the learner makes no random moves; write random = 0")
}
