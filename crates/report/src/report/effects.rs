//! The effects of the values of a sweep: which of them help.

use super::document::Block;
use super::numbers::{counted, decimals, p_relation, p_value};
use super::table::Table;
use crate::experiment::{Axis, Effects, ResultEffects};
use crate::stats::{EffectTest, Estimate};

/// Corrected p-values below this are called an effect.
const LEVEL: f64 = 0.05;

/// The blocks of a short report: the mean of each level, and which factors change a result.
pub fn main_effects(of: &Effects, digits: usize) -> Vec<Block> {
    vec![Block::Table(level_means(of, digits)), Block::Notes(sentences(of))]
}

/// The mean of each level, with an interval.
fn level_means(of: &Effects, digits: usize) -> Table {
    let mut headings = vec!["<factor".to_owned(), "<level".to_owned()];
    headings.extend(
        of.results
            .iter()
            .map(|result| format!("{}{}", if result.of == "gap" { "?>" } else { ">" }, result.of)),
    );
    let mut table = Table::new(&headings);
    for (factor, axis) in of.axes.iter().enumerate() {
        for (level, name) in axis.levels.iter().enumerate() {
            let mean = |result: &ResultEffects| {
                with_half(&result.analysis.factors[factor].levels[level].mean, digits)
            };
            table.row([axis.name.clone(), name.clone()].into_iter().chain(of.results.iter().map(mean)));
        }
    }
    table
}

fn with_half(estimate: &Estimate, digits: usize) -> String {
    let half = (estimate.high - estimate.low) / 2.0;
    let value = decimals(estimate.value, digits);
    if half.is_finite() { format!("{value} ± {}", decimals(half, digits)) } else { value }
}

/// The factors and pairs that change each result, and their test.
fn sentences(of: &Effects) -> Vec<String> {
    let mut sentences: Vec<String> =
        of.results.iter().rev().filter_map(|result| verdict(&of.axes, result)).collect();
    let Some(first) = of.results.first().map(|result| &result.analysis) else { return sentences };
    let tests = first.factors.len() + if first.interactions_are_residual { 0 } else { first.pairs.len() };
    let left = if first.interactions_are_residual {
        "the interaction, because each combination was run once"
    } else {
        "what factors and pairs of factors leave"
    };
    sentences.push(format!(
        "Means of each level over all others, ± half of a 95 % interval (Student's t, {} of freedom). p: F tests with \
         Holm's correction over the {} of a result; their residual is {left}.",
        counted(first.degrees, "degree"),
        counted(tests as u64, "test")
    ));
    if of.results.iter().any(|result| result.of == "gap") {
        sentences.push("Gap: seen less judge, of the best candidate of each run.".into());
    }
    sentences
}

fn verdict(axes: &[Axis], result: &ResultEffects) -> Option<String> {
    let analysis = &result.analysis;
    if analysis.variance == 0.0 {
        return Some(format!("{}: nothing is left to test with.", capital(&result.of)));
    }
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for (factor, axis) in analysis.factors.iter().zip(axes) {
        let p = factor.test.corrected?;
        if p < LEVEL {
            let means = factor.levels.iter().map(|level| level.mean.value);
            let (best, _) = means.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
            found.push(format!("{} (p {}, highest {})", axis.name, p_relation(p), axis.levels[best]));
        } else {
            others.push(format!("{} (p {})", axis.name, p_relation(p)));
        }
    }
    let pairs = analysis.pairs.iter().filter_map(|pair| {
        let p = pair.test.corrected.filter(|p| *p < LEVEL)?;
        let [a, b] = pair.factors;
        Some(format!("{} × {} (p {})", axes[a].name, axes[b].name, p_relation(p)))
    });
    let pairs: Vec<String> = pairs.collect();
    let of = capital(&result.of);
    let mut parts = if found.is_empty() {
        vec![format!("{of}: no effect is shown of {}", others.join(", "))]
    } else {
        let shown = (!others.is_empty()).then(|| format!("no effect is shown of {}", others.join(", ")));
        [format!("{of}: changed by {}", found.join(", "))].into_iter().chain(shown).collect()
    };
    if !pairs.is_empty() {
        parts.push(format!("the effects depend on each other: {}", pairs.join(", ")));
    }
    Some(format!("{}.", parts.join("; ")))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The blocks of a whole report: the tests of each result, and the cells of each pair of factors for the last result
/// but the gap.
pub(super) fn interactions(of: &Effects, digits: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = of.results.iter().map(|result| tests(&of.axes, result).into()).collect();
    blocks.push(Block::Notes(vec![
        "Tests of factors and of interactions (×). df: degrees of freedom; Holm: p with Holm's correction; share: of the \
         variance of all runs (η²)."
            .into(),
    ]));
    let Some(main) = of.results.iter().rev().find(|result| result.of != "gap") else { return blocks };
    for pair in &main.analysis.pairs {
        blocks.extend(cells(&of.axes, main, pair.factors, digits));
    }
    blocks
}

fn tests(axes: &[Axis], result: &ResultEffects) -> Table {
    let heading = format!("<{}", result.of);
    let mut table = Table::new(&[&heading, ">df", ">F", ">p", ">Holm", ">share"]);
    let mut row = |name: String, test: &EffectTest| {
        let p = |p: Option<f64>| p.map_or("–".into(), p_value);
        let f = test.f.map_or("–".into(), |f| decimals(f, 2));
        table.row([name, test.degrees.to_string(), f, p(test.p), p(test.corrected), decimals(test.share, 3)]);
    };
    for (factor, axis) in result.analysis.factors.iter().zip(axes) {
        row(axis.name.clone(), &factor.test);
    }
    for pair in &result.analysis.pairs {
        let [a, b] = pair.factors;
        row(format!("{} × {}", axes[a].name, axes[b].name), &pair.test);
    }
    let explained = result.analysis.factors.iter().map(|factor| factor.test.share).sum::<f64>();
    let of_pairs = result.analysis.pairs.iter().map(|pair| pair.test.share).sum::<f64>();
    if !result.analysis.interactions_are_residual {
        let left = decimals((1.0 - explained - of_pairs).max(0.0), 3);
        let none = || "–".to_owned();
        table.row(["residual".into(), result.analysis.degrees.to_string(), none(), none(), none(), left]);
    }
    table
}

/// The means of two factors together, each with its interaction, which the main effects leave.
pub fn cells(axes: &[Axis], result: &ResultEffects, factors: [usize; 2], digits: usize) -> Vec<Block> {
    let [a, b] = factors.map(|factor| &axes[factor]);
    let Some(pair) = result.analysis.pairs.iter().find(|pair| pair.factors == factors) else {
        return Vec::new();
    };
    let mut headings = vec![format!("<{}: {} × {}", result.of, a.name, b.name)];
    headings.extend(b.levels.iter().map(|level| format!(">{level}")));
    let mut table = Table::new(&headings);
    for (level, cells) in a.levels.iter().zip(&pair.cells) {
        let cells = cells.iter().map(|cell| {
            let sign = if cell.effect.value >= 0.0 { "+" } else { "" };
            format!("{} ({sign}{})", decimals(cell.mean.value, digits), decimals(cell.effect.value, digits))
        });
        table.row([level.clone()].into_iter().chain(cells));
    }
    let half = |estimate: &Estimate| decimals((estimate.high - estimate.low) / 2.0, digits);
    let cell = &pair.cells[0][0];
    let note = format!(
        "Each mean ± {}; in brackets what the main effects leave of it, ± {}.",
        half(&cell.mean),
        half(&cell.effect)
    );
    vec![table.into(), Block::Notes(vec![note])]
}
