//! Actuators, which limit torques, and keyframes.

use super::defaults::{Defaults, MAIN};
use super::element::{Element, shortened};
use super::names::{ElementNames, Suffix};
use super::settings::{CompilerSettings, normalised};
use crate::model::xml::XmlNode;
use crate::model::{Joint, JointKind, Keyframe, Model};
use aplomb_language::diagnostic::FileError;

/// Limits of the torque on a velocity coordinate, N m or N.
pub(super) type DofLimits = (usize, [f64; 2]);

/// An interval without bounds.
const UNLIMITED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Attributes by which an actuator acts on something other than a joint.
const OTHER_TRANSMISSIONS: [&str; 5] = ["tendon", "site", "body", "slidersite", "cranksite"];

/// Whether the actuator is of a kind that is not modelled.
pub(super) fn is_unmodelled(actuator: &Element) -> bool {
    let by_muscle = |name| {
        actuator.attribute(name).is_some_and(|kind| matches!(kind.value, "muscle" | "user" | "dcmotor"))
    };
    !super::element::ACTUATORS.contains(&actuator.tag())
        || OTHER_TRANSMISSIONS.iter().any(|name| actuator.attribute(name).is_some())
        || by_muscle("gaintype")
        || by_muscle("biastype")
}

/// Coordinates that an actuator drives, and the bounds of the torques, N m or N.
///
/// # Errors
/// `None` if the joint is not in the model.
pub(super) fn read_actuator(
    actuator: Element,
    settings: &CompilerSettings,
    model: &Model,
    is_given: impl Fn(&str) -> bool,
) -> Result<Option<DofLimits>, FileError> {
    let attribute = match actuator.attribute("jointinparent") {
        Some(attribute) => attribute,
        None => actuator.required("joint")?,
    };
    let Some(joint) = model.joints.iter().find(|joint| joint.name == attribute.value) else {
        // The error in the joint has been reported.
        if is_given(attribute.value) {
            return Ok(None);
        }
        let wrong = shortened(attribute.value);
        let error = attribute.error(format!("unknown joint `{wrong}`"));
        return Err(error.suggest(&wrong, model.joints.iter().map(|joint| joint.name.as_str())));
    };
    let gears = actuator.attribute("gear").map_or(Ok(vec![1.0]), |gear| gear.numbers(1..=6))?;
    let (coordinate, gear) = match joint.kind {
        JointKind::Hinge { .. } | JointKind::Slide { .. } => (0, gears[0]),
        JointKind::Free => return Err(attribute.error("nothing drives a free joint")),
        JointKind::Ball => {
            let about: Vec<usize> = (0..gears.len().min(3)).filter(|&axis| gears[axis] != 0.0).collect();
            match about[..] {
                [axis] => (axis, gears[axis]),
                _ => {
                    return Err(
                        attribute.error("an actuator drives a ball joint about one axis of its `gear`")
                    );
                }
            }
        }
    };
    let servo = ActuatorLaw::read(&actuator)?;
    let input = servo.input(&actuator, settings, joint)?;
    let limits = settings.limits(&actuator, "forcerange", "forcelimited")?.unwrap_or(UNLIMITED);
    let length = match (joint.kind, joint.range) {
        (JointKind::Ball, _) | (_, None) => UNLIMITED,
        (_, Some(range)) => times(gear, range),
    };
    let force = servo.force(input, length).map(|force| force.clamp(limits[0], limits[1]));
    Ok(Some((joint.v_index + coordinate, times(gear, force))))
}

/// Force of an actuator at rest: gain · input + constant + slope · length.
struct ActuatorLaw {
    gain: f64,
    constant: f64,
    slope: f64,
    /// Attribute that limits its input.
    input_range: &'static str,
}

impl ActuatorLaw {
    fn read(actuator: &Element) -> Result<Self, FileError> {
        let numbers =
            |name: &str| actuator.attribute(name).map_or(Ok(Vec::new()), |given| given.numbers(1..=10));
        let nth = |numbers: &[f64], index: usize| numbers.get(index).copied().unwrap_or(0.0);
        let motor = ActuatorLaw { gain: 1.0, constant: 0.0, slope: 0.0, input_range: "ctrlrange" };
        let first_of_gain =
            || -> Result<f64, FileError> { Ok(numbers("gainprm")?.first().copied().unwrap_or(1.0)) };
        Ok(match actuator.tag() {
            "position" | "intvelocity" => {
                let gain = actuator.attribute("kp").map_or_else(first_of_gain, |kp| kp.number())?;
                let input_range = if actuator.tag() == "position" { "ctrlrange" } else { "actrange" };
                ActuatorLaw { gain, slope: -gain, input_range, ..motor }
            }
            "velocity" => {
                let gain = actuator.attribute("kv").map_or_else(first_of_gain, |kv| kv.number())?;
                ActuatorLaw { gain, ..motor }
            }
            "damper" => ActuatorLaw { gain: 0.0, ..motor },
            "cylinder" => {
                let area = match actuator.attribute("diameter") {
                    Some(diameter) => 0.25 * std::f64::consts::PI * diameter.number()?.powi(2),
                    None => actuator.number("area", 1.0)?,
                };
                let bias = numbers("bias")?;
                ActuatorLaw { gain: area, constant: nth(&bias, 0), slope: nth(&bias, 1), ..motor }
            }
            "general" => {
                let is_affine = actuator.keyword("gaintype", &["fixed", "affine"])? == "affine";
                let has_bias = actuator.keyword("biastype", &["none", "affine"])? == "affine";
                let gain = first_of_gain()?;
                if is_affine && nth(&numbers("gainprm")?, 1) != 0.0 {
                    return Err(actuator.error("a gain that depends on the position is not modelled"));
                }
                let bias = if has_bias { numbers("biasprm")? } else { Vec::new() };
                ActuatorLaw { gain, constant: nth(&bias, 0), slope: nth(&bias, 1), ..motor }
            }
            _ => motor,
        })
    }

    fn input(
        &self,
        actuator: &Element,
        settings: &CompilerSettings,
        joint: &Joint,
    ) -> Result<[f64; 2], FileError> {
        let limited = if self.input_range == "ctrlrange" { "ctrllimited" } else { "actlimited" };
        if let Some(limits) = settings.limits(actuator, self.input_range, limited)? {
            return Ok(limits);
        }
        let inherited = actuator.magnitude("inheritrange", 0.0)?;
        Ok(match joint.range {
            Some([low, high]) if inherited > 0.0 => {
                let (middle, half) = (0.5 * (low + high), 0.5 * inherited * (high - low));
                [middle - half, middle + half]
            }
            _ => UNLIMITED,
        })
    }

    /// Bounds of the force, N m or N.
    fn force(&self, input: [f64; 2], length: [f64; 2]) -> [f64; 2] {
        let (by_input, by_length) = (times(self.gain, input), times(self.slope, length));
        [0, 1].map(|end| match self.slope {
            0.0 => by_input[end] + self.constant,
            _ => by_input[end] + self.constant + by_length[end],
        })
    }
}

/// A scaled interval; 0 · ∞ counts as 0.
fn times(factor: f64, [low, high]: [f64; 2]) -> [f64; 2] {
    let scaled = [low, high].map(|end| if factor == 0.0 { 0.0 } else { factor * end });
    [scaled[0].min(scaled[1]), scaled[0].max(scaled[1])]
}

/// Reads a `<key>`; `skipped` are the indices of its configuration that belong to ignored bodies.
pub(super) fn read_key(
    key: Element,
    names: &mut ElementNames,
    model: &Model,
    skipped: &[std::ops::Range<usize>],
) -> Result<Keyframe, FileError> {
    let name = names.take(&key, &Suffix::default(), || format!("key{}", model.keyframes.len()))?;
    let Some(qpos) = key.own("qpos") else { return Ok(Keyframe { name, q: model.neutral_configuration() }) };
    let whole = model.nq + skipped.iter().map(ExactSizeIterator::len).sum::<usize>();
    let written = qpos.numbers(whole..=whole)?.into_iter().enumerate();
    let kept = written.filter(|(index, _)| !skipped.iter().any(|range| range.contains(index)));
    let mut q: Vec<f64> = kept.map(|(_, number)| number).collect();
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

/// Number of configuration numbers of a body and its subtree.
pub(super) fn count_configuration<'a>(
    body: XmlNode<'a>,
    defaults: &'a Defaults<'a>,
) -> Result<usize, FileError> {
    let mut count = 0;
    let mut waiting = vec![(body, MAIN)];
    while let Some((node, childclass)) = waiting.pop() {
        let element = Element::new(node);
        let childclass = defaults.class_named(&element, "childclass")?.unwrap_or(childclass);
        count += match element.tag() {
            "freejoint" => 7,
            "joint" => match defaults.apply(element, childclass)?.attribute("type").map(|kind| kind.value) {
                Some("free") => 7,
                Some("ball") => 4,
                _ => 1,
            },
            _ => 0,
        };
        waiting.extend(node.children().map(|child| (child, childclass)));
    }
    Ok(count)
}
