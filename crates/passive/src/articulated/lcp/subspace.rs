//! Conjugate residuals on the active rows, for cases in which sweeps converge slowly: many nearly dependent
//! constraints, such as those of a body that rests on its corners ([Saad 2003] §6.8; alternating with sweeps
//! as in [Silcowitz et al. 2010]).

use super::{Law, Matrix};
use nalgebra::Vector2;

/// Share of the residual tolerance at which the method stops; friction that follows its normal force undoes
/// some of it.
const AIM: f64 = 0.1;

/// Memory of `SubspaceMinimization::attempt`.
#[derive(Clone, Debug, Default)]
pub struct SubspaceMinimization {
    /// Rows whose forces are strictly inside their laws.
    free: Vec<usize>,
    /// `K_ii^-½` of these rows; the unknowns are forces divided by it.
    scale: Vec<f64>,
    change: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    /// The scaled K times residual and direction.
    of_residual: Vec<f64>,
    of_direction: Vec<f64>,
    scaled: Vec<f64>,
    z_before: Vec<f64>,
}

impl SubspaceMinimization {
    /// Moves z towards w = 0 on all free rows and projects it back onto the laws, in at most this many
    /// products with K. Returns the number of products, 0 if z was not changed.
    /// [`SubspaceMinimization::undo`] reverts it.
    pub(crate) fn attempt(
        &mut self,
        matrix: &mut impl Matrix,
        laws: &[Law],
        z: &mut [f64],
        w: &mut [f64],
        residual: f64,
        most: usize,
    ) -> usize {
        matrix.settle(w);
        self.free.clear();
        self.free
            .extend((0..laws.len()).filter(|row| is_free(laws, z, w, *row) && matrix.diagonal(*row) > 0.0));
        let size = self.free.len();
        if size == 0 || most == 0 {
            return 0;
        }
        let took = self.solve(matrix, w, AIM * residual, most.min(size));
        if !self.change.iter().all(|change| change.is_finite()) {
            return 0;
        }
        self.z_before.clear();
        self.z_before.extend_from_slice(z);
        for ((row, change), scale) in self.free.iter().zip(&self.change).zip(&self.scale) {
            z[*row] += change * scale;
        }
        project(laws, z, &self.z_before);
        for (row, before) in self.z_before.iter().enumerate() {
            if z[row] != *before {
                matrix.change(row, z[row] - before, w);
            }
        }
        took
    }

    /// Restores z and w from before the last attempt that did something.
    pub(crate) fn undo(&self, matrix: &mut impl Matrix, z: &mut [f64], w: &mut [f64]) {
        for (row, before) in self.z_before.iter().enumerate() {
            if z[row] != *before {
                matrix.change(row, before - z[row], w);
                z[row] = *before;
            }
        }
    }

    /// No change yet, the scale S, and the residual in the first direction.
    fn start(&mut self, matrix: &impl Matrix, w: &[f64]) {
        let SubspaceMinimization {
            free,
            scale,
            change,
            residual,
            direction,
            of_residual,
            of_direction,
            scaled,
            ..
        } = self;
        for memory in [change, of_residual, of_direction, scaled] {
            memory.clear();
            memory.resize(free.len(), 0.0);
        }
        scale.clear();
        scale.extend(free.iter().map(|row| 1.0 / matrix.diagonal(*row).sqrt()));
        residual.clear();
        residual.extend(free.iter().zip(&*scale).map(|(row, scale)| -w[*row] * scale));
        direction.clone_from(residual);
    }

    /// Conjugate residuals for S K S x = −S w with S² = 1/K_ii: of all x in the space searched so far, the
    /// one with the smallest residual. Repeated and contradictory rows do no harm.
    fn solve(&mut self, matrix: &mut impl Matrix, w: &[f64], aim: f64, most: usize) -> usize {
        self.start(matrix, w);
        let SubspaceMinimization {
            free,
            scale,
            change,
            residual,
            direction,
            of_residual,
            of_direction,
            scaled,
            ..
        } = self;
        let mut multiply = |x: &[f64], out: &mut [f64]| {
            scaled.iter_mut().zip(x).zip(&*scale).for_each(|((scaled, x), scale)| *scaled = x * scale);
            matrix.multiply(free, scaled, out);
            out.iter_mut().zip(&*scale).for_each(|(out, scale)| *out *= scale);
        };
        multiply(residual, of_residual);
        of_direction.clone_from(of_residual);
        let mut curvature = dot(residual, of_residual);
        for took in 1..=most {
            let length = dot(of_direction, of_direction);
            // The remaining residual cannot be reduced by these rows.
            if curvature <= 1e-14 * dot(residual, residual) || length <= f64::MIN_POSITIVE {
                return took;
            }
            let step = curvature / length;
            add(change, step, direction);
            add(residual, -step, of_direction);
            let worst = residual.iter().zip(&*scale).fold(0.0, |worst: f64, (r, s)| worst.max((r / s).abs()));
            if worst <= aim {
                return took;
            }
            multiply(residual, of_residual);
            let before = std::mem::replace(&mut curvature, dot(residual, of_residual));
            let keep = curvature / before;
            for (direction, residual) in direction.iter_mut().zip(&*residual) {
                *direction = residual + keep * *direction;
            }
            for (of_direction, of_residual) in of_direction.iter_mut().zip(&*of_residual) {
                *of_direction = of_residual + keep * *of_direction;
            }
        }
        most
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(sum: &mut [f64], factor: f64, other: &[f64]) {
    sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += factor * other);
}

/// Whether the force of a row is strictly inside its law, or moves inward from the boundary.
fn is_free(laws: &[Law], z: &[f64], w: &[f64], row: usize) -> bool {
    let holds = |normal: usize| z[normal] > 0.0;
    match laws[row] {
        Law::Bilateral => true,
        Law::Unilateral => z[row] > 0.0 || w[row] < 0.0,
        Law::Between { lower, upper } => lower < z[row] && z[row] < upper,
        Law::Tangent { normal, coefficient, both_ways } => {
            let reach = coefficient * z[normal];
            holds(normal) && z[row] < reach && z[row] > if both_ways { -reach } else { 0.0 }
        }
        Law::TangentPair { normal, coefficient, set } => {
            // Inside, up to rounding.
            let (force, reach) = (Vector2::new(z[row], z[row + 1]), coefficient * z[normal] * (1.0 - 1e-9));
            holds(normal) && set.project(force, reach) == force
        }
        Law::SecondTangent => is_free(laws, z, w, row - 1),
    }
}

/// The nearest forces that the laws allow, normal forces first. Friction at its bound follows the normal
/// force.
fn project(laws: &[Law], z: &mut [f64], before: &[f64]) {
    for (z, law) in z.iter_mut().zip(laws) {
        match *law {
            Law::Unilateral => *z = z.max(0.0),
            Law::Between { lower, upper } => *z = z.max(lower).min(upper),
            _ => {}
        }
    }
    for (row, law) in laws.iter().enumerate() {
        let (Law::Tangent { normal, .. } | Law::TangentPair { normal, .. }) = *law else { continue };
        let grown = if before[normal] > 0.0 { z[normal] / before[normal] } else { 1.0 };
        let last = if matches!(law, Law::TangentPair { .. }) { row + 1 } else { row };
        if z[row..=last] == before[row..=last] {
            z[row..=last].iter_mut().for_each(|z| *z *= grown);
        }
        match *law {
            Law::Tangent { coefficient, both_ways, .. } => {
                let reach = coefficient * z[normal].max(0.0);
                z[row] = z[row].max(if both_ways { -reach } else { 0.0 }).min(reach);
            }
            Law::TangentPair { coefficient, set, .. } => {
                let force = set.project(Vector2::new(z[row], z[row + 1]), coefficient * z[normal].max(0.0));
                (z[row], z[row + 1]) = (force.x, force.y);
            }
            _ => {}
        }
    }
}
