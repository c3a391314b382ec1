//! What a body file names: its bodies, joints and sites.

use super::{Item, item};
use crate::cli::Failure;
use crate::language::files::{self, Folder};
use crate::model::{BodyId, JointKind, Model, mjcf};

/// The body file of that name or path, a character or a passive object.
pub fn read(name: &str) -> Result<Model, Failure> {
    let found = files::find(Folder::Characters, name, None)
        .or_else(|missing| files::find(Folder::Passive, name, None).map_err(|_| missing))?;
    Ok(mjcf::read(&found.source)?)
}

fn body_name(model: &Model, body: Option<BodyId>) -> String {
    body.map_or("the world".into(), |BodyId(body)| format!("`{}`", model.bodies[body].name))
}

pub fn bodies(model: &Model) -> Vec<Item> {
    let about = |body: &crate::model::Body| {
        format!("{:.3} kg, joined to {}", body.inertia.mass, body_name(model, body.parent))
    };
    model.bodies.iter().map(|body| item(&body.name, &about(body))).collect()
}

pub fn joints(model: &Model) -> Vec<Item> {
    let about = |joint: &crate::model::Joint| {
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
        if !model.is_root(joint.v_index) && !model.is_actuated[joint.v_index] {
            text += ", passive: it has no actuator";
        }
        text.replace(" -", " −")
    };
    model.joints.iter().map(|joint| item(&joint.name, &about(joint))).collect()
}

pub fn sites(model: &Model) -> Vec<Item> {
    model.sites.iter().map(|site| item(&site.name, &format!("on {}", body_name(model, site.body)))).collect()
}
