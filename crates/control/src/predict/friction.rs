//! Dry friction of joints (Coulomb's law): the branch of the law that each joint is on in the frame.
//!
//! A joint without an actuator either slides, with its full friction against the motion, or is stuck by at most that
//! friction. In a joint with an actuator, which decides whether the joint moves, friction is proportional to the rate
//! up to [`SLOW`] and full beyond it. Both laws only dissipate energy. A check ensures that each branch is that of
//! the solution (`synthesis/check/dry_friction.rs`).

use super::{Linearisation, Prediction};
use crate::snapshot::Snapshot;
use aplomb_body::model::Model;

/// Rate from which on the dry friction of a joint with an actuator is full, rad/s or m/s.
pub const SLOW: f64 = 0.05;
/// Rate up to which a joint without an actuator begins a frame stuck, rad/s or m/s.
const STILL: f64 = 1e-9;

/// A branch of the law of dry friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionMode {
    /// Full friction against a motion of this sign.
    Sliding(f64),
    /// The joint does not move.
    Stuck,
    /// In a joint with an actuator: the share v⁺/[`SLOW`] of the friction, against the motion.
    Slow,
    /// No friction for now, because the joint could not be stuck.
    Loose,
    /// No friction in this frame.
    Absent,
}

/// Dry friction of one joint, including that of the joints that follow it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointFriction {
    /// Velocity coordinate.
    pub(crate) coordinate: usize,
    /// Largest friction torque or force, N m or N.
    pub(crate) limit: f64,
    /// Branch of the law in this frame.
    pub(crate) mode: FrictionMode,
}

impl JointFriction {
    /// Dry friction of all joints of a model that have it.
    pub(super) fn of(model: &Model) -> Vec<JointFriction> {
        let rough = model.dry_friction();
        rough
            .map(|(coordinate, limit)| JointFriction { coordinate, limit, mode: FrictionMode::Absent })
            .collect()
    }

    /// The branch at the beginning of a frame.
    fn first_mode(&self, model: &Model, now: &Snapshot, impact: bool) -> FrictionMode {
        let rate = now.state.v[self.coordinate];
        let has_motor = model.is_actuated[self.coordinate] && !now.limp;
        match has_motor {
            // In an impact the impulse of friction would be small, and the energy minimisation could not include it.
            true if impact => FrictionMode::Absent,
            true if rate.abs() <= SLOW => FrictionMode::Slow,
            false if rate.abs() <= STILL => match beyond_range(model, now, self.coordinate) {
                0.0 => FrictionMode::Stuck,
                back => FrictionMode::Sliding(back),
            },
            _ => FrictionMode::Sliding(rate.signum()),
        }
    }

    /// Friction torque or force at `rate`; `reaction` is the residual of the equation of motion, which is the
    /// friction of a stuck joint.
    pub(crate) fn force(&self, rate: f64, reaction: f64) -> f64 {
        match self.mode {
            FrictionMode::Sliding(sign) => -self.limit * sign,
            FrictionMode::Slow => -self.limit * rate / SLOW,
            FrictionMode::Stuck => reaction,
            FrictionMode::Loose | FrictionMode::Absent => 0.0,
        }
    }
}

/// Direction back into its range for a joint beyond it; 0 within the range.
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
    /// Dry friction of the joints, with their branches in this frame.
    pub(crate) fn joint_friction(&self) -> &[JointFriction] {
        &self.joint_friction
    }

    /// Sets the branch of a joint's dry friction for this frame.
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

    /// Adds dry friction to the rows, τ = L − friction: an actuator must overcome it.
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

    /// Sets the rates of stuck joints to zero at `x`, independently of the solver.
    pub(crate) fn close_friction(&self, x: &mut [f64]) {
        for joint in self.joint_friction.iter().filter(|joint| joint.mode == FrictionMode::Stuck) {
            x[joint.coordinate] = 0.0;
        }
    }
}

impl Prediction<'_> {
    /// Whether dry friction keeps the joint of a coordinate from moving; the residual of its equation of
    /// motion is then the friction.
    pub(crate) fn is_stuck(&self, coordinate: usize) -> bool {
        let is_own = |joint: &JointFriction| joint.coordinate == coordinate;
        self.joint_friction().iter().any(|joint| is_own(joint) && joint.mode == FrictionMode::Stuck)
    }

    /// Dry friction of the joints.
    pub(crate) fn joint_friction(&self) -> &[JointFriction] {
        self.linearisation.joint_friction()
    }
}
