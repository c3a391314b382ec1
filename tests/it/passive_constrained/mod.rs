//! Particles under constraints compared with dense algebra, closed forms and each other.

mod behaviour;
mod bodies;
mod derivatives;
mod reference;
mod solver;

use aplomb::passive::constrained::{BaumgarteGains, Constrained, Stepper};
use nalgebra::Vector3;
use serde_json::Value;

/// Cases of one kind in the reference data.
fn cases(kind: &str) -> Vec<Value> {
    let text = include_str!("../../data/reference/particles/constrained.json");
    let data: Value = serde_json::from_str(text).expect("JSON");
    let all = data["cases"].as_array().expect("cases").iter();
    let found: Vec<Value> = all.filter(|case| case["kind"] == kind).cloned().collect();
    assert!(!found.is_empty(), "{kind}");
    found
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("numbers").iter().map(number).collect()
}

/// A vector of two or three numbers; the third defaults to zero.
fn vector(value: &Value) -> Vector3<f64> {
    let numbers = numbers(value);
    Vector3::new(numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(0.0))
}

/// A system without drift correction, with a fourth-order Runge–Kutta stepper.
fn exact() -> Constrained {
    let mut system = Constrained::new();
    *system.feedback_mut() = BaumgarteGains { stiffness: 0.0, damping: 0.0 };
    system.stepper = Stepper::RungeKutta4;
    system
}

/// The same system for data in a plane, where down is −y.
fn planar() -> Constrained {
    let mut system = exact();
    *system.gravity_mut() = Vector3::new(0.0, -9.81, 0.0);
    system
}
