//! The genes of an optimisation: numbers or words that an optimiser chooses.

use sha2::{Digest as _, Sha256};

use crate::game::options::{OptionDecl, OptionError, OptionKind, OptionValue, Options};
use crate::optimise::{Gene as Coordinate, Normalise, Space, Start};
use crate::players::SearcherSpec;

/// The genes of a player, in the order of the manifest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Genes(pub Vec<Gene>);

/// A gene: a number, a vector of numbers, or a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Gene {
    /// Its name.
    pub name: String,
    /// The values that it takes.
    pub kind: GeneKind,
    /// The length of a vector; `None` for a single value.
    pub count: Option<usize>,
    /// How the values of the first candidates are drawn.
    pub start: GeneStart,
    /// Whether the mean of a vector is moved to 0 after each change.
    pub centre: bool,
    /// The absolute value to which the largest of a vector is scaled after each change, if it is.
    pub largest: Option<f64>,
    /// The resolution of real values: a player gets multiples of it.
    pub unit: Option<f64>,
}

/// The values that a gene takes.
#[derive(Clone, Debug, PartialEq)]
pub enum GeneKind {
    /// Real numbers between these bounds, which may be infinite.
    Real {
        /// The least.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// Whole numbers between these bounds.
    Whole {
        /// The least.
        low: i64,
        /// The largest.
        high: i64,
    },
    /// One of these words.
    Words(Vec<String>),
}

/// How the values of the first candidates are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GeneStart {
    /// Uniformly between the bounds, or among the words.
    Uniform,
    /// From a normal distribution with mean 0 and this standard deviation.
    Normal(f64),
    /// At this value.
    At(f64),
}

impl Gene {
    /// How many coordinates it has.
    pub fn coordinates(&self) -> usize {
        self.count.unwrap_or(1)
    }

    /// The name of each coordinate: the gene's, with its place in a vector.
    pub fn names(&self) -> Vec<String> {
        match self.count {
            None => vec![self.name.clone()],
            Some(count) => (0..count).map(|place| format!("{}[{place}]", self.name)).collect(),
        }
    }

    /// The number that a player gets for a coordinate: within the bounds, and a multiple of the unit.
    fn rounded(&self, number: f64) -> f64 {
        let GeneKind::Real { low, high } = self.kind else { return number };
        let number = number.clamp(low, high);
        // A division by the reciprocal gives the shortest decimals: 1234 / 10000.
        self.unit.map_or(number, |unit| {
            let steps = libm::round(number / unit);
            let reciprocal = libm::round(1.0 / unit);
            if 1.0 / reciprocal == unit { steps / reciprocal } else { steps * unit }
        })
    }

    /// The value of some coordinates as that of an option.
    fn value(&self, numbers: &[f64]) -> OptionValue {
        match (&self.kind, self.count) {
            (GeneKind::Real { .. }, None) => OptionValue::Real(self.rounded(numbers[0])),
            (GeneKind::Real { .. }, Some(_)) => {
                OptionValue::Reals(numbers.iter().map(|&number| self.rounded(number)).collect())
            }
            (GeneKind::Whole { .. }, None) => OptionValue::Integer(numbers[0] as i64),
            (GeneKind::Whole { .. }, Some(_)) => {
                OptionValue::Integers(numbers.iter().map(|&number| number as i64).collect())
            }
            (GeneKind::Words(words), _) => OptionValue::Word(words[numbers[0] as usize].clone()),
        }
    }

    /// The value whose coordinates are all the least one, and that with the largest.
    pub(crate) fn extreme_values(&self) -> [OptionValue; 2] {
        self.extremes().map(|number| self.value(&vec![number; self.coordinates()]))
    }

    /// The least and the largest value, where finite, and otherwise 0.
    fn extremes(&self) -> [f64; 2] {
        let finite = |bound: f64| if bound.is_finite() { bound } else { 0.0 };
        match &self.kind {
            GeneKind::Real { low, high } => [finite(*low), finite(*high)],
            GeneKind::Whole { low, high } => [*low as f64, *high as f64],
            GeneKind::Words(words) => [0.0, (words.len() - 1) as f64],
        }
    }
}

impl Genes {
    /// How many coordinates a candidate has.
    pub fn coordinates(&self) -> usize {
        self.0.iter().map(Gene::coordinates).sum()
    }

    /// The names of the coordinates.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().flat_map(Gene::names).collect()
    }

    /// The genes, each with its coordinates of a candidate.
    fn parts<'g>(&'g self, candidate: &'g [f64]) -> impl Iterator<Item = (&'g Gene, &'g [f64])> {
        let mut begin = 0;
        self.0.iter().map(move |gene| {
            let part = &candidate[begin..begin + gene.coordinates()];
            begin += gene.coordinates();
            (gene, part)
        })
    }

    /// The numbers that a player gets: within the bounds, and multiples of the units.
    pub fn rounded(&self, candidate: &[f64]) -> Vec<f64> {
        let parts = self.parts(candidate);
        parts.flat_map(|(gene, part)| part.iter().map(|&number| gene.rounded(number))).collect()
    }

    /// The name and the value of each coordinate of a candidate, as text.
    pub fn texts(&self, candidate: &[f64]) -> Vec<(String, String)> {
        let text = |gene: &Gene, number: f64| match &gene.kind {
            GeneKind::Words(words) => words[number as usize].clone(),
            _ => gene.rounded(number).to_string(),
        };
        let values =
            self.parts(candidate).flat_map(|(gene, part)| part.iter().map(move |&number| text(gene, number)));
        self.names().into_iter().zip(values).collect()
    }

    /// The value of each gene of a candidate.
    pub fn values<'g>(&'g self, candidate: &'g [f64]) -> impl Iterator<Item = (&'g str, OptionValue)> {
        self.parts(candidate).map(|(gene, part)| (gene.name.as_str(), gene.value(part)))
    }

    /// The vectors of a run, by the names that an evaluation gives them: `grid:w`, and `grid` if there is only one.
    pub(crate) fn vectors(&self, run: &str) -> Vec<(String, &Gene)> {
        let vectors: Vec<&Gene> = self.0.iter().filter(|gene| gene.count.is_some()).collect();
        let only = (vectors.len() == 1).then(|| (run.to_owned(), vectors[0]));
        vectors.iter().map(|gene| (gene_of(run, &gene.name), *gene)).chain(only).collect()
    }

    /// A player with the values of a candidate in place of its genes.
    ///
    /// # Errors
    /// If an option does not take a value.
    pub fn player(&self, player: &SearcherSpec, candidate: &[f64]) -> Result<SearcherSpec, OptionError> {
        let values: Vec<_> = self.values(candidate).collect();
        filled(player, |name| values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()))
    }

    /// Candidates that try the bounds of each gene and each word, with the index of that gene: if a player takes them, it
    /// takes all that are between.
    pub(crate) fn trials(&self) -> Vec<(usize, Vec<f64>)> {
        let least: Vec<f64> =
            self.0.iter().flat_map(|gene| vec![gene.extremes()[0]; gene.coordinates()]).collect();
        let mut trials = Vec::new();
        let mut begin = 0;
        for (index, gene) in self.0.iter().enumerate() {
            let end = begin + gene.coordinates();
            let values = match &gene.kind {
                GeneKind::Words(words) => (0..words.len()).map(|word| word as f64).collect(),
                _ => gene.extremes().to_vec(),
            };
            for value in values {
                let mut trial = least.clone();
                trial[begin..end].fill(value);
                trials.push((index, trial));
            }
            begin = end;
        }
        trials
    }

    /// The space that a method searches.
    pub(crate) fn space(&self) -> Space {
        let (mut genes, mut start, mut normalise) = (Vec::new(), Vec::new(), Vec::new());
        for gene in &self.0 {
            let begin = genes.len();
            let kind = match &gene.kind {
                GeneKind::Real { low, high } => Coordinate::Real { low: *low, high: *high },
                GeneKind::Whole { low, high } => Coordinate::Whole { low: *low, high: *high },
                GeneKind::Words(words) => Coordinate::Word { count: words.len() },
            };
            let first = match gene.start {
                GeneStart::Uniform => Start::Uniform,
                GeneStart::Normal(sd) => Start::Normal { centre: 0.0, sd },
                GeneStart::At(value) => Start::At(value),
            };
            genes.extend(vec![kind; gene.coordinates()]);
            start.extend(vec![first; gene.coordinates()]);
            if gene.centre || gene.largest.is_some() {
                let rule = Normalise { centre: gene.centre, largest: gene.largest };
                normalise.push((begin..genes.len(), rule));
            }
        }
        Space { genes, start, normalise }
    }

    /// The first 64 bits of the hash of the numbers that a player gets.
    pub fn hash(&self, candidate: &[f64]) -> u64 {
        let mut hash = Sha256::new();
        // −0 and 0 are one number.
        self.rounded(candidate).iter().for_each(|number| hash.update((number + 0.0).to_le_bytes()));
        let digest: [u8; 32] = hash.finalize().into();
        let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
        u64::from_be_bytes(*first)
    }

    /// The genes as text: part of the content of a run.
    pub(crate) fn content(&self) -> String {
        self.0.iter().map(|gene| format!("{gene:?}")).collect::<Vec<_>>().join("\n")
    }
}

/// A player with values in place of its genes; a gene without a value stays.
///
/// # Errors
/// If an option does not take a value.
pub(crate) fn filled(
    player: &SearcherSpec,
    value_of: impl Fn(&str) -> Option<OptionValue>,
) -> Result<SearcherSpec, OptionError> {
    let fill = |_: &OptionDecl, value: &OptionValue| match value {
        OptionValue::Gene(name) => value_of(name).unwrap_or_else(|| value.clone()),
        value => value.clone(),
    };
    player.map(&fill)
}

/// The name of a gene of another optimisation, in a player that is its result.
pub(crate) fn gene_of(run: &str, gene: &str) -> String {
    format!("{run}:{gene}")
}

/// The name of the optimisation whose result the player needs, if that is not known yet.
pub(crate) fn waits_for(player: &SearcherSpec) -> Option<String> {
    let waits = |(decl, value): (&OptionDecl, &OptionValue)| match value {
        OptionValue::Gene(name) => Some(name.rsplit_once(':').map_or(name.as_str(), |(run, _)| run).into()),
        OptionValue::File(file)
            if decl.kind == OptionKind::Evolved && file.content().is_none() && !file.name().is_empty() =>
        {
            Some(file.name().to_owned())
        }
        _ => None,
    };
    find_in(player, &waits)
}

/// Whether a value of the player is a gene.
pub(crate) fn has_genes(player: &SearcherSpec) -> bool {
    let gene = |(_, value): (&OptionDecl, &OptionValue)| matches!(value, OptionValue::Gene(_)).then_some(());
    find_in(player, &gene).is_some()
}

/// The first that `find` finds among the options and the open limits of a player.
fn find_in<T>(player: &SearcherSpec, find: &impl Fn((&OptionDecl, &OptionValue)) -> Option<T>) -> Option<T> {
    let open = || player.open_budget.as_ref().and_then(|limits| find_below(limits, find));
    find_below(&player.options, find).or_else(open)
}

/// The first that `find` finds among options, also in their parts and tables.
fn find_below<T>(options: &Options, find: &impl Fn((&OptionDecl, &OptionValue)) -> Option<T>) -> Option<T> {
    options.iter().find_map(|(decl, value)| match value {
        OptionValue::Part(part) => find_below(&part.options, find),
        OptionValue::Tables(tables) => tables.iter().find_map(|table| find_below(table, find)),
        _ => find((decl, value)),
    })
}

/// Fills in the evaluations whose weights are the result of an optimisation; one without a vector stays.
///
/// # Errors
/// The first error of `vector_of`.
pub(crate) fn fill_evaluations<E>(
    player: &mut SearcherSpec,
    vector_of: &mut impl FnMut(&str) -> Result<Option<OptionValue>, E>,
) -> Result<(), E> {
    player.options.change_files(&mut |decl, file| {
        if decl.kind == OptionKind::Evolved
            && let Some(vector) = vector_of(file.name())?
        {
            *file = file.clone().with_content(vector_content(&vector));
        }
        Ok(())
    })
}

/// A vector as the content of a file: a number in each line.
fn vector_content(vector: &OptionValue) -> Vec<u8> {
    let lines: Vec<String> = match vector {
        OptionValue::Integers(numbers) => numbers.iter().map(ToString::to_string).collect(),
        OptionValue::Reals(numbers) => numbers.iter().map(|number| format!("{number:?}")).collect(),
        other => unreachable!("{other} is no vector"),
    };
    lines.join("\n").into_bytes()
}
