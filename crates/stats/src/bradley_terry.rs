//! Ratings of two or more players.

use serde::Serialize;

use super::{Confidence, Estimate, Method, normal_cdf};

/// The size of one Elo, as a factor of natural logarithms of strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Ratings under the model of Bradley and Terry (1952, Biometrika 39): P(i beats j) = γᵢ/(γᵢ + γⱼ).
///
/// A single rating has no meaning: the mean is 0, and only a [difference](Self::difference) counts. Its standard error
/// follows from the covariance, not from the two ratings' errors. Games count as independent.
///
/// Players that met, directly or through others, are one [group](Self::group). The likelihood is a product over the groups:
/// each has ratings of its own with mean 0, and nothing is known of a difference between two groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    elo: Vec<f64>,
    covariance: Vec<Vec<f64>>,
    groups: Vec<usize>,
    prior: bool,
}

impl Ratings {
    /// The ratings in Elo; the mean of each group is 0. NaN for a player that met nobody.
    pub fn elo(&self) -> &[f64] {
        &self.elo
    }

    /// The number of a player's group, counted from 0 in the order of the first players.
    pub fn group(&self, player: usize) -> usize {
        self.groups[player]
    }

    /// The number of groups, players that met nobody included.
    pub fn groups(&self) -> usize {
        self.groups.iter().max().map_or(0, |last| last + 1)
    }

    /// Whether the weak prior was used, because no finite ratings of a group maximise the likelihood: one additional drawn
    /// game between every two players of that group. Then its ratings are not those of maximum likelihood.
    pub const fn prior(&self) -> bool {
        self.prior
    }

    /// The standard error of a rating relative to the mean of its group, in Elo; NaN for a player that met nobody.
    pub fn standard_error(&self, player: usize) -> f64 {
        self.covariance[player][player].clamp(0.0, f64::INFINITY).sqrt()
    }

    /// The standard error of the difference of two ratings, in Elo; none of two groups.
    pub fn difference_error(&self, first: usize, second: usize) -> Option<f64> {
        let c = &self.covariance;
        let variance = c[first][first] + c[second][second] - 2.0 * c[first][second];
        (self.group(first) == self.group(second)).then(|| variance.max(0.0).sqrt())
    }

    /// The difference of two ratings in Elo, first less second, with its normal interval; none of two groups.
    pub fn difference(&self, first: usize, second: usize, confidence: Confidence) -> Option<Estimate> {
        let half = confidence.z() * self.difference_error(first, second)?;
        Some(Estimate::around(self.elo[first] - self.elo[second], half, Method::Normal))
    }

    /// The likelihood that the first is stronger than the second; ½ for a player and itself, none of two groups.
    pub fn superiority(&self, first: usize, second: usize) -> Option<f64> {
        let error = self.difference_error(first, second)?;
        Some(if first == second || error == 0.0 {
            0.5
        } else {
            normal_cdf((self.elo[first] - self.elo[second]) / error)
        })
    }
}

/// The maximum-likelihood ratings for a table of points: `points[i][j]` are the points that i scored against j. A draw
/// is half a point for each.
///
/// Computed by Newton's method on the logarithms of the strengths, in which the likelihood is concave. The covariance
/// is the pseudo-inverse of the information under Σr = 0. The maximum of a group exists exactly if its graph of points scored
/// is strongly connected (Ford 1957; Hunter 2004, Ann. Stat. 32). If it is not, a weak prior is used and
/// [reported](Ratings::prior): one drawn game between every two players of the group.
///
/// # Panics
/// If the table is not square, has fewer than two rows, or has an entry that is negative or not finite. The diagonal is
/// ignored.
///
/// # Example
/// ```
/// use shikou::stats::bradley_terry;
/// let points = [vec![0.0, 60.0, 75.0], vec![40.0, 0.0, 58.0], vec![25.0, 42.0, 0.0]];
/// let ratings = bradley_terry(&points);
/// assert!((ratings.elo()[0] - 85.6127).abs() < 1e-4);
/// assert!((ratings.difference_error(0, 1).unwrap() - 29.6758).abs() < 1e-4);
/// ```
pub fn bradley_terry(points: &[Vec<f64>]) -> Ratings {
    let n = points.len();
    assert!(n >= 2, "ratings need at least two players");
    assert!(points.iter().all(|row| row.len() == n), "a table of points must be square");
    assert!(
        points.iter().flatten().all(|p| p.is_finite() && *p >= 0.0),
        "points must be finite and not negative"
    );
    let mut ratings = Ratings {
        elo: vec![f64::NAN; n],
        covariance: vec![vec![f64::NAN; n]; n],
        groups: vec![usize::MAX; n],
        prior: false,
    };
    let mut groups = 0;
    for first in 0..n {
        if ratings.groups[first] != usize::MAX {
            continue;
        }
        let group = reached(n, first, &|i, j| points[i][j] + points[j][i] > 0.0);
        for &player in &group {
            ratings.groups[player] = groups;
        }
        groups += 1;
        if group.len() > 1 {
            let of_row = |&i: &usize| group.iter().map(|&j| points[i][j]).collect();
            let own: Vec<Vec<f64>> = group.iter().map(of_row).collect();
            ratings.rate(&group, &own);
        }
    }
    ratings
}

impl Ratings {
    /// Rates a group by its own table of points.
    fn rate(&mut self, group: &[usize], points: &[Vec<f64>]) {
        let n = points.len();
        let prior = !is_strongly_connected(points);
        let extra = if prior { 0.5 } else { 0.0 };
        let wins = |i: usize, j: usize| if i == j { 0.0 } else { points[i][j] + extra };
        let chance = |r: &[f64], i: usize, j: usize| 1.0 / (1.0 + libm::exp(r[j] - r[i]));
        let likelihood = |r: &[f64]| {
            let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            pairs
                .filter(|(i, j)| i != j)
                .map(|(i, j)| -wins(i, j) * libm::log1p(libm::exp(r[j] - r[i])))
                .sum::<f64>()
        };
        let covariance = |r: &[f64]| {
            let mut information = vec![vec![0.0; n]; n];
            for (i, row) in information.iter_mut().enumerate() {
                for j in (0..n).filter(|&j| j != i) {
                    let weight = (wins(i, j) + wins(j, i)) * chance(r, i, j) * chance(r, j, i);
                    row[j] -= weight;
                    row[i] += weight;
                }
            }
            pseudo_inverse(information)
        };
        let mut r = vec![0.0; n];
        let mut found = likelihood(&r);
        for _ in 0..200 {
            let slope: Vec<f64> = (0..n)
                .map(|i| (0..n).map(|j| wins(i, j) * chance(&r, j, i) - wins(j, i) * chance(&r, i, j)).sum())
                .collect();
            let inverse = covariance(&r);
            let step: Vec<f64> =
                inverse.iter().map(|row| row.iter().zip(&slope).map(|(x, y)| x * y).sum()).collect();
            let mut scale = 1.0;
            let next = loop {
                let next: Vec<f64> = r.iter().zip(&step).map(|(r, step)| r + scale * step).collect();
                // A step that changes the likelihood by rounding only is accepted.
                if likelihood(&next) >= found - 1e-12 * found.abs() || scale < 1e-6 {
                    break next;
                }
                scale /= 2.0;
            };
            let moved =
                r.iter().zip(&next).map(|(old, new): (&f64, &f64)| (old - new).abs()).fold(0.0, f64::max);
            r = next;
            found = likelihood(&r);
            if moved < 1e-12 {
                break;
            }
        }
        let mean = r.iter().sum::<f64>() / n as f64;
        let covariance = covariance(&r);
        self.prior |= prior;
        for (i, &player) in group.iter().enumerate() {
            self.elo[player] = (r[i] - mean) * ELO;
            for (j, &other) in group.iter().enumerate() {
                self.covariance[player][other] = covariance[i][j] * ELO * ELO;
            }
        }
    }
}

/// The players that can be reached from one by steps from i to j, in their order.
fn reached(n: usize, from: usize, steps: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut seen = vec![false; n];
    let mut open = vec![from];
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut seen[i], true) {
            open.extend((0..n).filter(|&j| i != j && steps(i, j)));
        }
    }
    (0..n).filter(|&player| seen[player]).collect()
}

/// Whether every player scored against every other, directly or through a chain of others: the condition for the
/// existence of maximum-likelihood ratings.
fn is_strongly_connected(points: &[Vec<f64>]) -> bool {
    let n = points.len();
    reached(n, 0, &|i, j| points[i][j] > 0.0).len() == n
        && reached(n, 0, &|i, j| points[j][i] > 0.0).len() == n
}

/// The pseudo-inverse of a Laplacian whose null space is spanned by (1, …, 1): the null direction gets an eigenvalue, the
/// matrix is inverted by Gauss–Jordan elimination with pivoting, and the direction is removed again.
fn pseudo_inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let own = (0..n).map(|i| matrix[i][i]).sum::<f64>() / n as f64;
    for (i, row) in matrix.iter_mut().enumerate() {
        for entry in row.iter_mut() {
            *entry += own / n as f64;
        }
        row.extend((0..n).map(|j| if i == j { 1.0 } else { 0.0 }));
    }
    for column in 0..n {
        let size = |row: usize| matrix[row][column].abs();
        let pivot = (column..n).max_by(|&x, &y| size(x).total_cmp(&size(y))).expect("rows remain");
        matrix.swap(column, pivot);
        let value = matrix[column][column];
        matrix[column].iter_mut().for_each(|entry| *entry /= value);
        let pivot_row = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    matrix
        .into_iter()
        .map(|row| row[n..].iter().map(|entry| entry - 1.0 / (n as f64 * own)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(points: &[&[f64]]) -> Vec<Vec<f64>> {
        points.iter().map(|row| row.to_vec()).collect()
    }

    /// To four decimal places.
    #[test]
    fn ratings_agree_with_the_published() {
        let ratings = bradley_terry(&table(&[&[0.0, 60.0, 75.0], &[40.0, 0.0, 58.0], &[25.0, 42.0, 0.0]]));
        for (found, expected) in ratings.elo().iter().zip([85.6127, -4.9036, -80.7091]) {
            assert!((found - expected).abs() < 1e-4, "{found}");
        }
        let error = ratings.difference_error(0, 1).unwrap();
        assert!((error - 29.6758).abs() < 1e-4, "{error}");
        assert!(!ratings.prior());
        let [ahead, behind] = [(0, 1), (1, 0)].map(|(i, j)| ratings.superiority(i, j).unwrap());
        assert!((ahead + behind - 1.0).abs() < 1e-12 && ahead > 0.998);
    }

    /// With two players, the rating difference is the Elo of the score, and its error that of a logit.
    #[test]
    fn two_players_are_a_score() {
        let ratings = bradley_terry(&table(&[&[0.0, 30.5], &[9.5, 0.0]]));
        let difference = ratings.difference(0, 1, Confidence::new(0.95)).unwrap();
        assert!((difference.value - crate::elo_of_score(30.5 / 40.0)).abs() < 1e-9);
        let logit = (40.0 / (30.5 * 9.5_f64)).sqrt();
        assert!((ratings.difference_error(0, 1).unwrap() - logit * ELO).abs() < 1e-9);
    }

    /// 60:40 and 55:45 of two pairs that never met: 400·log₁₀(60/40) and 400·log₁₀(55/45) within, nothing between. A fifth
    /// player met nobody.
    #[test]
    fn what_never_met_is_not_compared() {
        let mut points = vec![vec![0.0; 5]; 5];
        (points[0][1], points[1][0], points[2][4], points[4][2]) = (60.0, 40.0, 55.0, 45.0);
        let ratings = bradley_terry(&points);
        let difference =
            |i, j| ratings.difference(i, j, Confidence::new(0.95)).map(|estimate| estimate.value);
        assert!((difference(0, 1).unwrap() - 70.436504).abs() < 1e-6);
        assert!((difference(2, 4).unwrap() - 34.860070).abs() < 1e-6);
        assert!((ratings.elo()[2] + ratings.elo()[4]).abs() < 1e-9 && ratings.elo()[3].is_nan());
        assert!(ratings.standard_error(3).is_nan() && ratings.groups() == 3 && !ratings.prior());
        assert_eq!((difference(0, 2), ratings.superiority(1, 4), difference(0, 3)), (None, None, None));
    }

    /// A player that never lost a point needs the prior; a cycle does not.
    #[test]
    fn the_prior_stands_in_where_ratings_would_be_infinite() {
        let unbeaten = table(&[&[0.0, 10.0, 10.0], &[0.0, 0.0, 5.0], &[0.0, 5.0, 0.0]]);
        let circle = table(&[&[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0]]);
        assert!(bradley_terry(&unbeaten).prior() && !bradley_terry(&circle).prior());
        assert!(bradley_terry(&unbeaten).elo().iter().all(|elo| elo.is_finite() && elo.abs() < 1000.0));
        assert!(bradley_terry(&circle).elo().iter().all(|elo| elo.abs() < 1e-9));
        let huge = table(&[&[0.0, 1e9], &[1.0, 0.0]]);
        let difference = bradley_terry(&huge).difference(0, 1, Confidence::new(0.95)).unwrap();
        assert!((difference.value - 3600.0).abs() < 1e-4);
    }
}
