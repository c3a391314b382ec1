//! Joint values by name.

use super::{JointId, JointKind, Model};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use indexmap::IndexMap;

/// Why the value of a joint cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointValueError {
    /// No joint has this name.
    #[error("there is no joint `{0}`")]
    Unknown(String),
    /// The joint of this name has more than one coordinate.
    #[error("`{0}` has no single angle")]
    NoSingleValue(String),
    /// The joint follows another, or is held still.
    #[error("`{joint}` {}", following(.leader.as_deref()))]
    Follows {
        /// Name of the joint.
        joint: String,
        /// Name of its leader; `None` if it is held at a constant value.
        leader: Option<String>,
    },
    /// The value is outside the joint's range.
    #[error("{value} is outside the range of `{joint}`")]
    OutOfRange {
        /// Name of the joint.
        joint: String,
        /// The value given, rad or m.
        value: f64,
        /// Lower and upper limit, rad or m.
        range: [f64; 2],
    },
}

impl Model {
    /// Sets the value (rad or m) of a joint with one coordinate in the configuration `q`, and the values of
    /// joints that follow it.
    ///
    /// # Errors
    /// A name that no joint has, a joint with more than one coordinate or that follows another, and a value
    /// outside the joint's range.
    pub fn set_joint(&self, name: &str, value: f64, q: &mut [f64]) -> Result<(), JointValueError> {
        let id = self.joint(name).ok_or_else(|| JointValueError::Unknown(name.into()))?;
        let joint = &self.joints[id.0];
        match (joint.kind, joint.range) {
            _ if self.coupling_of(id).is_some() => {
                Err(JointValueError::Follows { joint: name.into(), leader: self.leader_name(id) })
            }
            (JointKind::Free | JointKind::Ball, _) => Err(JointValueError::NoSingleValue(name.into())),
            (_, Some(range)) if !(range[0]..=range[1]).contains(&value) => {
                Err(JointValueError::OutOfRange { joint: name.into(), value, range })
            }
            _ => {
                q[joint.q_index] = value;
                self.obey_couplings(q);
                Ok(())
            }
        }
    }

    /// Whether a joint is a hinge.
    fn turns(&self, name: &str) -> bool {
        let joint = self.joint(name).map(|id| self.joints[id.0].kind);
        matches!(joint, Some(JointKind::Hinge { .. }))
    }

    /// Name of the joint that a joint follows.
    fn leader_name(&self, joint: JointId) -> Option<String> {
        let leader = self.coupling_of(joint)?.leader?;
        Some(self.joints[leader.0].name.clone())
    }
}

impl JointValueError {
    /// The error in the file that gives `name` the `value`.
    pub fn in_file(
        &self,
        model: &Model,
        source: &Source,
        name: &Spanned<String>,
        value: &Spanned<f64>,
    ) -> FileError {
        match self {
            JointValueError::Unknown(_) => unknown_joint(model, name, source),
            JointValueError::NoSingleValue(_) => FileError::new(source, name.span(), self.to_string()),
            JointValueError::Follows { leader, .. } => {
                let error = FileError::new(source, name.span(), self.to_string());
                match leader {
                    Some(leader) => error.help(format!("give `{leader}` a value")),
                    None => error,
                }
            }
            JointValueError::OutOfRange { range: [low, high], .. } => {
                let mut help = format!("it goes from {low} to {high}");
                let (given, radians) = (*value.get_ref(), value.get_ref().to_radians());
                if model.turns(name.get_ref()) && (*low..=*high).contains(&radians) {
                    help += &format!(" rad; {given}° are {radians:.3}");
                }
                FileError::new(source, value.span(), self.to_string()).help(help)
            }
        }
    }
}

/// Sets the values (rad or m, by joint) that `source` gives in the configuration, and returns the errors in the
/// others.
pub fn set_pose(
    model: &Model,
    pose: &IndexMap<Spanned<String>, Spanned<f64>>,
    source: &Source,
    q: &mut [f64],
    errors: &mut Vec<FileError>,
) {
    for (name, value) in pose {
        if let Err(error) = model.set_joint(name.get_ref(), *value.get_ref(), q) {
            errors.push(error.in_file(model, source, name, value));
        }
    }
}

/// Sets the rates (rad/s or m/s, by joint) that `source` gives in the velocity, and returns the errors in the others.
pub fn set_rates(
    model: &Model,
    rates: &IndexMap<Spanned<String>, Spanned<f64>>,
    source: &Source,
    v: &mut [f64],
    errors: &mut Vec<FileError>,
) {
    for (name, value) in rates {
        let Some(id) = model.joint(name.get_ref()) else {
            errors.push(unknown_joint(model, name, source));
            continue;
        };
        match &model.joints[id.0] {
            joint if model.coupling_of(id).is_some() => {
                let (joint, leader) = (joint.name.clone(), model.leader_name(id));
                let error = JointValueError::Follows { joint, leader };
                errors.push(error.in_file(model, source, name, value));
            }
            joint if joint.kind.nv() == 1 => v[joint.v_index] = *value.get_ref(),
            joint => {
                let message = format!("`{}` has no single rate", joint.name);
                errors.push(FileError::new(source, name.span(), message));
            }
        }
    }
    model.obey_couplings_at(v);
}

/// Text for messages: the joint follows a leader, or the model holds it still.
fn following(leader: Option<&str>) -> String {
    leader.map_or("is held still by the model".into(), |leader| format!("follows `{leader}`"))
}

fn unknown_joint(model: &Model, name: &Spanned<String>, source: &Source) -> FileError {
    let message = format!("there is no joint `{}`", name.get_ref());
    let known = model.joints.iter().map(|joint| joint.name.as_str());
    FileError::new(source, name.span(), message).suggest(name.get_ref(), known)
}
