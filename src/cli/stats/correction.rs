//! Corrections for several comparisons.

use clap::Args;

use super::figures::{probability, small};
use crate::cli::error::CommandError;
use crate::cli::groups::OutputArguments;
use crate::players::Registry;
use crate::report::{Document, Table, object};
use crate::stats;

#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct CorrectionArguments {
    /// The p-values of the whole family
    #[arg(value_parser = probability, num_args = 1.., required = true)]
    p: Vec<f64>,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn holm(_registry: &Registry, arguments: &CorrectionArguments) -> Result<(), CommandError> {
    let note = "Holm: rejecting the comparisons with an adjusted p of at most α bounds the family-wise error rate by α.";
    show("stats holm", "holm", note, arguments, stats::holm(&arguments.p))
}

pub(super) fn bh(_registry: &Registry, arguments: &CorrectionArguments) -> Result<(), CommandError> {
    let note = "Benjamini–Hochberg, for exploration: rejecting the comparisons with an adjusted p of at most α bounds the false discovery rate by α if the tests are independent or positively dependent (PRDS).";
    show("stats bh", "benjamini-hochberg", note, arguments, stats::benjamini_hochberg(&arguments.p))
}

fn show(
    command: &str,
    method: &str,
    note: &str,
    arguments: &CorrectionArguments,
    adjusted: Vec<f64>,
) -> Result<(), CommandError> {
    let p = &arguments.p;
    let mut table = Table::new(&[">comparison", ">p", ">adjusted p"]);
    for (number, (p, adjusted)) in p.iter().zip(&adjusted).enumerate() {
        table.row([(number + 1).to_string(), small(*p), small(*adjusted)]);
    }
    let document = Document(vec![format!("A family of {}", p.len()).into(), table.into(), note.into()]);
    arguments.output.show(command, object! { method, family: p.len(), p, adjusted }, document)
}
