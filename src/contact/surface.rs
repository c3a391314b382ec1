//! What can be touched: the ground and fixed boxes.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceShape {
    /// All below the frame's xy plane is solid.
    HalfSpace,
    Box {
        half_lengths: Vector3<f64>,
    },
}

/// A solid thing fixed in the world.
#[derive(Clone, Debug)]
pub struct Surface {
    pub name: Arc<str>,
    pub shape: SurfaceShape,
    pub position: Vector3<f64>,
    pub orientation: UnitQuaternion<f64>,
    pub friction: f64,
    /// Weight of keeping contacts with it where they touched; the scene's where `None`.
    pub contact_weight: Option<f64>,
}

impl Surface {
    /// Signed distance of a world point from the surface (negative inside), m, and the outward unit normal
    /// there. Inside a box the nearest face decides, the first of equal ones.
    pub fn distance(&self, point: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let rotation: Matrix3<f64> = *self.orientation.to_rotation_matrix().matrix();
        let local = rotation.tr_mul(&(point - self.position));
        match self.shape {
            SurfaceShape::HalfSpace => (local.z, rotation.column(2).into()),
            SurfaceShape::Box { half_lengths } => {
                let beyond = local.abs() - half_lengths;
                if beyond.max() <= 0.0 {
                    let axis = (0..3).fold(0, |best, k| if beyond[k] > beyond[best] { k } else { best });
                    let mut normal = Vector3::zeros();
                    normal[axis] = if local[axis] < 0.0 { -1.0 } else { 1.0 };
                    (beyond[axis], rotation * normal)
                } else {
                    let outside = local - local.zip_map(&half_lengths, |x, h| x.clamp(-h, h));
                    let distance = outside.norm();
                    (distance, rotation * (outside / distance))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_to_a_box_is_to_its_nearest_face_edge_or_corner() {
        let surface = Surface {
            name: "step".into(),
            shape: SurfaceShape::Box { half_lengths: Vector3::new(1.0, 2.0, 0.5) },
            position: Vector3::new(0.0, 0.0, 0.5),
            orientation: UnitQuaternion::identity(),
            friction: 1.0,
            contact_weight: None,
        };
        let (gap, normal) = surface.distance(&Vector3::new(0.2, 0.1, 1.3));
        assert!((gap - 0.3).abs() < 1e-15 && normal == Vector3::z());
        let (gap, _) = surface.distance(&Vector3::new(1.3, 0.0, 1.4));
        assert!((gap - 0.5).abs() < 1e-15);
        let (gap, normal) = surface.distance(&Vector3::new(0.0, 0.0, 0.9));
        assert!((gap + 0.1).abs() < 1e-15 && normal == Vector3::z());
    }
}
