//! Exact comparisons: what comes out on average, to the last digit, where all positions of a game can be enumerated and
//! players state with which chance they play each move.
//!
//! Fractions are exact: numerators and denominators of any size. What is found here needs no interval, and it tells a
//! sampled figure that is off from one that is not. Rejected: floating-point sums, which would do for tables but not for
//! tests of equality and dominance.
//!
//! | file | holds |
//! |---|---|
//! | `fraction` | exact fractions, and how they are written |
//! | `known` | a player, with its chances at every position that was asked about |
//! | `meeting` | two players, or one at a solitaire: win, draw, loss, length |
//! | `values` | what every position is worth under best play |
//! | `response` | the most that can be got out of a known player |
//! | `shortfall` | where a player falls short of that |
//! | `proof` | whether a player ever gives value away |
//! | `judgement` | what two players may do in a position, and which of it is wrong |

mod fraction;
mod judgement;
mod known;
mod meeting;
mod proof;
mod response;
mod shortfall;
mod values;

pub use fraction::{Fraction, percent};
pub use judgement::{Judgement, steps};
pub use known::{Known, NoExact};
pub use meeting::{Expected, meeting, solo};
pub use proof::{Counterexample, Proof, prove};
pub use response::{Keep, best_response};
pub use shortfall::{Shortfall, shortfalls};
pub use values::{NoValues, Values};
