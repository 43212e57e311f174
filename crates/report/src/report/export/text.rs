//! Text for a terminal.

use super::{Exporter, Report};
use crate::report::page::Page;

/// Aligned tables on a page of a given width.
pub(super) struct Text;

impl Exporter for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "tables for a terminal"
    }

    fn export(&self, report: &dyn Report, page: Page) -> Option<String> {
        Some(report.document(page.extent).text(page))
    }
}
