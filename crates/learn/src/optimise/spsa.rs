//! SPSA, simultaneous perturbation stochastic approximation: Spall 1992, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", IEEE Transactions on Automatic Control 37(3); its settings are those of
//! Spall 1998, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", IEEE Transactions
//! on Aerospace and Electronic Systems 34(3).
//!
//! Two candidates θ + c Δ and θ − c Δ estimate the slope in all dimensions at once. So it suits noisy fitnesses: chess
//! engines are tuned by it, with games between both candidates or against a third.

use super::method::{is_above_0, need, need_chance};
use super::{Gene, Genes, Method, Problem, Space, Told};
use crate::rng::Stream;
use crate::stats::draw;

/// The settings of SPSA. Lengths are shares of the width of each gene: that of its bounds, or of its first values, or their
/// standard deviation, else 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// a, the numerator of the step: aₖ = a / (A + k + 1)^α. Above 0; there is no default, because it depends on the slope of
    /// the fitness. With the wanted first step s and a slope g it is s (A + 1)^α / g.
    pub a: f64,
    /// c, the first distance of a candidate from θ: cₖ = c / (k + 1)^γ. Above 0, default 0.05. About the standard deviation of
    /// the fitness divided by its slope (Spall 1998).
    pub c: f64,
    /// A, the stability constant, 0 or more; about a tenth of the generations (Spall 1998). Default 10.
    pub stability: f64,
    /// α, in (0, 1]; default 0.602 (Spall 1998).
    pub alpha: f64,
    /// γ, in [0, 1]; default 0.101 (Spall 1998).
    pub gamma: f64,
    /// The pairs of candidates whose slopes are averaged in a generation (Spall 1992, section III); default 1.
    pub pairs: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { a: 1.0, c: 0.05, stability: 10.0, alpha: 0.602, gamma: 0.101, pairs: 1 }
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
