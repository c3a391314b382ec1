//! Operations on four numbers at once.

/// Four numbers that are processed by one operation. Without this type the compiler vectorises across rows, with more
/// shuffles than sums.
pub(super) trait Lanes: Copy {
    fn splat(value: f64) -> Self;
    fn load(from: &[f64; 4]) -> Self;
    fn store(self, to: &mut [f64; 4]);
    fn add(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// self + a b
    fn plus_product(self, a: Self, b: Self) -> Self;
    /// self − a b
    fn minus_product(self, a: Self, b: Self) -> Self;
    /// The sums of the elements of each of the four, as ((0 + 1) + (2 + 3)).
    fn sums(four: [Self; 4]) -> [f64; 4];
    /// The transpose of the 4 × 4 block.
    fn transposed(four: [Self; 4]) -> [Self; 4];
    /// Whether all numbers are zero, of either sign.
    fn are_zero(four: [Self; 4]) -> bool;
    /// sum + a b of single numbers, rounded as the lanes round.
    fn single(sum: f64, a: f64, b: f64) -> f64;
}

/// For any machine; fused if the processor's baseline supports that.
#[derive(Clone, Copy)]
pub(super) struct Portable([f64; 4]);

impl Portable {
    #[inline(always)]
    fn combine(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Portable([operation(a, e), operation(b, f), operation(c, g), operation(d, h)])
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Portable([value; 4])
    }

    #[inline(always)]
    fn load(from: &[f64; 4]) -> Self {
        Portable(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; 4]) {
        *to = self.0;
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.combine(other, |a, b| a + b)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.combine(other, |a, b| a * b)
    }

    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        let ([s, t, u, v], [a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.0, a.0, b.0);
        Portable([
            Self::single(s, a0, b0),
            Self::single(t, a1, b1),
            Self::single(u, a2, b2),
            Self::single(v, a3, b3),
        ])
    }

    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        self.plus_product(Portable(a.0.map(|a| -a)), b)
    }

    #[inline(always)]
    fn sums(four: [Self; 4]) -> [f64; 4] {
        four.map(|lanes| (lanes.0[0] + lanes.0[1]) + (lanes.0[2] + lanes.0[3]))
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        std::array::from_fn(|k| Portable([a.0[k], b.0[k], c.0[k], d.0[k]]))
    }

    #[inline(always)]
    fn are_zero([a, b, c, d]: [Self; 4]) -> bool {
        let bits = (0..4).fold(0, |bits, k| {
            bits | a.0[k].to_bits() | b.0[k].to_bits() | c.0[k].to_bits() | d.0[k].to_bits()
        });
        // The shift removes the sign bit.
        bits << 1 == 0
    }

    #[inline(always)]
    fn single(sum: f64, a: f64, b: f64) -> f64 {
        if cfg!(target_arch = "aarch64") { a.mul_add(b, sum) } else { sum + a * b }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Lanes;
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_blend_pd, _mm256_castpd_si256, _mm256_fmadd_pd, _mm256_fnmadd_pd,
        _mm256_hadd_pd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_or_pd, _mm256_permute2f128_pd,
        _mm256_set1_epi64x, _mm256_set1_pd, _mm256_storeu_pd, _mm256_testz_si256, _mm256_unpackhi_pd,
        _mm256_unpacklo_pd,
    };

    /// For x86-64 with AVX2 and FMA, and only within functions compiled for them.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256d);

    // SAFETY, for all that follows: this type is named only in functions that are compiled for AVX2 and FMA
    // and run where both were detected; pointers come from references to four numbers.
    impl Lanes for Avx2 {
        #[inline(always)]
        fn splat(value: f64) -> Self {
            Avx2(unsafe { _mm256_set1_pd(value) })
        }

        #[inline(always)]
        fn load(from: &[f64; 4]) -> Self {
            Avx2(unsafe { _mm256_loadu_pd(from.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, to: &mut [f64; 4]) {
            unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Avx2(unsafe { _mm256_add_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            Avx2(unsafe { _mm256_mul_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn plus_product(self, a: Self, b: Self) -> Self {
            Avx2(unsafe { _mm256_fmadd_pd(a.0, b.0, self.0) })
        }

        #[inline(always)]
        fn minus_product(self, a: Self, b: Self) -> Self {
            Avx2(unsafe { _mm256_fnmadd_pd(a.0, b.0, self.0) })
        }

        #[inline(always)]
        fn sums([a, b, c, d]: [Self; 4]) -> [f64; 4] {
            let mut sums = [0.0; 4];
            let ab = unsafe { _mm256_hadd_pd(a.0, b.0) };
            let cd = unsafe { _mm256_hadd_pd(c.0, d.0) };
            let crossed = unsafe { _mm256_permute2f128_pd::<0x21>(ab, cd) };
            let straight = unsafe { _mm256_blend_pd::<0b1100>(ab, cd) };
            Avx2(unsafe { _mm256_add_pd(straight, crossed) }).store(&mut sums);
            sums
        }

        #[inline(always)]
        fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
            unsafe {
                let [ab, cd] = [_mm256_unpacklo_pd(a.0, b.0), _mm256_unpacklo_pd(c.0, d.0)];
                let [ba, dc] = [_mm256_unpackhi_pd(a.0, b.0), _mm256_unpackhi_pd(c.0, d.0)];
                [
                    Avx2(_mm256_permute2f128_pd::<0x20>(ab, cd)),
                    Avx2(_mm256_permute2f128_pd::<0x20>(ba, dc)),
                    Avx2(_mm256_permute2f128_pd::<0x31>(ab, cd)),
                    Avx2(_mm256_permute2f128_pd::<0x31>(ba, dc)),
                ]
            }
        }

        #[inline(always)]
        fn are_zero([a, b, c, d]: [Self; 4]) -> bool {
            unsafe {
                let bits = _mm256_or_pd(_mm256_or_pd(a.0, b.0), _mm256_or_pd(c.0, d.0));
                let but_signs = _mm256_set1_epi64x(i64::MAX);
                _mm256_testz_si256(_mm256_castpd_si256(bits), but_signs) != 0
            }
        }

        #[inline(always)]
        fn single(sum: f64, a: f64, b: f64) -> f64 {
            a.mul_add(b, sum)
        }
    }
}
