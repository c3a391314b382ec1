//! Skeletons with a motion, from BVH (Biovision hierarchy) files.
//!
//! A file gives the hierarchy of joints and, for each frame, their angles. At rest no joint is rotated, so
//! that the skeleton's offsets are its rest pose. The file gives neither the unit of length nor the vertical
//! axis; y up is usual.

mod read;
mod write;

#[cfg(test)]
mod tests;

pub use read::{is_bvh, read};
pub use write::angles;
pub(crate) use write::turn;

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateAxis {
    /// First axis.
    X,
    /// Second axis.
    Y,
    /// Third axis.
    Z,
}

impl CoordinateAxis {
    /// The axes with their names in files.
    pub(crate) const ALL: [(&'static str, CoordinateAxis); 3] =
        [("X", CoordinateAxis::X), ("Y", CoordinateAxis::Y), ("Z", CoordinateAxis::Z)];

    /// Unit vector along the axis.
    pub(crate) fn unit(self) -> Vector3<f64> {
        match self {
            CoordinateAxis::X => Vector3::x(),
            CoordinateAxis::Y => Vector3::y(),
            CoordinateAxis::Z => Vector3::z(),
        }
    }
}

/// A number of a joint in each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointChannel {
    /// Position relative to the parent's joint in the parent's axes, units of the file; it replaces the
    /// offset.
    Position(CoordinateAxis),
    /// Angle about an axis, degrees. Rotations are about the joint's own axes, the first channel outermost.
    Rotation(CoordinateAxis),
}

/// A joint of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct SkeletonJoint {
    /// Name in the file.
    pub name: String,
    /// Index of the parent joint; `None` for a root.
    pub parent: Option<usize>,
    /// Position at rest relative to the parent, units of the file.
    pub offset: Vector3<f64>,
    /// Channels in their order in a frame.
    pub channels: Vec<JointChannel>,
    /// End of a joint without children, relative to the joint, if the file gives it; units of the file.
    pub end: Option<Vector3<f64>>,
}

/// A skeleton with a motion.
#[doc(alias = "motion capture")]
#[derive(Clone, Debug, PartialEq)]
pub struct SkeletonMotion {
    /// Joints; every parent precedes its children.
    pub joints: Vec<SkeletonJoint>,
    /// Time between two frames, s.
    pub frame_time: f64,
    /// For each frame the values of all joints' channels in order.
    pub frames: Vec<Vec<f64>>,
}

impl SkeletonMotion {
    /// Number of values in a frame.
    #[cfg(test)]
    pub(crate) fn channels(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }

    /// Positions of the joints at rest, in the file's axes and units.
    pub(crate) fn rest(&self) -> Vec<Vector3<f64>> {
        let mut places: Vec<Vector3<f64>> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            places.push(joint.parent.map_or(Vector3::zeros(), |parent| places[parent]) + joint.offset);
        }
        places
    }

    /// Poses of the joints in a frame, given by its values, with rotations relative to rest, in the file's
    /// axes and units.
    pub fn poses(&self, frame: &[f64]) -> Vec<Isometry3<f64>> {
        let mut poses: Vec<Isometry3<f64>> = Vec::with_capacity(self.joints.len());
        let mut numbers = frame.iter();
        for joint in &self.joints {
            let mut place = joint.offset;
            let mut rotation = UnitQuaternion::identity();
            for (channel, &number) in joint.channels.iter().zip(numbers.by_ref()) {
                match *channel {
                    JointChannel::Position(axis) => {
                        place += axis.unit() * (number - joint.offset.dot(&axis.unit()))
                    }
                    JointChannel::Rotation(axis) => rotation *= turn(axis, number),
                }
            }
            let own = Isometry3::from_parts(Translation3::from(place), rotation);
            poses.push(joint.parent.map_or(own, |parent| poses[parent] * own));
        }
        poses
    }
}
