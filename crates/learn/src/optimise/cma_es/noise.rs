//! Noise of the fitness: how it is measured, and what is done about it. UH-CMA-ES: Hansen, Niederberger, Guzzella,
//! Koumoutsakos 2009, "A method for handling uncertainty in evolutionary optimization with an application to feedback
//! control of combustion", IEEE Transactions on Evolutionary Computation 13(1).
//!
//! Some candidates are evaluated twice. If that changes their ranks more than a little, the noise decides who is selected:
//! then each evaluation gets more effort, and if it may not, the step size grows, so that differences become larger.
//!
//! A detail differs from the paper: a candidate that was evaluated twice is ranked by the mean of both fitnesses, not by
//! the sum of both ranks.

use super::Settings;
use crate::optimise::Told;

/// The factor by which the effort changes, α in the paper.
const EFFORT_STEP: f64 = 1.5;

/// Half of this part of the changes of rank that chance alone would make is no sign of noise, θ in the paper.
const TOLERANCE: f64 = 0.2;

#[derive(Clone, Debug)]
pub(super) struct Noise {
    repeated: usize,
    most_effort: f64,
    effort: f64,
    /// Whether the step size grows after this generation.
    grows: bool,
}

impl Noise {
    /// A tenth of the candidates are evaluated twice, two at least, if some are. With a `most_effort` of 1 only the step size grows: on
    /// the sphere with constant noise that was worse than no re-evaluation; it can help where differences grow faster than the noise.
    pub(super) fn new(&Settings { re_evaluate, most_effort, .. }: &Settings, population: usize) -> Self {
        let (repeated, most_effort) =
            if re_evaluate { (population.div_ceil(10).max(2), most_effort) } else { (0, 1.0) };
        Self { repeated, most_effort, effort: 1.0, grows: false }
    }

    pub(super) fn repeated(&self) -> usize {
        self.repeated
    }

    pub(super) fn effort(&self) -> f64 {
        self.effort
    }

    /// The factor of the step size: 1 + 2 / (n + 10) where the noise asks for it.
    pub(super) fn growth(&self, genes: usize) -> f64 {
        if self.grows { 1.0 + 2.0 / (genes as f64 + 10.0) } else { 1.0 }
    }

    /// Measures the noise and decides. Returns one result for each candidate: the mean of both if it was evaluated twice.
    pub(super) fn measure(&mut self, first: &[Told], again: &[Told]) -> Vec<Told> {
        let mut told = first.to_vec();
        for (told, again) in told.iter_mut().zip(again) {
            told.fitness = f64::midpoint(told.comparable(), again.comparable());
        }
        if self.repeated > 0 {
            let is_noisy = uncertainty(first, again) > 0.0;
            self.grows = is_noisy && self.effort >= self.most_effort;
            let step = if is_noisy { EFFORT_STEP } else { 1.0 / EFFORT_STEP };
            self.effort = (self.effort * step).clamp(1.0, self.most_effort);
        }
        told
    }
}

/// The measure s: above 0 if ranks change more than they may (algorithm 3, steps 3 and 4).
fn uncertainty(first: &[Told], again: &[Told]) -> f64 {
    let kept = first[again.len()..].iter();
    let new: Vec<f64> = again.iter().chain(kept).map(Told::comparable).collect();
    let old: Vec<f64> = first.iter().map(Told::comparable).collect();
    // Ranks from 1 among all 2λ values, worst last; of equal ones the older is first.
    let rank = |value: f64, is_new: bool| {
        let above = |list: &[f64]| list.iter().filter(|&&other| other > value).count();
        let equal_and_older = if is_new { old.iter().filter(|&&other| other == value).count() } else { 0 };
        (above(&old) + above(&new) + equal_and_older + 1) as f64
    };
    let size = 2 * first.len();
    let changes = (0..again.len()).map(|index| {
        let (new_rank, old_rank) = (rank(new[index], true), rank(old[index], false));
        let change = ((new_rank - old_rank).abs() - 1.0).max(0.0);
        let worse = f64::from(u8::from(new_rank > old_rank));
        2.0 * change - limit(new_rank - worse, size) - limit(old_rank - (1.0 - worse), size)
    });
    changes.sum::<f64>() / again.len() as f64
}

/// Δ^lim: the θ · 50 % quantile of |1 − r|, |2 − r|, …, |2λ − 1 − r|.
fn limit(rank: f64, size: usize) -> f64 {
    let mut distances: Vec<f64> = (1..size).map(|other| (other as f64 - rank).abs()).collect();
    distances.sort_by(f64::total_cmp);
    distances[((distances.len() as f64 - 1.0) * TOLERANCE * 0.5) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(list: &[f64]) -> Vec<Told> {
        list.iter().map(|&fitness| Told::of(fitness)).collect()
    }

    #[test]
    fn equal_evaluations_are_no_noise_and_swapped_ones_are() {
        let first: Vec<f64> = (0..20).map(f64::from).collect();
        assert!(uncertainty(&told(&first), &told(&[0.0, 1.0])) < 0.0);
        assert!(uncertainty(&told(&first), &told(&[0.4, 0.7])) < 0.0);
        assert!(uncertainty(&told(&first), &told(&[19.5, 15.0])) > 0.0);
    }

    #[test]
    fn noise_asks_for_effort_first_and_then_for_larger_steps() {
        let mut noise =
            Noise::new(&Settings { re_evaluate: true, most_effort: 2.0, ..Settings::default() }, 20);
        let first: Vec<f64> = (0..20).map(f64::from).collect();
        let told_first = told(&first);
        let noisy = told(&[19.5, 15.0]);
        assert_eq!(noise.measure(&told_first, &noisy)[0].fitness, 9.75);
        assert_eq!((noise.effort(), noise.growth(10)), (1.5, 1.0));
        noise.measure(&told_first, &noisy);
        assert_eq!((noise.effort(), noise.growth(10)), (2.0, 1.0));
        noise.measure(&told_first, &noisy);
        assert_eq!((noise.effort(), noise.growth(10)), (2.0, 1.1));
        noise.measure(&told_first, &told(&[0.0, 1.0]));
        assert!(noise.effort() < 2.0 && noise.growth(10) == 1.0);
    }
}
