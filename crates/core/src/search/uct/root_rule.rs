use crate::game::options::{choice, integer, parts, real};
use crate::search::{Limit, RoundLength};

parts! {
    /// The rule by which the moves of the root share the iterations, and by which one is played. Below it the other options apply.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum RootRule {
        /// by the selection and the final choice
        None {},
        /// sequential halving of a budget of playouts: Karnin, Koren, Somekh 2013
        Halving {
            /// number of rounds of b moves
            rounds: RoundLength = choice([
                ("ceiling", "⌈log₂ b⌉: as published", RoundLength::Ceiling),
                ("floor", "⌊log₂ b⌋ of equal length: the program of Sagers, Winands, Soemers 2024", RoundLength::Floor),
            ]),
            /// c in value + c · AMAF mean / visits, by which moves are compared: Fabiano, Cazenave 2021; 0: by value alone
            score_weight: f64 = real(0.0..=1e6, 0.0),
        },
        /// the smallest halving, repeated: Sagers, Winands, Soemers 2024
        AnytimeHalving {},
        /// Gumbel noise on the prior, and halving of a budget of playouts: Danihelka et al. 2022
        Gumbel {
            /// the most moves that are considered
            considered: u32 = integer(1..=1_000_000, 16),
            /// the paper's c for visits: added to the largest visit count
            visit_offset: f64 = real(0.0..=1e6, 50.0),
            /// the paper's c for scale: the weight of values against the prior
            scale: f64 = real(0.0..=1e6, 1.0),
        },
    }
}

impl RootRule {
    /// Whether there is a rule.
    pub(super) const fn is_used(self) -> bool {
        !matches!(self, Self::None {})
    }

    /// The limit that a budget must have, so that the rule can divide it.
    pub const fn divides(self) -> Option<Limit> {
        match self {
            Self::Halving { .. } | Self::Gumbel { .. } => Some(Limit::Playouts),
            Self::None {} | Self::AnytimeHalving {} => None,
        }
    }

    /// The weight of the AMAF mean in comparisons.
    pub(super) const fn score_weight(self) -> f64 {
        if let Self::Halving { score_weight, .. } = self { score_weight } else { 0.0 }
    }
}
