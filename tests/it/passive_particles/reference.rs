//! Comparison with the reference data.

use aplomb::passive::particles::{Particles, ParticlesSpec, Passes, Root};
use nalgebra::Vector3;
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(text).expect("JSON");
    data["cases"].as_array().expect("cases").clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn vector(value: &Value) -> Vector3<f64> {
    Vector3::from_fn(|k, _| number(&value[k]))
}

#[test]
fn falling_with_drag_is_the_closed_form() {
    for case in cases(include_str!("../../data/reference/particles/verlet_stick.json")) {
        if case["kind"] != "free_fall" {
            continue;
        }
        let (dt, now, before) = (number(&case["dt"]), number(&case["x0"]), number(&case["x_prev"]));
        let mut spec = ParticlesSpec::default();
        spec.add(Vector3::new(0.0, 0.0, now), Some(0.3));
        spec.particles[0].velocity.z = (now - before) / dt;
        let mut particles = Particles::new(&spec).expect("sound");
        particles.gravity = Vector3::new(0.0, 0.0, number(&case["g"]));
        particles.kept = number(&case["drag_c"]);
        for step in 0..=500 {
            if let Some(expected) = case["expected"].get(step.to_string()) {
                let (found, expected) = (particles.position(0).z, number(expected));
                assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{step}: {found}");
            }
            particles.step(dt).expect("finite");
        }
    }
}

#[test]
fn a_stick_is_put_right_at_once_with_the_root_and_nearly_without() {
    let mut count = 0;
    for case in cases(include_str!("../../data/reference/particles/verlet_stick.json")) {
        if case["kind"] != "stick" {
            continue;
        }
        count += 1;
        let (first, second) = (vector(&case["x1"]), vector(&case["x2"]));
        let mut spec = ParticlesSpec::default();
        for (place, mass) in [(first, "invmass1"), (second, "invmass2")] {
            let particle = spec.add(place, None);
            spec.particles[particle].inverse_mass = number(&case[mass]);
        }
        let rest = number(&case["rest"]);
        spec.limit(0, 1, aplomb::passive::particles::StickConstraint::Exactly, rest);
        let relaxed = |root: Root| {
            let mut particles = Particles::new(&spec).expect("sound");
            (particles.gravity, particles.root, particles.passes) =
                (Vector3::zeros(), root, Passes::Fixed(1));
            particles.step(0.01).expect("finite");
            [particles.position(0), particles.position(1)]
        };
        let found = relaxed(Root::Exact);
        for (found, key) in found.iter().zip(["x1", "x2"]) {
            assert!((found - vector(&case["expected"][key])).norm() < 1e-12);
        }
        // |d'| = |d| (1 + (r² − d²)/(r² + d²)): one Newton step.
        let apart = (second - first).norm();
        let square = (apart / rest).powi(2);
        let [a, b] = relaxed(Root::Newton);
        assert!(((b - a).norm() - apart * 2.0 / (1.0 + square)).abs() < 1e-12);
    }
    assert!(count > 3);
}

#[test]
fn the_stick_of_the_paper_comes_to_98_without_a_root() {
    let mut spec = ParticlesSpec::default();
    spec.add(Vector3::zeros(), Some(1.0));
    spec.add(Vector3::new(120.0, 0.0, 0.0), Some(1.0));
    spec.limit(0, 1, aplomb::passive::particles::StickConstraint::Exactly, 100.0);
    let mut particles = Particles::new(&spec).expect("sound");
    (particles.gravity, particles.passes) = (Vector3::zeros(), Passes::Fixed(1));
    particles.step(1.0).expect("finite");
    assert!((particles.position(1).x - particles.position(0).x - 98.36).abs() < 5e-3);
}

#[test]
fn a_rope_hangs_as_the_discrete_chain_and_nearly_as_the_catenary() {
    for case in cases(include_str!("../../data/reference/particles/hanging_rope.json")) {
        let discrete = &case["discrete"];
        let points = discrete["points_xz"].as_array().expect("points");
        let place = |point: &Value| Vector3::new(number(&point[0]), 0.0, number(&point[1]));
        let sticks = points.len() - 1;
        let mut spec = ParticlesSpec::default();
        let ends = [place(&points[0]), place(&points[sticks])];
        let rope =
            spec.add_rope(ends, sticks, number(&case["length"]), number(&case["mass"])).expect("a rope");
        spec.pin(rope.at(0));
        spec.pin(rope.at(sticks));
        let mut particles = Particles::new(&spec).expect("sound");
        particles.passes = Passes::Fixed(200);
        particles.kept = 0.996;
        // Short steps: the error left by a pass is proportional to the square of the step.
        for _ in 0..6000 {
            particles.step(1e-3).expect("finite");
        }
        let mut worst = 0.0_f64;
        for (k, point) in points.iter().enumerate() {
            worst = worst.max((particles.position(rope.at(k)) - place(point)).norm());
        }
        assert!(worst < 3e-4, "{sticks} sticks: {worst} m");
        let lowest = (0..=sticks).map(|k| particles.position(rope.at(k)).z).fold(0.0, f64::min);
        let continuous = number(&case["continuous"]["lowest_z"]);
        assert!((lowest - continuous).abs() < 0.02 * number(&case["length"]), "{lowest} {continuous}");
    }
}
