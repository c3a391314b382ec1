//! Contact manifolds of two convex shapes, computed by the geometry library.

use super::Shape;
use super::library::solid;
use super::library::{back, pose};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::SharedShape;

/// A shape prepared for contact manifolds.
#[derive(Clone, Debug)]
pub struct Convex {
    shape: Shape,
    /// The library's shape; `None` for a plane.
    solid: Option<SharedShape>,
}

/// A prepared shape with its pose in the world.
#[derive(Clone, Copy, Debug)]
pub struct PlacedConvex<'a> {
    /// The shape in its own frame.
    pub convex: &'a Convex,
    /// Origin of that frame, world, m.
    pub position: &'a Vector3<f64>,
    /// Rotation from the shape's own axes to the world's.
    pub rotation: &'a Matrix3<f64>,
}

impl Convex {
    /// Prepares a shape; a plane has no manifolds.
    pub fn new(shape: &Shape) -> Self {
        Convex { shape: shape.clone(), solid: solid(shape) }
    }
}

/// Contact manifold of a pair of shapes, in reused memory. No state carries over from one pair to the next.
#[doc(alias = "contact manifold")]
#[derive(Clone, Debug, Default)]
pub struct Manifold {
    manifold: ContactManifold<(), ()>,
}

impl Manifold {
    /// Calls `found` with feature, point, normal (from `b` into `a`) and gap of each point of the contact, up
    /// to a gap of `margin`.
    pub fn touch(
        &mut self,
        a: PlacedConvex<'_>,
        b: PlacedConvex<'_>,
        margin: f64,
        mut found: impl FnMut(u32, Vector3<f64>, Vector3<f64>, f64),
    ) {
        if let (Shape::Sphere { radius: of_a }, Shape::Sphere { radius: of_b }) =
            (&a.convex.shape, &b.convex.shape)
        {
            let apart = a.position - b.position;
            let gap = apart.norm() - of_a - of_b;
            if gap <= margin {
                let normal = apart.try_normalize(1e-12).unwrap_or_else(Vector3::z);
                found(0, b.position + normal * (of_b + 0.5 * gap), normal, gap);
            }
            return;
        }
        let (Some(of_a), Some(of_b)) = (&a.convex.solid, &b.convex.solid) else { return };
        let (pose_a, pose_b) = (a.pose(), b.pose());
        let between = pose_a.inverse() * pose_b;
        self.manifold.clear();
        (self.manifold.local_n1, self.manifold.local_n2) = (Vector::ZERO, Vector::ZERO);
        let answer = DefaultQueryDispatcher.contact_manifold_convex_convex(
            &between,
            &**of_a,
            &**of_b,
            None,
            None,
            margin,
            &mut self.manifold,
        );
        if answer.is_err() {
            return;
        }
        let normal = -back(pose_a.rotation * self.manifold.local_n1);
        for point in self.manifold.points.iter().filter(|point| point.dist <= margin) {
            let on_a = back(pose_a * point.local_p1);
            let feature = point.fid1.0 ^ point.fid2.0.rotate_left(16);
            found(feature, on_a - normal * (0.5 * point.dist), normal, point.dist);
        }
    }
}

impl PlacedConvex<'_> {
    fn pose(&self) -> Pose {
        // The library's cylinder has its axis along y.
        let upright = Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
        let rotation = match self.convex.shape {
            Shape::Cylinder { .. } => self.rotation * upright,
            _ => *self.rotation,
        };
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation));
        pose(self.position, &turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touches(shapes: [Shape; 2], height: f64, margin: f64) -> Vec<(Vector3<f64>, Vector3<f64>, f64)> {
        let [upper, lower] = shapes.map(|shape| Convex::new(&shape));
        let (rotation, above, origin) =
            (Matrix3::identity(), Vector3::new(0.0, 0.0, height), Vector3::zeros());
        let a = PlacedConvex { convex: &upper, position: &above, rotation: &rotation };
        let b = PlacedConvex { convex: &lower, position: &origin, rotation: &rotation };
        let mut found = Vec::new();
        Manifold::default().touch(a, b, margin, |_, point, normal, gap| found.push((point, normal, gap)));
        found
    }

    const BOX: Shape = Shape::Box { half_lengths: Vector3::new(0.1, 0.2, 0.3) };

    #[test]
    fn a_box_on_a_larger_one_touches_with_four_corners_midway_between_the_faces() {
        let small = Shape::Box { half_lengths: Vector3::new(0.05, 0.1, 0.3) };
        let found = touches([small, BOX], 0.59, 0.01);
        assert_eq!(found.len(), 4);
        for (point, normal, gap) in found {
            assert!((gap + 0.01).abs() < 1e-9 && (normal - Vector3::z()).norm() < 1e-9);
            assert!((point.abs() - Vector3::new(0.05, 0.1, 0.295)).norm() < 1e-9);
        }
    }

    #[test]
    fn balls_touch_at_one_point_and_not_beyond_the_margin() {
        let ball = Shape::Sphere { radius: 0.1 };
        let found = touches([ball.clone(), ball.clone()], 0.25, 0.06);
        assert_eq!(found.len(), 1);
        let (point, normal, gap) = found[0];
        assert!((gap - 0.05).abs() < 1e-15 && normal == Vector3::z() && (point.z - 0.125).abs() < 1e-15);
        assert!(touches([ball.clone(), ball], 0.25, 0.04).is_empty());
    }

    #[test]
    fn a_cylinder_stands_along_z() {
        let cylinder = Shape::Cylinder { radius: 0.1, half_length: 0.3 };
        assert!(!touches([cylinder.clone(), BOX], 0.59, 0.0).is_empty());
        assert!(touches([cylinder, BOX], 0.61, 0.0).is_empty());
    }
}
