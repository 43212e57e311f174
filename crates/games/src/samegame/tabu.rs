//! The policy that builds one large group.

use super::{Links, Position, SameGame, cells_of, count, down, left, zip};
use crate::game::Policy;
use crate::grid::random_of;
use crate::rng::PlayoutRng;

/// A random group that is not of the most frequent colour on the board, or of the first of the most frequent; a random group of that
/// colour if there is no other. One draw a turn.
///
/// The paper takes the colour that is most frequent at the start of a playout. Both are the same until only that colour has groups.
///
/// # References
/// Schadd, Winands, van den Herik, Chaslot, Uiterwijk 2008: `TabuColorRandom`.
#[derive(Clone, Copy, Debug, Default)]
pub struct TabuColour {
    /// Whether groups of two of the colour are allowed after the tenth move (Cazenave 2016, "Nested rollout policy adaptation with
    /// selective policies").
    pub allows_pairs: bool,
}

/// The moves before pairs are allowed.
const ALL_TABU: u16 = 10;

impl TabuColour {
    /// The groups among which it chooses.
    #[inline(always)]
    fn groups(self, game: &SameGame, position: &Position) -> [u64; 4] {
        let mut most = (0, [0; 4]);
        for colour in 0..game.colours {
            let stones = position.of_colour(colour);
            let count = count(stones);
            if count > most.0 {
                most = (count, stones);
            }
        }
        let mut groups = zip(position.groups, most.1, |groups, tabu| groups & !tabu);
        if self.allows_pairs && position.moves >= ALL_TABU {
            groups = zip(groups, pairs(position), |a, b| a | b);
        }
        if groups == [0; 4] { position.groups } else { groups }
    }
}

/// The groups of two.
#[inline(always)]
fn pairs(position: &Position) -> [u64; 4] {
    let Links { below, left: to_left } = Links::of(position);
    let (above, to_right) = (down(below), left(to_left));
    // The cells with one neighbour of their colour.
    let ends: [u64; 4] = std::array::from_fn(|word| {
        let (a, b, c, d) = (below[word], above[word], to_left[word], to_right[word]);
        (a ^ b ^ c ^ d) & !(a & b | c & d)
    });
    let (ends_above, ends_right) =
        (down(zip(ends, below, |a, b| a & b)), left(zip(ends, to_left, |a, b| a & b)));
    std::array::from_fn(|word| position.groups[word] & ends[word] & (ends_above[word] | ends_right[word]))
}

impl Policy<SameGame> for TabuColour {
    #[inline(always)]
    fn choose(&self, game: &SameGame, position: &Position, draws: &mut PlayoutRng) -> u8 {
        let (word, bit) = random_of(self.groups(game, position), draws);
        64 * word + bit
    }

    fn distribution(&self, game: &SameGame, position: &Position) -> Vec<(u8, u32)> {
        cells_of(self.groups(game, position)).map(|cell| (cell, 1)).collect()
    }
}
