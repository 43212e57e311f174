//! `shikou schema`: the shape of a manifest, for editors.

use super::failure::Failure;
use super::output::print;
use crate::experiment::Manifest;
use crate::players::Registry;

pub(super) fn schema(registry: &Registry) -> Result<(), Failure> {
    let schema = Manifest::json_schema(registry)?;
    print(serde_json::to_string_pretty(&schema).expect("a schema is JSON"))
}
