//! Trainings: games that are learned, a checkpoint, and the weights at the end. Players learn; this room gives them games and time.

mod games;
mod meetings;
mod race;
mod racing;
mod run;
mod sealed;
mod trained;

use self::games::{BETWEEN, Games};
pub use self::games::{TrainingProgress, play_for_samples};
pub use self::race::Race;
pub use self::run::train;
use self::sealed::{
    CHECKPOINT_MARK, GAMES, GAMES_MARK, RACE, RACE_MARK, failed, field, read_sealed, write_sealed,
};
pub use self::sealed::{TrainingError, recover_training};
use self::trained::write_checkpoint;
pub use self::trained::{Judgement, Trained};
