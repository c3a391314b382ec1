//! Joint angles towards a pose.

use super::{
    Binder, BoundObjective, Evaluated, JointName, Now, Objective, Residual, Statement, Subject, Target,
    Tracked, aim,
};
use crate::predict::Prediction;
use aplomb_body::model::{Joint, JointId, JointKind, Model};
use aplomb_language::diagnostic::{FileError, Source, Warning};
use aplomb_language::expression::{Scalar, ScalarField};
use indexmap::IndexMap;
use serde::Deserialize;
use std::f64::consts::TAU;
use std::ops::Range;

/// r = q⁺ − target of the selected hinges and slides, rad or m.
#[doc(alias = "posture task")]
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// Targets, at most one for each joint.
    pub joints: Vec<JointTarget>,
}

/// Target of one joint.
#[derive(Clone, Copy, Debug)]
pub struct JointTarget {
    /// A hinge or a slide; other joints, which have no single angle, are ignored.
    pub joint: JointId,
    /// Target angle or displacement, rad or m.
    pub target: Target<f64>,
}

impl Objective for Pose {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let joints = || {
            let joints = self.joints.iter().map(|goal| (&now.model.joints[goal.joint.0], goal.target));
            joints.filter(|(joint, _)| has_angle(joint))
        };
        let errors =
            joints().map(|(joint, target)| (joint.v_index, now.state.q[joint.q_index] - target.value));
        let residual = Residual::position(next.coordinates(errors));
        if self.follows().is_none() {
            return Some(residual);
        }
        Some(residual.moving(next, joints().map(|(_, target)| target.rates.unwrap_or_default())))
    }

    fn follows(&self) -> Option<&'static str> {
        self.joints.iter().any(|joint| joint.target.is_followed()).then_some("rad")
    }

    fn subject(&self, model: &Model) -> Option<Subject> {
        Some(Subject::joints(model, self.joints.iter().map(|goal| goal.joint)))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        pairs.extend(aim::joints(self, now.model).map(|(index, target)| [target, now.state.q[index]]));
        Some(())
    }

    fn joint_targets(&self) -> &[JointTarget] {
        &self.joints
    }
}

fn has_angle(joint: &Joint) -> bool {
    matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slide { .. })
}

/// r = q⁺ − target of the chosen hinges and slides, rad or m.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PoseSpec {
    /// Joints, or roles of joints, that it applies to; default: all. Joints named in `angles` are added.
    #[serde(default)]
    joints: Option<Vec<JointName>>,
    /// Targets by joint or role of a hinge, rad or m; the target of other joints is the rest pose.
    #[serde(default)]
    angles: IndexMap<JointName, ScalarField>,
    /// Feed the angles' rates and accelerations forward, which avoids a lag. Default: `true` for angles that
    /// depend only on `time`, `state_time` or keyframes.
    follow: Option<bool>,
}

impl PoseSpec {
    /// The objective as written in its file.
    pub fn statement(&self, source: &Source) -> Statement {
        Statement {
            angles: self
                .angles
                .iter()
                .map(|(name, angle)| (name.clone(), angle.written_as(source)))
                .collect(),
            follow: self.follow,
            ..Statement::default()
        }
    }

    /// Warnings about settings that are valid but probably not intended for this body: angles in degrees, joints
    /// without an actuator.
    pub fn warnings(&self, source: &Source, model: &Model) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |rule: &'static str, span: Range<usize>, message: String, help: String| {
            warnings.push(Warning(FileError::new(source, span, message).help(help).rule(rule)));
        };
        let is_driven = |joint: &Joint| {
            let leader = model.couplings.iter().find_map(|coupling| {
                let (follower, leader) = coupling.coordinates(model);
                leader.filter(|_| follower == joint.v_index)
            });
            model.is_actuated[leader.unwrap_or(joint.v_index)]
        };
        for (name, angle) in &self.angles {
            let Some((id, _)) = model.hinge(name.get_ref()) else { continue };
            let joint = &model.joints[id.0];
            if let (JointKind::Hinge { .. }, Some(value)) = (joint.kind, angle.plain())
                && value.abs() > TAU
            {
                let message = format!("{value} rad is more than a whole turn");
                warn(
                    "angle-in-degrees",
                    angle.span(),
                    message,
                    format!("angles are in rad: {value}° is {:.4}", value.to_radians()),
                );
            }
        }
        let named = self.angles.keys().chain(self.joints.iter().flatten());
        for name in named {
            let joint = model.joints.iter().find(|joint| joint.name == *name.get_ref());
            if joint.is_some_and(|joint| has_angle(joint) && !is_driven(joint)) {
                let message = format!("joint `{name}` has no actuator: a pose cannot move it");
                warn(
                    "undriven-joint",
                    name.span(),
                    message,
                    "give it a <motor> in the body file, or leave it out here".into(),
                );
            }
        }
        warnings
    }

    /// Resolves the joints in the model.
    ///
    /// # Errors
    /// Joints that the model does not have, and angles that are not valid expressions.
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let model = binder.model;
        let mut joints: Vec<(JointId, BoundTarget)> = Vec::new();
        for (name, angle) in &self.angles {
            let angle = binder.number_target(angle, self.follow)?;
            // A role for which the body has no hinge has no row.
            if let Some((joint, sign)) = binder.hinge_or_slide(name)? {
                joints.push((joint, BoundTarget::Given { angle, sign }));
            }
        }
        if self.joints.is_some() || self.angles.is_empty() {
            let given = joints.len();
            for id in binder.joints(self.joints.as_deref(), false)? {
                let joint = &model.joints[id.0];
                // The leader of a coupled joint determines its angle, which may differ from that in the rest pose.
                let leader = model.coupling_of(id).map(|coupling| coupling.leader);
                let is_led = |(given, _): &(JointId, _)| *given == id || leader == Some(Some(*given));
                let follows = leader.is_some() && self.joints.is_none();
                if has_angle(joint) && !follows && !joints[..given].iter().any(is_led) {
                    joints.push((id, BoundTarget::Rest));
                }
            }
        }
        joints.sort_by_key(|(id, _)| model.joints[id.0].v_index);
        let follow = joints.iter().any(|(_, target)| target.is_followed());
        let subject = Subject::joints(model, joints.iter().map(|(joint, _)| *joint));
        let made = Evaluated::new(subject, move |before: Option<Pose>, values, now| {
            let mut list = before.map(|before| before.joints).unwrap_or_default();
            list.clear();
            list.extend(joints.iter().map(|(joint, target)| {
                let target = match target {
                    BoundTarget::Rest => Target::fixed(now.rest[now.model.joints[joint.0].q_index]),
                    BoundTarget::Given { angle, sign } => angle.at(values, now).times(*sign),
                };
                JointTarget { joint: *joint, target }
            }));
            Some(Pose { joints: list })
        });
        Ok(made.following(follow, "rad"))
    }
}

/// Target of a joint from a file.
enum BoundTarget {
    /// The angle in the rest pose.
    Rest,
    Given {
        /// Angle of the joint or of its role, rad or m.
        angle: Tracked<Scalar>,
        /// Sign of the joint's own angle relative to that of the role.
        sign: f64,
    },
}

impl BoundTarget {
    fn is_followed(&self) -> bool {
        matches!(self, BoundTarget::Given { angle: Tracked { follow: true, .. }, .. })
    }
}
