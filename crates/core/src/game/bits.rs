//! The set bits of a mask as an iterator: the moves of a bitboard.

use super::nth_set_bit;

/// The indices of the set bits of a mask, lowest first.
///
/// # Example
/// ```
/// use shikou::game::Bits;
/// assert_eq!(Bits::new(0b1001_0010).collect::<Vec<_>>(), [1, 4, 7]);
/// assert_eq!(Bits::new(0b1001_0010).nth(1), Some(4));
/// ```
#[derive(Clone, Debug)]
pub struct Bits(u64);

impl Bits {
    /// The set bits of `mask`.
    #[inline(always)]
    pub const fn new(mask: u64) -> Self {
        Self(mask)
    }
}

impl Iterator for Bits {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(index as u8)
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<u8> {
        let index = nth_set_bit(self.0, u32::try_from(n).unwrap_or(u32::MAX));
        // Clears all bits up to this one.
        self.0 &= index.map_or(0, |index| u64::MAX << index << 1);
        index
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }

    #[inline(always)]
    fn count(self) -> usize {
        self.len()
    }
}

impl ExactSizeIterator for Bits {}
