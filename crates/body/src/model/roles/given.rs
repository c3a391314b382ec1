//! Roles given by a companion file or a scene.

use super::{BODIES, HINGES, JOINTS, POINTS, set_point};
use crate::model::{BodyId, JointId, Model};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use indexmap::IndexMap;
use serde::Deserialize;

/// A point of a body.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolePointSpec {
    /// The body it is on.
    pub body: Spanned<String>,
    /// In body axes, m.
    pub at: [f64; 3],
}

/// Bodies by their role.
pub type RoleBodies = IndexMap<Spanned<String>, Spanned<String>>;
/// Joints by their role.
pub type RoleJoints = IndexMap<Spanned<String>, Vec<Spanned<String>>>;
/// Points by their role.
pub type RolePoints = IndexMap<Spanned<String>, RolePointSpec>;

/// The roles of a file.
#[derive(Clone, Copy, Debug)]
pub struct GivenRoles<'a> {
    /// Text of the file.
    pub source: &'a Source,
    /// Bodies by their role, such as `chest = "torso_link"`.
    pub bodies: &'a RoleBodies,
    /// Joints by their role, such as `arms = ["left_elbow", "right_elbow"]`; a hinge of opposite sign has a `-` in
    /// front.
    pub joints: &'a RoleJoints,
    /// Points by their role, such as `left_sole = { body = "left_ankle", at = [0.03, 0, -0.05] }`.
    pub points: &'a RolePoints,
}

impl GivenRoles<'_> {
    /// Assigns these roles to the parts of a model.
    ///
    /// # Errors
    /// Unknown roles, and parts that the model does not have.
    pub fn assign(&self, model: &mut Model) -> Result<(), FileErrors> {
        let mut errors = Vec::new();
        for (role, name) in self.bodies {
            match self.body(model, name) {
                Ok(body) if model.roles.give_body(role.get_ref(), body) => {}
                Ok(_) => errors.push(self.no_role(role, BODIES.iter().map(|(name, _)| *name))),
                Err(error) => errors.push(error),
            }
        }
        for (role, names) in self.joints {
            errors.extend(self.assign_joints(model, role, names).err());
        }
        for (role, point) in self.points {
            match self.body(model, &point.body) {
                Ok(body) if POINTS.iter().any(|(name, _)| name == role.get_ref()) => {
                    set_point(model, role.get_ref(), body, point.at.into());
                }
                Ok(_) => errors.push(self.no_role(role, POINTS.iter().map(|(name, _)| *name))),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    }

    fn assign_joints(
        &self,
        model: &mut Model,
        role: &Spanned<String>,
        names: &[Spanned<String>],
    ) -> Result<(), FileError> {
        let is_hinge = HINGES.iter().any(|(name, _)| name == role.get_ref());
        let mut joints = Vec::new();
        for name in names {
            let turned = name.get_ref().strip_prefix('-').filter(|_| is_hinge);
            joints.push((self.joint(model, name, turned)?, if turned.is_some() { -1.0 } else { 1.0 }));
        }
        if let (true, [(joint, sign)]) = (is_hinge, joints.as_slice()) {
            model.roles.set_hinge(role.get_ref(), *joint, *sign);
            return Ok(());
        }
        if is_hinge {
            let message = format!("`{}` is one joint, not {}", role.get_ref(), joints.len());
            return Err(FileError::new(self.source, role.span(), message));
        }
        let joints = joints.into_iter().map(|(joint, _)| joint).collect();
        if model.roles.set_joints(role.get_ref(), joints) {
            return Ok(());
        }
        Err(self.no_role(role, JOINTS.iter().chain(&HINGES).map(|(name, _)| *name)))
    }

    fn unknown(&self, name: &Spanned<String>, what: &str) -> FileError {
        FileError::new(self.source, name.span(), format!("there is no {what} `{}`", name.get_ref()))
    }

    fn no_role(&self, role: &Spanned<String>, known: impl Iterator<Item = &'static str>) -> FileError {
        self.unknown(role, "role").suggest(role.get_ref(), known)
    }

    fn body(&self, model: &Model, name: &Spanned<String>) -> Result<BodyId, FileError> {
        let bodies = model.bodies.iter().map(|body| body.name.as_str());
        let missing = || self.unknown(name, "body").suggest(name.get_ref(), bodies);
        model.body(name.get_ref()).ok_or_else(missing)
    }

    /// The joint with a name; `turned` is the name without a sign in front.
    fn joint(
        &self,
        model: &Model,
        name: &Spanned<String>,
        turned: Option<&str>,
    ) -> Result<JointId, FileError> {
        let word = turned.unwrap_or(name.get_ref());
        let known = model.joints.iter().map(|joint| joint.name.as_str());
        model.joint(word).ok_or_else(|| self.unknown(name, "joint").suggest(word, known))
    }
}
