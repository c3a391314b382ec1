//! Small blocks: products and inverses of the sizes that bodies and joints have.
//!
//! A matrix is an array of its columns. `FUSED` products round once instead of twice; they are for code that
//! is compiled for processors with fused multiply-add.

#![expect(clippy::needless_range_loop, reason = "indices are those of the equations")]

pub use aplomb_math::dispatch::product;

/// Six numbers of one body: three of translation, three of rotation.
pub type Six = [f64; 6];

/// sum + factor · column
#[inline(always)]
pub(crate) fn add<const FUSED: bool, const N: usize>(sum: &mut [f64; N], factor: f64, column: &[f64; N]) {
    for k in 0..N {
        sum[k] = product::<FUSED>(sum[k], factor, column[k]);
    }
}

/// a · b
#[inline(always)]
pub(crate) fn dot<const FUSED: bool, const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    // Two sums, so that the processor need not wait for one.
    let mut sums = [0.0; 2];
    for k in 0..N {
        sums[k % 2] = product::<FUSED>(sums[k % 2], a[k], b[k]);
    }
    sums[0] + sums[1]
}

/// A x for the columns of A.
#[inline(always)]
pub(crate) fn times<const FUSED: bool, const N: usize, const C: usize>(
    columns: &[[f64; N]; C],
    x: &[f64; C],
) -> [f64; N] {
    let mut sum = [0.0; N];
    for k in 0..C {
        add::<FUSED, N>(&mut sum, x[k], &columns[k]);
    }
    sum
}

/// Replaces A by its inverse (Gauss–Jordan, in place), for up to six columns, without exchanges of rows:
/// pivots of a matrix with a definite symmetric part never vanish. Returns the smallest |pivot|, a measure of
/// how nearly singular A is.
#[inline(always)]
pub(crate) fn invert<const FUSED: bool, const N: usize>(a: &mut [[f64; N]; N]) -> f64 {
    let mut rows = *a;
    let mut least = f64::INFINITY;
    // Unrolled, so that the numbers of a row stay in registers.
    take_pivot::<FUSED, N, 0>(&mut rows, &mut least);
    take_pivot::<FUSED, N, 1>(&mut rows, &mut least);
    take_pivot::<FUSED, N, 2>(&mut rows, &mut least);
    take_pivot::<FUSED, N, 3>(&mut rows, &mut least);
    take_pivot::<FUSED, N, 4>(&mut rows, &mut least);
    take_pivot::<FUSED, N, 5>(&mut rows, &mut least);
    *a = rows;
    least
}

#[inline(always)]
fn take_pivot<const FUSED: bool, const N: usize, const P: usize>(a: &mut [[f64; N]; N], least: &mut f64) {
    if P >= N {
        return;
    }
    *least = least.min(a[P][P].abs());
    let inverse = 1.0 / a[P][P];
    a[P][P] = 1.0;
    let pivot = a[P].map(|value| value * inverse);
    a[P] = pivot;
    for i in 0..N {
        if i != P {
            let factor = -a[i][P];
            a[i][P] = 0.0;
            for k in 0..N {
                a[i][k] = product::<FUSED>(a[i][k], factor, pivot[k]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let mut a: [Six; 6] = [[0.0; 6]; 6];
        for (i, column) in a.iter_mut().enumerate() {
            for (j, value) in column.iter_mut().enumerate() {
                *value = (1.3 * (i * i + 7 * j) as f64).sin() + if i == j { 4.0 } else { 0.0 };
            }
        }
        let mut inverse = a;
        let least = invert::<false, 6>(&mut inverse);
        assert!(least > 1.0 && least < 8.0, "{least}");
        for (k, column) in a.iter().enumerate() {
            let unit = times::<false, 6, 6>(&inverse, column);
            for (j, value) in unit.iter().enumerate() {
                assert!((value - f64::from(u8::from(j == k))).abs() < 1e-14);
            }
        }
    }
}
