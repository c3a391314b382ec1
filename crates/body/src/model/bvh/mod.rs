//! Skeletons with a motion, as BVH (Biovision hierarchy) files have them.
//!
//! A file says how joints hang on each other and, for each frame, their angles. At rest no joint is turned, so the
//! skeleton's offsets are its rest pose. Units of length and the axis that is up are not said; y up is usual.

mod euler;
mod read;
mod write;

#[cfg(test)]
mod tests;

pub use euler::{angles, turn};
pub use read::{is_bvh, read};

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// As in the file.
    pub const ALL: [(&'static str, Axis); 3] = [("X", Axis::X), ("Y", Axis::Y), ("Z", Axis::Z)];

    /// Of unit length.
    pub fn unit(self) -> Vector3<f64> {
        match self {
            Axis::X => Vector3::x(),
            Axis::Y => Vector3::y(),
            Axis::Z => Vector3::z(),
        }
    }
}

/// A number that a frame gives for a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Place relative to the parent's joint in the parent's axes, units of the file; it takes the place of the offset.
    Position(Axis),
    /// Angle about an axis, degrees. A joint's turns are about its own axes, the first channel outermost.
    Rotation(Axis),
}

/// A joint of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name in the file.
    pub name: String,
    /// What it hangs on, by its index; `None`: a root.
    pub parent: Option<usize>,
    /// Place at rest relative to the parent, units of the file.
    pub offset: Vector3<f64>,
    /// What frames say of it, in their order.
    pub channels: Vec<Channel>,
    /// Where it ends, relative to itself, if nothing hangs on it and the file says so; units of the file.
    pub end: Option<Vector3<f64>>,
}

/// A skeleton and how it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Joints; every parent stands before its children.
    pub joints: Vec<Joint>,
    /// Time between two frames, s.
    pub frame_time: f64,
    /// For each frame the numbers of all joints' channels in order.
    pub frames: Vec<Vec<f64>>,
}

impl Motion {
    /// Numbers in a frame.
    pub fn channels(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }

    /// The joint of that name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// Where the joints are at rest, in the file's axes and units.
    pub fn rest(&self) -> Vec<Vector3<f64>> {
        let mut places: Vec<Vector3<f64>> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            places.push(joint.parent.map_or(Vector3::zeros(), |parent| places[parent]) + joint.offset);
        }
        places
    }

    /// Where the joints are in a frame (its numbers), and how they are turned from rest, in the file's axes and units.
    pub fn poses(&self, frame: &[f64]) -> Vec<Isometry3<f64>> {
        let mut poses: Vec<Isometry3<f64>> = Vec::with_capacity(self.joints.len());
        let mut numbers = frame.iter();
        for joint in &self.joints {
            let mut place = joint.offset;
            let mut rotation = UnitQuaternion::identity();
            for (channel, &number) in joint.channels.iter().zip(numbers.by_ref()) {
                match *channel {
                    Channel::Position(axis) => {
                        place += axis.unit() * (number - joint.offset.dot(&axis.unit()))
                    }
                    Channel::Rotation(axis) => rotation *= turn(axis, number),
                }
            }
            let own = Isometry3::from_parts(Translation3::from(place), rotation);
            poses.push(joint.parent.map_or(own, |parent| poses[parent] * own));
        }
        poses
    }
}
