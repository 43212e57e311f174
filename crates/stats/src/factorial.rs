//! The analysis of a full factorial experiment: main effects and interactions of two factors.

use serde::{Deserialize, Serialize};

use super::distribution::{beta_cdf, beta_quantile};
use super::{Confidence, Estimate, Method, holm};

/// The analysis of variance of responses at every combination of the levels of several factors, each combination as often
/// as the others (Montgomery 2017, *Design and Analysis of Experiments*, 9th edition, chapter 5).
///
/// The model has a mean, the main effects and all interactions of two factors. The residual is chance, and
/// interactions of three factors or more. With two factors and one response each nothing is left, so the interaction is
/// taken as the residual (section 5.3.7).
///
/// # Example
/// ```
/// use shikou::stats::{Confidence, Factorial};
/// // Two factors with two levels and two responses each; the second factor makes no difference.
/// let responses = [[1.0, 3.0], [2.0, 2.0], [5.0, 7.0], [6.0, 6.0]];
/// let found = Factorial::new(&[2, 2], responses.as_flattened(), Confidence::new(0.95)).unwrap();
/// let [first, second] = &found.factors[..] else { panic!() };
/// assert_eq!((found.mean, first.levels[1].mean.value, first.levels[1].effect.value), (4.0, 6.0, 2.0));
/// assert_eq!((first.test.f, second.test.f), (Some(32.0), Some(0.0)));
/// assert_eq!((found.degrees, first.test.share), (4, 32.0 / 36.0));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factorial {
    /// The mean of all responses.
    pub mean: f64,
    /// The number of responses.
    pub responses: u64,
    /// The degrees of freedom of the residual.
    pub degrees: u64,
    /// The variance of the residual.
    pub variance: f64,
    /// Whether the interactions are taken as the residual, because otherwise nothing is left.
    pub interactions_are_residual: bool,
    /// The factors, in the order given.
    pub factors: Vec<Factor>,
    /// The pairs of factors, in lexicographic order.
    pub pairs: Vec<Interaction>,
}

/// A factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// For each level its mean, and its main effect: the mean less the mean of all responses.
    pub levels: Vec<Effect>,
    /// Whether the levels differ.
    pub test: EffectTest,
}

/// Two factors together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// The two factors, as indices.
    pub factors: [usize; 2],
    /// For each level of the first, for each of the second: the mean, and the interaction, which the main effects leave.
    pub cells: Vec<Vec<Effect>>,
    /// Whether the main effects leave anything.
    pub test: EffectTest,
}

/// A mean and an effect, each with an interval from the variance of the residual.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The mean.
    pub mean: Estimate,
    /// The effect.
    pub effect: Estimate,
}

/// The F test of a factor or an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectTest {
    /// The degrees of freedom.
    pub degrees: u64,
    /// The sum of squares.
    pub squares: f64,
    /// The share of the variance of all responses (η²); 0 if they do not vary.
    pub share: f64,
    /// The mean square in units of the variance of the residual. `None` without a residual.
    pub f: Option<f64>,
    /// The p-value.
    pub p: Option<f64>,
    /// The p-value after Holm's correction over all tests of this analysis.
    pub corrected: Option<f64>,
}

/// Sums of squares below this share of all are rounding.
const ROUNDING: f64 = 1e-13;

impl Factorial {
    /// Analyses responses. `levels` has the number of levels of each factor. The responses are in the order of the
    /// combinations; the levels of the last factor change fastest, and repetitions of a combination are neighbours.
    ///
    /// Returns `None` with fewer than two factors, a factor with fewer than two levels, a number of responses that is no
    /// multiple of the number of combinations, or a response that is not finite.
    pub fn new(levels: &[usize], responses: &[f64], confidence: Confidence) -> Option<Self> {
        let combinations = levels.iter().try_fold(1_usize, |product, &count| product.checked_mul(count))?;
        let is_full =
            combinations > 0 && !responses.is_empty() && responses.len().is_multiple_of(combinations);
        let is_sound = levels.len() >= 2 && levels.iter().all(|&count| count >= 2);
        if !is_full || !is_sound || responses.iter().any(|response| !response.is_finite()) {
            return None;
        }
        let data = Data { levels, responses, repetitions: responses.len() / combinations };
        Some(data.analysed(confidence))
    }
}

struct Data<'d> {
    levels: &'d [usize],
    responses: &'d [f64],
    repetitions: usize,
}

/// The means of a factor or a pair, and their residuals; before there are intervals.
struct Means {
    of_groups: Vec<f64>,
    effects: Vec<f64>,
    degrees: u64,
    squares: f64,
}

impl Data<'_> {
    fn level(&self, factor: usize, response: usize) -> usize {
        let below: usize = self.levels[factor + 1..].iter().product();
        response / self.repetitions / below % self.levels[factor]
    }

    /// The means of groups of responses of equal size.
    fn means(&self, groups: usize, group: impl Fn(usize) -> usize) -> Vec<f64> {
        let mut sums = vec![0.0; groups];
        for (index, response) in self.responses.iter().enumerate() {
            sums[group(index)] += response;
        }
        let size = (self.responses.len() / groups) as f64;
        sums.iter().map(|sum| sum / size).collect()
    }

    fn finished(&self, means: Vec<f64>, effects: Vec<f64>, degrees: usize, total: f64) -> Means {
        let each = (self.responses.len() / means.len()) as f64;
        let squares = each * effects.iter().map(|effect| effect * effect).sum::<f64>();
        let squares = if squares <= ROUNDING * total { 0.0 } else { squares };
        Means { of_groups: means, effects, degrees: degrees as u64, squares }
    }

    fn analysed(&self, confidence: Confidence) -> Factorial {
        let (count, factors) = (self.responses.len(), self.levels.len());
        let mean = self.responses.iter().sum::<f64>() / count as f64;
        let total: f64 = self.responses.iter().map(|response| (response - mean) * (response - mean)).sum();
        let main = (0..factors).map(|factor| {
            let means = self.means(self.levels[factor], |index| self.level(factor, index));
            let effects = means.iter().map(|of_level| of_level - mean).collect();
            self.finished(means, effects, self.levels[factor] - 1, total)
        });
        let main: Vec<Means> = main.collect();
        let chosen: Vec<[usize; 2]> =
            (0..factors).flat_map(|a| (a + 1..factors).map(move |b| [a, b])).collect();
        let pair = |&[a, b]: &[usize; 2]| {
            let wide = self.levels[b];
            let cells = self.levels[a] * wide;
            let means = self.means(cells, |index| self.level(a, index) * wide + self.level(b, index));
            let left = |(cell, of_cell): (usize, &f64)| {
                of_cell - main[a].of_groups[cell / wide] - main[b].of_groups[cell % wide] + mean
            };
            let effects = means.iter().enumerate().map(left).collect();
            self.finished(means, effects, (self.levels[a] - 1) * (wide - 1), total)
        };
        let pairs: Vec<Means> = chosen.iter().map(pair).collect();

        let of = |means: &[Means]| {
            means.iter().fold((0, 0.0), |(degrees, squares), means| {
                (degrees + means.degrees, squares + means.squares)
            })
        };
        let ((main_degrees, main_squares), (pair_degrees, pair_squares)) = (of(&main), of(&pairs));
        let left = count as u64 - 1 - main_degrees;
        let interactions_are_residual = left == pair_degrees;
        let (degrees, squares) = if interactions_are_residual {
            (left, total - main_squares)
        } else {
            (left - pair_degrees, total - main_squares - pair_squares)
        };
        let variance = if squares <= ROUNDING * total { 0.0 } else { squares / degrees as f64 };
        let residual = Residual { count, degrees, variance, t: student_quantile(degrees, confidence) };

        let mut tests: Vec<EffectTest> = main.iter().map(|means| residual.test(means, total)).collect();
        tests.extend(pairs.iter().map(|means| {
            let test = residual.test(means, total);
            if interactions_are_residual { EffectTest { f: None, p: None, ..test } } else { test }
        }));
        let p: Vec<f64> = tests.iter().filter_map(|test| test.p).collect();
        let mut corrected = holm(&p).into_iter();
        for test in tests.iter_mut().filter(|test| test.p.is_some()) {
            test.corrected = corrected.next();
        }
        let of_pairs = tests.split_off(factors);
        let factor = |(means, test)| Factor { levels: residual.effects(means), test };
        let interaction = |((means, test), factors): ((&Means, EffectTest), [usize; 2])| {
            let cells = residual.effects(means);
            let cells = cells.chunks(self.levels[factors[1]]).map(<[Effect]>::to_vec).collect();
            Interaction { factors, cells, test }
        };
        Factorial {
            mean,
            responses: count as u64,
            degrees,
            variance,
            interactions_are_residual,
            factors: main.iter().zip(tests).map(factor).collect(),
            pairs: pairs.iter().zip(of_pairs).zip(chosen).map(interaction).collect(),
        }
    }
}

/// The residual of the model.
struct Residual {
    count: usize,
    degrees: u64,
    variance: f64,
    /// Student's quantile of the intervals.
    t: f64,
}

impl Residual {
    /// A mean of `n` responses has the variance σ²/n, an effect with d degrees of freedom in all σ²·d/N.
    fn effects(&self, of: &Means) -> Vec<Effect> {
        let count = self.count as f64;
        let estimate = |value: f64, variance: f64| {
            let estimate = Estimate::around(value, self.t * variance.sqrt(), Method::StudentT);
            if self.variance > 0.0 { estimate } else { Estimate::of(value) }
        };
        let of_mean = self.variance * of.of_groups.len() as f64 / count;
        let of_effect = self.variance * of.degrees as f64 / count;
        let effects = of.of_groups.iter().zip(&of.effects);
        effects
            .map(|(&mean, &effect)| Effect {
                mean: estimate(mean, of_mean),
                effect: estimate(effect, of_effect),
            })
            .collect()
    }

    fn test(&self, of: &Means, total: f64) -> EffectTest {
        let share = if total > 0.0 { of.squares / total } else { 0.0 };
        let f = (self.variance > 0.0).then(|| of.squares / of.degrees as f64 / self.variance);
        let p = f.map(|f| f_tail(f, of.degrees, self.degrees));
        EffectTest { degrees: of.degrees, squares: of.squares, share, f, p, corrected: None }
    }
}

/// The probability of more than `f` under the F distribution.
pub(super) fn f_tail(f: f64, above: u64, below: u64) -> f64 {
    let (above, below) = (above as f64, below as f64);
    beta_cdf(below / 2.0, above / 2.0, below / (below + above * f))
}

/// The two-sided quantile of Student's t distribution; with more than 10⁸ degrees of freedom it is the normal one.
pub fn student_quantile(degrees: u64, confidence: Confidence) -> f64 {
    student_quantile_of(degrees as f64, confidence)
}

/// The same for a real number of degrees of freedom.
pub(super) fn student_quantile_of(degrees: f64, confidence: Confidence) -> f64 {
    if degrees > 1e8 {
        return confidence.z();
    }
    let x = beta_quantile(degrees / 2.0, 0.5, confidence.alpha());
    (degrees * (1.0 - x) / x).sqrt()
}

#[cfg(test)]
mod tests;
