//! Frames of links and shapes.

use super::{child, numbers};
use crate::model::xml::XmlNode;
use aplomb_language::diagnostic::FileError;
use nalgebra::{UnitQuaternion, Vector3};

/// A transform of coordinates.
#[derive(Clone, Copy, Default)]
pub(super) struct UrdfTransform {
    pub position: Vector3<f64>,
    pub orientation: UnitQuaternion<f64>,
}

impl UrdfTransform {
    /// The `<origin>` of an element: roll, pitch and yaw about fixed axes.
    pub(super) fn of(node: XmlNode) -> Result<Self, FileError> {
        let Some(origin) = child(node, "origin") else { return Ok(UrdfTransform::default()) };
        let [roll, pitch, yaw] = numbers(origin, "rpy", [0.0; 3])?;
        Ok(UrdfTransform {
            position: numbers(origin, "xyz", [0.0; 3])?.into(),
            orientation: UnitQuaternion::from_euler_angles(roll, pitch, yaw),
        })
    }

    /// `inner`, given in the coordinates of this frame, in those of this frame's parent.
    pub(super) fn then(&self, inner: &UrdfTransform) -> UrdfTransform {
        UrdfTransform {
            position: self.position + self.orientation * inner.position,
            orientation: self.orientation * inner.orientation,
        }
    }

    /// The transform as attributes of MJCF.
    pub(super) fn written(&self) -> String {
        let (p, q) = (self.position, self.orientation);
        format!(" pos=\"{:?} {:?} {:?}\" quat=\"{:?} {:?} {:?} {:?}\"", p.x, p.y, p.z, q.w, q.i, q.j, q.k)
    }
}
