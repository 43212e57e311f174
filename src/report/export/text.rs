//! Text for a terminal.

use super::{Exporter, Report};
use crate::report::document::Extent;

/// Aligned tables; of many comparisons the ones that matter most.
pub(super) struct Text;

impl Exporter for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "tables for a terminal"
    }

    fn export(&self, report: &dyn Report) -> Option<String> {
        Some(report.document(Extent::Short).to_string())
    }
}
