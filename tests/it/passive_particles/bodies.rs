//! Rigid bodies of four particles.

use super::{frames, speed};
use aplomb::geometry::WorldShape;
use aplomb::passive::obstacle::Obstacle;
use aplomb::passive::particles::{Container, Particles, ParticlesSpec, Passes, Walls};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

fn floor(friction: f64) -> Obstacle {
    Obstacle::fixed(WorldShape::HalfSpace { normal: Vector3::z(), offset: 0.0 }, friction)
}

#[test]
fn four_particles_have_the_inertia_of_the_box() {
    let mut spec = ParticlesSpec::default();
    let half = Vector3::new(0.3, 0.5, 0.2);
    spec.add_box(Vector3::zeros(), UnitQuaternion::identity(), half, 3.0, 0.5).expect("a box");
    let mut inertia = Matrix3::zeros();
    let mut total = 0.0;
    for particle in &spec.particles {
        let (mass, x) = (1.0 / particle.inverse_mass, particle.position);
        total += mass;
        inertia += mass * (x.norm_squared() * Matrix3::identity() - x * x.transpose());
    }
    let right = Vector3::new(0.25 + 0.04, 0.09 + 0.04, 0.09 + 0.25);
    assert!((total - 3.0).abs() < 1e-12 && (inertia - Matrix3::from_diagonal(&right)).norm() < 1e-12);
}

#[test]
fn a_stack_of_boxes_stays_for_twenty_seconds() {
    let mut spec = ParticlesSpec::default();
    for k in 0..5 {
        let place = Vector3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(k));
        spec.add_box(place, UnitQuaternion::identity(), Vector3::repeat(0.1), 1.0, 0.5).expect("a box");
    }
    let mut particles = Particles::new(&spec).expect("sound");
    particles.passes = Passes::Fixed(20);
    let ground = particles.add_obstacle(floor(0.5));
    frames(&mut particles, 1200);
    for k in 0..5 {
        let (place, turn) = particles.box_pose(k);
        let start = Vector3::new(0.0, 0.0, 0.1 + 0.2 * k as f64);
        assert!(
            (place - start).norm() < 5e-3 && turn.angle() < 0.01,
            "box {k}: {} {}",
            place - start,
            turn.angle()
        );
    }
    assert!(speed(&particles) < 1e-3, "{}", speed(&particles));
    let weight = -particles.given(ground).impulse.z * 60.0;
    assert!((weight - 5.0 * 9.81).abs() < 0.5, "{weight}");
}

#[test]
fn a_leaning_stack_falls() {
    let mut spec = ParticlesSpec::default();
    for k in 0..5 {
        let place = Vector3::new(0.06 * f64::from(k), 0.0, 0.1 + 0.2 * f64::from(k));
        spec.add_box(place, UnitQuaternion::identity(), Vector3::repeat(0.1), 1.0, 0.5).expect("a box");
    }
    let mut particles = Particles::new(&spec).expect("sound");
    particles.passes = Passes::Fixed(20);
    particles.add_obstacle(floor(0.5));
    frames(&mut particles, 300);
    assert!(particles.box_pose(4).0.z < 0.6, "{}", particles.box_pose(4).0);
    let lowest = (0..particles.len()).map(|k| particles.position(k).z).fold(1.0, f64::min);
    assert!(lowest > 0.0);
}

#[test]
fn a_box_on_a_slope_slides_or_not_as_friction_has_it() {
    for (friction, sticks) in [(0.45, true), (0.3, false)] {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.37);
        let normal = turn * Vector3::z();
        let mut spec = ParticlesSpec::default();
        spec.add_box(0.1 * normal, turn, Vector3::new(0.2, 0.2, 0.1), 1.0, 0.5).expect("a box");
        let mut particles = Particles::new(&spec).expect("sound");
        particles.passes = Passes::Fixed(20);
        particles.add_obstacle(Obstacle::fixed(WorldShape::HalfSpace { normal, offset: 0.0 }, friction));
        frames(&mut particles, 180);
        let moved = (particles.box_pose(0).0 - 0.1 * normal).norm();
        if sticks {
            assert!(moved < 0.01, "{moved}");
        } else {
            // The slope is above the friction angle: tan 0.37 = 0.388.
            let right = 0.5 * 9.81 * (0.37_f64.sin() - friction * 0.37_f64.cos()) * 9.0;
            assert!((moved - right).abs() < 0.05 * right, "{moved} {right}");
        }
    }
}

#[test]
fn boxes_rest_on_balls_capsules_boxes_and_in_a_box() {
    let mut spec = ParticlesSpec::default();
    let level = UnitQuaternion::identity();
    let half = Vector3::new(0.2, 0.2, 0.05);
    for x in [0.0, 1.0, 2.0, 3.0] {
        spec.add_box(Vector3::new(x, 0.0, 0.6), level, half, 1.0, 0.5).expect("a box");
    }
    let mut particles = Particles::new(&spec).expect("sound");
    particles.passes = Passes::Fixed(20);
    particles.kept = 0.995;
    let solid = |shape| Obstacle::fixed(shape, 0.8);
    particles.add_obstacle(solid(WorldShape::Sphere { center: Vector3::new(0.0, 0.0, 0.2), radius: 0.3 }));
    let ends = [Vector3::new(1.0, -1.0, 0.2), Vector3::new(1.0, 1.0, 0.2)];
    particles.add_obstacle(solid(WorldShape::Capsule { ends, radius: 0.3 }));
    let center = Vector3::new(2.0, 0.0, 0.4);
    let shape = WorldShape::Cuboid { center, orientation: level, half: Vector3::new(0.1, 0.1, 0.1) };
    particles.add_obstacle(solid(shape));
    particles.container = Some(Container {
        walls: Walls::Box { low: Vector3::repeat(-1.0), high: Vector3::repeat(9.0) },
        friction: 0.5,
    });
    frames(&mut particles, 120);
    for (k, height) in [0.55, 0.55, 0.55, -0.95].into_iter().enumerate() {
        let place = particles.box_pose(k).0;
        assert!((place.z - height).abs() < 5e-3, "box {k}: {}", place.z);
    }
}

#[test]
fn bodies_that_share_two_particles_turn_about_the_line_through_them() {
    let mut spec = ParticlesSpec::default();
    let places = [
        [0.0, 0.1, 0.0],
        [0.0, -0.1, 0.0],
        [0.3, 0.0, 0.0],
        [0.2, 0.0, 0.1],
        [-0.3, 0.0, 0.0],
        [-0.2, 0.0, 0.1],
    ];
    let all = places.map(|place| spec.add(Vector3::from(place), Some(0.2)));
    spec.join_all(&all[..4]);
    spec.join_all(&[all[0], all[1], all[4], all[5]]);
    [2, 3].iter().for_each(|k| spec.pin(all[*k]));
    spec.pin(all[0]);
    let mut particles = Particles::new(&spec).expect("sound");
    particles.passes = Passes::Fixed(60);
    particles.kept = 0.99;
    frames(&mut particles, 1500);
    // The free wing hangs with its end straight below the hinge, except for the particle above it.
    let (end, fin) = (particles.position(all[4]), particles.position(all[5]));
    assert!(end.y.abs() < 1e-3 && end.z < -0.25, "{end}");
    let centre = 0.5 * (end + fin);
    assert!(centre.x.abs() < 0.01, "{centre}");
    assert!(particles.stretch().longest < 0.01, "{:?}", particles.stretch());
}
