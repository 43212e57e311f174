use super::{Calculation, Deck};

/// The cards on the foundations when the game begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A, 2, 3 and 4, one on each foundation; 48 cards of a full pack in the stock.
    #[default]
    Dealt,
    /// None: all cards are in the stock, and foundation *k* takes rank *k* first.
    Empty,
}

/// Whether the player decides if a card goes up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FoundationRule {
    /// A card may go up or be held back: the game as people play it.
    #[default]
    Optional,
    /// Every card goes up as soon as it can: first the tops of piles, lowest pile first, then the card in hand, each on
    /// the lowest foundation that wants it. So the player only chooses piles. The game is smaller but harder, because
    /// holding a card back is sometimes better.
    Automatic,
    /// A card must go up if any can. The player chooses which, and on which foundation.
    First,
    /// The same, but a card may be held back while another card of its rank lies buried in a pile, below another card.
    Buried,
    /// The same, but a card may be held back while another card of its rank is not up. This rule lowers no optimum: the
    /// last card of a rank has one foundation, and there it only helps.
    Outstanding,
}

/// The payoff of a finished game. Integers, so that sums over playouts are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reward {
    /// 1 for all cards on the foundations, else 0.
    #[default]
    Success,
    /// The number of cards on the foundations, 0 to 52 with a full pack.
    Score,
    /// Both. With weight *w* on the score, from 0 to 1, and *c* of *n* cards on the foundations:
    /// round((1 − *w*) · 100 *n* · *s*) + round(*w* · 100 · *c*), where *s* is 1 for *c* = *n*, else 0.
    /// From 0 to 100 *n* or one more; *w* = 0 is success and *w* = 1 the score, in larger units.
    Mixture(f64),
}

impl Reward {
    /// The payoff for each number of cards on the foundations. Numbers above the deck's size are meaningless.
    pub(super) fn table(self, deck: Deck) -> [i16; 53] {
        let all = deck.cards();
        std::array::from_fn(|cards| {
            let success = i16::from(cards == usize::from(all));
            match self {
                Self::Success => success,
                Self::Score => cards as i16,
                Self::Mixture(weight) => {
                    let for_success = ((1.0 - weight) * (100.0 * f64::from(all))).round() as i16 * success;
                    for_success + (weight * 100.0 * cards as f64).round() as i16
                }
            }
        })
    }
}

impl Calculation {
    /// Sets the number of waste piles, 1 to 8. The usual game has four; three are harder.
    ///
    /// # Panics
    /// If `piles` is not 1 to 8.
    pub fn with_piles(self, piles: u8) -> Self {
        assert!((1..=8).contains(&piles), "a game has 1 to 8 waste piles, not {piles}");
        Self { piles, ..self }
    }

    /// Sets the deck. Small decks allow exact answers, for which a full pack is too large.
    ///
    /// # Example
    /// ```
    /// use shikou::game::{Game, GameExt};
    /// use shikou::games::calculation::{Calculation, Deck};
    /// let game = Calculation::default().with_deck(Deck::new(5, 2).unwrap()).with_piles(2);
    /// // Foundation 2 counts 2 4 A 3 5.
    /// let position = game.follow("4 f2 A").unwrap();
    /// assert_eq!(position.heights(), [1, 2, 0, 0]);
    /// assert!(game.legal(&position).any(|mv| game.notation(&position, mv) == "f2"));
    /// ```
    pub fn with_deck(self, deck: Deck) -> Self {
        Self { deck, payoffs: self.reward.table(deck), ..self }
    }

    /// Sets the layout.
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// Sets the rule for going up.
    pub fn with_foundation_rule(self, foundation: FoundationRule) -> Self {
        Self { foundation, ..self }
    }

    /// Sets whether only the first empty pile may be chosen. Empty piles are equivalent, so no value changes and a
    /// search has fewer moves. But the probabilities of a uniformly random pile change.
    pub fn with_merged_empty_piles(self, merge: bool) -> Self {
        Self { merge_empty: merge, ..self }
    }

    /// Sets the reward.
    ///
    /// # Panics
    /// If the weight of a mixture is not 0 to 1.
    ///
    /// # Example
    /// ```
    /// use shikou::game::Game;
    /// use shikou::games::calculation::{Calculation, Reward};
    /// let game = Calculation::default().with_piles(3).with_reward(Reward::Mixture(0.25));
    /// assert_eq!((game.facts().min_payoff, game.facts().max_payoff), (0, 5200));
    /// ```
    pub fn with_reward(self, reward: Reward) -> Self {
        if let Reward::Mixture(weight) = reward {
            assert!((0.0..=1.0).contains(&weight), "a weight is 0 to 1, not {weight}");
        }
        Self { reward, payoffs: reward.table(self.deck), ..self }
    }

    /// The number of waste piles, 1 to 8.
    pub fn piles(&self) -> u8 {
        self.piles
    }

    /// The deck.
    pub fn deck(&self) -> Deck {
        self.deck
    }

    /// The cards on the foundations when the game begins.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Whether the player decides if a card goes up.
    pub fn foundation_rule(&self) -> FoundationRule {
        self.foundation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_are_what_they_say() {
        let pack = Deck::default();
        assert_eq!([0, 51, 52].map(|cards| Reward::Success.table(pack)[cards]), [0, 0, 1]);
        assert_eq!([0, 51, 52].map(|cards| Reward::Score.table(pack)[cards]), [0, 51, 52]);
        assert_eq!([0, 51, 52].map(|cards| Reward::Mixture(0.0).table(pack)[cards]), [0, 0, 5200]);
        assert_eq!([0, 51, 52].map(|cards| Reward::Mixture(1.0).table(pack)[cards]), [0, 5100, 5200]);
        assert_eq!([0, 51, 52].map(|cards| Reward::Mixture(0.25).table(pack)[cards]), [0, 1275, 5200]);
        for thousandth in 0..=1000 {
            let table = Reward::Mixture(f64::from(thousandth) / 1000.0).table(pack);
            assert!(table.is_sorted() && table[0] == 0 && (5200..=5201).contains(&table[52]));
        }
    }
}
