//! Wind on cloth, and drag of cloth in air.

use super::Particles;
use aplomb_math::elementary::sin;
use nalgebra::Vector3;

/// Drag coefficient of a flat plate across the stream, of ½ ρ v² A ([Hoerner 1965] gives 1.17 for a square).
const PLATE: f64 = 1.17;

/// A steady wind with gusts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    /// Mean velocity, m/s, world.
    pub velocity: Vector3<f64>,
    /// Share of the velocity that oscillates, 0 to 1.
    pub gust: f64,
    /// Period of the oscillation, s.
    pub period: f64,
    /// Density of the air, kg/m³; 0 for no air.
    pub density: f64,
}

impl Wind {
    /// No wind.
    pub const NONE: Wind =
        Wind { velocity: Vector3::new(0.0, 0.0, 0.0), gust: 0.0, period: 1.0, density: 0.0 };

    /// Velocity at a time, m/s.
    pub(crate) fn at(&self, time: f64) -> Vector3<f64> {
        (1.0 + self.gust * sin(std::f64::consts::TAU * time / self.period)) * self.velocity
    }

    /// Pushes the triangles of cloth along their normals n, by ½ ρ C A (n·u)² where u is the air's velocity
    /// relative to them; each corner gets a third.
    pub(crate) fn blow(&self, particles: &mut Particles) {
        if self.density == 0.0 {
            return;
        }
        let wind = self.at(particles.time());
        for triangle in 0..particles.triangles().len() {
            let corners = particles.triangles()[triangle];
            let [a, b, c] = corners.map(|corner| particles.position(corner));
            let across = (b - a).cross(&(c - a));
            let Some(normal) = across.try_normalize(0.0) else { continue };
            let velocity: Vector3<f64> = corners.iter().map(|corner| particles.velocity(*corner)).sum();
            let past = normal.dot(&(wind - velocity / 3.0));
            let pressure = 0.5 * self.density * PLATE * past * past.abs();
            let third = (0.5 * across.norm() * pressure / 3.0) * normal;
            corners.iter().for_each(|corner| particles.apply_force(*corner, &third));
        }
    }
}
