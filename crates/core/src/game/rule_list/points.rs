//! Scores: exact decimal numbers.

use std::fmt;
use std::ops::{Add, Mul};

/// A score with up to six decimal places, exact, so that sums of halves and tenths in different orders are equal.
///
/// # Example
/// ```
/// use shikou::game::Points;
/// let tenth: Points = "0.1".parse().unwrap();
/// assert_eq!(tenth + tenth + tenth, "0.3".parse().unwrap());
/// assert_eq!((tenth * -25).to_string(), "-2.5");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i64);

/// The number of smallest steps in 1.
const ONE: i64 = 1_000_000;

const PLACES: usize = 6;

/// The largest number in a rule, so that sums of products with counts fit.
const LARGEST: i64 = 1_000_000;

impl Points {
    /// One.
    pub const ONE: Self = Self(ONE);

    /// The score nearest to a number; one beyond a million in size is a million.
    pub fn nearest(number: f64) -> Self {
        Self((number.clamp(-(LARGEST as f64), LARGEST as f64) * ONE as f64).round() as i64)
    }

    /// As a floating-point number, for tables.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / ONE as f64
    }
}

impl Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Mul<i32> for Points {
    type Output = Self;
    fn mul(self, count: i32) -> Self {
        Self(self.0.saturating_mul(count.into()))
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.unsigned_abs() / ONE as u64, self.0.unsigned_abs() % ONE as u64);
        let text = format!("{sign}{whole}.{rest:0PLACES$}");
        f.pad(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The reason why a text is not a score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a number of at most a million with at most six decimal places")]
pub struct PointsError(String);

impl std::str::FromStr for Points {
    type Err = PointsError;

    fn from_str(text: &str) -> Result<Self, PointsError> {
        let refuse = || PointsError(text.into());
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
        let is_short = !whole.is_empty() && rest.len() <= PLACES && !digits.ends_with('.');
        if !is_short || !is_number(whole) || !is_number(rest) {
            return Err(refuse());
        }
        let whole: i64 = whole.parse().ok().filter(|&whole| whole <= LARGEST).ok_or_else(refuse)?;
        let rest: i64 = format!("{rest:0<PLACES$}").parse().expect("six digits are a number");
        Ok(Self(sign * (whole * ONE + rest)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".5", "1.", "1.0000001", "1e3", "+1", "--1", "1000001", "1/2", "½"] {
            assert!(text.parse::<Points>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_score_comes_back(steps in -1_000_000_000_000..=1_000_000_000_000_i64) {
            let points = Points(steps);
            prop_assert_eq!(points.to_string().parse(), Ok(points));
            prop_assert_eq!(Points::nearest(points.as_f64()), points);
        }
    }
}
