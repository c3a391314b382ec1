//! Selects one of the compiled forms of a loop; no other file queries the processor.
//!
//! On x86-64 with AVX2 and fused multiply-add the fused form runs, elsewhere the portable one. A fused
//! product rounds once instead of twice, so two kinds of machine may differ in the last digit; the same
//! binary on the same machine never does. If results must be equal to the byte on all machines,
//! [`set_portable`] forbids the fused form.

use std::sync::atomic::{AtomicU8, Ordering};

/// A computation that is compiled twice. Everything that `run` calls must be inlined into it.
pub trait Work {
    /// Result of the computation.
    type Output;

    /// Runs the computation; with `FUSED`, products may be fused with sums.
    fn run<const FUSED: bool>(self) -> Self::Output;
}

const UNKNOWN: u8 = 0;
const PLAIN: u8 = 1;
const FUSED: u8 = 2;

/// The selected form, or `UNKNOWN` before it is selected.
static FORM: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Forbids fused products in the whole process, or allows them again. Computations that run on other threads at the
/// same time may use either form, so call it before the first step. Elementary functions are the same on all machines
/// in any case ([`elementary`](super::elementary)).
#[doc(alias = "reproducible")]
#[doc(alias = "bitwise deterministic")]
pub fn set_portable(portable: bool) {
    FORM.store(if portable { PLAIN } else { UNKNOWN }, Ordering::Relaxed);
}

/// Whether the fused forms run.
#[inline(always)]
pub fn is_fused() -> bool {
    match FORM.load(Ordering::Relaxed) {
        UNKNOWN => detect(),
        form => form == FUSED,
    }
}

#[cold]
fn detect() -> bool {
    let fused = has_fused();
    let form = if fused { FUSED } else { PLAIN };
    // A concurrent call of `set_portable` takes precedence.
    let known = FORM.compare_exchange(UNKNOWN, form, Ordering::Relaxed, Ordering::Relaxed);
    known.map_or_else(|form| form == FUSED, |_| fused)
}

#[cfg(target_arch = "x86_64")]
fn has_fused() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fused() -> bool {
    cfg!(target_arch = "aarch64")
}

/// Runs the work in the fastest form that is allowed.
#[inline]
pub fn fastest<W: Work>(work: W) -> W::Output {
    if !is_fused() {
        return work.run::<false>();
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn fused<W: Work>(work: W) -> W::Output {
            work.run::<true>()
        }
        // SAFETY: fused forms run only where the processor was found to have both features.
        unsafe { fused(work) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    work.run::<true>()
}

/// sum + a b
#[inline(always)]
pub fn product<const FUSED: bool>(sum: f64, a: f64, b: f64) -> f64 {
    if FUSED { a.mul_add(b, sum) } else { sum + a * b }
}

/// Defines functions that run `$generic::name` with one of two kinds of SIMD lanes: `$fast` (x86-64 with AVX2
/// and fused multiply-add) if that form is allowed, otherwise `$plain`.
macro_rules! dispatched {
    ($generic:ident, $fast:ident, $plain:ident;
     $($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)*) => {$(
        $(#[$doc])*
        pub fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn fused($($argument: $type),*) $(-> $result)? {
                    $generic::$name::<$fast>($($argument),*)
                }
                if $crate::dispatch::is_fused() {
                    // SAFETY: fused forms run only where the processor was found to have both features.
                    return unsafe { fused($($argument),*) };
                }
            }
            $generic::$name::<$plain>($($argument),*)
        }
    )*};
}
pub(crate) use dispatched;
