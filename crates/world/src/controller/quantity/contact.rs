//! Contacts: which points touch, and their forces.

use super::{Quantity, body_of};
use aplomb_language::expression::{Interval, Type, Value};
use nalgebra::Vector3;

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "touches",
        arguments: &[Type::Body],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether a body or one of its descendants has a contact that can transmit force.",
        value: |now, arguments| {
            let body = body_of(arguments[0]);
            let mut touches = now.snapshot.contacts.touches.iter();
            Value::Boolean(touches.any(|touch| touch.bears() && now.model.is_within(touch.body, body)))
        },
    },
    Quantity {
        name: "contacts",
        arguments: &[],
        result: Type::Number,
        unit: "",
        range: Interval::NEVER_NEGATIVE,
        about: "Number of contact points that can transmit force.",
        value: |now, _| {
            let bearing = now.snapshot.contacts.touches.iter().filter(|touch| touch.bears());
            Value::Number(bearing.count() as f64)
        },
    },
    Quantity {
        name: "contacts_of",
        arguments: &[Type::Body],
        result: Type::Number,
        unit: "",
        range: Interval::ANY,
        about: "Number of contact points of a body and its descendants that can transmit force, without those on \
                ridges of the ground.",
        value: |now, arguments| {
            let (body, contacts) = (body_of(arguments[0]), &now.snapshot.contacts);
            let bearing = contacts.touches.iter().filter(|touch| {
                touch.bears() && now.model.is_within(touch.body, body) && !contacts.is_on_ridge(touch)
            });
            Value::Number(bearing.count() as f64)
        },
    },
    Quantity {
        name: "friction",
        arguments: &[],
        result: Type::Number,
        unit: "",
        range: Interval::NEVER_NEGATIVE,
        about: "Smallest friction coefficient of the contact points that can transmit force; in flight, that of \
                the ground.",
        value: |now, _| {
            let contacts = &now.snapshot.contacts;
            let bearing = contacts.touches.iter().filter(|touch| touch.bears());
            let ground = || contacts.surfaces.first().map_or(0.0, |ground| ground.friction);
            Value::Number(bearing.map(|touch| touch.friction).reduce(f64::min).unwrap_or_else(ground))
        },
    },
    Quantity {
        name: "normal_force",
        arguments: &[Type::Body],
        result: Type::Number,
        unit: "N",
        range: Interval::NEVER_NEGATIVE,
        about: "Normal force on a body and its descendants in the previous frame.",
        value: |now, arguments| Value::Number(now.snapshot.normal_force(now.model, body_of(arguments[0]))),
    },
    Quantity {
        name: "contact_force",
        arguments: &[Type::Body],
        result: Type::Vector,
        unit: "N",
        range: Interval::ANY,
        about: "Force of all contacts and grips on a body and its descendants in the previous frame.",
        value: |now, arguments| Value::Vector(now.snapshot.contact_force(now.model, body_of(arguments[0]))),
    },
    Quantity {
        name: "cop",
        arguments: &[],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Centre of pressure: mean of the points where surfaces support the character from below, weighted \
                with their vertical forces in the previous frame; NaN without such a force.",
        value: |now, _| {
            let (sum, moment) = now.snapshot.supporting_forces().fold(
                (0.0, Vector3::zeros()),
                |(sum, moment), (point, force)| {
                    let load = force.max(0.0);
                    (sum + load, moment + point * load)
                },
            );
            Value::Vector(if sum > 0.0 { moment / sum } else { Vector3::repeat(f64::NAN) })
        },
    },
    Quantity {
        name: "load",
        arguments: &[Type::Body],
        result: Type::Number,
        unit: "",
        range: Interval::NEVER_NEGATIVE,
        about: "`normal_force` as a fraction of the weight.",
        value: |now, arguments| {
            let force = now.snapshot.normal_force(now.model, body_of(arguments[0]));
            Value::Number(force / now.snapshot.scales.weight())
        },
    },
];
