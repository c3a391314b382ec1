//! Bodies with coordinates q(u), alone and with particles.

use super::exact;
use aplomb::passive::constrained::body::Pendulum;
use aplomb::passive::constrained::constraint::{Distance, Pin};
use aplomb::passive::constrained::{Constrained, Point};
use nalgebra::Vector3;

const LENGTHS: [f64; 3] = [0.7, 0.5, 0.6];
const MASSES: [f64; 3] = [1.2, 0.8, 0.5];
const ANGLES: [f64; 3] = [1.1, -0.4, 2.0];

fn pendulum(rods: usize) -> Box<Pendulum> {
    Box::new(Pendulum {
        pivot: Vector3::zeros(),
        across: Vector3::x(),
        up: Vector3::z(),
        lengths: LENGTHS[..rods].to_vec(),
        masses: MASSES[..rods].to_vec(),
    })
}

fn place(rod: usize) -> Vector3<f64> {
    (0..=rod).map(|k| LENGTHS[k] * Vector3::new(ANGLES[k].sin(), 0.0, -ANGLES[k].cos())).sum()
}

/// A triple pendulum whose first rods are a body, and whose last rods are particles.
fn triple(as_body: usize) -> (Constrained, Vec<Point>) {
    let mut system = exact();
    let mut points = Vec::new();
    let mut before = None;
    if as_body > 0 {
        let body = system.add_body(pendulum(as_body), &ANGLES[..as_body], &vec![0.0; as_body]);
        points.extend((0..as_body).map(|k| Point::OfBody(body, k)));
        before = points.last().copied();
    }
    for rod in as_body..3 {
        let start = before.unwrap_or_else(|| {
            Point::Particle(system.add_particle(Vector3::zeros(), Vector3::zeros(), None))
        });
        let bob = Point::Particle(system.add_particle(place(rod), Vector3::zeros(), Some(MASSES[rod])));
        system.add_constraint(Box::new(Distance { length: LENGTHS[rod] }), &[start, bob]).expect("there");
        points.push(bob);
        before = Some(bob);
    }
    (system, points)
}

#[test]
fn a_triple_pendulum_is_one_object_however_much_of_it_is_a_body() {
    let mut systems: Vec<_> = (0..=3).map(triple).collect();
    for _ in 0..1000 {
        systems.iter_mut().for_each(|(system, _)| {
            system.step(5e-4).expect("steps");
        });
    }
    let (reference, points) = &systems[3];
    for (system, same) in &systems[..3] {
        for (a, b) in points.iter().zip(same) {
            let error = (reference.position(*a).expect("there") - system.position(*b).expect("there")).norm();
            assert!(error < 1e-8, "{error}");
        }
    }
}

#[test]
fn a_pinned_pendulum_of_two_rods_hangs_from_both_ends() {
    let mut system = Constrained::new();
    let body = system.add_body(pendulum(2), &[0.9, 1.4], &[0.0; 2]);
    system.evaluate().expect("evaluates");
    let end = system.position(Point::OfBody(body, 1)).expect("there");
    system.add_constraint(Box::new(Pin { place: end }), &[Point::OfBody(body, 1)]).expect("there");
    // The two degrees of freedom in the plane are removed by the pin, whose third row is redundant in the plane.
    for _ in 0..200 {
        system.step(5e-3).expect("steps");
    }
    assert!((system.position(Point::OfBody(body, 1)).expect("there") - end).norm() < 1e-9);
    assert!(system.freedoms(body).expect("there").1.iter().all(|rate| rate.abs() < 1e-6));
    system.remove_body(body).expect("there");
    assert!(system.position(Point::OfBody(body, 0)).is_err());
    system.step(5e-3).expect("an empty system steps");
}
