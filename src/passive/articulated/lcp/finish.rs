//! A direct solution on the rows that hold, for what sweeps approach slowly: many constraints that say nearly the
//! same, as those of a body that lies on its corners do.

use super::{Law, Matrix};
use crate::kernel::{self, padded};
use nalgebra::Vector2;

/// Added to the diagonal of K, as a part of it. Rows that repeat each other then share their force.
const SHARE: f64 = 1e-8;

/// Rows that contradict each other want forces without bound; changes of w by one row alone that are this many
/// times the violation are refused.
const MOST_AMPLIFIED: f64 = 1e5;

/// Memory of [`Finish::attempt`].
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// Rows whose forces are free to take any value near the present one.
    free: Vec<usize>,
    /// Cholesky factor of their part of K, and its inverse pivots.
    factor: Vec<f64>,
    inverse: Vec<f64>,
    change: Vec<f64>,
    z_before: Vec<f64>,
    w_before: Vec<f64>,
}

impl Finish {
    /// Changes z so that w = 0 on all rows that the laws leave free there, and back to what the laws allow. False
    /// where nothing was done. [`Finish::undo`] takes it back.
    pub fn attempt(&mut self, matrix: &mut impl Matrix, laws: &[Law], z: &mut [f64], w: &mut [f64]) -> bool {
        self.free.clear();
        self.free
            .extend((0..laws.len()).filter(|row| is_free(laws, z, w, *row) && matrix.diagonal(*row) > 0.0));
        if self.free.is_empty() || !self.factor(matrix) {
            return false;
        }
        self.change.clear();
        self.change.extend(self.free.iter().map(|row| -w[*row]));
        self.substitute();
        let worst = self.free.iter().fold(0.0f64, |worst, row| worst.max(w[*row].abs()));
        let sound =
            |(row, change): (&usize, &f64)| change.abs() * matrix.diagonal(*row) <= MOST_AMPLIFIED * worst;
        if !self.free.iter().zip(&self.change).all(sound) {
            return false;
        }
        self.z_before.clear();
        self.z_before.extend_from_slice(z);
        self.w_before.clear();
        self.w_before.extend_from_slice(w);
        for (row, change) in self.free.iter().zip(&self.change) {
            z[*row] += change;
        }
        project(laws, z);
        for (row, before) in self.z_before.iter().enumerate() {
            let change = z[row] - before;
            if change != 0.0 {
                for (w, k) in w.iter_mut().zip(matrix.row(row)) {
                    *w += k * change;
                }
            }
        }
        true
    }

    /// z and w as they were before the last attempt that did something.
    pub fn undo(&self, z: &mut [f64], w: &mut [f64]) {
        z.copy_from_slice(&self.z_before);
        w.copy_from_slice(&self.w_before);
    }

    /// K = Uᵀ U of the free rows; false where it is not positive definite.
    fn factor(&mut self, matrix: &mut impl Matrix) -> bool {
        let size = self.free.len();
        let stride = padded(size);
        self.factor.clear();
        self.factor.resize(stride * stride, 0.0);
        self.inverse.clear();
        self.inverse.resize(stride, 0.0);
        for (i, &row) in self.free.iter().enumerate() {
            let entries = matrix.row(row);
            let upper = &mut self.factor[i * stride + i..i * stride + size];
            for (upper, column) in upper.iter_mut().zip(&self.free[i..]) {
                *upper = entries[*column];
            }
            self.inverse[i] = 0.1 * SHARE * upper[0];
            upper[0] += SHARE * upper[0];
        }
        kernel::cholesky(&mut self.factor, stride, size, &mut self.inverse).is_ok()
    }

    /// Solves `Uᵀ U x = change` in place.
    fn substitute(&mut self) {
        let size = self.free.len();
        let stride = padded(size);
        self.change.resize(stride, 0.0);
        kernel::solve_transposed(&self.factor, stride, &self.inverse, size, &mut self.change);
        kernel::solve(&self.factor, stride, &self.inverse, size, &mut self.change);
    }
}

/// Whether the force of a row is nowhere at the end of what its law allows, or wants to leave it.
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
            // Inside, and not on the edge but for rounding.
            let (force, reach) = (Vector2::new(z[row], z[row + 1]), coefficient * z[normal] * (1.0 - 1e-9));
            holds(normal) && set.project(force, reach) == force
        }
        Law::SecondTangent => is_free(laws, z, w, row - 1),
    }
}

/// The nearest forces that the laws allow, normal forces first.
fn project(laws: &[Law], z: &mut [f64]) {
    for (z, law) in z.iter_mut().zip(laws) {
        match *law {
            Law::Unilateral => *z = z.max(0.0),
            Law::Between { lower, upper } => *z = z.max(lower).min(upper),
            _ => {}
        }
    }
    for (row, law) in laws.iter().enumerate() {
        match *law {
            Law::Tangent { normal, coefficient, both_ways } => {
                let reach = coefficient * z[normal].max(0.0);
                z[row] = z[row].max(if both_ways { -reach } else { 0.0 }).min(reach);
            }
            Law::TangentPair { normal, coefficient, set } => {
                let force = set.project(Vector2::new(z[row], z[row + 1]), coefficient * z[normal].max(0.0));
                (z[row], z[row + 1]) = (force.x, force.y);
            }
            _ => {}
        }
    }
}
