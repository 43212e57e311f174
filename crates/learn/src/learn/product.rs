//! Matrix products in a fixed order.
//!
//! Each number of a product is the sum over the depth, one term after the other, from its first value on. What SIMD
//! lanes share is columns, never terms of one sum, and nothing is fused. So a product has the same bits for any width of
//! the lanes, any size of the blocks and any number of rows beside it.

use crate::game::Kernel;

/// The columns that are summed together.
const LANES: usize = 8;

/// Adds A · B to `sums`, where A has `rows` × `depth` numbers and B `depth` × `columns`.
pub(super) struct Product<'a> {
    /// A: number `row * row_step + term * term_step`.
    pub(super) a: &'a [f32],
    pub(super) row_step: usize,
    pub(super) term_step: usize,
    /// B, row by row.
    pub(super) b: &'a [f32],
    pub(super) rows: usize,
    pub(super) depth: usize,
    pub(super) columns: usize,
    /// The first values, row by row, to which the products are added.
    pub(super) sums: &'a mut [f32],
}

impl Product<'_> {
    /// The sums of `ROWS` rows and `WIDTH` times [`LANES`] columns.
    #[inline(always)]
    fn block<const ROWS: usize, const WIDTH: usize>(&mut self, row: usize, column: usize) {
        let columns = self.columns;
        let mut sums = [[[0.0; LANES]; WIDTH]; ROWS];
        for (number, of_row) in sums.iter_mut().enumerate() {
            let from = &self.sums[(row + number) * columns + column..][..WIDTH * LANES];
            of_row.copy_from_slice(from.as_chunks().0);
        }
        let first = row * self.row_step;
        for term in 0..self.depth {
            let b: &[[f32; LANES]] = self.b[term * columns + column..][..WIDTH * LANES].as_chunks().0;
            let b: &[[f32; LANES]; WIDTH] = b.try_into().expect("as many as were cut");
            let a = first + term * self.term_step;
            for (number, of_row) in sums.iter_mut().enumerate() {
                let factor = self.a[a + number * self.row_step];
                for (sums, b) in of_row.iter_mut().zip(b) {
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum += factor * b;
                    }
                }
            }
        }
        for (number, of_row) in sums.iter().enumerate() {
            let to = &mut self.sums[(row + number) * columns + column..][..WIDTH * LANES];
            to.copy_from_slice(of_row.as_flattened());
        }
    }

    /// The sums of `ROWS` rows and one column.
    #[inline(always)]
    fn column<const ROWS: usize>(&mut self, row: usize, column: usize) {
        let mut sums: [f32; ROWS] =
            std::array::from_fn(|number| self.sums[(row + number) * self.columns + column]);
        for term in 0..self.depth {
            let b = self.b[term * self.columns + column];
            for (number, sum) in sums.iter_mut().enumerate() {
                *sum += self.a[(row + number) * self.row_step + term * self.term_step] * b;
            }
        }
        for (number, sum) in sums.into_iter().enumerate() {
            self.sums[(row + number) * self.columns + column] = sum;
        }
    }

    /// All columns of `ROWS` rows, in blocks of `WIDTH` times [`LANES`] as far as possible.
    #[inline(always)]
    fn rows<const ROWS: usize, const WIDTH: usize>(&mut self, row: usize) {
        let mut column = 0;
        while column + WIDTH * LANES <= self.columns {
            self.block::<ROWS, WIDTH>(row, column);
            column += WIDTH * LANES;
        }
        while column + LANES <= self.columns {
            self.block::<ROWS, 1>(row, column);
            column += LANES;
        }
        while column < self.columns {
            self.column::<ROWS>(row, column);
            column += 1;
        }
    }
}

impl Kernel for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let mut row = 0;
        while row + 4 <= self.rows {
            self.rows::<4, 2>(row);
            row += 4;
        }
        while row < self.rows {
            self.rows::<1, 8>(row);
            row += 1;
        }
    }
}

/// Adds up some rows of a matrix: a product by a vector of zeros and ones, of which only the ones are looked at. Equal to
/// that product, and a third of its work for one-hot squares.
pub(super) struct RowSum<'a> {
    /// The rows, in rising order.
    pub(super) chosen: &'a [u16],
    /// The matrix, row by row.
    pub(super) b: &'a [f32],
    /// The first values.
    pub(super) sums: &'a mut [f32],
}

impl RowSum<'_> {
    #[inline(always)]
    fn block<const WIDTH: usize>(&mut self, column: usize) {
        let columns = self.sums.len();
        let mut sums = [[0.0; LANES]; WIDTH];
        sums.copy_from_slice(self.sums[column..][..WIDTH * LANES].as_chunks().0);
        for &row in self.chosen {
            let b: &[[f32; LANES]] =
                self.b[usize::from(row) * columns + column..][..WIDTH * LANES].as_chunks().0;
            for (sums, b) in sums.iter_mut().zip(b) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += b;
                }
            }
        }
        self.sums[column..][..WIDTH * LANES].copy_from_slice(sums.as_flattened());
    }
}

impl Kernel for RowSum<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let columns = self.sums.len();
        let mut column = 0;
        while column + 8 * LANES <= columns {
            self.block::<8>(column);
            column += 8 * LANES;
        }
        while column + LANES <= columns {
            self.block::<1>(column);
            column += LANES;
        }
        for column in column..columns {
            for &row in self.chosen {
                self.sums[column] += self.b[usize::from(row) * columns + column];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::accelerate;

    /// Numbers that are not exact in any sum.
    fn numbers(count: usize) -> Vec<f32> {
        (0..count).map(|number| 1.0 / (1.0 + ((number * 7919) % 101) as f32) - 0.2).collect()
    }

    /// Every shape gives the bits of three plain loops, with A as it is and transposed.
    #[test]
    fn a_product_has_the_bits_of_the_plain_loops() {
        for (rows, depth, columns) in [(1, 1, 1), (4, 3, 8), (5, 7, 9), (9, 33, 91), (3, 64, 64), (7, 0, 5)] {
            for transposed in [false, true] {
                let (a, b) = (numbers(rows * depth), numbers(depth * columns));
                let (row_step, term_step) = if transposed { (1, rows) } else { (depth, 1) };
                let mut plain = numbers(rows * columns);
                for row in 0..rows {
                    for column in 0..columns {
                        for term in 0..depth {
                            plain[row * columns + column] +=
                                a[row * row_step + term * term_step] * b[term * columns + column];
                        }
                    }
                }
                let mut sums = numbers(rows * columns);
                let (a, b) = (&a[..], &b[..]);
                accelerate(Product { a, row_step, term_step, b, rows, depth, columns, sums: &mut sums });
                assert_eq!(sums, plain, "{rows} {depth} {columns} {transposed}");
                sums = numbers(rows * columns);
                // Without the better instructions.
                Product { a, row_step, term_step, b, rows, depth, columns, sums: &mut sums }.run();
                assert_eq!(sums, plain);
            }
        }
    }

    #[test]
    fn a_sum_of_rows_is_a_product_by_zeros_and_ones() {
        for columns in [1, 8, 64, 75, 192] {
            let b = numbers(30 * columns);
            let chosen: Vec<u16> = (0..30).filter(|row| row % 3 != 1).collect();
            let a: Vec<f32> = (0..30).map(|row| f32::from(row % 3 != 1)).collect();
            let (mut sums, mut product) = (numbers(columns), numbers(columns));
            accelerate(RowSum { chosen: &chosen, b: &b, sums: &mut sums });
            let (rows, row_step, depth, term_step) = (1, 30, 30, 1);
            let sums_of = &mut product;
            accelerate(Product { a: &a, row_step, term_step, b: &b, rows, depth, columns, sums: sums_of });
            assert_eq!(sums, product);
        }
    }
}
