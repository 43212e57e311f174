//! Trainings: games that are learned, a checkpoint, and the weights at the end. Players learn; this room gives them games and time.

mod checkpoint;
mod errors;
mod games;
mod judge;
mod recover;
mod run;
mod sealed;
mod trained;

pub use self::games::play_for_samples;
pub use self::recover::recover_training;
pub use self::run::{TrainingError, TrainingProgress, train};
pub use self::trained::{Judgement, Trained};
