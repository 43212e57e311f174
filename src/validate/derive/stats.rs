//! The statistics of this crate, applied to published examples.

use std::path::Path;

use super::{Context, Derivation, Derive, Derived, choice};
use crate::experiment::document::{PlacedError, Section};
use crate::game::options::{FINITE, numbers};
use crate::players::Registry;
use crate::stats::{
    Confidence, EloInterval, EloModel, Estimate, Factorial, Hypotheses, MatchCounts, PairedCounts,
    benjamini_hochberg, beta_binomial_sequence, bonett_price, bradley_terry, clopper_pearson, holm,
    instances_for_paired_rates, jeffreys, log_likelihood_ratio, mcnemar_asymptotic, mcnemar_exact,
    mcnemar_mid_p, newcombe, newcombe_paired, paired_ln_e, slope, tango, trials_for_two_rates, wilson,
};
use crate::validate::{Found, Value};

/// A function of some numbers, after their number; `None` if any is allowed, else it is checked when a case is read.
type Statistic = (Option<usize>, fn(&[f64]) -> Vec<f64>);

const fn of(takes: usize, of: fn(&[f64]) -> Vec<f64>) -> Statistic {
    (Some(takes), of)
}

/// All intervals have the level 95 %, all powers are 80 %.
const STATISTICS: [(&str, Statistic); 21] = [
    ("wilson", of(2, |x| limits(wilson(whole(x[0]), whole(x[1]), level())))),
    ("clopper-pearson", of(2, |x| limits(clopper_pearson(whole(x[0]), whole(x[1]), level())))),
    ("jeffreys", of(2, |x| limits(jeffreys(whole(x[0]), whole(x[1]), level())))),
    ("beta-binomial", of(2, |x| limits(beta_binomial_sequence(whole(x[0]), whole(x[1]), level())))),
    (
        "newcombe",
        of(4, |x| limits(newcombe((whole(x[0]), whole(x[1])), (whole(x[2]), whole(x[3])), level()))),
    ),
    ("tango", of(4, |x| limits(tango(paired(x), level())))),
    ("newcombe-paired", of(4, |x| limits(newcombe_paired(paired(x), level())))),
    ("bonett-price", of(4, |x| limits(bonett_price(paired(x), level())))),
    (
        "mcnemar",
        of(2, |x| {
            let (b, c) = (whole(x[0]), whole(x[1]));
            vec![mcnemar_exact(b, c), mcnemar_mid_p(b, c), mcnemar_asymptotic(b, c)]
        }),
    ),
    ("paired-ln-e", of(2, |x| vec![paired_ln_e(whole(x[0]), whole(x[1]))])),
    ("llr-normalized", (None, |x| likelihood(EloModel::Normalized, x))),
    ("llr-logistic", (None, |x| likelihood(EloModel::Logistic, x))),
    (
        "elo-of-pairs",
        of(5, |x| {
            let counts = MatchCounts::pairs([0, 1, 2, 3, 4].map(|index| whole(x[index])));
            let elo = EloInterval::of_score(counts.normal_interval(level()));
            [elo.value, elo.half_width(), counts.normalized_elo()].into_iter().flatten().collect()
        }),
    ),
    (
        "bradley-terry",
        of(9, |x| {
            let points: Vec<Vec<f64>> = x.chunks(3).map(<[f64]>::to_vec).collect();
            let ratings = bradley_terry(&points);
            ratings.elo().iter().copied().chain(ratings.difference_error(0, 1)).collect()
        }),
    ),
    ("holm", (None, holm)),
    ("benjamini-hochberg", (None, benjamini_hochberg)),
    ("trials-for-two-rates", of(2, |x| vec![trials_for_two_rates(x[0], x[1], 0.8, level()) as f64])),
    (
        "instances-for-paired-rates",
        of(2, |x| vec![instances_for_paired_rates(x[0], x[1], 0.8, level()) as f64]),
    ),
    (
        "two-factors",
        (None, |x| {
            let (levels, responses) = (x.get(..2).unwrap_or_default(), x.get(2..).unwrap_or_default());
            let levels: Vec<usize> = levels.iter().map(|&count| count as usize).collect();
            let found = Factorial::new(&levels, responses, level());
            let tests =
                found.map(|found| [found.factors[0].test.f, found.factors[1].test.f, found.pairs[0].test.f]);
            tests.into_iter().flatten().flatten().collect()
        }),
    ),
    (
        "slope",
        (None, |x| {
            let points: Vec<(f64, f64)> = (0..).map(f64::from).zip(x.iter().copied()).collect();
            let found = slope(&points, level());
            found.map_or_else(Vec::new, |found| vec![found.mean, found.slope.value, found.t])
        }),
    ),
    ("normal-quantile", of(1, |x| vec![crate::stats::normal_quantile(x[0])])),
];

fn level() -> Confidence {
    Confidence::default_level()
}

fn whole(number: f64) -> u64 {
    number as u64
}

fn limits(estimate: Estimate) -> Vec<f64> {
    vec![estimate.low, estimate.high]
}

/// Both succeeded, only the first, only the second, neither.
fn paired(x: &[f64]) -> PairedCounts {
    PairedCounts {
        both: whole(x[0]),
        only_first: whole(x[1]),
        only_second: whole(x[2]),
        neither: whole(x[3]),
    }
}

/// The log-likelihood ratio for two hypotheses in Elo and three (games) or five (pairs) counts; empty for other lengths.
fn likelihood(model: EloModel, x: &[f64]) -> Vec<f64> {
    let counts = match x.get(2..) {
        Some(&[losses, draws, wins]) => MatchCounts::games([losses, draws, wins].map(whole)),
        Some(&[a, b, c, d, e]) => MatchCounts::pairs([a, b, c, d, e].map(whole)),
        _ => return Vec::new(),
    };
    let hypotheses = Hypotheses::new(model, x[0], x[1]);
    hypotheses.map(|hypotheses| vec![log_likelihood_ratio(hypotheses, &counts)]).unwrap_or_default()
}

struct Stats {
    statistic: Statistic,
    numbers: Vec<f64>,
}

pub(super) fn read(section: &mut Section<'_>, _path: &Path, _registry: &Registry) -> Derivation {
    let statistic = section.get("statistic", &choice(&STATISTICS))?;
    let numbers = section.get("of", &numbers(FINITE).needed("[37, 100]"))?.reals();
    section.finish()?;
    if let Some(takes) = statistic.0.filter(|takes| *takes != numbers.len()) {
        let message = format!("this statistic takes {takes} numbers, not {}", numbers.len());
        return Err(PlacedError::new(section.at("of"), message));
    }
    Ok(Box::new(Stats { statistic, numbers }))
}

impl Derive for Stats {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let values = (self.statistic.1)(&self.numbers);
        Ok(Found::Exact(values.into_iter().map(Value::Real).collect()))
    }
}
