//! Joint angles towards a pose.

use super::{Binder, JointName, Now, Objective, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{Motion, Scalar, ScalarField};
use crate::model::{Joint, JointKind};
use crate::predict::Prediction;
use indexmap::IndexMap;
use serde::Deserialize;

/// r = q⁺ − target of the chosen hinges and slides, rad or m.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pose {
    /// Joints it holds for; all when left out. Joints that `angles` names come on top.
    #[serde(default)]
    joints: Option<Vec<JointName>>,
    /// Targets, rad or m; joints not named go to the rest pose.
    #[serde(default)]
    angles: IndexMap<JointName, ScalarField>,
    /// Feed the angles' rates and accelerations forward instead of lagging behind them. Where it is left out, angles of `time`,
    /// `state_time` or keyframes alone are followed.
    follow: Option<bool>,
}

enum Target {
    Rest,
    Given { angle: Scalar, follow: bool },
}

struct Bound {
    /// Index in q, velocity coordinate, target.
    joints: Vec<(usize, usize, Target)>,
}

impl Pose {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        let mut joints: Vec<(usize, usize, Target)> = Vec::new();
        let mut given = Vec::new();
        for (name, angle) in &self.angles {
            let joint = binder.hinge_or_slide(name)?;
            given.push(joint.v_index);
            let angle = angle.bind(binder.source, binder.names)?;
            let follow = self.follow.unwrap_or(angle.is_of_time());
            let target = Target::Given { angle, follow };
            joints.push((joint.q_index, joint.v_index, target));
        }
        let has_angle =
            |joint: &Joint| matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slide { .. });
        if self.joints.is_some() || self.angles.is_empty() {
            for id in binder.joints(self.joints.as_deref(), false)? {
                let joint = &binder.model.joints[id.0];
                if has_angle(joint) && !given.contains(&joint.v_index) {
                    joints.push((joint.q_index, joint.v_index, Target::Rest));
                }
            }
        }
        joints.sort_by_key(|(_, coordinate, _)| *coordinate);
        Ok(Bound { joints })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let errors = self.joints.iter().map(|(q, coordinate, target)| {
            let goal = match target {
                Target::Rest => now.rest[*q],
                Target::Given { angle, .. } => angle.value(now.values),
            };
            (*coordinate, now.state.q[*q] - goal)
        });
        let residual = Residual::position(next.coordinates(errors));
        if self.follows().is_none() {
            return Some(residual);
        }
        let motions = self.joints.iter().map(|(_, _, target)| match target {
            Target::Given { angle, follow: true } => now.motion_of_number(angle),
            _ => Motion::default(),
        });
        Some(residual.moving(next, motions))
    }

    fn follows(&self) -> Option<&'static str> {
        let follows = |target: &Target| matches!(target, Target::Given { follow: true, .. });
        self.joints.iter().any(|(_, _, target)| follows(target)).then_some("rad")
    }
}
