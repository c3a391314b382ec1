//! Primitive shapes.

use super::colour::Colour;
use crate::session::PushTarget;
use aplomb::model::Shape;
use glam::{Quat, Vec3};
use nalgebra::Vector3;

/// A primitive of unit size. Vertices with `end` ≠ 0 (−1 or 1) are shifted along z by a solid's half-length,
/// so that a ball and a capsule of any length share one mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// A ball, or a capsule along z.
    Round,
    /// A cylinder along z.
    Cylinder,
    /// A box.
    Box,
    /// A cone from its base at the origin to its tip on z.
    Cone,
    /// A thin cylinder along z with few corners, without its ends: threads of ropes and cloth.
    Rod,
}

impl Primitive {
    /// All primitives.
    pub const ALL: [Primitive; 5] =
        [Primitive::Round, Primitive::Cylinder, Primitive::Box, Primitive::Cone, Primitive::Rod];
}

/// A primitive with a pose, a size and a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// The primitive.
    pub primitive: Primitive,
    /// Position of its origin, m.
    pub position: Vec3,
    /// Rotation from its axes to world axes.
    pub rotation: Quat,
    /// Scale along its axes.
    pub size: Vec3,
    /// Half-length added between its ends, m.
    pub half_length: f32,
    /// Its colour.
    pub colour: Colour,
    /// Target of picking and dragging.
    pub target: Option<PushTarget>,
}

impl Solid {
    /// The solid of a model's shape; planes are drawn as ground instead.
    pub fn of(shape: &Shape, position: &Vector3<f64>, rotation: Quat, colour: Colour) -> Self {
        let (primitive, size, half_length) = match *shape {
            Shape::Plane | Shape::Field(_) => (Primitive::Box, Vec3::ZERO, 0.0),
            Shape::Sphere { radius } => (Primitive::Round, Vec3::splat(radius as f32), 0.0),
            Shape::Capsule { radius, half_length } => {
                (Primitive::Round, Vec3::splat(radius as f32), half_length as f32)
            }
            Shape::Cylinder { radius, half_length } => {
                (Primitive::Cylinder, Vec3::new(radius as f32, radius as f32, 1.0), half_length as f32)
            }
            Shape::Box { half_lengths } => (Primitive::Box, vec(&half_lengths), 0.0),
            Shape::Ellipsoid { radii } => (Primitive::Round, vec(&radii), 0.0),
            // A mesh is drawn as the bounding box of its hull.
            Shape::Hull(ref hull) => (Primitive::Box, vec(&hull.half_lengths()), 0.0),
        };
        Solid { primitive, position: vec(position), rotation, size, half_length, colour, target: None }
    }

    /// A ball.
    pub fn ball(centre: &Vector3<f64>, radius: f64, colour: Colour) -> Self {
        Solid::of(&Shape::Sphere { radius }, centre, Quat::IDENTITY, colour)
    }

    /// A capsule between two points.
    pub fn between(from: &Vector3<f64>, to: &Vector3<f64>, radius: f64, colour: Colour) -> Self {
        let half_length = 0.5 * (to - from).norm();
        Solid::of(&Shape::Capsule { radius, half_length }, &(0.5 * (from + to)), along(&(to - from)), colour)
    }

    /// A thread between two points.
    pub fn rod(from: &Vector3<f64>, to: &Vector3<f64>, radius: f64, colour: Colour) -> Self {
        Solid {
            primitive: Primitive::Rod,
            size: Vec3::new(radius as f32, radius as f32, 1.0),
            ..Solid::between(from, to, radius, colour)
        }
    }

    /// A flat disc with this normal.
    pub fn disc(centre: &Vector3<f64>, normal: &Vector3<f64>, radius: f64, colour: Colour) -> Self {
        let shape = Shape::Cylinder { radius, half_length: 0.004 };
        Solid::of(&shape, centre, along(normal), colour)
    }

    /// A cone with its tip at `tip` that opens along `axis`, of unit length.
    pub fn cone(tip: &Vector3<f64>, axis: &Vector3<f64>, height: f64, radius: f64, colour: Colour) -> Self {
        Solid {
            primitive: Primitive::Cone,
            position: vec(&(tip + height * axis)),
            rotation: along(&-axis),
            size: Vec3::new(radius as f32, radius as f32, height as f32),
            half_length: 0.0,
            colour,
            target: None,
        }
    }

    /// An arrow as shaft and head.
    pub fn arrow(from: &Vector3<f64>, way: &Vector3<f64>, radius: f64, colour: Colour) -> [Self; 2] {
        let length = way.norm();
        let direction = if length > 1e-9 { way / length } else { Vector3::z() };
        let head = (5.0 * radius).min(0.5 * length);
        let neck = from + (length - head) * direction;
        [
            Solid::rod(from, &neck, radius, colour),
            Solid::cone(&(from + way), &-direction, head, 2.4 * radius, colour),
        ]
    }
}

/// The rotation that takes z to a direction; the identity for zero.
fn along(direction: &Vector3<f64>) -> Quat {
    match vec(direction).try_normalize() {
        Some(direction) => Quat::from_rotation_arc(Vec3::Z, direction),
        None => Quat::IDENTITY,
    }
}

/// Converts to single precision, for the graphics card.
pub fn vec(vector: &Vector3<f64>) -> Vec3 {
    Vec3::new(vector.x as f32, vector.y as f32, vector.z as f32)
}
