//! Conversion of shapes to the geometry library, parry.

use super::convert::vector;
use super::{Shape, Swept, ellipsoid_as_capsule};
use nalgebra::{UnitQuaternion, Vector3};
use parry3d_f64::shape::SharedShape;

/// The library's cylinder is along y: this rotation takes it to z.
pub fn cylinder_turn() -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2)
}

/// The shape in the library's form; `None` for a plane. A cylinder must still be rotated by
/// [`cylinder_turn`].
pub fn solid(shape: &Shape) -> Option<SharedShape> {
    match *shape {
        Shape::Plane | Shape::Field(_) => None,
        Shape::Sphere { radius } => Some(SharedShape::ball(radius)),
        Shape::Capsule { radius, half_length } => Some(SharedShape::capsule_z(half_length, radius)),
        Shape::Cylinder { radius, half_length } => Some(SharedShape::cylinder(half_length, radius)),
        Shape::Box { half_lengths } => {
            Some(SharedShape::cuboid(half_lengths.x, half_lengths.y, half_lengths.z))
        }
        Shape::Ellipsoid { radii } => {
            let Swept { half, radius } = ellipsoid_as_capsule(&radii);
            Some(SharedShape::capsule(vector(&-half), vector(&half), radius))
        }
        Shape::Hull(ref hull) => Some(hull.solid.clone()),
    }
}
