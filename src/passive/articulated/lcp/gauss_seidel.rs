//! Projected Gauss-Seidel ([Kokkevis 2004] §6; [Cottle, Pang and Stone 1992] ch. 5).

use super::{Finish, FrictionSet, Law, Matrix};
use nalgebra::{Matrix2, Vector2};

/// When to stop: whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Most sweeps over all rows.
    pub iterations: usize,
    /// Largest change of w (in its unit) that another sweep may still ask of one row.
    pub residual: f64,
}

/// What a solve took, and how far from a solution it was left.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Effort {
    pub iterations: usize,
    /// The largest `|z − P(z − w/K_ii)| K_ii` over the rows, P the projection on what the row's law allows: zero
    /// at a solution, and |w| for a bilateral row. In the unit of w.
    pub residual: f64,
}

/// Sweeps before the first direct solution.
const SWEEPS_BEFORE: usize = 2;

/// Improves `z` row by row from where it stands. `w` must be `K z + q` on entry and is on return. Whatever K and
/// q, z stays finite: a row that its own force cannot move (K_ii = 0) is left alone and counted in the residual,
/// and rows that contradict each other share the violation.
///
/// With a `finish`, every other iteration after the first two is a direct solution on the rows that hold. Where
/// one does not make the residual smaller it is undone, and twice as many sweeps go by before the next.
pub fn solve(
    matrix: &mut impl Matrix,
    laws: &[Law],
    z: &mut [f64],
    w: &mut [f64],
    stop: &Stop,
    mut finish: Option<&mut Finish>,
) -> Effort {
    debug_assert!(laws.len() == z.len() && z.len() == w.len());
    let mut effort = Effort::default();
    let (mut next_finish, mut pause) = (SWEEPS_BEFORE, 1);
    loop {
        let mut to_beat = None;
        if effort.iterations == next_finish
            && effort.iterations < stop.iterations
            && let Some(finish) = finish.as_deref_mut()
        {
            if finish.attempt(matrix, laws, z, w) {
                to_beat = Some(effort.residual);
                effort.iterations += 1;
            }
            next_finish = effort.iterations + pause;
        }
        let last = effort.iterations >= stop.iterations;
        effort.residual = sweep(matrix, laws, z, w, stop.residual, last);
        if let (Some(before), Some(finish)) = (to_beat, finish.as_deref())
            && (effort.residual.is_nan() || effort.residual >= before)
        {
            finish.undo(z, w);
            effort.residual = before;
            pause *= 2;
            next_finish = effort.iterations + pause;
            if !last {
                continue;
            }
        }
        if last || effort.residual <= stop.residual {
            return effort;
        }
        effort.iterations += 1;
    }
}

/// Asks each row in turn what it wants, gives it that unless it is the `last` time, and returns the largest
/// violation met.
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
        worst = worst.max(violation);
        if last {
            continue;
        }
        for (k, delta) in change.iter().enumerate() {
            if *delta != 0.0 {
                z[i + k] += delta;
                for (w, k) in w.iter_mut().zip(matrix.row(i + k)) {
                    *w += k * delta;
                }
            }
        }
    }
    worst
}

/// The change of z that row `i` (or the pair of rows from `i`) asks for, all others as they are, and how much of
/// w that would undo. Rows that are within `content` of what they want are not moved.
fn step(
    matrix: &mut impl Matrix,
    laws: &[Law],
    z: &[f64],
    w: &[f64],
    i: usize,
    content: f64,
) -> ([f64; 2], f64) {
    let violation = match laws[i] {
        Law::SecondTangent => 0.0,
        Law::Bilateral => w[i].abs(),
        Law::Unilateral if z[i] > 0.0 => w[i].abs(),
        Law::Unilateral if z[i] == 0.0 => (-w[i]).max(0.0),
        _ => f64::INFINITY,
    };
    if violation <= content {
        return ([0.0; 2], violation);
    }
    if let Law::TangentPair { normal, coefficient, set } = laws[i] {
        return pair(matrix, z, w, i, coefficient * z[normal].max(0.0), set);
    }
    let diagonal = matrix.diagonal(i);
    let (lower, upper) = match laws[i] {
        Law::Unilateral => (0.0, f64::INFINITY),
        Law::Between { lower, upper } => (lower, upper),
        Law::Tangent { normal, coefficient, both_ways } => {
            let reach = coefficient * z[normal].max(0.0);
            (if both_ways { -reach } else { 0.0 }, reach)
        }
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    // A number that is none moves nothing either.
    if diagonal.is_nan() || diagonal <= f64::MIN_POSITIVE {
        let wanted = if w[i] < 0.0 { upper } else { lower };
        return ([0.0; 2], if z[i] == wanted { 0.0 } else { w[i].abs() });
    }
    let change = (z[i] - w[i] / diagonal).max(lower).min(upper) - z[i];
    ([change, 0.0], change.abs() * diagonal)
}

/// Two tangential forces of one contact within `set`. Sticking is solved at once; where the set stops the force,
/// a step down the gradient and back onto the set has the same fixed points as the contact's conditions.
fn pair(
    matrix: &mut impl Matrix,
    z: &[f64],
    w: &[f64],
    i: usize,
    reach: f64,
    set: FrictionSet,
) -> ([f64; 2], f64) {
    let block = Matrix2::new(
        matrix.diagonal(i),
        matrix.entry(i, i + 1),
        matrix.entry(i + 1, i),
        matrix.diagonal(i + 1),
    );
    let steepest = {
        let (mean, half) = (0.5 * block.trace(), 0.5 * (block.m11 - block.m22));
        mean + half.hypot(block.m12)
    };
    let (force, slip) = (Vector2::new(z[i], z[i + 1]), Vector2::new(w[i], w[i + 1]));
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
