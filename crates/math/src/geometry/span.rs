//! Extent of a shape along the axes of a box.

use super::{Shape, Swept, ellipsoid_as_capsule};
use nalgebra::{Matrix3, Vector3};

/// Extent of a shape without its rounding along the axes of a box, relative to the box's centre.
pub struct ShapeExtent {
    centre: Vector3<f64>,
    /// Half-lengths of the extent, m.
    half_lengths: Vector3<f64>,
    /// Radius by which the shape extends beyond that on all sides, m.
    rounding: f64,
}

impl ShapeExtent {
    /// Extent of a shape with its origin at `centre` (m) and its axes rotated by `turn`, both in the axes of
    /// the box. `None` for a plane, and for a ball, whose core is a point.
    pub fn new(shape: &Shape, centre: Vector3<f64>, turn: &Matrix3<f64>) -> Option<Self> {
        let axis = turn.column(2);
        let (half_lengths, rounding) = match *shape {
            Shape::Plane | Shape::Field(_) | Shape::Sphere { .. } => return None,
            Shape::Capsule { radius, half_length } => (axis.abs() * half_length, radius),
            Shape::Cylinder { radius, half_length } => {
                let rim = axis.map(|along| radius * (1.0 - along * along).max(0.0).sqrt());
                (axis.abs() * half_length + rim, 0.0)
            }
            Shape::Box { half_lengths } => (turn.abs() * half_lengths, 0.0),
            Shape::Ellipsoid { radii } => {
                let Swept { half, radius } = ellipsoid_as_capsule(&radii);
                ((turn * half).abs(), radius)
            }
            Shape::Hull(ref hull) => (turn.abs() * hull.half_lengths(), 0.0),
        };
        Some(ShapeExtent { centre, half_lengths, rounding })
    }

    /// Whether the shape is farther than `reach` from a box of these half lengths along one of its axes.
    pub fn is_beyond(&self, solid: &Vector3<f64>, reach: f64) -> bool {
        let gap = self.centre.abs() - self.half_lengths - solid;
        gap.max() - self.rounding > reach
    }

    /// Whether the nearest face of the box is the same for the whole core of the shape. For the core that face is
    /// then a plane, and the point nearest to a plane is a corner, an end or on a rim.
    pub fn is_over_one_face(&self, solid: &Vector3<f64>) -> bool {
        let beyond = self.centre.abs() - solid;
        let (face, _) = beyond.argmax();
        // Where the core reaches below the face by `depth`, the face must still be nearer than the side faces.
        let depth = (self.half_lengths[face] - beyond[face]).max(0.0);
        depth <= solid[face]
            && (0..3).all(|axis| axis == face || beyond[axis] + self.half_lengths[axis] <= -depth)
    }
}
