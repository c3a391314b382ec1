//! Ropes and plants.

use super::{frames, speed};
use aplomb::passive::particles::thread::Plant;
use aplomb::passive::particles::{Particles, ParticlesSpec, Passes};
use nalgebra::Vector3;

/// A stalk 50 cm high, and its tip.
fn stalk(passes: usize) -> (Particles, usize) {
    let mut spec = ParticlesSpec::default();
    let plant = Plant::stalk(Vector3::zeros(), 0.5, 0.1, 4);
    let first = spec.add_plant(&plant, 0.1).expect("a plant");
    let mut particles = Particles::new(&spec).expect("sound");
    (particles.passes, particles.kept) = (Passes::Fixed(passes), 0.98);
    (particles, first + plant.vertices.len() - 1)
}

#[test]
fn a_plant_stands_bends_when_pulled_and_comes_back() {
    let (mut particles, tip) = stalk(1);
    frames(&mut particles, 600);
    let start = particles.position(tip);
    assert!(start.z > 0.48, "{start}");
    for _ in 0..120 {
        particles.apply_force(tip, &Vector3::new(0.0, 0.05, 0.0));
        frames(&mut particles, 1);
    }
    let bent = (particles.position(tip) - start).norm();
    assert!(bent > 0.01, "{bent}");
    frames(&mut particles, 1200);
    let left = (particles.position(tip) - start).norm();
    assert!(left < 0.1 * bent && speed(&particles) < 0.01, "bent by {bent}, left {left}");
}

#[test]
fn more_passes_make_a_plant_stiffer() {
    let bend = |passes: usize| {
        let (mut particles, tip) = stalk(passes);
        let start = particles.position(tip);
        for _ in 0..600 {
            particles.apply_force(tip, &Vector3::new(0.0, 0.05, 0.0));
            frames(&mut particles, 1);
        }
        (particles.position(tip) - start).norm()
    };
    let bends = [1, 4, 16].map(bend);
    assert!(bends[0] > 2.0 * bends[1] && bends[1] > 2.0 * bends[2], "{bends:?}");
}

#[test]
fn a_rope_reaches_as_far_as_it_is_long() {
    let mut spec = ParticlesSpec::default();
    let rope = spec.add_rope([Vector3::zeros(), Vector3::new(0.0, 0.0, -2.0)], 21, 2.0, 0.5).expect("a rope");
    spec.pin(rope.at(0));
    let heavy = rope.at(rope.len() - 1);
    spec.particles[heavy].inverse_mass = 1.0 / 70.0;
    let mut particles = Particles::new(&spec).expect("sound");
    (particles.passes, particles.kept) = (Passes::Fixed(100), 0.99);
    for _ in 0..2400 {
        particles.step(1.0 / 240.0).expect("finite");
    }
    let long = -particles.position(heavy).z;
    // 70 kg on a rope of half a kilogram: the hardest case for relaxation.
    assert!(long > 2.0 && long < 2.3, "{long}");
    assert!(spec.add_rope([Vector3::zeros(); 2], 0, 1.0, 1.0).is_err());
    assert!(spec.add_plant(&Plant { edges: vec![[0, 9]], ..Plant::default() }, 1.0).is_err());
}
