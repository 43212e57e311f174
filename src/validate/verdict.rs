//! The comparison of a derived result with the published figure, and the test whether a sample is too small for any verdict.
//!
//! Rejected: calling it agreement if the intervals overlap. A sample that cannot differ cannot agree either.

use serde::Serialize;

use super::published::{Figure, Found, Published, Sample, Value};
use crate::report::with_thousands;
use crate::stats::{Confidence, Estimate, Method, PairedCounts, clopper_pearson, newcombe};

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The figure was reproduced.
    Agrees,
    /// The figure was not reproduced.
    Differs,
    /// The sample is too small for a verdict, whatever its outcome.
    TooFew,
    /// There is no result to compare.
    NotRun,
}

impl Verdict {
    /// The word shown in the table.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "DIFFERS",
            Self::TooFew => "too few to tell",
            Self::NotRun => "not run yet",
        }
    }
}

/// A verdict with its grounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Our estimate with its own interval; `None` if exact or missing.
    pub ours: Option<Estimate>,
    /// The difference, ours minus published, if a sample was published. The verdict is whether it may be 0.
    pub difference: Option<Estimate>,
    /// The two-sided, uncorrected p-value of our sample for a published value or sample. The verdict is *differs* if it is
    /// below 1 − level. `None` if nothing is sampled, for bounds, and if there are too few trials.
    pub p: Option<f64>,
    /// The reason if the verdict is not *agrees*; otherwise empty.
    pub reason: String,
}

/// Compares at a confidence level. The probability that a correct program is found to differ is about 1 − level or less,
/// and 0 if everything is exact.
///
/// | published | the verdict is *agrees* if |
/// |---|---|
/// | exact, ours exact | all values are equal; decimals to the printed digits |
/// | exact, ours sampled | it is in our interval |
/// | sampled percentages, ours exact | each exact value is in the Clopper–Pearson interval of its sample |
/// | a sample | the interval of the difference of the two samples contains 0 |
/// | an interval without a method, ours exact | all values are in it |
/// | an interval without a method, ours sampled | it overlaps ours |
/// | at least | our interval is not entirely below the bound |
/// | more than | our interval is entirely above the bound |
///
/// If every outcome of a sample of our size would have this verdict, or a mean has no trusted interval, the verdict is *too
/// few to tell*.
///
/// # Example
/// ```
/// use shikou::stats::Confidence;
/// use shikou::validate::{Figure, Found, Published, Verdict, judge};
/// let published = Published::Exact(vec![Figure::new("737/1260")]);
/// let found = |successes| Found::Rate { successes, trials: 1000 };
/// let level = Confidence::new(0.999);
/// assert_eq!(judge(&published, &found(580), level).verdict, Verdict::Agrees);
/// assert_eq!(judge(&published, &found(680), level).verdict, Verdict::Differs);
/// let one = Found::Rate { successes: 1, trials: 1 };
/// assert_eq!(judge(&published, &one, level).verdict, Verdict::TooFew);
/// ```
pub fn judge(published: &Published, found: &Found, confidence: Confidence) -> Judged {
    let judged = compare(published, found, confidence);
    let verdict = |found: &Found| compare(published, found, confidence).verdict;
    match too_few(published, found, confidence, verdict) {
        Some(reason) => Judged { verdict: Verdict::TooFew, reason, ..judged },
        None => Judged { p: two_sided_p(published, found), ..judged },
    }
}

/// Smaller p-values are reported as this.
const LEAST_P: f64 = 1e-12;

/// 1 − the level at which the interval just reaches the published value.
fn two_sided_p(published: &Published, found: &Found) -> Option<f64> {
    let is_sampled = match published {
        Published::Sampled { .. } => true,
        Published::Exact(_) | Published::Rate { .. } | Published::Mean { .. } => found.trials().is_some(),
        _ => false,
    };
    if !is_sampled {
        return None;
    }
    let agrees = |p: f64| compare(published, found, Confidence::new(1.0 - p)).verdict == Verdict::Agrees;
    let (mut low, mut high) = (LEAST_P, 1.0 - LEAST_P);
    if agrees(high) {
        return Some(1.0);
    }
    for _ in 0..50 {
        let middle = (low * high).sqrt();
        *(if agrees(middle) { &mut low } else { &mut high }) = middle;
    }
    Some(low)
}

/// The verdict from the intervals alone, whatever the number of trials.
fn compare(published: &Published, found: &Found, confidence: Confidence) -> Judged {
    let ours = found.estimate(confidence);
    let judged = |agrees: bool, difference: Option<Estimate>, reason: String| {
        let verdict = if agrees { Verdict::Agrees } else { Verdict::Differs };
        let reason = if agrees { String::new() } else { reason };
        Judged { verdict, ours, difference, p: None, reason }
    };
    if let Found::Missing(what) = found {
        return Judged { verdict: Verdict::NotRun, ours, difference: None, p: None, reason: what.clone() };
    }
    match (published, found, ours) {
        (Published::Exact(figures), Found::Exact(values), _) => {
            let reason = differences(figures, values, &is_equal);
            judged(reason.is_empty(), None, reason)
        }
        (Published::Sampled { percent, trials }, Found::Exact(values), _) => {
            let reason = differences(percent, values, &of_sample(*trials, percent.len(), confidence));
            judged(reason.is_empty(), None, reason)
        }
        (Published::AtLeast(bound), Found::Exact(values), _) => {
            let (bound, reason) = (value_of(bound), format!("a value is below {}", bound.text));
            judged(
                values.iter().all(|value| number_of(value).is_some_and(|value| value >= bound)),
                None,
                reason,
            )
        }
        (Published::Between(low, high), Found::Exact(values), _) => {
            let inside = value_of(low)..=value_of(high);
            let agrees =
                values.iter().all(|value| number_of(value).is_some_and(|value| inside.contains(&value)));
            judged(agrees, None, format!("a value is outside {} to {}", low.text, high.text))
        }
        (Published::Exact(figures), _, Some(ours)) if figures.len() == 1 => {
            let (value, half_unit) = (value_of(&figures[0]), figures[0].half_unit());
            let agrees = ours.low - half_unit <= value && value <= ours.high + half_unit;
            judged(agrees, None, "the published value is outside our interval".into())
        }
        (Published::Rate { successes, trials }, Found::Rate { successes: k, trials: n }, _) => {
            let difference = newcombe((*k, *n), (*successes, *trials), confidence);
            sampled(&judged, difference, 0.0)
        }
        (Published::Mean { value, deviation, trials }, Found::Mean(sample), _) => {
            let variance = deviation.map_or(sample.variance, |deviation| deviation * deviation);
            let theirs = Sample { count: *trials, mean: value_of(value), variance };
            let half = confidence.z() * (sample.squared_error() + theirs.squared_error()).sqrt();
            let difference = Estimate::around(sample.mean - theirs.mean, half, Method::Normal);
            sampled(&judged, difference, value.half_unit())
        }
        (Published::Between(low, high), _, Some(ours)) => {
            let low = value_of(low) - low.half_unit();
            let high = value_of(high) + high.half_unit();
            let agrees = ours.low <= high && low <= ours.high;
            judged(agrees, None, "the published interval does not overlap ours".into())
        }
        (Published::AtLeast(bound), _, Some(ours)) => {
            let agrees = ours.high + bound.half_unit() >= value_of(bound);
            judged(agrees, None, "our interval is entirely below the bound".into())
        }
        (Published::MoreThan(bound), _, Some(ours)) => {
            judged(ours.low > value_of(bound), None, "our interval is not entirely above the bound".into())
        }
        _ => {
            judged(false, None, format!("the derived result cannot be compared with `{}`", published.form()))
        }
    }
}

/// The verdict on the difference of two samples, one of which is rounded by up to `half_unit`.
fn sampled(
    judged: &dyn Fn(bool, Option<Estimate>, String) -> Judged,
    difference: Estimate,
    rounding: f64,
) -> Judged {
    let agrees = difference.low <= rounding && -rounding <= difference.high;
    judged(agrees, Some(difference), "the difference of the two samples is not 0".into())
}

/// The values that differ from the published ones, in words; empty if none do.
fn differences(figures: &[Figure], values: &[Value], agrees: &dyn Fn(&Figure, &Value) -> bool) -> String {
    if figures.len() != values.len() {
        return format!("{} values were published, {} were derived", figures.len(), values.len());
    }
    let wrong = figures.iter().zip(values).enumerate().filter(|(_, (figure, value))| !agrees(figure, value));
    let words = wrong
        .map(|(index, (figure, value))| format!("value {}: {value}, published {}", index + 1, figure.text));
    words.collect::<Vec<_>>().join("; ")
}

/// Whether a printed percentage of a sample may come from an exact one: the Clopper–Pearson interval of the sample, at the level that
/// is left to each of `figures` of them, contains the exact value.
fn of_sample(trials: u64, figures: usize, confidence: Confidence) -> impl Fn(&Figure, &Value) -> bool {
    let each = Confidence::new(1.0 - confidence.alpha() / figures.max(1) as f64);
    move |figure, value| {
        let successes = |percent: f64| (percent / 100.0 * trials as f64).clamp(0.0, trials as f64);
        let lowest = successes(value_of(figure) - figure.half_unit()).ceil() as u64;
        let highest = successes(value_of(figure) + figure.half_unit()).floor() as u64;
        let (low, high) =
            (clopper_pearson(lowest, trials, each).low, clopper_pearson(highest, trials, each).high);
        number_of(value).is_some_and(|exact| (100.0 * low..=100.0 * high).contains(&exact))
    }
}

fn is_equal(figure: &Figure, value: &Value) -> bool {
    match (value, figure.value()) {
        (Value::Word(word), _) => *word == figure.text,
        (Value::Whole(_), Some(_)) => value.to_string() == figure.text,
        (Value::Real(number), Some(published)) => {
            // Equal after rounding to the printed digits; the tolerance covers the last bits of the subtraction.
            (number - published).abs() <= figure.half_unit() * (1.0 + 1e-6)
        }
        (_, None) => false,
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Whole(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Word(_) => None,
    }
}

fn value_of(figure: &Figure) -> f64 {
    figure.value().unwrap_or(f64::NAN)
}

/// The smallest number of values for which the normal interval of a mean is trusted.
const FEWEST_VALUES: u64 = 30;

/// If all values are equal, unseen values are assumed to be at most this many times as far away as max(|value|, 1).
const FARTHEST: f64 = 100.0;

/// A number of trials that is practically infinite.
const MANY: u64 = 1_000_000_000;

/// Returns the reason why a sample cannot support a verdict, or `None` if it can. `verdict` judges a result.
///
/// A rate or paired difference is too small if every outcome of this many trials has the same verdict, but some outcome
/// of a very large number has another. A mean is too small if ours or the published one has fewer than 30 values, or if
/// all our values are equal, so that there is no interval, and values not seen yet could change the verdict.
fn too_few(
    published: &Published,
    found: &Found,
    confidence: Confidence,
    verdict: impl Fn(&Found) -> Verdict,
) -> Option<String> {
    if let Found::Mean(sample) = found {
        let wider = || verdict(&Found::Mean(with_the_unseen(*sample, confidence)));
        return match published {
            _ if sample.count < FEWEST_VALUES => Some(format!(
                "a mean of n = {} has no interval; at least {FEWEST_VALUES} values are needed",
                sample.count
            )),
            Published::Mean { trials, .. } if *trials < FEWEST_VALUES => Some(format!(
                "the published mean of n = {trials} has no interval; at least {FEWEST_VALUES} values are needed"
            )),
            _ if sample.variance == 0.0 && wider() != verdict(found) => {
                let count = with_thousands(sample.count);
                Some(format!("all n = {count} values are equal, so their mean has no interval"))
            }
            _ => None,
        };
    }
    let (trials, extremes) = (found.trials()?, extremes(found)?);
    let own = verdict(found);
    let is_settled = |trials: u64| extremes(trials).iter().all(|outcome| verdict(outcome) == own);
    (is_settled(trials) && !is_settled(MANY))
        .then(|| format!("no outcome of n = {} could have changed the verdict", with_thousands(trials)))
}

/// The lowest and the highest outcome of a number of trials. The ends of all intervals here increase with the outcome. So
/// if both extremes have the same verdict, all outcomes between them do, or all on one side of the published figure.
fn extremes(found: &Found) -> Option<fn(u64) -> [Found; 2]> {
    match found {
        Found::Rate { .. } => Some(|trials| [0, trials].map(|successes| Found::Rate { successes, trials })),
        Found::Paired(_) => Some(|trials| {
            [(0, trials), (trials, 0)].map(|(only_first, only_second)| {
                Found::Paired(PairedCounts { both: 0, only_first, only_second, neither: 0 })
            })
        }),
        Found::Exact(_) | Found::Mean(_) | Found::Missing(_) => None,
    }
}

/// The equal values, with the variance of values that may exist but were not seen: the largest fraction that the
/// Clopper–Pearson interval allows, at the largest assumed distance.
fn with_the_unseen(sample: Sample, confidence: Confidence) -> Sample {
    let part = clopper_pearson(0, sample.count, confidence).high;
    let deviation = part * FARTHEST * sample.mean.abs().max(1.0) / confidence.z();
    Sample { variance: deviation * deviation * sample.count as f64, ..sample }
}
