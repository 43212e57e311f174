//! Success against cost, and the curves of optimisations, as a picture.

use super::{Exporter, Report};
use crate::experiment::{RunFacts, Summary};
use crate::report::chart::{Chart, curve::Curves, svg::svg};
use crate::report::page::Page;

/// Success against cost and curves as SVG.
pub(super) struct Svg;

impl Exporter for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn about(&self) -> &'static str {
        "of a run success against cost, and the curves of optimisations, as a picture"
    }

    fn export(&self, report: &dyn Report, _page: Page) -> Option<String> {
        let (summary, facts) = report.run()?;
        let unknown = RunFacts::default();
        let picture = figure_svg(summary, facts.unwrap_or(&unknown));
        (!picture.is_empty()).then(|| picture.trim_end().into())
    }
}

/// Success against cost as SVG, one chart an experiment, and the curves of each optimisation; empty if nothing was played.
///
/// The cost is processor time a game, if it is known of every player and the build was optimised; else positions a move.
/// Players that differ only in what was swept are joined by a line. The intervals are those of success.
pub fn figure_svg(summary: &Summary, facts: &RunFacts) -> String {
    let charts: Vec<Chart> =
        summary.experiments.iter().filter_map(|experiment| Chart::of(experiment, facts)).collect();
    let curves: Vec<Curves> = summary.optimisations.iter().flat_map(Curves::of).collect();
    if charts.is_empty() && curves.is_empty() { String::new() } else { svg(&charts, &curves) }
}
