//! The settings of CMA-ES.

use crate::game::options::{choice, flag, integer_or, real, settings};
use crate::optimise::method::{is_above_0, need};
use crate::optimise::{Gene, Problem, Space};

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
    /// The covariance matrix of [`CmaEs`](super::CmaEs).
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
    pub(super) fn is_diagonal(&self, genes: usize) -> bool {
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
