//! The folder of results: the log, and the files derived from it.

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
