//! The root of a function in an interval.
//!
//! Chandrupatla's method (1997, Adv. Eng. Softw. 28): inverse quadratic steps if they are safe, else bisection. It never
//! leaves the bracket, needs no derivative, and tolerates infinite values at the ends. Newton's method is faster near
//! the root but leaves the bracket in the flat tails of a distribution.

/// The maximum number of steps; bisection alone needs about 60 for a root near 1.
const MOST_STEPS: u32 = 300;

/// The root of `f` between `low` and `high`, to the last digits. If `f` does not change its sign, the end at which it is
/// closer to zero.
pub(super) fn root(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (mut a, mut b) = (high, low);
    let (mut fa, mut fb) = (f(a), f(b));
    if fa == 0.0 || fb == 0.0 || (fa > 0.0) == (fb > 0.0) {
        return if fa.abs() < fb.abs() { a } else { b };
    }
    let mut step = 0.5;
    for _ in 0..MOST_STEPS {
        let x = a + step * (b - a);
        let fx = f(x);
        let (c, fc);
        if (fx > 0.0) == (fa > 0.0) {
            (c, fc) = (a, fa);
        } else {
            (c, fc) = (b, fb);
            (b, fb) = (a, fa);
        }
        (a, fa) = (x, fx);
        let best = if fa.abs() < fb.abs() { a } else { b };
        let least = (2.0 * f64::EPSILON * best.abs() + f64::MIN_POSITIVE) / (b - a).abs();
        if least > 0.5 || fa == 0.0 {
            return best;
        }
        let (xi, phi) = ((a - b) / (c - b), (fa - fb) / (fc - fb));
        let curved = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
        let quadratic =
            fa / (fb - fa) * (fc / (fb - fc)) + (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
        step = if curved && quadratic.is_finite() { quadratic.clamp(least, 1.0 - least) } else { 0.5 };
    }
    if fa.abs() < fb.abs() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_to_the_last_digits() {
        assert!((root(|x| x * x - 2.0, 0.0, 2.0) - std::f64::consts::SQRT_2).abs() < 1e-15);
        assert!((root(|x| libm::log(x) + 30.0, 0.0, 1.0) / libm::exp(-30.0) - 1.0).abs() < 1e-13);
        let step = root(|x| if x < 0.3 { -1.0 } else { f64::INFINITY }, 0.0, 1.0);
        assert!((step - 0.3).abs() < 1e-15);
        // Flat almost everywhere, like the distribution of many trials.
        assert!((root(|x| libm::erfc(1e6 * (0.7 - x)) - 1.0, 0.0, 1.0) - 0.7).abs() < 1e-15);
    }

    #[test]
    fn without_a_change_of_sign_the_nearer_end_is_returned() {
        assert_eq!(root(|x| 1.0 + x, 0.0, 1.0), 0.0);
        assert_eq!(root(|x| x, 0.0, 1.0), 0.0);
    }
}
