//! The trait of optimisation methods.

use std::fmt::Display;

use super::{Descent, Genes, Problem};

/// An optimisation method: it asks for the fitness of candidates, is told it, and asks again.
///
/// # Laws
/// - [`Method::ask`] depends on the space, the settings, the stream and what was told, on nothing else. Asked twice
///   without being told between, a method asks for the same candidates.
/// - A new method that is told the same again asks for the same candidates again.
/// - Every asked gene is within the bounds of the space.
///
/// # Example
/// ```
/// use shikou::optimise::genetic::{Genetic, Settings};
/// use shikou::optimise::{Method, Space, Told};
/// use shikou::rng::Stream;
///
/// // The fitness is largest where all genes are 1.
/// let fitness = |genes: &[f64]| -genes.iter().map(|gene| (gene - 1.0) * (gene - 1.0)).sum::<f64>();
/// let space = Space::reals(3, -2.0, 2.0);
/// let mut method = Genetic::new(space, Settings::default(), Stream::new(1));
/// for _ in 0..50 {
///     let told: Vec<Told> = method.ask().iter().map(|genes| Told::of(fitness(genes))).collect();
///     method.tell(&told);
/// }
/// assert!(fitness(&method.best()) > -0.1);
/// ```
pub trait Method: Send {
    /// The candidates of the generation, in order.
    fn ask(&mut self) -> Vec<Genes>;

    /// The results of the candidates of [`Method::ask`], in their order.
    ///
    /// # Panics
    /// If there is not exactly one result for each candidate.
    fn tell(&mut self, told: &[Told]);

    /// The method's estimate of the best genes. It is not the best candidate that was seen: with a noisy fitness, that
    /// one was lucky.
    fn best(&self) -> Genes;

    /// How the next generation follows from the one that was told last, if the method selects parents.
    fn descent(&self) -> Option<Descent> {
        None
    }

    /// The reason why another generation has no purpose, if there is one.
    fn finished(&self) -> Option<String> {
        None
    }

    /// How many of the last candidates of [`Method::ask`] are the first ones again: the method asks for a second,
    /// independent evaluation of these, with other random numbers.
    fn repeated(&self) -> usize {
        0
    }

    /// The number of games for each candidate that the method wants, as a factor of the usual number. It is 1 unless the
    /// settings of a method allow more.
    fn effort(&self) -> f64 {
        1.0
    }
}

/// The result of one candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    /// The fitness; larger is better. A number that is not finite is worse than all finite ones.
    pub fitness: f64,
    /// The standard error of the fitness, if it is known.
    pub sd: Option<f64>,
    /// Whether the candidate won, for the selection `winners-first`.
    pub won: bool,
    /// The place among the survivors of a knockout, from 0; `None` if the candidate was knocked out, or there is no
    /// knockout.
    pub place: Option<u32>,
}

impl Told {
    /// A fitness alone. The candidate won if it is larger than 0.
    pub fn of(fitness: f64) -> Self {
        Self { fitness, sd: None, won: fitness > 0.0, place: None }
    }

    /// The fitness; −∞ if it is not finite.
    pub(super) fn comparable(&self) -> f64 {
        if self.fitness.is_finite() { self.fitness } else { f64::NEG_INFINITY }
    }
}

pub(super) fn need(
    setting: &'static str,
    value: impl Display,
    is_right: bool,
    range: &str,
) -> Result<(), Problem> {
    if is_right { Ok(()) } else { Err(Problem::new(setting, format!("it must be {range}, not {value}"))) }
}

pub(super) fn is_above_0(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

pub(super) fn need_chance(setting: &'static str, chance: f64) -> Result<(), Problem> {
    need(setting, chance, (0.0..=1.0).contains(&chance), "in [0, 1]")
}

/// The indices of the results, best first; of equal ones the earlier is first.
pub(super) fn by_fitness(told: &[Told]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..told.len()).collect();
    order.sort_by(|&a, &b| told[b].comparable().total_cmp(&told[a].comparable()));
    order
}
