//! The method of an optimisation, as options: the key `method` of a manifest.

use crate::game::options::{choice, flag, integer, integer_or, part, parts, real, settings};
use crate::optimise::climb::{self, Climb, Keep};
use crate::optimise::cma_es::{self, CmaEs, Matrix, ReEvaluate};
use crate::optimise::genetic::{self, Crossover, Genetic, Knockout, Mutation, Selection};
use crate::optimise::ntbea::{self, Ntbea};
use crate::optimise::spsa::{self, Spsa};
use crate::optimise::{Method, Problem, Space};
use crate::rng::Stream;

settings! {
    /// The option `method`.
    #[derive(Clone, Debug)]
    pub(crate) struct MethodSettings {
        /// the method that chooses candidates
        method: MethodPart = part(),
    }
}

/// A method with its settings.
#[derive(Clone, Debug)]
pub(crate) enum MethodPart {
    Genetic(genetic::Settings),
    CmaEs(cma_es::Settings),
    Climb(climb::Settings),
    Ntbea(ntbea::Settings),
    Spsa(spsa::Settings),
}

parts! {
    impl MethodPart {
        /// a genetic algorithm (Holland 1975; Eiben, Smith 2015)
        Genetic {
            /// candidates of a generation
            population: usize = integer(2..=1_000_000, 32).capped(4),
            /// candidates that are selected
            parents: usize = integer(1..=1_000_000, 16).capped(2),
            /// candidates that are kept unchanged
            elites: usize = integer(0..=1_000_000, 0).capped(0),
            /// how parents are selected
            selection: Selection = part(),
            /// how a child inherits
            crossover: Crossover = part(),
            /// how a child is changed
            mutation: Mutation = part(),
            /// fault: kept candidates are mutated like the others (source B)
            mutate_elites: bool = flag(false),
            /// sets every fault of the chosen operators
            as_published: bool = flag(false),
        } => {
            let settings = genetic::Settings {
                population,
                parents,
                elites,
                mutate_elites,
                selection,
                crossover,
                mutation,
            };
            Self::Genetic(if as_published { settings.as_published() } else { settings })
        },
        /// evolution strategy with covariance matrix adaptation, for real genes (Hansen 2016)
        CmaEs {
            /// candidates of a generation; by default 4 + 3 ln(genes)
            population: Option<usize> = integer_or(4..=1_000_000, "default", None).capped(4),
            /// the first standard deviation, as a share of the width of each gene
            sigma: f64 = real(1e-12..=1e12, 0.3),
            /// the covariance matrix
            covariance: Matrix = Matrix::setting(),
            /// whether the covariance learns from the worse candidates too
            active: bool = flag(true),
            /// whether some candidates are evaluated twice, to measure the noise (Hansen and others 2009)
            re_evaluate: bool = choice([
                ("never", "no candidate is", false),
                ("as-noise-asks", "a tenth of them; noise asks for more games", true),
            ]),
            /// the largest factor of the games of a candidate
            most_effort: f64 = real(1.0..=1e6, 10.0),
        } => {
            let re_evaluate = if re_evaluate { ReEvaluate::AsNoiseAsks { most_effort } } else { ReEvaluate::Never };
            Self::CmaEs(cma_es::Settings { population, sigma, covariance, active, re_evaluate })
        },
        /// local search, as source N did it
        Climb {
            /// candidates of a generation
            population: usize = integer(2..=1_000_000, 10).capped(4),
            /// who is kept
            keep: Keep = part(),
            /// the largest step of a gene
            step: f64 = real(1e-12..=1e12, 0.1),
            /// the chance that a child is drawn anew
            redraw: f64 = real(0.0..=1.0, 0.03),
            /// sets the faults of what is kept
            as_published: bool = flag(false),
        } => {
            let settings = climb::Settings { population, keep, step, redraw };
            Self::Climb(if as_published { settings.as_published() } else { settings })
        },
        /// n-tuple bandit, for words and whole numbers under noise (Lucas, Liu, Perez-Liebana 2018)
        Ntbea {
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
        } => Self::Ntbea(ntbea::Settings { population, neighbours, exploration, epsilon, triples }),
        /// slopes from pairs of candidates, for numbers under noise (Spall 1992, 1998)
        Spsa {
            /// the numerator of the step
            a: f64 = real(1e-12..=1e12, 1.0),
            /// the first distance of a candidate from the centre, as a share of the width of each gene
            c: f64 = real(1e-12..=1e12, 0.05),
            /// the stability constant: about a tenth of the generations
            stability: f64 = real(0.0..=1e12, 10.0),
            /// the exponent of the step
            alpha: f64 = real(1e-3..=1.0, 0.602),
            /// the exponent of the distance
            gamma: f64 = real(0.0..=1.0, 0.101),
            /// pairs of candidates in a generation
            pairs: usize = integer(1..=1_000_000, 1).capped(2),
        } => Self::Spsa(spsa::Settings { a, c, stability, alpha, gamma, pairs }),
    }
}

impl MethodPart {
    /// The knockout that decides the fitness, and the number of its survivors.
    pub(crate) fn knockout(&self) -> Option<(Knockout, usize)> {
        let Self::Genetic(settings) = self else { return None };
        let Selection::Knockout(knockout) = settings.selection else { return None };
        Some((knockout, settings.parents))
    }

    /// Why candidates cannot leave early with this method, if they cannot.
    pub(crate) fn refuses_racing(&self) -> Option<&'static str> {
        match self {
            Self::Genetic(_)
            | Self::Climb(_)
            | Self::CmaEs(cma_es::Settings { re_evaluate: ReEvaluate::Never, .. }) => None,
            Self::CmaEs(_) => Some(
                "with `re-evaluate` candidates play with different luck, so they cannot be compared game by game",
            ),
            Self::Ntbea(_) | Self::Spsa(_) => Some(
                "this method learns from how large a difference is, and a candidate that leaves early has too few games for \
                 that; take `genetic`, `climb` or `cma-es`",
            ),
        }
    }

    /// Checks the settings against each other and the space.
    pub(crate) fn check(&self, space: &Space) -> Result<(), Problem> {
        match self {
            Self::Genetic(settings) => settings.check(space),
            Self::CmaEs(settings) => settings.check(space),
            Self::Climb(settings) => settings.check(space),
            Self::Ntbea(settings) => settings.check(space),
            Self::Spsa(settings) => settings.check(space),
        }
    }

    /// The method at its beginning.
    ///
    /// # Panics
    /// If [`MethodPart::check`] finds a problem.
    pub(crate) fn begin(&self, space: Space, stream: Stream) -> Box<dyn Method> {
        match self.clone() {
            Self::Genetic(settings) => Box::new(Genetic::new(space, settings, stream)),
            Self::CmaEs(settings) => Box::new(CmaEs::new(space, &settings, stream)),
            Self::Climb(settings) => Box::new(Climb::new(space, settings, stream)),
            Self::Ntbea(settings) => Box::new(Ntbea::new(space, settings, stream)),
            Self::Spsa(settings) => Box::new(Spsa::new(space, settings, stream)),
        }
    }
}
