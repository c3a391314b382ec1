//! Contact candidates of a body: box corners, capsule ends, spheres, cylinder rims.

use crate::model::{BodyId, Geom, Model, Shape};
use aplomb_math::geometry::{Along, box_corner};
use nalgebra::{Matrix3, Vector3};
use std::sync::Arc;

/// Geometry of a candidate on its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Feature {
    /// A ball of `radius` about a point fixed in the body (radius 0: a corner).
    Ball {
        /// Centre in body axes, m.
        centre: Vector3<f64>,
        /// Radius, m.
        radius: f64,
    },
    /// A circle fixed in the body, whose point nearest to the surface is the contact point.
    Rim {
        /// Centre of the circle in body axes, m.
        centre: Vector3<f64>,
        /// Unit normal of the circle in body axes.
        axis: Vector3<f64>,
        /// Radius of the circle, m.
        radius: f64,
    },
    /// An ellipsoid fixed in the body, whose point nearest to the surface is the contact point.
    Ellipsoid {
        /// Centre in body axes, m.
        centre: Vector3<f64>,
        /// Rotation from its own axes to the body's.
        rotation: Matrix3<f64>,
        /// Half of its lengths along its own axes, m.
        radii: Vector3<f64>,
    },
    /// A whole shape, by its point nearest to a box or to ridges of the ground: for edges that touch between
    /// corners and ends.
    Shape {
        /// Index into the model's geoms.
        geom: usize,
        /// The point of the section of an edge that touches. A box rests on an edge with both ends of that section.
        along: Along,
    },
}

/// A point or curve of a body that can touch a surface.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Name for labels and traces.
    pub name: Arc<str>,
    /// Body the candidate is fixed to.
    pub body: BodyId,
    /// Geometry on the body.
    pub feature: Feature,
}

/// The point of a rim nearest to a surface below it, given the body's pose and the outward normal; world, m.
pub(super) fn lowest_of_rim(
    centre: &Vector3<f64>,
    axis: &Vector3<f64>,
    radius: f64,
    position: &Vector3<f64>,
    rotation: &Matrix3<f64>,
    normal: &Vector3<f64>,
) -> Vector3<f64> {
    let down = rotation.tr_mul(&-normal);
    let across = down - axis * axis.dot(&down);
    let length = across.norm();
    // Any point of a rim parallel to the surface is nearest; a point fixed in the body does not depend on
    // rounding.
    let out = if length > 1e-9 { across / length } else { any_perpendicular(axis) };
    position + rotation * (centre + out * radius)
}

fn any_perpendicular(axis: &Vector3<f64>) -> Vector3<f64> {
    let other = if axis.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    axis.cross(&other).normalize()
}

/// All candidates of a model, points first and whole shapes after, each in geom order: a falling character
/// can land on any of its bodies.
pub fn candidates(model: &Model) -> Vec<Candidate> {
    let mut list = Vec::new();
    for geom in model.geoms.iter().filter(|geom| geom.collides) {
        let Some(body) = geom.body else { continue };
        let name = &model.bodies[body.0].name;
        add_points(geom, |part, feature| {
            let name = format!("{name}.{part}").into();
            list.push(Candidate { name, body, feature });
        });
    }
    for (index, geom) in model.geoms.iter().enumerate().filter(|(_, geom)| geom.collides) {
        let Some(body) = geom.body else { continue };
        let mut add = |what: &str, along| {
            let name = format!("{}.{}.{what}", model.bodies[body.0].name, geom.name).into();
            list.push(Candidate { name, body, feature: Feature::Shape { geom: index, along } });
        };
        if let Shape::Box { .. } = geom.shape {
            add("edge", Along::First);
            add("other_edge", Along::Last);
            // On ground with ridges, each quarter of a sole may touch a different ridge.
            add("third_edge", Along::Quarter(2));
            add("fourth_edge", Along::Quarter(3));
        } else {
            add("edge", Along::Middle);
        }
    }
    list
}

/// Passes the points of a shape to `add`, each with its name.
fn add_points(geom: &Geom, mut add: impl FnMut(String, Feature)) {
    let rotation = geom.orientation.to_rotation_matrix();
    let place = |local: Vector3<f64>| geom.position + rotation * local;
    match geom.shape {
        Shape::Plane | Shape::Field(_) => {}
        Shape::Ellipsoid { radii } => {
            let (centre, rotation) = (geom.position, *rotation.matrix());
            add(geom.name.clone(), Feature::Ellipsoid { centre, rotation, radii });
        }
        Shape::Sphere { radius } => add(geom.name.clone(), Feature::Ball { centre: geom.position, radius }),
        Shape::Capsule { radius, half_length } => {
            for (end, sign) in [("top", 1.0), ("bottom", -1.0)] {
                let centre = place(Vector3::z() * (sign * half_length));
                add(format!("{}.{end}", geom.name), Feature::Ball { centre, radius });
            }
        }
        Shape::Cylinder { radius, half_length } => {
            for (end, sign) in [("top", 1.0), ("bottom", -1.0)] {
                let centre = place(Vector3::z() * (sign * half_length));
                let axis = rotation * Vector3::z();
                add(format!("{}.{end}", geom.name), Feature::Rim { centre, axis, radius });
            }
        }
        Shape::Hull(ref hull) => {
            for (corner, local) in hull.corners().iter().enumerate() {
                let feature = Feature::Ball { centre: place(*local), radius: 0.0 };
                add(format!("{}.{corner}", geom.name), feature);
            }
        }
        Shape::Box { half_lengths } => {
            for corner in 0..8 {
                let centre = place(box_corner(&half_lengths, corner));
                let feature = Feature::Ball { centre, radius: 0.0 };
                add(format!("{}.{corner}", geom.name), feature);
            }
        }
    }
}
