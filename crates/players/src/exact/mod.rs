//! Exact comparisons of players with known move probabilities, in games that can be enumerated.
//!
//! Results are fractions of integers of any size, so they need no interval, and a sampled figure can be tested against
//! them. Floating-point sums were rejected: they would do for tables, but not for tests of equality and dominance.

mod judgement;
mod known;
mod meeting;
mod proof;
mod reach;
mod response;
mod sameness;
mod shortfall;
mod values;

pub use judgement::{Judgement, steps};
pub use known::{ExactError, Known};
pub use meeting::{Expected, meeting};
pub use proof::{Counterexample, Proof, prove};
pub use response::{Keep, best_response};
pub use sameness::{Difference, Sameness, sameness};
pub use shortfall::{Shortfall, shortfalls};
pub use values::{Fraction, Values, ValuesError, percent};
