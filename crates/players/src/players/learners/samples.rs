//! Learners of samples of the games of others, epoch by epoch: networks of dense layers, and weights of n-tuples by least squares,
//! whose epochs are steps of conjugate gradients.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Form, LearnError, Learnable, Lessons, Place, Setup, Source, Tuples, network_input};
use crate::game::NamedGame;
use crate::game::options::{Setting, choice, integer, integers, part, real, settings, text};
use crate::game::tuples::{MOST_SQUARES, stage_of};
use crate::learn::{
    Activation, Epoch, Errors, Fit, Keep, Layer, LeastSquares, Loss, Network, Optimiser, Problem, Samples,
    Set, Settings, Split, Trainer, Unit,
};
use crate::players::SearcherSpec;
use crate::players::catalogue::Catalogue;
use crate::players::sampler::{GameSample, Sampling};
use crate::rng::Stream;

settings! {
    /// A network of dense layers from samples.
    pub(super) struct Dense {
        /// the widths of the layers, the last of which is 1
        layers: Vec<i64> = integers(1..=1_000_000),
        /// what all layers but the last do with their sums
        activation: Activation = activation(),
        /// in place of `activation`: one for each layer, such as "relu,tanh,linear"
        activations: String = activations(),
        /// what a position is worth to the player who sees it
        target: Target = target(),
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
        target: Target = target(),
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

/// The function of layers.
pub(super) fn activation() -> Setting<Activation> {
    choice([
        ("tanh", "the hyperbolic tangent", Activation::Tanh),
        ("relu", "the sum, or 0 if it is negative", Activation::Relu),
        ("clipped-relu", "the sum, at least 0 and at most 1", Activation::ClippedRelu),
        ("linear", "the sum itself", Activation::Linear),
    ])
}

/// The activations of all layers.
pub(super) fn activations() -> Setting<String> {
    text("activations such as \"relu,tanh,linear\", one for each layer", "")
}

/// The worth of a sample.
fn target() -> Setting<Target> {
    choice([
        ("payoff", "the payoff of its game", Target::Payoff),
        ("points", "1 for a game that was won, ½ for a drawn one, 0 for a lost one", Target::Points),
    ])
}

/// The share of the samples in a set.
fn share() -> Setting<f64> {
    real(0.0..=0.99, 0.1)
}

/// The worth of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Payoff,
    Points,
}

impl Target {
    /// The target of a sample, given the payoff of its game.
    fn of(self, payoff: i32) -> f32 {
        match self {
            Self::Payoff => payoff as f32,
            Self::Points => f32::midpoint(payoff.signum() as f32, 1.0),
        }
    }
}

/// The layers of a network for this number of inputs. With `activations` each has one of its own, otherwise all but the last
/// have the `activation`.
///
/// # Errors
/// If they are no network.
pub(super) fn layers(
    inputs: usize,
    widths: &[i64],
    activation: Activation,
    activations: &str,
) -> Result<Arc<[Layer]>, Problem> {
    let count = widths.len();
    let activations = if activations.is_empty() {
        let hidden = count.saturating_sub(1);
        (0..count).map(|layer| if layer < hidden { activation } else { Activation::Linear }).collect()
    } else {
        Activation::list(activations, count)?
    };
    let widths = widths.iter().map(|&width| width as usize);
    let layers: Arc<[Layer]> =
        widths.zip(activations).map(|(width, activation)| Layer { width, activation }).collect();
    Network::count_parameters(inputs, &layers)?;
    Ok(layers)
}

/// Checks that something chooses the weights that are kept, and that the players fit the game.
fn check<G: NamedGame>(
    catalogue: &Catalogue<'_, G>,
    keep: Keep,
    validate: f64,
    players: &[SearcherSpec],
) -> Result<(), LearnError> {
    if keep == Keep::Best && validate == 0.0 {
        let reason = "the best epoch is that of the least loss in validation, and validate = 0 leaves none; write \
                      keep = \"last\"";
        return Err(Problem::new("keep", reason).into());
    }
    players.iter().try_for_each(|spec| catalogue.build(spec).map(drop).map_err(LearnError::Player))
}

impl Dense {
    pub(super) const fn source(&self) -> Source {
        let &Self { epochs, split: unit, validate, test, .. } = self;
        Source::Samples { epochs, split: Split { unit, validate, test } }
    }

    pub(super) fn learnable<G: NamedGame>(&self, of: &Setup<'_, '_, G>) -> Result<Learnable, LearnError> {
        let &Setup { catalogue, part, players } = of;
        let (input, seen, form) = network_input(catalogue, part)?;
        let &Self { target, loss, optimiser, l1, l2, batch, split: unit, validate, test, keep, .. } = self;
        let layers = layers(form.inputs, &self.layers, self.activation, &self.activations)?;
        if (loss, target) == (Loss::Logistic, Target::Payoff) {
            let reason = "the logistic loss needs targets from 0 to 1; write target = \"points\"";
            return Err(Problem::new("loss", reason).into());
        }
        let split = Split { unit, validate, test };
        let settings = Settings { loss, optimiser, l1: l1 as f32, l2: l2 as f32, batch, split };
        settings.check()?;
        check(catalogue, keep, validate, players)?;
        let (inputs, sampling) = (form.inputs, Sampling::of_input(catalogue.game(), input, seen));
        let made = move |transcript: &str, _| sampling.samples(transcript);
        Ok(Learnable::new(Form::of_network(form, Arc::clone(&layers)), move |place| {
            begin(place, inputs, (target, keep), made, |samples, luck| {
                let network = Network::random(inputs, &layers, luck / "weights")?;
                Ok(Box::new(Trainer::new(network, settings, Arc::new(samples), luck / "samples")?))
            })
        }))
    }
}

impl LeastSquaresOptions {
    pub(super) const fn source(&self) -> Source {
        let &Self { epochs, split: unit, validate, test, .. } = self;
        Source::Samples { epochs, split: Split { unit, validate, test } }
    }

    pub(super) fn learnable<G: NamedGame>(&self, of: &Setup<'_, '_, G>) -> Result<Learnable, LearnError> {
        let &Setup { catalogue, part, players } = of;
        let tuples = Tuples::read(catalogue, part)?;
        let &Self { target, solved, detour, l2, split: unit, validate, test, keep, .. } = self;
        let (stages, weights) = (tuples.stages, tuples.stages * tuples.sum.weights());
        if weights > MOST_WEIGHTS {
            let reason = format!(
                "{stages} stages have {weights} weights, and {MOST_WEIGHTS} are the most; write fewer"
            );
            return Err(super::FitError::option("stages", reason).into());
        }
        // Many patterns occur in no sample.
        let form = tuples.form(true);
        let Tuples { board, sum, seen, .. } = tuples;
        let places = sum.places();
        let sampling = Sampling::new(catalogue.game(), seen, move |game, position, player| {
            let mut owners = [1; MOST_SQUARES];
            let owners = &mut owners[..sum.squares()];
            board.owners(game, position, player, owners);
            let begin = (stage_of(owners, stages) * sum.weights()) as u32;
            sum.indices(owners).into_iter().map(|index| begin + index).collect::<Vec<u32>>()
        });
        if let (1.., Some(reason)) = (solved, sampling.lacks_solver()) {
            return Err(Problem::new("solved", format!("{reason}; write solved = 0")).into());
        }
        check(catalogue, keep, validate, players)?;
        let split = Split { unit, validate, test };
        Ok(Learnable::new(form, move |place| {
            let luck = place.luck / "samples";
            let made = move |transcript: &str, number: u64| match solved {
                0 => sampling.samples(transcript),
                most => sampling.solved(transcript, most, detour, luck / "solved" / number),
            };
            begin(place, places, (target, keep), made, |samples, _| {
                Ok(Box::new(LeastSquares::new(samples, weights, l2, split, luck / "split")?))
            })
        }))
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
) -> Result<Box<dyn Lessons>, LearnError> {
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

/// A learner from samples.
struct BySamples {
    fit: Box<dyn Fit>,
    keep: Keep,
    pool: rayon::ThreadPool,
    /// The games with and without samples.
    games: u64,
    skipped: u64,
}

/// The errors of the weights that a training kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptErrors {
    /// The epoch that it is of.
    pub epoch: u32,
    /// The games with samples.
    pub games: u64,
    /// Recorded games without an end, or with an illegal move, which give no samples.
    pub skipped: u64,
    /// The errors on the samples that trained.
    pub train: Errors,
    /// The errors on those that validated: they chose the epoch, if the best one is kept.
    pub validate: Option<Errors>,
    /// The errors on those that test.
    pub test: Option<Errors>,
    /// The errors on those that test, of a prediction that is always the mean of those that trained.
    pub mean: Option<Errors>,
}

impl Lessons for BySamples {
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
