//! The slope of a line through points.

use serde::{Deserialize, Serialize};

use super::factorial::{f_tail, student_quantile};
use super::{Confidence, Estimate, Method, Moments};

/// The slope of the line that fits points best, with its test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// The slope, in units of y for each unit of x, with Student's interval.
    pub slope: Estimate,
    /// The standard error of the slope.
    pub standard_error: f64,
    /// The slope in standard errors.
    pub t: f64,
    /// The two-sided p-value of no slope.
    pub p: f64,
    /// The mean of y.
    pub mean: f64,
    /// The number of points.
    pub points: u64,
}

/// The slope by ordinary least squares, with n − 2 degrees of freedom. It assumes that the values scatter about a line, independently
/// and by the same normal distribution at every x. Values of generations that descend from each other are independent only if
/// nothing is inherited that matters; if they are not, the interval is too narrow.
///
/// `None` for fewer than three points, points with one x, and points that lie on a line: the squares that are left are at most 1e-24 of
/// those about the mean, which is what rounding leaves.
///
/// # Example: Anscombe's first set (1973, The American Statistician 27)
/// ```
/// use shikou::stats::{Confidence, slope};
/// let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
/// let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
/// let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
/// let found = slope(&points, Confidence::new(0.95)).unwrap();
/// assert!((found.slope.value - 0.5).abs() < 1e-3 && (found.standard_error - 0.118).abs() < 1e-3);
/// assert!((found.t - 4.24).abs() < 0.01 && (found.p - 0.0022).abs() < 1e-4);
/// ```
pub fn slope(points: &[(f64, f64)], confidence: Confidence) -> Option<Slope> {
    let of = |value: fn(&(f64, f64)) -> f64| points.iter().map(value).collect::<Moments>().mean();
    let (x, mean) = (of(|point| point.0), of(|point| point.1));
    let sum = |term: &dyn Fn(f64, f64) -> f64| {
        points.iter().map(|point| term(point.0 - x, point.1 - mean)).sum::<f64>()
    };
    let width = sum(&|x, _| x * x);
    let value = sum(&|x, y| x * y) / width;
    let left = sum(&|x, y| (y - value * x) * (y - value * x));
    if left <= 1e-24 * sum(&|_, y| y * y) {
        return None;
    }
    let degrees = (points.len() as u64).checked_sub(2).filter(|degrees| *degrees > 0)?;
    let standard_error = (left / degrees as f64 / width).sqrt();
    let t = value / standard_error;
    let half = student_quantile(degrees, confidence) * standard_error;
    t.is_finite().then(|| Slope {
        slope: Estimate::around(value, half, Method::StudentT),
        standard_error,
        t,
        p: f_tail(t * t, 1, degrees),
        mean,
        points: points.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_without_scatter_have_no_test() {
        let level = Confidence::new(0.95);
        for points in [&[][..], &[(0.0, 1.0), (1.0, 3.0)], &[(2.0, 1.0), (2.0, 3.0), (2.0, 4.0)]] {
            assert_eq!(slope(points, level), None);
        }
        for on_a_line in [[1.0, 3.0, 5.0], [0.1, 0.2, 0.3], [0.1, 0.1, 0.1]] {
            assert_eq!(slope(&[0, 1, 2].map(|at| (at as f64, on_a_line[at])), level), None);
        }
        assert!(slope(&[(0.0, 0.1), (1.0, 0.2), (2.0, 0.3 + 1e-9)], level).is_some());
    }

    /// A shift of x and y changes neither the slope nor its test; a factor of y is one of the slope.
    #[test]
    fn a_slope_moves_with_its_points() {
        let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 4.0), (4.0, 3.5)];
        let level = Confidence::new(0.9);
        let found = slope(&points, level).unwrap();
        let moved = slope(&points.map(|(x, y)| (x + 64.0, 2.0 * y - 8.0)), level).unwrap();
        assert!((moved.slope.value - 2.0 * found.slope.value).abs() < 1e-12);
        assert!((moved.t - found.t).abs() < 1e-12 && (moved.p - found.p).abs() < 1e-12);
        assert!((moved.mean - (2.0 * found.mean - 8.0)).abs() < 1e-12);
    }
}
