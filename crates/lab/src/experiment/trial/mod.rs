//! Playing: a trial in, a record out; and all trials of a plan, on many threads.

mod lock_step;
mod pilot;
mod play;
mod record;
mod run;
mod tally;
mod trial_game;
mod unfinished;
mod watched;

use self::lock_step::play_in_lock_step;
pub use self::pilot::{CellTime, Pilot};
use self::play::play_noting;
pub use self::play::{Watch, play, play_watched};
pub use self::record::{GameRecord, Record, SeatRecord};
pub use self::run::{Encoded, Encoder, Ended, Finished, MoveTime, Pace, Sink, run};
pub use self::tally::Tally;
pub(crate) use self::tally::Unit;
pub(crate) use self::trial_game::{Step, TrialGame, play_moves, play_opening, set_up, trial_game};
pub use self::unfinished::Unfinished;
use self::unfinished::{Place, TrialNotes};
pub use self::watched::{ChosenBy, ShownPosition, WatchedGame, WatchedPly, WatchedSeat, WatchedTrial};
pub(crate) use self::watched::{opening_moves, unrepeatable, watch_until};
