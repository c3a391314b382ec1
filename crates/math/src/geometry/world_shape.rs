//! Solids in the world frame.

use super::{HeightField, SignedDistance, distance_to_ball, distance_to_box, share_of_segment};
use nalgebra::{UnitQuaternion, Vector3};
use std::sync::Arc;

/// A solid in the world frame.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldShape {
    /// All points x with `normal` · x ≤ `offset`; the normal is a unit vector.
    HalfSpace {
        /// Unit normal, world axes, pointing out of the solid.
        normal: Vector3<f64>,
        /// Distance of the plane from the world origin along the normal, m.
        offset: f64,
    },
    /// A ball.
    Sphere {
        /// Centre, m, world axes.
        center: Vector3<f64>,
        /// Radius, m.
        radius: f64,
    },
    /// A box of the given half edges.
    Cuboid {
        /// Centre, m, world axes.
        center: Vector3<f64>,
        /// Rotation from the box's own axes to world axes.
        orientation: UnitQuaternion<f64>,
        /// Half of the edge lengths along the box's own axes, m.
        half: Vector3<f64>,
    },
    /// All points within `radius` of the segment between two ends.
    Capsule {
        /// Ends of the axis, m, world axes.
        ends: [Vector3<f64>; 2],
        /// Radius, m.
        radius: f64,
    },
    /// Uneven ground.
    Field {
        /// Heights in the ground's own frame.
        field: Arc<HeightField>,
        /// Origin of that frame, m, world axes.
        position: Vector3<f64>,
        /// Rotation from the ground's own axes to world axes.
        orientation: UnitQuaternion<f64>,
    },
    /// The empty set, for a solid that no longer exists.
    Empty,
}

impl WorldShape {
    /// Centre of the solid; of a half-space, its boundary point nearest to the world's origin.
    pub fn centre(&self) -> Vector3<f64> {
        match self {
            WorldShape::HalfSpace { normal, offset } => *offset * normal,
            WorldShape::Sphere { center, .. } | WorldShape::Cuboid { center, .. } => *center,
            WorldShape::Capsule { ends: [first, second], .. } => 0.5 * (first + second),
            WorldShape::Field { position, .. } => *position,
            WorldShape::Empty => Vector3::zeros(),
        }
    }

    /// The same solid with its points mapped by `carry` and its axes rotated by `turn`.
    pub fn carried(
        &self,
        carry: impl Fn(&Vector3<f64>) -> Vector3<f64>,
        turn: &UnitQuaternion<f64>,
    ) -> WorldShape {
        match *self {
            WorldShape::HalfSpace { normal, offset } => {
                let (point, normal) = (carry(&(offset * normal)), turn * normal);
                WorldShape::HalfSpace { normal, offset: normal.dot(&point) }
            }
            WorldShape::Sphere { center, radius } => WorldShape::Sphere { center: carry(&center), radius },
            WorldShape::Cuboid { center, orientation, half } => {
                WorldShape::Cuboid { center: carry(&center), orientation: turn * orientation, half }
            }
            WorldShape::Capsule { ends: [first, second], radius } => {
                let (middle, half) = (carry(&(0.5 * (first + second))), turn * (0.5 * (second - first)));
                WorldShape::Capsule { ends: [middle - half, middle + half], radius }
            }
            WorldShape::Field { ref field, position, orientation } => WorldShape::Field {
                field: field.clone(),
                position: carry(&position),
                orientation: turn * orientation,
            },
            WorldShape::Empty => WorldShape::Empty,
        }
    }

    /// Signed distance of a point from the solid, m, with the outward normal.
    #[inline]
    pub fn distance(&self, point: &Vector3<f64>) -> SignedDistance {
        match self {
            WorldShape::HalfSpace { normal, offset } => {
                SignedDistance { distance: normal.dot(point) - offset, normal: *normal }
            }
            WorldShape::Sphere { center, radius } => distance_to_ball(&(point - center), *radius, Vector3::z),
            WorldShape::Capsule { ends: [first, second], radius } => {
                let along = second - first;
                let part = share_of_segment([first, second], point);
                let aside = if along.x.abs() < along.y.abs() { Vector3::x() } else { Vector3::y() };
                let across = || along.cross(&aside).try_normalize(0.0).unwrap_or_else(Vector3::z);
                distance_to_ball(&(point - first - part * along), *radius, across)
            }
            WorldShape::Cuboid { center, orientation, half } => {
                let inside = orientation.inverse_transform_vector(&(point - center));
                let surface = distance_to_box(&inside, half);
                SignedDistance { normal: orientation * surface.normal, ..surface }
            }
            WorldShape::Field { field, position, orientation } => {
                let inside = orientation.inverse_transform_vector(&(point - position));
                let out = field.distance(&inside, f64::INFINITY);
                out.map_or(SignedDistance { distance: f64::INFINITY, normal: Vector3::z() }, |out| {
                    SignedDistance { normal: orientation * out.normal, ..out }
                })
            }
            WorldShape::Empty => SignedDistance { distance: f64::INFINITY, normal: Vector3::z() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_moved_along_the_normal_by_its_distance_lies_on_the_surface() {
        let shapes = [
            WorldShape::HalfSpace { normal: Vector3::new(0.6, 0.0, 0.8), offset: 0.3 },
            WorldShape::Sphere { center: Vector3::new(0.1, 0.2, 0.3), radius: 0.5 },
            WorldShape::Capsule { ends: [Vector3::zeros(), Vector3::new(0.4, 0.0, 1.0)], radius: 0.2 },
            WorldShape::Cuboid {
                center: Vector3::new(0.0, 0.1, 0.0),
                orientation: UnitQuaternion::new(Vector3::new(0.3, -0.4, 0.5)),
                half: Vector3::new(0.3, 0.4, 0.6),
            },
        ];
        for shape in shapes {
            for k in 0..200 {
                let wave = |speed: f64| (speed * f64::from(k)).sin();
                let point = Vector3::new(wave(1.1), wave(1.7), wave(2.3));
                let SignedDistance { distance, normal } = shape.distance(&point);
                assert!((normal.norm() - 1.0).abs() < 1e-12);
                let on = shape.distance(&(point - distance * normal));
                assert!(on.distance.abs() < 1e-12, "{shape:?} {point} {on:?}");
                let further = shape.distance(&(point + 1e-3 * normal));
                assert!((further.distance - distance - 1e-3).abs() < 1e-12);
            }
        }
    }
}
