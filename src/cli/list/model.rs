//! Names in a body file: bodies, joints and sites, with their positions in the rest pose.

use super::words::{direction, place, turn};
use super::{ListEntry, item};
use crate::cli::Failure;
use crate::dynamics::Kinematics;
use crate::language::files::{self, Folder};
use crate::model::{BodyId, Coupling, Joint, JointKind, Model, Site, mjcf};
use nalgebra::Vector3;

/// The body with this name or path, a character or a passive object.
pub(crate) fn read(name: &str) -> Result<Model, Failure> {
    let found = files::find(Folder::Characters, name, None)
        .or_else(|missing| files::find(Folder::Passive, name, None).map_err(|_| missing))?;
    Ok(mjcf::read(&found.source)?)
}

fn body_name(model: &Model, body: Option<BodyId>) -> String {
    body.map_or("the world".into(), |BodyId(body)| format!("`{}`", model.bodies[body].name))
}

pub(crate) fn bodies(model: &Model) -> Vec<ListEntry> {
    let about = |body: &crate::model::Body| {
        format!("{:.3} kg, joined to {}", body.inertia.mass, body_name(model, body.parent))
    };
    model.bodies.iter().map(|body| item(&body.name, &about(body))).collect()
}

/// The body in its rest pose.
fn at_rest(model: &Model) -> Kinematics {
    let mut kinematics = Kinematics::new(model);
    kinematics.update_position(model, &model.rest_configuration());
    kinematics
}

/// Direction in which a unit rate of a joint with one coordinate moves its subtree, in the rest pose.
fn positive(model: &Model, rest: &Kinematics, joint: &Joint) -> Option<String> {
    let motion = rest.subspace[joint.v_index];
    let BodyId(body) = joint.body;
    let name = &model.bodies[body].name;
    match joint.kind {
        JointKind::Free | JointKind::Ball => None,
        JointKind::Slide { .. } => Some(format!(
            "axis {}; positive moves `{name}` {}",
            place(&motion.linear),
            direction(&motion.linear)
        )),
        JointKind::Hinge { .. } => {
            let centre = rest.subtree_inertia[body].centre();
            let velocity = motion.velocity_at(&centre);
            let lever = (centre - joint_anchor(rest, joint)).norm();
            let does = if velocity.norm() > MOST_TWIST * lever {
                format!("moves `{name}` {}", direction(&velocity))
            } else {
                format!("turns `{name}` {}", turn(&motion.angular))
            };
            Some(format!("axis {}; positive {does}", place(&motion.angular)))
        }
    }
}

/// Ratio of the speed of the subtree's centre to its distance and the rate, below which a rotation is a
/// twist: sin 20°.
const MOST_TWIST: f64 = 0.34;

/// A point of the joint's axis, m.
fn joint_anchor(rest: &Kinematics, joint: &Joint) -> Vector3<f64> {
    let BodyId(body) = joint.body;
    rest.position[body] + rest.rotation[body] * joint.anchor
}

pub(crate) fn joints(model: &Model) -> Vec<ListEntry> {
    let rest = at_rest(model);
    let about = |joint: &Joint| {
        let (kind, unit, effort) = match joint.kind {
            JointKind::Free => ("free", "", ""),
            JointKind::Ball => ("ball", "rad", "N m"),
            JointKind::Hinge { .. } => ("hinge", "rad", "N m"),
            JointKind::Slide { .. } => ("slide", "m", "N"),
        };
        let mut text = format!("{kind} of {}", body_name(model, Some(joint.body)));
        if let Some([low, high]) = joint.range {
            text += &format!(", {low:.3} to {high:.3} {unit}");
        }
        let [low, high] = model.torque_limits[joint.v_index];
        if joint.kind.nv() == 1 && low.is_finite() && high.is_finite() {
            text += &format!(", {low} to {high} {effort}");
        }
        if let Some(coupling) =
            model.couplings.iter().find(|coupling| model.joints[coupling.follower.0].name == joint.name)
        {
            let Coupling { ratio, offset, .. } = coupling;
            text += &match coupling.leader {
                Some(leader) => {
                    format!(", follows `{}` at {ratio:.4} of its rate", model.joints[leader.0].name)
                }
                None => format!(", held at {:.4} {unit}", joint.reference + offset),
            };
        } else if !model.is_root(joint.v_index) && !model.is_actuated[joint.v_index] {
            text += ", passive: it has no actuator";
        }
        if let Some(positive) = positive(model, &rest, joint) {
            text += &format!("; {positive}");
        }
        text.replace(" -", " −")
    };
    model.joints.iter().map(|joint| item(&joint.name, &about(joint))).collect()
}

pub(crate) fn sites(model: &Model) -> Vec<ListEntry> {
    let rest = at_rest(model);
    let about = |site: &Site| {
        let on = body_name(model, site.body);
        let world = match site.body {
            Some(BodyId(body)) => rest.position[body] + rest.rotation[body] * site.position,
            None => site.position,
        };
        format!("on {on} at {} m of its axes; at {} m in the rest pose", place(&site.position), place(&world))
    };
    model.sites.iter().map(|site| item(&site.name, &about(site))).collect()
}
