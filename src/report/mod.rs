//! How results look: tables for a terminal. Everything here returns text; only `cli` prints it.
//!
//! | file | holds |
//! |---|---|
//! | `numbers` | numbers, times and intervals as people read them |
//! | `table` | aligned tables |
//! | `run` | the report of a run |

mod numbers;
mod run;
mod table;

pub use numbers::{bar, duration, interval_strip, rate, with_thousands};
pub use run::run_report;
pub use table::Table;
