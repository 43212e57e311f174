//! The covariance matrix of CMA-ES with its square root: full, or diagonal.

use super::eigen::eigen;

/// C = B D² Bᵀ, as it was when it was refreshed last; updates since then are in the matrix alone.
#[derive(Clone, Debug)]
pub(super) struct Covariance {
    /// C, row by row; of a diagonal one the variances.
    matrix: Vec<f64>,
    /// B: the eigenvectors are the columns; empty if C is diagonal.
    vectors: Vec<f64>,
    /// D: the square roots of the eigenvalues.
    roots: Vec<f64>,
}

/// Eigenvalues below this part of the largest are replaced by it: rounding made them.
const LEAST: f64 = 1e-20;

impl Covariance {
    /// The unit matrix.
    pub(super) fn unit(genes: usize, is_diagonal: bool) -> Self {
        let roots = vec![1.0; genes];
        if is_diagonal {
            return Self { matrix: roots.clone(), vectors: Vec::new(), roots };
        }
        let mut unit = vec![0.0; genes * genes];
        unit.iter_mut().step_by(genes + 1).for_each(|entry| *entry = 1.0);
        Self { matrix: unit.clone(), vectors: unit, roots }
    }

    /// B z.
    fn rotated(&self, vector: Vec<f64>) -> Vec<f64> {
        if self.vectors.is_empty() {
            return vector;
        }
        self.vectors.chunks(self.roots.len()).map(|row| dot(row, &vector)).collect()
    }

    /// B D z: a step with this covariance, from a standard normal vector.
    pub(super) fn scaled(&self, normal: &[f64]) -> Vec<f64> {
        self.rotated(normal.iter().zip(&self.roots).map(|(value, root)| value * root).collect())
    }

    /// D⁻¹ Bᵀ y.
    fn coordinates(&self, step: &[f64]) -> Vec<f64> {
        let Self { vectors, roots, .. } = self;
        let mut sums = if vectors.is_empty() { step.to_vec() } else { vec![0.0; roots.len()] };
        for (row, value) in vectors.chunks(roots.len()).zip(step) {
            for (sum, entry) in sums.iter_mut().zip(row) {
                *sum += entry * value;
            }
        }
        sums.iter().zip(roots).map(|(sum, root)| sum / root).collect()
    }

    /// C^(−1/2) y = B D⁻¹ Bᵀ y.
    pub(super) fn whitened(&self, step: &[f64]) -> Vec<f64> {
        self.rotated(self.coordinates(step))
    }

    /// ‖C^(−1/2) y‖: the length of a step in standard deviations.
    pub(super) fn length(&self, step: &[f64]) -> f64 {
        let coordinates = self.coordinates(step);
        dot(&coordinates, &coordinates).sqrt()
    }

    /// C ← keep · C + Σ weight · y yᵀ.
    pub(super) fn update(&mut self, keep: f64, terms: &[(f64, &[f64])]) {
        let (matrix, genes) = (&mut self.matrix, self.roots.len());
        if self.vectors.is_empty() {
            for (gene, variance) in matrix.iter_mut().enumerate() {
                let added: f64 = terms.iter().map(|(weight, step)| weight * step[gene] * step[gene]).sum();
                *variance = keep * *variance + added;
            }
            return;
        }
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

    pub(super) fn refresh(&mut self) {
        let Self { matrix, vectors, roots } = self;
        if vectors.is_empty() {
            roots.copy_from_slice(matrix);
        } else {
            vectors.copy_from_slice(matrix);
            eigen(vectors, roots);
        }
        let largest = roots.iter().copied().fold(0.0, f64::max);
        for root in roots {
            *root = root.max(LEAST * largest).sqrt();
        }
    }

    /// The least and the largest standard deviation along an axis.
    pub(super) fn deviations(&self) -> (f64, f64) {
        let first = (f64::INFINITY, 0.0);
        self.roots.iter().fold(first, |(least, most), &root| (least.min(root), most.max(root)))
    }
}

/// A sum in the order of the entries.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_undoes_itself() {
        let steps = [[1.0, 2.0, -0.5], [0.3, -1.0, 0.7], [0.0, 0.5, 2.0]];
        for mut covariance in [false, true].map(|is_diagonal| Covariance::unit(3, is_diagonal)) {
            let terms: Vec<(f64, &[f64])> = steps.iter().map(|step| (0.4, &step[..])).collect();
            covariance.update(0.5, &terms);
            covariance.refresh();
            let normal = [0.3, -1.2, 2.0];
            let step = covariance.scaled(&normal);
            assert!((covariance.length(&step) - dot(&normal, &normal).sqrt()).abs() < 1e-12);
            let white = covariance.whitened(&step);
            assert!((dot(&white, &white).sqrt() - covariance.length(&step)).abs() < 1e-12);
        }
    }
}
