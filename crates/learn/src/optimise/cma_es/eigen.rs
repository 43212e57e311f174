//! Eigenvalues and eigenvectors of a symmetric matrix: Householder's reduction to a tridiagonal matrix, then QL steps with
//! implicit shifts (Bowdler, Martin, Reinsch, Wilkinson 1968, "The QR and QL algorithms for symmetric matrices"; the
//! procedures `tred2` and `tql2` of EISPACK).
//!
//! Sums have a fixed order, and no function of the system is called. Rejected: a crate for linear algebra, because matrix
//! products choose the instructions of the processor, and so the last bits.

/// Replaces a symmetric matrix, given row by row, by its eigenvectors as columns; writes the eigenvalues.
pub(super) fn eigen(matrix: &mut [f64], values: &mut [f64]) {
    let size = values.len();
    assert_eq!(matrix.len(), size * size, "the matrix is square");
    let mut beside = vec![0.0; size];
    let mut vectors = Square { entries: matrix, size };
    tridiagonal(&mut vectors, values, &mut beside);
    diagonal(&mut vectors, values, &mut beside);
}

struct Square<'m> {
    entries: &'m mut [f64],
    size: usize,
}

impl Square<'_> {
    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    fn put(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.size + column] = value;
    }
}

/// `tred2`: the diagonal, the entries beside it, and the transformation.
fn tridiagonal(v: &mut Square<'_>, d: &mut [f64], e: &mut [f64]) {
    let n = d.len();
    for (j, value) in d.iter_mut().enumerate() {
        *value = v.at(n - 1, j);
    }
    for i in (1..n).rev() {
        let scale: f64 = d[..i].iter().map(|value| value.abs()).sum();
        let mut h = 0.0;
        if scale == 0.0 {
            e[i] = d[i - 1];
            for (j, value) in d[..i].iter_mut().enumerate() {
                *value = v.at(i - 1, j);
                v.put(i, j, 0.0);
                v.put(j, i, 0.0);
            }
        } else {
            for value in &mut d[..i] {
                *value /= scale;
                h += *value * *value;
            }
            let f = d[i - 1];
            let g = if f > 0.0 { -h.sqrt() } else { h.sqrt() };
            e[i] = scale * g;
            h -= f * g;
            d[i - 1] = f - g;
            e[..i].fill(0.0);
            for j in 0..i {
                let f = d[j];
                v.put(j, i, f);
                let mut g = e[j] + v.at(j, j) * f;
                for k in j + 1..i {
                    g += v.at(k, j) * d[k];
                    e[k] += v.at(k, j) * f;
                }
                e[j] = g;
            }
            let mut f = 0.0;
            for j in 0..i {
                e[j] /= h;
                f += e[j] * d[j];
            }
            let half = f / (h + h);
            for j in 0..i {
                e[j] -= half * d[j];
            }
            for j in 0..i {
                let (f, g) = (d[j], e[j]);
                for k in j..i {
                    let entry = v.at(k, j) - (f * e[k] + g * d[k]);
                    v.put(k, j, entry);
                }
                d[j] = v.at(i - 1, j);
                v.put(i, j, 0.0);
            }
        }
        d[i] = h;
    }
    accumulate(v, d);
    e[0] = 0.0;
}

/// The second half of `tred2`: the product of the reflections.
fn accumulate(v: &mut Square<'_>, d: &mut [f64]) {
    let n = d.len();
    for i in 0..n - 1 {
        let entry = v.at(i, i);
        v.put(n - 1, i, entry);
        v.put(i, i, 1.0);
        let h = d[i + 1];
        if h != 0.0 {
            for (k, value) in d[..=i].iter_mut().enumerate() {
                *value = v.at(k, i + 1) / h;
            }
            for j in 0..=i {
                let mut g = 0.0;
                for k in 0..=i {
                    g += v.at(k, i + 1) * v.at(k, j);
                }
                for (k, value) in d[..=i].iter().enumerate() {
                    let entry = v.at(k, j) - g * value;
                    v.put(k, j, entry);
                }
            }
        }
        for k in 0..=i {
            v.put(k, i + 1, 0.0);
        }
    }
    for (j, value) in d.iter_mut().enumerate() {
        *value = v.at(n - 1, j);
        v.put(n - 1, j, 0.0);
    }
    v.put(n - 1, n - 1, 1.0);
}

/// More QL steps than this are never needed for one eigenvalue; the limit ends the loop if an entry is no number.
const MOST_STEPS: usize = 60;

/// `tql2`: the eigenvalues of a tridiagonal matrix, and the transformation applied to the vectors.
fn diagonal(v: &mut Square<'_>, d: &mut [f64], e: &mut [f64]) {
    let n = d.len();
    e.rotate_left(1);
    e[n - 1] = 0.0;
    let (mut f, mut largest) = (0.0, 0.0_f64);
    for l in 0..n {
        largest = largest.max(d[l].abs() + e[l].abs());
        let small = (l..n).find(|&m| e[m].abs() <= f64::EPSILON * largest).unwrap_or(n - 1);
        if small > l {
            for _ in 0..MOST_STEPS {
                f += step(v, d, e, l, small);
                if e[l].abs() <= f64::EPSILON * largest {
                    break;
                }
            }
        }
        d[l] += f;
        e[l] = 0.0;
    }
}

/// A QL step on the rows `l..=m` with an implicit shift, which it returns.
fn step(v: &mut Square<'_>, d: &mut [f64], e: &mut [f64], l: usize, m: usize) -> f64 {
    let old = d[l];
    let p = (d[l + 1] - old) / (2.0 * e[l]);
    let r = libm::hypot(p, 1.0);
    let r = if p < 0.0 { -r } else { r };
    d[l] = e[l] / (p + r);
    d[l + 1] = e[l] * (p + r);
    let second = d[l + 1];
    let shift = old - d[l];
    for value in &mut d[l + 2..] {
        *value -= shift;
    }

    let beside = e[l + 1];
    let mut p = d[m];
    let (mut c, mut c2, mut c3) = (1.0, 1.0, 1.0);
    let (mut s, mut s2) = (0.0, 0.0);
    for i in (l..m).rev() {
        c3 = c2;
        c2 = c;
        s2 = s;
        let g = c * e[i];
        let h = c * p;
        let r = libm::hypot(p, e[i]);
        e[i + 1] = s * r;
        s = e[i] / r;
        c = p / r;
        p = c * d[i] - s * g;
        d[i + 1] = h + s * (c * g + s * d[i]);
        for row in v.entries.chunks_mut(v.size) {
            let h = row[i + 1];
            row[i + 1] = s * row[i] + c * h;
            row[i] = c * row[i] - s * h;
        }
    }
    let p = -s * s2 * c3 * beside * e[l] / second;
    e[l] = s * p;
    d[l] = c * p;
    shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// A B = B diag(values), and the columns of B are orthonormal.
    fn check(matrix: &[f64], size: usize) -> Vec<f64> {
        let (mut vectors, mut values) = (matrix.to_vec(), vec![0.0; size]);
        eigen(&mut vectors, &mut values);
        let largest = values.iter().fold(1e-300_f64, |largest, value| largest.max(value.abs()));
        for i in 0..size {
            for j in 0..size {
                let product: f64 = (0..size).map(|k| matrix[i * size + k] * vectors[k * size + j]).sum();
                assert!((product - vectors[i * size + j] * values[j]).abs() < 1e-12 * largest * size as f64);
                let overlap: f64 = (0..size).map(|k| vectors[k * size + i] * vectors[k * size + j]).sum();
                assert!((overlap - f64::from(u8::from(i == j))).abs() < 1e-12 * size as f64, "{overlap}");
            }
        }
        values
    }

    #[test]
    fn random_matrices_are_reproduced() {
        let mut rng = Stream::new(5).rng();
        for size in [1, 2, 3, 7, 30, 64] {
            let mut matrix = vec![0.0; size * size];
            for row in 0..size {
                for column in 0..=row {
                    let entry = rng.unit() - 0.5;
                    matrix[row * size + column] = entry;
                    matrix[column * size + row] = entry;
                }
            }
            check(&matrix, size);
        }
    }

    #[test]
    fn matrices_with_known_values_have_them() {
        let mut values = check(&[2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 5.0], 3);
        values.sort_by(f64::total_cmp);
        assert!(
            values.iter().zip([1.0, 3.0, 5.0]).all(|(value, known)| (value - known).abs() < 1e-14),
            "{values:?}"
        );
        assert_eq!(check(&[4.0, 0.0, 0.0, 4.0], 2), [4.0, 4.0]);
        assert_eq!(check(&[0.0; 9], 3), [0.0; 3]);
        // The second differences on a line: 2 − 2 cos(kπ / (n + 1)).
        let size = 20;
        let entry = |place: usize| match (place / size).abs_diff(place % size) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let mut values = check(&(0..size * size).map(entry).collect::<Vec<f64>>(), size);
        values.sort_by(f64::total_cmp);
        for (k, value) in values.iter().enumerate() {
            let known = 2.0 - 2.0 * (std::f64::consts::PI * (k as f64 + 1.0) / (size as f64 + 1.0)).cos();
            assert!((value - known).abs() < 1e-13, "{value} {known}");
        }
    }

    #[test]
    fn an_entry_that_is_no_number_ends_the_loop() {
        let (mut vectors, mut values) = (vec![f64::NAN; 16], vec![0.0; 4]);
        eigen(&mut vectors, &mut values);
        assert!(values.iter().any(|value| value.is_nan()));
    }
}
