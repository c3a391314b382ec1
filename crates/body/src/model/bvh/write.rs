//! Writing of BVH files, and rotations as their angles about z, x and y.

use super::{CoordinateAxis, JointChannel, SkeletonMotion};
use aplomb_math::elementary::{atan2, hypot};
use nalgebra::{Unit, UnitQuaternion};
use std::fmt::{self, Display, Formatter, Write};

/// The file: lengths and degrees with six digits.
impl Display for SkeletonMotion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("HIERARCHY\n")?;
        for root in (0..self.joints.len()).filter(|&index| self.joints[index].parent.is_none()) {
            self.joint_text(f, root, 0)?;
        }
        writeln!(f, "MOTION\nFrames: {}\nFrame Time: {}", self.frames.len(), self.frame_time)?;
        for frame in &self.frames {
            for (index, number) in frame.iter().enumerate() {
                write!(f, "{}{number:.6}", if index == 0 { "" } else { " " })?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl SkeletonMotion {
    fn joint_text(&self, f: &mut Formatter<'_>, index: usize, depth: usize) -> fmt::Result {
        let joint = &self.joints[index];
        let margin = "\t".repeat(depth);
        let kind = if joint.parent.is_none() { "ROOT" } else { "JOINT" };
        // A name is one word.
        let name: String = joint.name.split_whitespace().collect::<Vec<_>>().join("_");
        let [x, y, z] = joint.offset.into();
        writeln!(f, "{margin}{kind} {name}\n{margin}{{\n{margin}\tOFFSET {x:.6} {y:.6} {z:.6}")?;
        write!(f, "{margin}\tCHANNELS {}", joint.channels.len())?;
        for channel in &joint.channels {
            match channel {
                JointChannel::Position(axis) => write!(f, " {}position", letter(*axis))?,
                JointChannel::Rotation(axis) => write!(f, " {}rotation", letter(*axis))?,
            }
        }
        f.write_char('\n')?;
        for child in (index + 1..self.joints.len()).filter(|&child| self.joints[child].parent == Some(index))
        {
            self.joint_text(f, child, depth + 1)?;
        }
        if let Some([x, y, z]) = joint.end.map(<[f64; 3]>::from) {
            writeln!(
                f,
                "{margin}\tEnd Site\n{margin}\t{{\n{margin}\t\tOFFSET {x:.6} {y:.6} {z:.6}\n{margin}\t}}"
            )?;
        }
        writeln!(f, "{margin}}}")
    }
}

fn letter(axis: CoordinateAxis) -> &'static str {
    CoordinateAxis::ALL.iter().find(|(_, own)| *own == axis).map_or("", |(letter, _)| letter)
}

/// Below this cosine of the middle angle the other two axes coincide (gimbal lock).
const LOCKED: f64 = 1e-9;

/// A rotation about an axis, in degrees.
pub(crate) fn turn(axis: CoordinateAxis, degrees: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Unit::new_unchecked(axis.unit()), degrees.to_radians())
}

/// Angles a, b, c with R = R_z(a) R_x(b) R_y(c), degrees. If they are not unique, c is 0.
pub fn angles(rotation: &UnitQuaternion<f64>) -> [f64; 3] {
    let r = rotation.to_rotation_matrix();
    let cosine = hypot(r[(0, 1)], r[(1, 1)]);
    let (a, c) = if cosine > LOCKED {
        (atan2(-r[(0, 1)], r[(1, 1)]), atan2(-r[(2, 0)], r[(2, 2)]))
    } else {
        (atan2(r[(1, 0)], r[(0, 0)]), 0.0)
    };
    [a, atan2(r[(2, 1)], cosine), c].map(f64::to_degrees)
}
