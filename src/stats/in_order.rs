//! The re-order buffer in front of every live figure and every stopping rule.

use std::collections::BTreeMap;

/// Takes values in any order and returns them in the order of their indices, from 0 and without gaps.
///
/// # Example
/// ```
/// use shikou::stats::InOrder;
/// let mut buffer = InOrder::new();
/// buffer.push(1, "second");
/// assert_eq!(buffer.pop(), None);
/// buffer.push(0, "first");
/// assert_eq!((buffer.pop(), buffer.pop(), buffer.pop()), (Some("first"), Some("second"), None));
/// ```
#[derive(Clone, Debug)]
pub struct InOrder<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// An empty buffer, waiting for index 0.
    pub const fn new() -> Self {
        Self { next: 0, waiting: BTreeMap::new() }
    }

    /// Adds a value.
    ///
    /// # Panics
    /// If a value with this index was added before.
    pub fn push(&mut self, index: u64, value: T) {
        let again = index < self.next || self.waiting.insert(index, value).is_some();
        assert!(!again, "there was a value with index {index} before");
    }

    /// The next value in order, if it has arrived.
    pub fn pop(&mut self) -> Option<T> {
        let value = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(value)
    }

    /// The number of values waiting for an earlier one.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::SliceRandom;

    use super::*;
    use crate::rng::Stream;

    #[test]
    fn any_order_comes_out_in_order() {
        let mut indices: Vec<u64> = (0..1000).collect();
        indices.shuffle(&mut (Stream::new(1) / "order").rng());
        let mut buffer = InOrder::new();
        let mut out = Vec::new();
        for index in indices {
            buffer.push(index, index);
            out.extend(std::iter::from_fn(|| buffer.pop()));
        }
        assert_eq!(out, (0..1000).collect::<Vec<_>>());
        assert_eq!(buffer.waiting(), 0);
    }

    #[test]
    #[should_panic(expected = "index 3 before")]
    fn an_index_must_not_repeat() {
        let mut buffer = InOrder::new();
        buffer.push(3, ());
        buffer.push(3, ());
    }
}
