//! Comparison with the reference data.

use super::{cases, exact, number, numbers, planar, vector};
use aplomb::passive::constrained::body::{Hoop, Pendulum};
use aplomb::passive::constrained::constraint::{Distance, OnCircle, OnCurve, OnSurface, Pin};
use aplomb::passive::constrained::{BaumgarteGains, Constrained, Curve, ImplicitSurface, Point, Spring};
use nalgebra::{UnitQuaternion, UnitVector3, Vector3};
use serde_json::Value;

/// Steps by `dt` until the next frame of the data.
fn advance(system: &mut Constrained, frame: &Value, dt: f64) {
    while system.time() < number(&frame["t"]) - 0.4 * dt {
        system.step(dt).expect("steps");
    }
    system.evaluate().expect("evaluates");
}

#[test]
fn a_bead_on_a_circle_moves_as_a_pendulum_by_both_forms() {
    for case in cases("bead_on_circle") {
        let (radius, mass) = (number(&case["radius"]), number(&case["mass"]));
        let mut implicit = planar();
        let start = vector(&case["frames"][0]["x"]);
        let bead = implicit.add_particle(start, Vector3::zeros(), Some(mass));
        let normal = Vector3::z_axis();
        let circle = OnCircle { center: Vector3::zeros(), normal, radius };
        let held = implicit.add_constraint(Box::new(circle), &[Point::Particle(bead)]).expect("there");
        let mut parametric = planar();
        let hoop =
            Hoop { center: Vector3::zeros(), orientation: UnitQuaternion::identity(), radius, mass: [mass] };
        let body = parametric.add_body(Box::new(hoop), &[start.y.atan2(start.x)], &[0.0]);
        for frame in case["frames"].as_array().expect("frames") {
            advance(&mut implicit, frame, 5e-4);
            advance(&mut parametric, frame, 5e-4);
            let point = Point::Particle(bead);
            let (place, velocity) = (vector(&frame["x"]), vector(&frame["v"]));
            assert!((implicit.position(point).expect("there") - place).norm() < 1e-8);
            assert!((implicit.velocity(point).expect("there") - velocity).norm() < 1e-8);
            let lambda = implicit.multipliers(held).expect("there")[0];
            assert!((lambda - number(&frame["lam"])).abs() < 1e-6, "{lambda} {}", frame["lam"]);
            let force = implicit.constraint_force(point).expect("there");
            assert!((force - vector(&frame["constraint_force"])).norm() < 1e-6);
            let point = Point::OfBody(body, 0);
            assert!((parametric.position(point).expect("there") - place).norm() < 1e-8);
            assert!((parametric.velocity(point).expect("there") - velocity).norm() < 1e-8);
        }
    }
}

#[test]
fn a_bead_slides_down_a_helix_at_its_constant_rate() {
    for case in cases("bead_on_helix") {
        let (radius, rise) = (number(&case["R"]), number(&case["pitch_per_rad"]));
        let mut system = exact();
        let bead = system.add_particle(Vector3::new(radius, 0.0, 0.0), Vector3::zeros(), Some(0.7));
        let helix =
            Curve::Helix { origin: Vector3::zeros(), orientation: UnitQuaternion::identity(), radius, rise };
        system
            .add_constraint(Box::new(OnCurve::new(helix.clone())), &[Point::Particle(bead)])
            .expect("there");
        for time in ["0.1", "0.5", "1.0", "2.0"] {
            let end: f64 = time.parse().expect("a time");
            while system.time() < end - 1e-4 {
                let solution = system.step(2.5e-4).expect("steps");
                assert!(!solution.capped && !solution.contradictory);
            }
            let on = helix.at(number(&case["u_at"][time]))[0];
            let error = (system.position(Point::Particle(bead)).expect("there") - on).norm();
            assert!(error < 1e-7, "{time}: {error}");
        }
    }
}

#[test]
fn feedback_takes_an_error_back_at_its_own_rate() {
    for case in cases("feedback_decay") {
        let mut system = exact();
        *system.feedback_mut() =
            BaumgarteGains { stiffness: number(&case["ks"]), damping: number(&case["kd"]) };
        let normal = UnitVector3::new_normalize(Vector3::new(0.3, -0.4, 0.8));
        let start = number(&case["C0"]) * *normal;
        let bead = system.add_particle(start, number(&case["Cdot0"]) * *normal, Some(0.4));
        let surface = ImplicitSurface::Plane { normal, offset: 0.0 };
        system.add_constraint(Box::new(OnSurface { surface }), &[Point::Particle(bead)]).expect("there");
        for (time, value) in case["C_at"].as_object().expect("times") {
            let end: f64 = time.parse().expect("a time");
            while system.time() < end - 5e-4 {
                let pull = Vector3::new(3.0, (9.0 * system.time()).sin(), 5.0);
                system.apply_force(Point::Particle(bead), &pull).expect("there");
                system.step(1e-3).expect("steps");
            }
            let off = normal.dot(&system.position(Point::Particle(bead)).expect("there"));
            assert!((off - number(value)).abs() < 1e-9, "{time}: {off} {value}");
        }
    }
}

#[test]
fn a_double_pendulum_swings_as_in_reduced_coordinates_by_both_forms() {
    for case in cases("double_pendulum_particles") {
        let lengths = [number(&case["l1"]), number(&case["l2"])];
        let masses = [number(&case["m1"]), number(&case["m2"])];
        let first = &case["frames"][0];
        let mut implicit = planar();
        let pivot = implicit.add_particle(Vector3::zeros(), Vector3::zeros(), None);
        let mut before = pivot;
        let mut rods = Vec::new();
        let mut bobs = Vec::new();
        for (k, key) in ["x1", "x2"].into_iter().enumerate() {
            let bob = implicit.add_particle(vector(&first[key]), Vector3::zeros(), Some(masses[k]));
            let ends = [Point::Particle(before), Point::Particle(bob)];
            let rod = Distance { length: lengths[k] };
            rods.push(implicit.add_constraint(Box::new(rod), &ends).expect("there"));
            bobs.push(bob);
            before = bob;
        }
        let mut parametric = planar();
        let pendulum = Pendulum {
            pivot: Vector3::zeros(),
            across: Vector3::x(),
            up: Vector3::y(),
            lengths: lengths.to_vec(),
            masses: masses.to_vec(),
        };
        let body = parametric.add_body(Box::new(pendulum), &numbers(&case["theta0"]), &[0.0; 2]);
        for frame in case["frames"].as_array().expect("frames") {
            // The error of the fourth-order stepper is proportional to the fourth power of the step.
            advance(&mut implicit, frame, 1e-4);
            advance(&mut parametric, frame, 1e-4);
            let acceleration = numbers(&frame["acc"]);
            for (k, [place, velocity]) in [["x1", "v1"], ["x2", "v2"]].into_iter().enumerate() {
                let (place, velocity) = (vector(&frame[place]), vector(&frame[velocity]));
                for (system, point) in
                    [(&implicit, Point::Particle(bobs[k])), (&parametric, Point::OfBody(body, k))]
                {
                    assert!((system.position(point).expect("there") - place).norm() < 1e-8, "{frame}");
                    assert!((system.velocity(point).expect("there") - velocity).norm() < 1e-8, "{frame}");
                }
                let lambda = implicit.multipliers(rods[k]).expect("there")[0];
                assert!((lambda - number(&frame["lam"][k])).abs() < 1e-6);
                let found = implicit.acceleration(bobs[k]).expect("there");
                let right = Vector3::new(acceleration[2 * k], acceleration[2 * k + 1], 0.0);
                assert!((found - right).norm() < 1e-6);
            }
            let (kinetic, potential) = implicit.energy();
            let error = kinetic + potential - number(&frame["energy"]);
            assert!(error.abs() < 1e-8, "{error} J at {} s", frame["t"]);
        }
    }
}

#[test]
fn multipliers_and_accelerations_are_those_of_dense_algebra_also_where_rows_repeat() {
    for case in cases("jwjt_system") {
        let mut system = exact();
        let positions = case["positions"].as_array().expect("positions");
        let ids: Vec<_> = positions
            .iter()
            .zip(case["velocities"].as_array().expect("velocities"))
            .zip(numbers(&case["masses"]))
            .map(|((place, velocity), mass)| system.add_particle(vector(place), vector(velocity), Some(mass)))
            .collect();
        let mut constraints = Vec::new();
        for edge in case["edges"].as_array().expect("edges") {
            let ends: Vec<usize> = numbers(edge).iter().map(|end| *end as usize).collect();
            let length = (vector(&positions[ends[0]]) - vector(&positions[ends[1]])).norm();
            let points = [Point::Particle(ids[ends[0]]), Point::Particle(ids[ends[1]])];
            constraints.push(system.add_constraint(Box::new(Distance { length }), &points).expect("there"));
        }
        for fixed in numbers(&case["fixed"]) {
            let place = vector(&positions[fixed as usize]);
            let point = Point::Particle(ids[fixed as usize]);
            constraints.push(system.add_constraint(Box::new(Pin { place }), &[point]).expect("there"));
        }
        let solution = system.evaluate().expect("evaluates");
        assert!(!solution.capped, "{solution:?}");
        // The data enforces pins by an acceleration constraint alone.
        for (found, right) in system.right_side().iter().zip(numbers(&case["rhs"])) {
            assert!((found - right).abs() < 1e-9);
        }
        let found = constraints.iter().flat_map(|id| system.multipliers(*id).expect("there"));
        for (found, right) in found.zip(numbers(&case["lam_min_norm"])) {
            assert!((found - right).abs() < 1e-8 * right.abs().max(1.0), "{found} {right}");
        }
        for (id, right) in ids.iter().zip(case["acc"].as_array().expect("accelerations")) {
            let error = (system.acceleration(*id).expect("there") - vector(right)).norm();
            assert!(error < 1e-8, "{error}");
        }
    }
}

#[test]
fn a_cloth_of_springs_comes_to_rest_where_statics_has_it() {
    let text = include_str!("../../data/reference/particles/spring_cloth.json");
    let data: Value = serde_json::from_str(text).expect("JSON");
    let mut system = exact();
    *system.drag_mut() = 0.05;
    let pinned = numbers(&data["pinned"]);
    let mass = number(&data["particle_mass"]);
    let ids: Vec<_> = data["initial"]
        .as_array()
        .expect("places")
        .iter()
        .enumerate()
        .map(|(k, place)| {
            let free = !pinned.contains(&(k as f64));
            system.add_particle(vector(place), Vector3::zeros(), free.then_some(mass))
        })
        .collect();
    for edge in data["edges"].as_array().expect("edges") {
        let edge = numbers(edge);
        let spring = Spring { rest: edge[2], stiffness: number(&data["k"]), damping: 0.1 };
        let ends = [Point::Particle(ids[edge[0] as usize]), Point::Particle(ids[edge[1] as usize])];
        system.add_spring(spring, ends).expect("there");
    }
    for _ in 0..40_000 {
        system.step(1e-3).expect("steps");
    }
    for (id, right) in ids.iter().zip(data["equilibrium"].as_array().expect("places")) {
        let error = (system.position(Point::Particle(*id)).expect("there") - vector(right)).norm();
        assert!(error < 1e-9, "{error}");
    }
}
