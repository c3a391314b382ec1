//! Passive things: where they are and how they move.

use super::{Measure, Quantity};
use crate::language::expression::{Interval, Type, Value};
use crate::snapshot::SensedObject;
use nalgebra::Vector3;

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "thing_position",
        arguments: &[Type::Passive],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Centre of mass of a passive thing.",
        value: |now, arguments| Value::Vector(sensed(now, arguments[0]).position),
    },
    Quantity {
        name: "thing_velocity",
        arguments: &[Type::Passive],
        result: Type::Vector,
        unit: "m/s",
        range: Interval::ANY,
        about: "Velocity of the centre of mass of a passive thing.",
        value: |now, arguments| Value::Vector(sensed(now, arguments[0]).velocity),
    },
    Quantity {
        name: "thing_height",
        arguments: &[Type::Passive],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Height of the centre of mass of a passive thing over the ground.",
        value: |now, arguments| {
            Value::Number(sensed(now, arguments[0]).position.z - now.snapshot.ground_height)
        },
    },
    Quantity {
        name: "thing_speed",
        arguments: &[Type::Passive],
        result: Type::Number,
        unit: "m/s",
        range: Interval::NEVER_NEGATIVE,
        about: "Speed of the centre of mass of a passive thing.",
        value: |now, arguments| Value::Number(sensed(now, arguments[0]).velocity.norm()),
    },
    Quantity {
        name: "thing_energy",
        arguments: &[Type::Passive],
        result: Type::Number,
        unit: "J",
        range: Interval::ANY,
        about: "Kinetic and potential energy of a passive thing, the latter zero at the world's origin.",
        value: |now, arguments| Value::Number(sensed(now, arguments[0]).energy),
    },
    Quantity {
        name: "thing_stretch",
        arguments: &[Type::Passive],
        result: Type::Number,
        unit: "1",
        range: Interval::NEVER_NEGATIVE,
        about: "How far the worst length of a passive thing is from what it should be, as a share; 0 where nothing can stretch.",
        value: |now, arguments| Value::Number(sensed(now, arguments[0]).stretch),
    },
];

fn sensed(now: &Measure<'_>, thing: Value) -> SensedObject {
    let nowhere = Vector3::repeat(f64::NAN);
    let none = SensedObject { position: nowhere, velocity: nowhere, energy: f64::NAN, stretch: f64::NAN };
    match thing {
        Value::Passive(thing) => now.snapshot.things.get(thing).copied().unwrap_or(none),
        _ => none,
    }
}
