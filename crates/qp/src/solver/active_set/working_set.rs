//! The face of the feasible set on which the iterate is optimal, and the factors that are updated with it.
//!
//! Bounds active from the start leave the problem: their columns are *fixed*, the others *free*. The Hessian
//! of the free columns is UᵀU. An active row a has the image z = U⁻ᵀ a; images are the rows of Z, and S = Z
//! Zᵀ = RᵀR. In the coordinates u = U x the objective is ½‖u‖² + …, so that steps on the face are projections
//! onto the complement of the rows of Z. They are computed from R alone and corrected once where digits
//! cancel (the corrected seminormal equations, Björck 1987), which is as accurate as keeping the orthogonal
//! factor and cheaper to start and to update.

use super::cholesky_factor::CholeskyFactor;
use super::limit::{ActiveConstraint, Normal};
use crate::Qp;
use aplomb_math::kernel;

/// A pivot of the Hessian below this share of its diagonal counts as zero.
const SINGULAR: f64 = 1e-11;
/// A pivot of S above this share of its diagonal is accurate without projection.
const ACCURATE_PIVOT: f64 = 1e-8;
/// The image of a row counts as dependent on others when less than this share of its length remains.
const DEPENDENT: f64 = 1e-10;
/// A projection that leaves less than this share of the square is repeated, because digits cancel.
const CANCELLED: f64 = 0.01;

/// Position of a column that is not free.
const FIXED: usize = usize::MAX;

/// The Hessian is not positive definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Singular;

/// An active row with its multiplier.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActiveRow {
    pub held: ActiveConstraint,
    pub multiplier: f64,
}

/// Decomposition of a normal with respect to the face: a = Σ rates_i a_i + a component along the face.
#[derive(Clone, Debug, Default)]
pub(super) struct Projection {
    /// U⁻ᵀ a
    image: Vec<f64>,
    /// The component of the image orthogonal to the rows of Z.
    off: Vec<f64>,
    /// Rates by member.
    pub rates: Vec<f64>,
    /// U⁻¹ off, by position: the direction of x as the normal is pushed.
    pub direction: Vec<f64>,
    /// R⁻ᵀ Z image
    column: Vec<f64>,
    correction: Vec<f64>,
    /// ‖off‖²: how fast normal · x grows along the direction.
    pub growth: f64,
    /// Whether the component orthogonal to the rows of Z is only rounding error.
    pub is_dependent: bool,
}

/// Free columns that are adjacent both in the order of the factor and in the problem: `length` from `column`
/// on, at positions from `place` on.
#[derive(Clone, Copy, Debug)]
struct ColumnRun {
    place: usize,
    column: usize,
    length: usize,
}

impl ColumnRun {
    /// The first position after the run.
    fn end(&self) -> usize {
        self.place + self.length
    }
}

/// The face of the active set; the module describes it.
#[doc(alias = "active set")]
#[derive(Clone, Debug, Default)]
pub(super) struct WorkingSet {
    /// Free columns in the order of the factor.
    free: Vec<usize>,
    /// Runs of them that are adjacent in the problem, too.
    stretches: Vec<ColumnRun>,
    /// Position in `free` by column, or [`FIXED`].
    place: Vec<usize>,
    members: Vec<ActiveRow>,
    hessian: CholeskyFactor,
    images: Vec<f64>,
    gram: CholeskyFactor,
    stride: usize,
    /// Added to the diagonal of the Hessian.
    shift: f64,
    pub projection: Projection,
    scratch: Vec<f64>,
}

impl WorkingSet {
    /// Allocates room for problems of `size` unknowns.
    pub(super) fn reserve(&mut self, size: usize) {
        self.stride = kernel::padded(size);
        self.hessian.reserve(size);
        // One row more than can be independent, for the test that finds it dependent.
        self.gram.reserve(size + 1);
        self.images.resize((size + 1) * self.stride, 0.0);
        let p = &mut self.projection;
        for vector in [&mut p.image, &mut p.off, &mut p.direction, &mut self.scratch] {
            vector.clear();
            vector.resize(self.stride, 0.0);
        }
        for vector in [&mut p.rates, &mut p.column, &mut p.correction] {
            vector.clear();
            vector.resize(kernel::padded(size + 1), 0.0);
        }
        self.members.clear();
        self.members.reserve(size + 1);
        self.free.clear();
        self.free.reserve(size);
        self.stretches.clear();
        self.stretches.reserve(size);
        self.place.clear();
        self.place.resize(size, FIXED);
    }

    /// Discards all numbers, because some may not be finite.
    pub(super) fn wipe(&mut self) {
        self.hessian.wipe();
        self.gram.wipe();
        self.images.clear();
    }

    /// Starts with `free` columns and no member, and factors the Hessian with `shift` on its diagonal.
    pub(super) fn start(
        &mut self,
        qp: &Qp,
        free: impl Iterator<Item = usize>,
        shift: f64,
    ) -> Result<(), Singular> {
        self.shift = shift;
        self.members.clear();
        self.gram.clear();
        self.free.clear();
        self.stretches.clear();
        self.place.fill(FIXED);
        free.for_each(|column| self.append_free(column));
        let size = self.free.len();
        let mut passed = 0;
        for (k, &column) in self.free.iter().enumerate() {
            let row = self.hessian.row_mut(k);
            let first = k / kernel::BLOCK * kernel::BLOCK;
            while self.stretches.get(passed).is_some_and(|stretch| stretch.end() <= first) {
                passed += 1;
            }
            copy_stretches(&self.stretches[passed..], qp.hessian.row(column), first, row);
            row[size..kernel::padded(size)].iter_mut().for_each(|beyond| *beyond = 0.0);
            row[k] += shift;
        }
        self.hessian.set_blocks(block_ends(&qp.blocks, &self.free));
        if self.hessian.factor(size, SINGULAR) == size { Ok(()) } else { Err(Singular) }
    }

    /// Appends a column at the last position.
    fn append_free(&mut self, column: usize) {
        let place = self.free.len();
        match self.stretches.last_mut() {
            Some(last) if last.column + last.length == column => last.length += 1,
            _ => self.stretches.push(ColumnRun { place, column, length: 1 }),
        }
        self.place[column] = place;
        self.free.push(column);
    }

    pub(super) fn free(&self) -> &[usize] {
        &self.free
    }

    pub(super) fn members(&self) -> &[ActiveRow] {
        &self.members
    }

    /// Moves the multipliers by `step` times the rates of the projection.
    pub(super) fn move_multipliers(&mut self, step: f64) {
        for (member, rate) in self.members.iter_mut().zip(&self.projection.rates) {
            member.multiplier += step * rate;
        }
    }

    /// Adds `rows` at once, up to the first that may be dependent on those before it. Returns their number.
    pub(super) fn hold_independent(&mut self, qp: &Qp, rows: &[ActiveConstraint]) -> usize {
        let (count, stride) = (rows.len().min(self.free.len()), self.stride);
        let rows = &rows[..count];
        for (held, image) in rows.iter().zip(self.images.chunks_exact_mut(stride)) {
            gather(qp, held.normal, &self.stretches, &self.place, image);
        }
        self.hessian.solve_transposed(&mut self.images[..count * stride]);
        self.gram.fill_gram(&self.images, stride, count, self.hessian.blocks());
        let held = self.gram.factor(count, ACCURATE_PIVOT);
        self.members.extend(rows[..held].iter().map(|held| ActiveRow { held: *held, multiplier: 0.0 }));
        held
    }

    /// Computes the decomposition of `normal` with respect to the face, into `projection`.
    pub(super) fn project(&mut self, qp: &Qp, normal: Normal) {
        let WorkingSet { projection, members, .. } = self;
        let Projection { image, off, rates, direction, column, correction, .. } = projection;
        let (count, stride) = (members.len(), self.stride);
        let size = self.free.len();
        gather(qp, normal, &self.stretches, &self.place, image);
        self.hessian.solve_transposed(image);
        let [rates, column, correction] =
            [rates, column, correction].map(|vector| &mut vector[..kernel::padded(count)]);
        let images = &self.images[..count * stride];

        kernel::multiply(images, stride, image, &mut column[..count]);
        column[count..].fill(0.0);
        self.gram.solve_transposed(column);
        rates.copy_from_slice(column);
        self.gram.solve(rates);
        off.copy_from_slice(image);
        subtract_rows(off, images, stride, &rates[..count], &mut correction[..count]);
        let whole = square(image);
        if square(off) < CANCELLED * whole {
            kernel::multiply(images, stride, off, &mut correction[..count]);
            correction[count..].fill(0.0);
            self.gram.solve_transposed(correction);
            self.gram.solve(correction);
            for (rate, more) in rates.iter_mut().zip(correction.iter()) {
                *rate += more;
            }
            for more in correction[..count].iter_mut() {
                *more = -*more;
            }
            kernel::add_rows(off, images, stride, &correction[..count]);
        }
        projection.growth = square(off);
        projection.is_dependent =
            count >= size || projection.growth <= DEPENDENT * DEPENDENT * whole || whole == 0.0;
        if projection.is_dependent {
            direction.fill(0.0);
        } else {
            direction.copy_from_slice(off);
            self.hessian.solve(direction);
        }
    }

    /// Adds the row that was projected last, which must be independent.
    pub(super) fn hold(&mut self, held: ActiveConstraint, multiplier: f64) {
        let (count, stride) = (self.members.len(), self.stride);
        self.images[count * stride..(count + 1) * stride].copy_from_slice(&self.projection.image);
        self.gram.append(&self.projection.column, self.projection.growth.sqrt());
        self.members.push(ActiveRow { held, multiplier });
    }

    /// Removes member `index`.
    pub(super) fn release(&mut self, index: usize) {
        let (count, stride) = (self.members.len(), self.stride);
        self.members.remove(index);
        self.gram.remove(index);
        self.images.copy_within((index + 1) * stride..count * stride, index * stride);
    }

    /// Frees a fixed column: U gains a column, each image a component, S a square.
    pub(super) fn set_free(&mut self, qp: &Qp, column: usize) -> Result<(), Singular> {
        let (size, count, stride) = (self.free.len(), self.members.len(), self.stride);
        let above = &mut self.scratch;
        let row = qp.hessian.row(column);
        copy_stretches(&self.stretches, row, 0, above);
        above[size..].fill(0.0);
        self.hessian.solve_transposed(above);
        let diagonal = row[column] + self.shift;
        let pivot = diagonal - square(above);
        let is_enough = pivot > SINGULAR * diagonal;
        if !is_enough {
            return Err(Singular);
        }
        let pivot = pivot.sqrt();
        let grown = &mut self.projection.correction[..count];
        kernel::multiply(&self.images[..count * stride], stride, above, grown);
        let rows = self.images.chunks_exact_mut(stride);
        for ((component, member), image) in grown.iter_mut().zip(&self.members).zip(rows) {
            *component = (member.held.normal.component(qp, column) - *component) / pivot;
            image[size] = *component;
        }
        self.gram.add_square(grown);
        self.hessian.append(above, pivot);
        self.append_free(column);
        Ok(())
    }

    /// One Newton step to the optimum on the face: given the residual P x + g − Σ λ_i a_i and x, it moves x
    /// and the multipliers. From far away it solves; near the solution it refines.
    pub(super) fn solve(&mut self, qp: &Qp, residual: &[f64], x: &mut [f64]) {
        let (size, count, stride) = (self.free.len(), self.members.len(), self.stride);
        let Projection { off, rates, .. } = &mut self.projection;
        copy_stretches(&self.stretches, residual, 0, off);
        off[size..].fill(0.0);
        self.hessian.solve_transposed(off);
        let images = &self.images[..count * stride];
        let change = &mut rates[..kernel::padded(count)];
        kernel::multiply(images, stride, off, &mut change[..count]);
        let is_origin = x.iter().all(|x| *x == 0.0);
        for (change, member) in change.iter_mut().zip(&self.members) {
            let at = if is_origin { 0.0 } else { member.held.normal.dot(qp, x) };
            *change += member.held.value(qp) - at;
        }
        change[count..].fill(0.0);
        self.gram.solve_transposed(change);
        self.gram.solve(change);
        for value in off.iter_mut() {
            *value = -*value;
        }
        kernel::add_rows(off, images, stride, &change[..count]);
        self.hessian.solve(off);
        for (&column, step) in self.free.iter().zip(off.iter()) {
            x[column] += step;
        }
        for (member, change) in self.members.iter_mut().zip(change.iter()) {
            member.multiplier += change;
        }
    }
}

/// Gathers the normal by position.
fn gather(qp: &Qp, normal: Normal, free: &[ColumnRun], place: &[usize], into: &mut [f64]) {
    let from = match normal {
        Normal::Equality(k) => qp.equality.row(k),
        Normal::Row(k) => qp.rows.row(k),
        Normal::Column(j) => {
            into.fill(0.0);
            if place[j] != FIXED {
                into[place[j]] = 1.0;
            }
            return;
        }
    };
    copy_stretches(free, from, 0, into);
    let size = free.last().map_or(0, |last| last.place + last.length);
    into[size..].fill(0.0);
}

/// Copies numbers by column to their positions from `first` on.
fn copy_stretches(stretches: &[ColumnRun], from: &[f64], first: usize, to: &mut [f64]) {
    for &ColumnRun { place, column, length } in stretches {
        let start = first.max(place);
        if start < place + length {
            to[start..place + length].copy_from_slice(&from[column + start - place..column + length]);
        }
    }
}

/// Ends of the blocks of the free columns, except the last block, which all others are coupled with.
fn block_ends<'a>(blocks: &'a [usize], free: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    let last = blocks.iter().max().copied();
    let of = |place: usize| blocks.get(free[place]).copied();
    let ends = move |place: &usize| {
        of(*place) != last && (free.get(*place + 1).is_none() || of(*place + 1) != of(*place))
    };
    (0..free.len()).filter(move |_| !blocks.is_empty()).filter(ends).map(|place| place + 1)
}

fn square(vector: &[f64]) -> f64 {
    let mut result = [0.0];
    kernel::multiply(vector, vector.len(), vector, &mut result);
    result[0]
}

/// sum −= Σ factors_i row i; `negative` is scratch memory of the same length as the factors.
fn subtract_rows(sum: &mut [f64], rows: &[f64], stride: usize, factors: &[f64], negative: &mut [f64]) {
    for (to, factor) in negative.iter_mut().zip(factors) {
        *to = -factor;
    }
    kernel::add_rows(sum, rows, stride, negative);
}
