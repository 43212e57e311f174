//! The curves of an optimisation: numbers against the generation.

use crate::experiment::{CurvePoint, OptimisationRunSummary, OptimisationSummary};
use crate::report::numbers::{brackets, decimals};
use crate::stats::Estimate;

/// The most runs of which curves are drawn; of more, those that the judge found best.
const MOST: usize = 6;

/// Numbers against the generation.
pub(in crate::report) struct Curves {
    pub(super) title: String,
    /// What the numbers are: the label of the vertical axis.
    pub(super) what: String,
    pub(super) lines: Vec<Line>,
}

/// A line of numbers.
pub(super) struct Line {
    pub(super) name: &'static str,
    pub(super) points: Vec<CurvePlace>,
}

/// A place on a line.
#[derive(Clone, Copy)]
pub(super) struct CurvePlace {
    pub(super) generation: usize,
    pub(super) value: f64,
    /// The ends of its interval.
    pub(super) interval: Option<[f64; 2]>,
}

impl CurvePlace {
    /// The place in words.
    pub(super) fn words(&self) -> String {
        let interval =
            self.interval.map_or(String::new(), |[low, high]| format!(" {}", brackets(low, high, 3)));
        format!("generation {}: {}{interval}", self.generation, decimals(self.value, 3))
    }
}

impl Line {
    /// The numbers of the generations that have one.
    fn of(
        name: &'static str,
        run: &OptimisationRunSummary,
        value: impl Fn(&CurvePoint) -> Option<f64>,
    ) -> Self {
        let place = |(generation, point): (usize, &CurvePoint)| {
            Some(CurvePlace { generation, value: value(point)?, interval: None })
        };
        Self { name, points: run.curve.iter().enumerate().filter_map(place).collect() }
    }

    /// The judge, with intervals.
    fn of_judge(run: &OptimisationRunSummary) -> Self {
        let place = |(generation, point): (usize, &CurvePoint)| {
            let Estimate { value, low, high, .. } = point.judge?;
            Some(CurvePlace { generation, value, interval: Some([low, high]) })
        };
        Self { name: "judge", points: run.curve.iter().enumerate().filter_map(place).collect() }
    }
}

impl Curves {
    /// The curves of an optimisation: for each run the fitness seen, the judge, and the spread of the genes. Empty before
    /// the first generation.
    pub(in crate::report) fn of(of: &OptimisationSummary) -> Vec<Self> {
        let mut runs: Vec<&OptimisationRunSummary> =
            of.runs.iter().filter(|run| !run.curve.is_empty()).collect();
        if runs.len() > MOST {
            runs.sort_by(|a, b| b.held_out().total_cmp(&a.held_out()));
            runs.truncate(MOST);
        }
        runs.into_iter().flat_map(|run| Self::of_run(of, run)).collect()
    }

    fn of_run(of: &OptimisationSummary, run: &OptimisationRunSummary) -> Vec<Self> {
        let title = |what: &str| {
            let run = if run.name == of.name { String::new() } else { format!(", {}", run.name) };
            format!("{}{run}: {what}", of.name)
        };
        let best = Line::of("best seen", run, |point| Some(point.best));
        let mean = Line::of("mean seen", run, |point| Some(point.mean));
        let judge = Line::of_judge(run);
        let spread = Line::of("genes", run, |point| Some(point.spread));
        let unit = if of.for_two { "points a game" } else { "success" };
        let in_points = of.measure == "points";
        let seen = if in_points { unit.into() } else { format!("fitness: {}", of.measure) };
        let mut first = vec![best, mean];
        let mut curves = Vec::new();
        if in_points {
            first.push(judge);
        } else {
            let points = Line::of("all candidates", run, |point| Some(point.points));
            curves.push(Self { title: title("points"), what: unit.into(), lines: vec![points, judge] });
        }
        curves.insert(0, Self { title: title("what the fitness saw"), what: seen, lines: first });
        let what = "mean standard deviation of a gene over the candidates".into();
        curves.push(Self { title: title("spread"), what, lines: vec![spread] });
        for curve in &mut curves {
            curve.lines.retain(|line| !line.points.is_empty());
        }
        curves
    }
}
