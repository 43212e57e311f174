//! The stock as counts: what is left, not in which order.

use super::Rank;
use crate::rng::Draws;

/// How many copies of each rank are left to be turned: byte *r* − 1 for rank *r*.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stock(u128);

/// A byte of 1 for each rank of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH: u64 = ONES << 7;

impl Stock {
    /// The stock that holds this many copies of each rank, ace first.
    pub(super) fn new(counts: [u8; 13]) -> Self {
        let mut bytes = [0; 16];
        bytes[..13].copy_from_slice(&counts);
        Self(u128::from_le_bytes(bytes))
    }

    /// Whether no card is left.
    #[inline(always)]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many cards are left.
    pub(super) fn len(self) -> u32 {
        self.0.to_le_bytes().into_iter().map(u32::from).sum()
    }

    /// How many copies of a rank are left.
    #[inline(always)]
    pub(super) const fn count(self, rank: Rank) -> u8 {
        (self.0 >> (8 * (rank.number() - 1))) as u8
    }

    /// Takes a copy of a rank out. There must be one.
    #[inline(always)]
    pub(super) const fn take(&mut self, rank: Rank) {
        self.0 -= 1 << (8 * (rank.number() - 1));
    }

    /// A random card, by one draw below the number of cards: the ranks are laid end to end, ace first.
    ///
    /// # Cost
    /// No branch: the running sums of the counts come from two multiplications, and the rank is the number of
    /// sums that the draw has passed.
    #[inline(always)]
    pub(super) fn random(self, draws: &mut Draws) -> Rank {
        let low = (self.0 as u64).wrapping_mul(ONES);
        // Bytes 5 to 7 are beyond the king: they repeat the sum of all, which no draw passes.
        let high = ((self.0 >> 64) as u64).wrapping_mul(ONES).wrapping_add((low >> 56) * ONES);
        let pick = (u64::from(draws.below((high >> 56) as u32)) * ONES) | HIGH;
        let passed = |sums: u64| (pick.wrapping_sub(sums) & HIGH).count_ones();
        Rank::known((passed(low) + passed(high)) as u8 + 1)
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
