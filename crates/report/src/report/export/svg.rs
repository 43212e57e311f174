//! Success against cost, what trainings learned, and the curves of optimisations, as a picture.

use crate::experiment::{RunFacts, Summary};
use crate::report::figure::{Figure, style::Colours, svg::svg_file};
use crate::report::figures::{curves, learned, success_by_cost};
use crate::report::training::in_sweeps;

/// Success against cost as SVG, one figure an experiment, what each training learned, and the curves of each optimisation; empty if nothing was played.
///
/// The cost is processor time a game, if it is known of every player and the build was optimised; else positions a game.
/// Players that differ only in what was swept are joined by a line. The colours are those of the reader's theme.
pub fn figure_svg(summary: &Summary, facts: &RunFacts) -> String {
    let costs = summary.experiments.iter().filter_map(|experiment| success_by_cost(experiment, facts));
    let learned = in_sweeps(&summary.trainings).flat_map(learned);
    let figures: Vec<Figure> =
        costs.chain(learned).chain(summary.optimisations.iter().flat_map(curves)).collect();
    if figures.is_empty() { String::new() } else { svg_file(&figures, Colours::Themed) }
}
