//! Whether unloaded limbs return to the rest pose, and when.

use super::Settling;
use aplomb_body::model::{JointKind, Model};
use aplomb_trace::{Frame, Outcome};

/// Distance from the rest pose below which a joint is at rest, rad or m.
const SETTLED: f64 = 0.1;

/// Tracks the joints of a run.
pub(super) struct Joints {
    rest: Vec<f64>,
    /// Time at which each joint was last away from the rest pose, s.
    away: Vec<f64>,
    /// Bodies between the root and the bodies that carried load in the last frame.
    bearing: Vec<bool>,
}

impl Joints {
    pub(super) fn new(model: &Model) -> Self {
        Joints {
            rest: model.rest_configuration(),
            away: vec![f64::NEG_INFINITY; model.joints.len()],
            bearing: vec![false; model.bodies.len()],
        }
    }

    pub(super) fn add(&mut self, model: &Model, frame: &Frame) {
        for (joint, away) in model.joints.iter().zip(&mut self.away) {
            if (frame.q[joint.q_index] - self.rest[joint.q_index]).abs() > SETTLED {
                *away = frame.time;
            }
        }
        if frame.has_forces() && !matches!(frame.outcome, Outcome::Failed { .. }) {
            self.bearing.fill(false);
            for contact in &frame.contacts {
                let mut body = model.body(&contact.body);
                while let Some(on_the_way) = body {
                    self.bearing[on_the_way.0] = true;
                    body = model.bodies[on_the_way.0].parent;
                }
            }
        }
    }

    /// Settling of the hinges and slides of limbs that are unloaded at the end; `since`: time of the last
    /// disturbance, s.
    pub(super) fn finish(self, model: &Model, last: &Frame, since: f64) -> Option<Settling> {
        let is_free = |body: usize| !self.bearing[body];
        let joints = model.joints.iter().zip(&self.away).filter(|(joint, _)| {
            matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slide { .. }) && is_free(joint.body.0)
        });
        let mut farthest: Option<(f64, &str)> = None;
        let mut settled_at = since;
        for (joint, away) in joints {
            let error = (last.q[joint.q_index] - self.rest[joint.q_index]).abs();
            if farthest.is_none_or(|(most, _)| error > most) {
                farthest = Some((error, &joint.name));
            }
            settled_at = settled_at.max(*away);
        }
        let (pose_error, joint) = farthest?;
        let time = (pose_error <= SETTLED).then_some(settled_at - since);
        Some(Settling { since, time, pose_error, joint: joint.into() })
    }
}
