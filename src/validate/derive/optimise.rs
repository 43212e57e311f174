//! The methods of optimisation on test functions.

use rayon::prelude::*;

use super::{Context, Derive, Derived, choice, count, derivation, measures, seed};
use crate::game::divided;
use crate::game::options::flag;
use crate::optimise::cma_es::{self, CmaEs};
use crate::optimise::functions::{
    ellipsoid, evaluations_to, minimise_under_noise, rastrigin, rosenbrock, sphere,
};
use crate::optimise::ntbea::{self, Ntbea};
use crate::optimise::spsa::{self, Spsa};
use crate::optimise::{Gene, Method, Space, Start};
use crate::rng::Stream;
use crate::stats::{Confidence, median};
use crate::validate::{Found, Value};

/// A function with the method that is tested on it.
#[derive(Clone, Copy)]
enum Problem {
    /// CMA-ES, in dimension 10, to a value below 10⁻⁹.
    Minimise { function: fn(&[f64]) -> f64, start: f64, sigma: f64, population: usize },
    /// NTBEA: ten bits, the number of ones, and noise of standard deviation 1; solved if all ones are found.
    OneMax { evaluations: u64 },
    /// SPSA: the sphere in dimension 10, where it is 10, with noise of standard deviation 1; solved if it is below 0.03.
    NoisyQuadratic { evaluations: u64 },
}

const PROBLEMS: [(&str, Problem); 6] = [
    ("sphere", Problem::Minimise { function: sphere, start: 3.0, sigma: 2.0, population: 10 }),
    ("ellipsoid", Problem::Minimise { function: ellipsoid, start: 3.0, sigma: 2.0, population: 10 }),
    ("rosenbrock", Problem::Minimise { function: rosenbrock, start: 0.0, sigma: 0.5, population: 10 }),
    ("rastrigin", Problem::Minimise { function: rastrigin, start: 3.0, sigma: 2.0, population: 200 }),
    ("noisy-one-max", Problem::OneMax { evaluations: 300 }),
    ("noisy-quadratic", Problem::NoisyQuadratic { evaluations: 2000 }),
];

/// A run that needs more did not solve its problem.
const MOST_EVALUATIONS: u64 = 100_000;

measures! {
    /// The number of runs that solved the problem.
    Solved,
    /// The median number of their evaluations.
    Evaluations,
}

derivation! { read(section, _path, _registry) -> Optimise {
    problem: Problem = section.get("problem", &choice(&PROBLEMS))?,
    active: bool = section.get("active", &flag(true))?,
    runs: u64 = section.get("runs", &count(10_000))?,
    measure: Measure = Measure::read(section)?,
    seed: u64 = section.get("seed", &seed())?,
} }

impl Optimise {
    /// The evaluations of a run; `None` if it did not solve the problem.
    fn run(&self, run: u64) -> Option<u64> {
        let stream = Stream::new(self.seed) / "validate" / "optimise" / run;
        let mut noise = (stream / "noise").rng();
        match self.problem {
            Problem::Minimise { function, start, sigma, population } => {
                let (population, active) = (Some(population), self.active);
                let settings = cma_es::Settings { population, sigma, active, ..cma_es::Settings::default() };
                let mut method = CmaEs::new(unbounded(start), settings, stream);
                evaluations_to(&mut method, function, 1e-9, MOST_EVALUATIONS)
            }
            Problem::OneMax { evaluations } => {
                let (genes, start) = (vec![Gene::Word { count: 2 }; 10], vec![Start::Uniform; 10]);
                let space = Space { genes, start, normalise: Vec::new() };
                let zeros = |bits: &[f64]| 10.0 - bits.iter().sum::<f64>();
                let mut method = Ntbea::new(space, ntbea::Settings::default(), stream);
                minimise_under_noise(&mut method, zeros, 1.0, evaluations, &mut noise);
                (zeros(&method.best()) == 0.0).then_some(evaluations)
            }
            Problem::NoisyQuadratic { evaluations } => {
                let settings =
                    spsa::Settings { a: 0.1, c: 1.0, stability: 100.0, ..spsa::Settings::default() };
                let mut method = Spsa::new(unbounded(1.0), settings, stream);
                minimise_under_noise(&mut method, sphere, 1.0, evaluations, &mut noise);
                (sphere(&method.best()) < 0.03).then_some(evaluations)
            }
        }
    }
}

/// Ten real genes that begin at one value.
fn unbounded(start: f64) -> Space {
    let space = Space::reals(10, f64::NEG_INFINITY, f64::INFINITY);
    Space { start: vec![Start::At(start); 10], ..space }
}

impl Derive for Optimise {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let runs: Vec<Option<u64>> =
            divided(|| (0..self.runs).into_par_iter().map(|run| self.run(run)).collect());
        let mut solved: Vec<f64> = runs.into_iter().flatten().map(|evaluations| evaluations as f64).collect();
        if self.measure == Measure::Solved {
            return Ok(Found::Exact(vec![Value::Whole(solved.len() as i64)]));
        }
        if solved.is_empty() {
            return Err("no run solved the problem".into());
        }
        solved.sort_by(f64::total_cmp);
        let middle = median(&solved, Confidence::default_level()).value;
        Ok(Found::Exact(vec![Value::Real(middle)]))
    }
}
