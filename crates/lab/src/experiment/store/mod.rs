//! The folder of results: the log, and the files derived from it.

mod draft;
mod error;
mod facts;
mod form;
mod index;
mod log;
mod log_file;
mod merge;
mod owner;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
mod recover;
mod results;
mod rows;
mod times;
mod took;

pub use self::draft::Draft;
use self::draft::is_draft;
pub(crate) use self::draft::{write_first, write_synced};
pub use self::error::LogError;
use self::facts::earlier_format;
pub(crate) use self::facts::{KeptManifest, LogFacts};
pub use self::facts::{Numbering, Shards};
pub use self::form::LogForm;
pub(crate) use self::form::each_row;
use self::form::{Found, Pieces, next_sound};
use self::index::{Finder, Index, Span, Spans, is_game};
pub use self::log::{Log, LogChunk};
pub(crate) use self::log_file::LogFile;
use self::log_file::Repeated;
pub use self::log_file::{Lock, LogWriter};
pub use self::merge::{Merged, merge};
use self::owner::refuse_owned;
pub use self::owner::{Owner, OwnerFacts, release_folders};
pub(crate) use self::recover::recover_logs;
pub use self::recover::{Recovered, recover};
pub(crate) use self::results::new_aside;
pub use self::results::{CHECKPOINTS, EVALUATIONS, Results};
use self::rows::{COLUMNS, Rows, Swept, TIMES_AT, columns, with_fields};
pub use self::rows::{CanonicalWriter, Comparison, Digests, canonical_log};
pub use self::times::{MoveTimes, TimesWriter};
pub use self::took::{RunTimes, Took};
pub(crate) use self::took::{TIMES_FILE, TookWriter, whole_id};
