//! A page for a browser.

use super::{Exporter, Report};
use crate::report::page::Page;
use crate::report::web::web_page;

/// One file that loads nothing.
pub(super) struct Html;

impl Exporter for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn about(&self) -> &'static str {
        "of a run a page for a browser, with figures; one file that loads nothing"
    }

    fn export(&self, report: &dyn Report, _page: Page) -> Option<String> {
        Some(web_page(&report.run()?, None).trim_end().into())
    }
}
