use super::{Force, Inertia, Motion};
use nalgebra::{Matrix3, Vector3};
use std::ops::AddAssign;

/// Articulated-body inertia: the apparent inertia of a body whose subtree is free to move (Featherstone 2008,
/// §7.1), a symmetric 6 × 6 matrix in blocks, world axes, about a point that the caller chooses.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ArticulatedInertia {
    /// Maps angular acceleration to moment; symmetric.
    angular: Matrix3<f64>,
    /// Maps linear acceleration to moment; its transpose maps angular acceleration to force.
    coupling: Matrix3<f64>,
    /// Maps linear acceleration to force; symmetric.
    linear: Matrix3<f64>,
}

impl ArticulatedInertia {
    /// The force for this acceleration, without the bias force.
    #[inline]
    pub fn apply(&self, motion: &Motion) -> Force {
        Force {
            moment: self.angular * motion.angular + self.coupling * motion.linear,
            force: self.coupling.tr_mul(&motion.angular) + self.linear * motion.linear,
        }
    }

    /// `I − column columnᵀ · factor`: the remaining inertia when one coordinate moves freely.
    #[inline]
    pub fn subtract_outer(&mut self, column: &Force, factor: f64) {
        let scaled = *column * factor;
        self.angular -= column.moment * scaled.moment.transpose();
        self.coupling -= column.moment * scaled.force.transpose();
        self.linear -= column.force * scaled.force.transpose();
    }

    /// This inertia about another point, from which the current one is at `offset`, m.
    #[inline]
    pub fn about_point_at(&self, offset: &Vector3<f64>) -> ArticulatedInertia {
        let r = offset.cross_matrix();
        let coupling = self.coupling + r * self.linear;
        ArticulatedInertia {
            angular: self.angular - self.coupling * r + r * coupling.transpose(),
            coupling,
            linear: self.linear,
        }
    }
}

impl From<&Inertia> for ArticulatedInertia {
    #[inline]
    fn from(rigid: &Inertia) -> Self {
        ArticulatedInertia {
            angular: rigid.rotational,
            coupling: rigid.first_moment.cross_matrix(),
            linear: Matrix3::from_diagonal_element(rigid.mass),
        }
    }
}

impl AddAssign for ArticulatedInertia {
    #[inline]
    fn add_assign(&mut self, other: ArticulatedInertia) {
        self.angular += other.angular;
        self.coupling += other.coupling;
        self.linear += other.linear;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Inertia, Motion) {
        let about_centre = Matrix3::new(0.3, 0.01, -0.02, 0.01, 0.2, 0.03, -0.02, 0.03, 0.25);
        let rigid = Inertia::new(2.0, &Vector3::new(0.3, -0.6, 0.9), about_centre);
        (rigid, Motion::new(Vector3::new(0.4, 0.3, -0.2), Vector3::new(1.0, 2.0, 3.0)))
    }

    fn assert_same(a: Force, b: Force) {
        let off = a - b;
        assert!(off.moment.norm() + off.force.norm() < 1e-13, "{a:?} {b:?}");
    }

    #[test]
    fn with_nothing_hanging_on_it_a_body_has_its_rigid_inertia() {
        let (rigid, motion) = example();
        assert_same(ArticulatedInertia::from(&rigid).apply(&motion), &rigid * &motion);
    }

    #[test]
    fn a_coordinate_that_moves_freely_resists_nothing() {
        let (rigid, _) = example();
        let mut inertia = ArticulatedInertia::from(&rigid);
        let axis = Motion::rotation(Vector3::z(), &Vector3::new(0.1, 0.2, 0.3));
        let column = inertia.apply(&axis);
        inertia.subtract_outer(&column, 1.0 / axis.dot(&column));
        assert_same(inertia.apply(&axis), Force::default());
    }

    #[test]
    fn the_point_an_inertia_is_about_does_not_change_the_physics() {
        let (rigid, motion) = example();
        let point = Vector3::new(-0.4, 0.7, 0.2);
        let here = ArticulatedInertia::from(&rigid.about(&point));
        assert_same(here.apply(&motion.about(&point)), (&rigid * &motion).about(&point));
        let back = here.about_point_at(&point);
        assert_same(back.apply(&motion), &rigid * &motion);
    }
}
