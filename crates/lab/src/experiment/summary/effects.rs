//! The effects of the swept values on the results of the runs of a sweep.

use serde::{Deserialize, Serialize};

use crate::stats::{Confidence, Factorial};

/// Runs that differ by this key only repeat each other.
pub(super) const SEED: &str = "seed";

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
    /// The name.
    pub name: String,
    /// The values, in the order of the runs.
    pub levels: Vec<String>,
}

/// The effects on a result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultEffects {
    /// The result: `mean seen`, `again`, `judge`, or `gap`, which is `seen` less `judge`.
    pub of: String,
    /// The analysis.
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
