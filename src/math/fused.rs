//! Runs a loop compiled for what the processor has.
//!
//! On x86-64 with AVX2 and fused multiply-add that form runs, elsewhere the one for any machine. A fused product
//! rounds once instead of twice, so two kinds of machine may differ in the last digit; the same binary on the same
//! machine never does.

/// Something to be done, compiled twice. All that `run` calls must be inlined into it.
pub trait Work {
    type Output;

    /// `FUSED` where products may be fused with sums.
    fn run<const FUSED: bool>(self) -> Self::Output;
}

/// Does it in the fastest of its forms.
#[inline]
pub fn fastest<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn fused<W: Work>(work: W) -> W::Output {
            work.run::<true>()
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has just been found to have both features.
            return unsafe { fused(work) };
        }
    }
    work.run::<{ cfg!(target_arch = "aarch64") }>()
}

/// sum + a b
#[inline(always)]
pub fn product<const FUSED: bool>(sum: f64, a: f64, b: f64) -> f64 {
    if FUSED { a.mul_add(b, sum) } else { sum + a * b }
}
