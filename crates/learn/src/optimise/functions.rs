//! Test functions: what a method is held to, without any game.
//!
//! All are minimised, with the least value 0 (Hansen 2016; Rosenbrock 1960; Rastrigin 1974). A method maximises, so its
//! fitness is the negated value.

use super::{Genes, Method, Told};
use crate::rng::Rng;
use crate::stats::draw;

/// The sphere Σ xᵢ².
pub fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// The ellipsoid Σ 10^(6 i / (n − 1)) xᵢ², i from 0, with axes of ratio 1000.
pub fn ellipsoid(x: &[f64]) -> f64 {
    let last = (x.len().max(2) - 1) as f64;
    x.iter().enumerate().map(|(i, x)| libm::pow(10.0, 6.0 * i as f64 / last) * x * x).sum()
}

/// Rosenbrock's valley Σ 100 (xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)².
pub fn rosenbrock(x: &[f64]) -> f64 {
    let term = |two: &[f64]| {
        let (across, along) = (two[1] - two[0] * two[0], 1.0 - two[0]);
        100.0 * across * across + along * along
    };
    x.windows(2).map(term).sum()
}

/// Rastrigin's function Σ 10 (1 − cos 2πxᵢ) + xᵢ², with a local minimum near every point of whole numbers.
pub fn rastrigin(x: &[f64]) -> f64 {
    x.iter().map(|x| 10.0 * (1.0 - libm::cos(std::f64::consts::TAU * x)) + x * x).sum()
}

/// The evaluations of a minimised function until a value is below a target; `None` if the method ends before, or after
/// `most` evaluations.
pub fn evaluations_to(
    method: &mut dyn Method,
    function: impl Fn(&[f64]) -> f64,
    target: f64,
    most: u64,
) -> Option<u64> {
    let mut evaluations = 0;
    while evaluations < most && method.finished().is_none() {
        let values: Vec<f64> = method.ask().iter().map(|genes| function(genes)).collect();
        if let Some(index) = values.iter().position(|&value| value < target) {
            return Some(evaluations + index as u64 + 1);
        }
        evaluations += values.len() as u64;
        method.tell(&values.iter().map(|value| Told::of(-value)).collect::<Vec<_>>());
    }
    None
}

/// Lets a method minimise a function with normal noise for some evaluations. The method's effort divides the variance of
/// the noise, and counts as evaluations.
pub fn minimise_under_noise(
    method: &mut dyn Method,
    function: impl Fn(&[f64]) -> f64,
    deviation: f64,
    evaluations: u64,
    rng: &mut Rng,
) {
    let mut left = evaluations as f64;
    while left > 0.0 {
        let asked = method.ask();
        let effort = method.effort();
        let mut tell = |genes: &Genes| {
            let noise = deviation / effort.sqrt() * draw::normal(rng);
            Told::of(noise - function(genes))
        };
        let told: Vec<Told> = asked.iter().map(&mut tell).collect();
        method.tell(&told);
        left -= effort * asked.len() as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_have_their_known_values() {
        assert_eq!(sphere(&[3.0; 10]), 90.0);
        assert!((ellipsoid(&[1.0, 1.0, 1.0]) - 1_001_001.0).abs() < 1e-6);
        assert_eq!(rosenbrock(&[0.0; 10]), 9.0);
        assert_eq!((rosenbrock(&[1.0; 10]), rastrigin(&[0.0; 4])), (0.0, 0.0));
        assert!((rastrigin(&[0.5, 3.0]) - 29.25).abs() < 1e-9);
    }
}
