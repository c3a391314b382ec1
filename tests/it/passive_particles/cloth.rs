//! Cloth: its stretch, and draping over objects.

use super::{frames, speed};
use aplomb::geometry::WorldShape;
use aplomb::passive::obstacle::Obstacle;
use aplomb::passive::particles::cloth::{ClothMesh, Grid, Weave};
use aplomb::passive::particles::{Particles, ParticlesError, ParticlesSpec, Passes, Stretch, straight};
use nalgebra::Vector3;

const SHEARED: Weave = Weave { shear: Some(0.0), bend: None };

/// A sheet of one square metre in the xy plane, pinned at some columns of its first row.
fn sheet(side: usize, pinned: &[usize], tethers: usize) -> (Particles, Grid) {
    let mut spec = ParticlesSpec::default();
    let step = 1.0 / (side - 1) as f64;
    let across = [step * Vector3::x(), -step * Vector3::y()];
    let grid = spec.add_grid([side, side], Vector3::zeros(), across, 0.2, SHEARED).expect("a grid");
    let pins: Vec<_> =
        pinned.iter().map(|k| grid.at(0, *k)).map(|k| (k, spec.particles[k].position)).collect();
    pins.iter().for_each(|(pin, _)| spec.pin(*pin));
    let places = grid.particles().map(|k| (k, spec.particles[k].position));
    spec.tethers = straight(places, &pins, tethers);
    let mut particles = Particles::new(&spec).expect("sound");
    particles.kept = 0.98;
    (particles, grid)
}

/// The stretch at rest, with 16 passes per step.
fn hung(side: usize, pinned: &[usize], tethers: usize) -> Stretch {
    let (mut particles, _) = sheet(side, pinned, tethers);
    particles.passes = Passes::Fixed(16);
    frames(&mut particles, 900);
    particles.stretch()
}

#[test]
fn a_large_cloth_has_the_sticks_of_its_threads_and_diagonals() {
    let mut spec = ParticlesSpec::default();
    let steps = [0.01 * Vector3::x(), 0.01 * Vector3::y()];
    spec.add_grid([100, 100], Vector3::zeros(), steps, 1.0, SHEARED).expect("a grid");
    assert_eq!(spec.sticks.len(), 39_402);
    assert_eq!(spec.triangles.len(), 2 * 99 * 99);
}

#[test]
fn a_hung_cloth_stretches_by_less_than_two_in_a_hundred_if_tethered() {
    let row: Vec<usize> = (0..100).collect();
    let tethered = hung(100, &row, 1);
    assert!(tethered.longest < 0.02 && tethered.shortest < 0.02, "{tethered:?}");
    // Sixteen passes alone are far from enough for a hundred rows.
    let plain = hung(100, &row, 0);
    assert!(plain.longest > 0.5, "{plain:?}");
    let corners = hung(20, &[0, 19], 2);
    assert!(corners.longest < 0.02 && corners.shortest < 0.02, "{corners:?}");
}

#[test]
fn sixteen_passes_a_frame_hold_a_large_cloth_by_two_corners_if_they_are_spread_over_short_steps() {
    let (mut particles, _) = sheet(100, &[0, 99], 2);
    (particles.passes, particles.kept) = (Passes::Fixed(2), 0.98_f64.powf(0.125));
    for _ in 0..8 * 400 {
        particles.step(1.0 / 480.0).expect("finite");
    }
    let Stretch { longest, shortest, mean } = particles.stretch();
    assert!(longest < 0.02 && shortest < 0.02 && mean < 1e-3, "{longest} {shortest} {mean}");
}

#[test]
fn woven_threads_lean_and_turn_up_to_their_angles_and_keep_their_lengths() {
    const SIDE: usize = 15;
    let hang = |weave: Weave| {
        let mut spec = ParticlesSpec::default();
        let steps = [0.05 * Vector3::x(), -0.05 * Vector3::y()];
        let grid = spec.add_grid([SIDE; 2], Vector3::zeros(), steps, 0.2, weave).expect("a grid");
        spec.pin(grid.at(0, 0));
        let mut particles = Particles::new(&spec).expect("sound");
        (particles.passes, particles.kept) = (Passes::Fixed(8), 0.99);
        (0..4000).for_each(|_| particles.step(1.0 / 480.0).expect("finite"));
        let apart = |[a, b]: [usize; 2], [c, d]: [usize; 2]| {
            (particles.position(grid.at(a, b)) - particles.position(grid.at(c, d))).norm()
        };
        let mut longest: f64 = 0.0;
        let mut nearest = f64::INFINITY;
        for row in 1..SIDE - 1 {
            for column in 1..SIDE - 1 {
                longest = longest.max(apart([row, column], [row + 1, column + 1]));
                nearest = nearest.min(apart([row - 1, column], [row + 1, column]));
            }
        }
        // From the cosine of half the angle between threads, and of half the bend of one thread.
        let between = 2.0 * (longest / 0.1).min(1.0).acos();
        let turn = 2.0 * (nearest / 0.1).min(1.0).acos();
        (std::f64::consts::FRAC_PI_2 - between, turn, particles.stretch())
    };
    let (lean, turn, stretch) = hang(Weave { shear: Some(0.5), bend: Some(0.8) });
    assert!(lean > 0.4 && lean < 0.55 && turn < 0.85, "{lean} {turn}");
    assert!(stretch.longest < 0.02 && stretch.shortest < 0.02, "{stretch:?}");
    let (lean, turn, _) = hang(Weave { shear: Some(0.0), bend: Some(0.0) });
    assert!(lean < 0.03 && turn < 0.3, "{lean} {turn}");
}

#[test]
fn one_pass_a_frame_holds_a_small_cloth_and_says_how_far_it_stretches() {
    let (mut particles, _) = sheet(10, &[0, 9], 0);
    particles.passes = Passes::Fixed(1);
    frames(&mut particles, 600);
    let stretch = particles.stretch();
    assert!(stretch.longest > 0.02 && stretch.longest < 1.0, "{stretch:?}");
    assert!(speed(&particles) < 0.05);
}

#[test]
fn adaptive_passes_are_few_at_rest_and_many_when_pushed() {
    let row: Vec<usize> = (0..10).collect();
    let (mut particles, grid) = sheet(10, &row, 1);
    particles.passes = Passes::Adaptive { change: 1e-3, most: 200 };
    frames(&mut particles, 600);
    let rest = particles.relaxed();
    particles.apply_impulse(grid.at(9, 5), &Vector3::new(0.0, 1e-3, 0.0));
    frames(&mut particles, 1);
    let pushed = particles.relaxed();
    assert!(pushed.passes > 2 * rest.passes && pushed.passes < 200, "{rest:?} {pushed:?}");
    assert!(pushed.change <= 1e-3);
}

#[test]
fn a_cloth_drapes_over_a_ball_and_a_capsule_and_lies_still() {
    for shape in [
        WorldShape::Sphere { center: Vector3::new(0.5, -0.5, -0.4), radius: 0.3 },
        WorldShape::Capsule {
            ends: [Vector3::new(0.2, -0.5, -0.3), Vector3::new(0.8, -0.4, -0.3)],
            radius: 0.2,
        },
    ] {
        let (mut particles, grid) = sheet(25, &[], 0);
        particles.radius = 0.005;
        let solid = particles.add_obstacle(Obstacle::fixed(shape.clone(), 0.6));
        frames(&mut particles, 900);
        let nearest = grid
            .particles()
            .map(|k| shape.distance(&particles.position(k)).distance)
            .fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.005 - 1e-9, "{nearest}");
        let held = particles.given(solid).impulse * 60.0;
        let weight = 0.2 * 9.81;
        assert!((held + Vector3::new(0.0, 0.0, weight)).norm() < 0.05 * weight, "{held}");
        assert!(speed(&particles) < 0.02, "{}", speed(&particles));
    }
}

#[test]
fn a_hexagon_of_triangles_hangs_from_a_corner() {
    let mesh = ClothMesh::hexagon(8, 0.05);
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (3 * 8 * 9 + 1, 6 * 64));
    let mut spec = ParticlesSpec::default();
    let first = spec.add_mesh(&mesh, 0.2).expect("a mesh");
    // 3 n (3 n + 1) edges, and a stick across each edge that is not on the rim.
    assert_eq!(spec.sticks.len(), 2 * 24 * 25 - 6 * 8);
    let area = 6.0 * 64.0 * 0.05 * 0.05 * 0.75_f64.sqrt() / 2.0;
    let mass: f64 = spec.particles.iter().map(|particle| 1.0 / particle.inverse_mass).sum();
    assert!((mass - 0.2 * area).abs() < 1e-12);
    spec.pin(first);
    let mut particles = Particles::new(&spec).expect("sound");
    (particles.kept, particles.passes) = (0.98, Passes::Fixed(40));
    frames(&mut particles, 900);
    let (_, centre) = particles.centre_of_mass(0..particles.len());
    let pin = particles.position(first);
    assert!((centre - pin).xy().norm() < 0.02, "it does not hang straight: {centre} {pin}");
    assert!(
        pin.z - centre.z > 0.35 && speed(&particles) < 0.05,
        "{} {}",
        pin.z - centre.z,
        speed(&particles)
    );
}

#[test]
fn meshes_that_are_no_cloth_are_refused() {
    let vertices = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z(), Vector3::repeat(1.0)];
    let add = |triangles: Vec<[usize; 3]>, used: usize| {
        let mesh = ClothMesh { vertices: vertices[..used].to_vec(), triangles };
        ParticlesSpec::default().add_mesh(&mesh, 1.0).expect_err("no cloth")
    };
    assert_eq!(add(vec![[0, 1, 7]], 3), ParticlesError::NoSuchVertex { triangle: 0, vertex: 7, vertices: 3 });
    let three = add(vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]], 5);
    assert_eq!(three, ParticlesError::Edge { a: 0, b: 1 });
    assert!(matches!(add(vec![[0, 1, 2]], 4), ParticlesError::Shape { .. }));
}

#[test]
fn the_same_cloth_moves_the_same_bit_for_bit() {
    let run = || {
        let (mut particles, grid) = sheet(30, &[0, 29], 2);
        frames(&mut particles, 60);
        particles.position(grid.at(29, 15))
    };
    assert_eq!(run(), run());
}
