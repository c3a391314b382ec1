//! Properties of constrained particles that are not in the reference data.

use super::exact;
use aplomb::passive::constrained::constraint::{Distance, OnCurve, OnSurface, Pin};
use aplomb::passive::constrained::{
    BaumgarteGains, Constrained, Curve, ImplicitSurface, ParticleId, Point, Stepper, Wire,
};
use nalgebra::{UnitVector3, Vector3};

/// Scattered particles, each joined to the next and to the next but one.
fn net(
    system: &mut Constrained,
    count: usize,
    velocity: impl Fn(&Vector3<f64>) -> Vector3<f64>,
) -> Vec<ParticleId> {
    let places: Vec<Vector3<f64>> = (0..count)
        .map(|k| {
            let wave = |speed: f64| (speed * (k as f64 + 1.0)).sin();
            Vector3::new(wave(1.3), wave(2.1), wave(2.9))
        })
        .collect();
    let ids: Vec<ParticleId> = places
        .iter()
        .enumerate()
        .map(|(k, place)| system.add_particle(*place, velocity(place), Some(0.5 + 0.1 * k as f64)))
        .collect();
    for step in [1, 2] {
        for k in step..count {
            let length = (places[k] - places[k - step]).norm();
            let ends = [Point::Particle(ids[k - step]), Point::Particle(ids[k])];
            system.add_constraint(Box::new(Distance { length }), &ends).expect("there");
        }
    }
    ids
}

#[test]
fn constraint_forces_do_no_work_on_legal_velocities() {
    let mut system = exact();
    let spin = Vector3::new(0.7, -1.1, 0.4);
    let ids = net(&mut system, 12, |place| spin.cross(place) + Vector3::new(0.3, 0.2, -0.9));
    for (k, id) in ids.iter().enumerate() {
        let force = Vector3::new((k as f64).sin(), 3.0, (2.0 * k as f64).cos());
        system.apply_force(Point::Particle(*id), &force).expect("there");
    }
    system.evaluate().expect("evaluates");
    let mut power = 0.0;
    let mut size = 0.0_f64;
    for id in &ids {
        let force = system.constraint_force(Point::Particle(*id)).expect("there");
        power += force.dot(&system.velocity(Point::Particle(*id)).expect("there"));
        size = size.max(force.norm());
    }
    assert!(size > 1.0, "nothing is held");
    assert!(power.abs() < 1e-10, "{power} W");
}

#[test]
fn momentum_stays_what_it_was_where_nothing_pushes() {
    let mut system = Constrained::new();
    *system.gravity_mut() = Vector3::zeros();
    net(&mut system, 8, |place| Vector3::new(place.y, -place.z, 0.5 * place.x));
    system.evaluate().expect("evaluates");
    let before = system.momentum();
    for _ in 0..500 {
        system.step(2e-3).expect("steps");
    }
    let after = system.momentum();
    assert!((after.0 - before.0).norm() < 1e-11);
    assert!((after.1 - before.1).norm() < 1e-9, "{}", (after.1 - before.1).norm());
}

#[test]
fn removing_leaves_what_would_have_been_built() {
    let build = |spare: bool| {
        let mut system = Constrained::new();
        let ids = net(&mut system, 6, |_| Vector3::zeros());
        let place = Vector3::new(0.0, 0.0, 2.0);
        let extra = spare.then(|| {
            let extra = system.add_particle(place, Vector3::zeros(), Some(1.0));
            let ends = [Point::Particle(ids[2]), Point::Particle(extra)];
            system.add_constraint(Box::new(Distance { length: 1.5 }), &ends).expect("there");
            let pin = system.add_constraint(Box::new(Pin { place }), &ends[1..]).expect("there");
            (extra, pin)
        });
        (system, ids, extra)
    };
    let (mut changed, ids, extra) = build(true);
    let (mut fresh, fresh_ids, _) = build(false);
    let (extra, pin) = extra.expect("spare");
    changed.remove_constraint(pin).expect("there");
    changed.remove_particle(extra).expect("there");
    assert!(changed.remove_constraint(pin).is_err());
    assert!(changed.position(Point::Particle(extra)).is_err());
    let late = |system: &mut Constrained, id: ParticleId| {
        let point = [Point::Particle(id)];
        let place = system.position(point[0]).expect("there");
        system.add_constraint(Box::new(Pin { place }), &point).expect("there");
    };
    for step in 0..200 {
        if step == 100 {
            late(&mut changed, ids[0]);
            late(&mut fresh, fresh_ids[0]);
        }
        changed.step(5e-3).expect("steps");
        fresh.step(5e-3).expect("steps");
    }
    for (a, b) in ids.iter().zip(&fresh_ids) {
        assert_eq!(changed.position(Point::Particle(*a)), fresh.position(Point::Particle(*b)));
    }
}

/// A bead that moves along a closed wire for five seconds: relative change of energy, and distance from the wire, m.
fn shoot(feedback: BaumgarteGains) -> [f64; 2] {
    let points: Vec<Vector3<f64>> = (0..12)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / 12.0;
            Vector3::new(angle.cos(), 0.6 * angle.sin(), 0.3 * (2.0 * angle).cos() + 0.2 * angle.sin())
        })
        .collect();
    let curve = Curve::Wire(Wire::new(&points, true).expect("a wire"));
    let mut system = exact();
    *system.feedback_mut() = feedback;
    let start = curve.at(0.7);
    let bead = system.add_particle(start[0], 4.0 * start[1], Some(0.3));
    system.add_constraint(Box::new(OnCurve::new(curve.clone())), &[Point::Particle(bead)]).expect("there");
    system.evaluate().expect("evaluates");
    let energy = |system: &Constrained| system.energy().0 + system.energy().1;
    let before = energy(&system);
    for _ in 0..10_000 {
        system.step(5e-4).expect("steps");
    }
    let place = system.position(Point::Particle(bead)).expect("there");
    [energy(&system) / before - 1.0, (place - curve.at(curve.foot(&place, None))[0]).norm()]
}

#[test]
fn feedback_keeps_a_bead_on_its_wire_that_drifts_off_without() {
    let [energy, off] = shoot(BaumgarteGains::default());
    assert!(energy.abs() < 1e-3 && off < 1e-5, "energy {energy}, {off} m off the wire");
    let [_, off] = shoot(BaumgarteGains { stiffness: 0.0, damping: 0.0 });
    assert!(off > 0.1, "{off}");
}

#[test]
fn a_bead_stays_on_a_torus_with_steps_of_a_frame() {
    let mut system = Constrained::new();
    system.stepper = Stepper::SymplecticEuler;
    let axis = UnitVector3::new_normalize(Vector3::new(0.2, 0.1, 1.0));
    let surface = ImplicitSurface::Torus { center: Vector3::zeros(), axis, ring: 1.0, tube: 0.3 };
    let across = axis.cross(&Vector3::x()).normalize();
    let bead = system.add_particle(1.3 * across, Vector3::new(0.4, 0.0, 0.0), Some(1.0));
    system.add_constraint(Box::new(OnSurface { surface }), &[Point::Particle(bead)]).expect("there");
    let mut worst = 0.0_f64;
    for _ in 0..1000 {
        system.step(1.0 / 240.0).expect("steps");
        let place = system.position(Point::Particle(bead)).expect("there");
        worst = worst.max(surface.at(&place).0.abs());
    }
    // The constraint is half the difference of squares: 0.01 of it is 3 cm off a tube of 30 cm.
    assert!(worst < 5e-3, "{worst}");
}

#[test]
fn points_that_are_missing_are_refused_by_name() {
    let mut system = Constrained::new();
    let a = system.add_particle(Vector3::zeros(), Vector3::zeros(), Some(1.0));
    let rod = || Box::new(Distance { length: 1.0 });
    let error = system.add_constraint(rod(), &[Point::Particle(a)]).expect_err("one end");
    assert_eq!(error.to_string(), "a constraint was given 1 points, but needs 2");
    system.remove_particle(a).expect("there");
    let error = system.add_constraint(rod(), &[Point::Particle(a); 2]).expect_err("gone");
    assert!(error.to_string().contains("removed"));
    assert!(Wire::new(&[Vector3::zeros()], false).is_err());
    assert!(Wire::new(&[Vector3::zeros(), Vector3::zeros()], false).is_err());
}
