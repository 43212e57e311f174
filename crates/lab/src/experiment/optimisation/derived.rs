//! The files that are derived from the log of an optimisation: `canonical.csv`, `runs.csv`, `curve.csv`,
//! `population.csv`, and the best candidates.

use std::io::{self, Write};
use std::path::Path;

use super::{Run, canonical_header};
use crate::experiment::line::csv_line;
use crate::experiment::store::Draft;
use crate::experiment::trial::Tally;
use crate::game::Counts;
use crate::manifest::{Optimisation, OptimisationRun};
use crate::stats::{Confidence, Estimate};

/// The largest number of coordinates of which `curve.csv` has columns.
const MOST_COORDINATES: usize = 100;

/// Writes all derived files to the folder of an optimisation.
///
/// # Errors
/// If the operating system returns an error.
pub fn write_derived(folder: &Path, optimisation: &Optimisation, runs: &[Run]) -> io::Result<()> {
    write(folder, "canonical.csv", |out| {
        out.write_all(canonical_header().as_bytes())?;
        runs.iter().try_for_each(|run| out.write_all(&run.canonical))
    })?;
    write(folder, "runs.csv", |out| write_runs(out, optimisation, runs))?;
    write(folder, "curve.csv", |out| write_curve(out, optimisation, runs))?;
    write(folder, "population.csv", |out| write_population(out, optimisation, runs))?;
    write(folder, "best.csv", |out| write_best(out, optimisation, runs))
}

fn write(folder: &Path, name: &str, content: impl FnOnce(&mut Draft) -> io::Result<()>) -> io::Result<()> {
    let mut draft = Draft::begin(folder, name)?;
    content(&mut draft)?;
    draft.finish()
}

fn line<S: AsRef<str>>(out: &mut impl Write, fields: impl IntoIterator<Item = S>) -> io::Result<()> {
    out.write_all(&csv_line(fields))?;
    out.write_all(b"\n")
}

/// The keys that a sweep chose, which all runs have.
fn axes(optimisation: &Optimisation) -> Vec<String> {
    optimisation.runs[0].swept.iter().map(|(key, _)| key.clone()).collect()
}

fn chosen(run: &OptimisationRun) -> impl Iterator<Item = String> {
    run.swept.iter().map(|(_, value)| value.clone())
}

/// A value, and the ends of its interval; empty fields if there is none.
fn estimate(estimate: Option<Estimate>) -> [String; 3] {
    estimate.map_or_else(Default::default, |Estimate { value, low, high, .. }| {
        [value, low, high].map(|number| number.to_string())
    })
}

fn result(run: &OptimisationRun, tally: Option<&Tally>) -> Option<Estimate> {
    tally.map(|tally| tally.result_interval(counted(run), Confidence::default_level()))
}

fn counted(run: &OptimisationRun) -> Counts {
    run.game.facts().counts
}

/// The names of columns, in which the result that counts is called points, or score if it is one.
fn columns(optimisation: &Optimisation, names: &'static str) -> impl Iterator<Item = String> {
    let is_score = counted(&optimisation.runs[0]) == Counts::Score;
    let named = move |name: &str| if is_score { name.replace("_points", "_score") } else { name.into() };
    names.split(',').map(named)
}

fn write_runs(out: &mut impl Write, optimisation: &Optimisation, runs: &[Run]) -> io::Result<()> {
    let names = "generations,games,ended,best_fitness,seen_points,mean_points,again_points,again_low,again_high,\
                 again_margin,judge_points,judge_low,judge_high";
    let head = ["run".into(), "name".into()].into_iter().chain(axes(optimisation));
    line(out, head.chain(columns(optimisation, names)))?;
    for (run, found) in optimisation.runs.iter().zip(runs) {
        let outcome = &found.outcome;
        let last = outcome.generations.last();
        let number = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
        let head = [run.label(), run.name.clone()].into_iter().chain(chosen(run));
        let counts = [
            outcome.generations.len().to_string(),
            outcome.games.to_string(),
            outcome.ended.is_some().to_string(),
        ];
        let seen = [
            number(last.filter(|_| run.has_fitness()).map(|last| last.best)),
            number(outcome.seen().map(|tally| tally.result(counted(run)))),
            number(last.map(|last| last.sum.result(counted(run)))),
        ];
        let again = estimate(result(run, outcome.again.as_ref()));
        let margin = [number(outcome.again.as_ref().map(Tally::mean_margin))];
        let judge = estimate(result(run, outcome.judge().as_ref()));
        line(out, head.chain(counts).chain(seen).chain(again).chain(margin).chain(judge))?;
    }
    Ok(())
}

fn write_curve(out: &mut impl Write, optimisation: &Optimisation, runs: &[Run]) -> io::Result<()> {
    let names = optimisation.runs[0].genes.names();
    let names = if names.len() <= MOST_COORDINATES { names } else { Vec::new() };
    let of_all = "generation,best_fitness,mean_fitness,mean_points,judge_points,judge_low,judge_high";
    let head = ["run".into()].into_iter().chain(axes(optimisation)).chain(columns(optimisation, of_all));
    let of_genes = ["mean", "sd", "selected", "selected_5"]
        .into_iter()
        .flat_map(|what| names.iter().map(move |name| format!("{what}:{name}")));
    line(out, head.chain(["mean_sd".into()]).chain(of_genes))?;
    for (run, found) in optimisation.runs.iter().zip(runs) {
        for (number, generation) in found.outcome.generations.iter().enumerate() {
            let judge = result(run, generation.judge().as_ref());
            let head = [run.label()].into_iter().chain(chosen(run));
            let [best, mean] = [generation.best, generation.mean]
                .map(|fitness| if run.has_fitness() { fitness.to_string() } else { String::new() });
            let fitness = [number.to_string(), best, mean, generation.sum.result(counted(run)).to_string()];
            let (averages, known) = (found.outcome.selected(number), names.len());
            let average: Vec<f32> = averages.iter().map(|&mean| mean as f32).collect();
            let genes = [&generation.centre, &generation.spread, &generation.selected, &average];
            let genes = genes.into_iter().flat_map(|of| (0..known).map(|gene| of.get(gene)));
            let fields = head
                .chain(fitness)
                .chain(estimate(judge))
                .chain([format!("{:.6}", generation.mean_spread())]);
            line(
                out,
                fields.chain(
                    genes.map(|number| number.map(|number| format!("{number:.6}")).unwrap_or_default()),
                ),
            )?;
        }
    }
    Ok(())
}

fn write_population(out: &mut impl Write, optimisation: &Optimisation, runs: &[Run]) -> io::Result<()> {
    let names = optimisation.runs[0].genes.names();
    let head = ["run", "candidate", "fitness", "games", "wins", "draws", "losses"].map(String::from);
    line(out, head.into_iter().chain(names))?;
    for (run, found) in optimisation.runs.iter().zip(runs) {
        for (number, (genes, fitness, tally)) in found.outcome.population.iter().enumerate() {
            let [wins, draws, losses] = tally.outcomes;
            let counts = [tally.games(), wins, draws, losses].map(|count| count.to_string());
            let head = [run.label(), number.to_string(), fitness.to_string()];
            let genes = run.genes.texts(genes).into_iter().map(|(_, value)| value);
            line(out, head.into_iter().chain(counts).chain(genes))?;
        }
    }
    Ok(())
}

/// A row for each coordinate of the best candidate of each run.
fn write_best(out: &mut impl Write, optimisation: &Optimisation, runs: &[Run]) -> io::Result<()> {
    line(out, ["run", "name", "gene", "value"])?;
    for (run, found) in optimisation.runs.iter().zip(runs) {
        if found.outcome.best.is_empty() {
            continue;
        }
        for (gene, value) in run.genes.texts(&found.outcome.best) {
            line(out, [&run.label(), &run.name, &gene, &value])?;
        }
    }
    Ok(())
}
