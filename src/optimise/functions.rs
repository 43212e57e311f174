//! Test functions: what a method is held to, without any game.
//!
//! All are minimised, with the least value 0 (Hansen 2016; Rosenbrock 1960; Rastrigin 1974). A method maximises, so its
//! fitness is the negated value.

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
