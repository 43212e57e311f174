//! The searchers as manifests know them: one file a family, and one list.
//!
//! A file holds all that is said of its searchers in one place: name, line, paper, options with defaults and
//! ranges, which budgets they keep, how they are made smaller for a smoke test, and how they are made for a game. A
//! new searcher is a file and an entry in the list below. Rejected: a table of function pointers, which cannot hold
//! functions that are generic over the game.

mod alpha_beta;
mod boltzmann;
mod expectimax;
mod flat;
mod greedy;
mod minimax;
mod open_loop_uct;
mod parts;
mod policy;
mod root;
mod simple_tree;
mod solitaire;
mod uct;
mod uct_parts;
mod unbounded_minimax;

pub(super) use parts::{policy, policy_option};

use super::recipe::{Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{Invalid, OptionDecl, OptionValue, Options};
use crate::search::Limit;

/// A searcher as data, and how it is made.
trait Declared {
    /// The name in manifests.
    const NAME: &'static str;
    /// What it does, in a line.
    const ABOUT: &'static str;
    /// Where it was published.
    const PAPER: &'static str;
    /// Which games it fits, in words; `recipe` decides.
    const FITS: &'static str;
    /// The limits of a budget that it keeps.
    const KEEPS: &'static [Limit] = &[];
    /// Whether it would never end without a budget.
    const NEEDS_BUDGET: bool = false;

    /// The options that it takes.
    fn options() -> Vec<OptionDecl>;

    /// Whether it decides the same in every run, as long as its budget counts.
    fn repeats(options: &Options) -> bool {
        let _ = options;
        true
    }

    /// A smaller value of an option, to try things out: at most 4 playouts and 2 plies of depth or level.
    fn smaller(option: &str, value: &OptionValue, has_evaluation: bool) -> OptionValue {
        let _ = has_evaluation;
        match (option, value) {
            ("playouts", &OptionValue::Integer(playouts)) => playouts.min(4).into(),
            ("level" | "depth", &OptionValue::Integer(depth)) => depth.min(2).into(),
            _ => value.clone(),
        }
    }

    /// What it is for a game.
    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit>;
}

/// Makes the enum of all searchers and what is asked of any.
macro_rules! searchers {
    ($($(#[$about:meta])* $name:ident in $module:ident;)*) => {
        /// The searchers that there are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum SearcherKind {
            $($(#[$about])* $name,)*
        }

        impl SearcherKind {
            /// All of them, in the order of the listing.
            pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];

            /// The name in manifests.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $module::$name::NAME,)* }
            }

            /// What it does, in a line.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$name => $module::$name::ABOUT,)* }
            }

            /// Where it was published.
            pub const fn paper(self) -> &'static str {
                match self { $(Self::$name => $module::$name::PAPER,)* }
            }

            /// Which games it fits, in words; [`build`](super::build) decides.
            pub const fn fits(self) -> &'static str {
                match self { $(Self::$name => $module::$name::FITS,)* }
            }

            /// The limits of a budget that it keeps.
            pub const fn keeps(self) -> &'static [Limit] {
                match self { $(Self::$name => $module::$name::KEEPS,)* }
            }

            /// Whether it needs a budget.
            pub const fn needs_budget(self) -> bool {
                match self { $(Self::$name => $module::$name::NEEDS_BUDGET,)* }
            }

            /// The options that it takes.
            pub fn options(self) -> Vec<OptionDecl> {
                match self { $(Self::$name => $module::$name::options(),)* }
            }

            /// Whether it decides the same in every run with these options.
            pub(super) fn repeats(self, options: &Options) -> bool {
                match self { $(Self::$name => $module::$name::repeats(options),)* }
            }

            /// A smaller value of an option, to try things out.
            pub(super) fn smaller(self, option: &str, value: &OptionValue, evaluation: bool) -> OptionValue {
                match self { $(Self::$name => $module::$name::smaller(option, value, evaluation),)* }
            }

            /// What it is for a game, with these options.
            pub(super) fn recipe<G: Game>(self, game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
                match self { $(Self::$name => $module::$name::recipe(game, options),)* }
            }
        }
    };
}

// The list, in the order of the listing.
searchers! {
    /// Every legal move is as likely.
    Random in policy;
    /// A playout policy as a player.
    Policy in policy;
    /// A list of rules as a player.
    Rules in policy;
    /// Flat Monte Carlo.
    Flat in flat;
    /// Plain minimax.
    Minimax in minimax;
    /// Alpha-beta.
    AlphaBeta in alpha_beta;
    /// Expectimax with Star1 and Star2.
    Expectimax in expectimax;
    /// The best mean of an evaluation.
    Greedy in greedy;
    /// Expectimax of fixed height with playouts at the leaves.
    SimpleTree in simple_tree;
    /// UCB1 at the root.
    FlatUcb in root;
    /// Sequential halving at the root.
    SequentialHalving in root;
    /// Anytime sequential halving at the root.
    AnytimeHalving in root;
    /// Thompson sampling at the root.
    Thompson in root;
    /// Gumbel noise and halving at the root.
    Gumbel in root;
    /// Nested Monte Carlo search.
    Nested in solitaire;
    /// Nested rollout policy adaptation.
    Nrpa in solitaire;
    /// Single-player Monte Carlo tree search.
    SpMcts in solitaire;
    /// Rollouts of rollouts.
    NestedRollout in solitaire;
    /// Hindsight optimisation.
    Hindsight in solitaire;
    /// UCT, composed of parts.
    Uct in uct;
    /// UCT whose tree knows no chance.
    OpenLoopUct in open_loop_uct;
    /// Boltzmann tree search.
    Bts in boltzmann;
    /// Decaying entropy tree search.
    Dents in boltzmann;
    /// Best-first minimax.
    UnboundedMinimax in unbounded_minimax;
}

impl SearcherKind {
    /// The searcher with this name.
    ///
    /// # Errors
    /// Where there is none, with the nearest name.
    pub fn named(name: &str) -> Result<Self, Invalid> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| Invalid::unknown("searcher", name, Self::ALL.map(Self::name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::SearcherSpec;

    #[test]
    fn names_are_unique_and_every_text_form_comes_back() {
        for kind in SearcherKind::ALL {
            assert_eq!(SearcherKind::named(kind.name()), Ok(kind));
            let spec = SearcherSpec::new(kind, []).unwrap();
            assert_eq!(spec.to_string().parse(), Ok(spec));
            assert!(kind.keeps().is_sorted() && !(kind.needs_budget() && kind.keeps().is_empty()));
        }
    }
}
