//! Dry friction of joints (Coulomb's law) in the frame: which of its branches holds for each joint.
//!
//! A joint without torque of its own slides, with all its friction against its motion, or is stuck by no more than its friction.
//! In one with a motor, which decides whether it moves, friction is proportional to the rate up to [`SLOW`] and all of it
//! beyond. Neither does work but against motion. A check sees to it that each branch is that of the solution
//! (`synthesis/check/dry_friction.rs`).

use super::{Linearisation, Prediction};
use crate::snapshot::Snapshot;
use aplomb_body::model::Model;

/// Rate from which on dry friction is all there in joints that have a motor, rad/s or m/s.
pub const SLOW: f64 = 0.05;
/// Rate up to which a joint without torque begins a frame as stuck, rad/s or m/s.
const STILL: f64 = 1e-9;

/// A branch of the law of dry friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionMode {
    /// All of it, against a motion of this sign.
    Sliding(f64),
    /// The joint does not move.
    Stuck,
    /// In a joint with a motor: the share v⁺/[`SLOW`] of it, against the motion.
    Slow,
    /// None yet: the joint could not be stuck.
    Loose,
    /// None in this frame.
    Absent,
}

/// Dry friction of one joint, with that of joints that follow it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// Velocity coordinate.
    pub coordinate: usize,
    /// Greatest torque or force, N m or N.
    pub limit: f64,
    /// What holds in this frame.
    pub mode: FrictionMode,
}

impl JointFriction {
    /// Of all joints of a model that have it.
    pub(super) fn of(model: &Model) -> Vec<JointFriction> {
        let rough = model.dry_friction();
        rough
            .map(|(coordinate, limit)| JointFriction { coordinate, limit, mode: FrictionMode::Absent })
            .collect()
    }

    /// The mode that a frame begins with.
    fn first_mode(&self, model: &Model, now: &Snapshot, impact: bool) -> FrictionMode {
        let rate = now.state.v[self.coordinate];
        let has_motor = model.is_actuated[self.coordinate] && !now.limp;
        match has_motor {
            // What it could do in a frame is little beside an impact, and would not go with least energy.
            true if impact => FrictionMode::Absent,
            true if rate.abs() <= SLOW => FrictionMode::Slow,
            false if rate.abs() <= STILL => match beyond_range(model, now, self.coordinate) {
                0.0 => FrictionMode::Stuck,
                back => FrictionMode::Sliding(back),
            },
            _ => FrictionMode::Sliding(rate.signum()),
        }
    }

    /// Torque or force at the rate `rate`; `reaction` is what is left for friction where the joint is stuck.
    pub fn force(&self, rate: f64, reaction: f64) -> f64 {
        match self.mode {
            FrictionMode::Sliding(sign) => -self.limit * sign,
            FrictionMode::Slow => -self.limit * rate / SLOW,
            FrictionMode::Stuck => reaction,
            FrictionMode::Loose | FrictionMode::Absent => 0.0,
        }
    }
}

/// The way back into its range of a joint that is beyond; 0 where it is within.
fn beyond_range(model: &Model, now: &Snapshot, coordinate: usize) -> f64 {
    let limits = super::limited_coordinates(model, &now.state.q);
    let mut own = limits.filter(|(limited, ..)| *limited == coordinate);
    own.next().map_or(0.0, |(_, q, [low, high])| match q {
        q if q < low => 1.0,
        q if q > high => -1.0,
        _ => 0.0,
    })
}

impl Linearisation {
    /// Dry friction of the joints, with what holds in this frame.
    pub fn joint_friction(&self) -> &[JointFriction] {
        &self.joint_friction
    }

    /// Another mode of a joint's friction, in this frame.
    pub fn rub(&mut self, coordinate: usize, mode: FrictionMode) {
        let mut own = self.joint_friction.iter_mut().filter(|joint| joint.coordinate == coordinate);
        if let Some(joint) = own.next() {
            joint.mode = mode;
        }
    }

    pub(super) fn lay_out_friction(&mut self, model: &Model, now: &Snapshot) {
        for joint in &mut self.joint_friction {
            joint.mode = joint.first_mode(model, now, self.impact);
        }
    }

    /// τ = L − friction: a motor has to overcome it.
    pub(super) fn add_friction(&mut self) {
        for joint in &self.joint_friction {
            let k = joint.coordinate;
            match joint.mode {
                FrictionMode::Sliding(sign) => self.lagrangian_constant[k] += joint.limit * sign,
                FrictionMode::Slow => self.lagrangian.row_mut(k)[k] += joint.limit / SLOW,
                FrictionMode::Stuck | FrictionMode::Loose | FrictionMode::Absent => {}
            }
        }
    }

    /// Stuck joints do not move at `x`, whatever the solver.
    pub fn close_friction(&self, x: &mut [f64]) {
        for joint in self.joint_friction.iter().filter(|joint| joint.mode == FrictionMode::Stuck) {
            x[joint.coordinate] = 0.0;
        }
    }
}

impl Prediction<'_> {
    /// Whether dry friction keeps the joint of a coordinate from moving; what its equation of motion leaves is then the
    /// friction.
    pub fn is_stuck(&self, coordinate: usize) -> bool {
        let is_own = |joint: &JointFriction| joint.coordinate == coordinate;
        self.joint_friction().iter().any(|joint| is_own(joint) && joint.mode == FrictionMode::Stuck)
    }

    /// Dry friction of the joints.
    pub fn joint_friction(&self) -> &[JointFriction] {
        self.linearisation.joint_friction()
    }
}
