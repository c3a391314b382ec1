//! The inner loops: a few forms of "row times number" on blocks of four rows.
//!
//! On x86-64 each function exists twice, and the one with AVX2 and fused multiply-add runs where the
//! processor has them. A fused product rounds once instead of twice, so two kinds of machine may differ in
//! the last digit; the same binary on the same machine never does.

mod cholesky;
mod generic;
mod lanes;
mod squares;

use super::dispatch::dispatched;
#[cfg(target_arch = "x86_64")]
use lanes::Avx2;
use lanes::Portable;

/// Rows are padded to a multiple of this, and pivots are processed this many at a time.
pub const BLOCK: usize = 4;

/// This many numbers, contiguous in a row.
type Block = [f64; BLOCK];

/// The smallest positive multiple of [`BLOCK`] that holds `size`.
pub fn padded(size: usize) -> usize {
    size.max(1).div_ceil(BLOCK) * BLOCK
}

dispatched! {
    generic, Avx2, Portable;

    /// Replaces the upper triangle of A, row-major with `stride`, by U with A = Uᵀ U. `inverse` holds the
    /// least acceptable pivots at first, 1/U_kk at the end. Numbers left of the diagonal are not defined
    /// afterwards. `ends` are as in `tail`.
    ///
    /// # Errors
    /// The index of the first pivot that is not above its least.
    fn cholesky(
        a: &mut [f64],
        stride: usize,
        size: usize,
        inverse: &mut [f64],
        ends: &[usize],
    ) -> Result<(), usize>;

    /// U⁻ᵀ applied to each of the padded `rows`. `ends` are as in `tail`.
    fn solve_transposed(
        u: &[f64],
        stride: usize,
        inverse: &[f64],
        size: usize,
        rows: &mut [f64],
        ends: &[usize],
    );

    /// U⁻¹ applied to the padded vector `x`.
    fn solve(u: &[f64], stride: usize, inverse: &[f64], size: usize, x: &mut [f64]);

    /// `product[i]` = row i · x
    fn multiply(rows: &[f64], stride: usize, x: &[f64], product: &mut [f64]);

    /// a·x over the entries of `a`; x may be longer. Products are never fused.
    fn dot(a: &[f64], x: &[f64]) -> f64;

    /// `sum` += Σ `factors[i]` row i
    fn add_rows(sum: &mut [f64], rows: &[f64], stride: usize, factors: &[f64]);

    /// Upper triangle (and the other entries of its blocks) of `product`, row-major, += Σ wₖ aₖᵀ aₖ, and `gradient`,
    /// as long as the rows of `product`, += Σ wₖ bₖ aₖ, for four `rows` aₖ of one length, at most that of `gradient`,
    /// with `constants` bₖ.
    fn add_squares(
        product: &mut [f64],
        gradient: &mut [f64],
        weights: &[f64; 4],
        constants: &[f64; 4],
        rows: [&[f64]; 4],
    );

    /// Like `add_squares`, for rows with one coefficient each, in one of the `columns`, and a common weight.
    fn add_single_squares(
        product: &mut [f64],
        gradient: &mut [f64],
        weight: f64,
        columns: &[usize],
        coefficients: &[f64],
        constants: &[f64],
    );

    /// Mirrors the upper triangle of a square matrix, row-major without padding, into the lower one.
    fn mirror(a: &mut [f64], size: usize);

    /// Upper triangle (and the other entries of its blocks) of Z Zᵀ for the rows of Z, added to a `product`
    /// of zeros. `ends` are as in `tail`.
    fn gram(
        rows: &[f64],
        stride: usize,
        count: usize,
        product: &mut [f64],
        product_stride: usize,
        ends: &[usize],
    );
}

/// The nonzero columns of a matrix with diagonal blocks that are coupled only with the rows after the last
/// block, right of the pivots from `next` − [`BLOCK`] on: up to the first of the two columns returned, and
/// from the second on. `ends` are the ends of the blocks; without any, no structure is assumed.
pub(crate) fn tail(ends: &[usize], next: usize, end: usize) -> [usize; 2] {
    let of_block = ends.iter().find(|end| **end >= next);
    let (Some(first), Some(last)) = (of_block, ends.last()) else { return [end, end] };
    let [first, last] = [padded(*first).max(next), last / BLOCK * BLOCK];
    if first < last { [first, last] } else { [end, end] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without a period of four.
    fn numbers(count: usize) -> Vec<f64> {
        (0..count).map(|k| (1.7 * (k * k) as f64).sin()).collect()
    }

    #[test]
    fn products_are_those_of_the_textbook_at_any_length() {
        for count in 0..7 {
            for length in 1..20 {
                let (rows, x) = (numbers(count * length), numbers(length));
                let mut product = vec![0.0; count];
                multiply(&rows, length, &x, &mut product);
                let mut sum = x.clone();
                add_rows(&mut sum, &rows, length, &product);
                for (k, row) in rows.chunks(length).enumerate() {
                    let expected: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
                    assert!((product[k] - expected).abs() < 1e-13);
                }
                for (j, sum) in sum.iter().enumerate() {
                    let expected: f64 =
                        x[j] + (0..count).map(|k| product[k] * rows[k * length + j]).sum::<f64>();
                    assert!((sum - expected).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn a_mirrored_matrix_is_symmetric_at_any_size() {
        for size in 0..24 {
            let upper = |i: usize, j: usize| (i * 100 + j) as f64;
            let mut a: Vec<f64> = (0..size * size).map(|k| upper(k / size, k % size)).collect();
            mirror(&mut a, size);
            for (k, value) in a.iter().enumerate() {
                let (i, j) = (k / size, k % size);
                assert_eq!(*value, upper(i.min(j), i.max(j)), "{size}: {i}, {j}");
            }
        }
    }

    #[test]
    fn every_kind_of_lanes_computes_the_same_but_for_rounding() {
        let rows = numbers(5 * 24);
        let [mut fast, mut portable] = [vec![0.0; 8 * 8], vec![0.0; 8 * 8]];
        gram(&rows, 24, 5, &mut fast, 8, &[]);
        generic::gram::<Portable>(&rows, 24, 5, &mut portable, 8, &[]);
        let [mut fast_inverse, mut portable_inverse] = [[0.0; 8], [0.0; 8]];
        assert_eq!(cholesky(&mut fast, 8, 5, &mut fast_inverse, &[]), Ok(()));
        assert_eq!(generic::cholesky::<Portable>(&mut portable, 8, 5, &mut portable_inverse, &[]), Ok(()));
        let [mut fast_x, mut portable_x] = [numbers(8), numbers(8)];
        solve_transposed(&fast, 8, &fast_inverse, 5, &mut fast_x, &[]);
        solve(&fast, 8, &fast_inverse, 5, &mut fast_x);
        generic::solve_transposed::<Portable>(&portable, 8, &portable_inverse, 5, &mut portable_x, &[]);
        generic::solve::<Portable>(&portable, 8, &portable_inverse, 5, &mut portable_x);
        for (fast, portable) in fast_x[..5].iter().zip(&portable_x) {
            assert!((fast - portable).abs() < 1e-12 * portable.abs().max(1.0), "{fast} {portable}");
        }
    }

    #[test]
    fn a_factor_is_one_at_any_size_and_ends_at_the_first_pivot_that_is_nothing() {
        for size in [1, 5, 18, 271] {
            let stride = padded(size) + BLOCK;
            let entry = |i: usize, j: usize| match i == j {
                true => size as f64,
                false => ((3 * i * j + i + j) as f64).sin() * f64::from(u8::from((i + j) % 5 > 1)),
            };
            let mut u = vec![0.0; stride * stride];
            (0..size).for_each(|i| (i..size).for_each(|j| u[i * stride + j] = entry(i, j)));
            let whole = u.clone();
            let mut inverse = vec![0.0; stride];
            assert_eq!(cholesky(&mut u, stride, size, &mut inverse, &[]), Ok(()));
            for (i, j) in [(0, size / 2), (size / 3, size - 1), (size - 1, size - 1)] {
                let product: f64 = (0..=i).map(|k| u[k * stride + i] * u[k * stride + j]).sum();
                assert!((product - entry(i, j)).abs() < 1e-10 * size as f64, "{size}: {i}, {j}");
            }
            let (mut cut, bad) = (whole, size / 2);
            cut[bad * stride + bad] = -1.0;
            assert_eq!(cholesky(&mut cut, stride, size, &mut vec![0.0; stride], &[]), Err(bad));
            let rows = |u: &[f64]| -> Vec<f64> {
                (0..bad).flat_map(|i| u[i * stride + i..i * stride + size].to_vec()).collect()
            };
            assert_eq!(rows(&cut), rows(&u), "{size}: the rows before are complete");
        }
    }

    #[test]
    fn known_blocks_are_skipped_and_change_nothing() {
        // Blocks that end within whole blocks of the loops, and a border.
        for ends in [&[7, 18][..], &[4, 8, 19], &[9, 10, 17]] {
            const SIZE: usize = 22;
            const STRIDE: usize = 24;
            let block = |k: usize| ends.iter().filter(|end| **end <= k).count();
            let coupled = |i, j| block(i) == block(j) || block(i).max(block(j)) == ends.len();
            let mut whole = vec![0.0; STRIDE * STRIDE];
            for i in 0..SIZE {
                for j in i / BLOCK * BLOCK..SIZE {
                    let off = ((3 * i * j + i + j) as f64).sin();
                    whole[i * STRIDE + j] =
                        if i == j { 20.0 } else { off * f64::from(u8::from(coupled(i, j))) };
                }
            }
            let mut rows = numbers(5 * STRIDE);
            for (k, row) in rows.chunks_mut(STRIDE).enumerate() {
                let zero = |j: &usize| *j >= SIZE || block(*j) != k % ends.len() && block(*j) != ends.len();
                (0..STRIDE).filter(zero).for_each(|j| row[j] = 0.0);
            }
            let solved = |ends: &[usize]| {
                let (mut u, mut inverse, mut z) = (whole.clone(), vec![0.0; STRIDE], rows.clone());
                assert_eq!(cholesky(&mut u, STRIDE, SIZE, &mut inverse, ends), Ok(()));
                solve_transposed(&u, STRIDE, &inverse, SIZE, &mut z, ends);
                let mut product = vec![0.0; 8 * 8];
                gram(&z, STRIDE, 5, &mut product, 8, ends);
                (z, product)
            };
            let ((z, product), (plain_z, plain_product)) = (solved(ends), solved(&[]));
            assert_eq!(z, plain_z, "{ends:?}");
            for i in 0..5 {
                for j in i..5 {
                    let apart = product[i * 8 + j] - plain_product[i * 8 + j];
                    assert!(apart.abs() < 1e-12, "{ends:?}: {i}, {j}: {apart}");
                }
            }
        }
    }
}
