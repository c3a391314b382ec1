//! Bodies whose pose in the file is lying, because the file has another vertical axis or because a controller
//! should make them stand up.

use super::names::{TRUNK_WORDS, says};
use crate::model::Model;
use nalgebra::{UnitQuaternion, Vector3};

/// Words of the upper part of a standing body: the head, otherwise the trunk.
const ABOVE: [&[&str]; 2] = [&["head"], &TRUNK_WORDS];
/// Words of the lower part of a standing body.
const FEET: [&str; 6] = ["foot", "feet", "ankle", "toe", "toes", "sole"];
/// Words of the lower part of a body without such names.
const SHANKS: [&str; 6] = ["calf", "shank", "shin", "tibia", "knee", "lower"];

/// Shanks indicate the lower part if their mean offset from the trunk exceeds this share of the largest
/// distance of one from it, which excludes bodies that squat or spread their legs.
const BESIDE: f64 = 0.5;

/// Cosine of the largest angle between vertical and the direction from feet to head of a standing body: 60°.
const UPRIGHT: f64 = 0.5;
/// Cosine of the largest angle between an axis that is up and the direction from feet to head: 30°.
const ALONG: f64 = 0.866;

/// The rotation that made a lying body upright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoodUp {
    /// Vertical axis in the file, in world axes: `"+y"`.
    pub axis: &'static str,
}

/// Rotates a free body upright if it lies in its rest pose, that is, if its head is far from vertically above
/// its feet; head and feet are found by name. It is rotated by right angles and set on the ground. A body
/// without a free joint, and one whose file has a keyframe for the rest pose, is not changed.
pub fn stand_up(model: &mut Model) -> Option<StoodUp> {
    if !model.is_floating() || model.has_rest_keyframe() {
        return None;
    }
    let up = up(model)?;
    if up.z > UPRIGHT {
        return None;
    }
    let axes: [(&str, Vector3<f64>); 5] = [
        ("+x", Vector3::x()),
        ("-x", -Vector3::x()),
        ("+y", Vector3::y()),
        ("-y", -Vector3::y()),
        ("-z", -Vector3::z()),
    ];
    let (axis, along) = axes.into_iter().find(|(_, along)| along.dot(&up) > ALONG)?;
    let half = std::f64::consts::FRAC_PI_2;
    let turn = match along.cross(&Vector3::z()) {
        about if about.norm() > 0.5 => UnitQuaternion::from_scaled_axis(about * half),
        _ => UnitQuaternion::from_scaled_axis(Vector3::x() * (2.0 * half)),
    };
    let root = model.joints.first()?.body;
    let body = &mut model.bodies[root.0];
    body.orientation = turn * body.orientation;
    body.position = turn * body.position;
    let lowest = model.lowest_point(&model.body_poses(&model.rest_configuration()));
    model.bodies[root.0].position.z -= lowest;
    Some(StoodUp { axis })
}

/// Direction from feet to head, by names.
fn up(model: &Model) -> Option<Vector3<f64>> {
    let poses = model.body_poses(&model.rest_configuration());
    let middle = |words: &[&str]| {
        let called = model.bodies.iter().zip(&poses).filter(|(body, _)| says(&body.name, words));
        let (count, sum) = called.fold((0.0, Vector3::zeros()), |(count, sum), (body, pose)| {
            (count + 1.0, sum + pose.translation.vector + pose.rotation * body.inertia.centre)
        });
        (count > 0.0).then(|| sum / count)
    };
    let above = ABOVE.iter().find_map(|words| middle(words))?;
    if let Some(feet) = middle(&FEET) {
        return (above - feet).try_normalize(f64::MIN_POSITIVE);
    }
    let up = above - middle(&SHANKS)?;
    let shanks = model.bodies.iter().zip(&poses).filter(|(body, _)| says(&body.name, &SHANKS));
    let away = shanks
        .map(|(body, pose)| (pose.translation.vector + pose.rotation * body.inertia.centre - above).norm());
    (up.norm() > BESIDE * away.fold(0.0, f64::max)).then(|| up.normalize())
}
