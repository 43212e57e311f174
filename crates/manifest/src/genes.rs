//! The genes of an optimisation, numbers or words that an optimiser chooses: `genes.w = { count = 64, within = [-1.0, 1.0] }`.

use sha2::{Digest as _, Sha256};

use super::{filled, gene_of};
use crate::game::options::{OptionError, OptionValue};
use crate::optimise::{Gene as Coordinate, Normalise, Space, Start};
use crate::players::SearcherSpec;

/// The genes of a player, in the order of the manifest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Genes(pub Vec<Gene>);

/// A gene: a number, a vector of numbers, or a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Gene {
    /// The name.
    pub name: String,
    /// The values that each of its coordinates takes.
    pub kind: Coordinate,
    /// The words, if it is one; a coordinate is the index of one.
    pub words: Vec<String>,
    /// The length of a vector; `None` for a single value.
    pub count: Option<usize>,
    /// How the values of the first candidates are drawn.
    pub start: Start,
    /// How a vector is normalised after each change.
    pub normalise: Normalise,
    /// The resolution of real values: a player gets multiples of it.
    pub unit: Option<f64>,
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

    fn rounded(&self, number: f64) -> f64 {
        let Coordinate::Real { low, high } = self.kind else { return number };
        let number = number.clamp(low, high);
        // A division by the reciprocal gives the shortest decimals: 1234 / 10000.
        self.unit.map_or(number, |unit| {
            let steps = libm::round(number / unit);
            let reciprocal = libm::round(1.0 / unit);
            if 1.0 / reciprocal == unit { steps / reciprocal } else { steps * unit }
        })
    }

    fn value(&self, numbers: &[f64]) -> OptionValue {
        match (self.kind, self.count) {
            (Coordinate::Real { .. }, None) => OptionValue::Real(self.rounded(numbers[0])),
            (Coordinate::Real { .. }, Some(_)) => {
                OptionValue::Reals(numbers.iter().map(|&number| self.rounded(number)).collect())
            }
            (Coordinate::Whole { .. }, None) => OptionValue::Integer(numbers[0] as i64),
            (Coordinate::Whole { .. }, Some(_)) => {
                OptionValue::Integers(numbers.iter().map(|&number| number as i64).collect())
            }
            (Coordinate::Word { .. }, _) => OptionValue::Word(self.words[numbers[0] as usize].clone()),
        }
    }

    /// The value whose coordinates are all the least one, and that with the largest.
    pub(crate) fn extreme_values(&self) -> [OptionValue; 2] {
        self.extremes().map(|number| self.value(&vec![number; self.coordinates()]))
    }

    /// The least and the largest value, where finite, and otherwise 0.
    fn extremes(&self) -> [f64; 2] {
        let (low, high) = self.kind.bounds();
        [low, high].map(|bound| if bound.is_finite() { bound } else { 0.0 })
    }

    /// The gene as text, part of the content of a run: the names of runs follow from it, so it must never change.
    fn content(&self) -> String {
        let Self { name, kind, words, count, start, normalise: Normalise { centre, largest }, unit } = self;
        let kind = match kind {
            Coordinate::Word { .. } => format!("Words({words:?})"),
            Coordinate::Real { low, high } => format!("Real {{ low: {low:?}, high: {high:?} }}"),
            Coordinate::Whole { low, high } => format!("Whole {{ low: {low}, high: {high} }}"),
        };
        let start = match start {
            Start::Uniform => "Uniform".into(),
            Start::Normal { sd, .. } => format!("Normal({sd:?})"),
            Start::At(value) => format!("At({value:?})"),
            Start::Between { low, high } => format!("Between({low:?}, {high:?})"),
        };
        format!(
            "Gene {{ name: {name:?}, kind: {kind}, count: {count:?}, start: {start}, centre: {centre}, largest: {largest:?}, \
             unit: {unit:?} }}"
        )
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
        let text = |gene: &Gene, number: f64| match gene.kind {
            Coordinate::Word { .. } => gene.words[number as usize].clone(),
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
    pub fn vectors(&self, run: &str) -> Vec<(String, &Gene)> {
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
    pub fn trials(&self) -> Vec<(usize, Vec<f64>)> {
        let least: Vec<f64> =
            self.0.iter().flat_map(|gene| vec![gene.extremes()[0]; gene.coordinates()]).collect();
        let mut trials = Vec::new();
        let mut begin = 0;
        for (index, gene) in self.0.iter().enumerate() {
            let end = begin + gene.coordinates();
            let values = match gene.kind {
                Coordinate::Word { count } => (0..count).map(|word| word as f64).collect(),
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
    pub fn space(&self) -> Space {
        let (mut genes, mut start, mut normalise) = (Vec::new(), Vec::new(), Vec::new());
        for gene in &self.0 {
            let begin = genes.len();
            genes.extend(vec![gene.kind; gene.coordinates()]);
            start.extend(vec![gene.start; gene.coordinates()]);
            if gene.normalise != Normalise::NONE {
                normalise.push((begin..genes.len(), gene.normalise));
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
    pub fn content(&self) -> String {
        self.0.iter().map(Gene::content).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of all kinds. Names of runs are hashes of them.
    #[test]
    fn the_text_of_a_gene_never_changes() {
        let gene = Gene {
            name: "w".into(),
            kind: Coordinate::Real { low: f64::NEG_INFINITY, high: 2.5 },
            words: Vec::new(),
            count: Some(3),
            start: Start::Normal { centre: 0.0, sd: 10.0 },
            normalise: Normalise { centre: true, largest: Some(100.0) },
            unit: Some(1e-7),
        };
        let (whole, words) = (Coordinate::Whole { low: -4, high: 9 }, Coordinate::Word { count: 2 });
        let plain = Gene {
            count: None,
            start: Start::Uniform,
            normalise: Normalise::NONE,
            unit: None,
            ..gene.clone()
        };
        let genes = [
            gene,
            Gene { kind: whole, start: Start::At(2.0), ..plain.clone() },
            Gene { kind: words, words: vec!["a".into(), "b\"".into()], ..plain },
        ];
        assert_eq!(
            Genes(genes.to_vec()).content(),
            "Gene { name: \"w\", kind: Real { low: -inf, high: 2.5 }, count: Some(3), start: Normal(10.0), centre: true, \
             largest: Some(100.0), unit: Some(1e-7) }\n\
             Gene { name: \"w\", kind: Whole { low: -4, high: 9 }, count: None, start: At(2.0), centre: false, largest: None, \
             unit: None }\n\
             Gene { name: \"w\", kind: Words([\"a\", \"b\\\"\"]), count: None, start: Uniform, centre: false, largest: None, \
             unit: None }"
        );
    }
}
