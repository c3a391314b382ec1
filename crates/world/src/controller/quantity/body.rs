//! Bodies and sites: position, velocity and orientation.

use super::{Measure, Quantity, body_of, passive};
use aplomb_body::contact::nearest;
use aplomb_language::expression::{Interval, Type, Value};
use aplomb_math::elementary::atan2;
use nalgebra::{Matrix3, Rotation3, Vector3};
use std::f64::consts::PI;

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "body_of",
        arguments: &[Type::Place],
        result: Type::Body,
        unit: "",
        range: Interval::ANY,
        about: "The body a site is on.",
        value: |now, arguments| Value::Body(super::body_at(now.model, arguments[0])),
    },
    Quantity {
        name: "position",
        arguments: &[Type::Spot],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "World position of a body's origin, a site, the middle of a hold, or the centre of mass of \
                a passive object or a character.",
        value: |now, arguments| Value::Vector(now.place(arguments[0]).0),
    },
    Quantity {
        name: "velocity",
        arguments: &[Type::Spot],
        result: Type::Vector,
        unit: "m/s",
        range: Interval::ANY,
        about: "World velocity of a body's origin, a site, a hold, or the centre of mass of a passive \
                object or a character.",
        value: |now, arguments| Value::Vector(now.place(arguments[0]).1),
    },
    Quantity {
        name: "height",
        arguments: &[Type::Spot],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Height over the ground of a body's origin, a site, the middle of a hold, or the centre of \
                mass of a passive object or a character.",
        value: |now, arguments| Value::Number(now.place(arguments[0]).0.z - now.snapshot.ground_height),
    },
    Quantity {
        name: "speed",
        arguments: &[Type::Spot],
        result: Type::Number,
        unit: "m/s",
        range: Interval::NEVER_NEGATIVE,
        about: "Norm of `velocity`.",
        value: |now, arguments| Value::Number(now.place(arguments[0]).1.norm()),
    },
    Quantity {
        name: "orientation",
        arguments: &[Type::Spot],
        result: Type::Vector,
        unit: "rad",
        range: Interval::ANY,
        about: "Roll, pitch and yaw of a body (for a site, of its body) or of another character's root relative \
                to the rest pose facing along x; of the axes of a surface or of the first part of a passive \
                object; NaN for a hold.",
        value: |now, arguments| Value::Vector(orientation(now, arguments[0])),
    },
    Quantity {
        name: "angular_velocity",
        arguments: &[Type::Spot],
        result: Type::Vector,
        unit: "rad/s",
        range: Interval::ANY,
        about: "Angular velocity, world axes.",
        value: |now, arguments| Value::Vector(angular_velocity(now, arguments[0])),
    },
    Quantity {
        name: "seen_from",
        arguments: &[Type::Body, Type::Vector],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "A world point in a body's frame: forward, left and up from its origin, along the axes of its \
                rest pose.",
        value: |now, arguments| {
            let body = body_of(arguments[0]);
            let way = arguments[1].vector() - now.snapshot.kinematics.position[body.0];
            Value::Vector(Vector3::from_fn(|axis, _| now.direction(body, axis).dot(&way)))
        },
    },
    Quantity {
        name: "turned_with",
        arguments: &[Type::Body, Type::Vector],
        result: Type::Vector,
        unit: "",
        range: Interval::ANY,
        about: "World components of a direction given as forward, left and up of a body in its rest pose.",
        value: |now, arguments| {
            let (body, given) = (body_of(arguments[0]), arguments[1].vector());
            Value::Vector((0..3).map(|axis| now.direction(body, axis) * given[axis]).sum())
        },
    },
    Quantity {
        name: "tilt",
        arguments: &[Type::Body],
        result: Type::Number,
        unit: "rad",
        range: Interval::new(0.0, PI),
        about: "Angle between the vertical and the body axis that is up in the rest pose.",
        value: |now, arguments| {
            let up = now.direction(body_of(arguments[0]), 2);
            Value::Number(atan2(up.xy().norm(), up.z))
        },
    },
    Quantity {
        name: "reachable",
        arguments: &[Type::Place, Type::Vector],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether a body's origin or a site can reach a point with the hinges and slides between it and \
                the root, within their ranges and with the root fixed: to 1 cm, for a body as tall as the adult.",
        value: |now, arguments| {
            let target = arguments[1].vector();
            Value::Boolean(now.snapshot.can_reach(now.model, arguments[0], &target))
        },
    },
    Quantity {
        name: "distance_between",
        arguments: &[Type::Body, Type::Body],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Minimum distance between the shapes of two bodies and their descendants, negative if they \
                overlap; ∞ without shapes.",
        value: |now, arguments| Value::Number(distance_between(now, arguments)),
    },
    Quantity {
        name: "heading",
        arguments: &[Type::Body],
        result: Type::Number,
        unit: "rad",
        range: Interval::new(-PI, PI),
        about: "Heading of the body axis that is forward in the rest pose, from world x, counter-clockwise.",
        value: |now, arguments| {
            let forward = now.direction(body_of(arguments[0]), 0);
            Value::Number(atan2(forward.y, forward.x))
        },
    },
    Quantity {
        name: "forward",
        arguments: &[Type::Body],
        result: Type::Vector,
        unit: "",
        range: Interval::ANY,
        about: "Unit horizontal direction of the body axis that is forward in the rest pose.",
        value: |now, arguments| {
            let forward = now.direction(body_of(arguments[0]), 0);
            let flat = Vector3::new(forward.x, forward.y, 0.0);
            Value::Vector(flat / flat.norm().max(1e-9))
        },
    },
];

const NOWHERE: Vector3<f64> = Vector3::new(f64::NAN, f64::NAN, f64::NAN);

/// Roll, pitch and yaw of the orientation of `place`, rad; NaN for a hold.
fn orientation(now: &Measure<'_>, place: Value) -> Vector3<f64> {
    let matrix = match place {
        Value::Body(_) | Value::Site(_) => {
            let body = super::body_at(now.model, place);
            Matrix3::from_columns(&[0, 1, 2].map(|axis| now.direction(body, axis)))
        }
        Value::Passive(object) => passive::sensed(now, object).rotation,
        Value::Character(character) => passive::character(now, character).rotation,
        Value::Surface(Some(surface)) => match now.snapshot.contacts.surfaces.get(surface) {
            Some(surface) => surface.rotation(),
            None => return NOWHERE,
        },
        _ => return NOWHERE,
    };
    let (roll, pitch, yaw) = Rotation3::from_matrix_unchecked(matrix).euler_angles();
    Vector3::new(roll, pitch, yaw)
}

/// Angular velocity of `place`, rad/s, world axes.
fn angular_velocity(now: &Measure<'_>, place: Value) -> Vector3<f64> {
    match place {
        Value::Body(_) | Value::Site(_) => {
            now.snapshot.kinematics.velocity[super::body_at(now.model, place).0].angular
        }
        Value::Passive(object) => passive::sensed(now, object).angular_velocity,
        Value::Character(character) => passive::character(now, character).angular_velocity,
        Value::Surface(Some(surface)) => {
            let surface = now.snapshot.contacts.surfaces.get(surface);
            surface.map_or(NOWHERE, |surface| surface.motion_here().0 / now.snapshot.scales.dt)
        }
        _ => NOWHERE,
    }
}

/// Distance between all their shapes, except shapes of bodies that are in both subtrees or share a joint.
fn distance_between(now: &Measure<'_>, arguments: &[Value]) -> f64 {
    let model = now.model;
    let [first, second] = [0, 1].map(|side| body_of(arguments[side]));
    let shapes = |side, other| {
        let geoms = model.geoms.iter().enumerate().filter(|(_, geom)| geom.collides);
        geoms.filter_map(move |(index, geom)| {
            let body = geom.body?;
            let below = |above| model.is_within(body, above);
            (below(side) && !(below(other) && model.is_within(other, side))).then_some((index, body))
        })
    };
    let mut least = f64::INFINITY;
    for (a, body) in shapes(first, second) {
        let apart = |other: &(usize, _)| !model.share_a_joint(body, other.1) && other.1 != body;
        for (b, _) in shapes(second, first).filter(apart) {
            if let Some(near) = nearest(model, &now.snapshot.kinematics, [a, b], least) {
                least = least.min(near.distance);
            }
        }
    }
    least
}
