//! The ground and obstacles: positions and distances.

use super::{Measure, Quantity, body_of};
use aplomb_body::contact::Surface;
use aplomb_language::expression::{Interval, Type, Value};
use nalgebra::Vector3;

pub(super) const LIST: &[Quantity] = &[
    Quantity {
        name: "nearest_point",
        arguments: &[Type::Spot, Type::Surface],
        result: Type::Vector,
        unit: "m",
        range: Interval::ANY,
        about: "Point of a surface nearest to a body's origin, a site, a hold or a passive object.",
        value: |now, arguments| {
            let point = now.place(arguments[0]).0;
            let nearest =
                distance(now, &point, arguments[1]).map(|(distance, normal)| point - normal * distance);
            Value::Vector(nearest.unwrap_or(NOWHERE))
        },
    },
    Quantity {
        name: "nearest_normal",
        arguments: &[Type::Spot, Type::Surface],
        result: Type::Vector,
        unit: "",
        range: Interval::ANY,
        about: "Outward unit normal of a surface at the point nearest to a body's origin, a site, a hold or a \
                passive object.",
        value: |now, arguments| {
            let point = now.place(arguments[0]).0;
            Value::Vector(distance(now, &point, arguments[1]).map_or(NOWHERE, |(_, normal)| normal))
        },
    },
    Quantity {
        name: "surface_distance",
        arguments: &[Type::Spot, Type::Surface],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "Distance of a body's origin, a site, a hold or a passive object from a surface, negative inside; \
                ∞ while the surface is absent.",
        value: |now, arguments| {
            let point = now.place(arguments[0]).0;
            Value::Number(distance(now, &point, arguments[1]).map_or(f64::INFINITY, |(distance, _)| distance))
        },
    },
    Quantity {
        name: "touches_surface",
        arguments: &[Type::Body, Type::Surface],
        result: Type::Boolean,
        unit: "",
        range: Interval::ANY,
        about: "Whether a body or one of its descendants has a contact with a surface that can transmit force.",
        value: |now, arguments| {
            let (body, contacts) = (body_of(arguments[0]), &now.snapshot.contacts);
            let touched = |slot: usize| arguments[1] == Value::Surface(Some(contacts.surface_of(slot)));
            let mut touches = contacts.touches.iter();
            Value::Boolean(
                touches.any(|touch| {
                    touch.bears() && now.model.is_within(touch.body, body) && touched(touch.slot)
                }),
            )
        },
    },
    Quantity {
        name: "surface_height",
        arguments: &[Type::Vector],
        result: Type::Number,
        unit: "m",
        range: Interval::ANY,
        about: "World height of the highest surface above or below a point.",
        value: |now, arguments| {
            Value::Number(under(now, &arguments[0].vector()).map_or(f64::NAN, |(height, _)| height))
        },
    },
    Quantity {
        name: "surface_normal",
        arguments: &[Type::Vector],
        result: Type::Vector,
        unit: "",
        range: Interval::ANY,
        about: "Unit normal of that surface.",
        value: |now, arguments| {
            Value::Vector(under(now, &arguments[0].vector()).map_or(NOWHERE, |(_, normal)| normal))
        },
    },
];

const NOWHERE: Vector3<f64> = Vector3::new(f64::NAN, f64::NAN, f64::NAN);

fn surface<'a>(now: &'a Measure<'_>, value: Value) -> Option<&'a Surface> {
    let Value::Surface(Some(number)) = value else { return None };
    now.snapshot.contacts.surfaces.get(number)
}

/// Signed distance of a point from a surface that is present, m, and the outward normal.
fn distance(now: &Measure<'_>, point: &Vector3<f64>, of: Value) -> Option<(f64, Vector3<f64>)> {
    surface(now, of).filter(|surface| surface.present).map(|surface| surface.distance(point))
}

/// World position of a surface's frame, and its velocity since the previous frame, m and m/s.
pub(super) fn place(now: &Measure<'_>, number: usize) -> (Vector3<f64>, Vector3<f64>) {
    match now.snapshot.contacts.surfaces.get(number) {
        Some(surface) => (surface.position, surface.way_here(&surface.position) / now.snapshot.scales.dt),
        None => (NOWHERE, NOWHERE),
    }
}

/// The highest point of all surfaces on the vertical through a point, m, and the normal there.
fn under(now: &Measure<'_>, point: &Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
    let present = now.snapshot.contacts.surfaces.iter().filter(|surface| surface.present);
    let tops = present.filter_map(|surface| surface.top(point));
    tops.max_by(|a, b| a.0.total_cmp(&b.0))
}
