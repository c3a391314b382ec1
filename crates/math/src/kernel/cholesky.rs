//! The Cholesky factor of a matrix, four rows at a time.

use super::lanes::Lanes;
use super::{BLOCK, Block, padded, tail};
use std::ops::Range;

/// Number of blocks of rows above that are processed at once.
const BATCH: usize = 64;

#[inline(always)]
pub(super) fn cholesky<V: Lanes>(
    a: &mut [f64],
    stride: usize,
    size: usize,
    inverse: &mut [f64],
    ends: &[usize],
) -> Result<(), usize> {
    let end = padded(size);
    for panel in (0..size).step_by(BLOCK) {
        let (above, rest) = a.split_at_mut(panel * stride);
        let rows = &mut rest[..BLOCK * stride];
        let next = panel + BLOCK;
        let [near, far] = tail(ends, next, end);
        let columns = [panel..near.min(end), far..end];
        subtract_above::<V>(above, stride, rows, panel, &columns);
        let count = BLOCK.min(size - panel);
        let Some(inverse) = inverse[panel..].first_chunk_mut() else { break };
        let (factors, failed) = factor_block::<V>(rows, stride, panel, count, inverse);
        let [first, second] = columns;
        for columns in [next.min(first.end)..first.end, second] {
            substitute::<V>(rows, stride, columns, &factors, inverse);
        }
        if let Some(row) = failed {
            return Err(panel + row);
        }
    }
    Ok(())
}

/// Subtracts from four rows, from column `panel` on, the products of the rows above (elimination).
#[inline(always)]
fn subtract_above<V: Lanes>(
    above: &[f64],
    stride: usize,
    rows: &mut [f64],
    panel: usize,
    columns: &[Range<usize>; 2],
) {
    let mut batch = [0; BATCH];
    let mut count = 0;
    for start in (0..panel).step_by(BLOCK) {
        if has_factors::<V>(split(&above[start * stride..(start + BLOCK) * stride], stride), panel) {
            batch[count] = start * stride;
            count += 1;
        }
        if count == BATCH || start + BLOCK == panel {
            for columns in columns {
                subtract_batch::<V>(above, &batch[..count], stride, rows, panel, columns.clone());
            }
            count = 0;
        }
    }
}

/// Four rows of one length.
#[inline(always)]
fn split(rows: &[f64], stride: usize) -> [&[f64]; BLOCK] {
    let (a, rest) = rows.split_at(stride);
    let (b, rest) = rest.split_at(stride);
    let (c, rest) = rest.split_at(stride);
    [a, b, c, &rest[..stride]]
}

/// Whether four rows have a number that is not zero in the four columns from `panel` on.
#[inline(always)]
fn has_factors<V: Lanes>(rows: [&[f64]; BLOCK], panel: usize) -> bool {
    let [[a], [b], [c], [d]] = rows.map(|row| load::<V, 1>(row, panel));
    !V::are_zero([a, b, c, d])
}

/// Blocks of columns from `column` on.
#[inline(always)]
fn load<V: Lanes, const WIDE: usize>(row: &[f64], column: usize) -> [V; WIDE] {
    let blocks = row[column..column + WIDE * BLOCK].as_chunks::<BLOCK>().0;
    std::array::from_fn(|k| V::load(&blocks[k]))
}

#[inline(always)]
fn subtract_batch<V: Lanes>(
    above: &[f64],
    batch: &[usize],
    stride: usize,
    rows: &mut [f64],
    panel: usize,
    columns: Range<usize>,
) {
    let mut column = columns.start;
    while column + 2 * BLOCK <= columns.end {
        subtract_tile::<V, 2>(above, batch, stride, rows, panel, column);
        column += 2 * BLOCK;
    }
    if column < columns.end {
        subtract_tile::<V, 1>(above, batch, stride, rows, panel, column);
    }
}

/// Subtracts the products of `batch` in `WIDE` blocks of columns from `column` on; the sums stay in registers over
/// all rows above.
#[inline(always)]
fn subtract_tile<V: Lanes, const WIDE: usize>(
    above: &[f64],
    batch: &[usize],
    stride: usize,
    rows: &mut [f64],
    panel: usize,
    column: usize,
) {
    let mut sums = split(rows, stride).map(|row| load::<V, WIDE>(row, column));
    for start in batch {
        for row in split(&above[*start..*start + BLOCK * stride], stride) {
            let Some(factors) = row[panel..panel + BLOCK].first_chunk::<BLOCK>() else { continue };
            let wide = load::<V, WIDE>(row, column);
            for (sums, factor) in sums.iter_mut().zip(factors) {
                let factor = V::splat(*factor);
                for (sum, wide) in sums.iter_mut().zip(wide) {
                    *sum = sum.minus_product(factor, wide);
                }
            }
        }
    }
    for (k, sums) in sums.iter().enumerate() {
        let row = &mut rows[k * stride + column..k * stride + column + WIDE * BLOCK];
        for (sum, block) in sums.iter().zip(row.as_chunks_mut().0) {
            sum.store(block);
        }
    }
}

/// Factors the diagonal block of four rows, of which `count` are part of the matrix. Returns the entries
/// above the diagonal, and the first row whose pivot does not exceed its minimum.
#[inline(always)]
fn factor_block<V: Lanes>(
    rows: &mut [f64],
    stride: usize,
    panel: usize,
    count: usize,
    inverse: &mut Block,
) -> ([Block; BLOCK], Option<usize>) {
    let mut block = [[0.0; BLOCK]; BLOCK];
    for (to, row) in block.iter_mut().zip(split(rows, stride)) {
        to.copy_from_slice(&row[panel..panel + BLOCK]);
    }
    let mut failed = None;
    for row in 0..BLOCK {
        let mut lanes = V::load(&block[row]);
        for above in &block[..row] {
            lanes = lanes.minus_product(V::splat(above[row]), V::load(above));
        }
        lanes.store(&mut block[row]);
        let pivot = block[row][row];
        let is_enough = row < count && failed.is_none() && pivot > inverse[row];
        if is_enough {
            let scale = 1.0 / pivot.sqrt();
            inverse[row] = scale;
            lanes.times(V::splat(scale)).store(&mut block[row]);
            continue;
        }
        if row < count && failed.is_none() {
            failed = Some(row);
        }
        // The following entries are not part of the factor.
        block[row] = [0.0; BLOCK];
    }
    for (k, from) in block[..count].iter().enumerate() {
        rows[k * stride + panel..k * stride + panel + BLOCK].copy_from_slice(from);
    }
    (block, failed)
}

/// Eliminates within four rows, in some columns right of the diagonal block.
#[inline(always)]
fn substitute<V: Lanes>(
    rows: &mut [f64],
    stride: usize,
    columns: Range<usize>,
    [f0, f1, f2, _]: &[Block; BLOCK],
    scales: &Block,
) {
    let (r0, rest) = rows.split_at_mut(stride);
    let (r1, rest) = rest.split_at_mut(stride);
    let (r2, r3) = rest.split_at_mut(stride);
    let [r0, r1, r2, r3] = [r0, r1, r2, r3].map(|row| row[columns.clone()].as_chunks_mut::<BLOCK>().0);
    let [f01, f02, f03] = [f0[1], f0[2], f0[3]].map(V::splat);
    let [f12, f13, f23] = [f1[2], f1[3], f2[3]].map(V::splat);
    let [s0, s1, s2, s3] = scales.map(V::splat);
    for (((r0, r1), r2), r3) in r0.iter_mut().zip(r1).zip(r2).zip(r3) {
        let u0 = V::load(r0).times(s0);
        let u1 = V::load(r1).minus_product(f01, u0).times(s1);
        let u2 = V::load(r2).minus_product(f02, u0).minus_product(f12, u1).times(s2);
        let u3 = V::load(r3).minus_product(f03, u0).minus_product(f13, u1).minus_product(f23, u2).times(s3);
        u0.store(r0);
        u1.store(r1);
        u2.store(r2);
        u3.store(r3);
    }
}
