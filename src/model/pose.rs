//! Joint values that a file gives by name.

use super::{JointKind, Model};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, Source};
use indexmap::IndexMap;

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
        let Some(joint) = model.joint(name.get_ref()).map(|id| &model.joints[id.0]) else {
            errors.push(unknown_joint(model, name, source));
            continue;
        };
        let value_of = *value.get_ref();
        match (joint.kind, joint.range) {
            (JointKind::Free | JointKind::Ball, _) => {
                let message = format!("`{}` has no single angle", joint.name);
                errors.push(FileError::new(source, name.span(), message));
            }
            (_, Some([low, high])) if !(low..=high).contains(&value_of) => {
                let message = format!("{value_of} is outside the range of `{}`", joint.name);
                let help = format!("it goes from {low} to {high}");
                errors.push(FileError::new(source, value.span(), message).help(help));
            }
            _ => q[joint.q_index] = value_of,
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
