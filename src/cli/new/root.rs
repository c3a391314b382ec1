//! The free root of a configuration.

use crate::model::{BodyId, Joint, JointKind, Model};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};

/// The free root of a body, if it has one.
pub(crate) fn free(model: &Model) -> Option<&Joint> {
    model.joints.first().filter(|joint| joint.kind == JointKind::Free)
}

/// Rotation from axes that are forward, left and up in the rest pose to those of a body.
pub(crate) fn axes(model: &Model, body: BodyId) -> UnitQuaternion<f64> {
    model.rest_axes(body).copied().unwrap_or_else(UnitQuaternion::identity)
}

/// Orientation of the root.
pub(crate) fn rotation(root: &Joint, q: &[f64]) -> UnitQuaternion<f64> {
    let at = root.q_index;
    UnitQuaternion::from_quaternion(Quaternion::new(q[at + 3], q[at + 4], q[at + 5], q[at + 6]))
}

/// Sets the orientation of the root.
pub(crate) fn turn(root: &Joint, q: &mut [f64], r: &UnitQuaternion<f64>) {
    let at = root.q_index;
    q[at + 3..at + 7].copy_from_slice(&[r.w, r.i, r.j, r.k]);
}

/// Motion of the root over the ground from one configuration to another: displacement and change of heading.
pub(crate) fn way(model: &Model, from: &[f64], to: &[f64]) -> Isometry3<f64> {
    let (Some(from), Some(to)) = (on_the_ground(model, from), on_the_ground(model, to)) else {
        return Isometry3::identity();
    };
    to * from.inverse()
}

/// Position on the ground and heading of a free root.
pub(crate) fn on_the_ground(model: &Model, q: &[f64]) -> Option<Isometry3<f64>> {
    let root = free(model)?;
    let at = root.q_index;
    let ahead = rotation(root, q) * axes(model, root.body) * Vector3::x();
    let heading = Vector3::z() * ahead.y.atan2(ahead.x);
    Some(Isometry3::new(Vector3::new(q[at], q[at + 1], 0.0), heading))
}

/// A configuration, with a free root moved over the ground.
pub(crate) fn moved(model: &Model, by: &Isometry3<f64>, q: &[f64]) -> Vec<f64> {
    let mut own = q.to_vec();
    if let Some(root) = free(model) {
        let at = root.q_index;
        let place = by.rotation * Vector3::new(q[at], q[at + 1], q[at + 2]) + by.translation.vector;
        own[at..at + 3].copy_from_slice(place.as_slice());
        turn(root, &mut own, &(by.rotation * rotation(root, q)));
    }
    own
}
