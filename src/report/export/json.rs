//! JSON.

use serde::Serialize;

use super::{Exporter, Report};
use crate::experiment::escaped_in_json;
use crate::report::page::Page;

/// Everything, for programs.
pub(super) struct Json;

impl Exporter for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "everything, for programs"
    }

    fn export(&self, report: &dyn Report, _page: Page) -> Option<String> {
        Some(report.json())
    }
}

#[derive(Serialize)]
struct Envelope<'a, T> {
    command: &'a str,
    schema: u32,
    #[serde(flatten)]
    content: T,
}

/// The JSON of a command: its name, the version of its schema, and its content, which must be an object. The version is
/// raised when a field changes or goes. Characters that a terminal would obey or hide are written as `\u202e`.
///
/// # Panics
/// If the content is not an object with keys of text.
pub fn to_json(command: &str, schema: u32, content: impl Serialize) -> String {
    let envelope = Envelope { command, schema, content };
    escaped_in_json(serde_json::to_string_pretty(&envelope).expect("results can be written as JSON"))
}
