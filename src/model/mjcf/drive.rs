//! What stands after the bodies: motors, which limit torques, and keyframes.

use super::element::{Element, shortened};
use super::names::Names;
use super::settings::{Settings, normalised};
use crate::language::diagnostic::FileError;
use crate::model::{JointKind, Keyframe, Model};

/// A motor's coordinate and the joint torque it can give, N m or N.
pub(super) fn read_motor(
    motor: Element,
    settings: &Settings,
    model: &Model,
) -> Result<(usize, [f64; 2]), FileError> {
    let attribute = motor.required("joint")?;
    let Some(joint) = model.joints.iter().find(|joint| joint.name == attribute.value) else {
        let wrong = shortened(attribute.value);
        let error = attribute.error(format!("unknown joint `{wrong}`"));
        return Err(error.suggest(&wrong, model.joints.iter().map(|joint| joint.name.as_str())));
    };
    if joint.kind.nv() != 1 {
        return Err(attribute.error("a motor drives a hinge or a slide"));
    }
    let gear = match motor.attribute("gear") {
        None => 1.0,
        Some(attribute) => attribute.numbers(1..=6)?[0],
    };
    const UNLIMITED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
    let input = settings.limits(&motor, "ctrlrange", "ctrllimited")?.unwrap_or(UNLIMITED);
    let [least, greatest] = settings.limits(&motor, "forcerange", "forcelimited")?.unwrap_or(UNLIMITED);
    let ends = input.map(|input| if gear == 0.0 { 0.0 } else { gear * input.clamp(least, greatest) });
    Ok((joint.v_index, [ends[0].min(ends[1]), ends[0].max(ends[1])]))
}

/// Reads a `<key>`.
pub(super) fn read_key(key: Element, names: &mut Names, model: &Model) -> Result<Keyframe, FileError> {
    let name = names.take(&key, || format!("key{}", model.keyframes.len()))?;
    let Some(qpos) = key.own("qpos") else { return Ok(Keyframe { name, q: model.neutral_configuration() }) };
    let mut q = qpos.numbers(model.nq..=model.nq)?;
    for joint in &model.joints {
        let at = match joint.kind {
            JointKind::Free => joint.q_index + 3,
            JointKind::Ball => joint.q_index,
            JointKind::Hinge { .. } | JointKind::Slide { .. } => continue,
        };
        let Some(unit) = normalised([q[at], q[at + 1], q[at + 2], q[at + 3]]) else {
            return Err(qpos.error(format!("the quaternion of joint `{}` has length zero", joint.name)));
        };
        q[at..at + 4].copy_from_slice(&[unit.w, unit.i, unit.j, unit.k]);
    }
    Ok(Keyframe { name, q })
}
