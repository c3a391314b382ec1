use super::{Force, Motion};
use nalgebra::{Matrix3, Vector3};
use std::ops::{AddAssign, Mul};

/// A rigid-body inertia about the world origin: mass, first moment h = m c, and rotational inertia.
#[doc(alias = "spatial inertia")]
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Inertia {
    /// Mass, kg.
    pub mass: f64,
    /// First moment of mass about the world origin, kg m.
    pub first_moment: Vector3<f64>,
    /// Rotational inertia about the world origin, symmetric, kg m².
    pub rotational: Matrix3<f64>,
}

impl Inertia {
    /// A body of that mass (kg) with its centre at the world point `centre` and the rotational inertia
    /// `about_centre` (world axes, kg m²) about it.
    #[inline]
    pub fn new(mass: f64, centre: &Vector3<f64>, about_centre: Matrix3<f64>) -> Self {
        let first_moment = centre * mass;
        Inertia { mass, first_moment, rotational: about_centre + product(&first_moment, centre) }
    }

    /// This inertia about the world point `point` instead of the world origin, in world axes.
    #[inline]
    pub fn about(&self, point: &Vector3<f64>) -> Inertia {
        // With h' = h − m p:  I' = I − (p·h 1 − sym p hᵀ) − (p·h' 1 − sym p h'ᵀ).
        let first_moment = self.first_moment - point * self.mass;
        let rotational = self.rotational - product(&(self.first_moment + first_moment), point);
        Inertia { mass: self.mass, first_moment, rotational }
    }

    /// World position of the centre of mass, m; the origin for a massless body.
    pub fn centre(&self) -> Vector3<f64> {
        if self.mass > 0.0 { self.first_moment / self.mass } else { Vector3::zeros() }
    }
}

impl AddAssign for Inertia {
    /// Adds the inertia of a second body that is rigidly attached.
    #[inline]
    fn add_assign(&mut self, other: Inertia) {
        self.mass += other.mass;
        self.first_moment += other.first_moment;
        self.rotational += other.rotational;
    }
}

impl Mul<&Motion> for &Inertia {
    type Output = Force;
    /// Momentum of the body under this velocity (Featherstone 2008, eq. 2.63).
    #[inline]
    fn mul(self, motion: &Motion) -> Force {
        Force {
            moment: self.rotational * motion.angular + self.first_moment.cross(&motion.linear),
            force: motion.linear * self.mass - self.first_moment.cross(&motion.angular),
        }
    }
}

/// −½ ([a]× [b]× + [b]× [a]×) = a·b 1 − ½ (a bᵀ + b aᵀ): the parallel-axis term, for a = m c and b = c.
#[inline]
fn product(a: &Vector3<f64>, b: &Vector3<f64>) -> Matrix3<f64> {
    let (xx, yy, zz) = (a.x * b.x, a.y * b.y, a.z * b.z);
    let xy = -0.5 * (a.x * b.y + a.y * b.x);
    let xz = -0.5 * (a.x * b.z + a.z * b.x);
    let yz = -0.5 * (a.y * b.z + a.z * b.y);
    Matrix3::new(yy + zz, xy, xz, xy, xx + zz, yz, xz, yz, xx + yy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_momentum_of_a_body_is_its_mass_times_the_velocity_of_its_centre() {
        let centre = Vector3::new(0.5, -1.0, 2.0);
        let inertia = Inertia::new(3.0, &centre, Matrix3::from_diagonal(&Vector3::new(0.1, 0.2, 0.25)));
        let velocity = Motion::new(Vector3::new(0.4, 0.3, -0.2), Vector3::new(1.0, 2.0, 3.0));
        let momentum = &inertia * &velocity;
        assert!((momentum.force - 3.0 * velocity.velocity_at(&centre)).norm() < 1e-14);
        let spin = Vector3::new(0.04, 0.06, -0.05);
        assert!((momentum.moment_about(&centre) - spin).norm() < 1e-14);
        assert_eq!(inertia.centre(), centre);
    }
}
