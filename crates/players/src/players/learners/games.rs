//! Learners that play their games: in batches, each with the same weights.
//!
//! The games of a batch are learned in their order. So the threads that play them change nothing, and a training goes on
//! from any batch. A student that learns game by game begins while the rest of the batch is still played, with a copy of
//! the weights as they were.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use super::samples::{KeptErrors, activation, activations, layers};
use super::{Form, LearnError, Learnable, Lessons, Place, Setup, Tuples, network_input, without_weights};
use crate::game::options::{Parts, flag, integer, integers, part, real, settings};
use crate::game::{Game, NamedGame, Player};
use crate::learn::{
    Activation, BagEvaluation, BagLearner, BagNetwork, BagPupil, Episode, Epoch, Layer, Learner, LessonError,
    Moments, Network, NetworkLearner, NetworkValues, Optimiser, PolicyLearner, PolicyPupil, PolicySettings,
    Problem, Pupil, Student, Target, TdSettings, TupleValues, Values, read_bag_network,
};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{PlainEvaluation, UNIT};
use crate::players::machine::Machine;
use crate::players::network_file::read_learned;
use crate::players::play_error::playing;
use crate::players::weights_file::WeightsForm;
use crate::players::{FitError, PlayError, Recipe, SearcherSpec, longest};
use crate::rng::Stream;
use crate::search::{Limits, MoveStream};

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
        activation: Activation = activation(),
        /// in place of `activation`: one for each layer, such as "relu,tanh,linear"
        activations: String = activations(),
        /// with a network: how gradients change it
        optimiser: Optimiser = part(),
    }
}

td_options! {
    /// A network of bags by temporal differences.
    BagTd {} {}
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
    pub(super) fn learnable<G: NamedGame>(&self, of: &Setup<'_, '_, G>) -> Result<Learnable, LearnError> {
        let &Setup { catalogue, part, players } = of;
        let (game, opponents) = (catalogue.game().clone(), opponents(catalogue, players)?);
        let tuples = Tuples::read(catalogue, part)?;
        if tuples.stages > 1 {
            let reason = "td learns weights for all stages together; omit `stages`, or write method = \"least-squares\"";
            return Err(FitError::option("stages", reason).into());
        }
        let form = tuples.form(false);
        let Tuples { board, sum, seen, .. } = tuples;
        let (settings, coherence, batch) = (self.settings(), self.coherence, self.batch);
        let random = settings.of_random();
        let play = move |student: &Learner, number, luck, limits| {
            let values = TupleValues::new(&*board, student);
            play_pupil(&game, values, random, &opponents, (number, luck, limits))
        };
        Ok(Learnable::new(form, move |place| {
            let student = Learner::new(sum, seen, settings, coherence);
            Ok(ByGames::begin(student, |own| Some((own.clone(), Learner::play_like)), batch, TD, place, play))
        }))
    }
}

impl NetworkTd {
    pub(super) fn learnable<G: NamedGame>(&self, of: &Setup<'_, '_, G>) -> Result<Learnable, LearnError> {
        let &Setup { catalogue, part, players } = of;
        let (game, opponents) = (catalogue.game().clone(), opponents(catalogue, players)?);
        let (input, seen, form) = network_input(catalogue, part)?;
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
        let random = settings.of_random();
        let play = move |student: &NetworkLearner, number, luck, limits| {
            let values = NetworkValues::new(&input, student.network(), seen);
            play_pupil(&game, values, random, &opponents, (number, luck, limits))
        };
        Ok(Learnable::new(Form::of_network(form, Arc::clone(&layers)), move |place| {
            let network = Network::random(inputs, &layers, place.luck / "weights")?;
            let student = NetworkLearner::new(network, seen, settings, optimiser);
            Ok(ByGames::begin(student, |_| None, batch, TD, place, play))
        }))
    }
}

impl BagTd {
    pub(super) fn learnable<G: NamedGame>(&self, of: &Setup<'_, '_, G>) -> Result<Learnable, LearnError> {
        let &Setup { catalogue, part, players } = of;
        let Some(PlainEvaluation::Bags { file, evolved: None, .. }) = PlainEvaluation::read(part) else {
            let reason = "a training begins with random weights, or with those of a `file`; omit `evolved`, or run the \
                          other training first and name its file";
            return Err(FitError::option("evaluation", reason).into());
        };
        let (bags, kinds) = catalogue.bags("evaluation")?;
        let read = |file| read_learned(Some(&file), None, |bytes| read_bag_network(bytes, G::NAME, kinds));
        let first = file.map(read).transpose()?;
        let (game, additions) = (catalogue.game().clone(), catalogue.additions().clone());
        let (values, player) = (bags.clone(), players.first().cloned());
        // A player whose default evaluation is a network.
        let built = move |game: &G, player: &SearcherSpec, network: BagNetwork| {
            let evaluation = BagEvaluation::new(game, Arc::new(network), values.clone(), UNIT);
            Catalogue::new(game, &additions).with_default_evaluation(Arc::new(evaluation)).build(player)
        };
        if let Some(player) = &player {
            built(&game, player, BagNetwork::random(kinds, Stream::new(0))).map_err(LearnError::Player)?;
            if self.random > 0.0 {
                return Err(no_random_moves().into());
            }
        }
        let (settings, batch) = (self.settings(), self.batch);
        let random = settings.of_random();
        let play = move |student: &BagLearner, _, luck, limits| {
            let pupil = BagPupil::new(&game, &bags, student.network(), random, longest(&game.facts()));
            let Some(player) = &player else { return pupil.play(luck).map_err(played) };
            // A copy: searchers share their evaluation, and the student goes on learning.
            let player = built(&game, player, student.network().clone()).expect("its fit was checked");
            pupil.watch(&mut *moves_of(&game, &player, luck / "player", limits), luck).map_err(played)
        };
        Ok(Learnable::new(Form::of_bags(G::NAME, kinds), move |place| {
            let first = first.unwrap_or_else(|| BagNetwork::random(kinds, place.luck / "weights"));
            let student = BagLearner::new(first, settings);
            Ok(ByGames::begin(
                student,
                |own| Some((own.clone(), BagLearner::play_like)),
                batch,
                TD,
                place,
                play,
            ))
        }))
    }
}

impl PolicyGradient {
    pub(super) fn learnable<G: NamedGame>(&self, of: &Setup<'_, '_, G>) -> Result<Learnable, LearnError> {
        let &Setup { catalogue, part, .. } = of;
        let Some(PlainEvaluation::Linear { features, unit, .. }) = PlainEvaluation::read(part) else {
            unreachable!("the method is of features")
        };
        without_weights(part)?;
        let (game, found) = (catalogue.game().clone(), catalogue.features("evaluation", &features)?);
        let (names, unit) = (found.features.names(&game), unit.unwrap_or(UNIT));
        let (of, count) = (found.name, names.len());
        let form = move || WeightsForm {
            game: G::NAME.into(),
            of: of.into(),
            unit,
            names: names.clone(),
            sparse: false,
        };
        let &Self { group, batch, rate, last, shaping, shaped } = self;
        let optimiser = Optimiser::Adam(Moments { rate: rate as f32, ..Moments::default() });
        let settings = PolicySettings { optimiser, last, shaping, shaped };
        let student = PolicyLearner::new(count, settings);
        let play = move |student: &PolicyLearner, _, luck: Stream, _| {
            let mut pupil = PolicyPupil::new(&game, &*found.features, longest(&game.facts()));
            let deal = luck.playout_key();
            (0..group).map(|number| pupil.play(student.weights(), deal, number).map_err(played)).collect()
        };
        Ok(Learnable::new(Form::of_weights(of.into(), count, form), move |place| {
            Ok(ByGames::begin(student, |_| None, batch, ["deals", "rate", "a smaller rate"], place, play))
        }))
    }
}

/// The opponents of a learner of a game for two.
fn opponents<G: NamedGame>(
    catalogue: &Catalogue<'_, G>,
    players: &[SearcherSpec],
) -> Result<Vec<Recipe<G>>, LearnError> {
    if catalogue.game().facts().players != 2 {
        return Err(FitError::searcher("td learns from games for two, and this is a solitaire").into());
    }
    players.iter().map(|spec| catalogue.build(spec).map_err(LearnError::Player)).collect()
}

/// Plays a game by values against itself, or against the opponents in turn, in both seats.
fn play_pupil<G: Game, V: Values<G>>(
    game: &G,
    values: V,
    random: (f64, Target),
    opponents: &[Recipe<G>],
    (number, luck, limits): (u64, Stream, Limits),
) -> Result<Episode<V::Seen>, PlayError> {
    let mut other = (!opponents.is_empty()).then(|| {
        let opponent = &opponents[(number / 2 % opponents.len() as u64) as usize];
        (Player::new((1 - number % 2) as u8), moves_of(game, opponent, luck / "opponent", limits))
    });
    let other = other.as_mut().map(|(seat, choose)| (*seat, &mut **choose));
    Pupil::new(game, values, random, longest(&game.facts())).play(other, luck).map_err(played)
}

/// The moves of a player at the positions of a game.
type Moves<'g, G> = dyn FnMut(&<G as Game>::Position) -> Result<<G as Game>::Move, PlayError> + 'g;

/// The moves of another player in a game.
fn moves_of<'g, G: Game>(game: &'g G, player: &Recipe<G>, luck: Stream, limits: Limits) -> Box<Moves<'g, G>> {
    let (mut machine, key, mut moves) = (Machine::from(player), luck.playout_key(), 0);
    Box::new(move |position| {
        let stream = MoveStream::new(key.child(moves));
        moves += 1;
        Ok(machine.choose(game, position, stream, limits)?.0.chosen)
    })
}

/// The error of a game.
fn played(error: LessonError<PlayError>) -> PlayError {
    match error {
        LessonError::Endless(plies) => PlayError::Endless(plies),
        LessonError::Opponent(error) => error,
    }
}

/// How a student plays a game: its number, its randomness, and the resources of a search.
type Play<S> = dyn Fn(&S, u64, Stream, Limits) -> Result<<S as Student>::Played, PlayError> + Send + Sync;

struct Games<S: Student> {
    play: Box<Play<S>>,
    luck: Stream,
    limits: Limits,
}

impl<S: Student> Games<S> {
    fn play(&self, student: &S, game: u64) -> Result<S::Played, PlayError> {
        playing(|| (self.play)(student, game, self.luck / game, self.limits))
    }
}

/// The games that are counted, the setting and the advice once weights are no numbers any more.
type Words = [&'static str; 3];

const TD: Words = ["games", "method", "smaller steps"];

/// A copy of a student, and what lets it play as the student does.
type PlayingCopy<S> = (S, fn(&mut S, &S));

struct ByGames<S: Student> {
    student: S,
    /// A copy that plays while the student learns, if the student learns game by game.
    copy: Option<PlayingCopy<S>>,
    games: Games<S>,
    /// All games of the training, and those of a batch.
    length: u64,
    batch: u64,
    words: Words,
    pool: rayon::ThreadPool,
}

impl<S: Student + 'static> ByGames<S> {
    /// Begins with a student, which `copy` copies if it learns game by game.
    fn begin(
        student: S,
        copy: fn(&S) -> Option<PlayingCopy<S>>,
        batch: u64,
        words: Words,
        Place { luck, games: length, limits, pool, .. }: Place<'_>,
        play: impl Fn(&S, u64, Stream, Limits) -> Result<S::Played, PlayError> + Send + Sync + 'static,
    ) -> Box<dyn Lessons> {
        let copy = if pool.current_num_threads() > 1 && batch > 1 { copy(&student) } else { None };
        let games = Games { play: Box::new(play), luck: luck / "games", limits };
        Box::new(Self { student, copy, games, length, batch, words, pool })
    }

    /// Plays a batch, and then learns it.
    fn one_after_the_other(
        &mut self,
        batch: Range<u64>,
        done: impl Fn(usize) -> f64 + Send,
    ) -> Result<(), PlayError> {
        let Self { games, student, pool, .. } = self;
        let play = |game| games.play(student, game);
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
        let Self { games, student, pool, .. } = self;
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
                slot.get_or_init(|| games.play(player, batch.start + number as u64));
            }
            learn_ready(&mut learning.lock().unwrap_or_else(PoisonError::into_inner));
        });
        played.into_iter().filter_map(OnceLock::into_inner).find_map(Result::err).map_or(Ok(()), Err)
    }
}

impl<S: Student + 'static> Lessons for ByGames<S> {
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

    fn errors(&self) -> Option<KeptErrors> {
        None
    }
}

/// The refusal of random moves of a player that plays in place of the learner.
pub fn no_random_moves() -> Problem {
    Problem::new("random", "a player in place of the learner makes no random moves; write random = 0")
}
