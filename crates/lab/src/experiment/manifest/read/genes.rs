//! The genes of an optimisation: `genes.w = { count = 64, within = [-1.0, 1.0] }`.

use toml::de::DeValue;

use super::document::{Mistakes, PlacedError, Section, Value, array, integer, kind, option_value, text};
use crate::experiment::manifest::genes::{Gene, Genes};
use crate::game::options::OptionValue;
use crate::optimise::{Gene as Kind, Normalise, Start};

/// The largest number of values of a gene.
const MOST_VALUES: i64 = 1_000_000;

/// The genes of a table.
pub(super) fn read_genes(value: &Value<'_>) -> Result<Genes, PlacedError> {
    const EXAMPLE: &str = "write for example `genes.w = { count = 64, within = [-1.0, 1.0] }`";
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`genes` must be a table, not {}; {EXAMPLE}", kind(value.get_ref()));
        return Err(PlacedError::new(value.span(), message));
    };
    if table.is_empty() {
        return Err(PlacedError::new(value.span(), format!("there is no gene; {EXAMPLE}")));
    }
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    let mut mistakes = Mistakes::default();
    let read = |(name, value): (&toml::Spanned<_>, &Value<'_>)| {
        let name: &std::borrow::Cow<'_, str> = name.get_ref();
        mistakes.note(read_gene(name, value))
    };
    let genes = entries.into_iter().filter_map(read).collect();
    mistakes.take().map_or(Ok(Genes(genes)), Err)
}

fn read_gene(name: &str, value: &Value<'_>) -> Result<Gene, PlacedError> {
    let mut section = Section::from_value(value, &format!("the gene `{name}`"))?;
    let count = section.integer("count", 1..=MOST_VALUES)?.map(|count| count as usize);
    let [within, whole, words] = ["within", "whole", "words"].map(|key| section.take(key));
    let start = section.take("start");
    let normalise = section.take("normalise");
    let unit = section.take("unit").map(|value| positive("unit", value)).transpose()?;
    section.finish()?;
    let (kind, words) = match (within, whole, words) {
        (within, None, None) => (read_real(within)?, Vec::new()),
        (None, Some(whole), None) => (read_whole(whole)?, Vec::new()),
        (None, None, Some(words)) => {
            let words = read_words(words)?;
            (Kind::Word { count: words.len() }, words)
        }
        _ => {
            let message = format!(
                "the gene `{name}` is either real (`within`), or whole (`whole`), or a word (`words`); keep one of them"
            );
            return Err(PlacedError::new(value.span(), message));
        }
    };
    if count.is_some() && !words.is_empty() {
        let message = "`count` makes a vector of numbers; a word has none";
        return Err(PlacedError::new(value.span(), message));
    }
    if !matches!(kind, Kind::Real { .. }) && (unit.is_some() || normalise.is_some()) {
        let message = "`unit` and `normalise` are for real genes (`within`)";
        return Err(PlacedError::new(value.span(), message));
    }
    let start = read_start(start, kind, value)?;
    let normalise = normalise.map_or(Ok(Normalise::NONE), read_normalise)?;
    Ok(Gene { name: name.into(), kind, words, count, start, normalise, unit })
}

fn read_real(within: Option<&Value<'_>>) -> Result<Kind, PlacedError> {
    let Some(value) = within else {
        return Ok(Kind::Real { low: f64::NEG_INFINITY, high: f64::INFINITY });
    };
    let [low, high] = bounds("within", value, "[-1.0, 1.0]")?;
    let (low, high) = (real("within", low)?, real("within", high)?);
    rising(low < high, value, low, high)?;
    Ok(Kind::Real { low, high })
}

fn read_whole(value: &Value<'_>) -> Result<Kind, PlacedError> {
    const LARGEST: i64 = 1 << 53;
    let [low, high] = bounds("whole", value, "[1, 100]")?;
    let number = |value| integer("whole", value, -LARGEST..=LARGEST);
    let (low, high) = (number(low)?, number(high)?);
    rising(low < high, value, low, high)?;
    Ok(Kind::Whole { low, high })
}

fn read_words(value: &Value<'_>) -> Result<Vec<String>, PlacedError> {
    let mut words: Vec<String> = Vec::new();
    for item in array("words", value)? {
        let word = text("words", item)?;
        if words.contains(&word) {
            return Err(PlacedError::new(item.span(), format!("{word:?} is listed twice")));
        }
        words.push(word);
    }
    if words.len() < 2 {
        return Err(PlacedError::new(value.span(), "a word needs at least two to choose from"));
    }
    Ok(words)
}

/// The two bounds of a list.
fn bounds<'v, 'a>(key: &str, value: &'v Value<'a>, example: &str) -> Result<[&'v Value<'a>; 2], PlacedError>
where
    'a: 'v,
{
    match value.get_ref() {
        DeValue::Array(items) if items.len() == 2 => Ok([&items[0], &items[1]]),
        _ => {
            let message = format!(
                "`{key}` must be the least and the largest value; write for example `{key} = {example}`"
            );
            Err(PlacedError::new(value.span(), message))
        }
    }
}

fn rising<T: std::fmt::Display>(rises: bool, value: &Value<'_>, low: T, high: T) -> Result<(), PlacedError> {
    if rises {
        return Ok(());
    }
    let message = format!("the bounds are the wrong way round: {low} is not less than {high}");
    Err(PlacedError::new(value.span(), message))
}

fn read_start(start: Option<&Value<'_>>, kind: Kind, gene: &Value<'_>) -> Result<Start, PlacedError> {
    let (low, high) = kind.bounds();
    let is_bounded = low.is_finite() && high.is_finite();
    match start {
        None if is_bounded => Ok(Start::Uniform),
        None => {
            let message = "a gene without bounds needs first values; write `within = [-1.0, 1.0]`, or `start = 0.0`, or \
                           `start.normal = 10.0`";
            Err(PlacedError::new(gene.span(), message))
        }
        Some(value) => match value.get_ref() {
            DeValue::Table(_) => {
                let mut section = Section::from_value(value, "`start`")?;
                let normal = section.require("normal", "start.normal = 10.0")?;
                let sd = positive("normal", normal)?;
                section.finish()?;
                Ok(Start::Normal { centre: 0.0, sd })
            }
            _ => real("start", value).map(Start::At),
        },
    }
}

fn read_normalise(value: &Value<'_>) -> Result<Normalise, PlacedError> {
    let mut section = Section::from_value(value, "`normalise`")?;
    let centre = section.flag("centre")?.unwrap_or(false);
    let largest = section.take("largest").map(|value| positive("largest", value)).transpose()?;
    section.finish()?;
    Ok(Normalise { centre, largest })
}

/// A finite number.
fn real(key: &str, value: &Value<'_>) -> Result<f64, PlacedError> {
    let number = match option_value(key, value)? {
        OptionValue::Integer(number) => number as f64,
        OptionValue::Real(number) => number,
        _ => f64::NAN,
    };
    if number.is_finite() {
        return Ok(number);
    }
    let message = format!("`{key}` must be a number, not {}", kind(value.get_ref()));
    Err(PlacedError::new(value.span(), message))
}

pub(super) fn positive(key: &str, value: &Value<'_>) -> Result<f64, PlacedError> {
    let number = real(key, value)?;
    if number > 0.0 {
        return Ok(number);
    }
    Err(PlacedError::new(value.span(), format!("`{key}` is {number}, but must be above 0")))
}
