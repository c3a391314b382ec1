//! The loops of [`super`], for any kind of lanes. Everything is inlined into the entry points there, which are
//! compiled for the processor's features.

pub(super) use super::cholesky::cholesky;
use super::lanes::Lanes;
pub(super) use super::squares::{add_single_squares, add_squares};
use super::{BLOCK, Block, padded, tail};
use std::ops::Range;

/// The whole blocks of a row.
#[inline(always)]
fn blocks(row: &[f64]) -> &[Block] {
    row.as_chunks().0
}

/// target += factor · row, for any length.
#[inline(always)]
fn add_one<V: Lanes>(target: &mut [f64], row: &[f64], factor: f64) {
    let (target, target_rest) = target.as_chunks_mut();
    let (row, row_rest) = row.as_chunks();
    let lanes = V::splat(factor);
    for (t, r) in target.iter_mut().zip(row) {
        V::load(t).plus_product(lanes, V::load(r)).store(t);
    }
    for (t, r) in target_rest.iter_mut().zip(row_rest) {
        *t = V::single(*t, factor, *r);
    }
}

/// target += Σ factors_k row k, over whole blocks.
#[inline(always)]
fn add_four<V: Lanes>(target: &mut [f64], rows: [&[f64]; 4], factors: [f64; 4]) {
    let [a, b, c, d] = [blocks(rows[0]), blocks(rows[1]), blocks(rows[2]), blocks(rows[3])];
    let [fa, fb, fc, fd] =
        [V::splat(factors[0]), V::splat(factors[1]), V::splat(factors[2]), V::splat(factors[3])];
    let target = target.as_chunks_mut::<BLOCK>().0;
    for ((((t, a), b), c), d) in target.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let near = V::load(t).plus_product(fa, V::load(a)).plus_product(fb, V::load(b));
        near.plus_product(fc, V::load(c)).plus_product(fd, V::load(d)).store(t);
    }
}

/// Adds four rows to each of two targets, which share the loads from memory.
#[inline(always)]
fn add_four_to_two<V: Lanes>(targets: [&mut [f64]; 2], rows: [&[f64]; 4], [first, second]: [[f64; 4]; 2]) {
    let [a, b, c, d] = [blocks(rows[0]), blocks(rows[1]), blocks(rows[2]), blocks(rows[3])];
    let [fa, fb, fc, fd] = [V::splat(first[0]), V::splat(first[1]), V::splat(first[2]), V::splat(first[3])];
    let [sa, sb, sc, sd] =
        [V::splat(second[0]), V::splat(second[1]), V::splat(second[2]), V::splat(second[3])];
    let [t, u] = targets;
    let (t, u) = (t.as_chunks_mut::<BLOCK>().0, u.as_chunks_mut::<BLOCK>().0);
    for (((((t, u), a), b), c), d) in t.iter_mut().zip(u).zip(a).zip(b).zip(c).zip(d) {
        let [a, b, c, d] = [V::load(a), V::load(b), V::load(c), V::load(d)];
        let [near_t, near_u] = [
            V::load(t).plus_product(fa, a).plus_product(fb, b),
            V::load(u).plus_product(sa, a).plus_product(sb, b),
        ];
        near_t.plus_product(fc, c).plus_product(fd, d).store(t);
        near_u.plus_product(sc, c).plus_product(sd, d).store(u);
    }
}

/// Four dot products with `x` at once, for any length.
#[inline(always)]
fn dot_four<V: Lanes>(rows: [&[f64]; 4], x: &[f64]) -> [f64; 4] {
    let (x_pairs, x_rest) = x.as_chunks::<{ 2 * BLOCK }>();
    let done = x_pairs.len() * 2 * BLOCK;
    let [a, b, c, d] = rows;
    let zero = V::splat(0.0);
    let (mut near, mut far) = ([zero; 4], [zero; 4]);
    let all =
        x_pairs.iter().zip(a.as_chunks().0).zip(b.as_chunks().0).zip(c.as_chunks().0).zip(d.as_chunks().0);
    // From the far end, because in a back substitution the near one has only just been computed.
    for ((((x, a), b), c), d) in all.rev() {
        let [x_near, x_far] = halves::<V>(x);
        let [[a, e], [b, f], [c, g], [d, h]] =
            [halves::<V>(a), halves::<V>(b), halves::<V>(c), halves::<V>(d)];
        near[0] = near[0].plus_product(a, x_near);
        near[1] = near[1].plus_product(b, x_near);
        near[2] = near[2].plus_product(c, x_near);
        near[3] = near[3].plus_product(d, x_near);
        far[0] = far[0].plus_product(e, x_far);
        far[1] = far[1].plus_product(f, x_far);
        far[2] = far[2].plus_product(g, x_far);
        far[3] = far[3].plus_product(h, x_far);
    }
    let (x_blocks, x_rest) = x_rest.as_chunks::<BLOCK>();
    let [a, b, c, d] = [&a[done..], &b[done..], &c[done..], &d[done..]];
    if let (Some(x), Some(a), Some(b), Some(c), Some(d)) =
        (x_blocks.first(), a.first_chunk(), b.first_chunk(), c.first_chunk(), d.first_chunk())
    {
        let x = V::load(x);
        near[0] = near[0].plus_product(V::load(a), x);
        near[1] = near[1].plus_product(V::load(b), x);
        near[2] = near[2].plus_product(V::load(c), x);
        near[3] = near[3].plus_product(V::load(d), x);
    }
    let all = [near[0].add(far[0]), near[1].add(far[1]), near[2].add(far[2]), near[3].add(far[3])];
    let mut sums = V::sums(all);
    let done = x_blocks.len() * BLOCK;
    for (k, x) in x_rest.iter().enumerate() {
        sums[0] = V::single(sums[0], a[done + k], *x);
        sums[1] = V::single(sums[1], b[done + k], *x);
        sums[2] = V::single(sums[2], c[done + k], *x);
        sums[3] = V::single(sums[3], d[done + k], *x);
    }
    sums
}

#[inline(always)]
fn halves<V: Lanes>(pair: &[f64; 2 * BLOCK]) -> [V; 2] {
    let (halves, _) = pair.as_chunks::<BLOCK>();
    [V::load(&halves[0]), V::load(&halves[1])]
}

#[inline(always)]
fn dot_one<V: Lanes>(row: &[f64], x: &[f64]) -> f64 {
    let (x, x_rest) = x.as_chunks::<BLOCK>();
    let (row, row_rest) = row.as_chunks::<BLOCK>();
    let zero = V::splat(0.0);
    let mut sums = [zero; 4];
    for (k, (r, x)) in row.iter().zip(x).enumerate() {
        sums[k % 4] = sums[k % 4].plus_product(V::load(r), V::load(x));
    }
    let [sum, ..] = V::sums([sums[0].add(sums[1]).add(sums[2].add(sums[3])), zero, zero, zero]);
    row_rest.iter().zip(x_rest).fold(sum, |sum, (r, x)| V::single(sum, *r, *x))
}

/// Four consecutive rows, from column `start` to `end`.
#[inline(always)]
fn four(data: &[f64], stride: usize, row: usize, start: usize, end: usize) -> [&[f64]; 4] {
    let data = &data[row * stride..(row + 3) * stride + end];
    let at = |k: usize| &data[k * stride + start..k * stride + end];
    [at(0), at(1), at(2), at(3)]
}

#[inline(always)]
fn from(rows: [&[f64]; 4], start: usize) -> [&[f64]; 4] {
    [&rows[0][start..], &rows[1][start..], &rows[2][start..], &rows[3][start..]]
}

#[inline(always)]
pub(super) fn solve_transposed<V: Lanes>(
    u: &[f64],
    stride: usize,
    inverse: &[f64],
    size: usize,
    rows: &mut [f64],
    ends: &[usize],
) {
    let end = padded(size);
    for panel in (0..size).step_by(BLOCK) {
        let next = panel + BLOCK;
        let pivots = four(u, stride, panel, panel, end);
        let [near, far] = tail(ends, next, end);
        let Some(inverse) = inverse[panel..].first_chunk() else { break };
        for pair in rows.chunks_mut(2 * stride) {
            let (t, u) = pair.split_at_mut(stride.min(pair.len()));
            let first = substitute::<V>(pivots, inverse, &mut t[panel..end]);
            let second =
                if u.is_empty() { [0.0; 4] } else { substitute::<V>(pivots, inverse, &mut u[panel..end]) };
            if first == [0.0; 4] && second == [0.0; 4] {
                continue;
            }
            for columns in [next..near, far..end] {
                let rows = from(pivots, columns.start - panel);
                if u.is_empty() {
                    add_four::<V>(&mut t[columns], rows, first);
                } else {
                    let targets = [&mut t[columns.clone()], &mut u[columns]];
                    add_four_to_two::<V>(targets, rows, [first, second]);
                }
            }
        }
    }
}

/// Solves for the first block of `row` with the transposed triangle of the pivot rows; returns the negative solution.
#[inline(always)]
fn substitute<V: Lanes>([u0, u1, u2, _]: [&[f64]; 4], inverse: &Block, row: &mut [f64]) -> Block {
    let Some(head) = row.first_chunk_mut::<BLOCK>() else { return [0.0; 4] };
    if *head == [0.0; 4] {
        return *head;
    }
    // The head is divided first, so that each unknown waits for only one product.
    let [h0, h1, h2, h3] = scaled(*head, inverse);
    let z0 = h0;
    let z1 = V::single(h1, -u0[1] * inverse[1], z0);
    let z2 = V::single(V::single(h2, -u0[2] * inverse[2], z0), -u1[2] * inverse[2], z1);
    let z3 = V::single(V::single(h3, -u0[3] * inverse[3], z0), -u1[3] * inverse[3], z1);
    let z3 = V::single(z3, -u2[3] * inverse[3], z2);
    *head = [z0, z1, z2, z3];
    [-z0, -z1, -z2, -z3]
}

#[inline(always)]
pub(super) fn solve<V: Lanes>(u: &[f64], stride: usize, inverse: &[f64], size: usize, x: &mut [f64]) {
    let end = padded(size);
    for panel in (0..size).step_by(BLOCK).rev() {
        let [u0, u1, u2, u3] = four(u, stride, panel, panel, end);
        let Some(inverse) = inverse[panel..].first_chunk::<BLOCK>() else { break };
        let (head, tail) = x[panel..end].split_at_mut(BLOCK);
        let sums = dot_four::<V>(from([u0, u1, u2, u3], BLOCK), tail);
        let rest = [head[0] - sums[0], head[1] - sums[1], head[2] - sums[2], head[3] - sums[3]];
        let [h0, h1, h2, h3] = scaled(rest, inverse);
        let x3 = h3;
        let x2 = V::single(h2, -u2[3] * inverse[2], x3);
        let x1 = V::single(V::single(h1, -u1[3] * inverse[1], x3), -u1[2] * inverse[1], x2);
        let x0 = V::single(V::single(h0, -u0[3] * inverse[0], x3), -u0[2] * inverse[0], x2);
        let x0 = V::single(x0, -u0[1] * inverse[0], x1);
        head.copy_from_slice(&[x0, x1, x2, x3]);
    }
}

#[inline(always)]
fn scaled(values: Block, by: &Block) -> Block {
    [values[0] * by[0], values[1] * by[1], values[2] * by[2], values[3] * by[3]]
}

#[inline(always)]
pub(super) fn dot<V: Lanes>(a: &[f64], x: &[f64]) -> f64 {
    // Four sums, so that the processor need not wait for one.
    let mut sums = V::splat(0.0);
    let ((fours, rest), (x, x_rest)) = (a.as_chunks(), x[..a.len()].as_chunks());
    for (a, x) in fours.iter().zip(x) {
        sums = sums.add(V::load(a).times(V::load(x)));
    }
    let mut four = [0.0; BLOCK];
    sums.store(&mut four);
    let tail: f64 = rest.iter().zip(x_rest).map(|(a, x)| a * x).sum();
    (four[0] + four[1]) + (four[2] + four[3]) + tail
}

#[inline(always)]
pub(super) fn multiply<V: Lanes>(rows: &[f64], stride: usize, x: &[f64], product: &mut [f64]) {
    let (blocks, rest) = product.as_chunks_mut::<4>();
    for (k, block) in blocks.iter_mut().enumerate() {
        *block = dot_four::<V>(four(rows, stride, 4 * k, 0, x.len()), x);
    }
    let first = 4 * blocks.len();
    for (k, value) in rest.iter_mut().enumerate() {
        let start = (first + k) * stride;
        *value = dot_one::<V>(&rows[start..start + x.len()], x);
    }
}

#[inline(always)]
pub(super) fn add_rows<V: Lanes>(sum: &mut [f64], rows: &[f64], stride: usize, factors: &[f64]) {
    let (blocks, rest) = factors.as_chunks::<4>();
    let whole = sum.len() / BLOCK * BLOCK;
    for (k, factors) in blocks.iter().enumerate() {
        let rows = four(rows, stride, 4 * k, 0, sum.len());
        add_four::<V>(&mut sum[..whole], rows, *factors);
        for at in whole..sum.len() {
            for (row, factor) in rows.iter().zip(factors) {
                sum[at] = V::single(sum[at], *factor, row[at]);
            }
        }
    }
    let first = 4 * blocks.len();
    for (k, factor) in rest.iter().enumerate() {
        let start = (first + k) * stride;
        add_one::<V>(sum, &rows[start..start + sum.len()], *factor);
    }
}

#[inline(always)]
pub(super) fn mirror<V: Lanes>(a: &mut [f64], size: usize) {
    let whole = size / BLOCK * BLOCK;
    for first in (0..whole).step_by(BLOCK) {
        let next = first + BLOCK;
        for i in first..next {
            for j in first..i {
                a[i * size + j] = a[j * size + i];
            }
        }
        let (upper, lower) = a.split_at_mut(next * size);
        let [a, b, c, d] = four(upper, size, first, next, whole).map(blocks);
        let targets = lower.chunks_exact_mut(BLOCK * size);
        for ((((target, a), b), c), d) in targets.zip(a).zip(b).zip(c).zip(d) {
            let columns = V::transposed([V::load(a), V::load(b), V::load(c), V::load(d)]);
            for (row, column) in target.chunks_exact_mut(size).zip(columns) {
                if let Some(block) = row[first..].first_chunk_mut() {
                    column.store(block);
                }
            }
        }
    }
    for i in whole..size {
        for j in 0..i {
            a[i * size + j] = a[j * size + i];
        }
    }
}

#[inline(always)]
pub(super) fn gram<V: Lanes>(
    rows: &[f64],
    stride: usize,
    count: usize,
    product: &mut [f64],
    product_stride: usize,
    ends: &[usize],
) {
    for i in 0..count {
        let start = i / BLOCK * BLOCK;
        let row = &rows[i * stride..(i + 1) * stride];
        let product = &mut product[i * product_stride + start..i * product_stride + count];
        if ends.is_empty() {
            multiply::<V>(&rows[start * stride..], stride, row, product);
            continue;
        }
        let mut first = 0;
        for end in ends.iter().copied().chain([stride]) {
            let columns = first..end;
            first = end;
            if row[columns.clone()].iter().any(|value| *value != 0.0) {
                add_products::<V>(&rows[start * stride..], stride, row, columns, product);
            }
        }
    }
}

/// `product[i]` += row i · x over some columns.
#[inline(always)]
fn add_products<V: Lanes>(
    rows: &[f64],
    stride: usize,
    x: &[f64],
    columns: Range<usize>,
    product: &mut [f64],
) {
    let x = &x[columns.clone()];
    let (blocks, rest) = product.as_chunks_mut::<4>();
    for (k, block) in blocks.iter_mut().enumerate() {
        let more = dot_four::<V>(four(rows, stride, 4 * k, columns.start, columns.end), x);
        for (sum, more) in block.iter_mut().zip(more) {
            *sum += more;
        }
    }
    let first = 4 * blocks.len();
    for (k, value) in rest.iter_mut().enumerate() {
        let start = (first + k) * stride;
        *value += dot_one::<V>(&rows[start + columns.start..start + columns.end], x);
    }
}
