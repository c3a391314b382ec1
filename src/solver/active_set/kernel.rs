//! The loops in which the time goes: a few forms of "row times number" on blocks of four rows.
//!
//! On x86-64 each entry exists twice, and the one with AVX2 and fused multiply-add runs where the processor has
//! them. A fused product rounds once instead of twice, so two kinds of machine may differ in the last digit;
//! the same binary on the same machine never does.

use super::generic;
#[cfg(target_arch = "x86_64")]
use super::lanes::Avx2;
use super::lanes::Portable;

/// Rows are padded to a multiple of this, and pivots are taken this many at a time.
pub const BLOCK: usize = 4;

/// The smallest positive multiple of [`BLOCK`] that holds `size`.
pub fn padded(size: usize) -> usize {
    size.max(1).div_ceil(BLOCK) * BLOCK
}

/// Defines an entry that picks the fastest of its compiled forms.
macro_rules! dispatched {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)*) => {$(
        $(#[$doc])*
        pub fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn fused($($argument: $type),*) $(-> $result)? {
                    generic::$name::<Avx2>($($argument),*)
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has just been found to have both features.
                    return unsafe { fused($($argument),*) };
                }
            }
            generic::$name::<Portable>($($argument),*)
        }
    )*};
}

dispatched! {
    /// Replaces the upper triangle of A, row-major with `stride`, by U with A = Uᵀ U. `inverse` holds the least
    /// acceptable pivots at first, 1/U_kk at the end. Numbers left of the diagonal are not defined afterwards.
    /// Fails with the index of the first pivot that is not above its least.
    fn cholesky(a: &mut [f64], stride: usize, size: usize, inverse: &mut [f64]) -> Result<(), usize>;

    /// U⁻ᵀ applied to each of the padded `rows`.
    fn solve_transposed(u: &[f64], stride: usize, inverse: &[f64], size: usize, rows: &mut [f64]);

    /// U⁻¹ applied to the padded vector `x`.
    fn solve(u: &[f64], stride: usize, inverse: &[f64], size: usize, x: &mut [f64]);

    /// `product[i]` = row i · x
    fn multiply(rows: &[f64], stride: usize, x: &[f64], product: &mut [f64]);

    /// `sum` += Σ `factors[i]` row i
    fn add_rows(sum: &mut [f64], rows: &[f64], stride: usize, factors: &[f64]);

    /// Upper triangle (and what else lies in its blocks) of Z Zᵀ for the rows of Z.
    fn gram(rows: &[f64], stride: usize, count: usize, product: &mut [f64], product_stride: usize);
}
