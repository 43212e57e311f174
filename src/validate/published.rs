//! A published figure, as given in a case; and the result of its derivation.

use std::fmt;

use serde::Serialize;
use toml::de::DeValue;

use crate::experiment::document::{PlacedError, Section, Value as Written, array, integer, kind, text};
use crate::game::Tally;
use crate::game::options::{self, Setting};
use crate::report::{decimals, with_thousands};
use crate::stats::{Confidence, Estimate, Method, Moments, PairedCounts, clopper_pearson, tango};

pub(super) const FORMS: [&str; 7] = ["exact", "sampled", "rate", "mean", "between", "at-least", "more-than"];

/// A published figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Published {
    /// Exact values. A decimal number represents all numbers that round to it.
    Exact(Vec<Figure>),
    /// Samples of several rates whose exact values can be derived: each a percentage, as printed.
    Sampled {
        /// The percentages.
        percent: Vec<Figure>,
        /// The number of trials of each.
        trials: u64,
    },
    /// A sample: successes of a number of trials.
    Rate {
        /// The number of successes.
        successes: u64,
        /// Of how many.
        trials: u64,
    },
    /// A sample: the mean of a number of values. If no standard deviation was published, ours is used.
    Mean {
        /// The mean, as printed.
        value: Figure,
        /// The standard deviation of a single value.
        deviation: Option<f64>,
        /// The number of values.
        trials: u64,
    },
    /// An interval without a method, or the tolerance of an exact result.
    Between(Figure, Figure),
    /// A lower bound: the verdict is *differs* only if our result is shown to be below it.
    AtLeast(Figure),
    /// A bound that our result must be shown to exceed.
    MoreThan(Figure),
}

/// A value as printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// As printed.
    pub text: String,
    number: Option<Number>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number {
    value: f64,
    /// Half a unit of the last digit; 0 for integers and fractions, which are exact.
    half_unit: f64,
}

impl Figure {
    /// Parses a text: an integer, a fraction `737/1260`, a decimal number, or otherwise a word.
    ///
    /// # Example
    /// ```
    /// use shikou::validate::Figure;
    /// assert_eq!(Figure::new("737/1260").value(), Some(737.0 / 1260.0));
    /// assert!((Figure::new("5.0e-7").half_unit() - 0.05e-7).abs() < 1e-20);
    /// assert_eq!(Figure::new("draw").value(), None);
    /// ```
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let number = number(&text);
        Self { text, number }
    }

    /// The value; `None` for a word.
    pub fn value(&self) -> Option<f64> {
        self.number.map(|number| number.value)
    }

    /// Half a unit of the last printed digit; 0 for exact numbers.
    pub fn half_unit(&self) -> f64 {
        self.number.map_or(0.0, |number| number.half_unit)
    }
}

fn number(text: &str) -> Option<Number> {
    if let Some((above, below)) = text.split_once('/') {
        let (above, below): (i64, i64) = (above.trim().parse().ok()?, below.trim().parse().ok()?);
        return (below > 0).then(|| Number { value: above as f64 / below as f64, half_unit: 0.0 });
    }
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    if !mantissa.contains(|digit: char| digit.is_ascii_digit()) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    let half_unit = match mantissa.split_once('.') {
        None if exponent == "0" => 0.0,
        decimals => {
            let digits = decimals.map_or(0, |(_, digits)| digits.len() as i32);
            let exponent: i32 = exponent.parse().ok()?;
            0.5 * libm::pow(10.0, f64::from(exponent - digits))
        }
    };
    Some(Number { value, half_unit })
}

impl Published {
    /// Reads the value of a case's key `published`.
    pub(super) fn read(value: &Written<'_>) -> Result<Self, PlacedError> {
        let mut section = Section::from_value(value, "`published`")?;
        let mut given = Vec::new();
        for form in FORMS {
            given.extend(section.take(form).map(|value| (form, value)));
        }
        let span = section.span.clone();
        section.finish()?;
        let [(form, value)] = given[..] else {
            let message =
                format!("`published` must have exactly one of {}, not {}", FORMS.join(", "), given.len());
            return Err(PlacedError::new(span, message));
        };
        match form {
            "exact" => match value.get_ref() {
                DeValue::Array(_) => {
                    let figures = array(form, value)?.iter().map(|value| figure(form, value));
                    Ok(Self::Exact(figures.collect::<Result<_, _>>()?))
                }
                _ => Ok(Self::Exact(vec![figure(form, value)?])),
            },
            "sampled" => read_sampled(value),
            "rate" => read_rate(value),
            "mean" => read_mean(value),
            "between" => match array(form, value)? {
                [low, high] => Ok(Self::Between(numeric(form, low)?, numeric(form, high)?)),
                others => {
                    let message = format!("`between` must be a list of two numbers, not {}", others.len());
                    Err(PlacedError::new(value.span(), message))
                }
            },
            "at-least" => Ok(Self::AtLeast(numeric(form, value)?)),
            _ => Ok(Self::MoreThan(numeric(form, value)?)),
        }
    }

    /// The form, as a case names it.
    pub fn form(&self) -> &'static str {
        match self {
            Self::Exact(_) => "exact",
            Self::Sampled { .. } => "sampled",
            Self::Rate { .. } => "rate",
            Self::Mean { .. } => "mean",
            Self::Between(..) => "between",
            Self::AtLeast(_) => "at-least",
            Self::MoreThan(_) => "more-than",
        }
    }
}

impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(figures) | Self::Sampled { percent: figures, .. } => {
                let texts: Vec<&str> = figures.iter().map(|figure| figure.text.as_str()).collect();
                f.write_str(&texts.join(", "))
            }
            Self::Rate { successes, trials } => {
                let rate = *successes as f64 / *trials as f64;
                let places = if rate > 0.0 { places(rate, 3) } else { 0 };
                f.write_str(&rate_of(&decimals(rate, places), *successes, *trials))
            }
            Self::Mean { value, trials, .. } => f.write_str(&mean_of(&value.text, *trials)),
            Self::Between(low, high) => write!(f, "{} to {}", low.text, high.text),
            Self::AtLeast(bound) => write!(f, "≥ {}", bound.text),
            Self::MoreThan(bound) => write!(f, "> {}", bound.text),
        }
    }
}

pub(super) fn rate_of(rate: &str, successes: u64, trials: u64) -> String {
    format!("{rate} = {}/{}", with_thousands(successes), with_thousands(trials))
}

pub(super) fn mean_of(mean: &str, trials: u64) -> String {
    format!("{mean} (n = {})", with_thousands(trials))
}

/// The number of decimal places that gives a positive number `significant` digits.
pub(super) fn places(number: f64, significant: u8) -> usize {
    (f64::from(significant) - 1.0 - libm::floor(libm::log10(number))).clamp(0.0, 18.0) as usize
}

/// The largest accepted number of published trials.
const MOST: i64 = 1_000_000_000_000_000;

fn trials(example: &str) -> Setting<u64> {
    options::integer(1..=MOST, ()).needed(example)
}

fn read_rate(value: &Written<'_>) -> Result<Published, PlacedError> {
    let mut section = Section::from_value(value, "`rate`")?;
    let trials = section.get("trials", &trials("100"))?;
    let successes = section.get("successes", &options::integer(0..=trials as i64, ()).needed("60"))?;
    section.finish()?;
    Ok(Published::Rate { successes, trials })
}

fn read_sampled(value: &Written<'_>) -> Result<Published, PlacedError> {
    let example = "sampled = { percent = [\"78.1\", \"17.5\"], trials = 10000 }";
    let mut section = Section::from_value(value, "`sampled`")?;
    let percent = array("percent", section.require("percent", example)?)?;
    let percent = percent.iter().map(|value| numeric("percent", value)).collect::<Result<Vec<_>, _>>()?;
    let trials = section.get("trials", &trials("10000"))?;
    section.finish()?;
    Ok(Published::Sampled { percent, trials })
}

fn read_mean(value: &Written<'_>) -> Result<Published, PlacedError> {
    let example = "mean = { value = \"27.53\", trials = 50000000 }";
    let mut section = Section::from_value(value, "`mean`")?;
    let mean = numeric("value", section.require("value", example)?)?;
    let trials = section.get("trials", &trials("50000000"))?;
    let deviation = section.take("sd").map(|value| numeric("sd", value)).transpose()?;
    section.finish()?;
    let deviation = deviation.and_then(|figure| figure.value());
    Ok(Published::Mean { value: mean, deviation, trials })
}

/// A value as printed. Integers may be TOML integers; decimals must be strings, because their digits count.
fn figure(key: &str, value: &Written<'_>) -> Result<Figure, PlacedError> {
    match value.get_ref() {
        DeValue::Integer(_) => Ok(Figure::new(integer(key, value, i64::MIN..=i64::MAX)?.to_string())),
        DeValue::String(_) => Ok(Figure::new(text(key, value)?)),
        DeValue::Float(number) => {
            let message = format!(
                "`{key}` has decimals; write it as a string, \"{}\": its digits count",
                number.as_str()
            );
            Err(PlacedError::new(value.span(), message))
        }
        other => {
            let message = format!("`{key}` must be an integer or a string, not {}", kind(other));
            Err(PlacedError::new(value.span(), message))
        }
    }
}

fn numeric(key: &str, value: &Written<'_>) -> Result<Figure, PlacedError> {
    let figure = figure(key, value)?;
    if figure.value().is_none() {
        return Err(PlacedError::new(
            value.span(),
            format!("`{key}` must be a number, not {:?}", figure.text),
        ));
    }
    Ok(figure)
}

/// The result of a case's derivation.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Exact values.
    Exact(Vec<Value>),
    /// Successes among independent trials.
    Rate {
        /// The number of successes.
        successes: u64,
        /// Of how many.
        trials: u64,
    },
    /// The mean of independent values.
    Mean(Sample),
    /// The joint results of two players on the same instances.
    Paired(PairedCounts),
    /// Nothing, because something is missing. The text names it and says how to get it.
    Missing(String),
}

/// A value without error.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// An integer.
    Whole(i64),
    /// A number, known to floating-point precision.
    Real(f64),
    /// A word, such as a result or a move.
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// Count, mean and variance of independent values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The number of values.
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// The unbiased variance.
    pub variance: f64,
}

impl Sample {
    /// The squared standard error of the mean.
    pub fn squared_error(&self) -> f64 {
        self.variance / self.count as f64
    }

    /// The sample of the values times `factor` plus `shift`.
    #[must_use]
    pub fn scaled(self, factor: f64, shift: f64) -> Self {
        Self { mean: self.mean * factor + shift, variance: self.variance * factor * factor, ..self }
    }
}

impl From<&Tally> for Sample {
    fn from(tally: &Tally) -> Self {
        Self { count: tally.playouts, mean: tally.mean(), variance: tally.variance() }
    }
}

impl From<&Moments> for Sample {
    fn from(moments: &Moments) -> Self {
        Self { count: moments.count(), mean: moments.mean(), variance: moments.variance() }
    }
}

impl Found {
    /// The number of trials; `None` if the result is exact or missing.
    pub fn trials(&self) -> Option<u64> {
        match self {
            Self::Exact(_) | Self::Missing(_) => None,
            Self::Rate { trials, .. } => Some(*trials),
            Self::Mean(sample) => Some(sample.count),
            Self::Paired(counts) => Some(counts.instances()),
        }
    }

    /// The estimate with its interval: Clopper–Pearson for a rate (coverage at least its level), normal for a mean, Tango for
    /// a paired difference. `None` if the result is exact or missing.
    pub fn estimate(&self, confidence: Confidence) -> Option<Estimate> {
        match self {
            Self::Exact(_) | Self::Missing(_) => None,
            Self::Rate { successes, trials } => Some(clopper_pearson(*successes, *trials, confidence)),
            Self::Mean(sample) => {
                let half = confidence.z() * sample.squared_error().sqrt();
                Some(Estimate::around(sample.mean, half, Method::Normal))
            }
            Self::Paired(counts) => Some(tango(*counts, confidence)),
        }
    }
}
