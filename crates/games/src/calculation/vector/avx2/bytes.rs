//! A byte for each game.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8,
    _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_storeu_si256, _mm256_sub_epi8, _mm256_xor_si256,
};

/// Games per register.
pub(super) const GAMES: usize = 32;

/// A byte for each game.
pub(super) type Bytes = __m256i;

/// Some of the games: all ones in their bytes.
pub(super) type Mask = __m256i;

/// For each set of foundations, the set without its first member.
const WITHOUT_FIRST: [u8; 16] = [0, 0, 0, 2, 0, 4, 4, 6, 0, 8, 8, 10, 8, 12, 12, 14];

copies_registers!([u8; GAMES] as Bytes: load by _mm256_loadu_si256, store by _mm256_storeu_si256);

for_this_path! {
    /// The same byte for all games.
    pub(super) fn all(byte: u8) -> Bytes {
        _mm256_set1_epi8(byte as i8)
    }

    pub(super) fn zero() -> Bytes {
        _mm256_setzero_si256()
    }

    pub(super) fn add(a: Bytes, b: Bytes) -> Bytes {
        _mm256_add_epi8(a, b)
    }

    pub(super) fn less(a: Bytes, b: Bytes) -> Bytes {
        _mm256_sub_epi8(a, b)
    }

    /// The games with equal bytes.
    pub(super) fn is_equal(a: Bytes, b: Bytes) -> Mask {
        _mm256_cmpeq_epi8(a, b)
    }

    /// The games with a byte of `a` below that of `b`; bytes are signed.
    pub(super) fn is_below(a: Bytes, b: Bytes) -> Mask {
        _mm256_cmpgt_epi8(b, a)
    }

    /// The games whose byte has this bit.
    pub(super) fn has_bit(a: Bytes, bit: u8) -> Mask {
        _mm256_cmpeq_epi8(_mm256_and_si256(a, all(bit)), all(bit))
    }

    pub(super) fn choose(mask: Mask, yes: Bytes, no: Bytes) -> Bytes {
        _mm256_blendv_epi8(no, yes, mask)
    }

    pub(super) fn add_where(mask: Mask, a: Bytes, b: Bytes) -> Bytes {
        _mm256_add_epi8(a, _mm256_and_si256(b, mask))
    }

    pub(super) fn less_where(mask: Mask, a: Bytes, b: Bytes) -> Bytes {
        _mm256_sub_epi8(a, _mm256_and_si256(b, mask))
    }

    pub(super) fn both(a: Mask, b: Mask) -> Mask {
        _mm256_and_si256(a, b)
    }

    pub(super) fn either(a: Mask, b: Mask) -> Mask {
        _mm256_or_si256(a, b)
    }

    /// The games in `a` but not in `b`.
    pub(super) fn but_not(a: Mask, b: Mask) -> Mask {
        _mm256_andnot_si256(b, a)
    }

    pub(super) fn differ(a: Mask, b: Mask) -> Mask {
        _mm256_xor_si256(a, b)
    }

    /// All games, or none.
    pub(super) fn all_if(condition: bool) -> Mask {
        all(u8::from(condition).wrapping_neg())
    }

    /// The games of a mask as bits.
    pub(super) fn to_bits(mask: Mask) -> u64 {
        u64::from(_mm256_movemask_epi8(mask) as u32)
    }

    pub(super) fn from_bits(bits: u64) -> Mask {
        // Gives each byte eight bits, of which it tests one.
        let bytes = _mm256_shuffle_epi8(
            _mm256_set1_epi32(bits as i32),
            _mm256_setr_epi8(
                0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
            ),
        );
        let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit)
    }

    /// As bytes: all ones, or 0.
    pub(super) fn to_bytes(mask: Mask) -> Bytes {
        mask
    }

    /// A table of sixteen bytes.
    pub(super) fn table(entries: [u8; 16]) -> Bytes {
        load(&std::array::from_fn(|index| entries[index % 16]))
    }

    /// The entries of a table at indices from 0 to 15.
    pub(super) fn look_up(table: Bytes, indices: Bytes) -> Bytes {
        _mm256_shuffle_epi8(table, indices)
    }

    /// The member with this rank, from 0 to 3, of a set of four, as a set.
    pub(super) fn member(set: Bytes, rank: Bytes) -> Bytes {
        let without_first = table(WITHOUT_FIRST);
        let mut left = set;
        for passed in 0..3 {
            left = choose(is_below(all(passed), rank), look_up(without_first, left), left);
        }
        _mm256_and_si256(left, _mm256_sub_epi8(zero(), left))
    }
}
