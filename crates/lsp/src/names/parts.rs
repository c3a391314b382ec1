//! Names of a body's parts, and of what is around it in a scene.

use super::Word;
use aplomb_body::model::{BodyId, JointKind, Model, roles};
use aplomb_language::expression::Type;

/// Names of the parts of a model, of one kind each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// Bodies and their roles.
    pub bodies: Vec<Word>,
    /// Sites, and points by their role.
    pub sites: Vec<Word>,
    /// Joints, and hinges by their role.
    pub joints: Vec<Word>,
    /// Sets of joints by their role, which expressions do not have.
    pub sets: Vec<Word>,
}

/// The names of a model's parts.
pub(crate) fn parts(model: &Model) -> Parts {
    let mut parts = Parts::default();
    for body in &model.bodies {
        let about = format!("{:.3} kg", body.inertia.mass);
        parts.bodies.push(Word::new(&body.name, "body", about).of_type(Type::Body));
    }
    for (role, about) in roles::BODIES {
        if let Some(BodyId(body)) = model.roles.body(role)
            && !has(&parts.bodies, role)
        {
            let about = format!("{} ({about}).", model.bodies[body].name);
            parts.bodies.push(Word::new(role, "role of a body", about).of_type(Type::Body));
        }
    }
    for site in &model.sites {
        let on = site.body.map_or("the world", |BodyId(body)| &model.bodies[body].name);
        parts.sites.push(Word::new(&site.name, "site", format!("On {on}.")).of_type(Type::Site));
    }
    for (role, about) in roles::POINTS {
        if model.roles.point(role).is_some() && !has(&parts.sites, role) {
            let word = Word::new(role, "role of a point", format!("{about}.")).of_type(Type::Site);
            parts.sites.push(word);
        }
    }
    for joint in &model.joints {
        let (kind, unit) = match joint.kind {
            JointKind::Free => ("free", ""),
            JointKind::Ball => ("ball", ""),
            JointKind::Hinge { .. } => ("hinge", "rad"),
            JointKind::Slide { .. } => ("slide", "m"),
        };
        let of = &model.bodies[joint.body.0].name;
        let range = joint.range.map(|[low, high]| format!(", {low:.3} to {high:.3} {unit}"));
        let about = format!("{kind} of {of}{}", range.unwrap_or_default());
        parts.joints.push(Word::new(&joint.name, "joint", about).of_type(Type::Joint));
    }
    for (role, about) in roles::HINGES {
        if model.roles.hinge(role).is_some() && !has(&parts.joints, role) {
            let word = Word::new(role, "role of a joint", format!("{about}.")).of_type(Type::Joint);
            parts.joints.push(word);
        }
    }
    for (role, about) in roles::JOINTS {
        if model.roles.joints(role).is_some() {
            parts.sets.push(Word::new(role, "role of joints", format!("{about}.")));
        }
    }
    parts
}

fn has(words: &[Word], name: &str) -> bool {
    words.iter().any(|word| word.name == name)
}

impl Parts {
    /// All parts that expressions may name.
    pub(crate) fn of_expressions(&self) -> impl Iterator<Item = &Word> {
        self.bodies.iter().chain(&self.sites).chain(&self.joints)
    }
}
