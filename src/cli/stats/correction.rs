//! Corrections for several comparisons.

use serde::Serialize;

use super::SCHEMA;
use super::arguments::CorrectionArguments;
use super::figures::small;
use crate::cli::failure::Failure;
use crate::cli::output::{print, print_json};
use crate::report::Table;
use crate::stats;

#[derive(Serialize)]
struct Content<'a> {
    method: &'a str,
    family: usize,
    p: &'a [f64],
    adjusted: Vec<f64>,
}

pub(super) fn holm(arguments: &CorrectionArguments) -> Result<(), Failure> {
    let note = "Holm: rejecting what is at most α keeps the chance of any false rejection at α.";
    show("stats holm", "holm", note, arguments, stats::holm(&arguments.p))
}

pub(super) fn bh(arguments: &CorrectionArguments) -> Result<(), Failure> {
    let note = "Benjamini–Hochberg, for exploring: rejecting what is at most α keeps the expected share of false rejections at α.";
    show("stats bh", "benjamini-hochberg", note, arguments, stats::benjamini_hochberg(&arguments.p))
}

fn show(
    command: &str,
    method: &str,
    note: &str,
    arguments: &CorrectionArguments,
    adjusted: Vec<f64>,
) -> Result<(), Failure> {
    let p = &arguments.p;
    if arguments.json {
        return print_json(command, SCHEMA, Content { method, family: p.len(), p, adjusted });
    }
    let mut table = Table::new(&[">comparison", ">p", ">adjusted p"]);
    for (number, (p, adjusted)) in p.iter().zip(&adjusted).enumerate() {
        table.row([(number + 1).to_string(), small(*p), small(*adjusted)]);
    }
    print(format!("A family of {}\n\n{table}\n\n{note}", p.len()))
}
