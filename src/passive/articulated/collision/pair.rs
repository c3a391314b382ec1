//! Two solids of finite size.

use super::Solid;
use crate::model::Shape;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};

/// The geometry library with its memory. Nothing is carried over from one pair to the next.
#[derive(Clone, Debug, Default)]
pub struct Narrow {
    manifold: ContactManifold<(), ()>,
}

impl Narrow {
    /// Calls `found` with feature, point, normal (from `b` into `a`) and gap of each point of the contact, up to a
    /// gap of `margin`.
    pub fn touch(
        &mut self,
        a: &Solid,
        b: &Solid,
        margin: f64,
        mut found: impl FnMut(u32, Vector3<f64>, Vector3<f64>, f64),
    ) {
        if let (Shape::Sphere { radius: of_a }, Shape::Sphere { radius: of_b }) = (a.shape, b.shape) {
            let apart = a.position - b.position;
            let gap = apart.norm() - of_a - of_b;
            if gap <= margin {
                let normal = apart.try_normalize(1e-12).unwrap_or_else(Vector3::z);
                found(0, b.position + normal * (of_b + 0.5 * gap), normal, gap);
            }
            return;
        }
        let (Some(of_a), Some(of_b)) = (&a.geometry, &b.geometry) else { return };
        let (pose_a, pose_b) = (pose(a), pose(b));
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
        let normal = -world(pose_a.rotation * self.manifold.local_n1);
        for point in self.manifold.points.iter().filter(|point| point.dist <= margin) {
            let on_a = world(pose_a * point.local_p1);
            let feature = point.fid1.0 ^ point.fid2.0.rotate_left(16);
            found(feature, on_a - normal * (0.5 * point.dist), normal, point.dist);
        }
    }
}

fn world(v: Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

fn pose(solid: &Solid) -> Pose {
    // The library's cylinder stands along y.
    let upright = Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
    let rotation = match solid.shape {
        Shape::Cylinder { .. } => solid.rotation * upright,
        _ => solid.rotation,
    };
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation));
    let (p, r) = (solid.position, turn.scaled_axis());
    Pose::new(Vector::new(p.x, p.y, p.z), Vector::new(r.x, r.y, r.z))
}
