//! The method of an optimisation, as options: the key `method` of a manifest.

use crate::game::options::{Part, PartDecl, Parts, Settings, part, settings};
use crate::optimise::climb::{self, Climb};
use crate::optimise::cma_es::{self, CmaEs};
use crate::optimise::genetic::{self, Genetic, Knockout};
use crate::optimise::ntbea::{self, Ntbea};
use crate::optimise::spsa::{self, Spsa};
use crate::optimise::{Method, Problem, Space};
use crate::rng::Stream;

settings! {
    /// The option `method`.
    #[derive(Clone, Debug)]
    pub struct MethodSettings {
        /// the method that chooses candidates
        method: MethodPart = part(),
    }
}

/// Declares the methods: the name, the settings, and what is made of them.
macro_rules! methods {
    ($($name:literal: $variant:ident = $module:ident::$method:ident, $about:literal;)*) => {
        /// A method with its settings.
        #[derive(Clone, Debug)]
        pub enum MethodPart {
            $(#[doc = $about] $variant($module::Settings),)*
        }

        impl Parts for MethodPart {
            fn parts() -> Vec<PartDecl> {
                vec![$(PartDecl::new($name, $about, $module::Settings::options())),*]
            }

            fn read(part: &Part) -> Option<Self> {
                let read = match &*part.name {
                    $($name => Self::$variant($module::Settings::read(&part.options)),)*
                    _ => return None,
                };
                Some(match read {
                    Self::Genetic(settings) if settings.as_published => Self::Genetic(settings.as_published()),
                    Self::Climb(settings) => Self::Climb(settings.with_faults()),
                    read => read,
                })
            }
        }

        impl MethodPart {
            pub(crate) fn check(&self, space: &Space) -> Result<(), Problem> {
                match self { $(Self::$variant(settings) => settings.check(space),)* }
            }

            /// The method at its beginning.
            ///
            /// # Panics
            /// If the settings do not fit the space.
            pub fn begin(&self, space: Space, stream: Stream) -> Box<dyn Method> {
                match self.clone() { $(Self::$variant(settings) => Box::new($method::new(space, settings, stream)),)* }
            }
        }
    };
}

methods! {
    "genetic": Genetic = genetic::Genetic, "a genetic algorithm (Holland 1975; Eiben, Smith 2015)";
    "cma-es": CmaEs = cma_es::CmaEs,
        "evolution strategy with covariance matrix adaptation, for real genes (Hansen 2016)";
    "climb": Climb = climb::Climb, "local search, as source N did it";
    "ntbea": Ntbea = ntbea::Ntbea,
        "n-tuple bandit, for words and whole numbers under noise (Lucas, Liu, Perez-Liebana 2018)";
    "spsa": Spsa = spsa::Spsa, "slopes from pairs of candidates, for numbers under noise (Spall 1992, 1998)";
}

impl MethodPart {
    /// The knockout that decides the fitness, and the number of its survivors.
    pub fn knockout(&self) -> Option<(Knockout, usize)> {
        let Self::Genetic(settings) = self else { return None };
        Some((settings.selection.knockout()?, settings.parents))
    }

    pub(crate) fn refuses_racing(&self) -> Option<&'static str> {
        match self {
            Self::Genetic(_) | Self::Climb(_) | Self::CmaEs(cma_es::Settings { re_evaluate: false, .. }) => {
                None
            }
            Self::CmaEs(_) => Some(
                "with `re-evaluate` candidates play with different luck, so they cannot be compared game by game",
            ),
            Self::Ntbea(_) | Self::Spsa(_) => Some(
                "this method learns from how large a difference is, and a candidate that leaves early has too few games for \
                 that; take `genetic`, `climb` or `cma-es`",
            ),
        }
    }
}
