//! Local search: candidates step at random from the better ones. The seven searches of a published experiment (source N
//! of `docs/evolution.md`) are settings; they differ in who is kept, and in the games that make the fitness.
//!
//! | search | `keep` | fitness |
//! |---|---|---|
//! | 01 | `best` | one opponent |
//! | 02 | `best-two` | one opponent |
//! | 03, 05 | `pairs`, fixed | one opponent; four |
//! | 04; 06, 07 | `pairs`, random | one opponent; four |

use super::method::{by_fitness, is_above_0, need, need_chance};
use super::{Gene, Genes, Method, Problem, Space, Told};
use crate::game::options::{flag, integer, part, parts, real, settings};
use crate::rng::{Rng, Stream};
use crate::stats::draw;

settings! {
    /// The settings of a local search. The defaults are those of source N.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
        /// candidates of a generation
        population: usize = integer(2..=1_000_000, 10).capped(4),
        /// who is kept
        keep: Keep = part(),
        /// the largest step of a gene
        step: f64 = real(1e-12..=1e12, 0.1),
        /// the chance that a child is drawn anew
        redraw: f64 = real(0.0..=1.0, 0.03),
        /// sets all faults of the printed program (source N)
        as_printed: bool = flag(false),
        /// sets `previous` and `places`, an early reading of the program's faults; `as-printed` replaces it
        as_published: bool = flag(false),
    }
}

parts! {
    /// The candidates that [`Climb`] keeps.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Keep {
        /// all are children of the best
        Best {
            /// who counts as the best
            of: Best = Best::setting(),
            /// from whom children step
            children: Children = Children::setting(),
        },
        /// half are children of the best, the others of the second
        BestTwo {
            /// from whom children step
            children: Children = Children::setting(),
        },
        /// candidates meet in pairs; the loser becomes a child of the winner
        Pairs {
            /// how pairs are formed
            pairing: Pairing = Pairing::setting(),
            /// whose fitness decides
            compare: Compare = Compare::setting(),
            /// who wins a tie
            ties: Tied = Tied::setting(),
            /// who is drawn anew, with the chance `redraw`
            redrawn: Redrawn = Redrawn::setting(),
        },
    }
}

words! {
    /// The parent of a child, where all or half of them have one.
    pub enum Children {
        Copied = "from the parent as it was told",
        InPlace = "fault: each replaces a candidate at once, the parent too; later ones step from what replaced it (source N, 01, 02)",
    }
}

words! {
    /// The winner of a pair that ties.
    pub enum Tied {
        Random = "one at random",
        First = "the first of the pair (source N, 03, 05)",
        Second = "the second (source N, 04, 06, 07)",
    }
}

words! {
    /// The candidates of a pair that are drawn anew.
    pub enum Redrawn {
        Loser = "the loser",
        Both = "fault: both, so that a winner is lost too (source N, 03 to 07)",
    }
}

words! {
    /// The best candidate of [`Keep::Best`].
    pub enum Best {
        /// Of equal ones the earlier.
        All = "the largest fitness",
        Previous = "fault: the last that beat the candidate before it (source N, 01)",
    }
}

words! {
    /// The pairs of [`Keep::Pairs`].
    pub enum Pairing {
        Fixed = "neighbours",
        Random = "anew in each generation",
    }
}

words! {
    /// Whose fitness decides in [`Keep::Pairs`].
    pub enum Compare {
        Candidates = "that of the two",
        /// With i from 0, and key the order of the draw: `score[key[i]] > score[key[2 * i + 1]]`.
        Index = "fault: of pair i that of the i-th drawn, in place of its first (source N, 04, 06, 07)",
        /// No program had it: it was read into a description of [`Compare::Index`].
        Places = "fault: that of the candidates with the numbers of the pair's places",
    }
}

impl Settings {
    /// The settings with the faults that its two flags set.
    #[must_use]
    pub fn with_faults(self) -> Self {
        let keep = match (self.keep, self.as_printed, self.as_published) {
            (Keep::Best { .. }, true, _) => Keep::Best { of: Best::Previous, children: Children::InPlace },
            (Keep::BestTwo { .. }, true, _) => Keep::BestTwo { children: Children::InPlace },
            (Keep::Pairs { pairing, .. }, true, _) => {
                let (compare, ties) = match pairing {
                    Pairing::Fixed => (Compare::Candidates, Tied::First),
                    Pairing::Random => (Compare::Index, Tied::Second),
                };
                Keep::Pairs { pairing, compare, ties, redrawn: Redrawn::Both }
            }
            (Keep::Best { children, .. }, false, true) => Keep::Best { of: Best::Previous, children },
            (Keep::Pairs { pairing: Pairing::Random, ties, redrawn, .. }, false, true) => {
                Keep::Pairs { pairing: Pairing::Random, compare: Compare::Places, ties, redrawn }
            }
            (other, ..) => other,
        };
        Self { keep, ..self }
    }

    /// Checks the settings and the space.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(&self, space: &Space) -> Result<(), Problem> {
        space.check()?;
        let is_odd = !self.population.is_multiple_of(2);
        let is_right = self.population >= 2 && (!is_odd || matches!(self.keep, Keep::Best { .. }));
        need("population", self.population, is_right, "an even number of at least 2")?;
        need("step", self.step, is_above_0(self.step), "above 0")?;
        need_chance("redraw", self.redraw)
    }
}

/// A local search.
pub struct Climb {
    space: Space,
    settings: Settings,
    stream: Stream,
    generation: u64,
    population: Vec<Genes>,
    best: Genes,
}

impl Climb {
    /// A local search before its first generation.
    ///
    /// # Panics
    /// If [`Settings::check`] finds a problem.
    pub fn new(space: Space, settings: Settings, stream: Stream) -> Self {
        settings.check(&space).unwrap_or_else(|problem| panic!("{problem}"));
        let mut rng = (stream / "first").rng();
        let population: Vec<Genes> = (0..settings.population).map(|_| space.draw(&mut rng)).collect();
        let best = population[0].clone();
        Self { space, settings, stream, generation: 0, population, best }
    }

    fn child(&self, parent: &Genes, rng: &mut Rng) -> Genes {
        if draw::happens(rng, self.settings.redraw) {
            return self.space.draw(rng);
        }
        self.stepped(parent, rng)
    }

    fn stepped(&self, parent: &Genes, rng: &mut Rng) -> Genes {
        let step = |(&value, gene): (&f64, usize)| match self.space.genes[gene] {
            Gene::Word { .. } => self.space.uniform(gene, rng),
            _ => value + draw::between(rng, -self.settings.step, self.settings.step),
        };
        let mut genes = parent.iter().zip(0..).map(step).collect();
        self.space.settle(&mut genes);
        genes
    }

    /// A child in the place of each candidate; `parent` is the index of its parent.
    fn descend(&self, children: Children, parent: impl Fn(usize) -> usize, rng: &mut Rng) -> Vec<Genes> {
        let mut next = self.population.clone();
        for index in 0..next.len() {
            let from = if children == Children::InPlace { &next } else { &self.population };
            next[index] = self.child(&from[parent(index)], rng);
        }
        next
    }

    /// The pairs of candidates, and for each the two indices whose fitness decides.
    fn pairs(&self, pairing: Pairing, compare: Compare, rng: &mut Rng) -> Vec<([usize; 2], [usize; 2])> {
        let mut order: Vec<usize> = (0..self.population.len()).collect();
        if pairing == Pairing::Random {
            draw::shuffle(rng, &mut order);
        }
        let pair = |(place, pair): (usize, &[usize])| {
            let members = [pair[0], pair[1]];
            let compared = match compare {
                Compare::Candidates => members,
                Compare::Index => [order[place], pair[1]],
                Compare::Places => [2 * place, 2 * place + 1],
            };
            (members, compared)
        };
        order.chunks(2).enumerate().map(pair).collect()
    }
}

impl Method for Climb {
    fn ask(&mut self) -> Vec<Genes> {
        self.population.clone()
    }

    fn tell(&mut self, told: &[Told]) {
        assert_eq!(told.len(), self.population.len(), "one result for each candidate");
        let mut rng = (self.stream / "generation" / self.generation).rng();
        let order = by_fitness(told);
        let fitness = |index: usize| told[index].comparable();
        let count = self.population.len();
        let next: Vec<Genes> = match self.settings.keep {
            Keep::Best { of, children } => {
                let better = (1..count).rev().find(|&index| fitness(index) > fitness(index - 1));
                let parent = if of == Best::Previous { better.unwrap_or(0) } else { order[0] };
                self.descend(children, |_| parent, &mut rng)
            }
            Keep::BestTwo { children } => {
                self.descend(children, |index| order[index / (count / 2)], &mut rng)
            }
            Keep::Pairs { pairing, compare, ties, redrawn } => {
                let mut next = self.population.clone();
                for ([a, b], [first, second]) in self.pairs(pairing, compare, &mut rng) {
                    let first_wins = match fitness(first) - fitness(second) {
                        margin if margin > 0.0 => true,
                        margin if margin < 0.0 => false,
                        _ => ties == Tied::First || ties == Tied::Random && draw::happens(&mut rng, 0.5),
                    };
                    let (winner, loser) = if first_wins { (a, b) } else { (b, a) };
                    if redrawn == Redrawn::Loser {
                        next[loser] = self.child(&self.population[winner], &mut rng);
                    } else if draw::happens(&mut rng, self.settings.redraw) {
                        [next[a], next[b]] = [self.space.draw(&mut rng), self.space.draw(&mut rng)];
                    } else {
                        next[loser] = self.stepped(&self.population[winner], &mut rng);
                    }
                }
                next
            }
        };
        self.best.clone_from(&self.population[order[0]]);
        self.population = next;
        self.generation += 1;
    }

    fn best(&self) -> Genes {
        self.best.clone()
    }
}
