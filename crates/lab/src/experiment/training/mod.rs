//! Trainings: games that are learned, a checkpoint, and the weights at the end. Players learn; this room gives them games and time.
//!
//! | file | holds |
//! |---|---|
//! | `run` | the steps of a training, checkpoints, the judge |
//! | `games` | the games of the samples, with a method that learns from samples (`dense`, `least-squares`) |
//! | `judge` | how good the weights are, in games that are not learned |
//! | `trained` | what was learned so far: weights and learning curves |
//! | `checkpoint`, `errors` | the file that a training goes on from |
//! | `sealed` | files with a check |
//! | `recover` | a damaged training |

mod checkpoint;
mod errors;
mod games;
mod judge;
mod recover;
mod run;
mod sealed;
mod trained;

pub use self::recover::recover_training;
pub use self::run::{TrainingError, TrainingProgress, train};
pub use self::trained::{Judgement, Trained};
