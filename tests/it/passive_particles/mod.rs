//! Verlet particles compared with reference data, and the objects made of them.

mod bodies;
mod cloth;
mod figures;
mod reference;
mod solids;
mod threads;

use aplomb::passive::particles::Particles;

/// Steps `count` frames of 1/60 s.
fn frames(particles: &mut Particles, count: usize) {
    (0..count).for_each(|_| particles.step(1.0 / 60.0).expect("finite"));
}

/// Speed of the fastest particle, m/s.
fn speed(particles: &Particles) -> f64 {
    (0..particles.len()).map(|k| particles.velocity(k).norm()).fold(0.0, f64::max)
}
