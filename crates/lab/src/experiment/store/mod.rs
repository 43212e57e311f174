//! The folder of results: the log, and the files derived from it.
//!
//! | file | holds |
//! |---|---|
//! | `results` | the folder |
//! | `form` | its two forms: CSV, and blocks of columns |
//! | `log`, `log_writer` | the append-only log: its trials and their places; written as trials finish |
//! | `facts` | its facts: the format, the build, the manifest, fingerprints |
//! | `index`, `finder` | the trials of the rows of a log |
//! | `block` | a block of a compact log, with its checks |
//! | `packed`, `column` | trials as columns of integers |
//! | `spans`, `blocks` | the blocks of a compact log: which trials they hold; their trials in order |
//! | `lock` | one process at a time |
//! | `owner` | one run at a time, where locks cannot be trusted |
//! | `places` | a sparse table of places in a file |
//! | `chunk` | trials read from the lines of a log |
//! | `rows`, `line` | the columns of a game; a line of CSV with its check |
//! | `draft` | files that appear when they are whole |
//! | `error` | why a log cannot be read or written |
//! | `canonical` | the deterministic columns in order; the digest; comparison with a reference |
//! | `parquet` | the trials of a log as Parquet |
//! | `times` | the times of moves |
//! | `unfinished` | the decisions that took long, of trials that are not over |
//! | `sync` | the log goes to the disk each second |
//! | `recover` | the sound part of a damaged log |
//! | `merge` | shards joined |
//! | `shards` | the file beside the shards of a run |

mod block;
mod blocks;
pub(crate) mod canonical;
pub(crate) mod chunk;
mod column;
pub(crate) mod draft;
pub(crate) mod error;
pub(crate) mod facts;
mod finder;
pub(crate) mod form;
mod index;
pub(crate) mod line;
pub(crate) mod lock;
pub(crate) mod log;
pub(crate) mod log_writer;
pub(crate) mod merge;
pub(crate) mod owner;
mod packed;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
mod places;
pub(crate) mod recover;
pub(crate) mod results;
mod rows;
pub(crate) mod shards;
mod spans;
pub(crate) mod sync;
pub(crate) mod times;
pub(crate) mod unfinished;
