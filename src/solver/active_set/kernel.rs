//! The loops in which the time goes: a few forms of "row times number" on blocks of four rows.
//!
//! On x86-64 each entry exists twice, and the one with AVX2 and fused multiply-add runs where the processor has
//! them. A fused product rounds once instead of twice, so two kinds of machine may differ in the last digit;
//! the same binary on the same machine never does.

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
                    generic::$name::<true>($($argument),*)
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has just been found to have both features.
                    return unsafe { fused($($argument),*) };
                }
            }
            generic::$name::<{ cfg!(target_arch = "aarch64") }>($($argument),*)
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

mod generic {
    use super::{BLOCK, padded};

    type Block = [f64; BLOCK];

    #[inline(always)]
    fn multiply_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
        if FUSED { a.mul_add(b, c) } else { a * b + c }
    }

    /// target += Σ factors[k] rows[k], all of one length, a multiple of [`BLOCK`].
    #[inline(always)]
    fn add_four<const FUSED: bool>(target: &mut [f64], rows: [&[f64]; 4], factors: [f64; 4]) {
        let [a, b, c, d] = rows.map(|row| row.as_chunks::<BLOCK>().0);
        let target = target.as_chunks_mut::<BLOCK>().0;
        for ((((t, a), b), c), d) in target.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            for lane in 0..BLOCK {
                let sum = multiply_add::<FUSED>(factors[0], a[lane], t[lane]);
                let sum = multiply_add::<FUSED>(factors[1], b[lane], sum);
                let sum = multiply_add::<FUSED>(factors[2], c[lane], sum);
                t[lane] = multiply_add::<FUSED>(factors[3], d[lane], sum);
            }
        }
    }

    /// target += factor · row for any length.
    #[inline(always)]
    fn add_one<const FUSED: bool>(target: &mut [f64], row: &[f64], factor: f64) {
        let (blocks, rest) = target.as_chunks_mut::<BLOCK>();
        let (row_blocks, row_rest) = row.as_chunks::<BLOCK>();
        for (t, r) in blocks.iter_mut().zip(row_blocks) {
            for lane in 0..BLOCK {
                t[lane] = multiply_add::<FUSED>(factor, r[lane], t[lane]);
            }
        }
        for (t, r) in rest.iter_mut().zip(row_rest) {
            *t = multiply_add::<FUSED>(factor, *r, *t);
        }
    }

    #[inline(always)]
    fn total(sums: Block) -> f64 {
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Four dot products with `x` at once, for any length.
    #[inline(always)]
    fn dot_four<const FUSED: bool>(rows: [&[f64]; 4], x: &[f64]) -> [f64; 4] {
        const WIDE: usize = 2 * BLOCK;
        let mut sums = [[0.0; WIDE]; 4];
        let (x_blocks, x_rest) = x.as_chunks::<WIDE>();
        let done = x_blocks.len() * WIDE;
        let [a, b, c, d] = rows.map(|row| row[..done].as_chunks::<WIDE>().0);
        for ((((x, a), b), c), d) in x_blocks.iter().zip(a).zip(b).zip(c).zip(d) {
            for lane in 0..WIDE {
                sums[0][lane] = multiply_add::<FUSED>(a[lane], x[lane], sums[0][lane]);
                sums[1][lane] = multiply_add::<FUSED>(b[lane], x[lane], sums[1][lane]);
                sums[2][lane] = multiply_add::<FUSED>(c[lane], x[lane], sums[2][lane]);
                sums[3][lane] = multiply_add::<FUSED>(d[lane], x[lane], sums[3][lane]);
            }
        }
        let rests = rows.map(|row| &row[done..done + x_rest.len()]);
        let mut result = [0.0; 4];
        for k in 0..4 {
            let [low, high] = [0, BLOCK].map(|at| std::array::from_fn(|lane| sums[k][at + lane]));
            result[k] = total(low) + total(high);
            for (r, x) in rests[k].iter().zip(x_rest) {
                result[k] = multiply_add::<FUSED>(*r, *x, result[k]);
            }
        }
        result
    }

    #[inline(always)]
    fn dot_one<const FUSED: bool>(row: &[f64], x: &[f64]) -> f64 {
        const WIDE: usize = 2 * BLOCK;
        let mut sums = [0.0; WIDE];
        let (x_blocks, x_rest) = x.as_chunks::<WIDE>();
        let (row_blocks, row_rest) = row.as_chunks::<WIDE>();
        for (r, x) in row_blocks.iter().zip(x_blocks) {
            for lane in 0..WIDE {
                sums[lane] = multiply_add::<FUSED>(r[lane], x[lane], sums[lane]);
            }
        }
        let [low, high] = [0, BLOCK].map(|at| std::array::from_fn(|lane| sums[at + lane]));
        let mut result = total(low) + total(high);
        for (r, x) in row_rest.iter().zip(x_rest) {
            result = multiply_add::<FUSED>(*r, *x, result);
        }
        result
    }

    /// Four consecutive rows, from column `start` to `end`.
    #[inline(always)]
    fn four(data: &[f64], stride: usize, row: usize, start: usize, end: usize) -> [&[f64]; 4] {
        let data = &data[row * stride..(row + 3) * stride + end];
        [0, 1, 2, 3].map(|k| &data[k * stride + start..k * stride + end])
    }

    #[inline(always)]
    pub fn cholesky<const FUSED: bool>(
        a: &mut [f64],
        stride: usize,
        size: usize,
        inverse: &mut [f64],
    ) -> Result<(), usize> {
        let end = padded(size);
        for panel in (0..size).step_by(BLOCK) {
            for row in panel..size.min(panel + BLOCK) {
                let (above, rest) = a.split_at_mut(row * stride);
                let current = &mut rest[panel..end];
                for k in panel..row {
                    let pivot_row = &above[k * stride + panel..k * stride + end];
                    let factor = pivot_row[row - panel];
                    if factor != 0.0 {
                        add_one::<FUSED>(current, pivot_row, -factor);
                    }
                }
                let pivot = current[row - panel];
                let is_enough = pivot > inverse[row];
                if !is_enough {
                    return Err(row);
                }
                let scale = 1.0 / pivot.sqrt();
                inverse[row] = scale;
                for value in current.iter_mut() {
                    *value *= scale;
                }
            }
            let next = panel + BLOCK;
            if next >= size {
                break;
            }
            let (above, below) = a.split_at_mut(next * stride);
            let pivots = four(above, stride, panel, 0, end);
            for (row, current) in (next..size).zip(below.chunks_mut(stride)) {
                let factors = pivots.map(|pivot_row| -pivot_row[row]);
                if factors != [0.0; 4] {
                    let start = row / BLOCK * BLOCK;
                    add_four::<FUSED>(&mut current[start..end], pivots.map(|row| &row[start..]), factors);
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub fn solve_transposed<const FUSED: bool>(
        u: &[f64],
        stride: usize,
        inverse: &[f64],
        size: usize,
        rows: &mut [f64],
    ) {
        let end = padded(size);
        for panel in (0..size).step_by(BLOCK) {
            let pivots = four(u, stride, panel, panel, end);
            let [u0, u1, u2, u3] = pivots;
            let Some(&[i0, i1, i2, i3]) = inverse[panel..].first_chunk() else { break };
            for row in rows.chunks_mut(stride) {
                let (head, tail) = row[panel..end].split_at_mut(BLOCK);
                if head == [0.0; 4] {
                    continue;
                }
                let z0 = head[0] * i0;
                let z1 = (head[1] - z0 * u0[1]) * i1;
                let z2 = (head[2] - z0 * u0[2] - z1 * u1[2]) * i2;
                let z3 = (head[3] - z0 * u0[3] - z1 * u1[3] - z2 * u2[3]) * i3;
                head.copy_from_slice(&[z0, z1, z2, z3]);
                add_four::<FUSED>(
                    tail,
                    [&u0[BLOCK..], &u1[BLOCK..], &u2[BLOCK..], &u3[BLOCK..]],
                    [-z0, -z1, -z2, -z3],
                );
            }
        }
    }

    #[inline(always)]
    pub fn solve<const FUSED: bool>(u: &[f64], stride: usize, inverse: &[f64], size: usize, x: &mut [f64]) {
        let end = padded(size);
        for panel in (0..size).step_by(BLOCK).rev() {
            let [u0, u1, u2, u3] = four(u, stride, panel, panel, end);
            let Some(&[i0, i1, i2, i3]) = inverse[panel..].first_chunk() else { break };
            let (head, tail) = x[panel..end].split_at_mut(BLOCK);
            let sums = dot_four::<FUSED>([&u0[BLOCK..], &u1[BLOCK..], &u2[BLOCK..], &u3[BLOCK..]], tail);
            let x3 = (head[3] - sums[3]) * i3;
            let x2 = (head[2] - sums[2] - u2[3] * x3) * i2;
            let x1 = (head[1] - sums[1] - u1[3] * x3 - u1[2] * x2) * i1;
            let x0 = (head[0] - sums[0] - u0[3] * x3 - u0[2] * x2 - u0[1] * x1) * i0;
            head.copy_from_slice(&[x0, x1, x2, x3]);
        }
    }

    #[inline(always)]
    pub fn multiply<const FUSED: bool>(rows: &[f64], stride: usize, x: &[f64], product: &mut [f64]) {
        let (blocks, rest) = product.as_chunks_mut::<4>();
        for (k, block) in blocks.iter_mut().enumerate() {
            *block = dot_four::<FUSED>(four(rows, stride, 4 * k, 0, x.len()), x);
        }
        let first = 4 * blocks.len();
        for (k, value) in rest.iter_mut().enumerate() {
            let start = (first + k) * stride;
            *value = dot_one::<FUSED>(&rows[start..start + x.len()], x);
        }
    }

    #[inline(always)]
    pub fn add_rows<const FUSED: bool>(sum: &mut [f64], rows: &[f64], stride: usize, factors: &[f64]) {
        let (blocks, rest) = factors.as_chunks::<4>();
        let whole = sum.len() / BLOCK * BLOCK;
        for (k, factors) in blocks.iter().enumerate() {
            let four_rows = four(rows, stride, 4 * k, 0, sum.len());
            add_four::<FUSED>(&mut sum[..whole], four_rows.map(|row| &row[..whole]), *factors);
            for at in whole..sum.len() {
                for (row, factor) in four_rows.iter().zip(factors) {
                    sum[at] = multiply_add::<FUSED>(*factor, row[at], sum[at]);
                }
            }
        }
        let first = 4 * blocks.len();
        for (k, factor) in rest.iter().enumerate() {
            let start = (first + k) * stride;
            add_one::<FUSED>(sum, &rows[start..start + sum.len()], *factor);
        }
    }

    #[inline(always)]
    pub fn gram<const FUSED: bool>(
        rows: &[f64],
        stride: usize,
        count: usize,
        product: &mut [f64],
        product_stride: usize,
    ) {
        for i in 0..count {
            let start = i / BLOCK * BLOCK;
            multiply::<FUSED>(
                &rows[start * stride..],
                stride,
                &rows[i * stride..(i + 1) * stride],
                &mut product[i * product_stride + start..i * product_stride + count],
            );
        }
    }
}
