//! The catalogue of Calculation: its options, evaluations and policies.

use super::clairvoyant::{Clairvoyant, Solution, Verdict};
use super::{
    Calculation, CardsUp, Deck, FoundationFirst, FoundationRule, KingRules, Layout, Order, PILE_BAGS, Reward,
    Waste, WasteFirst,
};
use crate::game::options::{
    OptionDecl, OptionError, Options, Settings, choice, flag, integer, real, settings,
};
use crate::game::{Bags, Entries, Game, NamedEvaluation, NamedFeatures, NamedGame, NamedPolicy};
use crate::rng::Stream;

settings! {
    struct CalculationOptions {
        /// waste piles
        piles: u8 = integer(1..=8, 4),
        /// ranks of the deck; foundation k counts in steps of k modulo these
        ranks: u8 = integer(2..=13, 13),
        /// cards of each rank, and foundations
        suits: u8 = integer(1..=4, 4),
        /// the cards on the foundations at the start
        layout: Layout = choice([
            ("dealt", "A, 2, 3, 4 on the foundations, the other cards in the stock", Layout::Dealt),
            ("empty", "empty foundations, all cards in the stock", Layout::Empty),
        ]),
        /// whether a card that fits may be held back
        foundation: FoundationRule = choice([
            ("optional", "the player decides whether a card goes up", FoundationRule::Optional),
            ("automatic", "every card that can go up does so at once, waste piles first", FoundationRule::Automatic),
            ("first", "a card must go up if any can; the player chooses which and where", FoundationRule::First),
            ("buried", "the same, unless another of its rank lies buried in a pile", FoundationRule::Buried),
            ("outstanding", "the same, unless another of its rank is not up", FoundationRule::Outstanding),
        ]),
        /// whether empty piles count as one move
        merge_empty: bool = flag(false),
        /// what searchers maximise
        reward: Reward = choice([
            ("success", "1 for all cards up, else 0", Reward::Success),
            ("score", "the cards on the foundations", Reward::Score),
            ("mixture", "a weighted sum of both, in hundredths of a card", Reward::Mixture(0.5)),
        ]),
        /// the weight of the score in the reward `mixture`
        mixture: f64 = real(0.0..=1.0, 0.5),
    }
}

impl NamedGame for Calculation {
    const NAME: &'static str = "calculation";
    const ABOUT: &'static str =
        "a solitaire: four foundations count in steps of 1 to 4, a few waste piles wait";
    const BAGS: Option<Bags<Self>> = Some(PILE_BAGS);

    fn options() -> Vec<OptionDecl> {
        CalculationOptions::options()
    }

    /// # Errors
    /// If `mixture` is given with another reward, or no deck has these ranks and suits.
    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let CalculationOptions { piles, ranks, suits, layout, foundation, merge_empty, reward, mixture } =
            Settings::read(options);
        let reward = match reward {
            Reward::Mixture(_) => Reward::Mixture(mixture),
            _ if mixture.to_bits() != 0.5_f64.to_bits() => {
                return Err(OptionError::Other(format!(
                    "`mixture` is {mixture:?}, but the reward is {:?}; it needs `reward = \"mixture\"`",
                    options.word("reward")
                )));
            }
            reward => reward,
        };
        Ok(Self::default()
            .with_piles(piles)
            .with_deck(Deck::new(ranks, suits)?)
            .with_layout(layout)
            .with_foundation_rule(foundation)
            .with_merged_empty_piles(merge_empty)
            .with_reward(reward))
    }

    fn entries(&self) -> Entries<Self> {
        Entries {
            policies: vec![
                NamedPolicy::uniform(),
                NamedPolicy::new(
                    "foundation-first",
                    "a random card up if any can go, else a random pile",
                    FoundationFirst,
                ),
                NamedPolicy::new(
                    "waste-first",
                    "a random pile's top up if any can go, else the hand if it can, else a random pile",
                    WasteFirst,
                ),
                NamedPolicy::new(
                    "king-rules",
                    "cards up if they can go; kings to an empty pile, others to the pile with the least harm",
                    KingRules,
                ),
            ],
            evaluations: vec![
                NamedEvaluation::new("order", "the disorder of the piles, negated", Order),
                NamedEvaluation::new("cards", "the cards on the foundations", CardsUp),
            ],
            features: vec![NamedFeatures::new(
                "waste",
                "tables of the cards in the piles, by need, rank, height and stock",
                Waste,
            )],
            deal_solver: Some(solve_deal),
            ..Entries::default()
        }
    }
}

fn solve_deal(game: &Calculation, deal: Stream, nodes: u64) -> (Option<bool>, u64) {
    let order = game.deal(&mut deal.rng());
    let Solution { verdict, nodes } = Clairvoyant::new(game, nodes).solve(&game.start(), &order);
    let is_won = match verdict {
        Verdict::Won(_) => Some(true),
        Verdict::Lost => Some(false),
        Verdict::Undecided => None,
    };
    (is_won, nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

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
