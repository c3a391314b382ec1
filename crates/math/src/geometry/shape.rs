//! Shapes in their own frames.

use super::{HeightField, Hull};
use crate::elementary::hypot;
use nalgebra::{Isometry3, Vector3};
use std::sync::Arc;

/// A shape in its own frame. Sizes are MuJoCo's: half-lengths for boxes, radius and half-length along z for
/// capsules and cylinders.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Half-space below the frame's xy plane.
    Plane,
    /// A ball about the origin.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder along z with half a ball at either end.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Half of the length along z without the caps, m.
        half_length: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Half of the length along z, m.
        half_length: f64,
    },
    /// A box about the origin.
    Box {
        /// Half of the edge lengths along x, y and z, m.
        half_lengths: Vector3<f64>,
    },
    /// An ellipsoid about the origin.
    Ellipsoid {
        /// Half of its lengths along x, y and z, m.
        radii: Vector3<f64>,
    },
    /// The convex hull of a mesh.
    Hull(Arc<Hull>),
    /// A height field; only fixed ground uses it.
    #[doc(alias = "heightmap")]
    Field(Arc<HeightField>),
}

impl Shape {
    /// Height (world z) of the lowest point of the shape at `pose`; of a plane, that of its frame.
    pub fn lowest_point(&self, pose: &Isometry3<f64>) -> f64 {
        let up = pose.rotation.inverse() * Vector3::z();
        let below = match *self {
            Shape::Plane | Shape::Field(_) => 0.0,
            Shape::Sphere { radius } => radius,
            Shape::Capsule { radius, half_length } => radius + half_length * up.z.abs(),
            Shape::Cylinder { radius, half_length } => radius * hypot(up.x, up.y) + half_length * up.z.abs(),
            Shape::Box { half_lengths } => half_lengths.dot(&up.abs()),
            Shape::Ellipsoid { radii } => radii.component_mul(&up).norm(),
            Shape::Hull(ref hull) => -hull.farthest(&-up).dot(&up),
        };
        pose.translation.z - below
    }

    /// Half of its smallest extent along its axes, m; infinite for a plane and a height field.
    pub fn half_thickness(&self) -> f64 {
        match *self {
            Shape::Plane | Shape::Field(_) => f64::INFINITY,
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius,
            Shape::Cylinder { radius, half_length } => radius.min(half_length),
            Shape::Box { half_lengths } => half_lengths.min(),
            Shape::Ellipsoid { radii } => radii.min(),
            Shape::Hull(ref hull) => {
                let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
                let extent = |axis: Vector3<f64>| (hull.farthest(&axis) - hull.farthest(&-axis)).dot(&axis);
                0.5 * axes.into_iter().map(extent).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Radius of the sphere around the origin that contains the shape, m; infinite for a plane and a height field.
    pub fn bounding_radius(&self) -> f64 {
        match *self {
            Shape::Plane | Shape::Field(_) => f64::INFINITY,
            Shape::Sphere { radius } => radius,
            Shape::Capsule { radius, half_length } => radius + half_length,
            Shape::Cylinder { radius, half_length } => hypot(radius, half_length),
            Shape::Box { half_lengths } => half_lengths.norm(),
            Shape::Ellipsoid { radii } => radii.max(),
            Shape::Hull(ref hull) => hull.corners().iter().map(|corner| corner.norm()).fold(0.0, f64::max),
        }
    }
}

/// A ball swept along an axis, in the frame of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swept {
    /// Vector from the middle to one end of the sweep, m.
    pub half: Vector3<f64>,
    /// Radius of the ball, m.
    pub radius: f64,
}

/// The capsule that approximates an ellipsoid in collisions with other shapes: of the same length, with the
/// mean of its smaller radii. Collisions of ellipsoids with planes are exact.
pub fn ellipsoid_as_capsule(radii: &Vector3<f64>) -> Swept {
    let long = radii.imax();
    let radius = (radii.sum() - radii[long]) / 2.0;
    let mut half = Vector3::zeros();
    half[long] = (radii[long] - radius).max(0.0);
    Swept { half, radius: radius.min(radii[long]) }
}

/// The point of an ellipsoid that is farthest along a unit vector, both in its own frame, m.
#[doc(alias = "support function")]
pub fn farthest_of_ellipsoid(radii: &Vector3<f64>, along: &Vector3<f64>) -> Vector3<f64> {
    let scaled = radii.component_mul(along);
    radii.component_mul(&scaled) / scaled.norm()
}

/// A corner of a box about the origin, m, by its number from 0 to 7: if bit k is set, it is on the negative
/// side along axis k.
pub fn box_corner(half_lengths: &Vector3<f64>, number: usize) -> Vector3<f64> {
    let side = |axis: usize| if number >> axis & 1 == 0 { 1.0 } else { -1.0 };
    half_lengths.component_mul(&Vector3::new(side(0), side(1), side(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_corners_of_a_box_are_on_its_bounding_sphere() {
        let half_lengths = Vector3::new(0.1, 0.2, 0.3);
        let radius = Shape::Box { half_lengths }.bounding_radius();
        let mut sum = Vector3::zeros();
        for number in 0..8 {
            let corner = box_corner(&half_lengths, number);
            assert!((corner.norm() - radius).abs() < 1e-15);
            assert_eq!(corner, -box_corner(&half_lengths, 7 - number));
            sum += corner;
        }
        assert!(sum.norm() < 1e-15);
        assert_eq!(box_corner(&half_lengths, 0), half_lengths);
        assert_eq!(box_corner(&half_lengths, 1).x, -0.1);
    }
}
