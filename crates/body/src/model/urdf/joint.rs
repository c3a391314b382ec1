//! Joints of URDF.

use super::frame::UrdfTransform;
use super::{Noted, child, error, escaped, name_of, numbers, span};
use crate::model::xml::XmlNode;
use aplomb_language::diagnostic::FileError;
use nalgebra::Vector3;
use std::fmt::Write;

/// Motion that a joint allows.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum JointMotion {
    Fixed,
    Hinge,
    Slide,
    Free,
}

/// A joint element.
pub(super) struct JointElement<'a> {
    pub node: XmlNode<'a>,
    pub name: &'a str,
    pub parent: &'a str,
    pub child: &'a str,
    pub frame: UrdfTransform,
    pub motion: JointMotion,
    axis: Vector3<f64>,
    range: Option<[f64; 2]>,
    /// Largest torque or force, N m or N; `None`: unlimited.
    effort: Option<f64>,
    /// Largest rate, rad/s or m/s.
    pub velocity: Option<f64>,
    damping: f64,
    friction: f64,
    /// The joint it mimics.
    pub mimic: Option<Mimic<'a>>,
}

/// `<mimic>`: q = offset + multiplier · q of the other.
#[derive(Clone, Copy)]
pub(super) struct Mimic<'a> {
    pub node: XmlNode<'a>,
    pub leader: &'a str,
    multiplier: f64,
    offset: f64,
}

impl<'a> JointElement<'a> {
    pub(super) fn read(node: XmlNode<'a>, noted: &mut Noted) -> Result<Self, FileError> {
        let name = name_of(node, "name")?;
        let end = |tag: &str| {
            let end = child(node, tag).ok_or_else(|| error(node, format!("<joint> needs <{tag}>")))?;
            name_of(end, "link")
        };
        let kind = name_of(node, "type")?;
        let mut motion = match kind {
            "fixed" => JointMotion::Fixed,
            "revolute" | "continuous" => JointMotion::Hinge,
            "prismatic" => JointMotion::Slide,
            "floating" => JointMotion::Free,
            _ => {
                let known = ["fixed", "revolute", "continuous", "prismatic", "floating"];
                return Err(error(node, format!("joints of type `{kind}` are not read")).suggest(kind, known));
            }
        };
        let axis = match child(node, "axis") {
            Some(axis) => Vector3::from(numbers(axis, "xyz", [1.0, 0.0, 0.0])?),
            None => Vector3::x(),
        };
        if matches!(motion, JointMotion::Hinge | JointMotion::Slide) && axis.norm() < 1e-9 {
            return Err(error(node, format!("the axis of `{name}` has no direction")));
        }
        let LimitElement { range, effort, velocity } = LimitElement::read(node, name, kind, motion, noted)?;
        // A joint whose range is one angle is fixed.
        if range.is_some_and(|[low, high]| low == high) {
            motion = JointMotion::Fixed;
        }
        let mimic = read_mimic(node, name, motion)?;
        let [damping, friction] = read_dynamics(node, motion)?;
        let frame = UrdfTransform::of(node)?;
        let (parent, child) = (end("parent")?, end("child")?);
        Ok(JointElement {
            node,
            name,
            parent,
            child,
            frame,
            motion,
            axis,
            range,
            effort,
            velocity,
            damping,
            friction,
            mimic,
        })
    }

    pub(super) fn is_fixed(&self) -> bool {
        self.motion == JointMotion::Fixed
    }

    /// Writes the coupling of a mimic joint; a leader that does not move is at 0.
    pub(super) fn write_coupling(&self, text: &mut String, leader_moves: bool) {
        let Some(mimic) = self.mimic.filter(|_| !self.is_fixed()) else { return };
        // Writing to a string cannot fail.
        _ = write!(text, "<joint joint1=\"{}\"", escaped(self.name));
        if leader_moves {
            _ = write!(text, " joint2=\"{}\"", escaped(mimic.leader));
        }
        _ = writeln!(text, " polycoef=\"{:?} {:?}\"/>", mimic.offset, mimic.multiplier);
    }

    /// Writes the joint into a body whose frame is `rest` in that of its own link.
    pub(super) fn write(&self, text: &mut String, rest: &UrdfTransform) {
        let kind = match self.motion {
            JointMotion::Fixed => return,
            JointMotion::Hinge => "hinge",
            JointMotion::Slide => "slide",
            JointMotion::Free => "free",
        };
        // Writing to a string cannot fail.
        _ = write!(text, "<joint name=\"{}\" type=\"{kind}\"", escaped(self.name));
        if self.motion != JointMotion::Free {
            let back = rest.orientation.inverse();
            let (axis, anchor) = (back * self.axis, -(back * rest.position));
            _ = write!(text, " axis=\"{:?} {:?} {:?}\"", axis.x, axis.y, axis.z);
            _ = write!(text, " pos=\"{:?} {:?} {:?}\"", anchor.x, anchor.y, anchor.z);
        }
        if let Some([low, high]) = self.range {
            _ = write!(text, " range=\"{low:?} {high:?}\"");
        }
        if let Some(effort) = self.effort.filter(|_| self.mimic.is_none()) {
            _ = write!(text, " actuatorfrcrange=\"{:?} {effort:?}\"", -effort);
        }
        _ = writeln!(text, " damping=\"{:?}\" frictionloss=\"{:?}\"/>", self.damping, self.friction);
    }
}

/// Limits of a joint: angles or lengths, torque or force, and speed.
#[derive(Default)]
struct LimitElement {
    range: Option<[f64; 2]>,
    effort: Option<f64>,
    velocity: Option<f64>,
}

impl LimitElement {
    fn read(
        node: XmlNode,
        name: &str,
        kind: &str,
        motion: JointMotion,
        noted: &mut Noted,
    ) -> Result<Self, FileError> {
        let said = || format!("`{name}`");
        let Some(limit) = child(node, "limit").filter(|_| motion != JointMotion::Fixed) else {
            if matches!(kind, "revolute" | "prismatic") {
                return Err(error(node, format!("`{name}` needs <limit>")));
            }
            return Ok(LimitElement::default());
        };
        let mut limits = LimitElement::default();
        let [low] = numbers(limit, "lower", [0.0])?;
        let [high] = numbers(limit, "upper", [0.0])?;
        if kind != "continuous" {
            if low > high {
                return Err(error(limit, format!("the lower limit {low} is above the upper {high}")));
            }
            limits.range = Some([low, high]);
        }
        match numbers(limit, "effort", [0.0])? {
            [least] if least > 0.0 => limits.effort = Some(least),
            _ => noted.unlimited.add(said(), span(limit)),
        }
        match numbers(limit, "velocity", [f64::INFINITY])? {
            [fastest] if fastest > 0.0 => {
                limits.velocity = Some(fastest).filter(|fastest| fastest.is_finite())
            }
            _ => noted.any_speed.add(said(), span(limit)),
        }
        Ok(limits)
    }
}

fn read_mimic<'a>(
    node: XmlNode<'a>,
    name: &str,
    motion: JointMotion,
) -> Result<Option<Mimic<'a>>, FileError> {
    match child(node, "mimic").filter(|_| motion != JointMotion::Fixed) {
        Some(_) if motion == JointMotion::Free => {
            Err(error(node, format!("`{name}` is floating: it has no single value to follow with")))
        }
        Some(mimic) => {
            let [multiplier] = numbers(mimic, "multiplier", [1.0])?;
            let [offset] = numbers(mimic, "offset", [0.0])?;
            Ok(Some(Mimic { node: mimic, leader: name_of(mimic, "joint")?, multiplier, offset }))
        }
        None => Ok(None),
    }
}

/// Damping and friction.
fn read_dynamics(node: XmlNode, motion: JointMotion) -> Result<[f64; 2], FileError> {
    let Some(dynamics) = child(node, "dynamics").filter(|_| motion != JointMotion::Fixed) else {
        return Ok([0.0, 0.0]);
    };
    let [damping] = numbers(dynamics, "damping", [0.0])?;
    let [friction] = numbers(dynamics, "friction", [0.0])?;
    if damping < 0.0 || friction < 0.0 {
        return Err(error(dynamics, "damping and friction must not be negative".into()));
    }
    Ok([damping, friction])
}
