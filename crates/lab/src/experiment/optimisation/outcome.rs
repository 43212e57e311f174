//! The findings of a run: generations, the last population, the best candidate, and how good it is in games that it was not
//! chosen by.

use crate::experiment::trial::Tally;
use crate::optimise::Heredity;

/// The generations of a moving average; source B takes as many.
const AVERAGED: usize = 5;

/// A run as far as it was played: what it found, and its rows in canonical order.
#[derive(Debug)]
pub struct Run {
    /// The findings.
    pub outcome: Outcome,
    /// The rows in the canonical log.
    pub canonical: Vec<u8>,
}

/// The findings of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The generations that were told.
    pub generations: Vec<Generation>,
    /// The candidates of the last generation: genes, fitness and sums.
    pub population: Vec<(Vec<f64>, f64, Tally)>,
    /// The method's estimate of the best genes; empty before the first generation.
    pub best: Vec<f64>,
    /// The best candidate at the end, once more against the opponents of the fitness.
    pub again: Option<Tally>,
    /// The likeness of children to their parents, if the method selects any.
    pub heredity: Heredity,
    /// The games of all candidates.
    pub games: u64,
    /// Whether the run has ended; the reason if the method ended it early, else an empty text.
    pub ended: Option<String>,
}

/// A generation.
#[derive(Clone, Debug)]
pub struct Generation {
    /// The best fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// Whether all candidates had the same fitness, and there were several.
    pub alike: bool,
    /// The games of all candidates.
    pub sum: Tally,
    /// The standard deviation of each gene over the candidates.
    pub spread: Vec<f32>,
    /// The mean of each gene over the candidates.
    pub centre: Vec<f32>,
    /// The mean of each gene over the selected candidates; empty if the method selects none.
    pub selected: Vec<f32>,
    /// The number of candidates that left early in a race.
    pub left: usize,
    /// The best candidate against each opponent of the judge, if it was judged after this generation.
    pub judged: Vec<Tally>,
}

impl Generation {
    pub(super) fn new(asked: &[Vec<f64>], fitness: &[f64], sums: &[Tally]) -> Self {
        let n = asked.len() as f64;
        let sum = sums.iter().copied().sum();
        let genes = asked.first().map_or(0, Vec::len);
        let centre: Vec<f64> =
            (0..genes).map(|gene| asked.iter().map(|genes| genes[gene]).sum::<f64>() / n).collect();
        let spread = (0..genes).map(|gene| {
            let squares: f64 = asked.iter().map(|genes| (genes[gene] - centre[gene]).powi(2)).sum();
            (squares / (n - 1.0).max(1.0)).sqrt() as f32
        });
        let best = fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let are_equal = fitness.iter().all(|fitness| *fitness == best);
        Self {
            best,
            // The sum of equal numbers is rounded.
            mean: if are_equal { best } else { fitness.iter().sum::<f64>() / n },
            alike: are_equal && fitness.len() > 1,
            sum,
            spread: spread.collect(),
            centre: centre.iter().map(|&centre| centre as f32).collect(),
            selected: Vec::new(),
            left: 0,
            judged: Vec::new(),
        }
    }

    /// The best candidate against the judge, over all its opponents, if it was judged after this generation.
    pub fn judge(&self) -> Option<Tally> {
        (!self.judged.is_empty()).then(|| self.judged.iter().copied().sum())
    }

    /// The standard deviation of a gene over the candidates, in the mean over all genes.
    pub fn mean_spread(&self) -> f64 {
        self.spread.iter().map(|&sd| f64::from(sd)).sum::<f64>() / self.spread.len().max(1) as f64
    }
}

impl Outcome {
    pub(super) fn told(
        &mut self,
        generation: Generation,
        asked: &[Vec<f64>],
        fitness: &[f64],
        sums: &[Tally],
        games: u64,
    ) {
        self.games += games;
        self.generations.push(generation);
        let candidates = asked.iter().zip(fitness).zip(sums);
        self.population = candidates.map(|((genes, &fitness), &sum)| (genes.clone(), fitness, sum)).collect();
    }

    pub(super) fn judged(&mut self, generation: u64, results: Vec<Tally>) {
        self.generations[generation as usize].judged = results;
    }

    /// The best candidate against the judge at the end, over all its opponents.
    pub fn judge(&self) -> Option<Tally> {
        self.generations.last()?.judge()
    }

    /// The mean of each gene over the selected candidates of a generation and of up to four before it: a moving average. Empty if
    /// the method selects none.
    pub fn selected(&self, generation: usize) -> Vec<f64> {
        let several = &self.generations[generation.saturating_sub(AVERAGED - 1)..=generation];
        let genes = several.iter().map(|generation| generation.selected.len()).min().unwrap_or(0);
        let mean = |gene| several.iter().map(|of: &Generation| f64::from(of.selected[gene])).sum::<f64>();
        (0..genes).map(|gene| mean(gene) / several.len() as f64).collect()
    }

    /// The sums of the best candidate of the last generation, as the fitness saw it.
    pub fn seen(&self) -> Option<Tally> {
        let best = |a: &f64, b: &f64| a.total_cmp(b);
        let (_, _, sum) = self.population.iter().rev().max_by(|(_, a, _), (_, b, _)| best(a, b))?;
        Some(*sum)
    }
}
