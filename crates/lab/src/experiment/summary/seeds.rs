//! The runs of a sweep: those that differ only in their seed, as one, of an optimisation or of trainings; and the effects of
//! the swept values on the results of its runs.

use serde::{Deserialize, Serialize};

use super::{NetworkErrors, OptimisationRunSummary, OptimisationSummary, TrainingSummary};
use crate::learn::Errors;
use crate::stats::{Confidence, Estimate, Factorial, Moments, mean_interval};

/// Runs that differ by this key only repeat each other.
pub(super) const SEED: &str = "seed";

/// The runs of a setting with several seeds.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The values that a sweep chose, without the seed, as `key=value`; "all" if only the seed was swept.
    pub name: String,
    /// How many seeds it has.
    pub seeds: usize,
    /// Means over the seeds, with Student's interval: points a game that the fitness saw, in new games, against the judge.
    pub seen: Option<Estimate>,
    /// The same in new games against the same opponents.
    pub again: Option<Estimate>,
    /// The same against the judge.
    pub judge: Option<Estimate>,
    /// The mean heredity.
    pub heredity: Option<f64>,
    /// The mean number of kept candidates that are selected again.
    pub survivors: Option<f64>,
}

/// Groups that differ only in their seed, each in the order of its first member and with its name: the values that a sweep chose,
/// without the seed, as `key=value`, or "all" if only the seed was swept.
pub(super) fn by_setting<'r, T>(
    all: impl Iterator<Item = &'r T>,
    swept: fn(&T) -> &[(String, String)],
) -> Vec<(String, Vec<&'r T>)> {
    let mut groups: Vec<(String, Vec<&T>)> = Vec::new();
    for of in all {
        let values = swept(of).iter().filter(|(key, _)| key != SEED);
        let name = values.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { "all".into() } else { name };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) => group.push(of),
            None => groups.push((name, vec![of])),
        }
    }
    groups
}

impl OptimisationSummary {
    /// The settings in the order of the runs, of those runs that have ended; none unless each has several seeds.
    pub fn settings(&self) -> Vec<Setting> {
        let groups = by_setting(self.runs.iter().filter(|run| run.complete), |run| &run.swept);
        if groups.iter().any(|(_, group)| group.len() < 2) {
            return Vec::new();
        }
        groups.into_iter().map(|(name, group)| Setting::new(name, &group)).collect()
    }
}

impl Setting {
    fn new(name: String, runs: &[&OptimisationRunSummary]) -> Self {
        let moments = |of: &dyn Fn(&OptimisationRunSummary) -> Option<f64>| -> Option<Moments> {
            runs.iter().map(|run| of(run)).collect()
        };
        let mean = |of: &dyn Fn(&OptimisationRunSummary) -> Option<f64>| {
            moments(of).map(|moments| mean_interval(&moments, Confidence::default_level()))
        };
        Self {
            name,
            seeds: runs.len(),
            seen: mean(&|run| run.seen),
            again: mean(&|run| Some(run.again?.value)),
            judge: mean(&|run| Some(run.judge?.value)),
            heredity: moments(&|run| run.heredity).map(|moments| moments.mean()),
            survivors: moments(&|run| run.survivors).map(|moments| moments.mean()),
        }
    }

    /// Its worth in games that did not choose its candidates.
    pub fn held_out(&self) -> f64 {
        self.judge.or(self.again).map_or(f64::NEG_INFINITY, |estimate| estimate.value)
    }
}

/// Trainings that differ only in their seed.
#[derive(Clone, Debug)]
pub struct TrainingSetting {
    /// The values that the sweep chose, without the seed, as `key=value`; "all" if only the seed was swept.
    pub name: String,
    /// How many trainings have ended.
    pub ended: usize,
    /// How many there are.
    pub of: usize,
    /// The errors on each set of samples, by the name of the set.
    pub sets: Vec<(&'static str, SetOfSeeds)>,
    /// The points a game against the judge: the mean over the seeds, with Student's interval.
    pub judge: Option<Estimate>,
}

/// The errors on a set of samples, over the seeds.
#[derive(Clone, Debug)]
pub struct SetOfSeeds {
    /// The mean squared error: its mean over the seeds, with Student's interval.
    pub squared: Estimate,
    /// The least and the largest.
    pub range: [f64; 2],
    /// The mean absolute error: its mean over the seeds.
    pub absolute: f64,
}

impl TrainingSetting {
    /// The settings of the trainings of one sweep, in their order.
    pub fn all(trainings: &[&TrainingSummary]) -> Vec<Self> {
        let groups = by_setting(trainings.iter().copied(), |training| &training.swept);
        groups.into_iter().map(|(name, group)| Self::new(name, &group)).collect()
    }

    fn new(name: String, trainings: &[&TrainingSummary]) -> Self {
        let ended: Vec<_> = trainings.iter().filter(|training| training.complete).collect();
        let judge: Option<Moments> =
            ended.iter().map(|training| Some(training.curve.last()?.points.value)).collect();
        let sets = SETS.iter().filter_map(|&(name, of)| {
            let errors = ended.iter().map(|training| of(training.errors.as_ref()?));
            Some((name, SetOfSeeds::new(&errors.collect::<Option<Vec<_>>>()?)?))
        });
        Self {
            name,
            ended: ended.len(),
            of: trainings.len(),
            sets: sets.collect(),
            judge: judge
                .filter(|_| !ended.is_empty())
                .map(|moments| mean_interval(&moments, Confidence::default_level())),
        }
    }
}

/// Finds the errors on a set of samples.
type Of = fn(&NetworkErrors) -> Option<Errors>;

/// The sets of samples, with their names in reports.
pub const SETS: [(&str, Of); 4] = [
    ("training", |errors| Some(errors.training)),
    ("tuning", |errors| errors.tuning),
    ("held out", |errors| errors.held_out),
    ("held out, by the mean", |errors| errors.mean),
];

impl SetOfSeeds {
    fn new(errors: &[Errors]) -> Option<Self> {
        let (first, squared) = (errors.first()?, errors.iter().map(|errors| errors.squared));
        let moments: Moments = squared.clone().collect();
        let absolute: Moments = errors.iter().map(|errors| errors.absolute).collect();
        Some(Self {
            squared: mean_interval(&moments, Confidence::default_level()),
            range: squared
                .fold([first.squared; 2], |[least, most], error| [least.min(error), most.max(error)]),
            absolute: absolute.mean(),
        })
    }
}

/// The effects of the swept values, if the runs are a full grid.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Effects {
    /// The swept keys.
    pub axes: Vec<Axis>,
    /// For each result its analysis. The factors are the axes.
    pub results: Vec<ResultEffects>,
}

/// A swept key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Its values, in the order of the runs.
    pub levels: Vec<String>,
}

/// The effects on a result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultEffects {
    /// The result: `mean seen`, `again`, `judge`, or `gap`, which is `seen` less `judge`.
    pub of: String,
    /// Its analysis.
    pub analysis: Factorial,
}

/// Rows that have every combination of the levels of some axes, each equally often.
pub struct FullGrid {
    /// The axes with two levels or more, at least two.
    pub axes: Vec<Axis>,
    /// The rows in the order of the combinations.
    order: Vec<usize>,
}

impl FullGrid {
    /// The grid of rows, each with a value of every key. `None` if they are no full grid of two keys or more.
    ///
    /// # Example
    /// ```
    /// use shikou::experiment::FullGrid;
    /// let keys = ["depth".to_string(), "ties".to_string()];
    /// let rows = [["1", "first"], ["1", "random"], ["2", "first"], ["2", "random"]];
    /// let rows = rows.map(|row| row.map(String::from).to_vec());
    /// assert_eq!(FullGrid::new(&keys, &rows).unwrap().axes[1].levels, ["first", "random"]);
    /// assert!(FullGrid::new(&keys, &rows[1..]).is_none());
    /// ```
    pub fn new(keys: &[String], rows: &[Vec<String>]) -> Option<Self> {
        if rows.iter().any(|row| row.len() != keys.len()) {
            return None;
        }
        let axis = |(column, key): (usize, &String)| {
            let mut levels: Vec<String> = Vec::new();
            for row in rows {
                if !levels.contains(&row[column]) {
                    levels.push(row[column].clone());
                }
            }
            (levels.len() > 1).then(|| (column, Axis { name: key.clone(), levels }))
        };
        let (columns, axes): (Vec<usize>, Vec<Axis>) = keys.iter().enumerate().filter_map(axis).unzip();
        let cell = |row: &Vec<String>| {
            columns.iter().zip(&axes).fold(0, |cell, (&column, axis)| {
                let level = axis.levels.iter().position(|level| *level == row[column]);
                cell * axis.levels.len() + level.expect("it is a level")
            })
        };
        let cells: Vec<usize> = rows.iter().map(cell).collect();
        let count: usize = axes.iter().map(|axis| axis.levels.len()).product();
        let mut sizes = vec![0_usize; count.min(rows.len() + 1)];
        for &cell in &cells {
            if let Some(size) = sizes.get_mut(cell) {
                *size += 1;
            }
        }
        if axes.len() < 2 || sizes.len() < count || sizes.iter().any(|&size| size != sizes[0]) {
            return None;
        }
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&row| cells[row]);
        Some(Self { axes, order })
    }

    /// The analysis of the responses of the rows.
    ///
    /// # Panics
    /// If there is not one response for each row.
    pub fn analyse(&self, responses: &[f64], confidence: Confidence) -> Option<Factorial> {
        assert_eq!(responses.len(), self.order.len(), "one response for each row");
        let levels: Vec<usize> = self.axes.iter().map(|axis| axis.levels.len()).collect();
        let responses: Vec<f64> = self.order.iter().map(|&row| responses[row]).collect();
        Factorial::new(&levels, &responses, confidence)
    }
}

/// How a result is read from a run.
type Reading = fn(&OptimisationRunSummary) -> Option<f64>;

impl Effects {
    /// The effects on the results that all runs have. `None` if a run has not ended, the runs are no full grid, or there
    /// is no such result.
    pub(super) fn new(runs: &[OptimisationRunSummary], confidence: Confidence) -> Option<Self> {
        if runs.iter().any(|run| !run.complete) {
            return None;
        }
        let swept = |run: &'_ OptimisationRunSummary| -> (Vec<String>, Vec<String>) {
            run.swept.iter().filter(|(key, _)| key != SEED).cloned().unzip()
        };
        let (keys, _) = swept(runs.first()?);
        let rows: Vec<Vec<String>> = runs.iter().map(|run| swept(run).1).collect();
        let grid = FullGrid::new(&keys, &rows)?;
        let of: [(&str, Reading); 4] = [
            ("mean seen", |run| run.mean),
            ("again", |run| Some(run.again?.value)),
            ("judge", |run| Some(run.judge?.value)),
            ("gap", |run| Some(run.seen? - run.judge?.value)),
        ];
        let analysed = |(of, result): (&str, Reading)| {
            let responses: Option<Vec<f64>> = runs.iter().map(result).collect();
            Some(ResultEffects { of: of.into(), analysis: grid.analyse(&responses?, confidence)? })
        };
        let results: Vec<ResultEffects> = of.into_iter().filter_map(analysed).collect();
        (!results.is_empty()).then_some(Self { axes: grid.axes, results })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[[&str; 3]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.map(String::from).to_vec()).collect()
    }

    #[test]
    fn rows_in_any_order_give_the_same_analysis() {
        let keys = ["a", "one", "b"].map(String::from);
        let full = rows(&[["x", "1", "p"], ["y", "1", "q"], ["x", "1", "q"], ["y", "1", "p"]]);
        let grid = FullGrid::new(&keys, &full).unwrap();
        assert_eq!(grid.axes.iter().map(|axis| &*axis.name).collect::<Vec<_>>(), ["a", "b"]);
        let found = grid.analyse(&[1.0, 9.0, 3.0, 4.0], Confidence::default_level()).unwrap();
        let means = |factor: usize| found.factors[factor].levels.iter().map(|level| level.mean.value);
        assert_eq!(means(0).collect::<Vec<_>>(), [2.0, 6.5]);
        assert_eq!(means(1).collect::<Vec<_>>(), [2.5, 6.0]);
        assert_eq!(found.pairs[0].cells[1][1].mean.value, 9.0);
    }

    #[test]
    fn what_is_no_full_grid_has_no_analysis() {
        let keys = ["a", "one", "b"].map(String::from);
        let is_full = |cells: &[[&str; 3]]| FullGrid::new(&keys, &rows(cells)).is_some();
        let [a, b, c, d] = [["x", "1", "p"], ["x", "1", "q"], ["y", "1", "p"], ["y", "1", "q"]];
        assert!(is_full(&[a, b, c, d]) && is_full(&[a, b, c, d, d, c, b, a]));
        assert!(!is_full(&[a, b, c]) && !is_full(&[a, b, c, d, d]) && !is_full(&[a, b]) && !is_full(&[]));
    }
}
