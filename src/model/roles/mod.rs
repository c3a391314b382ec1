//! What the parts of a body are: its chest, its feet, its arms. Controllers speak of these, so that they run on any body.
//!
//! A name that the model itself has means that part. Any other is looked up here: what the file beside the model says
//! ([`super::companion`]), else what [`detect`] tells from the tree, the shapes and the rest pose.

mod detect;
mod limbs;
mod side;
mod soles;
mod tree;

#[cfg(test)]
mod tests;

pub use detect::detect;
pub use side::of_name as side_of_name;

use super::{BodyId, JointId, Model, Site};
use nalgebra::{UnitQuaternion, Vector3};

/// Roles of bodies, with what they are.
pub const BODIES: [(&str, &str); 11] = [
    ("chest", "what carries the arms; the trunk of a body without arms"),
    ("pelvis", "what the legs hang on"),
    ("head", "the highest part on the chest; the chest where there is none"),
    ("left_thigh", "where the left leg begins"),
    ("right_thigh", "where the right leg begins"),
    ("left_foot", "what the left leg stands on"),
    ("right_foot", "what the right leg stands on"),
    ("left_upper_arm", "where the left arm begins"),
    ("right_upper_arm", "where the right arm begins"),
    ("left_hand", "the end of the left arm, without fingers"),
    ("right_hand", "the end of the right arm, without fingers"),
];

/// Roles of points, with what they are. A model without a site of the name gets one.
pub const POINTS: [(&str, &str); 2] = [
    ("left_sole", "the middle of what touches the ground under the left foot"),
    ("right_sole", "the middle of what touches the ground under the right foot"),
];

/// Roles of sets of joints, with what they are.
pub const JOINTS: [(&str, &str); 5] = [
    ("arms", "everything in both arms"),
    ("neck", "between chest and head"),
    ("back", "between pelvis and chest"),
    ("legs", "from the pelvis to the feet"),
    ("toes", "below the feet"),
];

/// What the parts of a model are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roles {
    /// By whoever uses the model: they count before the model's own names.
    given: Vec<(&'static str, BodyId)>,
    bodies: Vec<(&'static str, BodyId)>,
    joints: Vec<(&'static str, Vec<JointId>)>,
    /// The feet of all legs, in the order of bodies.
    pub feet: Vec<BodyId>,
    /// Where each leg begins, and how far to the left of the others its sole is, m.
    pub legs: Vec<(BodyId, f64)>,
    /// Where the model faces in its rest pose, rad from world x, counter-clockwise.
    pub facing: f64,
    /// For each body, from axes that are forward, left and up at rest to its own; `None`: they are its own.
    axes: Vec<Option<UnitQuaternion<f64>>>,
}

impl Roles {
    /// The body that has a role.
    pub fn body(&self, role: &str) -> Option<BodyId> {
        self.bodies.iter().find(|(name, _)| *name == role).map(|(_, body)| *body)
    }

    /// The joints of a role; `None` where nothing has this name.
    pub fn joints(&self, role: &str) -> Option<&[JointId]> {
        self.joints.iter().find(|(name, _)| *name == role).map(|(_, joints)| joints.as_slice())
    }

    /// All bodies with their roles, in the order of [`BODIES`].
    pub fn bodies(&self) -> impl Iterator<Item = (&'static str, BodyId)> {
        self.bodies.iter().copied()
    }

    /// Gives a role to a body; `false` where there is no such role.
    pub fn set_body(&mut self, role: &str, body: BodyId) -> bool {
        let Some(&(name, _)) = BODIES.iter().find(|(name, _)| *name == role) else { return false };
        self.bodies.retain(|(known, _)| *known != name);
        self.bodies.push((name, body));
        true
    }

    /// As [`Roles::set_body`], by whoever uses the model, also where the model has another body of that name.
    pub fn give_body(&mut self, role: &str, body: BodyId) -> bool {
        let is_role = self.set_body(role, body);
        self.given.extend(self.bodies.iter().copied().filter(|(name, _)| *name == role));
        is_role
    }

    /// The body that whoever uses the model gave a role.
    pub fn given_body(&self, role: &str) -> Option<BodyId> {
        self.given.iter().rev().find(|(name, _)| *name == role).map(|(_, body)| *body)
    }

    /// Gives a role to joints; `false` where there is no such role.
    pub fn set_joints(&mut self, role: &str, joints: Vec<JointId>) -> bool {
        let Some(&(name, _)) = JOINTS.iter().find(|(name, _)| *name == role) else { return false };
        self.joints.retain(|(known, _)| *known != name);
        self.joints.push((name, joints));
        true
    }

    /// From axes that are forward, left and up in the rest pose to a body's own; `None`: they are the same.
    pub fn axes(&self, body: BodyId) -> Option<&UnitQuaternion<f64>> {
        self.axes.get(body.0)?.as_ref()
    }
}

/// Puts a site of this name at a point of a body, m in body axes; its axes are forward, left and up in the rest pose.
pub fn set_point(model: &mut Model, role: &str, body: BodyId, position: Vector3<f64>) {
    model.sites.retain(|site| site.name != role);
    let orientation = model.roles.axes(body).copied().unwrap_or_default();
    let line = model.bodies[body.0].line;
    model.sites.push(Site { name: role.into(), body: Some(body), position, orientation, line });
}
