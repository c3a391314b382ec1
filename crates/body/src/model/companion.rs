//! Companion files: properties that a model file cannot have, in a file of the same name next to it with the
//! ending `.body.toml`.

use super::pad::{self, PadSpec};
use super::roles::{GivenRoles, RolePointSpec};
use super::{Joint, JointKind, Keyframe, Model, REST_KEYFRAMES};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_language::files::{self, Format};
use aplomb_math::extent;
use indexmap::IndexMap;
use serde::Deserialize;
use std::path::PathBuf;

/// Elements of MJCF that are rejected unless a file ignores them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unmodelled {
    /// Tendons with springs, limits or actuators.
    Tendon,
    /// Constraints between bodies or tendons, and couplings of joints that are not linear.
    Equality,
    /// Actuators that are muscles, or act on something other than a joint.
    Actuator,
}

impl Unmodelled {
    /// All kinds, with their names in files.
    pub const ALL: [(Unmodelled, &'static str); 3] = [
        (Unmodelled::Tendon, "tendon"),
        (Unmodelled::Equality, "equality"),
        (Unmodelled::Actuator, "actuator"),
    ];

    /// Name in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unmodelled::Tendon => "tendon",
            Unmodelled::Equality => "equality",
            Unmodelled::Actuator => "actuator",
        }
    }

    /// The kind of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(kind, _)| kind)
    }
}

/// How a model without a joint to the world is attached to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RootSpec {
    /// It moves freely, as if the file had a `<freejoint>`.
    Free,
}

/// The file beside a model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CompanionSpec {
    /// What is left out of the model although it changes how the body moves: `tendon`, `equality`,
    /// `actuator`.
    #[serde(default)]
    pub(crate) ignore: Vec<Spanned<String>>,
    /// Whether a body that lies in its rest pose stays so. Without it, one whose feet and head have names is
    /// turned until it stands.
    #[serde(default)]
    pub(crate) keep_lying: bool,
    /// `free`: a body that the file fixes to the world can move freely. Programs that load some models add
    /// that joint.
    pub(crate) root: Option<RootSpec>,
    /// Joint values of the pose in which the body stands, where those of zero are no such pose: `left_knee = 1.2`,
    /// rad or m. Other joints keep their values. Roles and the standing height are found in it.
    #[serde(default)]
    pub(crate) rest_pose: IndexMap<Spanned<String>, Spanned<f64>>,
    /// Bodies by their role: `chest = "torso_link"`.
    #[serde(default)]
    pub(crate) roles: IndexMap<Spanned<String>, Spanned<String>>,
    /// Joints by their role: `arms = ["left_elbow", "right_elbow"]`.
    #[serde(default)]
    pub(crate) role_joints: IndexMap<Spanned<String>, Vec<Spanned<String>>>,
    /// Points by their role: `left_sole = { body = "left_ankle", at = [0.03, 0, -0.05] }`, m in body axes.
    #[serde(default)]
    pub(crate) role_points: IndexMap<Spanned<String>, RolePointSpec>,
    /// Greatest rates of joints, instead of those of a URDF file: `left_knee = 12.0`, rad/s or m/s.
    #[serde(default)]
    pub(crate) velocity_limits: IndexMap<Spanned<String>, Spanned<f64>>,
    /// Soft layers outside the shapes of bodies and their descendants, such as soles: `left_foot = { depth = 0.015,
    /// time = 0.03 }`, m and s.
    #[serde(default)]
    pub(crate) pads: IndexMap<Spanned<String>, Spanned<PadSpec>>,
}

/// The companion file of a model, as the reader uses it.
#[derive(Clone, Debug, Default)]
pub struct Companion {
    /// Elements that are ignored.
    pub(crate) ignore: Vec<Unmodelled>,
    given: Option<(Source, CompanionSpec)>,
}

impl Companion {
    /// The companion of the model in `source`; empty if there is none.
    ///
    /// # Errors
    /// Errors in the file.
    pub(crate) fn beside(source: &Source) -> Result<Self, FileError> {
        let Some(path) = Self::path(source).filter(|path| path.is_file()) else { return Ok(Self::default()) };
        let unreadable = |why: String| FileError::new(source, 0..0, why);
        let mut found = files::open(&path).map_err(|missing| unreadable(missing.to_string()))?;
        let spec: CompanionSpec = files::read(&mut found, &[], &Format::default())?;
        let named = |name: &Spanned<String>| {
            Unmodelled::of_name(name.get_ref()).ok_or_else(|| {
                let wrong =
                    FileError::new(&found, name.span(), format!("nothing is called `{}`", name.get_ref()));
                wrong.suggest(name.get_ref(), Unmodelled::ALL.map(|(_, name)| name))
            })
        };
        let ignore = spec.ignore.iter().map(named).collect::<Result<_, _>>()?;
        Ok(Companion { ignore, given: Some((found, spec)) })
    }

    /// Whether a lying body is left lying.
    pub(crate) fn keeps_lying(&self) -> bool {
        self.given.as_ref().is_some_and(|(_, spec)| spec.keep_lying)
    }

    /// The root joint, if the file gives it.
    pub(crate) fn root(&self) -> Option<RootSpec> {
        self.given.as_ref().and_then(|(_, spec)| spec.root)
    }

    /// Gives a model the rest pose of the file, as the keyframe `rest`, with its lowest point on the ground if it
    /// moves freely.
    ///
    /// # Errors
    /// Joints that the model does not have, and values that they cannot have.
    pub(crate) fn pose(&self, model: &mut Model) -> Result<(), FileErrors> {
        let Some((source, spec)) = self.given.as_ref().filter(|(_, spec)| !spec.rest_pose.is_empty()) else {
            return Ok(());
        };
        let (mut q, mut errors) = (model.rest_configuration(), Vec::new());
        for (joint, value) in &spec.rest_pose {
            match posed(model, source, joint, value) {
                Ok(at) => q[at] = *value.get_ref(),
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Err(errors.into());
        }
        if model.is_floating() {
            q[2] -= model.lowest_point(&model.body_poses(&q));
        }
        model.keyframes.retain(|key| key.name != REST_KEYFRAMES[0]);
        model.keyframes.push(Keyframe { name: REST_KEYFRAMES[0].to_owned(), q });
        Ok(())
    }

    /// Assigns the roles, limits and pads of the file to the parts of a model.
    ///
    /// # Errors
    /// Unknown roles, parts that the model does not have, and invalid limits and pads.
    pub(crate) fn assign(&self, model: &mut Model) -> Result<(), FileErrors> {
        let Some((source, spec)) = &self.given else { return Ok(()) };
        let CompanionSpec { roles: bodies, role_joints: joints, role_points: points, .. } = spec;
        let mut errors = match (GivenRoles { source, bodies, joints, points }).assign(model) {
            Ok(()) => Vec::new(),
            Err(errors) => errors.into_iter().collect(),
        };
        for (joint, limit) in &spec.velocity_limits {
            errors.extend(limit_velocity(model, source, joint, limit).err());
        }
        errors.extend(pad::give(model, source, &spec.pads));
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    }

    /// Path of the companion file, whether it exists or not; `None` for a model that is not a file.
    pub fn path(source: &Source) -> Option<PathBuf> {
        source.path.as_ref().map(|path| path.with_extension("body.toml"))
    }
}

fn limit_velocity(
    model: &mut Model,
    source: &Source,
    joint: &Spanned<String>,
    limit: &Spanned<f64>,
) -> Result<(), FileError> {
    if !(*limit.get_ref() > 0.0 && limit.get_ref().is_finite()) {
        let message = format!("the limit of a velocity is more than 0, not {}", limit.get_ref());
        return Err(FileError::new(source, limit.span(), message));
    }
    let coordinate = single(model, source, joint)?.v_index;
    model.velocity_limits[coordinate] = *limit.get_ref();
    Ok(())
}

/// Place in the configuration of a joint that may have this value.
fn posed(
    model: &Model,
    source: &Source,
    joint: &Spanned<String>,
    value: &Spanned<f64>,
) -> Result<usize, FileError> {
    let (found, angle) = (single(model, source, joint)?, *value.get_ref());
    let [low, high] = found.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    if !extent::is_usable(angle) || angle < low || angle > high {
        let wrong =
            FileError::new(source, value.span(), format!("`{}` cannot be at {angle}", joint.get_ref()));
        return Err(match found.range {
            Some(_) => wrong.help(format!("its range is {low:.4} to {high:.4}")),
            None => wrong,
        });
    }
    Ok(found.q_index)
}

/// The hinge or slide of this name.
fn single<'a>(model: &'a Model, source: &Source, joint: &Spanned<String>) -> Result<&'a Joint, FileError> {
    let is_single = |joint: &&Joint| matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slide { .. });
    let singles = || model.joints.iter().filter(is_single);
    singles().find(|known| known.name == *joint.get_ref()).ok_or_else(|| {
        let message = format!("no hinge or slide is called `{}`", joint.get_ref());
        let wrong = FileError::new(source, joint.span(), message);
        wrong.suggest(joint.get_ref(), singles().map(|joint| joint.name.as_str()))
    })
}
