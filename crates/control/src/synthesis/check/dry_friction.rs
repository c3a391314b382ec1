//! Dry friction of joints: it opposes their motion, or keeps them still with no more than there is of it (Coulomb's law, by
//! complementarity).
//!
//! Looks at the branch of the law that each joint was solved with. One that is stuck by more than its friction slides the way
//! it is pushed; one that would turn round is stuck; one that could not be stuck and moves slides; in a joint with a
//! motor friction is all there from a rate on and proportional below. It may six times; then what is still wrong has
//! none in this frame, so that friction never drives.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::predict::{FrictionMode, JointFriction, Prediction, SLOW};
use crate::synthesis::CheckName;
use aplomb_body::model::Model;
use aplomb_math::kernel::dot;

/// Times in one frame that joints go on to another branch.
const MOST_BRANCHES: u32 = 6;
/// Reaction of a stuck joint that is too much, as a share of its friction.
const EXCESS: f64 = 1e-6;
/// Rate that counts as none, rad/s or m/s.
const RATE: f64 = 1e-9;

pub const CHECK: Check = Check { name: CheckName::DryFriction, inspect };

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

/// Whether it pushes the way the joint goes.
fn drives(joint: &JointFriction, rate: f64) -> bool {
    joint.force(rate, 0.0) * rate > 0.0
}

/// The branch that a joint belongs on which ends the frame with a rate and leaves so much torque to friction where it is
/// stuck; `None` where that is its own.
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
