//! Joints.

use super::element::Element;
use super::frame::{self, InFrame};
use super::settings::CompilerSettings;
use crate::model::{BodyId, Joint, JointKind};
use aplomb_language::diagnostic::FileError;
use nalgebra::Vector3;

/// A joint, with the values that [`crate::model::Model`] has per velocity coordinate.
pub(super) struct DrivenJoint {
    pub joint: Joint,
    pub armature: f64,
    /// Limits from `actuatorfrcrange`.
    pub torque_limits: Option<[f64; 2]>,
}

/// Reads a `<joint>` or `<freejoint>`. Its indices are set when all joints are known.
pub(super) fn read(
    element: Element,
    frame: &InFrame,
    settings: &CompilerSettings,
    name: String,
    body: BodyId,
) -> Result<DrivenJoint, FileError> {
    let kind = read_kind(&element, frame)?;
    // Angles are in the file's unit; lengths in m.
    let value = |number: f64| match kind {
        JointKind::Hinge { .. } => settings.radians(number),
        _ => number,
    };
    let torque_limits = settings.limits(&element, "actuatorfrcrange", "actuatorfrclimited")?;
    if torque_limits.is_some() && kind.nv() != 1 {
        let message = "torque limits are for hinges and slides";
        return Err(element
            .attribute("actuatorfrcrange")
            .map_or_else(|| element.error(message), |attribute| attribute.error(message)));
    }
    Ok(DrivenJoint {
        armature: element.magnitude("armature", 0.0)?,
        torque_limits,
        joint: Joint {
            name,
            body,
            kind,
            anchor: match kind {
                JointKind::Free => Vector3::zeros(),
                _ => frame::point(frame, element.vector("pos", Vector3::zeros())?),
            },
            range: range(&element, settings, &kind)?,
            reference: value(element.number("ref", 0.0)?),
            stiffness: element.magnitude("stiffness", 0.0)?,
            spring_reference: value(element.number("springref", 0.0)?),
            damping: element.magnitude("damping", 0.0)?,
            friction: element.magnitude("frictionloss", 0.0)?,
            q_index: 0,
            v_index: 0,
            line: element.line(),
        },
    })
}

fn read_kind(element: &Element, frame: &InFrame) -> Result<JointKind, FileError> {
    let kind = match element.tag() {
        "freejoint" => "free",
        _ => element.keyword("type", &["hinge", "slide", "ball", "free"])?,
    };
    let axis = || -> Result<Vector3<f64>, FileError> {
        let axis = element.attribute("axis").map_or(Ok(Vector3::z()), |axis| axis.direction())?;
        Ok(frame::direction(frame, axis))
    };
    Ok(match kind {
        "hinge" => JointKind::Hinge { axis: axis()? },
        "slide" => JointKind::Slide { axis: axis()? },
        "ball" => JointKind::Ball,
        _ => JointKind::Free,
    })
}

/// Position limits, rad or m.
fn range(
    element: &Element,
    settings: &CompilerSettings,
    kind: &JointKind,
) -> Result<Option<[f64; 2]>, FileError> {
    let Some(range) = settings.limits(element, "range", "limited")? else { return Ok(None) };
    let wrong = |message| match element.attribute("range") {
        Some(attribute) => attribute.error(message),
        None => element.error(message),
    };
    match kind {
        JointKind::Free => Err(wrong("a free joint has no limits")),
        JointKind::Ball if range[0] != 0.0 => {
            Err(wrong("the limits of a ball joint are 0 and the greatest angle"))
        }
        JointKind::Ball | JointKind::Hinge { .. } => Ok(Some(range.map(|angle| settings.radians(angle)))),
        JointKind::Slide { .. } => Ok(Some(range)),
    }
}
