//! Roles: the parts of a body, such as chest, feet and arms, by which controllers run on any body.
//!
//! A name that the model itself has denotes that part. Any other name is looked up here: in the companion
//! file ([`super::companion`]), else in the result of `detect`, from the tree, the shapes and the rest
//! pose.

mod detect;
mod doubts;
mod given;
mod hinges;
mod limbs;
mod names;
mod points;
mod soles;
mod stand_up;
mod tree;

#[cfg(test)]
mod tests;

pub use detect::detect;
pub use doubts::{doubts, lying_trunk};
pub use given::{GivenRoles, RoleBodies, RoleJoints, RolePointSpec, RolePoints};
pub use names::side_of_name;
pub(crate) use names::words as words_of_name;
pub use stand_up::{StoodUp, stand_up};

use super::{BodyId, JointId, Model, Site};
use nalgebra::{UnitQuaternion, Vector3};

/// Roles of bodies, with descriptions.
pub const BODIES: [(&str, &str); 15] = [
    ("chest", "what carries the arms; the trunk of a body without arms"),
    ("pelvis", "what the legs hang on"),
    ("head", "the highest part on the chest; the chest where there is none"),
    ("left_thigh", "where the left leg begins"),
    ("right_thigh", "where the right leg begins"),
    ("left_foot", "what the left leg stands on, of four legs the left one in front"),
    ("right_foot", "what the right leg stands on, of four legs the right one in front"),
    ("left_front_foot", "what the left one in front of four legs stands on"),
    ("right_front_foot", "what the right one in front of four legs stands on"),
    ("left_hind_foot", "what the left one behind of four legs stands on"),
    ("right_hind_foot", "what the right one behind of four legs stands on"),
    ("left_upper_arm", "where the left arm begins"),
    ("right_upper_arm", "where the right arm begins"),
    ("left_hand", "the end of the left arm, without fingers"),
    ("right_hand", "the end of the right arm, without fingers"),
];

/// Roles of points, with descriptions. A model without a site of the name gets one.
pub const POINTS: [(&str, &str); 10] = [
    ("left_sole", "the middle of what touches the ground under the left foot"),
    ("right_sole", "the middle of what touches the ground under the right foot"),
    ("left_front_sole", "the middle of what touches the ground under the left front foot of four"),
    ("right_front_sole", "the middle of what touches the ground under the right front foot of four"),
    ("left_hind_sole", "the middle of what touches the ground under the left hind foot of four"),
    ("right_hind_sole", "the middle of what touches the ground under the right hind foot of four"),
    ("left_toe_tip", "the foremost of what touches the ground under the left foot"),
    ("right_toe_tip", "the foremost of what touches the ground under the right foot"),
    ("left_palm", "a site of the left hand for what it holds, else the middle of its shapes"),
    ("right_palm", "a site of the right hand for what it holds, else the middle of its shapes"),
];

/// Roles of sets of joints, with descriptions.
pub const JOINTS: [(&str, &str); 7] = [
    ("arms", "everything in both arms"),
    ("neck", "between chest and head"),
    ("back", "between pelvis and chest"),
    ("lower_back", "of the back, those of the body on the pelvis"),
    ("upper_back", "of the back, the others"),
    ("legs", "from the pelvis to the feet"),
    ("toes", "below the feet"),
];

/// Roles of single hinges, with descriptions. Angles in these roles follow the right-hand rule about the
/// forward (x), left (y) or up (z) direction of the rest pose; those of knees and elbows are positive where
/// the end of a straight, hanging limb moves backward. A body may lack any of them.
pub const HINGES: [(&str, &str); 27] = [
    ("left_hip_x", "about forward: outward"),
    ("left_hip_y", "about left: backward"),
    ("left_hip_z", "about up: outward"),
    ("left_knee", "bends the left leg"),
    ("left_ankle_x", "about forward"),
    ("left_ankle_y", "about left: points the foot down"),
    ("left_toe", "about left: points the toes down"),
    ("left_shoulder_x", "about forward: outward"),
    ("left_shoulder_y", "about left: backward"),
    ("left_shoulder_z", "about up: outward"),
    ("left_elbow", "stretches the left arm"),
    ("left_wrist", "about forward"),
    ("right_hip_x", "about forward: inward"),
    ("right_hip_y", "about left: backward"),
    ("right_hip_z", "about up: inward"),
    ("right_knee", "bends the right leg"),
    ("right_ankle_x", "about forward"),
    ("right_ankle_y", "about left: points the foot down"),
    ("right_toe", "about left: points the toes down"),
    ("right_shoulder_x", "about forward: inward"),
    ("right_shoulder_y", "about left: backward"),
    ("right_shoulder_z", "about up: inward"),
    ("right_elbow", "stretches the right arm"),
    ("right_wrist", "about forward"),
    ("lower_back_x", "of the lower back, about forward"),
    ("lower_back_y", "of the lower back, about left: bends forward"),
    ("lower_back_z", "of the lower back, about up"),
];

/// Roles of the parts of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roles {
    /// Roles that the user gives: they have precedence over the model's own names.
    given: Vec<(&'static str, BodyId)>,
    bodies: Vec<(&'static str, BodyId)>,
    joints: Vec<(&'static str, Vec<JointId>)>,
    /// Hinges by role, with the sign of their angle.
    hinges: Vec<(&'static str, JointId, f64)>,
    /// Sites by role, where their names differ.
    points: Vec<(&'static str, usize)>,
    /// The feet of all legs, in the order of bodies.
    pub feet: Vec<BodyId>,
    /// All legs.
    pub legs: Vec<LegRole>,
    /// Direction that the model faces in its rest pose, rad from world x, counter-clockwise.
    pub facing: f64,
    /// For each body, rotation from axes that are forward, left and up at rest to its own; `None` for the
    /// identity.
    axes: Vec<Option<UnitQuaternion<f64>>>,
}

/// Geometry of a leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegRole {
    /// First body of the leg.
    pub top: BodyId,
    /// Distance of its sole to the left of the centre of all soles at rest, m.
    pub across: f64,
    /// The hinge about which the leg swings forward and backward: a body, and a point in its axes, m.
    pub hip: (BodyId, Vector3<f64>),
    /// Ankle: the foot, and a point in its axes, m.
    pub ankle: (BodyId, Vector3<f64>),
    /// Length from hip to ankle of the straight leg, m.
    pub length: f64,
    /// Displacement from the hip to the centre of its sole at rest, forward and to the left, m.
    pub stance: [f64; 2],
}

impl Roles {
    /// The body with a role.
    pub fn body(&self, role: &str) -> Option<BodyId> {
        self.bodies.iter().find(|(name, _)| *name == role).map(|(_, body)| *body)
    }

    /// The joints with a role, empty if the body has none of them; `None` for an unknown role.
    pub fn joints(&self, role: &str) -> Option<Vec<JointId>> {
        if let Some((_, joints)) = self.joints.iter().find(|(name, _)| *name == role) {
            return Some(joints.clone());
        }
        let is_role = JOINTS.iter().chain(&HINGES).any(|(name, _)| *name == role);
        is_role.then(|| self.hinge(role).map(|(joint, _)| joint).into_iter().collect())
    }

    /// The hinge with a role, and the sign of its own angle relative to that of the role.
    pub fn hinge(&self, role: &str) -> Option<(JointId, f64)> {
        let found = self.hinges.iter().find(|(name, ..)| *name == role);
        found.map(|(_, joint, sign)| (*joint, *sign))
    }

    /// The site with a role.
    pub fn point(&self, role: &str) -> Option<usize> {
        self.points.iter().find(|(name, _)| *name == role).map(|(_, site)| *site)
    }

    /// All sites with their roles, by their index in the model.
    pub fn points(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.points.iter().copied()
    }

    /// All bodies with their roles, in the order of [`BODIES`].
    pub fn bodies(&self) -> impl Iterator<Item = (&'static str, BodyId)> {
        self.bodies.iter().copied()
    }

    /// Assigns a role to a body; `false` for an unknown role.
    pub fn set_body(&mut self, role: &str, body: BodyId) -> bool {
        let Some(&(name, _)) = BODIES.iter().find(|(name, _)| *name == role) else { return false };
        self.bodies.retain(|(known, _)| *known != name);
        self.bodies.push((name, body));
        true
    }

    /// Like [`Roles::set_body`], for a role that the user gives, which has precedence over the model's own
    /// names.
    pub fn give_body(&mut self, role: &str, body: BodyId) -> bool {
        let before = self.body(role);
        let is_role = self.set_body(role, body);
        if is_role && role.ends_with("_foot") && !self.feet.contains(&body) {
            self.feet.retain(|foot| Some(*foot) != before);
            self.feet.push(body);
            self.feet.sort_unstable();
        }
        self.given.extend(self.bodies.iter().copied().filter(|(name, _)| *name == role));
        is_role
    }

    /// The body to which the user gave a role.
    pub fn given_body(&self, role: &str) -> Option<BodyId> {
        self.given.iter().rev().find(|(name, _)| *name == role).map(|(_, body)| *body)
    }

    /// Assigns a role to joints; `false` for an unknown role.
    pub fn set_joints(&mut self, role: &str, joints: Vec<JointId>) -> bool {
        let Some(&(name, _)) = JOINTS.iter().find(|(name, _)| *name == role) else { return false };
        self.joints.retain(|(known, _)| *known != name);
        self.joints.push((name, joints));
        true
    }

    /// Assigns a role to a hinge; `sign` is that of its own angle relative to that of the role. `false` for
    /// an unknown role.
    pub fn set_hinge(&mut self, role: &str, joint: JointId, sign: f64) -> bool {
        let Some(&(name, _)) = HINGES.iter().find(|(name, _)| *name == role) else { return false };
        self.hinges.retain(|(known, ..)| *known != name);
        self.hinges.push((name, joint, sign));
        true
    }

    /// Assigns a role to a site of another name; `false` for an unknown role.
    pub fn set_point(&mut self, role: &str, site: usize) -> bool {
        let Some(&(name, _)) = POINTS.iter().find(|(name, _)| *name == role) else { return false };
        self.points.retain(|(known, _)| *known != name);
        self.points.push((name, site));
        true
    }

    /// Rotation from axes that are forward, left and up in the rest pose to a body's own; `None` for the
    /// identity.
    pub fn axes(&self, body: BodyId) -> Option<&UnitQuaternion<f64>> {
        self.axes.get(body.0)?.as_ref()
    }
}

/// Adds a site of this name at a point of a body, m in body axes; its axes are forward, left and up in the
/// rest pose.
pub fn set_point(model: &mut Model, role: &str, body: BodyId, position: Vector3<f64>) {
    let orientation = model.roles.axes(body).copied().unwrap_or_default();
    let line = model.bodies[body.0].line;
    let site =
        Site { name: role.into(), body: Some(body), position, orientation, radius: Site::USUAL_RADIUS, line };
    // A replaced site keeps its index, because other elements refer to it.
    match model.sites.iter_mut().find(|site| site.name == role) {
        Some(own) => *own = site,
        None => model.sites.push(site),
    }
}
