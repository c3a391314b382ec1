//! Energy, momentum and stretch of particles.

use super::Particles;
use nalgebra::Vector3;
use std::ops::Range;

/// Changes of length of sticks relative to their rest lengths.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Stretch {
    /// Largest extension relative to the rest length, at least 0.
    pub longest: f64,
    /// Largest shortening relative to the rest length, at least 0.
    pub shortest: f64,
    /// Mean of |length / rest − 1|.
    pub mean: f64,
}

impl Particles {
    /// Stretch of all sticks with a fixed length.
    pub fn stretch(&self) -> Stretch {
        let mut stretch = Stretch::default();
        let mut count = 0.0;
        self.sticks.each_exact(|[a, b], rest| {
            let beyond = (self.position(b) - self.position(a)).norm() / rest - 1.0;
            // The sign of max(0, −0) depends on the machine.
            if beyond > stretch.longest {
                stretch.longest = beyond;
            }
            if -beyond > stretch.shortest {
                stretch.shortest = -beyond;
            }
            stretch.mean += beyond.abs();
            count += 1.0;
        });
        if count > 0.0 {
            stretch.mean /= count;
        }
        stretch
    }

    /// Kinetic energy and potential energy of gravity (zero at the world's origin), J, without fixed
    /// particles.
    pub(crate) fn energy(&self, particles: Range<usize>) -> (f64, f64) {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        self.each_mass(particles, |mass, particle| {
            kinetic += 0.5 * mass * self.velocity(particle).norm_squared();
            potential -= mass * self.gravity.dot(&self.position(particle));
        });
        (kinetic, potential)
    }

    /// Linear momentum (N s), and angular momentum about the world's origin (N m s).
    pub fn momentum(&self, particles: Range<usize>) -> (Vector3<f64>, Vector3<f64>) {
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        self.each_mass(particles, |mass, particle| {
            let momentum = mass * self.velocity(particle);
            linear += momentum;
            angular += self.position(particle).cross(&momentum);
        });
        (linear, angular)
    }

    /// Mass (kg) and centre of mass (m) of particles that can move.
    pub fn centre_of_mass(&self, particles: Range<usize>) -> (f64, Vector3<f64>) {
        let (mut total, mut moment) = (0.0, Vector3::zeros());
        self.each_mass(particles, |mass, particle| {
            total += mass;
            moment += mass * self.position(particle);
        });
        (total, if total > 0.0 { moment / total } else { moment })
    }

    fn each_mass(&self, particles: Range<usize>, mut each: impl FnMut(f64, usize)) {
        for particle in particles {
            let inverse_mass = self.inverse_mass(particle);
            if inverse_mass > 0.0 {
                each(1.0 / inverse_mass, particle);
            }
        }
    }
}
