//! `shikou schema`: the JSON Schema of manifests.

use clap::Args;

use super::error::Result;
use super::output::print;
use crate::experiment::Manifest;
use crate::players::Registry;

#[derive(Args)]
#[command(after_help = "Example:
  shikou schema > manifest.schema.json

A TOML-aware editor completes a manifest that begins with #:schema ./manifest.schema.json.")]
pub(super) struct SchemaArguments {}

pub(super) fn schema(registry: &Registry, _arguments: &SchemaArguments) -> Result {
    let schema = Manifest::json_schema(registry)?;
    print(serde_json::to_string_pretty(&schema).expect("a schema is JSON"))
}
