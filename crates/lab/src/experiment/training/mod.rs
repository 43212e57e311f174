//! Trainings: games that are learned, a checkpoint, and the weights at the end. Players learn; this room gives them games and time.

mod games;
mod run;
mod trained;

use self::games::{Games, field, read_sealed, write_sealed};
pub use self::games::{play_for_samples, recover_training};
use self::run::{BETWEEN, failed};
pub use self::run::{TrainingError, TrainingProgress, train};
use self::trained::{CHECKPOINT_MARK, write_checkpoint};
pub use self::trained::{Judgement, Trained};
