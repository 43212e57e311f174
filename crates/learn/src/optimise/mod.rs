//! Optimisation: methods that look for the best numbers. This room knows no game, no player and no file.
//!
//! A [`Space`] says what a *candidate* is: a list of *genes*. A [`Method`] *asks* for the fitness of the candidates of a
//! generation and is *told* it. All that a method does follows from the space, its settings, its stream and what it was
//! told. So a log of fitnesses is a saved state: a run resumes when its log is told again. Exponentials and logarithms
//! come from `libm` and sums have a fixed order, so the same candidates are asked on every processor.
//!
//! Rejected: an objective as a function that a method calls, because then the method decides when and where games are
//! played, and its state must be saved.
//!
//! A *fault* is an error of a published experiment. Each is a value of a setting and off by default, so that its effect
//! can be measured alone. Its documentation begins with "fault:".

pub mod climb;
pub mod cma_es;
pub mod functions;
mod gene;
pub mod genetic;
mod heredity;
mod method;
pub mod ntbea;
mod space;
pub mod spsa;

use crate::game::options::{Options, Settings as _};
pub use crate::words::Problem;
pub use gene::{Gene, Genes, Normalise, Start};
pub use heredity::{Descent, Heredity};
pub use method::{Method, Told};
pub use space::Space;

/// The default of settings is that of each option.
macro_rules! defaults {
    ($($settings:ty),*) => {$(
        impl Default for $settings {
            fn default() -> Self {
                Self::read(&Options::new(&Self::options(), []).expect("defaults alone are in range"))
            }
        }
    )*};
}

defaults!(climb::Settings, cma_es::Settings, genetic::Settings, ntbea::Settings, spsa::Settings);
