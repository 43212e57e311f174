//! The effects of factors on a published result, from the rows of a grid.

use std::collections::BTreeMap;
use std::path::Path;

use toml::de::DeValue;

use super::{Context, CsvFile, Derivation, Derive, Derived, measures, number, word};
use crate::experiment::document::{PlacedError, Section, Value as Written, array, text};
use crate::experiment::{Axis, Effects as Analysed, FullGrid, ResultEffects};
use crate::game::options::{flag, texts};
use crate::players::Registry;
use crate::report::Block;
use crate::report::effects::{cells, main_effects};
use crate::stats::{Confidence, Factorial};
use crate::validate::{Found, Value};

const DIGITS: usize = 2;

measures! { Mean, F, Share, }

struct Effects {
    file: CsvFile,
    factors: Vec<String>,
    response: String,
    /// For some columns the values that are kept.
    kept: Vec<(String, Vec<String>)>,
    /// No factor, one or two: their places in `factors`.
    of: Vec<usize>,
    measure: Measure,
    table: bool,
}

pub(super) fn read(section: &mut Section<'_>, path: &Path, _registry: &Registry) -> Derivation {
    let file = CsvFile::read(section, path)?;
    let names = |example: &str| texts(0..=usize::MAX).needed(example);
    let factors = section.get("factors", &names("[\"selection\", \"crossover\"]"))?;
    let response = section.get("response", &word("wins"))?;
    let kept = section.take("where").map(read_where).transpose()?.unwrap_or_default();
    let named = section.get("of", &names("[\"selection\"]"))?;
    let known = |factor: &String| factors.iter().position(|known| known == factor);
    let of: Option<Vec<usize>> = named.iter().map(known).collect();
    let of = of.filter(|of| of.len() <= 2 && of.is_sorted_by(|a, b| a < b)).ok_or_else(|| {
        PlacedError::new(section.at("of"), "`of` must name at most two of the `factors`, in their order")
    })?;
    let measure = Measure::read(section)?;
    if measure != Measure::Mean && of.is_empty() {
        return Err(PlacedError::new(section.at("of"), "a test needs a factor; `of` must name one or two"));
    }
    let table = section.get("table", &flag(false))?;
    section.finish()?;
    Ok(Box::new(Effects { file, factors, response, kept, of, measure, table }))
}

/// Reads `where = { generation = [90, 91] }`.
fn read_where(value: &Written<'_>) -> Result<Vec<(String, Vec<String>)>, PlacedError> {
    let DeValue::Table(table) = value.get_ref() else {
        let message = "`where` must be a table of columns with the values that are kept";
        return Err(PlacedError::new(value.span(), message));
    };
    let kept = |value: &Written<'_>| match value.get_ref() {
        DeValue::Integer(number) => Ok(number.as_str().to_owned()),
        _ => text("where", value),
    };
    let column = |(name, values): (&toml::Spanned<std::borrow::Cow<'_, str>>, &Written<'_>)| {
        let values = array(name.get_ref(), values)?.iter().map(kept).collect::<Result<_, PlacedError>>()?;
        Ok((name.get_ref().to_string(), values))
    };
    table.iter().map(column).collect()
}

impl Effects {
    /// The analysis; without the large data, the reason. Rows of the same combination are averaged: those of one
    /// run do not repeat each other independently.
    fn analysed(&self) -> Derived<Result<(Vec<Axis>, Factorial), String>> {
        let table = match self.file.table()? {
            Ok(table) => table,
            Err(missing) => return Ok(Err(missing)),
        };
        let columns = self.factors.iter().map(|factor| table.column(factor));
        let columns = columns.collect::<Result<Vec<usize>, _>>()?;
        let response = table.column(&self.response)?;
        let kept = self.kept.iter().map(|(column, values)| Ok((table.column(column)?, values)));
        let kept = kept.collect::<Derived<Vec<_>>>()?;
        let mut combinations: Vec<Vec<String>> = Vec::new();
        let mut sums: Vec<(f64, f64)> = Vec::new();
        let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for row in &table.rows {
            if !kept.iter().all(|(column, values)| values.contains(&row[*column])) {
                continue;
            }
            let combination: Vec<String> = columns.iter().map(|&column| row[column].clone()).collect();
            let place = *places.entry(combination.clone()).or_insert_with(|| {
                combinations.push(combination);
                sums.push((0.0, 0.0));
                sums.len() - 1
            });
            sums[place].0 += number(&row[response])?;
            sums[place].1 += 1.0;
        }
        let grid = FullGrid::new(&self.factors, &combinations);
        let grid = grid.filter(|grid| grid.axes.len() == self.factors.len());
        let grid = grid.ok_or("the rows are no full grid of the factors, each with two levels or more")?;
        let responses: Vec<f64> = sums.iter().map(|(sum, count)| sum / count).collect();
        let found = grid.analyse(&responses, Confidence::default_level());
        Ok(Ok((grid.axes, found.ok_or("a response is not finite")?)))
    }
}

impl Derive for Effects {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let found = match self.analysed()? {
            Ok((_, found)) => found,
            Err(missing) => return Ok(Found::Missing(missing)),
        };
        let (means, test): (Vec<f64>, _) = match self.of[..] {
            [] => (vec![found.mean], None),
            [factor] => {
                let of = &found.factors[factor];
                (of.levels.iter().map(|level| level.mean.value).collect(), Some(of.test))
            }
            _ => {
                let pair = found.pairs.iter().find(|pair| pair.factors[..] == self.of[..]);
                let pair = pair.expect("every pair is analysed");
                (pair.cells.iter().flatten().map(|cell| cell.mean.value).collect(), Some(pair.test))
            }
        };
        let values = match (self.measure, test) {
            (Measure::F, Some(test)) => vec![test.f.ok_or("nothing is left to test with")?],
            (Measure::Share, Some(test)) => vec![test.share],
            _ => means,
        };
        Ok(Found::Exact(values.into_iter().map(Value::Real).collect()))
    }

    fn tables(&self) -> Vec<Block> {
        let Some(Ok(Ok((axes, analysis)))) = self.table.then(|| self.analysed()) else {
            return Vec::new();
        };
        let pairs: Vec<[usize; 2]> = analysis.pairs.iter().map(|pair| pair.factors).collect();
        let result = ResultEffects { of: self.response.clone(), analysis };
        let effects = Analysed { axes, results: vec![result] };
        let mut blocks = main_effects(&effects, DIGITS);
        for pair in pairs {
            blocks.extend(cells(&effects.axes, &effects.results[0], pair, DIGITS));
        }
        blocks
    }
}
