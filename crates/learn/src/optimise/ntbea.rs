//! NTBEA, the N-tuple bandit evolutionary algorithm: Lucas, Liu, Perez-Liebana 2018, "The N-tuple bandit evolutionary
//! algorithm for game agent optimisation", IEEE Congress on Evolutionary Computation, arXiv 1802.05991.
//!
//! For genes with few values and a fitness so noisy that each evaluation must count. A model has the mean fitness of each
//! value of each gene, of each pair of values, and of each whole candidate. It chooses what is evaluated next, as a bandit
//! does, and at the end what is best.

use std::collections::BTreeMap;

use super::method::{is_above_0, need};
use super::{Gene, Genes, Method, Problem, Space, Told};
use crate::game::options::{flag, integer, real, settings};
use crate::rng::{Rng, Stream};
use crate::stats::draw;

settings! {
    /// The settings of NTBEA. In the paper a generation has one candidate: more can be played at the same time, but are chosen with
    /// less knowledge, because what is not told yet counts as a visit without a fitness. The unit of the exploration, k in the paper,
    /// is twice the standard deviation of all fitnesses told, which is 1 for wins and losses that are equally likely; in the paper all
    /// fitnesses are in [0, 1].
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// candidates of a generation
        population: usize = integer(1..=1_000_000, 1).capped(4),
        /// neighbours among which the next candidate is chosen
        neighbours: usize = integer(1..=1_000_000, 50),
        /// how much rarely tried values count
        exploration: f64 = real(0.0..=1e9, 2.0),
        /// a value that was never tried counts as tried this many times
        epsilon: f64 = real(1e-9..=1e9, 0.5),
        /// whether the model has triples of values too
        triples: bool = flag(false),
    }
}

/// More tuples of genes than this would make each choice slow.
const MOST_TUPLES: usize = 20_000;

impl Settings {
    /// Checks the settings and the space.
    ///
    /// # Errors
    /// Returns the first problem. Real genes are refused.
    pub fn check(&self, space: &Space) -> Result<(), Problem> {
        space.check()?;
        if space.genes.iter().any(|gene| matches!(gene, Gene::Real { .. })) {
            let reason = "a real gene has too many values; make it a whole number or words, or use `cma-es`";
            return Err(Problem::new("ntbea", reason));
        }
        if !space.normalise.is_empty() {
            return Err(Problem::new("normalise", "the values of `ntbea` cannot be normalised; remove it"));
        }
        if self.population == 0 || self.neighbours == 0 {
            let setting = if self.population == 0 { "population" } else { "neighbours" };
            return Err(Problem::new(setting, "it must be at least 1"));
        }
        let Self { exploration, epsilon, .. } = *self;
        need("exploration", exploration, exploration == 0.0 || is_above_0(exploration), "0 or more")?;
        need("epsilon", epsilon, is_above_0(epsilon), "above 0")?;
        let tuples = tuples(space.len(), self.triples).count();
        if tuples > MOST_TUPLES {
            let reason = format!(
                "{} genes have {tuples} tuples, more than {MOST_TUPLES}; use fewer genes",
                space.len()
            );
            return Err(Problem::new("genes", reason));
        }
        Ok(())
    }
}

/// The tuples of the model: single genes, pairs, perhaps triples, and all genes.
fn tuples(genes: usize, triples: bool) -> impl Iterator<Item = Vec<usize>> {
    let singles = (0..genes).map(|a| vec![a]);
    let pairs = (0..genes).flat_map(move |a| (a + 1..genes).map(move |b| vec![a, b]));
    let most = if triples { genes } else { 0 };
    let triples = (0..most)
        .flat_map(move |a| (a + 1..genes).flat_map(move |b| (b + 1..genes).map(move |c| vec![a, b, c])));
    let whole = (genes > 3 || (genes == 3 && most == 0)).then(|| (0..genes).collect());
    singles.chain(pairs).chain(triples).chain(whole)
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    visits: f64,
    /// The trials with a fitness.
    told: f64,
    sum: f64,
}

impl Known {
    fn mean(&self) -> Option<f64> {
        (self.told > 0.0).then(|| self.sum / self.told)
    }
}

/// A combination of values of a tuple of genes, as whole numbers.
type Combination = Vec<i64>;

/// The model of the fitness: a table for each tuple.
struct Model {
    tables: Vec<(Vec<usize>, BTreeMap<Combination, Known>)>,
    all: Known,
    squares: f64,
}

impl Model {
    fn new(genes: usize, triples: bool) -> Self {
        let tables = tuples(genes, triples).map(|tuple| (tuple, BTreeMap::new())).collect();
        Self { tables, all: Known::default(), squares: 0.0 }
    }

    /// Changes what is known of a candidate in every table.
    fn add(&mut self, genes: &[f64], change: impl Fn(&mut Known)) {
        for (tuple, table) in &mut self.tables {
            let combination = tuple.iter().map(|&gene| genes[gene] as i64).collect();
            change(table.entry(combination).or_default());
        }
        change(&mut self.all);
    }

    fn visit(&mut self, genes: &[f64]) {
        self.add(genes, |known| known.visits += 1.0);
    }

    fn tell(&mut self, genes: &[f64], fitness: f64) {
        self.squares += fitness * fitness;
        self.add(genes, |known| {
            known.told += 1.0;
            known.sum += fitness;
        });
    }

    /// The mean over the tuples of their mean fitness, and the mean of their doubt √(ln (1 + visits) / (visits of the
    /// combination + ε)). A combination without a fitness has the mean of all.
    fn mean_and_doubt(&self, genes: &[f64], epsilon: f64) -> (f64, f64) {
        let all = self.all.mean().unwrap_or(0.0);
        let visits = libm::log(1.0 + self.all.visits);
        let (mut means, mut doubts) = (0.0, 0.0);
        let mut combination = Combination::new();
        for (tuple, table) in &self.tables {
            combination.clear();
            combination.extend(tuple.iter().map(|&gene| genes[gene] as i64));
            let known = table.get(&combination).copied().unwrap_or_default();
            means += known.mean().unwrap_or(all);
            doubts += (visits / (known.visits + epsilon)).sqrt();
        }
        let count = self.tables.len() as f64;
        (means / count, doubts / count)
    }

    /// The upper confidence bound: the mean and k times the doubt.
    fn bound(&self, genes: &[f64], settings: &Settings) -> f64 {
        let all = self.all.mean().unwrap_or(0.0);
        let variance = self.squares / self.all.told.max(1.0) - all * all;
        let unit = if variance > 0.0 { 2.0 * variance.sqrt() } else { 1.0 };
        let (mean, doubt) = self.mean_and_doubt(genes, settings.epsilon);
        mean + settings.exploration * unit * doubt
    }
}

/// NTBEA.
pub struct Ntbea {
    space: Space,
    settings: Settings,
    stream: Stream,
    generation: u64,
    model: Model,
    /// The candidates that were told, each once.
    tried: BTreeMap<Combination, Genes>,
    asked: Vec<Genes>,
}

impl Ntbea {
    /// NTBEA before its first generation.
    ///
    /// # Panics
    /// If [`Settings::check`] finds a problem.
    pub fn new(space: Space, settings: Settings, stream: Stream) -> Self {
        settings.check(&space).unwrap_or_else(|problem| panic!("{problem}"));
        let model = Model::new(space.len(), settings.triples);
        let first = space.draw(&mut (stream / "first").rng());
        let mut method =
            Self { space, settings, stream, generation: 0, model, tried: BTreeMap::new(), asked: Vec::new() };
        method.choose(first);
        method
    }

    /// Fills the next generation: a candidate, and then always the best neighbour of the last one.
    fn choose(&mut self, first: Genes) {
        let mut rng = (self.stream / "generation" / self.generation).rng();
        self.model.visit(&first);
        self.asked = vec![first];
        while self.asked.len() < self.settings.population {
            let next = self.best_neighbour(self.asked.len() - 1, &mut rng);
            self.model.visit(&next);
            self.asked.push(next);
        }
    }

    fn best_neighbour(&self, of: usize, rng: &mut Rng) -> Genes {
        let mut best: Option<(f64, Genes)> = None;
        for _ in 0..self.settings.neighbours {
            let neighbour = self.neighbour(&self.asked[of], rng);
            // A tiny random number, so that ties are broken at random.
            let bound = self.model.bound(&neighbour, &self.settings) + 1e-9 * rng.unit();
            if best.as_ref().is_none_or(|(best, _)| bound > *best) {
                best = Some((bound, neighbour));
            }
        }
        best.expect("there is at least one neighbour").1
    }

    /// A random gene gets another value, each of the others with chance 1 / genes.
    fn neighbour(&self, of: &[f64], rng: &mut Rng) -> Genes {
        let count = of.len();
        let always = draw::index(rng, count);
        let mut genes = of.to_vec();
        for (gene, value) in genes.iter_mut().enumerate() {
            if draw::happens(rng, 1.0 / count as f64) || gene == always {
                *value = self.other(gene, *value, rng);
            }
        }
        genes
    }

    /// Another value of a gene, each as likely.
    fn other(&self, gene: usize, value: f64, rng: &mut Rng) -> f64 {
        let (low, _) = self.space.genes[gene].bounds();
        let values = self.space.genes[gene].values().expect("no gene is real");
        let drawn = low + rng.below(values - 1) as f64;
        if drawn >= value { drawn + 1.0 } else { drawn }
    }
}

impl Method for Ntbea {
    fn ask(&mut self) -> Vec<Genes> {
        self.asked.clone()
    }

    fn tell(&mut self, told: &[Told]) {
        assert_eq!(told.len(), self.asked.len(), "one result for each candidate");
        let asked = std::mem::take(&mut self.asked);
        for (genes, told) in asked.iter().zip(told) {
            // A fitness that is no number counts as a visit.
            if told.fitness.is_finite() {
                self.model.tell(genes, told.fitness);
                self.tried.insert(genes.iter().map(|&value| value as i64).collect(), genes.clone());
            }
        }
        self.generation += 1;
        self.asked = asked;
        let mut rng = (self.stream / "next" / self.generation).rng();
        let first = self.best_neighbour(self.asked.len() - 1, &mut rng);
        self.choose(first);
    }

    /// Of the candidates that were told the one with the largest mean of the model; of equal ones the first in the order
    /// of their genes.
    fn best(&self) -> Genes {
        let mut best: Option<(f64, &Genes)> = None;
        for genes in self.tried.values() {
            let (mean, _) = self.model.mean_and_doubt(genes, self.settings.epsilon);
            if best.is_none_or(|(best, _)| mean > best) {
                best = Some((mean, genes));
            }
        }
        best.map_or_else(|| self.asked[0].clone(), |(_, genes)| genes.clone())
    }
}
