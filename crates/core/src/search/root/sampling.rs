//! Random numbers from the distributions that the rules need, by arithmetic that gives the same bits on every machine.

use crate::rng::Rng;

/// A number in (0, 1), both ends excluded.
fn open_unit(rng: &mut Rng) -> f64 {
    rng.unit() + 0.5 / (1_u64 << 53) as f64
}

/// A standard normal number (Marsaglia, Bray 1964, the polar method).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * open_unit(rng) - 1.0, 2.0 * open_unit(rng) - 1.0);
        let s = x * x + y * y;
        if s < 1.0 && s > 0.0 {
            return x * (-2.0 * libm::log(s) / s).sqrt();
        }
    }
}

/// A gamma-distributed number with this shape (at least 1) and scale 1 (Marsaglia, Tsang 2000, "A simple method for
/// generating gamma variables", ACM TOMS 26).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        if libm::log(open_unit(rng)) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// A beta-distributed number. Both parameters are at least 1.
pub(super) fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    let (x, y) = (gamma(a, rng), gamma(b, rng));
    x / (x + y)
}

/// A standard Gumbel number.
pub(super) fn gumbel(rng: &mut Rng) -> f64 {
    -libm::log(-libm::log(open_unit(rng)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    fn moments(n: u32, mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let draws: Vec<f64> = (0..n).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        (mean, draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(n))
    }

    #[test]
    fn beta_numbers_have_their_mean_and_variance() {
        let mut rng = (Stream::new(1) / "beta").rng();
        for (a, b) in [(1.0, 1.0), (1.0, 5.0), (3.0, 2.0), (40.0, 60.0)] {
            let n = 100_000;
            let (mean, variance) = moments(n, || beta(a, b, &mut rng));
            let exact_mean = a / (a + b);
            let exact_variance = a * b / ((a + b) * (a + b) * (a + b + 1.0));
            assert!(
                (mean - exact_mean).abs() < 4.5 * (exact_variance / f64::from(n)).sqrt(),
                "{a} {b}: {mean}"
            );
            assert!((variance / exact_variance - 1.0).abs() < 0.03, "{a} {b}: {variance}");
        }
    }

    /// Euler's constant, and π²/6.
    #[test]
    fn gumbel_numbers_have_their_mean_and_variance() {
        let mut rng = (Stream::new(1) / "gumbel").rng();
        let (mean, variance) = moments(200_000, || gumbel(&mut rng));
        assert!((mean - 0.577_215_66).abs() < 0.013, "{mean}");
        assert!((variance - 1.644_934).abs() < 0.04, "{variance}");
    }
}
