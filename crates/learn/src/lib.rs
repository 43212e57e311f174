//! Learning and optimisation: numbers in, numbers out, the same bytes for any number of threads and on every processor.
//!
//! | room | holds |
//! |---|---|
//! | [`learn`](mod@learn) | networks from [`Samples`](learn::Samples), and weights of n-tuples, networks and policies from games |
//! | [`optimise`] | methods that ask for fitness and are told it: genetic, CMA-ES, NTBEA, SPSA, local search |
//!
//! Neither opens a file: the crate `shikou-lab` runs trainings and optimisations, and keeps them.

use shikou_base::{rng, words};
use shikou_core::game;
use shikou_stats as stats;

/// Declares an enum whose variants are the words of an option: each with its line in listings, the first the default. The
/// documentation of a variant is its line, and then the lines before the variant.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident { $($(#[$more:meta])* $variant:ident = $about:literal,)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $(#[doc = concat!($about, ".")] $(#[$more])* $variant,)*
        }

        impl $name {
            /// The setting that chooses one by its word.
            pub fn setting() -> ::shikou_core::game::options::Setting<Self> {
                ::shikou_core::game::options::choice([
                    $((::shikou_core::game::options::kebab_name!($variant), $about, Self::$variant),)*
                ])
            }
        }

        impl Default for $name {
            fn default() -> Self {
                [$(Self::$variant,)*][0]
            }
        }
    };
}

pub mod learn;
pub mod optimise;
