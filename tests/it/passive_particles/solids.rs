//! Single particles, walls and friction.

use super::frames;
use aplomb::geometry::WorldShape;
use aplomb::passive::obstacle::Obstacle;
use aplomb::passive::particles::{
    Container, Given, NotFinite, Particles, ParticlesSpec, Passes, PinnedParticle, StickConstraint, Walls,
};
use nalgebra::Vector3;

fn floor(friction: f64) -> Obstacle {
    Obstacle::fixed(WorldShape::HalfSpace { normal: Vector3::z(), offset: 0.0 }, friction)
}

/// One particle with a position and a velocity.
fn single(place: Vector3<f64>, velocity: Vector3<f64>) -> Particles {
    let mut spec = ParticlesSpec::default();
    spec.add(place, Some(2.0));
    spec.particles[0].velocity = velocity;
    Particles::new(&spec).expect("sound")
}

#[test]
fn a_stick_in_a_box_stays_in_it_and_as_long_as_it_is() {
    // The paper's cube of side 1000 and its stick of length 100.
    let mut spec = ParticlesSpec::default();
    spec.add(Vector3::new(500.0, 480.0, 510.0), Some(1.0));
    spec.add(Vector3::new(600.0, 480.0, 510.0), Some(1.0));
    spec.join(0, 1);
    spec.particles[0].velocity = Vector3::new(700.0, 300.0, 200.0);
    let mut particles = Particles::new(&spec).expect("sound");
    let (low, high) = (Vector3::zeros(), Vector3::repeat(1000.0));
    particles.container = Some(Container { walls: Walls::Box { low, high }, friction: 0.0 });
    particles.gravity *= 100.0;
    let mut walls = 0;
    for _ in 0..1000 {
        frames(&mut particles, 1);
        for k in 0..2 {
            let place = particles.position(k);
            assert!(place.iter().all(|x| (0.0..=1000.0).contains(x)), "{place}");
            walls += place.iter().filter(|x| **x == 0.0 || **x == 1000.0).count();
        }
        assert!(particles.stretch().longest < 1e-2);
    }
    assert!(walls > 100, "it never met a wall");
}

#[test]
fn a_particle_slides_on_a_floor_as_far_as_coulomb_says() {
    for friction in [0.2, 0.5] {
        let mut particles = single(Vector3::zeros(), Vector3::new(3.0, 0.0, 0.0));
        particles.passes = Passes::Fixed(1);
        let given = particles.add_obstacle(floor(friction));
        particles.step(1e-3).expect("finite");
        let impulse: Given = particles.given(given);
        assert!((impulse.impulse - 2.0 * 9.81e-3 * Vector3::new(friction, 0.0, -1.0)).norm() < 1e-9);
        for _ in 0..3000 {
            particles.step(1e-3).expect("finite");
        }
        let right = 9.0 / (2.0 * friction * 9.81);
        assert!((particles.position(0).x - right).abs() < 0.005, "{}", particles.position(0).x);
        assert_eq!(particles.position(0).z, 0.0);
        assert!(particles.velocity(0).norm() < 1e-12);
    }
}

#[test]
fn a_particle_sticks_to_a_slope_below_the_angle_of_friction_only() {
    for (friction, sticks) in [(0.52, true), (0.48, false)] {
        let normal = Vector3::new(1.0, 0.0, 2.0).normalize();
        let mut particles = single(Vector3::zeros(), Vector3::zeros());
        particles.add_obstacle(Obstacle::fixed(WorldShape::HalfSpace { normal, offset: 0.0 }, friction));
        frames(&mut particles, 300);
        let moved = particles.position(0).norm();
        assert_eq!(moved < 1e-9, sticks, "{friction}: {moved}");
    }
}

#[test]
fn a_belt_carries_what_lies_on_it() {
    let mut particles = single(Vector3::zeros(), Vector3::zeros());
    let belt = particles.add_obstacle(floor(0.4));
    particles.obstacle_mut(belt).velocity = Vector3::new(0.5, 0.0, 0.0);
    frames(&mut particles, 120);
    assert!((particles.velocity(0) - Vector3::new(0.5, 0.0, 0.0)).norm() < 1e-9);
}

#[test]
fn a_hand_bears_what_it_holds_and_momentum_is_what_was_given() {
    let mut spec = ParticlesSpec::default();
    let rope = spec.add_rope([Vector3::zeros(), Vector3::new(1.0, 0.0, 0.0)], 12, 1.0, 0.6).expect("a rope");
    let mut particles = Particles::new(&spec).expect("sound");
    particles.kept = 1.0;
    let grip = |target| PinnedParticle { particle: rope.at(0), target, given: Given::default() };
    particles.grips.push(grip(Vector3::zeros()));
    frames(&mut particles, 1);
    for step in 0..200 {
        particles.grips[0].target = Vector3::new(0.0, 0.1 * (0.1 * f64::from(step)).sin(), 0.0);
        let before = particles.momentum(0..13).0;
        frames(&mut particles, 1);
        let after = particles.momentum(0..13).0;
        let gravity = 0.6 * particles.gravity / 60.0;
        let missing = after - before - gravity + particles.grips[0].given.impulse;
        assert!(missing.norm() < 1e-9, "{missing}");
        assert_eq!(particles.position(rope.at(0)), particles.grips[0].target);
    }
    particles.kept = 0.97;
    frames(&mut particles, 900);
    let weight = -particles.grips[0].given.impulse * 60.0;
    assert!((weight.z - 0.6 * 9.81).abs() < 0.02 * 0.6 * 9.81, "{weight}");
}

/// Relative loss of angular momentum of a thrown net in one second, with steps of `dt`.
fn throw(dt: f64) -> f64 {
    let mut spec = ParticlesSpec::default();
    let spin = Vector3::new(2.0, 1.0, 3.0);
    for k in 0..9 {
        let wave = |speed: f64| (speed * f64::from(k)).sin();
        let place = Vector3::new(wave(1.0), wave(2.0), wave(3.0));
        let particle = spec.add(place, Some(0.1 + 0.2 * f64::from(k)));
        spec.particles[particle].velocity = spin.cross(&place) + Vector3::new(0.3, 0.0, -0.4);
    }
    spec.join_all(&[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let mut particles = Particles::new(&spec).expect("sound");
    (particles.gravity, particles.passes) = (Vector3::zeros(), Passes::Fixed(30));
    let (linear, angular) = particles.momentum(0..9);
    while particles.time() < 1.0 - 0.5 * dt {
        particles.step(dt).expect("finite");
    }
    let (linear_after, angular_after) = particles.momentum(0..9);
    assert!((linear_after - linear).norm() < 1e-9, "{}", (linear_after - linear).norm());
    (angular_after - angular).norm() / angular.norm()
}

#[test]
fn sticks_conserve_momentum_and_angular_momentum_as_steps_become_short() {
    // Corrections along the current direction of a stick act on velocities of the previous step: rotation loses a
    // little.
    let losses = [1.0 / 60.0, 1.0 / 240.0, 1.0 / 960.0].map(throw);
    assert!(losses[0] < 0.2 && losses[1] < 0.5 * losses[0] && losses[2] < 0.5 * losses[1], "{losses:?}");
}

#[test]
fn steps_may_change_their_length() {
    let mut particles = single(Vector3::zeros(), Vector3::new(1.0, 0.0, 0.0));
    particles.gravity = Vector3::zeros();
    for dt in [0.01, 0.02, 0.005, 0.015] {
        particles.step(dt).expect("finite");
    }
    assert!((particles.position(0).x - 0.05).abs() < 1e-15);
}

#[test]
fn what_is_not_finite_is_refused_and_undone() {
    let mut particles = single(Vector3::zeros(), Vector3::zeros());
    frames(&mut particles, 1);
    let (time, place) = (particles.time(), particles.position(0));
    particles.apply_force(0, &Vector3::new(f64::INFINITY, 0.0, 0.0));
    assert_eq!(particles.step(1.0 / 60.0), Err(NotFinite));
    assert_eq!((particles.time(), particles.position(0)), (time, place));
    frames(&mut particles, 1);
    let mut spec = ParticlesSpec::default();
    spec.add(Vector3::zeros(), Some(1.0));
    spec.limit(0, 4, StickConstraint::Exactly, 1.0);
    let error = Particles::new(&spec).expect_err("no such end").to_string();
    assert_eq!(error, "a stick joins particles 0 and 4, but there are 1");
    spec.sticks[0].ends[1] = 0;
    assert!(Particles::new(&spec).is_err());
}
