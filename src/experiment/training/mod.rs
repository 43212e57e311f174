//! Trainings: games that are learned, a checkpoint, and the weights at the end.
//!
//! | file | holds |
//! |---|---|
//! | `run` | the games of a training, in batches, on many threads |
//! | `judge` | how good the weights are, in games that are not learned |
//! | `trained` | what was learned so far: weights and learning curve |
//! | `checkpoint` | the file that a training goes on from |

mod checkpoint;
mod judge;
mod run;
mod trained;

pub use self::run::{TrainingError, train};
pub use self::trained::{Judgement, Trained};
