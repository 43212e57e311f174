use super::Rank;
use crate::rng::PlayoutRng;

/// The number of copies of each rank left, as running sums: byte *r* − 1 counts the cards of ranks up to *r*, and the
/// three bytes beyond the king count all. Running sums make drawing a random card fast.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stock(u128);

/// A 1 in each byte.
const ONES: u128 = u128::MAX / 255;
/// The highest bit of each byte of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;

impl Stock {
    /// The stock that holds this many copies of each rank, ace first; at most 127 cards.
    pub(super) fn new(counts: [u8; 13]) -> Self {
        Self(counts.iter().zip(0..).map(|(&count, index)| (ONES << (8 * index)) * u128::from(count)).sum())
    }

    #[inline(always)]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) const fn len(self) -> u32 {
        (self.0 >> 120) as u32
    }

    /// The number of copies of a rank left.
    #[inline(always)]
    pub(super) const fn count(self, rank: Rank) -> u8 {
        // No byte is less than the previous one, so the subtraction borrows nothing.
        ((self.0 - (self.0 << 8)) >> (8 * (rank.number() - 1))) as u8
    }

    /// The running sums as described above, low half first.
    pub(super) const fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// The running sums: for each rank the number of cards up to it.
    pub(super) fn sums(self) -> [u8; 13] {
        let bytes = self.0.to_le_bytes();
        std::array::from_fn(|index| bytes[index])
    }

    /// Removes a copy of a rank. There must be one.
    #[inline(always)]
    pub(super) const fn take(&mut self, rank: Rank) {
        self.0 -= ONES << (8 * (rank.number() - 1));
    }

    /// A random card, by one draw below the number of cards and the cumulative counts, ace first. Cost: no branch: the rank is
    /// the number of running sums up to the draw.
    #[inline(always)]
    pub(super) fn random(self, draws: &mut PlayoutRng) -> Rank {
        let pick = (u64::from(draws.below(self.len())) * ONES as u64) | HIGH;
        let passed = |sums: u64| ((pick - sums) & HIGH).count_ones();
        Rank::known((passed(self.0 as u64) + passed((self.0 >> 64) as u64)) as u8 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::PlayoutKey;

    #[test]
    fn a_random_card_is_where_the_draw_falls() {
        let mut stock = Stock::new([4; 13]);
        let mut slow = vec![4_u32; 13];
        for playout in 0..200 {
            let mut draws = PlayoutKey::new(playout).playout(0);
            (stock, slow) = if stock.is_empty() { (Stock::new([4; 13]), vec![4; 13]) } else { (stock, slow) };
            while !stock.is_empty() {
                let mut pick = draws.clone().below(slow.iter().sum());
                let expected = slow
                    .iter()
                    .position(|&count| {
                        let falls = pick < count;
                        pick = pick.wrapping_sub(count);
                        falls
                    })
                    .unwrap();
                let rank = stock.random(&mut draws);
                assert_eq!(usize::from(rank.number()), expected + 1);
                stock.take(rank);
                slow[expected] -= 1;
                assert_eq!(u32::from(stock.count(rank)), slow[expected]);
                assert_eq!(stock.len(), slow.iter().sum::<u32>());
            }
        }
    }
}
