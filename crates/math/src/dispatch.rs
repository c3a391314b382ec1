//! Chooses between the compiled forms of a loop: the only place that asks what the processor has.
//!
//! On x86-64 with AVX2 and fused multiply-add that form runs, elsewhere the one for any machine. A fused product
//! rounds once instead of twice, so two kinds of machine may differ in the last digit; the same binary on the same
//! machine never does. Where bytes must be equal on all of them, [`set_portable`] forbids the fused forms.

use std::sync::atomic::{AtomicU8, Ordering};

/// Something to be done, compiled twice. All that `run` calls must be inlined into it.
pub trait Work {
    /// What the work gives.
    type Output;

    /// `FUSED` where products may be fused with sums.
    fn run<const FUSED: bool>(self) -> Self::Output;
}

const UNKNOWN: u8 = 0;
const PLAIN: u8 = 1;
const FUSED: u8 = 2;

/// The form that runs, once known.
static FORM: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Forbids fused products in the whole process, or allows them again. What is computed meanwhile on other threads may
/// use either form: choose before the first step. Elementary functions are the same on all machines in any case
/// ([`elementary`](super::elementary)).
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
    // Whoever forbade it meanwhile is not overruled.
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

/// Does it in the fastest of its forms that is allowed.
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

/// Defines functions that run `$generic::name` with one of two kinds of lanes: `$fast` (x86-64 with AVX2 and fused
/// multiply-add) where that form is allowed, else `$plain`.
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
