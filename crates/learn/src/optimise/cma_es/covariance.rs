//! The covariance matrix of CMA-ES with its square root: full, or diagonal.

use super::eigen::eigen;

/// C = B D² Bᵀ, as it was when it was refreshed last; updates since then are in the matrix alone.
#[derive(Clone, Debug)]
pub(super) enum Covariance {
    Full {
        /// C, row by row.
        matrix: Vec<f64>,
        /// B: the eigenvectors are the columns.
        vectors: Vec<f64>,
        /// D: the square roots of the eigenvalues.
        roots: Vec<f64>,
    },
    Diagonal {
        variances: Vec<f64>,
        roots: Vec<f64>,
    },
}

/// Eigenvalues below this part of the largest are replaced by it: rounding made them.
const LEAST: f64 = 1e-20;

impl Covariance {
    /// The full unit matrix.
    pub(super) fn full(genes: usize) -> Self {
        let mut unit = vec![0.0; genes * genes];
        for gene in 0..genes {
            unit[gene * (genes + 1)] = 1.0;
        }
        Self::Full { matrix: unit.clone(), vectors: unit, roots: vec![1.0; genes] }
    }

    /// The diagonal unit matrix.
    pub(super) fn diagonal(genes: usize) -> Self {
        Self::Diagonal { variances: vec![1.0; genes], roots: vec![1.0; genes] }
    }

    /// B D z: a step with this covariance, from a standard normal vector.
    pub(super) fn scaled(&self, normal: &[f64]) -> Vec<f64> {
        match self {
            Self::Full { vectors, roots, .. } => {
                let stretched: Vec<f64> =
                    normal.iter().zip(roots).map(|(value, root)| value * root).collect();
                vectors.chunks(roots.len()).map(|row| dot(row, &stretched)).collect()
            }
            Self::Diagonal { roots, .. } => {
                normal.iter().zip(roots).map(|(value, root)| value * root).collect()
            }
        }
    }

    /// D⁻¹ Bᵀ y.
    fn coordinates(&self, step: &[f64]) -> Vec<f64> {
        match self {
            Self::Full { vectors, roots, .. } => {
                let mut sums = vec![0.0; roots.len()];
                for (row, value) in vectors.chunks(roots.len()).zip(step) {
                    for (sum, entry) in sums.iter_mut().zip(row) {
                        *sum += entry * value;
                    }
                }
                sums.iter().zip(roots).map(|(sum, root)| sum / root).collect()
            }
            Self::Diagonal { roots, .. } => {
                step.iter().zip(roots).map(|(value, root)| value / root).collect()
            }
        }
    }

    /// C^(−1/2) y = B D⁻¹ Bᵀ y.
    pub(super) fn whitened(&self, step: &[f64]) -> Vec<f64> {
        let coordinates = self.coordinates(step);
        match self {
            Self::Full { vectors, roots, .. } => {
                vectors.chunks(roots.len()).map(|row| dot(row, &coordinates)).collect()
            }
            Self::Diagonal { .. } => coordinates,
        }
    }

    /// ‖C^(−1/2) y‖: the length of a step in standard deviations.
    pub(super) fn length(&self, step: &[f64]) -> f64 {
        let coordinates = self.coordinates(step);
        dot(&coordinates, &coordinates).sqrt()
    }

    /// C ← keep · C + Σ weight · y yᵀ.
    pub(super) fn update(&mut self, keep: f64, terms: &[(f64, &[f64])]) {
        match self {
            Self::Full { matrix, roots, .. } => {
                let genes = roots.len();
                for (row, entries) in matrix.chunks_mut(genes).enumerate() {
                    for entry in &mut entries[..=row] {
                        *entry *= keep;
                    }
                    for (weight, step) in terms {
                        let factor = weight * step[row];
                        for (entry, value) in entries[..=row].iter_mut().zip(*step) {
                            *entry += factor * value;
                        }
                    }
                }
                for row in 0..genes {
                    for column in 0..row {
                        matrix[column * genes + row] = matrix[row * genes + column];
                    }
                }
            }
            Self::Diagonal { variances, .. } => {
                for (gene, variance) in variances.iter_mut().enumerate() {
                    let added: f64 =
                        terms.iter().map(|(weight, step)| weight * step[gene] * step[gene]).sum();
                    *variance = keep * *variance + added;
                }
            }
        }
    }

    /// Computes the square root anew.
    pub(super) fn refresh(&mut self) {
        match self {
            Self::Full { matrix, vectors, roots } => {
                vectors.copy_from_slice(matrix);
                eigen(vectors, roots);
                root(roots);
            }
            Self::Diagonal { variances, roots } => {
                roots.copy_from_slice(variances);
                root(roots);
            }
        }
    }

    /// The least and the largest standard deviation along an axis.
    pub(super) fn deviations(&self) -> (f64, f64) {
        let (Self::Full { roots, .. } | Self::Diagonal { roots, .. }) = self;
        roots.iter().fold((f64::INFINITY, 0.0), |(least, most), &root| (least.min(root), most.max(root)))
    }
}

/// A sum in the order of the entries.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn root(values: &mut [f64]) {
    let largest = values.iter().copied().fold(0.0, f64::max);
    for value in values {
        *value = value.max(LEAST * largest).sqrt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_undoes_itself() {
        let steps = [[1.0, 2.0, -0.5], [0.3, -1.0, 0.7], [0.0, 0.5, 2.0]];
        for mut covariance in [Covariance::full(3), Covariance::diagonal(3)] {
            let terms: Vec<(f64, &[f64])> = steps.iter().map(|step| (0.4, &step[..])).collect();
            covariance.update(0.5, &terms);
            covariance.refresh();
            let step = covariance.scaled(&[0.3, -1.2, 2.0]);
            assert!(
                (covariance.length(&step) - dot(&[0.3, -1.2, 2.0], &[0.3, -1.2, 2.0]).sqrt()).abs() < 1e-12
            );
            let white = covariance.whitened(&step);
            assert!((dot(&white, &white).sqrt() - covariance.length(&step)).abs() < 1e-12);
        }
    }
}
