//! CMA-ES, the evolution strategy with covariance matrix adaptation: Hansen 2016, "The CMA Evolution Strategy: A
//! Tutorial", arXiv 1604.00772. The numbers of equations are those of the tutorial.
//!
//! Candidates are drawn from a normal distribution, whose mean, covariance matrix and step size follow the best of them.
//! With a full matrix a generation costs O(λ n² + n³) for n genes and λ candidates, with a diagonal one O(λ n).

mod constants;
mod covariance;
mod eigen;
mod noise;

use constants::Constants;
use covariance::Covariance;
use noise::Noise;

use super::method::{by_fitness, is_above_0, need};
use super::{Gene, Genes, Method, Problem, Space, Told};
use crate::game::options::{choice, flag, integer_or, real, settings};
use crate::rng::Stream;
use crate::stats::draw;

/// Up to this number of genes the matrix is full by default.
const MOST_FOR_FULL: usize = 300;

settings! {
    /// The settings of CMA-ES, with 4 + ⌊3 ln n⌋ candidates for n genes by default (eq. 48); more are for noise and for many local
    /// optima. The unit of the standard deviation is the width of a gene's bounds, or of its first values, or their standard
    /// deviation, else 1. "Active" CMA-ES has negative weights (eqs. 46 to 53): it needs a third less evaluations where axes differ.
    /// A diagonal matrix never has them.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Settings {
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
    }
}

words! {
    /// The covariance matrix of [`CmaEs`].
    pub enum Matrix {
        Automatic = "full up to 300 genes, else diagonal",
        Full = "it learns which genes change together",
        /// Learning rates are (n + 2) / 3 times as large ("A simple modification in CMA-ES achieving linear time and space
        /// complexity").
        Diagonal = "linear in the genes (Ros, Hansen 2008)",
    }
}

impl Settings {
    /// Checks the settings and the space.
    ///
    /// # Errors
    /// Returns the first problem. Words have no order and are refused; whole numbers are rounded.
    pub fn check(&self, space: &Space) -> Result<(), Problem> {
        space.check()?;
        if space.genes.iter().any(|gene| matches!(gene, Gene::Word { .. })) {
            let reason =
                "a word has no order, so no step can be made; use `ntbea` or `genetic`, or remove the words";
            return Err(Problem::new("cma-es", reason));
        }
        if self.population.is_some_and(|population| population < 4) {
            return Err(Problem::new("population", "it must be at least 4"));
        }
        need("sigma", self.sigma, is_above_0(self.sigma), "above 0")?;
        let most = self.most_effort;
        need("most-effort", most, most.is_finite() && most >= 1.0, "at least 1")
    }

    /// Whether the matrix is diagonal for this number of genes.
    fn is_diagonal(&self, genes: usize) -> bool {
        match self.covariance {
            Matrix::Automatic => genes > MOST_FOR_FULL,
            Matrix::Full => false,
            Matrix::Diagonal => true,
        }
    }

    /// The number of candidates of a generation for this number of genes.
    pub fn population(&self, genes: usize) -> usize {
        self.population.unwrap_or(4 + (3.0 * libm::log(genes as f64)) as usize)
    }
}

/// CMA-ES.
///
/// **Bounds.** A candidate outside the bounds is reflected into them, as often as necessary, for the evaluation; the method
/// learns from the point that it drew. So the best point may be at a bound. Rejected: moving it to the bound, because then
/// the distribution is no longer normal, and the step size falls too early. Whole numbers are rounded.
pub struct CmaEs {
    space: Space,
    stream: Stream,
    constants: Constants,
    /// The unit of each gene. Everything below is in these units.
    units: Vec<f64>,
    first_sigma: f64,
    sigma: f64,
    mean: Vec<f64>,
    covariance: Covariance,
    /// The path of the step size, and the path of the covariance.
    paths: [Vec<f64>; 2],
    generation: u64,
    /// How many generations were told in which all fitnesses were equal.
    flat: usize,
    noise: Noise,
}

impl CmaEs {
    /// CMA-ES before its first generation. The mean begins at the centre of the first values.
    ///
    /// # Panics
    /// If [`Settings::check`] finds a problem.
    pub fn new(space: Space, settings: Settings, stream: Stream) -> Self {
        settings.check(&space).unwrap_or_else(|problem| panic!("{problem}"));
        let genes = space.len();
        let is_diagonal = settings.is_diagonal(genes);
        let units: Vec<f64> = (0..genes).map(|gene| space.unit(gene)).collect();
        let mean = (0..genes).map(|gene| space.centre(gene) / units[gene]).collect();
        let constants = Constants::new(genes, settings.population(genes), is_diagonal, settings.active);
        Self {
            stream,
            units,
            first_sigma: settings.sigma,
            sigma: settings.sigma,
            mean,
            covariance: Covariance::unit(genes, is_diagonal),
            paths: [vec![0.0; genes], vec![0.0; genes]],
            generation: 0,
            flat: 0,
            noise: Noise::new(&settings, constants.population()),
            constants,
            space,
        }
    }

    /// The step size, σ.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The points of the generation, in units.
    fn points(&self) -> Vec<Vec<f64>> {
        let mut rng = (self.stream / "generation" / self.generation).rng();
        let steps = |_| {
            let normal: Vec<f64> = self.mean.iter().map(|_| draw::normal(&mut rng)).collect();
            let steps = self.covariance.scaled(&normal);
            self.mean.iter().zip(steps).map(|(mean, step)| mean + self.sigma * step).collect()
        };
        (0..self.constants.population()).map(steps).collect()
    }

    fn genes(&self, point: &[f64]) -> Genes {
        let value = |((value, unit), gene): ((&f64, &f64), &Gene)| gene.reflected(value * unit);
        let mut genes = point.iter().zip(&self.units).zip(&self.space.genes).map(value).collect();
        self.space.settle(&mut genes);
        genes
    }

    /// The steps of the points from the mean, in units of σ, best first.
    fn steps(&self, told: &[Told]) -> Vec<Vec<f64>> {
        let points = self.points();
        let step = |index: usize| {
            points[index].iter().zip(&self.mean).map(|(value, mean)| (value - mean) / self.sigma).collect()
        };
        by_fitness(told).into_iter().map(step).collect()
    }

    fn update(&mut self, steps: &[Vec<f64>]) {
        let Constants { c_sigma, d_sigma, c_c, c_1, c_mu, mu_eff, expected_length, .. } = self.constants;
        let genes = self.mean.len() as f64;
        let (steps_and_weights, parents) =
            (steps.iter().zip(&self.constants.weights), self.constants.parents());

        // Eqs. 41, 42: the mean moves by the weighted mean of the best steps.
        let mut shift = vec![0.0; self.mean.len()];
        for (step, weight) in steps_and_weights.clone().take(parents) {
            for (shift, value) in shift.iter_mut().zip(step) {
                *shift += weight * value;
            }
        }
        for (mean, shift) in self.mean.iter_mut().zip(&shift) {
            *mean += self.sigma * shift;
        }

        // Eqs. 43, 44: the path of the step size, and the step size.
        let whitened = self.covariance.whitened(&shift);
        let [path_sigma, path_c] = &mut self.paths;
        let gain = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        for (path, value) in path_sigma.iter_mut().zip(&whitened) {
            *path = (1.0 - c_sigma) * *path + gain * value;
        }
        let length = path_sigma.iter().map(|value| value * value).sum::<f64>().sqrt();
        let generations = 2.0 * (self.generation as f64 + 1.0);
        let bias = (1.0 - libm::pow(1.0 - c_sigma, generations)).sqrt();
        let is_short = length / bias < (1.4 + 2.0 / (genes + 1.0)) * expected_length;
        let exponent = (c_sigma / d_sigma) * (length / expected_length - 1.0);
        self.sigma *= libm::exp(exponent.min(1.0));

        // Eqs. 45–47: the path of the covariance, and the covariance.
        let gain = if is_short { (c_c * (2.0 - c_c) * mu_eff).sqrt() } else { 0.0 };
        for (path, value) in path_c.iter_mut().zip(&shift) {
            *path = (1.0 - c_c) * *path + gain * value;
        }
        let lost = if is_short { 0.0 } else { c_c * (2.0 - c_c) };
        let terms: Vec<(f64, &[f64])> = steps_and_weights
            .map(|(step, &weight)| {
                let length = self.covariance.length(step);
                let weight =
                    if weight < 0.0 { weight * genes / (length * length).max(1e-300) } else { weight };
                (c_mu * weight, &**step)
            })
            .chain([(c_1, &**path_c)])
            .collect();
        let keep = 1.0 + c_1 * lost - c_1 - c_mu * self.constants.weights.iter().sum::<f64>();
        self.covariance.update(keep, &terms);
        if (self.generation + 1).is_multiple_of(self.constants.lazy) {
            self.covariance.refresh();
        }
    }
}

impl Method for CmaEs {
    fn ask(&mut self) -> Vec<Genes> {
        let mut asked: Vec<Genes> = self.points().iter().map(|point| self.genes(point)).collect();
        asked.extend_from_within(..self.noise.repeated());
        asked
    }

    fn tell(&mut self, told: &[Told]) {
        let population = self.constants.population();
        assert_eq!(told.len(), population + self.noise.repeated(), "one result for each candidate");
        let (first, again) = told.split_at(population);
        let told = self.noise.measure(first, again);
        let steps = self.steps(&told);
        self.update(&steps);
        self.sigma *= self.noise.growth(self.mean.len());
        let is_flat = told.iter().all(|other| other.comparable() == told[0].comparable());
        self.flat = if is_flat { self.flat + 1 } else { 0 };
        self.generation += 1;
    }

    fn best(&self) -> Genes {
        self.genes(&self.mean)
    }

    fn finished(&self) -> Option<String> {
        let (least, most) = self.covariance.deviations();
        let patience = 10 + 30 * self.mean.len() / self.constants.population();
        if !(self.sigma.is_finite() && most.is_finite()) {
            Some("the step size is no longer a number".into())
        } else if self.sigma * most < 1e-12 * self.first_sigma {
            Some("the steps are 10^-12 of the first ones".into())
        } else if most > 1e7 * least {
            Some("the axes of the distribution have a ratio above 10^7".into())
        } else if self.flat >= patience {
            Some(format!("all candidates of {patience} generations had the same fitness"))
        } else {
            None
        }
    }

    fn repeated(&self) -> usize {
        self.noise.repeated()
    }

    fn effort(&self) -> f64 {
        self.noise.effort()
    }
}
