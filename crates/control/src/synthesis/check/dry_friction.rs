//! Dry friction of joints: it must oppose their motion, or keep them from moving within its limit (Coulomb's law, by
//! complementarity).
//!
//! Inspects the branch of the law on which each joint was solved. A stuck joint beyond its friction slides in
//! the direction of the push; a sliding one whose rate reverses is stuck; a loose one that moves slides; in a
//! joint with an actuator, friction is full above a threshold rate and proportional to the rate below it. At
//! most six times; then the remaining joints have no friction in this frame, so that friction never does
//! positive work.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::predict::{FrictionMode, JointFriction, Prediction, SLOW};
use crate::synthesis::CheckName;
use aplomb_body::model::Model;
use aplomb_math::kernel::dot;

/// Largest number of rounds in a frame.
const MOST_BRANCHES: u32 = 6;
/// Tolerance of a stuck joint's reaction, as a share of its friction.
const EXCESS: f64 = 1e-6;
/// Rates below this count as zero, rad/s or m/s.
const RATE: f64 = 1e-9;

pub(super) const CHECK: Check = Check { name: CheckName::DryFriction, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let (x, lines) = (&view.result.unknowns, view.linearisation);
    if lines.joint_friction().is_empty() {
        return;
    }
    let next = Prediction::new(view.model, view.snapshot, lines);
    let is_last = view.rounds.of(CheckName::DryFriction) >= MOST_BRANCHES;
    for joint in lines.joint_friction() {
        let rate = x[joint.coordinate];
        let (row, constant) = next.torque_row(joint.coordinate);
        let has_motor = has_motor(view.model, joint, view.snapshot.limp);
        let Some(mode) = wanted(joint, rate, dot(row, x) + constant, has_motor) else { continue };
        if !is_last {
            findings.push(Correction::Rub { coordinate: joint.coordinate, mode });
        } else if mode != FrictionMode::Slow || drives(joint, rate) {
            findings.cap();
            findings.push(Correction::Rub { coordinate: joint.coordinate, mode: FrictionMode::Absent });
        }
    }
}

fn has_motor(model: &Model, joint: &JointFriction, limp: bool) -> bool {
    model.is_actuated[joint.coordinate] && !limp
}

/// Whether friction acts in the direction of the joint's motion.
fn drives(joint: &JointFriction, rate: f64) -> bool {
    joint.force(rate, 0.0) * rate > 0.0
}

/// The branch of the law for a joint with this rate at the end of the frame, and this friction torque if it is stuck;
/// `None` if the joint is already on it.
fn wanted(joint: &JointFriction, rate: f64, reaction: f64, has_motor: bool) -> Option<FrictionMode> {
    match joint.mode {
        FrictionMode::Sliding(sign) if has_motor => (sign * rate < SLOW - RATE).then_some(FrictionMode::Slow),
        FrictionMode::Sliding(sign) => (sign * rate < -RATE).then_some(FrictionMode::Stuck),
        FrictionMode::Slow => (rate.abs() > SLOW + RATE).then_some(FrictionMode::Sliding(rate.signum())),
        FrictionMode::Stuck => (reaction.abs() > (1.0 + EXCESS) * joint.limit)
            .then_some(FrictionMode::Sliding(-reaction.signum())),
        FrictionMode::Loose => (rate.abs() > RATE).then_some(FrictionMode::Sliding(rate.signum())),
        FrictionMode::Absent => None,
    }
}
