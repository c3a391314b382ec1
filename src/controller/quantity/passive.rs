//! Passive objects: what they have beside a position and a velocity.

use super::{Measure, Quantity};
use crate::language::expression::{Interval, Type, Value};
use crate::snapshot::SensedObject;
use nalgebra::Vector3;

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "energy",
        arguments: &[Type::Passive],
        result: Type::Number,
        unit: "J",
        range: Interval::ANY,
        about: "Total mechanical energy of a passive object; potential energy is zero at the world's origin.",
        value: |now, arguments| Value::Number(object(now, arguments[0]).energy),
    },
    Quantity {
        name: "stretch",
        arguments: &[Type::Passive],
        result: Type::Number,
        unit: "1",
        range: Interval::NEVER_NEGATIVE,
        about: "Largest relative error of a length that a passive object should keep; 0 where nothing can stretch.",
        value: |now, arguments| Value::Number(object(now, arguments[0]).stretch),
    },
];

fn object(now: &Measure<'_>, object: Value) -> SensedObject {
    // No object has this number.
    sensed(now, if let Value::Passive(number) = object { number } else { usize::MAX })
}

/// What the snapshot says of an object, by its number in the scene; not a number where there is none.
pub(super) fn sensed(now: &Measure<'_>, object: usize) -> SensedObject {
    let nowhere = Vector3::repeat(f64::NAN);
    let none = SensedObject { position: nowhere, velocity: nowhere, energy: f64::NAN, stretch: f64::NAN };
    now.snapshot.objects.get(object).copied().unwrap_or(none)
}
