//! Learners of samples of the games of others, epoch by epoch: networks of dense layers, and weights of n-tuples by least squares,
//! whose epochs are steps of conjugate gradients.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{
    Form, KeptErrors, LearnError, Learnable, Learning, LearningRun, Place, Setup, Source, Tuples,
    activations, layers, network_input,
};
use crate::game::Player;
use crate::game::options::{Setting, integer, integers, part, real, settings};
use crate::game::tuples::{MOST_SQUARES, Seen, stage_of};
use crate::learn::{
    Activation, At, Environment, Epoch, Fit, Inputs, Keep, LeastSquares, Loss, Network, Optimiser, Problem,
    Samples, Set, Settings, Sight, Split, Trainer, Unit,
};
use crate::players::{FitError, PlayError};
use crate::rng::Stream;

settings! {
    /// A network of dense layers from samples.
    pub(super) struct Dense {
        /// the widths of the layers, the last of which is 1
        layers: Vec<i64> = integers(1..=1_000_000),
        /// what all layers but the last do with their sums
        activation: Activation = Activation::setting(),
        /// in place of `activation`: one for each layer, such as "relu,tanh,linear"
        activations: String = activations(),
        /// what a position is worth to the player who sees it
        target: Target = Target::setting(),
        /// what is made small
        loss: Loss = part(),
        /// how gradients change the network
        optimiser: Optimiser = part(),
        /// factor of the sign of each weight, added to its slope
        l1: f64 = real(0.0..=1e3, 0.0),
        /// factor of each weight, added to its slope
        l2: f64 = real(0.0..=1e3, 0.0),
        /// samples of one step
        batch: usize = integer(1..=1_000_000, 100),
        /// how often each sample is learned
        epochs: u64 = integer(1..=1_000_000, 30),
        /// what is put into one set as a whole
        split: Unit = Unit::setting(),
        /// the share that validates: it chooses an epoch and is no test
        validate: f64 = share(),
        /// the share that tests, with the network that is kept
        test: f64 = share(),
        /// the weights that are kept
        keep: Keep = Keep::setting(),
    }
}

settings! {
    /// Weights of n-tuples by least squares.
    pub(super) struct LeastSquaresOptions {
        /// what a position is worth to the player who sees it
        target: Target = Target::setting(),
        /// with n > 0, one sample a game: a position with two thirds of n to n plies left, whose target is its exact value
        solved: u32 = integer(0..=24, 0),
        /// with `solved`, the most random plies that lead to the sample; the number is drawn
        detour: u32 = integer(0..=24, 5),
        /// factor of the sum of the squared weights, added to the mean squared error
        l2: f64 = real(0.0..=1e3, 1e-4),
        /// steps of conjugate gradients, each over all samples
        epochs: u64 = integer(1..=1_000_000, 30),
        /// what is put into one set as a whole
        split: Unit = Unit::setting(),
        /// the share that validates: it chooses an epoch and is no test
        validate: f64 = share(),
        /// the share that tests, with the weights that are kept
        test: f64 = share(),
        /// the weights that are kept
        keep: Keep = Keep::setting(),
    }
}

fn share() -> Setting<f64> {
    real(0.0..=0.99, 0.1)
}

shikou_learn::words! {
    /// The worth of a sample.
    enum Target {
        Payoff = "the payoff of its game",
        Points = "1 for a game that was won, ½ for a drawn one, 0 for a lost one",
    }
}

impl Target {
    fn of(self, payoff: i32) -> f32 {
        match self {
            Self::Payoff => payoff as f32,
            Self::Points => f32::midpoint(payoff.signum() as f32, 1.0),
        }
    }
}

/// Checks that something chooses the weights that are kept, and that the players fit the game.
fn check(of: &Setup<'_>, keep: Keep, validate: f64) -> Result<(), LearnError> {
    if keep == Keep::Best && validate == 0.0 {
        let reason = "the best epoch is that of the least loss in validation, and validate = 0 leaves none; write \
                      keep = \"last\"";
        return Err(Problem::new("keep", reason).into());
    }
    of.game.with_players(of.players).map(drop).map_err(LearnError::Player)
}

impl Dense {
    pub(super) const fn source(&self) -> Source {
        let &Self { epochs, split: unit, validate, test, .. } = self;
        Source::Samples { epochs, split: Split { unit, validate, test } }
    }

    pub(super) fn learnable(&self, of: &Setup<'_>) -> Result<Learnable, LearnError> {
        let (game, seen, form) = network_input(of.game, of.part)?;
        let &Self { target, loss, optimiser, l1, l2, batch, split: unit, validate, test, keep, .. } = self;
        let layers = layers(form.inputs, &self.layers, self.activation, &self.activations)?;
        if (loss, target) == (Loss::Logistic {}, Target::Payoff) {
            let reason = "the logistic loss needs targets from 0 to 1; write target = \"points\"";
            return Err(Problem::new("loss", reason).into());
        }
        let split = Split { unit, validate, test };
        let settings = Settings { loss, optimiser, l1: l1 as f32, l2: l2 as f32, batch, split };
        settings.check()?;
        check(of, keep, validate)?;
        let (inputs, sampling) = (form.inputs, Sampling::of_inputs(game, form.inputs, seen));
        let made = move |transcript: &str, _| sampling.samples(transcript, None);
        let form = Form::of_network(form, Arc::clone(&layers));
        let begin = move |place: Place<'_>| -> Result<Box<dyn LearningRun>, LearnError> {
            begin(place, inputs, (target, keep), made, |samples, luck| {
                let network = Network::random(inputs, &layers, luck / "weights")?;
                Ok(Box::new(Trainer::new(network, settings, Arc::new(samples), luck / "samples")?))
            })
        };
        Ok(Learnable { form, begin: Box::new(begin) })
    }
}

impl LeastSquaresOptions {
    pub(super) const fn source(&self) -> Source {
        let &Self { epochs, split: unit, validate, test, .. } = self;
        Source::Samples { epochs, split: Split { unit, validate, test } }
    }

    pub(super) fn learnable(&self, of: &Setup<'_>) -> Result<Learnable, LearnError> {
        let tuples = Tuples::read(of.game, of.part)?;
        let &Self { target, solved, detour, l2, split: unit, validate, test, keep, .. } = self;
        let (stages, weights) = (tuples.stages, tuples.stages * tuples.sum.weights());
        if weights > MOST_WEIGHTS {
            let reason = format!(
                "{stages} stages have {weights} weights, and {MOST_WEIGHTS} are the most; write fewer"
            );
            return Err(FitError::option("stages", reason).into());
        }
        // Many patterns occur in no sample.
        let form = tuples.form(true);
        let Tuples { game, sum, seen, .. } = tuples;
        if let (1.., Some(reason)) = (solved, game.lacks_solver()) {
            return Err(Problem::new("solved", format!("{reason}; write solved = 0")).into());
        }
        let places = sum.places();
        let see = move |environment: &dyn Environment<PlayError>, player| {
            let mut owners = [1; MOST_SQUARES];
            let owners = &mut owners[..sum.squares()];
            environment.show(player, At::Now, Sight::Owners(owners));
            let begin = (stage_of(owners, stages) * sum.weights()) as u32;
            sum.indices(owners).into_iter().map(|index| begin + index).collect::<Vec<u32>>()
        };
        let sampling = Sampling { game, seen, see: Box::new(see) };
        check(of, keep, validate)?;
        let split = Split { unit, validate, test };
        let begin = move |place: Place<'_>| -> Result<Box<dyn LearningRun>, LearnError> {
            let luck = place.luck / "samples";
            let made = move |transcript: &str, number: u64| {
                let plies = (solved > 0).then(|| ([solved, detour], luck / "solved" / number));
                sampling.samples(transcript, plies)
            };
            begin(place, places, (target, keep), made, |samples, _| {
                Ok(Box::new(LeastSquares::new(samples, weights, l2, split, luck / "split")?))
            })
        };
        Ok(Learnable { form, begin: Box::new(begin) })
    }
}

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

/// The numbers of the present position of a environment, as a player sees it.
type See<T> = dyn Fn(&dyn Environment<PlayError>, Player) -> Vec<T> + Send + Sync;

/// How finished games become samples.
pub(crate) struct Sampling<T> {
    game: Box<dyn Learning>,
    seen: Seen,
    see: Box<See<T>>,
}

impl Sampling<f32> {
    pub(crate) fn of_inputs(game: Box<dyn Learning>, width: usize, seen: Seen) -> Self {
        let see = move |environment: &dyn Environment<PlayError>, player| {
            let (mut inputs, mut numbers) = (Inputs::default(), Vec::with_capacity(width));
            environment.show(player, At::Now, Sight::Inputs(&mut inputs));
            inputs.numbers(0, width, &mut numbers);
            numbers
        };
        Self { game, seen, see: Box::new(see) }
    }
}

impl<T> Sampling<T> {
    /// The samples of a game; see [`Learning::samples`].
    pub(crate) fn samples(
        &self,
        transcript: &str,
        solved: Option<([u32; 2], Stream)>,
    ) -> Result<Vec<GameSample<T>>, String> {
        let mut samples = Vec::new();
        self.game.samples(transcript, solved, &mut |environment, ply, mover, payoff| {
            let (player, _) = self.seen.by(mover);
            let (input, outcome) = ((self.see)(environment, player), payoff(player));
            samples.push(GameSample { ply, player, input, outcome });
        })?;
        Ok(samples)
    }
}

/// The most weights of all stages of a game.
const MOST_WEIGHTS: usize = 10_000_000;

/// The most numbers of all samples: 8 GiB.
const MOST_NUMBERS: usize = 1 << 31;

/// Begins with the samples of some games, of `width` numbers each: `made` makes those of a game with a number, and `fit` what is fitted.
fn begin<T: Copy + Send + 'static>(
    Place { luck, random_plies, pool, transcripts, .. }: Place<'_>,
    width: usize,
    (target, keep): (Target, Keep),
    made: impl Fn(&str, u64) -> Result<Vec<GameSample<T>>, String> + Sync,
    fit: impl FnOnce(Samples<T>, Stream) -> Result<Box<dyn Fit>, Problem> + Send,
) -> Result<Box<dyn LearningRun>, LearnError> {
    let (mut samples, mut games, mut skipped) = (Samples::new(width), 0, 0);
    for part in transcripts {
        let found: Vec<_> = pool.install(|| {
            let numbered = part.par_iter().enumerate();
            numbered.map(|(at, transcript)| made(transcript, games + at as u64)).collect()
        });
        for (number, found) in (games..).zip(found) {
            skipped += u64::from(found.is_err());
            let found = found.into_iter().flatten().filter(|sample| sample.ply > random_plies);
            found.for_each(|sample| samples.push(&sample.input, target.of(sample.outcome), number));
        }
        games += part.len() as u64;
        if samples.len() * width > MOST_NUMBERS {
            let reason = "they do not fit into 8 GiB; play fewer games, or choose an input of fewer numbers";
            return Err(Problem::new("samples", reason).into());
        }
    }
    let fit = pool.install(|| fit(samples, luck))?;
    Ok(Box::new(BySamples { fit, keep, pool, games: games - skipped, skipped }))
}

struct BySamples {
    fit: Box<dyn Fit>,
    keep: Keep,
    pool: rayon::ThreadPool,
    /// The games with and without samples.
    games: u64,
    skipped: u64,
}

impl LearningRun for BySamples {
    fn step(&self) -> u64 {
        1
    }

    /// The weights that are kept come first.
    fn state(&self) -> Vec<f64> {
        let (_, mut state) = self.fit.kept(self.keep);
        state.extend(self.fit.state());
        state
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let (_, kept) = self.fit.kept(self.keep);
        state.get(kept.len()..).is_some_and(|state| self.fit.restore(state))
    }

    fn learn(&mut self, _: Range<u64>) -> Result<Option<Epoch>, LearnError> {
        let Self { fit, pool, .. } = self;
        Ok(Some(pool.install(|| fit.epoch())?))
    }

    fn errors(&self) -> Option<KeptErrors> {
        let &Self { ref fit, keep, ref pool, games, skipped } = self;
        pool.install(|| {
            let [train, validate, test] =
                [Set::Train, Set::Validate, Set::Test].map(|set| fit.errors_of_kept(keep, set));
            let train = train.expect("a set that trains is not empty");
            let ((epoch, _), mean) = (fit.kept(keep), fit.errors_of_mean(Set::Test));
            Some(KeptErrors { epoch, games, skipped, train, validate, test, mean })
        })
    }
}
