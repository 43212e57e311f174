//! What is true of a game with its options: the facts that decide what fits it.

use serde::Serialize;

/// The capabilities of a game, stated once and checked by the conformance kit.
///
/// # Example: a game for two without chance
/// ```
/// use shikou::game::Facts;
/// let facts = Facts::two_player().with_payoffs(-1, 1).with_max_plies(9);
/// assert_eq!((facts.players, facts.chance, facts.zero_sum), (2, false, true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// How many players decide: 1 or 2.
    pub players: u8,
    /// Whether chance ever has a turn.
    pub chance: bool,
    /// Whether the payoffs of the two players always add up to 0. False for a solitaire.
    pub zero_sum: bool,
    /// The smallest payoff that any player can have.
    pub min_payoff: i32,
    /// The largest payoff that any player can have.
    pub max_payoff: i32,
    /// What the score counts, in the plural: "discs", "cards".
    pub score_unit: &'static str,
    /// No game is longer than this many plies, players' and chance's turns together. `None`: no bound is known.
    pub max_plies: Option<u32>,
}

impl Facts {
    /// A zero-sum game for two without chance; payoffs −1, 0, 1 for loss, draw, win.
    pub const fn two_player() -> Self {
        Self {
            players: 2,
            chance: false,
            zero_sum: true,
            min_payoff: -1,
            max_payoff: 1,
            score_unit: "points",
            max_plies: None,
        }
    }

    /// A game for one without chance; payoff 0 or 1 for lost, won.
    pub const fn solitaire() -> Self {
        Self { players: 1, zero_sum: false, min_payoff: 0, ..Self::two_player() }
    }

    /// The same with turns of chance.
    #[must_use]
    pub const fn with_chance(self) -> Self {
        Self { chance: true, ..self }
    }

    /// The same with payoffs in `min..=max`.
    #[must_use]
    pub const fn with_payoffs(self, min: i32, max: i32) -> Self {
        Self { min_payoff: min, max_payoff: max, ..self }
    }

    /// The same with a score that counts these.
    #[must_use]
    pub const fn with_score_unit(self, unit: &'static str) -> Self {
        Self { score_unit: unit, ..self }
    }

    /// The same with a bound on the length.
    #[must_use]
    pub const fn with_max_plies(self, plies: u32) -> Self {
        Self { max_plies: Some(plies), ..self }
    }
}
