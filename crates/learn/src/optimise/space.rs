//! The space that is searched.

use std::ops::Range;

use super::gene::{Gene, Genes, Normalise, Start};
use crate::rng::Rng;
use crate::stats::draw;
use crate::words::{Problem, counted};

/// The genes of a candidate with their first values and normalisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The genes.
    pub genes: Vec<Gene>,
    /// For each gene how its first value is drawn.
    pub start: Vec<Start>,
    /// The vectors that are normalised.
    pub normalise: Vec<(Range<usize>, Normalise)>,
}

impl Space {
    /// A space of real genes with the same bounds, drawn uniformly.
    pub fn reals(count: usize, low: f64, high: f64) -> Self {
        Self {
            genes: vec![Gene::Real { low, high }; count],
            start: vec![Start::Uniform; count],
            normalise: Vec::new(),
        }
    }

    /// The number of genes.
    pub fn len(&self) -> usize {
        self.genes.len()
    }

    /// Whether there are no genes.
    pub fn is_empty(&self) -> bool {
        self.genes.is_empty()
    }

    /// Checks the space.
    ///
    /// # Errors
    /// Returns the first problem: no genes, bounds in the wrong order, a first value outside them.
    pub fn check(&self) -> Result<(), Problem> {
        if self.is_empty() {
            return Err(Problem::new("genes", "there are none; add one"));
        }
        if self.start.len() != self.len() {
            let reason = format!(
                "there are {} for {}",
                counted(self.start.len() as u64, "first value"),
                counted(self.len() as u64, "gene")
            );
            return Err(Problem::new("start", reason));
        }
        for (gene, start) in self.genes.iter().zip(&self.start) {
            gene.check()?;
            let (low, high) = gene.bounds();
            let reason = match *start {
                Start::Uniform if !(high - low).is_finite() => {
                    "without bounds no uniform value can be drawn; add bounds or a first value".into()
                }
                Start::Between { low: first, high: last }
                    if !(low <= first && first < last && last <= high) =>
                {
                    format!("{first} and {last} must be in rising order and within {low} and {high}")
                }
                Start::Normal { centre, sd } if !(centre.is_finite() && sd.is_finite() && sd >= 0.0) => {
                    format!("a normal value needs a finite mean and deviation, not {centre} and {sd}")
                }
                Start::At(value) if !(value.is_finite() && gene.nearest(value) == value) => {
                    format!("{value} is no value of the gene, which is within {low} and {high}")
                }
                _ => continue,
            };
            return Err(Problem::new("start", reason));
        }
        for (range, normalise) in &self.normalise {
            if range.start >= range.end || range.end > self.len() {
                return Err(Problem::new("normalise", "the vector must be part of the genes"));
            }
            if normalise.largest.is_some_and(|largest| !(largest.is_finite() && largest > 0.0)) {
                return Err(Problem::new("normalise", "the largest absolute value must be above 0"));
            }
        }
        Ok(())
    }

    /// Draws the first candidate.
    pub fn draw(&self, rng: &mut Rng) -> Genes {
        let mut genes = (0..self.len()).map(|gene| self.draw_gene(gene, rng)).collect();
        self.settle(&mut genes);
        genes
    }

    /// Draws the first value of a gene. A gene that always begins at the same value is drawn within its bounds, if they
    /// are finite, for [`mutation`](super::genetic::Mutation).
    pub(super) fn redraw_gene(&self, gene: usize, rng: &mut Rng) -> f64 {
        let (low, high) = self.genes[gene].bounds();
        match self.start[gene] {
            Start::At(_) if (high - low).is_finite() => self.uniform(gene, rng),
            _ => self.draw_gene(gene, rng),
        }
    }

    fn draw_gene(&self, gene: usize, rng: &mut Rng) -> f64 {
        let drawn = match self.start[gene] {
            Start::Uniform => self.uniform(gene, rng),
            Start::Between { low, high } => draw::between(rng, low, high),
            Start::Normal { centre, sd } => centre + sd * draw::normal(rng),
            Start::At(value) => value,
        };
        self.genes[gene].nearest(drawn)
    }

    pub(super) fn uniform(&self, gene: usize, rng: &mut Rng) -> f64 {
        let (low, high) = self.genes[gene].bounds();
        match self.genes[gene].values() {
            None => draw::between(rng, low, high),
            Some(values) => low + rng.below(values) as f64,
        }
    }

    /// The first value for methods with one starting point: the middle of what would be drawn.
    pub(super) fn centre(&self, gene: usize) -> f64 {
        let (low, high) = self.genes[gene].bounds();
        match self.start[gene] {
            Start::Uniform => f64::midpoint(low, high),
            Start::Between { low, high } => f64::midpoint(low, high),
            Start::Normal { centre, .. } => centre.clamp(low, high),
            Start::At(value) => value,
        }
    }

    /// The unit in which a gene is measured by methods with one step size for all genes: the width of its bounds or of
    /// its first values, their standard deviation, else 1.
    pub(super) fn unit(&self, gene: usize) -> f64 {
        let (low, high) = self.genes[gene].bounds();
        match self.start[gene] {
            _ if (high - low).is_finite() => high - low,
            Start::Between { low, high } => high - low,
            Start::Normal { sd, .. } if sd > 0.0 => sd,
            _ => 1.0,
        }
    }

    /// Moves every gene to the nearest value that it can have.
    pub fn clamp(&self, genes: &mut [f64]) {
        for (value, gene) in genes.iter_mut().zip(&self.genes) {
            *value = gene.nearest(*value);
        }
    }

    /// Normalises, then moves every gene to the nearest value that it can have.
    pub fn settle(&self, genes: &mut Genes) {
        for (range, normalise) in &self.normalise {
            normalise.apply(&mut genes[range.clone()]);
        }
        self.clamp(genes);
    }
}
