//! Passive objects and other characters: quantities other than position and velocity.

use super::{Measure, Quantity, body_of};
use aplomb_body::contact::{ContactPoint, Owner};
use aplomb_control::snapshot::{SensedHit, SensedObject};
use aplomb_language::expression::{Interval, Type, Value};
use nalgebra::{Matrix3, Vector3};

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "energy",
        arguments: &[Type::Spot],
        result: Type::Number,
        unit: "J",
        range: Interval::ANY,
        about: "Total mechanical energy of a passive object, another character or one body, without armature; \
                potential energy is zero at the world's origin; NaN for a hold or a surface.",
        value: |now, arguments| Value::Number(energy(now, arguments[0])),
    },
    Quantity {
        name: "stretch",
        arguments: &[Type::Passive],
        result: Type::Number,
        unit: "1",
        range: Interval::NEVER_NEGATIVE,
        about: "Largest relative error of the constant lengths of a passive object; 0 if nothing can stretch.",
        value: |now, arguments| Value::Number(object(now, arguments[0]).stretch),
    },
    Quantity {
        name: "touches_object",
        arguments: &[Type::Body, Type::Other],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether a body or one of its descendants has a contact with a passive object or another \
                character that can transmit force, or had a force from it in the previous frame; grips do not \
                count.",
        value: |now, arguments| {
            Value::Boolean(hits(now, arguments).next().is_some() || pressed(now, arguments).next().is_some())
        },
    },
    Quantity {
        name: "force_from",
        arguments: &[Type::Body, Type::Other],
        result: Type::Vector,
        unit: "N",
        range: Interval::ANY,
        about: "Force of a passive object or another character on a body and its descendants in the previous \
                frame, without grips.",
        value: |now, arguments| {
            let last = |touch: &ContactPoint| now.snapshot.last_force[touch.slot];
            let pressed: Vector3<f64> = pressed(now, arguments).map(last).sum();
            Value::Vector(hits(now, arguments).map(|hit| hit.force).sum::<Vector3<f64>>() + pressed)
        },
    },
    Quantity {
        name: "approach_time",
        arguments: &[Type::Passive, Type::Vector],
        result: Type::Number,
        unit: "s",
        range: Interval::NEVER_NEGATIVE,
        about: "Time until a passive object in free flight is closest to a point, at most 5 s; 0 if it moves \
                away from it.",
        value: |now, arguments| {
            Value::Number(
                approach(now, arguments[0], arguments[1].vector()).map_or(f64::NAN, |(time, _)| time),
            )
        },
    },
    Quantity {
        name: "approach_point",
        arguments: &[Type::Passive, Type::Vector],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Position of a passive object in free flight when it is closest to a point.",
        value: |now, arguments| {
            let nearest = approach(now, arguments[0], arguments[1].vector());
            Value::Vector(nearest.map_or(Vector3::repeat(f64::NAN), |(_, place)| place))
        },
    },
];

/// Longest time of a flight that is examined, s, and the number of steps in the search for its nearest point.
const AHEAD: f64 = 5.0;
const STEP: f64 = 0.02;

/// Time and position at which an object in free flight is first nearest to `point`: when r·ṙ changes from
/// negative to positive along r(t) = p + v t + ½ g t² − point.
fn approach(now: &Measure<'_>, flying: Value, point: Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
    let SensedObject { position, velocity, .. } = object(now, flying);
    let gravity = now.snapshot.gravity;
    let place = |t: f64| position + velocity * t + gravity * (0.5 * t * t);
    let slope = |t: f64| (place(t) - point).dot(&(velocity + gravity * t));
    if !slope(0.0).is_finite() {
        return None;
    }
    if slope(0.0) >= 0.0 {
        return Some((0.0, position));
    }
    let steps = (AHEAD / STEP) as usize;
    let Some(after) = (1..=steps).map(|step| step as f64 * STEP).find(|t| slope(*t) >= 0.0) else {
        return Some((AHEAD, place(AHEAD)));
    };
    let (mut low, mut high) = (after - STEP, after);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    Some((high, place(high)))
}

/// Hits of an object or a character on a body and its subtree in the previous frame.
fn hits<'a>(now: &'a Measure<'_>, arguments: &[Value]) -> impl Iterator<Item = &'a SensedHit> {
    let (body, by) = (body_of(arguments[0]), arguments[1]);
    let hits = now.snapshot.hits.iter();
    hits.filter(move |hit| is(hit.by, by) && now.model.is_within(hit.body, body))
}

/// Active contacts of a body and its subtree with a passive object that characters push, or with another
/// character.
fn pressed<'a>(now: &'a Measure<'_>, arguments: &[Value]) -> impl Iterator<Item = &'a ContactPoint> {
    let (body, other) = (body_of(arguments[0]), arguments[1]);
    now.snapshot.contacts.touches.iter().filter(move |touch| {
        touch.bears() && touch.on.is_some_and(|on| is(on, other)) && now.model.is_within(touch.body, body)
    })
}

/// Whether an owner is the one named by an expression.
fn is(owner: Owner, named: Value) -> bool {
    match owner {
        Owner::Object(number) => named == Value::Passive(Some(number)),
        Owner::Character(number) => named == Value::Character(Some(number)),
    }
}

/// Kinetic and potential energy, J; NaN without mass.
fn energy(now: &Measure<'_>, of: Value) -> f64 {
    match of {
        Value::Passive(object) => sensed(now, object).energy,
        Value::Character(other) => character(now, other).energy,
        Value::Body(_) | Value::Site(_) => {
            let (body, kinematics) = (super::body_at(now.model, of), &now.snapshot.kinematics);
            let (inertia, velocity) = (&kinematics.inertia[body.0], &kinematics.velocity[body.0]);
            0.5 * velocity.dot(&(inertia * velocity)) - now.snapshot.gravity.dot(&inertia.first_moment)
        }
        _ => f64::NAN,
    }
}

fn object(now: &Measure<'_>, object: Value) -> SensedObject {
    sensed(now, if let Value::Passive(number) = object { number } else { None })
}

/// Snapshot of an object, by its index in the scene; NaN if there is none.
pub(super) fn sensed(now: &Measure<'_>, object: Option<usize>) -> SensedObject {
    object.and_then(|object| now.snapshot.objects.get(object)).copied().unwrap_or_else(none)
}

/// Snapshot of a character, by its index in the scene; NaN if it is unknown.
pub(super) fn character(now: &Measure<'_>, character: Option<usize>) -> SensedObject {
    character.and_then(|character| now.snapshot.characters.get(character)).copied().unwrap_or_else(none)
}

fn none() -> SensedObject {
    let nowhere = Vector3::repeat(f64::NAN);
    SensedObject {
        position: nowhere,
        velocity: nowhere,
        energy: f64::NAN,
        stretch: f64::NAN,
        rotation: Matrix3::repeat(f64::NAN),
        angular_velocity: nowhere,
    }
}
