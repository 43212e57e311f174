//! Stable sorts that are compiled once, whatever they sort: each search of each game sorts a type of its own.

use std::cmp::Ordering;

/// Sorts indices stably.
pub fn sort_indices(indices: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    indices.sort_by(|&one, &other| compare(one, other));
}

/// Sorts values stably.
///
/// # Cost
/// One allocation, and a call through a pointer for each comparison: for what is sorted a few times a move.
pub fn sort_values<T>(values: &mut [T], compare: &dyn Fn(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    sort_indices(&mut order, &|one, other| compare(&values[one], &values[other]));
    for at in 0..order.len() {
        // A value that stood before this place has been swapped to where the order leads.
        let mut from = order[at];
        while from < at {
            from = order[from];
        }
        values.swap(at, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_as_by_the_standard_library() {
        for count in 0..40_u32 {
            let values: Vec<_> = (0..count).map(|number| (number * 7919 % 13, number)).collect();
            let (mut ours, mut expected) = (values.clone(), values);
            sort_values(&mut ours, &|(one, _), (other, _)| other.cmp(one));
            expected.sort_by_key(|&(key, _)| std::cmp::Reverse(key));
            assert_eq!(ours, expected);
        }
    }
}
