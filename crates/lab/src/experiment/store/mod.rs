//! The folder of results: the log, and the files derived from it.
//!
//! | file | holds |
//! |---|---|
//! | `results` | the folder |
//! | `form`, `member` | its two forms: plain rows of CSV, and the same rows packed in gzip members |
//! | `log`, `log_writer` | the append-only log: its trials and their places; written as trials finish |
//! | `pieces`, `log_file` | a log of whatever rows: its lines or members, with their checks; open for writing |
//! | `facts` | its facts: the format, the build, the manifest, fingerprints |
//! | `index` | the trials of the rows of a log |
//! | `spans`, `in_order` | the stretches of a log: which trials they hold; their trials in order |
//! | `lock` | one process at a time |
//! | `owner` | one run at a time, where locks cannot be trusted |
//! | `rows` | the columns of a game |
//! | `draft` | files that appear when they are whole |
//! | `error` | why a log cannot be read or written |
//! | `canonical` | the deterministic columns in order; the digest; comparison with a reference |
//! | `parquet` | the trials of a log as Parquet |
//! | `times` | the times of moves |
//! | `recover` | the sound part of a damaged log |
//! | `merge` | shards joined |
//! | `shards` | the file beside the shards of a run |

pub(crate) mod canonical;
pub(crate) mod draft;
pub(crate) mod error;
pub(crate) mod facts;
pub(crate) mod form;
pub(crate) mod in_order;
mod index;
pub(crate) mod lock;
pub(crate) mod log;
pub(crate) mod log_file;
pub(crate) mod log_writer;
mod member;
pub(crate) mod merge;
pub(crate) mod owner;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
pub(crate) mod pieces;
pub(crate) mod recover;
pub(crate) mod results;
mod rows;
pub(crate) mod shards;
mod spans;
pub(crate) mod times;
