//! Joints of a system that follow others: their rates keep a ratio.

use super::{Articulated, ConstraintJacobian, Gains, Row};
use aplomb_body::model::{Coupling, Model};
use nalgebra::Vector3;

/// Time in which a tenth is left of an error, critically damped, s: that of joints that close loops.
const SETTLE: f64 = 0.05;

/// A joint that follows another, or is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointCoupling {
    /// Index of the system.
    pub system: usize,
    /// Which joint follows which.
    pub coupling: Coupling,
    /// Torque or force of the last step on the joint that follows, N m or N; −ratio times that acts on the other.
    pub force: f64,
    pub(super) row: Option<usize>,
}

impl JointCoupling {
    /// Of all joints of a model that follow others.
    pub fn of(system: usize, model: &Model) -> impl Iterator<Item = JointCoupling> {
        model.couplings.iter().map(move |&coupling| JointCoupling { system, coupling, force: 0.0, row: None })
    }

    /// The constraint whose function is v_F − ratio v_L.
    pub fn row(&self, system: &Articulated) -> Row {
        let (follower, leader) = self.coupling.coordinates(&system.model);
        let own = ConstraintJacobian::coordinate(&system.model, follower);
        let other = leader.map(|leader| {
            let weights = Vector3::x() * self.coupling.ratio;
            let body = system.model.dof_body[leader];
            (self.system, ConstraintJacobian::Joint { body, first: leader, weights })
        });
        Row { pulls: [Some((self.system, own)), other] }
    }

    /// The function's acceleration with which an error dies out.
    pub(super) fn wanted(&self, system: &Articulated) -> f64 {
        let Articulated { model, state, .. } = system;
        let (error, rate) = (self.coupling.error(model, &state.q), self.coupling.of_rates(model, &state.v));
        Gains::settling(SETTLE).acceleration(-error, -rate)
    }
}
