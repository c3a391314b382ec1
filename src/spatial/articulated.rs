use super::{Force, Inertia, Motion};
use std::ops::AddAssign;

/// The inertia a body appears to have when what hangs on it is free to move (Featherstone 2008, §7.1):
/// symmetric 6 × 6, angular rows and columns first, about the world origin.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ArticulatedInertia {
    columns: [[f64; 6]; 6],
}

impl ArticulatedInertia {
    /// `I − column columnᵀ · factor`: what is left of the inertia once one coordinate moves freely.
    #[inline]
    pub fn subtract_outer(&mut self, column: &Force, factor: f64) {
        let u = [
            column.moment.x,
            column.moment.y,
            column.moment.z,
            column.force.x,
            column.force.y,
            column.force.z,
        ];
        for (entries, scale) in self.columns.iter_mut().zip(u.map(|x| x * factor)) {
            for (entry, x) in entries.iter_mut().zip(u) {
                *entry -= x * scale;
            }
        }
    }

    /// The force that gives this acceleration, with no bias.
    #[inline]
    pub fn apply(&self, motion: &Motion) -> Force {
        let (w, v) = (&motion.angular, &motion.linear);
        let mut sum = [0.0; 6];
        for (column, x) in self.columns.iter().zip([w.x, w.y, w.z, v.x, v.y, v.z]) {
            for (total, entry) in sum.iter_mut().zip(column) {
                *total += entry * x;
            }
        }
        let [mx, my, mz, fx, fy, fz] = sum;
        Force::new([mx, my, mz].into(), [fx, fy, fz].into())
    }
}

impl From<&Inertia> for ArticulatedInertia {
    #[inline]
    fn from(rigid: &Inertia) -> Self {
        let (m, h, i) = (rigid.mass, &rigid.first_moment, &rigid.rotational);
        ArticulatedInertia {
            columns: [
                [i.m11, i.m21, i.m31, 0.0, -h.z, h.y],
                [i.m12, i.m22, i.m32, h.z, 0.0, -h.x],
                [i.m13, i.m23, i.m33, -h.y, h.x, 0.0],
                [0.0, h.z, -h.y, m, 0.0, 0.0],
                [-h.z, 0.0, h.x, 0.0, m, 0.0],
                [h.y, -h.x, 0.0, 0.0, 0.0, m],
            ],
        }
    }
}

impl AddAssign<&ArticulatedInertia> for ArticulatedInertia {
    #[inline]
    fn add_assign(&mut self, other: &ArticulatedInertia) {
        for (column, others) in self.columns.iter_mut().zip(&other.columns) {
            for (entry, x) in column.iter_mut().zip(others) {
                *entry += x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Vector3};

    fn example() -> (Inertia, Motion) {
        let about_centre = Matrix3::new(0.3, 0.01, -0.02, 0.01, 0.2, 0.03, -0.02, 0.03, 0.25);
        let rigid = Inertia::new(2.0, &Vector3::new(0.3, -0.6, 0.9), about_centre);
        (rigid, Motion::new(Vector3::new(0.4, 0.3, -0.2), Vector3::new(1.0, 2.0, 3.0)))
    }

    #[test]
    fn with_nothing_hanging_on_it_a_body_has_its_rigid_inertia() {
        let (rigid, motion) = example();
        let difference = ArticulatedInertia::from(&rigid).apply(&motion) - &rigid * &motion;
        assert!(difference.moment.norm() + difference.force.norm() < 1e-13);
    }

    #[test]
    fn a_coordinate_that_moves_freely_resists_nothing() {
        let (rigid, _) = example();
        let mut inertia = ArticulatedInertia::from(&rigid);
        let axis = Motion::rotation(Vector3::z(), &Vector3::new(0.1, 0.2, 0.3));
        let column = inertia.apply(&axis);
        inertia.subtract_outer(&column, 1.0 / axis.dot(&column));
        let left = inertia.apply(&axis);
        assert!(left.moment.norm() + left.force.norm() < 1e-13);
    }
}
