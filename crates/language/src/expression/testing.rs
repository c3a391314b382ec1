//! A small frame and its names, for tests of modules that use expressions.

use super::*;
use crate::{BodyId, JointId};
use nalgebra::Vector3;

/// A small frame: a few bodies and quantities with fixed values.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub time: f64,
    pub state_time: f64,
    /// Values of `signal` and `other`.
    pub signal: f64,
    pub other: f64,
}

/// The default frame.
pub const FRAME: Frame = Frame { time: 2.0, state_time: 0.5, signal: 1.0, other: 0.0 };

/// Names of that frame.
pub struct TestNames;

impl Names for TestNames {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let quantity = |slot, arguments, result| {
            let range = Interval::ANY;
            Some(Meaning::Quantity { slot, arguments, result, range })
        };
        let distance = |slot, arguments| {
            let range = Interval::NEVER_NEGATIVE;
            Some(Meaning::Quantity { slot, arguments, result: Type::Number, range })
        };
        match name {
            "left_foot" => Some(Meaning::Constant(Value::Body(BodyId(3)))),
            "right_foot" => Some(Meaning::Constant(Value::Body(BodyId(4)))),
            "left toe" => Some(Meaning::Constant(Value::Site(1))),
            "knee.left" => Some(Meaning::Constant(Value::Joint(JointId(5), 1.0))),
            "com" => quantity(0, &[], Type::Vector),
            "signal" => quantity(1, &[], Type::Number),
            "other" => quantity(2, &[], Type::Number),
            "height" => quantity(3, &[Type::Place], Type::Number),
            "in_contact" => quantity(4, &[Type::Body], Type::Boolean),
            "nearest_foot" => quantity(5, &[Type::Vector], Type::Body),
            "distance" => distance(6, &[]),
            "far" => distance(8, &[Type::Passive]),
            "reach" => distance(7, &[Type::Body]),
            _ => None,
        }
    }

    fn known(&self) -> Vec<String> {
        [
            "com",
            "signal",
            "other",
            "height",
            "in_contact",
            "nearest_foot",
            "left_foot",
            "right_foot",
            "knee.left",
        ]
        .map(str::to_owned)
        .to_vec()
    }
}

impl Lookup for Frame {
    fn quantity(&self, slot: usize, arguments: &[Value]) -> Value {
        match (slot, arguments) {
            (0, []) => Value::Vector(Vector3::new(3.0, 4.0, 12.0)),
            (1, []) => Value::Number(self.signal),
            (2, []) => Value::Number(self.other),
            (3, [Value::Body(body)]) => Value::Number(body.0 as f64),
            (3, [Value::Site(site)]) => Value::Number(100.0 + *site as f64),
            (4, [Value::Body(body)]) => Value::Boolean(body.0 == 3),
            (5, [Value::Vector(point)]) => Value::Body(BodyId(if point.y > 0.0 { 3 } else { 4 })),
            (8, [Value::Passive(object)]) => {
                Value::Number(object.map_or(f64::NAN, |object| [3.0, 1.0, 0.5, 2.0, 1.0][object]))
            }
            other => panic!("no such quantity: {other:?}"),
        }
    }

    /// Five objects; the middle one is absent. There are no other objects.
    fn presence(&self, set: Set, number: usize) -> Option<bool> {
        (set == Set::Objects && number < 5).then_some(number != 2)
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn state_time(&self) -> f64 {
        self.state_time
    }
}
