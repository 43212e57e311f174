//! A byte for each game. Types and functions are described at those of the same names for AVX2.

use std::arch::x86_64::{
    __m512i, __mmask64, _mm512_add_epi8, _mm512_cmpeq_epi8_mask, _mm512_cmplt_epi8_mask, _mm512_loadu_si512,
    _mm512_mask_add_epi8, _mm512_mask_blend_epi8, _mm512_mask_sub_epi8, _mm512_movm_epi8,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_slli_epi16,
    _mm512_storeu_si512, _mm512_sub_epi8, _mm512_ternarylogic_epi64, _mm512_test_epi8_mask,
};

pub(super) const GAMES: usize = 64;

pub(super) type Bytes = __m512i;

pub(super) type Mask = __mmask64;

/// The truth table of "the third operand's bits from the second, the others from the first".
pub(super) const CHOOSE: i32 = 0xd8;

/// For each set of foundations (the low four bits of the index) and each place in the set's order (the next two bits),
/// the member at that place, as a set.
static MEMBERS: [u8; 64] = {
    let mut members = [0; 64];
    let mut set = 0;
    while set < 16 {
        let mut left = set;
        let mut rank = 0;
        while rank < 4 {
            members[16 * rank + set] = (left & left.wrapping_neg()) as u8;
            left &= left.wrapping_sub(1);
            rank += 1;
        }
        set += 1;
    }
    members
};

copies_registers!([u8; GAMES] as Bytes: load by _mm512_loadu_si512, store by _mm512_storeu_si512);

for_this_path! {
    pub(super) fn all(byte: u8) -> Bytes {
        _mm512_set1_epi8(byte as i8)
    }

    pub(super) fn zero() -> Bytes {
        _mm512_setzero_si512()
    }

    pub(super) fn add(a: Bytes, b: Bytes) -> Bytes {
        _mm512_add_epi8(a, b)
    }

    pub(super) fn less(a: Bytes, b: Bytes) -> Bytes {
        _mm512_sub_epi8(a, b)
    }

    pub(super) fn is_equal(a: Bytes, b: Bytes) -> Mask {
        _mm512_cmpeq_epi8_mask(a, b)
    }

    pub(super) fn is_below(a: Bytes, b: Bytes) -> Mask {
        _mm512_cmplt_epi8_mask(a, b)
    }

    pub(super) fn has_bit(a: Bytes, bit: u8) -> Mask {
        _mm512_test_epi8_mask(a, all(bit))
    }

    pub(super) fn choose(mask: Mask, yes: Bytes, no: Bytes) -> Bytes {
        _mm512_mask_blend_epi8(mask, no, yes)
    }

    pub(super) fn add_where(mask: Mask, a: Bytes, b: Bytes) -> Bytes {
        _mm512_mask_add_epi8(a, mask, a, b)
    }

    pub(super) fn less_where(mask: Mask, a: Bytes, b: Bytes) -> Bytes {
        _mm512_mask_sub_epi8(a, mask, a, b)
    }

    pub(super) fn both(a: Mask, b: Mask) -> Mask {
        a & b
    }

    pub(super) fn either(a: Mask, b: Mask) -> Mask {
        a | b
    }

    pub(super) fn but_not(a: Mask, b: Mask) -> Mask {
        a & !b
    }

    pub(super) fn differ(a: Mask, b: Mask) -> Mask {
        a ^ b
    }

    pub(super) fn all_if(condition: bool) -> Mask {
        u64::from(condition).wrapping_neg()
    }

    pub(super) fn to_bits(mask: Mask) -> u64 {
        mask
    }

    pub(super) fn from_bits(bits: u64) -> Mask {
        bits
    }

    pub(super) fn to_bytes(mask: Mask) -> Bytes {
        _mm512_movm_epi8(mask)
    }

    pub(super) fn table(entries: [u8; 16]) -> Bytes {
        load(&std::array::from_fn(|index| entries[index % 16]))
    }

    pub(super) fn look_up(table: Bytes, indices: Bytes) -> Bytes {
        _mm512_shuffle_epi8(table, indices)
    }

    pub(super) fn member(set: Bytes, rank: Bytes) -> Bytes {
        // The bits that the shift carries over from the byte below are masked out.
        let indices = _mm512_ternarylogic_epi64::<CHOOSE>(set, _mm512_slli_epi16::<4>(rank), all(0x30));
        _mm512_permutexvar_epi8(indices, load(&MEMBERS))
    }
}
