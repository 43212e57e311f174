//! The set bits of a mask as an iterator: the moves of a bitboard.

/// The indices of the set bits of a mask, lowest first.
///
/// # Example
/// ```
/// use shikou::game::Bits;
/// assert_eq!(Bits::new(0b1001_0010).collect::<Vec<_>>(), [1, 4, 7]);
/// assert_eq!(Bits::new(0b1001_0010).nth(1), Some(4));
/// ```
#[derive(Clone, Copy, Debug)]
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
        for _ in 0..n {
            self.0 &= self.0.wrapping_sub(1);
        }
        self.next()
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
