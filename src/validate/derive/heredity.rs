//! The heredity of the generations of a published experiment, from its populations.

use super::{
    Context, CsvFile, Derive, Derived, PlacedError, Section, Table, count, derivation, measures, number,
};
use crate::game::options::integer;
use crate::optimise::{Genes, Heredity as Analysed};
use crate::stats::{Moments, PairedMoments};
use crate::validate::{Found, Value};

measures! {
    /// The correlation of parents and children.
    Correlation,
    /// The mean number of kept candidates that are unchanged and selected again.
    Survivors,
    /// The mean number of kept candidates that are unchanged.
    Unchanged,
    /// The mean of each gene over the selected; without a generation, over all of them.
    Selected,
    /// The standard deviation of that mean over the generations.
    Spread,
    /// The correlation over the genes of that mean in the first half of the generations with the second half.
    Halves,
    /// The same of the first generation with the mean of all others.
    First,
    /// The same of each generation with the mean of all others, on average.
    Each,
    /// The same of all generations with those of the run `other`.
    Runs,
    /// The same of the mean with what selection adds to the mean of a population.
    Gain,
}

derivation! { read(section, path, _registry) -> Heredity {
    measure: Measure = Measure::read(section)?,
    file: CsvFile = CsvFile::read(section, path)?,
    run: u64 = section.get("run", &count(i64::MAX))?,
    kept: usize = section.get("kept", &count(1_000_000))?,
    other: Option<u64> = read_other(section, measure)?,
    generation: Option<usize> = section.get("generation", &integer(0..=1_000_000, ()).optional())?,
} }

/// Reads the run with which another one is compared, which only the measure `runs` has.
fn read_other(section: &mut Section<'_>, measure: Measure) -> Result<Option<u64>, PlacedError> {
    let other = section.get("other", &integer(1..=i64::MAX, ()).optional())?;
    if other.is_some() && measure != Measure::Runs {
        let message = "only `measure = \"runs\"` compares two runs; leave `other` out";
        return Err(PlacedError::new(section.at("other"), message));
    }
    Ok(other)
}

/// A generation: its candidates, and the indices of the selected.
#[derive(Default)]
struct Generation {
    candidates: Vec<Genes>,
    selected: Vec<Genes>,
}

impl Heredity {
    /// The generations in the order of the file, which has the columns `run`, `generation`, `set` (`population` or
    /// `selected`), `place`, and one for each gene.
    fn generations(&self, run: u64, table: &Table) -> Derived<Vec<Generation>> {
        let place = |name: &str| table.column(name);
        let (of_run, generation, set, first) =
            (place("run")?, place("generation")?, place("set")?, place("place")? + 1);
        let mut generations: Vec<Generation> = Vec::new();
        let own = run.to_string();
        for row in table.rows.iter().filter(|row| row[of_run] == own) {
            let index = number(&row[generation])? as usize;
            if index > generations.len() {
                return Err(format!("generation {} is missing", generations.len()).into());
            }
            if index == generations.len() {
                generations.push(Generation::default());
            }
            let genes = row[first..].iter().map(|field| number(field)).collect::<Result<Genes, _>>()?;
            let of = &mut generations[index];
            let set = if row[set] == "selected" { &mut of.selected } else { &mut of.candidates };
            set.push(genes);
        }
        let is_whole = |of: &Generation| of.candidates.len() > self.kept && !of.selected.is_empty();
        if generations.len() < 2 || !generations.iter().all(is_whole) {
            return Err(format!("run {run} has too few generations or candidates").into());
        }
        Ok(generations)
    }

    fn values(&self, table: &Table) -> Derived<Vec<f64>> {
        let generations = self.generations(self.run, table)?;
        let (mut heredity, mut unchanged) = (Analysed::default(), Moments::default());
        let mut means: Vec<Genes> = Vec::new();
        for (number, Generation { candidates, selected }) in generations.iter().enumerate() {
            let place = |genes| candidates.iter().position(|candidate| candidate == genes);
            let indices: Option<Vec<usize>> = selected.iter().map(place).collect();
            let indices = indices.ok_or("a selected candidate is not in its population")?;
            heredity.push(candidates, if number == 0 { 0 } else { self.kept }, &indices);
            means.push(heredity.selected());
            if number > 0 {
                let before = &generations[number - 1].selected;
                let kept = candidates[..self.kept].iter();
                unchanged.push(kept.filter(|genes| before.contains(genes)).count() as f64);
            }
        }
        let over_all = |of: fn(&Moments) -> f64| -> Vec<f64> {
            let moments = |gene: usize| means.iter().map(|means| means[gene]).collect::<Moments>();
            (0..means[0].len()).map(|gene| of(&moments(gene))).collect()
        };
        let alike = |a: &[Genes], b: &[Genes]| -> Derived<f64> {
            let mut genes = PairedMoments::default();
            genes.extend(mean(a).into_iter().zip(mean(b)));
            Ok(genes.correlation().ok_or("something does not vary")?)
        };
        let rest = |number: usize| [&means[..number], &means[number + 1..]].concat();
        Ok(match (self.measure, self.generation) {
            (Measure::Correlation, _) => vec![heredity.correlation().ok_or("something does not vary")?],
            (Measure::Survivors, _) => vec![heredity.survivors().ok_or("nothing is kept")?],
            (Measure::Unchanged, _) => vec![unchanged.mean()],
            (Measure::Selected, Some(number)) => {
                means.get(number).ok_or_else(|| format!("there is no generation {number}"))?.clone()
            }
            (Measure::Selected, None) => over_all(Moments::mean),
            (Measure::Halves, _) => {
                let (first, second) = means.split_at(means.len() / 2);
                vec![alike(first, second)?]
            }
            (Measure::First, _) => vec![alike(&means[..1], &means[1..])?],
            (Measure::Each, _) => {
                let each = (0..means.len()).map(|number| alike(&means[number..=number], &rest(number)));
                vec![each.collect::<Derived<Moments>>()?.mean()]
            }
            (Measure::Runs, _) => {
                let other = self.generations(self.other.ok_or("name the run `other`")?, table)?;
                let other: Vec<Genes> = other.iter().map(|of| mean(&of.selected)).collect();
                vec![alike(&means, &other)?]
            }
            (Measure::Gain, _) => {
                let gain = |(of, selected): (&Generation, &Genes)| {
                    selected.iter().zip(mean(&of.candidates)).map(|(selected, all)| selected - all).collect()
                };
                let gains: Vec<Genes> = generations.iter().zip(&means).map(gain).collect();
                vec![alike(&means, &gains)?]
            }
            // The generations are all there are, not a sample.
            (Measure::Spread, _) => over_all(|moments| {
                let count = moments.count() as f64;
                (moments.variance() * (count - 1.0) / count).sqrt()
            }),
        })
    }
}

/// The mean of each gene.
fn mean(of: &[Genes]) -> Genes {
    let genes = of.first().map_or(0, Vec::len);
    (0..genes).map(|gene| of.iter().map(|genes| genes[gene]).sum::<f64>() / of.len() as f64).collect()
}

impl Derive for Heredity {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let table = match self.file.table()? {
            Ok(table) => table,
            Err(missing) => return Ok(Found::Missing(missing)),
        };
        Ok(Found::Exact(self.values(&table)?.into_iter().map(Value::Real).collect()))
    }
}
