//! Conversion of shapes, vectors and poses to the geometry library, parry, and back.

use super::{Shape, Swept, ellipsoid_as_capsule};
use nalgebra::{UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::shape::SharedShape;

/// The library's cylinder is along y: this rotation takes it to z.
pub(super) fn cylinder_turn() -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2)
}

/// The shape in the library's form; `None` for a plane and a height field. A cylinder must still be rotated by
/// [`cylinder_turn`].
pub(super) fn solid(shape: &Shape) -> Option<SharedShape> {
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

pub(super) fn vector(v: &Vector3<f64>) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub(super) fn back(v: Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

/// The conversion uses the four numbers: angles would need sines of the platform, which differ between machines.
pub(super) fn pose(position: &Vector3<f64>, orientation: &UnitQuaternion<f64>) -> Pose {
    let turn = orientation.quaternion();
    Pose::from_parts(vector(position), Rotation::from_xyzw(turn.i, turn.j, turn.k, turn.w))
}
