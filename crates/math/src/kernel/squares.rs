//! Weighted squares of rows, four at a time, so that the target is loaded and stored once for four rows.

use super::lanes::Lanes;
use super::{BLOCK, Block};

/// Largest number of blocks of columns that are listed.
const MOST: usize = 128;

#[inline(always)]
pub(super) fn add_squares<V: Lanes>(
    product: &mut [f64],
    gradient: &mut [f64],
    weights: &Block,
    constants: &Block,
    rows: [&[f64]; 4],
) {
    let [a, b, c, d] = rows;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    let ((c, c_rest), (d, d_rest)) = (c.as_chunks(), d.as_chunks());
    let whole = a.len();
    let four = [a, &b[..whole], &c[..whole], &d[..whole]];
    let mut list = [0; MOST];
    let mut count = 0;
    for block in 0..whole {
        if !V::are_zero(load(four, block)) {
            if count < MOST {
                list[count] = block as u16;
            }
            count += 1;
        }
    }
    let mut rest = [a_rest, b_rest, c_rest, d_rest];
    if rest.iter().all(|row| row.iter().all(|value| *value == 0.0)) {
        rest = [&[]; 4];
    }
    let mut offsets = [0.0; BLOCK];
    V::load(weights).times(V::load(constants)).store(&mut offsets);
    let mut squares = SquareSums { product, gradient, weights, offsets, four, rest };
    if count <= MOST {
        let list = &list[..count];
        for k in 0..count {
            squares.add::<V>(list[k], &list[k..], true);
        }
    } else {
        // Rows as long as this are rare: block by block.
        for block in 0..whole as u16 {
            squares.add::<V>(block, &[block], true);
            (block + 1..whole as u16).for_each(|column| squares.add::<V>(block, &[column], false));
        }
    }
    squares.add_rest::<V>();
}

#[inline(always)]
pub(super) fn add_single_squares<V: Lanes>(
    product: &mut [f64],
    gradient: &mut [f64],
    weight: f64,
    columns: &[usize],
    coefficients: &[f64],
    constants: &[f64],
) {
    let stride = gradient.len();
    for ((column, a), b) in columns.iter().zip(coefficients).zip(constants) {
        let entry = &mut product[column * stride + column];
        *entry = V::single(*entry, weight * a, *a);
        gradient[*column] += weight * b * a;
    }
}

/// A block of columns.
#[inline(always)]
fn load<V: Lanes>(rows: [&[Block]; 4], block: usize) -> [V; 4] {
    let [a, b, c, d] = rows;
    [V::load(&a[block]), V::load(&b[block]), V::load(&c[block]), V::load(&d[block])]
}

/// The target of the squares, and the rows.
struct SquareSums<'a> {
    product: &'a mut [f64],
    gradient: &'a mut [f64],
    weights: &'a Block,
    /// The constants of the rows, times the weights.
    offsets: Block,
    /// Whole blocks of columns.
    four: [&'a [Block]; 4],
    /// The columns after them; skipped if they are zero.
    rest: [&'a [f64]; 4],
}

impl SquareSums<'_> {
    /// Adds the products of a block of columns with other columns; if `all`, also those with the constants
    /// and with the columns after the last whole block.
    #[inline(always)]
    fn add<V: Lanes>(&mut self, block: u16, columns: &[u16], all: bool) {
        let SquareSums { product, gradient, weights, offsets, four, rest } = self;
        let own = load::<V>(*four, usize::from(block));
        let mut factors = [[0.0; BLOCK]; BLOCK];
        for (factors, lanes) in factors.iter_mut().zip(V::transposed(own)) {
            lanes.times(V::load(weights)).store(factors);
        }
        let first = usize::from(block) * BLOCK;
        let stride = gradient.len();
        let targets = &mut product[first * stride..(first + BLOCK) * stride];
        let (t0, others) = targets.split_at_mut(stride);
        let (t1, others) = others.split_at_mut(stride);
        let (t2, t3) = others.split_at_mut(stride);
        if all {
            if let Some(gradient) = gradient[first..].first_chunk_mut() {
                let mut sum = V::load(gradient);
                for (offset, own) in offsets.iter().zip(own) {
                    sum = sum.add(V::splat(*offset).times(own));
                }
                sum.store(gradient);
            }
            let [r0, r1, r2, r3] = *rest;
            for (at, (((r0, r1), r2), r3)) in r0.iter().zip(r1).zip(r2).zip(r3).enumerate() {
                let column = four[0].len() * BLOCK + at;
                let rest = [*r0, *r1, *r2, *r3];
                let mut sums = [t0[column], t1[column], t2[column], t3[column]];
                for k in 0..BLOCK {
                    let factors = own[k].times(V::splat(weights[k]));
                    V::load(&sums).plus_product(factors, V::splat(rest[k])).store(&mut sums);
                }
                [t0[column], t1[column], t2[column], t3[column]] = sums;
            }
        }
        let (t0, t1) = (t0.as_chunks_mut().0, t1.as_chunks_mut().0);
        let (t2, t3) = (t2.as_chunks_mut().0, t3.as_chunks_mut().0);
        let (pairs, odd) = columns.as_chunks();
        for &[left, right] in pairs {
            let at = [usize::from(left), usize::from(right)];
            let rows = [load::<V>(*four, at[0]), load(*four, at[1])];
            add_tile(t0, at, &rows, &factors[0]);
            add_tile(t1, at, &rows, &factors[1]);
            add_tile(t2, at, &rows, &factors[2]);
            add_tile(t3, at, &rows, &factors[3]);
        }
        if let Some(at) = odd.first() {
            let at = [usize::from(*at)];
            let rows = [load::<V>(*four, at[0])];
            add_tile(t0, at, &rows, &factors[0]);
            add_tile(t1, at, &rows, &factors[1]);
            add_tile(t2, at, &rows, &factors[2]);
            add_tile(t3, at, &rows, &factors[3]);
        }
    }

    /// Adds the squares of the columns after the last whole block.
    #[inline(always)]
    fn add_rest<V: Lanes>(&mut self) {
        let SquareSums { product, gradient, weights, offsets, four, rest } = self;
        let (first, stride) = (four[0].len() * BLOCK, gradient.len());
        for i in 0..rest[0].len() {
            for k in 0..BLOCK {
                gradient[first + i] += offsets[k] * rest[k][i];
            }
            let target = &mut product[(first + i) * stride + first..];
            for j in i..rest[0].len() {
                for k in 0..BLOCK {
                    target[j] = V::single(target[j], weights[k] * rest[k][i], rest[k][j]);
                }
            }
        }
    }
}

/// Adds four rows, each times its factor, to some blocks of a target.
#[inline(always)]
fn add_tile<V: Lanes, const WIDE: usize>(
    target: &mut [Block],
    at: [usize; WIDE],
    rows: &[[V; 4]; WIDE],
    factors: &Block,
) {
    for (at, rows) in at.into_iter().zip(rows) {
        let mut sum = V::load(&target[at]);
        for (factor, row) in factors.iter().zip(rows) {
            sum = sum.plus_product(V::splat(*factor), *row);
        }
        sum.store(&mut target[at]);
    }
}
