//! The weights and learning rates of CMA-ES: eqs. 49–58 and table 1 of the tutorial.

#[derive(Clone, Debug)]
pub(super) struct Constants {
    /// The weight of each candidate, best first. Those of the worse half are negative, or 0 if the method is not
    /// active or the matrix is diagonal.
    pub(super) weights: Vec<f64>,
    pub(super) mu_eff: f64,
    pub(super) c_sigma: f64,
    pub(super) d_sigma: f64,
    pub(super) c_c: f64,
    pub(super) c_1: f64,
    pub(super) c_mu: f64,
    /// E‖N(0, I)‖.
    pub(super) expected_length: f64,
    /// The number of generations between two computations of the eigenvectors (section B.2).
    pub(super) lazy: u64,
}

impl Constants {
    pub(super) fn new(genes: usize, population: usize, is_diagonal: bool, active: bool) -> Self {
        let n = genes as f64;
        let parents = population / 2;
        let middle = libm::log(f64::midpoint(population as f64, 1.0));
        let mut weights: Vec<f64> = (1..=population).map(|rank| middle - libm::log(rank as f64)).collect();
        let effective = |weights: &[f64]| {
            let sum = weights.iter().sum::<f64>();
            sum * sum / weights.iter().map(|weight| weight * weight).sum::<f64>()
        };
        let (mu_eff, mu_eff_minus) = (effective(&weights[..parents]), effective(&weights[parents..]));

        // Eqs. 56–58.
        let c_c = (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n);
        let mut c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
        let mut c_mu =
            (2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / ((n + 2.0) * (n + 2.0) + mu_eff)).min(1.0 - c_1);
        if is_diagonal {
            let faster = (n + 2.0) / 3.0;
            c_1 = (c_1 * faster).min(1.0);
            c_mu = (c_mu * faster).min(1.0 - c_1);
        }

        // Eq. 53, with the bounds of eqs. 50–52 on the sum of the negative weights.
        let positive: f64 = weights.iter().filter(|&&weight| weight > 0.0).sum();
        let negative: f64 = weights.iter().filter(|&&weight| weight < 0.0).map(|weight| -weight).sum();
        let bound = if is_diagonal || !active || c_mu == 0.0 {
            0.0
        } else {
            let alphas = [
                1.0 + c_1 / c_mu,
                1.0 + 2.0 * mu_eff_minus / (mu_eff + 2.0),
                (1.0 - c_1 - c_mu) / (n * c_mu),
            ];
            alphas.into_iter().fold(f64::INFINITY, f64::min)
        };
        for weight in &mut weights {
            *weight *= if *weight >= 0.0 { 1.0 / positive } else { bound / negative };
        }

        // Eq. 55.
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let d_sigma = 1.0 + 2.0 * (((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        Self {
            weights,
            mu_eff,
            c_sigma,
            d_sigma,
            c_c,
            c_1,
            c_mu,
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            lazy: ((1.0 / (10.0 * n * (c_1 + c_mu))) as u64).max(1),
        }
    }

    pub(super) fn population(&self) -> usize {
        self.weights.len()
    }

    /// μ, the number of candidates that move the mean.
    pub(super) fn parents(&self) -> usize {
        self.weights.len() / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of the positive weights is 1; all weights together leave the covariance positive definite.
    #[test]
    fn weights_have_their_sums() {
        for (genes, population) in [(1, 4), (2, 6), (10, 10), (10, 200), (300, 21)] {
            for is_diagonal in [false, true] {
                let constants = Constants::new(genes, population, is_diagonal, true);
                let positive: f64 = constants.weights.iter().take(constants.parents()).sum();
                assert!((positive - 1.0).abs() < 1e-12, "{genes} {population} {positive}");
                assert!(constants.weights.is_sorted_by(|a, b| a >= b));
                let negative: f64 = constants.weights.iter().filter(|&&weight| weight < 0.0).sum();
                assert_eq!(negative == 0.0, is_diagonal, "{genes} {population}");
                let Constants { c_1, c_mu, .. } = constants;
                let keep = 1.0 - c_1 - c_mu * constants.weights.iter().sum::<f64>();
                assert!(
                    keep + c_mu * negative * genes as f64 >= -1e-12,
                    "{genes} {population} {keep} {negative}"
                );
            }
        }
    }

    /// Table 1 of the tutorial for ten genes, computed by hand: μ = 5.
    #[test]
    fn ten_genes_have_the_constants_of_the_tutorial() {
        let constants = Constants::new(10, 10, false, true);
        assert!((constants.mu_eff - 3.1672).abs() < 1e-3, "{}", constants.mu_eff);
        assert!((constants.c_sigma - 0.2844).abs() < 1e-3, "{}", constants.c_sigma);
        assert!((constants.d_sigma - 1.2844).abs() < 1e-3, "{}", constants.d_sigma);
        assert!((constants.c_1 - 0.01529).abs() < 1e-4, "{}", constants.c_1);
        assert!((constants.expected_length - 3.0847).abs() < 1e-3, "{}", constants.expected_length);
    }
}
