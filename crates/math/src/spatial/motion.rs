use super::Force;
use nalgebra::Vector3;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A spatial motion: angular part, and linear velocity of the body-fixed point at the world origin.
#[doc(alias = "twist")]
#[doc(alias = "spatial velocity")]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Motion {
    /// Angular part, rad/s (rad/s² of an acceleration; dimensionless for a joint's axis).
    pub angular: Vector3<f64>,
    /// Linear velocity of the body-fixed point that is now at the world origin, m/s (m/s² of an
    /// acceleration).
    pub linear: Vector3<f64>,
}

impl Motion {
    /// A spatial motion from its angular part (rad/s) and the linear part of the point at the world origin
    /// (m/s), world axes.
    pub fn new(angular: Vector3<f64>, linear: Vector3<f64>) -> Self {
        Motion { angular, linear }
    }

    /// Unit rotation about `axis` (unit, world axes) through the world point `through`.
    #[inline]
    pub fn rotation(axis: Vector3<f64>, through: &Vector3<f64>) -> Self {
        Motion { angular: axis, linear: through.cross(&axis) }
    }

    /// Unit translation along `axis` (unit, world axes).
    #[inline]
    pub fn translation(axis: Vector3<f64>) -> Self {
        Motion { angular: Vector3::zeros(), linear: axis }
    }

    /// Linear velocity of the body-fixed point that is at the world point `at` now.
    #[inline]
    pub fn velocity_at(&self, at: &Vector3<f64>) -> Vector3<f64> {
        self.linear + self.angular.cross(at)
    }

    /// This motion with the velocity of the body-fixed point at the world point `point`, instead of the one
    /// at the world origin.
    #[inline]
    pub fn about(&self, point: &Vector3<f64>) -> Motion {
        Motion { angular: self.angular, linear: self.velocity_at(point) }
    }

    /// `self × other`: rate of change of `other` when it is fixed in a body moving with `self`
    /// (Featherstone 2008, eq. 2.31).
    #[inline]
    pub fn cross(&self, other: &Motion) -> Motion {
        Motion {
            angular: self.angular.cross(&other.angular),
            linear: self.angular.cross(&other.linear) + self.linear.cross(&other.angular),
        }
    }

    /// `self ×* force`: rate of change of `force` when it is fixed in a body moving with `self`
    /// (Featherstone 2008, eq. 2.32).
    #[inline]
    pub fn cross_force(&self, force: &Force) -> Force {
        Force {
            moment: self.angular.cross(&force.moment) + self.linear.cross(&force.force),
            force: self.angular.cross(&force.force),
        }
    }

    /// Power of `force` on this motion, W.
    #[inline]
    pub fn dot(&self, force: &Force) -> f64 {
        self.angular.dot(&force.moment) + self.linear.dot(&force.force)
    }
}

impl Add for Motion {
    type Output = Motion;
    #[inline]
    fn add(self, other: Motion) -> Motion {
        Motion { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl AddAssign for Motion {
    #[inline]
    fn add_assign(&mut self, other: Motion) {
        self.angular += other.angular;
        self.linear += other.linear;
    }
}

impl Sub for Motion {
    type Output = Motion;
    #[inline]
    fn sub(self, other: Motion) -> Motion {
        Motion { angular: self.angular - other.angular, linear: self.linear - other.linear }
    }
}

impl Neg for Motion {
    type Output = Motion;
    #[inline]
    fn neg(self) -> Motion {
        Motion { angular: -self.angular, linear: -self.linear }
    }
}

impl Mul<f64> for Motion {
    type Output = Motion;
    #[inline]
    fn mul(self, factor: f64) -> Motion {
        Motion { angular: self.angular * factor, linear: self.linear * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_the_axis_of_a_rotation_stand_still() {
        let through = Vector3::new(1.0, 2.0, 3.0);
        let axis = Vector3::new(0.6, 0.0, 0.8);
        let motion = Motion::rotation(axis, &through);
        assert!(motion.velocity_at(&(through + 5.0 * axis)).norm() < 1e-14);
    }

    #[test]
    fn the_two_cross_products_leave_power_unchanged() {
        let v = Motion::new(Vector3::new(0.3, -0.2, 0.9), Vector3::new(1.0, 0.5, -0.7));
        let m = Motion::new(Vector3::new(-0.4, 0.1, 0.2), Vector3::new(0.2, 0.8, 0.6));
        let f = Force { moment: Vector3::new(0.5, 0.6, -0.1), force: Vector3::new(-0.9, 0.3, 0.4) };
        // d/dt (m · f) = 0 when both are carried by the same body.
        assert!((v.cross(&m).dot(&f) + m.dot(&v.cross_force(&f))).abs() < 1e-14);
    }
}
