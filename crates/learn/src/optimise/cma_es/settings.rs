//! The settings of CMA-ES.

use super::ReEvaluate;
use crate::optimise::method::{is_above_0, need};
use crate::optimise::{Gene, Problem, Space};

/// Up to this number of genes the matrix is full by default.
const MOST_FOR_FULL: usize = 300;

/// The settings of CMA-ES.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The number of candidates of a generation, λ, at least 4; default 4 + ⌊3 ln n⌋ for n genes (eq. 48). More are for
    /// noise and for many local optima.
    pub population: Option<usize>,
    /// The first standard deviation, σ₀, above 0, as a share of the width of each gene: that of its bounds, or of its first values,
    /// or their standard deviation, else 1; default 0.3.
    pub sigma: f64,
    /// The covariance matrix.
    pub covariance: Matrix,
    /// Whether the covariance also learns from the worse half of the candidates, by negative weights (eqs. 46 to 53, "active"
    /// CMA-ES); default true. It needs a third less evaluations where axes differ. A diagonal matrix never does.
    pub active: bool,
    /// Whether some candidates are evaluated twice, to measure the noise.
    pub re_evaluate: ReEvaluate,
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

impl Default for Settings {
    fn default() -> Self {
        Self {
            population: None,
            sigma: 0.3,
            covariance: Matrix::default(),
            active: true,
            re_evaluate: ReEvaluate::default(),
        }
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
        self.re_evaluate.check()
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
