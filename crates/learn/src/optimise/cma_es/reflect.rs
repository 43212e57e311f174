//! Bounds: values outside are reflected.

use crate::optimise::Gene;

/// A value reflected at the bounds until it is inside. A whole number has half a unit of room beyond each.
pub(super) fn reflected(value: f64, gene: Gene) -> f64 {
    let room = if matches!(gene, Gene::Whole { .. }) { 0.5 } else { 0.0 };
    let (low, high) = gene.bounds();
    let (low, high) = (low - room, high + room);
    if (low..=high).contains(&value) {
        return value;
    }
    let width = high - low;
    if width.is_finite() {
        let place = libm::fmod((value - low).abs(), 2.0 * width);
        low + place.min(2.0 * width - place)
    } else if value < low {
        2.0 * low - value
    } else {
        2.0 * high - value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_reflected_at_both_bounds() {
        let gene = Gene::Real { low: 1.0, high: 3.0 };
        for (value, inside) in
            [(2.5, 2.5), (0.5, 1.5), (3.5, 2.5), (5.5, 1.5), (-2.0, 2.0), (1.0, 1.0), (-1.0, 3.0)]
        {
            assert_eq!(reflected(value, gene), inside, "{value}");
        }
        let above = Gene::Real { low: 1.0, high: f64::INFINITY };
        assert_eq!((reflected(-4.0, above), reflected(9.0, above)), (6.0, 9.0));
        let below = Gene::Real { low: f64::NEG_INFINITY, high: 1.0 };
        assert_eq!(reflected(4.0, below), -2.0);
        assert_eq!(reflected(5.25, Gene::Whole { low: 0, high: 5 }), 5.25);
    }
}
