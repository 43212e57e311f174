//! Temporal-difference learning of networks of bags, game by game.
//!
//! The direct weights learn by temporal coherence, as those of n-tuples do; a row's other weights by steps that fall with the
//! errors that the row has seen; the layers by steps over the root mean square of their gradients (Tieleman, Hinton 2012,
//! `RMSProp`). So each weight has a step of its own, and rare things learn as fast as common ones.

use super::batch_learner::BatchLearner;
use super::deep_sets::{DIRECT, DeepSets, HIDDEN, INPUTS, LANES, Pass, Row};
use super::episode::Episode;
use super::td::{TdSettings, expected_points};
use crate::game::{BagList, Kernel, accelerate};

/// The step sizes of a factor of 1: of the direct weights together, of rows, of layers.
const DIRECT_STEP: f32 = 2.0;
const ROW_STEP: f32 = 0.01;
const LAYER_STEP: f32 = 0.0003;
/// The share that is kept of the squares that steps depend on, and the number that keeps steps small while there are few.
const ROW_KEPT: f32 = 0.9995;
const ROW_FLOOR: f32 = 0.01;
const LAYER_KEPT: f32 = 0.999;
const LAYER_FLOOR: f32 = 0.001;
/// The step of the biases of pooled bags.
const BIAS_STEP: f32 = 0.0001;

/// A network that is learned, with what its steps depend on.
#[derive(Clone, Debug)]
pub struct DeepSetsLearner {
    network: DeepSets,
    settings: TdSettings,
    /// For each kind the sum of its errors, that of their sizes, and of the squares of the gradients.
    rows: Vec<[f32; 3]>,
    /// For each parameter of the layers the mean square of its gradients.
    squares: Vec<f32>,
    /// The bags of the position that is learned, and the sums of the pooled ones.
    bags: BagList,
    pooled: Vec<Row>,
}

impl DeepSetsLearner {
    /// A learner that begins with a network. [`TdSettings::step`] is a factor of all steps.
    pub fn new(network: DeepSets, settings: TdSettings) -> Self {
        let (rows, squares) = (vec![[0.0; 3]; network.kinds()], vec![0.0; network.after_biases().len()]);
        Self { network, settings, rows, squares, bags: BagList::default(), pooled: Vec::new() }
    }

    /// The network as it is.
    pub const fn network(&self) -> &DeepSets {
        &self.network
    }

    /// Takes over the network of another learner, on which playing depends.
    pub fn play_like(&mut self, other: &Self) {
        self.network.clone_from(&other.network);
    }

    /// Moves the value of a position towards a target.
    #[inline(always)]
    fn correct(&mut self, bags: &BagList, target: f64, factor: f32) {
        let mut pooled = std::mem::take(&mut self.pooled);
        let last = self.network.sums(bags, &mut pooled);
        let pass = self.network.pass(&pooled, &last);
        let error = (target - expected_points(f64::from(pass.value))) as f32;
        let after = self.after_inputs(&pass);
        let biases = *self.network.biases();
        self.step_layers(&pass, error, factor * LAYER_STEP);
        let things: usize = bags.iter().map(<[u32]>::len).sum();
        let direct = factor * DIRECT_STEP / things as f32;
        let mut all = bags.iter();
        for Row(sum) in &pooled {
            let mut gradient = [0.0; LANES];
            for (lane, gradient) in gradient[..DIRECT].iter_mut().enumerate() {
                let number = sum[lane] + biases[lane];
                if number > 0.0 {
                    let is_largest = number == pass.inputs[LANES + lane];
                    let by_largest = if is_largest { after[LANES + lane] } else { 0.0 };
                    *gradient = error * (after[lane] + by_largest);
                }
            }
            let (_, own) = self.network.parts_mut();
            own.iter_mut().zip(&gradient).for_each(|(bias, gradient)| *bias += BIAS_STEP * factor * gradient);
            let things = all.next().expect("each sum has a bag");
            self.step_rows(things, &gradient, error, direct, factor * ROW_STEP);
        }
        let mut gradient = [0.0; LANES];
        for (gradient, after) in gradient[..DIRECT].iter_mut().zip(&after[2 * LANES..]) {
            *gradient = error * after;
        }
        let things = all.next().expect("the last bag is that of the position");
        self.step_rows(things, &gradient, error, direct, factor * ROW_STEP);
        self.pooled = pooled;
    }

    /// The derivatives of the value by the inputs of the hidden layer.
    #[inline(always)]
    fn after_inputs(&self, pass: &Pass) -> [f32; INPUTS] {
        let layers = self.network.after_biases();
        let output = &layers[HIDDEN * INPUTS + HIDDEN..];
        let mut after = [0.0; INPUTS];
        for (number, weights) in layers[..HIDDEN * INPUTS].as_chunks::<INPUTS>().0.iter().enumerate() {
            if pass.hidden[number] > 0.0 {
                for (after, weight) in after.iter_mut().zip(weights) {
                    *after += output[number] * weight;
                }
            }
        }
        after
    }

    #[inline(always)]
    fn step_layers(&mut self, pass: &Pass, error: f32, step: f32) {
        let (_, layers) = self.network.parts_mut();
        let (weights, rest) = layers[LANES..].split_at_mut(HIDDEN * INPUTS);
        let (biases, output) = rest.split_at_mut(HIDDEN);
        let (weight_squares, rest) = self.squares.split_at_mut(HIDDEN * INPUTS);
        let (bias_squares, output_squares) = rest.split_at_mut(HIDDEN);
        let move_one = |parameter: &mut f32, square: &mut f32, gradient: f32| {
            *square = LAYER_KEPT * *square + (1.0 - LAYER_KEPT) * gradient * gradient;
            *parameter += step * gradient / (square.sqrt() + LAYER_FLOOR);
        };
        for number in 0..HIDDEN {
            let hidden = pass.hidden[number];
            let gradient = if hidden > 0.0 { error * output[number] } else { 0.0 };
            move_one(&mut output[number], &mut output_squares[number], error * hidden);
            move_one(&mut biases[number], &mut bias_squares[number], gradient);
            let places = number * INPUTS..(number + 1) * INPUTS;
            let each = weights[places.clone()].iter_mut().zip(&mut weight_squares[places]);
            for ((weight, square), input) in each.zip(&pass.inputs) {
                move_one(weight, square, gradient * input);
            }
        }
        move_one(&mut output[HIDDEN], &mut output_squares[HIDDEN], error);
        self.network.arrange();
    }

    #[inline(always)]
    fn step_rows(&mut self, things: &[u32], gradient: &[f32; LANES], error: f32, direct: f32, step: f32) {
        let square: f32 = gradient.iter().map(|number| number * number).sum::<f32>() / LANES as f32;
        let (rows, _) = self.network.parts_mut();
        for &thing in things {
            let ([sum, sizes, squares], Row(row)) =
                (&mut self.rows[thing as usize], &mut rows[thing as usize]);
            let coherence = if *sizes == 0.0 { 1.0 } else { sum.abs() / *sizes };
            *sum += error;
            *sizes += error.abs();
            *squares = *squares * ROW_KEPT + square;
            let step = step / (squares.sqrt() + ROW_FLOOR);
            // The gradient of the direct weight is left 0.
            for (weight, gradient) in row.iter_mut().zip(gradient) {
                *weight += step * gradient;
            }
            row[DIRECT] += direct * coherence * error;
        }
    }
}

/// A game that is learned, from its end to its beginning.
struct Lesson<'l> {
    learner: &'l mut DeepSetsLearner,
    episode: &'l Episode,
    done: f64,
}

impl Kernel for Lesson<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { learner, episode, done } = self;
        let [first, last] = learner.settings.step;
        let factor = (first + (last - first) * done) as f32;
        let targets = episode.targets(learner.settings.lambda);
        let mut bags = std::mem::take(&mut learner.bags);
        let positions: Vec<&[u32]> = positions(&episode.seen).collect();
        for (seen, target) in positions.into_iter().zip(targets).rev() {
            read(seen, &mut bags);
            learner.correct(&bags, target, factor);
        }
        learner.bags = bags;
    }
}

/// Appends the bags of a position to what was seen: their number of words, and each bag as its length and its things.
pub(super) fn keep(bags: &BagList, seen: &mut Vec<u32>) {
    let begin = seen.len();
    seen.push(0);
    for things in bags.iter() {
        seen.push(things.len() as u32);
        seen.extend_from_slice(things);
    }
    seen[begin] = (seen.len() - begin - 1) as u32;
}

/// The inputs that were seen of each position.
fn positions(mut seen: &[u32]) -> impl Iterator<Item = &[u32]> {
    std::iter::from_fn(move || {
        let (&words, rest) = seen.split_first()?;
        let (position, rest) = rest.split_at(words as usize);
        seen = rest;
        Some(position)
    })
}

fn read(mut seen: &[u32], bags: &mut BagList) {
    bags.clear();
    while let Some((&length, rest)) = seen.split_first() {
        let (things, rest) = rest.split_at(length as usize);
        for &thing in things {
            bags.put(thing as usize);
        }
        bags.close();
        seen = rest;
    }
}

impl BatchLearner for DeepSetsLearner {
    type Played = Episode;

    fn learn_batch(&mut self, episodes: &[Episode], done: impl Fn(usize) -> f64) {
        for (number, episode) in episodes.iter().enumerate() {
            accelerate(Lesson { learner: self, episode, done: done(number) });
        }
    }

    fn state(&self) -> Vec<f64> {
        let numbers = self.rows.as_flattened().iter().chain(&self.squares).copied();
        self.network.parameters().chain(numbers).map(f64::from).collect()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let (kinds, parameters) = (self.rows.len(), DeepSets::count_parameters(self.rows.len()));
        if state.len() != parameters + 3 * kinds + self.squares.len() {
            return false;
        }
        let state: Vec<f32> = state.iter().map(|&number| number as f32).collect();
        let (parameters, rest) = state.split_at(parameters);
        let Some(network) = DeepSets::from_parameters(kinds, parameters) else { return false };
        self.network = network;
        let own = self.rows.as_flattened_mut().iter_mut().chain(&mut self.squares);
        own.zip(rest).for_each(|(number, &new)| *number = new);
        true
    }

    fn is_finite(&self) -> bool {
        self.network.parameters().all(f32::is_finite)
    }
}
