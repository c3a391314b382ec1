//! Projected Gauss-Seidel ([Kokkevis 2004] §6; [Cottle, Pang and Stone 1992] ch. 5).

use super::{FrictionSet, Law, Matrix, SubspaceMinimization};
use aplomb_math::elementary::hypot;
use nalgebra::{Matrix2, Vector2};

/// When to stop the iteration: at the first bound that is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Largest number of sweeps over all rows.
    pub iterations: usize,
    /// Largest change of w (in its unit) that another sweep would demand of one row.
    pub residual: f64,
}

/// Effort and result of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct GaussSeidelStats {
    /// Number of iterations made.
    pub iterations: usize,
    /// The largest `|z − P(z − w/K_ii)| K_ii` over the rows, P the projection onto what the row's law allows:
    /// zero at a solution, and |w| for a bilateral row. In the unit of w.
    pub residual: f64,
}

/// Number of sweeps before the first subspace minimisation, by which the active rows should be known.
const SWEEPS_BEFORE: usize = 12;

/// Number of sweeps between two subspace minimisations.
const SWEEPS_BETWEEN: usize = 4;

/// Improves `z` row by row, from its given value. `w` must be `K z + q` on entry and is on return. z stays
/// finite for any K and q: a row that its own force cannot move (K_ii = 0) is skipped and counted in the
/// residual, and contradictory rows share the violation.
///
/// With a `finish`, some sweeps are followed by conjugate residuals on the active rows, in alternation; every
/// product with K counts as a sweep. If that does not reduce the residual it is undone, and the number of
/// sweeps before the next one doubles.
pub fn solve(
    matrix: &mut impl Matrix,
    laws: &[Law],
    z: &mut [f64],
    w: &mut [f64],
    stop: &Tolerance,
    mut finish: Option<&mut SubspaceMinimization>,
) -> GaussSeidelStats {
    debug_assert!(laws.len() == z.len() && z.len() == w.len());
    let mut effort = GaussSeidelStats::default();
    let (mut next_finish, mut pause) = (SWEEPS_BEFORE, SWEEPS_BETWEEN);
    loop {
        let mut to_beat = None;
        let left = stop.iterations.saturating_sub(effort.iterations);
        if effort.iterations >= next_finish
            && let Some(finish) = finish.as_deref_mut()
        {
            let took = finish.attempt(matrix, laws, z, w, stop.residual, left);
            if took > 0 {
                to_beat = Some(effort.residual);
                effort.iterations += took;
            }
            next_finish = effort.iterations + pause;
        }
        let last = effort.iterations >= stop.iterations;
        effort.residual = sweep(matrix, laws, z, w, stop.residual, last);
        if let (Some(before), Some(finish)) = (to_beat, finish.as_deref())
            && (effort.residual.is_nan() || effort.residual >= before)
        {
            finish.undo(matrix, z, w);
            effort.residual = before;
            pause *= 2;
            next_finish = effort.iterations + pause;
            if !last {
                continue;
            }
        }
        if last || effort.residual <= stop.residual {
            matrix.settle(w);
            return effort;
        }
        effort.iterations += 1;
    }
}

/// The largest violation, if every row is satisfied to within `content`: then no solve is needed.
pub(crate) fn settled(laws: &[Law], z: &[f64], w: &[f64], content: f64) -> Option<f64> {
    (0..laws.len()).try_fold(0.0f64, |worst, row| {
        let violation = left(laws, z, row, |row| w[row]);
        (violation <= content).then(|| worst.max(violation))
    })
}

/// A lower bound of a row's violation, without K.
#[inline]
fn left(laws: &[Law], z: &[f64], i: usize, w: impl Fn(usize) -> f64) -> f64 {
    match laws[i] {
        Law::SecondTangent => 0.0,
        Law::Bilateral => w(i).abs(),
        Law::Unilateral if z[i] > 0.0 => w(i).abs(),
        Law::Unilateral if z[i] == 0.0 => (-w(i)).max(0.0),
        // A gradient step followed by projection onto a convex set is not longer than the step.
        Law::TangentPair { normal, coefficient, set } => {
            let (force, reach) = (Vector2::new(z[i], z[i + 1]), coefficient * z[normal].max(0.0));
            match force == set.project(force, reach) {
                true => Vector2::new(w(i), w(i + 1)).norm(),
                false => f64::INFINITY,
            }
        }
        _ => f64::INFINITY,
    }
}

/// Updates each row in turn, except on the `last` sweep, and returns the largest violation.
fn sweep(
    matrix: &mut impl Matrix,
    laws: &[Law],
    z: &mut [f64],
    w: &mut [f64],
    content: f64,
    last: bool,
) -> f64 {
    let mut worst = 0.0f64;
    for i in 0..laws.len() {
        let (change, violation) = step(matrix, laws, z, w, i, content);
        // A NaN counts as unsolved, and its row is not changed.
        worst = if violation.is_nan() { f64::INFINITY } else { worst.max(violation) };
        if last || violation.is_nan() {
            continue;
        }
        for (k, delta) in change.iter().enumerate() {
            if *delta != 0.0 {
                z[i + k] += delta;
                matrix.change(i + k, *delta, w);
            }
        }
    }
    worst
}

/// The change of z for row `i` (or the pair of rows from `i`) with all others fixed, and the amount of w that
/// it would remove. Rows that are satisfied to within `content` do not change.
fn step(
    matrix: &mut impl Matrix,
    laws: &[Law],
    z: &[f64],
    w: &[f64],
    i: usize,
    content: f64,
) -> ([f64; 2], f64) {
    let violation = left(laws, z, i, |row| matrix.violation(row, w));
    if violation <= content {
        return ([0.0; 2], violation);
    }
    if let Law::TangentPair { normal, coefficient, set } = laws[i] {
        return pair(matrix, z, w, i, coefficient * z[normal].max(0.0), set);
    }
    let (diagonal, w) = (matrix.diagonal(i), matrix.violation(i, w));
    let (lower, upper) = match laws[i] {
        Law::Unilateral => (0.0, f64::INFINITY),
        Law::Between { lower, upper } => (lower, upper),
        Law::Tangent { normal, coefficient, both_ways } => {
            let reach = coefficient * z[normal].max(0.0);
            (if both_ways { -reach } else { 0.0 }, reach)
        }
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    // A row with a NaN diagonal does not change either.
    if diagonal.is_nan() || diagonal <= f64::MIN_POSITIVE {
        let wanted = if w < 0.0 { upper } else { lower };
        return ([0.0; 2], if z[i] == wanted { 0.0 } else { w.abs() });
    }
    let change = (z[i] - w / diagonal).max(lower).min(upper) - z[i];
    ([change, 0.0], change.abs() * diagonal)
}

/// Two tangential forces of one contact within `set`. Sticking is solved directly; at the boundary of the
/// set, a projected gradient step has the same fixed points as the conditions of the contact.
fn pair(
    matrix: &mut impl Matrix,
    z: &[f64],
    w: &[f64],
    i: usize,
    reach: f64,
    set: FrictionSet,
) -> ([f64; 2], f64) {
    let block = Matrix2::new(matrix.diagonal(i), matrix.beside(i), matrix.beside(i), matrix.diagonal(i + 1));
    let steepest = {
        let (mean, half) = (0.5 * block.trace(), 0.5 * (block.m11 - block.m22));
        mean + hypot(half, block.m12)
    };
    let force = Vector2::new(z[i], z[i + 1]);
    let slip = Vector2::new(matrix.violation(i, w), matrix.violation(i + 1, w));
    if steepest.is_nan() || steepest <= f64::MIN_POSITIVE {
        return ([0.0; 2], 0.0);
    }
    let stuck = Some(block.determinant()).filter(|d| *d > 1e-9 * steepest * steepest).map(|determinant| {
        let adjugate = Matrix2::new(block.m22, -block.m12, -block.m21, block.m11);
        force - adjugate * slip / determinant
    });
    let next = match stuck {
        Some(stuck) if set.project(stuck, reach) == stuck => stuck,
        _ => set.project(force - slip / steepest, reach),
    };
    let change = next - force;
    ([change.x, change.y], change.norm() * steepest)
}
