//! Joint values that are given by name.

use super::{JointKind, Model};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, Source};
use indexmap::IndexMap;

/// Why a value cannot be given to a joint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointValueError {
    /// No joint has this name.
    #[error("there is no joint `{0}`")]
    Unknown(String),
    /// The joint of this name has more than one coordinate.
    #[error("`{0}` has no single angle")]
    NoSingleValue(String),
    /// The value lies outside the joint's range.
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
    /// Puts the value (rad or m) of a joint with one coordinate into the configuration `q`.
    ///
    /// # Errors
    /// A name that no joint has, a joint with more than one coordinate, and a value outside the joint's range.
    pub fn set_joint(&self, name: &str, value: f64, q: &mut [f64]) -> Result<(), JointValueError> {
        let joint = self.joint(name).map(|id| &self.joints[id.0]);
        let joint = joint.ok_or_else(|| JointValueError::Unknown(name.into()))?;
        match (joint.kind, joint.range) {
            (JointKind::Free | JointKind::Ball, _) => Err(JointValueError::NoSingleValue(name.into())),
            (_, Some(range)) if !(range[0]..=range[1]).contains(&value) => {
                Err(JointValueError::OutOfRange { joint: name.into(), value, range })
            }
            _ => {
                q[joint.q_index] = value;
                Ok(())
            }
        }
    }
}

impl JointValueError {
    /// The error as a mistake in the file that gives `name` the `value`.
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
            JointValueError::OutOfRange { range: [low, high], .. } => {
                let help = format!("it goes from {low} to {high}");
                FileError::new(source, value.span(), self.to_string()).help(help)
            }
        }
    }
}

/// Puts the values (rad or m, by joint) that `source` gives into the configuration, and says what is wrong with
/// the others.
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

/// Puts the rates (rad/s or m/s, by joint) that `source` gives into the velocity, and says what is wrong with the
/// others.
pub fn set_rates(
    model: &Model,
    rates: &IndexMap<Spanned<String>, Spanned<f64>>,
    source: &Source,
    v: &mut [f64],
    errors: &mut Vec<FileError>,
) {
    for (name, value) in rates {
        match model.joint(name.get_ref()).map(|id| &model.joints[id.0]) {
            None => errors.push(unknown_joint(model, name, source)),
            Some(joint) if joint.kind.nv() == 1 => v[joint.v_index] = *value.get_ref(),
            Some(joint) => {
                let message = format!("`{}` has no single rate", joint.name);
                errors.push(FileError::new(source, name.span(), message));
            }
        }
    }
}

fn unknown_joint(model: &Model, name: &Spanned<String>, source: &Source) -> FileError {
    let message = format!("there is no joint `{}`", name.get_ref());
    let known = model.joints.iter().map(|joint| joint.name.as_str());
    FileError::new(source, name.span(), message).suggest(name.get_ref(), known)
}
