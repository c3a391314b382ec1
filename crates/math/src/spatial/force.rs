use nalgebra::Vector3;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A spatial force: moment about the world origin, and force. Also a spatial momentum: angular about the
/// world origin, and linear.
#[doc(alias = "wrench")]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Force {
    /// Moment about the world origin unless stated otherwise, N m (of a momentum N m s).
    pub moment: Vector3<f64>,
    /// Force, N (of a momentum N s).
    pub force: Vector3<f64>,
}

impl Force {
    /// A spatial force from its moment about the world origin (N m) and its force (N), world axes.
    pub fn new(moment: Vector3<f64>, force: Vector3<f64>) -> Self {
        Force { moment, force }
    }

    /// `force` through the world point `point` together with the pure torque `torque`, all in world axes.
    pub fn at_point(point: &Vector3<f64>, force: Vector3<f64>, torque: Vector3<f64>) -> Self {
        Force { moment: torque + point.cross(&force), force }
    }

    /// Moment of this force about the world point `point`.
    #[inline]
    pub fn moment_about(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.moment - point.cross(&self.force)
    }

    /// This force with its moment about the world point `point`, not about the world origin.
    #[inline]
    pub fn about(&self, point: &Vector3<f64>) -> Force {
        Force { moment: self.moment_about(point), force: self.force }
    }
}

impl Add for Force {
    type Output = Force;
    #[inline]
    fn add(self, other: Force) -> Force {
        Force { moment: self.moment + other.moment, force: self.force + other.force }
    }
}

impl AddAssign for Force {
    #[inline]
    fn add_assign(&mut self, other: Force) {
        self.moment += other.moment;
        self.force += other.force;
    }
}

impl Sub for Force {
    type Output = Force;
    #[inline]
    fn sub(self, other: Force) -> Force {
        Force { moment: self.moment - other.moment, force: self.force - other.force }
    }
}

impl SubAssign for Force {
    #[inline]
    fn sub_assign(&mut self, other: Force) {
        self.moment -= other.moment;
        self.force -= other.force;
    }
}

impl Mul<f64> for Force {
    type Output = Force;
    #[inline]
    fn mul(self, factor: f64) -> Force {
        Force { moment: self.moment * factor, force: self.force * factor }
    }
}

impl std::iter::Sum for Force {
    fn sum<I: Iterator<Item = Force>>(forces: I) -> Force {
        forces.fold(Force::default(), |sum, force| sum + force)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_force_has_only_its_own_torque_about_the_point_it_acts_through() {
        let (point, torque) = (Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.1, 0.2, 0.3));
        let force = Force::at_point(&point, Vector3::new(3.0, 4.0, 5.0), torque);
        assert!((force.moment_about(&point) - torque).norm() < 1e-14);
    }
}
