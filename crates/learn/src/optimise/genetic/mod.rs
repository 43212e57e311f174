//! Genetic algorithms: Holland 1975, *Adaptation in Natural and Artificial Systems*; Eiben, Smith 2015, *Introduction to
//! Evolutionary Computing*.
//!
//! A generation is selected, crossed and mutated. The operators are those of two published experiments with Othello
//! (sources G and B of `docs/evolution.md`) and the standard ones. The settings of both are examples of [`Settings`].

mod crossover;
mod knockout;
mod mutation;
mod selection;

pub use crossover::{Crossover, Extent, Pairs};
pub use knockout::{Bracket, Draw, Knockout, Meeting, Seating};
pub use mutation::{Mutation, To};
pub use selection::{Beyond, Groups, Selection, TieTo};

use super::method::{by_fitness, need};
use super::{Descent, Genes, Method, Problem, Space, Told};
use crate::game::options::{flag, integer, part, settings};
use crate::rng::Stream;
use crate::words::{counted, is_or_are};

settings! {
    /// The settings of a genetic algorithm. The defaults are those of source G with its best correct operators. A crossover needs 2
    /// parents, and [`Crossover::Copy`] one. Kept candidates are at the front of the next generation; with a knockout they are the
    /// first survivors.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// candidates of a generation
        population: usize = integer(2..=1_000_000, 32).capped(4),
        /// candidates that are selected
        parents: usize = integer(1..=1_000_000, 16).capped(2),
        /// candidates that are kept unchanged
        elites: usize = integer(0..=1_000_000, 0).capped(0),
        /// how parents are selected
        selection: Selection = part(),
        /// how the first candidates are made of what is drawn
        first: First = First::setting(),
        /// how a child inherits
        crossover: Crossover = part(),
        /// how a child is changed
        mutation: Mutation = part(),
        /// fault: kept candidates are mutated like the others (source B)
        mutate_elites: bool = flag(false),
        /// sets every fault of the chosen operators
        as_published: bool = flag(false),
    }
}

words! {
    /// The first candidates.
    pub enum First {
        Drawn = "as they are drawn",
        /// The program of source G copies its first population with the indices exchanged. Genes that it never writes are 0 at its
        /// beginning, and later those of the run before, which no run can know here.
        Transposed = "fault: gene i of candidate j is gene j of candidate i, and 0 where there is none (source G)",
    }
}

impl Settings {
    /// The settings with the faults of the published experiments, where their operators have one.
    #[must_use]
    pub fn as_published(self) -> Self {
        let selection = match self.selection {
            Selection::Ranking { .. } => Selection::Ranking { beyond: Beyond::Never },
            Selection::Tournament { size, groups, .. } => {
                Selection::Tournament { size, groups, ties: TieTo::Last }
            }
            Selection::Roulette { shift, .. } => Selection::Roulette { shift, draws: false },
            Selection::Knockout { .. } => {
                Selection::Knockout { seating: Seating::Queue, games: 1, draw: Draw::Second }
            }
            other => other,
        };
        let crossover = match self.crossover {
            Crossover::Mask { .. } => Crossover::Mask { bits: 62 },
            Crossover::Blx { alpha, children, pairs, .. } => {
                Crossover::Blx { alpha, children, pairs, extent: Extent::Extremes }
            }
            other => other,
        };
        Self { mutate_elites: true, selection, crossover, ..self }
    }

    /// Checks the settings against each other and the space.
    ///
    /// # Errors
    /// Returns the first problem, such as more parents than candidates, or children that do not fill the generation.
    pub fn check(&self, space: &Space) -> Result<(), Problem> {
        space.check()?;
        let Self { population, parents, elites, .. } = *self;
        need("population", population, population >= 2, "at least 2")?;
        if parents > population || parents == 0 {
            let reason = format!(
                "{} cannot be selected from {population} candidates",
                counted(parents as u64, "parent")
            );
            return Err(Problem::new("parents", reason));
        }
        if elites > parents {
            let reason = format!(
                "{} cannot be kept, because only {parents} {} selected",
                counted(elites as u64, "candidate"),
                is_or_are(parents as u64)
            );
            return Err(Problem::new("elites", reason));
        }
        self.selection.check(population, parents)?;
        self.crossover.check(space, population, parents, elites)?;
        self.mutation.check(space)
    }
}

/// A genetic algorithm.
pub struct Genetic {
    space: Space,
    settings: Settings,
    stream: Stream,
    generation: u64,
    population: Vec<Genes>,
    best: Genes,
    descent: Option<Descent>,
}

impl Genetic {
    /// A genetic algorithm before its first generation. The first population depends on the space, the stream, the size
    /// of the population and the setting `first` only, so all other settings can begin alike.
    ///
    /// # Panics
    /// If [`Settings::check`] finds a problem.
    pub fn new(space: Space, settings: Settings, stream: Stream) -> Self {
        settings.check(&space).unwrap_or_else(|problem| panic!("{problem}"));
        let mut rng = (stream / "first").rng();
        let mut population: Vec<Genes> = (0..settings.population).map(|_| space.draw(&mut rng)).collect();
        if settings.first == First::Transposed {
            population = transposed(&population, &space);
        }
        let best = population[0].clone();
        Self { space, settings, stream, generation: 0, population, best, descent: None }
    }

    /// The kept candidates, as indices.
    fn elites(&self, told: &[Told], parents: &[usize]) -> Vec<usize> {
        let is_knockout = self.settings.selection.knockout().is_some();
        let order = if is_knockout { parents.to_vec() } else { by_fitness(told) };
        order.into_iter().take(self.settings.elites).collect()
    }
}

impl Method for Genetic {
    fn ask(&mut self) -> Vec<Genes> {
        self.population.clone()
    }

    fn tell(&mut self, told: &[Told]) {
        assert_eq!(told.len(), self.population.len(), "one result for each candidate");
        let stream = self.stream / "generation" / self.generation;
        let Settings { population, parents, mutate_elites, .. } = self.settings;
        let best = match told.iter().enumerate().filter_map(|(index, told)| Some((told.place?, index))).min()
        {
            Some((_, index)) => index,
            None => by_fitness(told)[0],
        };
        self.best.clone_from(&self.population[best]);

        let selected = self.settings.selection.select(told, parents, &mut (stream / "selection").rng());
        let kept = self.elites(told, &selected);
        let parents: Vec<&[f64]> = selected.iter().map(|&index| &*self.population[index]).collect();
        let mut next: Vec<Genes> = kept.iter().map(|&index| self.population[index].clone()).collect();
        let count = population - next.len();
        let children =
            self.settings.crossover.children(&parents, count, &self.space, &mut (stream / "crossover").rng());
        next.extend(children);

        let mut rng = (stream / "mutation").rng();
        let unchanged = if mutate_elites { 0 } else { kept.len() };
        for (place, genes) in next.iter_mut().enumerate().skip(unchanged) {
            let elite = (place < kept.len()).then(|| genes.clone());
            self.settings.mutation.apply(&self.space, genes, &mut rng);
            // Settling again would change the last bits of an elite that no mutation met.
            if elite.as_ref() != Some(genes) {
                self.space.settle(genes);
            }
        }
        self.descent = Some(Descent { kept: kept.len(), parents: selected });
        self.population = next;
        self.generation += 1;
    }

    fn best(&self) -> Genes {
        self.best.clone()
    }

    fn descent(&self) -> Option<Descent> {
        self.descent.clone()
    }
}

fn transposed(drawn: &[Genes], space: &Space) -> Vec<Genes> {
    let candidate = |j: usize| {
        let of_drawn = |i: usize| drawn.get(i).and_then(|genes| genes.get(j)).copied().unwrap_or(0.0);
        let mut genes: Genes = (0..).zip(&space.genes).map(|(i, kind)| kind.nearest(of_drawn(i))).collect();
        space.settle(&mut genes);
        genes
    };
    (0..drawn.len()).map(candidate).collect()
}
