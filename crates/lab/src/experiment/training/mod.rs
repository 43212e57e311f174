//! Trainings: games that are learned, a checkpoint, and the weights at the end.
//!
//! | file | holds |
//! |---|---|
//! | `run` | the steps of a training, checkpoints, the judge |
//! | `td` | temporal differences: games in batches |
//! | `policy_gradient` | policies: groups of games of one deal, in batches |
//! | `games` | the games of the samples, with a method that learns from samples (`dense`, `least-squares`) |
//! | `sampled` | dense layers, and weights of n-tuples by least squares: epochs over samples |
//! | `judge` | how good the weights are, in games that are not learned |
//! | `trained` | what was learned so far: weights and learning curves |
//! | `checkpoint`, `errors` | the file that a training goes on from |
//! | `recover` | a damaged training |

mod checkpoint;
mod errors;
mod games;
mod judge;
mod policy_gradient;
mod recover;
mod run;
mod sampled;
mod td;
mod trained;

pub use self::recover::recover_training;
pub use self::run::{TrainingError, TrainingProgress, train};
pub use self::trained::{Judgement, KeptErrors, Trained};
