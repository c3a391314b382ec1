//! Contacts of solids with a half-space: corners, ends and rims, which are exact.

use super::CollisionSolid;
use aplomb_math::geometry::{Shape, box_corner, farthest_of_ellipsoid};
use nalgebra::Vector3;

/// Calls `found` with feature, point and gap of every feature of `solid` up to `margin` above the plane
/// through `point` with the outward normal `normal`.
pub(super) fn touch(
    solid: &CollisionSolid,
    point: &Vector3<f64>,
    normal: &Vector3<f64>,
    margin: f64,
    mut found: impl FnMut(u32, Vector3<f64>, f64),
) {
    features(solid, normal, |feature, centre, radius| {
        let gap = normal.dot(&(centre - point)) - radius;
        if gap <= margin {
            found(feature, centre - normal * (radius + 0.5 * gap), gap);
        }
    });
}

/// Calls `ball` with feature, centre and radius (m) of every ball by which a solid touches a surface with the
/// unit normal `normal`.
pub(super) fn features(
    solid: &CollisionSolid,
    normal: &Vector3<f64>,
    mut ball: impl FnMut(u32, Vector3<f64>, f64),
) {
    let (centre, axis) = (solid.position, solid.rotation.column(2).into_owned());
    match solid.shape {
        Shape::Plane | Shape::Field(_) => {}
        Shape::Ellipsoid { radii } => {
            let down = solid.rotation.tr_mul(&-normal);
            ball(0, centre + solid.rotation * farthest_of_ellipsoid(&radii, &down), 0.0);
        }
        Shape::Sphere { radius } => ball(0, centre, radius),
        Shape::Capsule { radius, half_length } => {
            ball(0, centre + axis * half_length, radius);
            ball(1, centre - axis * half_length, radius);
        }
        Shape::Box { half_lengths } => {
            for corner in 0..8u32 {
                let local = box_corner(&half_lengths, corner as usize);
                ball(corner, centre + solid.rotation * local, 0.0);
            }
        }
        Shape::Hull(ref hull) => {
            for (corner, local) in hull.corners().iter().enumerate() {
                ball(corner as u32, centre + solid.rotation * local, 0.0);
            }
        }
        Shape::Cylinder { radius, half_length } => {
            // The lowest point of each rim, and two more a third of a turn away for support. A rim parallel
            // to the plane has no lowest point; the point is then fixed in the body, independent of rounding.
            let down = axis * axis.dot(normal) - normal;
            let lowest = down.try_normalize(1e-6).unwrap_or_else(|| solid.rotation.column(0).into_owned());
            let across = axis.cross(&lowest) * 0.75f64.sqrt();
            let spokes = [lowest, lowest * -0.5 + across, lowest * -0.5 - across];
            for (end, sign) in [(0, 1.0), (1, -1.0)] {
                for (k, spoke) in spokes.iter().enumerate() {
                    ball(3 * end + k as u32, centre + axis * (sign * half_length) + spoke * radius, 0.0);
                }
            }
        }
    }
}
