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

/// The index of the set bit with this rank, counted from 0 at the lowest; `None` if there are fewer set bits.
///
/// # Cost
/// One PDEP if the processor has a fast one: about 4 cycles. Otherwise a loop over the lower bits, whose end is hard to
/// predict: about 25 cycles for a move of Othello.
///
/// # Example
/// ```
/// use shikou::game::nth_set_bit;
/// assert_eq!(nth_set_bit(0b1001_0010, 2), Some(7));
/// assert_eq!(nth_set_bit(0b1001_0010, 3), None);
/// ```
#[inline(always)]
pub fn nth_set_bit(mask: u64, rank: u32) -> Option<u8> {
    #[cfg(target_arch = "x86_64")]
    return if deposit::is_known_fast() {
        deposit::nth_set_bit(mask, rank)
    } else {
        deposit::nth_set_bit_unless_fast(mask, rank)
    };
    #[cfg(not(target_arch = "x86_64"))]
    nth_set_bit_portable(mask, rank)
}

#[inline(always)]
fn nth_set_bit_portable(mut mask: u64, rank: u32) -> Option<u8> {
    for _ in 0..rank.min(64) {
        mask &= mask.wrapping_sub(1);
    }
    (mask != 0).then(|| mask.trailing_zeros() as u8)
}

#[cfg(target_arch = "x86_64")]
mod deposit {
    use std::arch::x86_64::{__cpuid, _pdep_u64};
    use std::sync::atomic::{AtomicU8, Ordering};

    use crate::game::Path;

    const UNKNOWN: u8 = 0;
    const SLOW: u8 = 1;
    const FAST: u8 = 2;

    /// The speed of this processor's PDEP, as far as known.
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// Whether this processor is known to have PDEP that is not microcoded.
    #[inline(always)]
    pub(super) fn is_known_fast() -> bool {
        KNOWN.load(Ordering::Relaxed) == FAST
    }

    /// Every case but the fast one, out of line, so that a loop that never gets here keeps its registers.
    #[cold]
    #[inline(never)]
    pub(super) fn nth_set_bit_unless_fast(mask: u64, rank: u32) -> Option<u8> {
        if KNOWN.load(Ordering::Relaxed) == UNKNOWN {
            KNOWN.store(if detect() { FAST } else { SLOW }, Ordering::Relaxed);
        }
        super::nth_set_bit_portable(mask, rank)
    }

    fn detect() -> bool {
        // Miri does not support CPUID.
        Path::Avx2.is_available() && (cfg!(miri) || !is_microcode())
    }

    /// AMD's family 17h (Zen, Zen 2) and older run PDEP as microcode, many cycles for each bit.
    fn is_microcode() -> bool {
        let vendor = __cpuid(0);
        let is_amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
        let signature = __cpuid(1).eax;
        let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
        is_amd && family <= 0x17
    }

    #[inline(always)]
    pub(super) fn nth_set_bit(mask: u64, rank: u32) -> Option<u8> {
        #[expect(unsafe_code, reason = "one instruction beyond the base of x86-64")]
        // SAFETY: only called where `detect` found BMI2.
        let bit = unsafe { deposit(1_u64.wrapping_shl(rank), mask) };
        // A rank that wraps is detected in parallel with the deposit.
        (rank < 64 && bit != 0).then(|| bit.trailing_zeros() as u8)
    }

    #[target_feature(enable = "bmi2")]
    #[inline]
    fn deposit(bit: u64, mask: u64) -> u64 {
        _pdep_u64(bit, mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn both_ways_agree() {
        let mut rng = (Stream::new(1) / "masks").rng();
        for _ in 0..10_000 {
            let mask = rng.next_u64() & rng.next_u64();
            for rank in 0..66 {
                assert_eq!(nth_set_bit(mask, rank), nth_set_bit_portable(mask, rank), "{mask:x} {rank}");
            }
        }
        assert_eq!(nth_set_bit(0, 0), None);
    }
}
