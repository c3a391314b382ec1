//! Articulated figures.

use super::{frames, speed};
use aplomb::geometry::WorldShape;
use aplomb::passive::obstacle::Obstacle;
use aplomb::passive::particles::{Given, ParticleFigure, Particles, ParticlesSpec, Passes, PinnedParticle};
use nalgebra::Vector3;

fn figure() -> (Particles, ParticleFigure) {
    let mut spec = ParticlesSpec::default();
    let figure = spec.add_figure(Vector3::zeros(), 1.8, 75.0).expect("a figure");
    let mut particles = Particles::new(&spec).expect("sound");
    particles.radius = 0.03;
    particles.passes = Passes::Fixed(20);
    particles.kept = 0.995;
    let floor = WorldShape::HalfSpace { normal: Vector3::z(), offset: 0.0 };
    particles.add_obstacle(Obstacle::fixed(floor, 0.7));
    (particles, figure)
}

#[test]
fn a_figure_weighs_what_it_is_said_to() {
    let (particles, figure) = figure();
    assert_eq!(figure.particles(), 0..particles.len());
    let (mass, centre) = particles.centre_of_mass(figure.particles());
    assert!((mass - 75.0).abs() < 1e-9 && (0.9..1.2).contains(&centre.z), "{mass} {centre}");
}

#[test]
fn a_figure_falls_differently_by_where_it_is_hit() {
    let fall = |hit: fn(&ParticleFigure) -> usize, push: Vector3<f64>| {
        let (mut particles, figure) = figure();
        frames(&mut particles, 1);
        particles.apply_impulse(hit(&figure), &push);
        frames(&mut particles, 900);
        let lowest = figure.particles().map(|k| particles.position(k).z).fold(1.0, f64::min);
        assert!(lowest > 0.03 - 1e-9, "{lowest}");
        let highest = figure.particles().map(|k| particles.position(k).z).fold(0.0, f64::max);
        assert!(highest < 0.7, "it still stands: {highest}");
        assert!(speed(&particles) < 0.1 && particles.stretch().longest < 0.02, "{}", speed(&particles));
        let ways = figure.particles().map(|k| particles.position(k));
        ways.collect::<Vec<_>>()
    };
    let back = Vector3::new(0.0, -60.0, 0.0);
    let ends = [
        fall(|figure| figure.head, back),
        fall(|figure| figure.knees[0], back),
        fall(|figure| figure.shoulders[1], back),
        fall(|figure| figure.hips[0], Vector3::new(60.0, 0.0, 0.0)),
    ];
    for (k, first) in ends.iter().enumerate() {
        for second in &ends[k + 1..] {
            let apart = first.iter().zip(second).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(apart > 0.2, "{apart} m");
        }
    }
}

#[test]
fn dragging_a_hand_poses_the_figure() {
    let (mut particles, figure) = figure();
    particles.gravity = Vector3::zeros();
    particles.kept = 0.9;
    let held = |particle, target| PinnedParticle { particle, target, given: Given::default() };
    let hips = figure.hips.map(|hip| (hip, particles.position(hip)));
    particles.grips.extend(hips.map(|(hip, place)| held(hip, place)));
    let hand = figure.hands[1];
    let start = particles.position(hand);
    // Up and forward, farther than the arm alone can reach.
    let target = Vector3::new(0.3, 0.9, 1.5);
    particles.grips.push(held(hand, start));
    for k in 1..=240 {
        particles.grips[2].target = start.lerp(&target, (f64::from(k) / 180.0).min(1.0));
        frames(&mut particles, 1);
    }
    assert!((particles.position(hand) - target).norm() < 1e-9);
    assert!(particles.stretch().longest < 0.03, "{:?}", particles.stretch());
    let chest = particles.position(figure.sternum);
    assert!(chest.y > 0.25, "the trunk did not follow: {chest}");
}

#[test]
fn elbows_bend_no_further_than_their_limit() {
    let (mut particles, figure) = figure();
    particles.gravity = Vector3::zeros();
    particles.kept = 0.9;
    let (shoulder, elbow, hand) = (figure.shoulders[0], figure.elbows[0], figure.hands[0]);
    for _ in 0..240 {
        let pull = 40.0 * (particles.position(shoulder) - particles.position(hand));
        particles.apply_force(hand, &pull);
        particles.apply_force(shoulder, &-pull);
        frames(&mut particles, 1);
    }
    let middle = particles.position(elbow);
    let angle = (particles.position(shoulder) - middle).angle(&(particles.position(hand) - middle));
    assert!((angle.to_degrees() - 35.0).abs() < 1.5, "{}", angle.to_degrees());
}
