//! Where links and shapes are.

use super::{child, numbers};
use crate::model::xml::Node;
use aplomb_language::diagnostic::FileError;
use nalgebra::{UnitQuaternion, Vector3};

/// A change of coordinates.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    pub position: Vector3<f64>,
    pub orientation: UnitQuaternion<f64>,
}

impl Frame {
    /// The `<origin>` of an element: roll, pitch and yaw about fixed axes.
    pub fn of(node: Node) -> Result<Self, FileError> {
        let Some(origin) = child(node, "origin") else { return Ok(Frame::default()) };
        let [roll, pitch, yaw] = numbers(origin, "rpy", [0.0; 3])?;
        Ok(Frame {
            position: numbers(origin, "xyz", [0.0; 3])?.into(),
            orientation: UnitQuaternion::from_euler_angles(roll, pitch, yaw),
        })
    }

    /// `inner`, which is said in this frame, in the frame that this one is said in.
    pub fn then(&self, inner: &Frame) -> Frame {
        Frame {
            position: self.position + self.orientation * inner.position,
            orientation: self.orientation * inner.orientation,
        }
    }

    /// As attributes of MJCF.
    pub fn written(&self) -> String {
        let (p, q) = (self.position, self.orientation);
        format!(" pos=\"{:?} {:?} {:?}\" quat=\"{:?} {:?} {:?} {:?}\"", p.x, p.y, p.z, q.w, q.i, q.j, q.k)
    }
}
