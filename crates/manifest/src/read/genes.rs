//! The genes of an `[[optimisation]]`.

use toml::de::DeValue;

use super::{Key, Mistakes, Read, Section, Value, in_order, kind, refused, setting_of};
use crate::game::options::{FINITE, POSITIVE, bounds, flag, integer, other, real, settings, texts};
use crate::optimise::{Gene as Kind, Normalise, Start};
use crate::{Gene, Genes};

const MOST_VALUES: i64 = 1_000_000;

const LARGEST: f64 = (1_u64 << 53) as f64;

pub(crate) fn read_genes(value: &Value<'_>) -> Read<Genes> {
    const EXAMPLE: &str = "write for example `genes.w = { count = 64, within = [-1.0, 1.0] }`";
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`genes` must be a table, not {}; {EXAMPLE}", kind(value.get_ref()));
        return refused(value.span(), message);
    };
    if table.is_empty() {
        return refused(value.span(), format!("there is no gene; {EXAMPLE}"));
    }
    let mut mistakes = Mistakes::default();
    let read = |(name, value): (&Key<'_>, &Value<'_>)| mistakes.note(read_gene(name.get_ref(), value));
    let genes = in_order(table).into_iter().filter_map(read).collect();
    mistakes.or(Genes(genes))
}

settings! {
    pub(crate) struct GeneKeys {
        /// the length of a vector; one value if omitted
        count: Option<usize> = integer(1..=MOST_VALUES, ()).optional(),
        /// the least and the largest value of a real gene
        within: Option<[f64; 2]> = bounds(FINITE, false).optional(),
        /// the least and the largest value of a whole gene
        whole: Option<[f64; 2]> = bounds(-LARGEST..=LARGEST, true).optional(),
        /// the words that the gene may be
        words: Option<Vec<String>> = texts(2..=usize::MAX).optional(),
        /// the first value, or `normal` or `between`; uniform `within` the bounds if omitted
        start: bool = other("start"),
        /// how a vector is normalised after each change
        normalise: bool = other("normalise"),
        /// the resolution: a player gets multiples of it
        unit: Option<f64> = real(POSITIVE, ()).optional(),
    }
}

settings! {
    pub(crate) struct StartKeys {
        /// first values are normal with mean 0 and this standard deviation
        normal: Option<f64> = real(POSITIVE, ()).optional(),
        /// first values are uniform from the one to the other, and steps may leave them
        between: Option<[f64; 2]> = bounds(FINITE, false).optional(),
    }
}

settings! {
    pub(crate) struct NormaliseKeys {
        /// whether the mean of the vector is moved to 0
        centre: bool = flag(false),
        /// the absolute value to which the largest of the vector is scaled
        largest: Option<f64> = real(POSITIVE, ()).optional(),
    }
}

fn read_gene(name: &str, value: &Value<'_>) -> Read<Gene> {
    let (written, keys): (GeneKeys, _) = Section::read(value, &format!("the gene `{name}`"))?;
    let GeneKeys { count, within, whole, words, unit, .. } = written;
    let mixed = |message: &str| refused(value.span(), message);
    let kind = match (within, whole, &words) {
        (None, None, None) => Kind::Real { low: f64::NEG_INFINITY, high: f64::INFINITY },
        (Some([low, high]), None, None) => Kind::Real { low, high },
        (None, Some([low, high]), None) => Kind::Whole { low: low as i64, high: high as i64 },
        (None, None, Some(words)) => Kind::Word { count: words.len() },
        _ => {
            return mixed(&format!(
                "the gene `{name}` is either real (`within`), or whole (`whole`), or a word (`words`); keep one of them"
            ));
        }
    };
    for (key, bounds) in [("within", within), ("whole", whole)] {
        if let Some([low, high]) = bounds
            && low >= high
        {
            let message = format!("the bounds are the wrong way round: {low} is not less than {high}");
            return Err(keys.error(key, message));
        }
    }
    let words = words.unwrap_or_default();
    if let Some(twice) = (1..words.len()).find(|&word| words[..word].contains(&words[word])) {
        let message = format!("{:?} is listed twice", words[twice]);
        return refused(keys.at_item("words", twice), message);
    }
    if count.is_some() && !words.is_empty() {
        return mixed("`count` makes a vector of numbers; a word has none");
    }
    let normalise = keys.peek("normalise");
    if !matches!(kind, Kind::Real { .. }) && (unit.is_some() || normalise.is_some()) {
        return mixed("`unit` and `normalise` are for real genes (`within`)");
    }
    let start = match keys.peek("start") {
        Some(value) => read_start(value)?,
        None if kind.bounds().0.is_finite() && kind.bounds().1.is_finite() => Start::Uniform,
        None => {
            return mixed(
                "a gene without bounds needs first values; write `within = [-1.0, 1.0]`, or `start = 0.0`, or \
                 `start.normal = 10.0`, or `start.between = [0.0, 1.0]`",
            );
        }
    };
    let normalise = match normalise {
        None => Normalise::NONE,
        Some(value) => {
            let (NormaliseKeys { centre, largest }, _) = Section::read(value, "`normalise`")?;
            Normalise { centre, largest }
        }
    };
    Ok(Gene { name: name.into(), kind, words, count, start, normalise, unit })
}

fn read_start(value: &Value<'_>) -> Read<Start> {
    if !matches!(value.get_ref(), DeValue::Table(_)) {
        return setting_of(&real(FINITE, ()), "start", value).map(Start::At);
    }
    let (StartKeys { normal, between }, _) = Section::read(value, "`start`")?;
    match (normal, between) {
        (Some(sd), None) => Ok(Start::Normal { centre: 0.0, sd }),
        (None, Some([low, high])) => Ok(Start::Between { low, high }),
        _ => refused(value.span(), "write one of `normal = 10.0` and `between = [0.0, 1.0]`"),
    }
}
