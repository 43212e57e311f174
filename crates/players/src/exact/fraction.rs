//! Exact fractions and their decimal form.

use num_rational::BigRational;

/// A fraction of two integers of any size.
pub type Fraction = BigRational;

/// A fraction as a percentage with `places` decimal places, rounded half up.
///
/// # Example
/// ```
/// use shikou::exact::{Fraction, percent};
/// assert_eq!(percent(&Fraction::new(737.into(), 1260.into()), 3), "58.492");
/// assert_eq!(percent(&Fraction::new(1.into(), 1.into()), 3), "100.000");
/// assert_eq!(percent(&Fraction::new(1.into(), 16.into()), 1), "6.3");
/// ```
pub fn percent(share: &Fraction, places: u32) -> String {
    decimal(&(share * whole(100)), places)
}

/// A non-negative fraction with `places` decimal places, rounded half up.
pub(crate) fn decimal(fraction: &Fraction, places: u32) -> String {
    let unit = whole(10_i64.pow(places));
    let half = Fraction::new(1.into(), 2.into());
    let steps = (fraction * &unit + half).floor().to_integer().to_string();
    let steps = format!("{steps:0>width$}", width = places as usize + 1);
    let (before, behind) = steps.split_at(steps.len() - places as usize);
    if behind.is_empty() { before.into() } else { format!("{before}.{behind}") }
}

/// An integer as a fraction.
pub(super) fn whole(number: i64) -> Fraction {
    Fraction::from_integer(number.into())
}

/// The fraction 0.
pub(super) fn zero() -> Fraction {
    whole(0)
}
