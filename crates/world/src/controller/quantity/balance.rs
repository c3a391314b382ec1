//! Balance: capture point, support polygon and margins.

use super::Quantity;
use aplomb_language::expression::{Interval, Type, Value};
use aplomb_math::geometry::Polygon;
use nalgebra::{Vector2, Vector3};

fn on_ground(point: Vector2<f64>, height: f64) -> Value {
    Value::Vector(Vector3::new(point.x, point.y, height))
}

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "capture_point",
        arguments: &[],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Point on the ground where the linear inverted pendulum must step to come to rest: c + ċ √(z/g), \
                with ċ relative to the supporting surface.",
        value: |now, _| on_ground(now.snapshot.known_capture_point(), now.snapshot.footing_height),
    },
    Quantity {
        name: "support_height",
        arguments: &[],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Mean world height of the supporting surfaces at the contacts; in flight, of the ground.",
        value: |now, _| Value::Number(now.snapshot.support_height),
    },
    Quantity {
        name: "footing_height",
        arguments: &[],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Mean world height of the surfaces under the loaded feet; if no foot is loaded, of the highest \
                surface under the COM.",
        value: |now, _| Value::Number(now.snapshot.footing_height),
    },
    Quantity {
        name: "support_velocity",
        arguments: &[],
        result: Type::Vector,
        unit: "m/s",
        range: Interval::ANY,
        about: "Mean velocity of the supporting surfaces at the contacts; zero in flight.",
        value: |now, _| Value::Vector(now.snapshot.support_velocity),
    },
    Quantity {
        name: "support_center",
        arguments: &[],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Centroid of the support polygon, on the ground; NaN in flight.",
        value: |now, _| {
            let centre = now.snapshot.support.centre().unwrap_or(Vector2::repeat(f64::NAN));
            on_ground(centre, now.snapshot.ground_height)
        },
    },
    Quantity {
        name: "support_center_of",
        arguments: &[Type::Body],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Centroid of the contact points of a body and its descendants; NaN without contact.",
        value: |now, arguments| {
            let is_on = |body| now.model.is_within(body, super::body_of(arguments[0]));
            let centre = now.snapshot.support_of(is_on, Polygon::centre);
            on_ground(centre.unwrap_or(Vector2::repeat(f64::NAN)), now.snapshot.ground_height)
        },
    },
    Quantity {
        name: "support_margin",
        arguments: &[Type::Vector],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Distance of a ground point from the edge of the support polygon, positive inside; −∞ in flight.",
        value: |now, arguments| Value::Number(now.snapshot.support.margin(&arguments[0].vector().xy())),
    },
    Quantity {
        name: "support_margin_of",
        arguments: &[Type::Body, Type::Vector],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "`support_margin` for the contact points of a body and its descendants.",
        value: |now, arguments| {
            let is_on = |body| now.model.is_within(body, super::body_of(arguments[0]));
            let point = arguments[1].vector().xy();
            Value::Number(now.snapshot.support_of(is_on, |polygon| polygon.margin(&point)))
        },
    },
    Quantity {
        name: "support_area",
        arguments: &[],
        result: Type::Number,
        unit: "m²",
        range: Interval::NEVER_NEGATIVE,
        about: "Area of the support polygon.",
        value: |now, _| Value::Number(now.snapshot.support.area()),
    },
];
