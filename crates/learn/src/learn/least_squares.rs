//! Weights of n-tuples by least squares.
//!
//! The value of a sample is the sum of the weights at its indices. The weights make the mean squared error and a penalty, λ
//! times the sum of their squares, small: they solve (XᵀX/n + λ) w = Xᵀy/n, by conjugate gradients from 0 (Hestenes, Stiefel
//! 1952). For patterns of Othello by stage of the game: Buro 1999, "From simple features to sophisticated evaluation
//! functions".
//!
//! Arithmetic is in `f64`. The samples are summed in a fixed number of parts, and the parts in order, so that the number of
//! threads changes nothing.

use rayon::prelude::*;

use super::batch_learner::{Diverged, Epoch, Errors, Fit, Keep, Set, Sum};
use super::samples::{Samples, Sets, Split};
use super::tuple_sum::TupleSum;
use crate::rng::Stream;
use crate::words::Problem;

const PARTS: usize = 8;

/// Least squares at work.
///
/// # Example: the mean of two targets
/// ```
/// use shikou::learn::{LeastSquares, Samples, Split, Unit};
/// use shikou::rng::Stream;
/// let mut samples = Samples::new(1);
/// samples.push(&[0], 1.0, 0);
/// samples.push(&[0], 2.0, 1);
/// let split = Split { unit: Unit::Game, validate: 0.0, test: 0.0 };
/// let mut squares = LeastSquares::new(samples, 1, 0.0, split, Stream::new(1)).unwrap();
/// squares.iterate();
/// assert_eq!(squares.weights(), [1.5]);
/// ```
pub struct LeastSquares {
    samples: Samples<u32>,
    sets: Sets,
    penalty: f64,
    iterations: u32,
    weights: Vec<f64>,
    /// The residual of Xᵀy/n, and the direction of the next step.
    residual: Vec<f64>,
    direction: Vec<f64>,
    /// The weights with the least error in validation, that error and its iteration.
    best: Option<(f64, u32, Vec<f64>)>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl LeastSquares {
    /// Least squares before the first step: all weights are 0. The stream decides the split.
    ///
    /// # Errors
    /// If the split leaves a set empty.
    ///
    /// # Panics
    /// If an index is not below the number of weights.
    pub fn new(
        samples: Samples<u32>,
        weights: usize,
        penalty: f64,
        split: Split,
        stream: Stream,
    ) -> Result<Self, Problem> {
        assert!(samples.inputs().iter().all(|&index| (index as usize) < weights), "every index has a weight");
        let sets = split.sets(samples.games(), stream)?;
        let mut squares = Self {
            samples,
            sets,
            penalty,
            iterations: 0,
            weights: vec![0.0; weights],
            residual: Vec::new(),
            direction: Vec::new(),
            best: None,
        };
        let Self { samples, .. } = &squares;
        squares.residual = squares.gathered(|sample| f64::from(samples.targets()[sample]));
        squares.direction = squares.residual.clone();
        Ok(squares)
    }

    /// Xᵀ times a number for each sample that trains, divided by their count.
    fn gathered(&self, number: impl Fn(usize) -> f64 + Sync) -> Vec<f64> {
        let train = &self.sets.train;
        let of_part = |samples: &[usize]| {
            let mut sums = vec![0.0; self.weights.len()];
            for &sample in samples {
                let number = number(sample);
                for &index in self.samples.input(sample) {
                    sums[index as usize] += number;
                }
            }
            sums
        };
        let parts: Vec<Vec<f64>> = train.par_chunks(train.len().div_ceil(PARTS)).map(of_part).collect();
        let mut whole = vec![0.0; self.weights.len()];
        for part in parts {
            whole.iter_mut().zip(part).for_each(|(sum, more)| *sum += more);
        }
        let count = train.len() as f64;
        for sum in &mut whole {
            *sum /= count;
        }
        whole
    }

    /// A step of conjugate gradients. Nothing changes once the weights are exact.
    ///
    /// # Cost
    /// Two looks at each index of the samples that train, and one at all others.
    pub fn iterate(&mut self) -> Epoch {
        self.iterations += 1;
        let Self { samples, direction, .. } = &*self;
        let mut product = self.gathered(|sample| TupleSum::sum(direction, samples.input(sample)));
        product.iter_mut().zip(direction).for_each(|(sum, weight)| *sum += self.penalty * weight);
        let (before, curvature) = (dot(&self.residual, &self.residual), dot(&self.direction, &product));
        if before > 0.0 && curvature > 0.0 {
            let step = before / curvature;
            let Self { weights, residual, direction, .. } = self;
            weights.iter_mut().zip(&*direction).for_each(|(weight, by)| *weight += step * by);
            residual.iter_mut().zip(&product).for_each(|(missing, by)| *missing -= step * by);
            let share = dot(residual, residual) / before;
            direction.iter_mut().zip(&*residual).for_each(|(by, missing)| *by = missing + share * *by);
        }
        let train = self.errors(Set::Train).expect("a set that trains is not empty");
        let validate = self.errors(Set::Validate);
        if let Some(errors) = validate
            && self.best.as_ref().is_none_or(|(least, ..)| errors.loss < *least)
        {
            self.best = Some((errors.loss, self.iterations, self.weights.clone()));
        }
        Epoch { number: self.iterations, train, validate }
    }

    /// The weights as they are.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The iteration with the least error in validation, and its weights; `None` without validation.
    pub fn best(&self) -> Option<(u32, &[f64])> {
        self.best.as_ref().map(|(_, iteration, weights)| (*iteration, &weights[..]))
    }

    /// The errors of a set with the weights as they are; `None` if the set is empty.
    pub fn errors(&self, set: Set) -> Option<Errors> {
        self.errors_of(&self.weights, set)
    }

    fn errors_of(&self, weights: &[f64], set: Set) -> Option<Errors> {
        self.errors_by(set, |sample| TupleSum::sum(weights, self.samples.input(sample)))
    }

    fn errors_by(&self, set: Set, value: impl Fn(usize) -> f64 + Sync) -> Option<Errors> {
        let chosen = self.sets.of(set);
        let values: Vec<f64> = chosen.par_iter().map(|&sample| value(sample)).collect();
        let mut sum = Sum::default();
        for (&sample, value) in chosen.iter().zip(values) {
            sum.add_squared(value, self.samples.targets()[sample].into());
        }
        (!chosen.is_empty()).then(|| sum.errors())
    }
}

impl Fit for LeastSquares {
    fn epoch(&mut self) -> Result<Epoch, Diverged> {
        Ok(self.iterate())
    }

    fn kept(&self, keep: Keep) -> (u32, Vec<f64>) {
        let (iteration, weights) = keep.of(self.best(), (self.iterations, &self.weights));
        (iteration, weights.to_vec())
    }

    fn errors_of_kept(&self, keep: Keep, set: Set) -> Option<Errors> {
        self.errors_of(keep.of(self.best(), (0, &self.weights)).1, set)
    }

    fn errors_of_mean(&self, set: Set) -> Option<Errors> {
        let train = &self.sets.train;
        let sum: f64 = train.iter().map(|&sample| f64::from(self.samples.targets()[sample])).sum();
        let mean = sum / train.len() as f64;
        self.errors_by(set, |_| mean)
    }

    fn state(&self) -> Vec<f64> {
        let (loss, iteration, best) = self
            .best
            .as_ref()
            .map_or((0.0, 0, &[][..]), |(loss, iteration, best)| (*loss, *iteration, &best[..]));
        let mut state = self.weights.clone();
        state.extend([f64::from(self.iterations), f64::from(iteration), loss]);
        state.extend(self.residual.iter().chain(&self.direction).chain(best));
        state
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let count = self.weights.len();
        let Some((weights, rest)) = state.split_at_checked(count) else { return false };
        let Some((&[iterations, iteration, loss], rest)) = rest.split_first_chunk() else { return false };
        let mut parts = rest.chunks(count.max(1));
        let (Some(residual), Some(direction)) = (parts.next(), parts.next()) else { return false };
        let best = parts.next();
        let fits = rest.len() == count * if iteration > 0.0 { 3 } else { 2 };
        if fits {
            self.weights.copy_from_slice(weights);
            self.residual.copy_from_slice(residual);
            self.direction.copy_from_slice(direction);
            self.iterations = iterations as u32;
            self.best = best.map(|best| (loss, iteration as u32, best.to_vec()));
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Unit;

    const ALL: Split = Split { unit: Unit::Game, validate: 0.0, test: 0.0 };

    /// Samples of three places, each with a table of its own of three weights; a target is a sum of true weights and noise.
    fn samples(count: u64) -> Samples<u32> {
        let mut rng = Stream::new(3).rng();
        let truth: Vec<f64> = (0..9).map(|_| 4.0 * rng.unit() - 2.0).collect();
        let mut samples = Samples::new(3);
        for number in 0..count {
            let row: Vec<u32> = (0..3).map(|place| 3 * place + rng.below(3) as u32).collect();
            let sum: f64 = row.iter().map(|&index| truth[index as usize]).sum();
            samples.push(&row, (sum + 0.2 * (rng.unit() - 0.5)) as f32, number / 10);
        }
        samples
    }

    /// The solution of the normal equations by elimination.
    fn solved(samples: &Samples<u32>, weights: usize, penalty: f64) -> Vec<f64> {
        let n = samples.len();
        let mut rows = vec![vec![0.0; weights + 1]; weights];
        for sample in 0..n {
            for &i in samples.input(sample) {
                for &j in samples.input(sample) {
                    rows[i as usize][j as usize] += 1.0 / n as f64;
                }
                rows[i as usize][weights] += f64::from(samples.targets()[sample]) / n as f64;
            }
        }
        for (place, row) in rows.iter_mut().enumerate() {
            row[place] += penalty;
        }
        for place in 0..weights {
            let pivot = rows[place].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != place) {
                let factor = row[place] / pivot[place];
                row.iter_mut().zip(&pivot).for_each(|(number, by)| *number -= factor * by);
            }
        }
        (0..weights).map(|place| rows[place][weights] / rows[place][place]).collect()
    }

    #[test]
    fn the_weights_solve_the_normal_equations() {
        for penalty in [1e-3, 0.1, 3.0] {
            let mut squares = LeastSquares::new(samples(200), 9, penalty, ALL, Stream::new(1)).unwrap();
            for _ in 0..30 {
                squares.iterate();
            }
            let expected = solved(&samples(200), 9, penalty);
            for (found, expected) in squares.weights().iter().zip(expected) {
                assert!((found - expected).abs() < 1e-9, "{penalty}: {found}, {expected}");
            }
        }
    }

    #[test]
    fn what_was_not_learned_is_predicted_better_than_by_the_mean() {
        let split = Split { validate: 0.2, test: 0.2, ..ALL };
        let mut squares = LeastSquares::new(samples(500), 9, 1e-4, split, Stream::new(1)).unwrap();
        let first = squares.iterate();
        let last = (0..20).map(|_| squares.iterate()).last().unwrap();
        assert!(last.train.squared < first.train.squared);
        let (found, mean) = (squares.errors(Set::Test).unwrap(), squares.errors_of_mean(Set::Test).unwrap());
        assert!(found.squared < 0.02 && mean.squared > 0.5, "{found:?} {mean:?}");
        assert_eq!(found.samples, 100);
        assert!(squares.best().is_some());
        assert!(!squares.restore(&squares.state()[1..]));
    }
}
