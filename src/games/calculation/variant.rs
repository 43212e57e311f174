//! The options of Calculation, for manifests and for programs.

use super::{Calculation, Deck};
use crate::game::NamedGame;
use crate::game::options::{Invalid, OptionDecl, Options};

/// What lies on the foundations when the game begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A, 2, 3 and 4, one on each foundation; 48 cards of a full pack in the stock.
    #[default]
    Dealt,
    /// Nothing; all cards in the stock, and foundation *k* takes rank *k* first.
    Empty,
}

/// Whether going up is the player's decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FoundationRule {
    /// A card may go up or be held back: the game as people play it.
    #[default]
    Optional,
    /// Every card goes up by itself as soon as it can: first the tops of piles, lowest pile first, then the
    /// card in hand, each on the lowest foundation that wants it. So the player only chooses piles. A
    /// smaller game, but a harder one: sometimes it pays to hold a card back.
    Automatic,
}

/// What a finished game is worth. Integers, so that sums over playouts are exact.
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
    /// The payoff for each number of cards on the foundations; beyond those of the deck it has no meaning.
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
    /// The same game with this many waste piles, 1 to 8. Four are usual; three are for the patient.
    ///
    /// # Panics
    /// Where `piles` is not 1 to 8.
    #[must_use]
    pub fn with_piles(self, piles: u8) -> Self {
        assert!((1..=8).contains(&piles), "a game has 1 to 8 waste piles, not {piles}");
        Self { piles, ..self }
    }

    /// The same game with this deck: for exact answers, which a full pack is too large for.
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
    #[must_use]
    pub fn with_deck(self, deck: Deck) -> Self {
        Self { deck, payoffs: self.reward.table(deck), ..self }
    }

    /// The same game with this layout.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// The same game with this rule for going up.
    #[must_use]
    pub fn with_foundation_rule(self, foundation: FoundationRule) -> Self {
        Self { foundation, ..self }
    }

    /// The same game in which only the first of the empty piles may be chosen. Nothing is lost, for empty
    /// piles are alike; a search has fewer moves to look at, and a random pile is no longer the same thing.
    #[must_use]
    pub fn with_merged_empty_piles(self, merge: bool) -> Self {
        Self { merge_empty: merge, ..self }
    }

    /// The same game with this reward.
    ///
    /// # Panics
    /// Where the weight of a mixture is not 0 to 1.
    ///
    /// # Example
    /// ```
    /// use shikou::game::Game;
    /// use shikou::games::calculation::{Calculation, Reward};
    /// let game = Calculation::default().with_piles(3).with_reward(Reward::Mixture(0.25));
    /// assert_eq!((game.facts().min_payoff, game.facts().max_payoff), (0, 5200));
    /// ```
    #[must_use]
    pub fn with_reward(self, reward: Reward) -> Self {
        if let Reward::Mixture(weight) = reward {
            assert!((0.0..=1.0).contains(&weight), "a weight is 0 to 1, not {weight}");
        }
        Self { reward, payoffs: reward.table(self.deck), ..self }
    }

    /// How many waste piles there are, 1 to 8.
    pub fn piles(&self) -> u8 {
        self.piles
    }

    /// What it is played with.
    pub fn deck(&self) -> Deck {
        self.deck
    }

    /// What lies on the foundations when the game begins.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Whether going up is the player's decision.
    pub fn foundation_rule(&self) -> FoundationRule {
        self.foundation
    }
}

impl NamedGame for Calculation {
    const NAME: &'static str = "calculation";
    const ABOUT: &'static str =
        "a solitaire: four foundations count in steps of 1 to 4, a few waste piles wait";

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl::integer("piles", 1, 8, 4, "waste piles"),
            OptionDecl::integer(
                "ranks",
                2,
                13,
                13,
                "ranks of the deck; foundation k counts in steps of k modulo these",
            ),
            OptionDecl::integer("suits", 1, 4, 4, "cards of each rank, and foundations"),
            OptionDecl::choice(
                "layout",
                &[
                    ("dealt", "A, 2, 3, 4 lie on the foundations, the other cards in the stock"),
                    ("empty", "nothing lies on the foundations, all cards in the stock"),
                ],
                "what lies on the foundations when the game begins",
            ),
            OptionDecl::choice(
                "foundation",
                &[
                    ("optional", "going up is the player's decision"),
                    ("automatic", "what can go up goes up by itself, waste piles first"),
                ],
                "whether a card that fits may be held back",
            ),
            OptionDecl::flag("merge-empty", false, "whether empty piles count as one move"),
            OptionDecl::choice(
                "reward",
                &[
                    ("success", "1 for all cards up, else 0"),
                    ("score", "the cards on the foundations"),
                    ("mixture", "a weighted sum of both, in hundredths of a card"),
                ],
                "what searchers maximise",
            ),
            OptionDecl::real("mixture", 0.0, 1.0, 0.5, "the weight of the score in the reward `mixture`"),
        ]
    }

    /// # Errors
    /// Where `mixture` is given with another reward, or no deck has these ranks and suits.
    fn with_options(options: &Options) -> Result<Self, Invalid> {
        let weight = options.real("mixture");
        let reward = match options.word("reward") {
            "mixture" => Reward::Mixture(weight),
            other if weight.to_bits() != 0.5_f64.to_bits() => {
                return Err(Invalid::Other(format!(
                    "`mixture` is {weight:?}, but the reward is {other:?}; it needs `reward = \"mixture\"`"
                )));
            }
            "score" => Reward::Score,
            _ => Reward::Success,
        };
        let deck = Deck::new(options.integer("ranks") as u8, options.integer("suits") as u8)?;
        let layout = if options.word("layout") == "empty" { Layout::Empty } else { Layout::Dealt };
        let foundation = match options.word("foundation") {
            "automatic" => FoundationRule::Automatic,
            _ => FoundationRule::Optional,
        };
        Ok(Self::default()
            .with_piles(options.integer("piles") as u8)
            .with_deck(deck)
            .with_layout(layout)
            .with_foundation_rule(foundation)
            .with_merged_empty_piles(options.flag("merge-empty"))
            .with_reward(reward))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

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

    #[test]
    fn options_become_the_variant() {
        let given = [
            ("piles", 3.into()),
            ("layout", "empty".into()),
            ("foundation", "automatic".into()),
            ("merge-empty", true.into()),
            ("reward", "score".into()),
        ];
        let options = Options::new(&Calculation::options(), given).unwrap();
        let game = Calculation::with_options(&options).unwrap();
        assert_eq!((game.piles(), game.layout()), (3, Layout::Empty));
        assert_eq!(game.foundation_rule(), FoundationRule::Automatic);
        assert!(game.merge_empty);
        assert_eq!(game.payoffs, Reward::Score.table(Deck::default()));
        let default = Options::new(&Calculation::options(), []).unwrap();
        assert_eq!(Calculation::with_options(&default).unwrap().payoffs, Calculation::default().payoffs);
    }

    #[test]
    fn a_small_deck_pays_for_its_own_cards() {
        let given = [("reward", "score".into()), ("ranks", 5.into()), ("suits", 3.into())];
        let options = Options::new(&Calculation::options(), given).unwrap();
        let game = Calculation::with_options(&options).unwrap();
        assert_eq!((game.facts().max_payoff, game.facts().max_plies), (15, Some(36)));
        assert_eq!((game.start().cards_up(), game.start().stock_len()), (3, 12));
        let mixture = game.with_reward(Reward::Mixture(0.25));
        assert_eq!((mixture.payoffs[14], mixture.payoffs[15]), (350, 1500));
        let options = Options::new(&Calculation::options(), [("ranks", 9.into())]).unwrap();
        let error = Calculation::with_options(&options).unwrap_err().to_string();
        assert!(error.contains("foundation 3 never meets the ace"), "{error}");
    }

    #[test]
    fn a_weight_without_a_mixture_is_refused() {
        let options = Options::new(&Calculation::options(), [("mixture", 0.25.into())]).unwrap();
        assert_eq!(
            Calculation::with_options(&options).unwrap_err().to_string(),
            "`mixture` is 0.25, but the reward is \"success\"; it needs `reward = \"mixture\"`"
        );
    }
}
