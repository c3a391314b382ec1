//! Bones that skeletons have in common, and the bodies of a model that they correspond to.

use crate::model::{BodyId, Model};
use nalgebra::Vector3;

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BoneSide {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
}

/// A part of a body, named by its position beyond a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bone {
    /// The part that the legs are attached to.
    Pelvis,
    /// The part that the arms are attached to.
    Chest,
    /// The head.
    Head,
    /// From the shoulder to the elbow.
    UpperArm(BoneSide),
    /// From the elbow to the wrist.
    Forearm(BoneSide),
    /// Beyond the wrist.
    Hand(BoneSide),
    /// From the hip to the knee.
    Thigh(BoneSide),
    /// From the knee to the ankle.
    Shin(BoneSide),
    /// Beyond the ankle.
    Foot(BoneSide),
}

impl Bone {
    /// The side of a limb.
    pub(crate) fn side(self) -> Option<BoneSide> {
        match self {
            Bone::Pelvis | Bone::Chest | Bone::Head => None,
            Bone::UpperArm(side) | Bone::Forearm(side) | Bone::Hand(side) => Some(side),
            Bone::Thigh(side) | Bone::Shin(side) | Bone::Foot(side) => Some(side),
        }
    }

    /// Whether it is part of an arm: the rest pose of arms differs between skeletons.
    pub(crate) fn is_of_arm(self) -> bool {
        matches!(self, Bone::UpperArm(_) | Bone::Forearm(_) | Bone::Hand(_))
    }
}

/// A joint farther along a limb than this share of the way from hip to ankle, or from shoulder to wrist, is
/// its knee or elbow.
const MIDDLE: f64 = 0.25;

/// The bodies of a model's bones, by their roles; `joints` are the positions of the bodies' joints, world, m.
pub(super) fn of_model(model: &Model, joints: &[Vector3<f64>]) -> Vec<(Bone, BodyId)> {
    let mut bones: Vec<(Bone, BodyId)> = Vec::new();
    let mut add = |bone: Bone, body: Option<BodyId>| {
        // One body is one bone: a trunk of one piece is a pelvis.
        if let Some(body) = body
            && bones.iter().all(|(_, known)| *known != body)
        {
            bones.push((bone, body));
        }
    };
    for (bone, role) in [(Bone::Pelvis, "pelvis"), (Bone::Chest, "chest"), (Bone::Head, "head")] {
        add(bone, model.body(role));
    }
    for (side, name) in [(BoneSide::Left, "left"), (BoneSide::Right, "right")] {
        for (upper, end, bones) in [
            ("upper_arm", "hand", [Bone::UpperArm(side), Bone::Forearm(side), Bone::Hand(side)]),
            ("thigh", "foot", [Bone::Thigh(side), Bone::Shin(side), Bone::Foot(side)]),
        ] {
            let part = |part: &str| model.body(&format!("{name}_{part}"));
            let limb = part(upper).zip(part(end)).and_then(|(upper, end)| limb(model, joints, upper, end));
            for (bone, body) in bones.into_iter().zip(limb.into_iter().flatten()) {
                add(bone, body);
            }
        }
    }
    bones
}

/// Whether a body is the end of a limb.
pub(super) fn is_end(model: &Model, body: BodyId) -> bool {
    ["left_hand", "right_hand", "left_foot", "right_foot"].iter().any(|role| model.body(role) == Some(body))
}

/// Upper part, lower part and end of a limb between two bodies. Several bodies may share a hip or an ankle:
/// the last before the knee is the thigh. `None` if `end` is not in the subtree of `upper`.
fn limb(model: &Model, joints: &[Vector3<f64>], upper: BodyId, end: BodyId) -> Option<[Option<BodyId>; 3]> {
    let mut path = vec![end];
    while *path.last()? != upper {
        path.push(model.bodies[path.last()?.0].parent?);
    }
    path.reverse();
    let length = (joints[end.0] - joints[upper.0]).norm();
    let is_beyond = |body: &BodyId| (joints[body.0] - joints[upper.0]).norm() > MIDDLE * length;
    let middle = path.iter().position(is_beyond).filter(|&at| path[at] != end);
    let thigh = middle.map_or(upper, |at| path[at - 1]);
    Some([Some(thigh), middle.map(|at| path[at]), Some(end)])
}
