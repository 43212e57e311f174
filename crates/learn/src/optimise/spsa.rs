//! SPSA, simultaneous perturbation stochastic approximation: Spall 1992, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", IEEE Transactions on Automatic Control 37(3); its settings are those of
//! Spall 1998, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", IEEE Transactions
//! on Aerospace and Electronic Systems 34(3).
//!
//! Two candidates θ + c Δ and θ − c Δ estimate the slope in all dimensions at once. So it suits noisy fitnesses: chess
//! engines are tuned by it, with games between both candidates or against a third.

use super::method::{is_above_0, need, need_chance};
use super::{Gene, Genes, Method, Problem, Space, Told};
use crate::game::options::{integer, real, settings};
use crate::rng::Stream;
use crate::stats::draw;

settings! {
    /// The settings of SPSA (Spall 1998). Lengths are shares of the width of each gene: that of its bounds, or of its first values,
    /// or their standard deviation, else 1.
    ///
    /// The step is aₖ = a / (A + k + 1)^α with the stability constant A. a depends on the slope of the fitness: with the wanted first
    /// step s and a slope g it is s (A + 1)^α / g. The distance is cₖ = c / (k + 1)^γ; c is about the standard deviation of the
    /// fitness divided by its slope. The slopes of the pairs are averaged (Spall 1992, section III).
    #[derive(Clone, Debug, PartialEq)]
    pub struct Settings {
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
    }
}

impl Settings {
    /// Checks the settings and the space.
    ///
    /// # Errors
    /// Returns the first problem. Words have no slope and are refused; whole numbers are rounded.
    pub fn check(&self, space: &Space) -> Result<(), Problem> {
        space.check()?;
        if space.genes.iter().any(|gene| matches!(gene, Gene::Word { .. })) {
            let reason = "a word has no slope; use `ntbea` or `genetic`, or remove the words";
            return Err(Problem::new("spsa", reason));
        }
        let &Self { a, c, stability, alpha, gamma, pairs } = self;
        need("a", a, is_above_0(a), "above 0")?;
        need("c", c, is_above_0(c), "above 0")?;
        need("stability", stability, stability == 0.0 || is_above_0(stability), "0 or more")?;
        need("alpha", alpha, alpha > 0.0 && alpha <= 1.0, "in (0, 1]")?;
        need_chance("gamma", gamma)?;
        need("pairs", pairs, pairs > 0, "at least 1")
    }
}

/// SPSA.
///
/// **Bounds.** θ stays within them. A candidate is estimated around the point nearest to θ whose both candidates are inside
/// (Sadegh 1997, "Constrained optimization via stochastic approximation with a simultaneous perturbation gradient
/// approximation", Automatica 33(5)).
pub struct Spsa {
    space: Space,
    settings: Settings,
    stream: Stream,
    generation: u64,
    units: Vec<f64>,
    /// θ, in units.
    point: Vec<f64>,
}

impl Spsa {
    /// SPSA before its first generation. θ begins at the centre of the first values.
    ///
    /// # Panics
    /// If [`Settings::check`] finds a problem.
    pub fn new(space: Space, settings: Settings, stream: Stream) -> Self {
        settings.check(&space).unwrap_or_else(|problem| panic!("{problem}"));
        let units: Vec<f64> = (0..space.len()).map(|gene| space.unit(gene)).collect();
        let point = units.iter().enumerate().map(|(gene, unit)| space.centre(gene) / unit).collect();
        Self { space, settings, stream, generation: 0, units, point }
    }

    /// Δ of each pair: 1 or −1 for each gene.
    fn directions(&self) -> Vec<Vec<f64>> {
        let mut rng = (self.stream / "generation" / self.generation).rng();
        let mut sign = |_| if draw::happens(&mut rng, 0.5) { 1.0 } else { -1.0 };
        (0..self.settings.pairs).map(|_| (0..self.point.len()).map(&mut sign).collect()).collect()
    }

    /// cₖ.
    fn distance(&self) -> f64 {
        self.settings.c / libm::pow(self.generation as f64 + 1.0, self.settings.gamma)
    }

    fn bounds(&self, gene: usize) -> (f64, f64) {
        let (low, high) = self.space.genes[gene].bounds();
        (low / self.units[gene], high / self.units[gene])
    }

    /// The candidate at a signed distance from θ.
    fn candidate(&self, direction: &[f64], distance: f64) -> Genes {
        let value = |gene: usize| {
            let (low, high) = self.bounds(gene);
            let room = distance.abs().min((high - low) / 2.0);
            (self.point[gene].clamp(low + room, high - room) + distance * direction[gene]) * self.units[gene]
        };
        let mut genes = (0..self.point.len()).map(value).collect();
        self.space.settle(&mut genes);
        genes
    }
}

impl Method for Spsa {
    /// For each pair θ + c Δ, then θ − c Δ.
    fn ask(&mut self) -> Vec<Genes> {
        let distance = self.distance();
        let pair = |direction: &Vec<f64>| [1.0, -1.0].map(|sign| self.candidate(direction, sign * distance));
        self.directions().iter().flat_map(pair).collect()
    }

    fn tell(&mut self, told: &[Told]) {
        assert_eq!(told.len(), 2 * self.settings.pairs, "one result for each candidate");
        let Settings { a, stability, alpha, pairs, .. } = self.settings;
        let gain = a / libm::pow(stability + self.generation as f64 + 1.0, alpha);
        let distance = self.distance();
        let directions = self.directions();
        for gene in 0..self.point.len() {
            let slope = |(direction, two): (&Vec<f64>, &[Told])| {
                let difference = two[0].fitness - two[1].fitness;
                // A result that is no number says nothing about the slope.
                if difference.is_finite() { difference / (2.0 * distance) * direction[gene] } else { 0.0 }
            };
            let slope = directions.iter().zip(told.chunks(2)).map(slope).sum::<f64>() / pairs as f64;
            let (low, high) = self.bounds(gene);
            self.point[gene] = (self.point[gene] + gain * slope).clamp(low, high);
        }
        self.generation += 1;
    }

    fn best(&self) -> Genes {
        self.candidate(&vec![0.0; self.point.len()], 0.0)
    }
}
