//! Coupled joints of a system: their rates keep a ratio.

use super::{Articulated, ConstraintJacobian, ConstraintRow, Gains};
use aplomb_body::model::{Coupling, Model};
use nalgebra::Vector3;

/// Time in which an error decays to a tenth, critically damped, s: the same as that of loop joints.
const SETTLE: f64 = 0.05;

/// A joint that follows another, or is held.
#[doc(alias = "mimic joint")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointCoupling {
    /// Index of the system.
    pub(crate) system: usize,
    /// The coupled joint and its leader.
    pub(crate) coupling: Coupling,
    /// Torque or force of the last step on the joint that follows, N m or N; −ratio times that acts on its
    /// leader.
    pub(crate) force: f64,
    pub(super) row: Option<usize>,
}

impl JointCoupling {
    /// All coupled joints of a model.
    pub(crate) fn of(system: usize, model: &Model) -> impl Iterator<Item = JointCoupling> {
        model.couplings.iter().map(move |&coupling| JointCoupling { system, coupling, force: 0.0, row: None })
    }

    /// The constraint whose function is v_F − ratio v_L.
    pub(crate) fn row(&self, system: &Articulated) -> ConstraintRow {
        let (follower, leader) = self.coupling.coordinates(&system.model);
        let own = ConstraintJacobian::coordinate(&system.model, follower);
        let other = leader.map(|leader| {
            let weights = Vector3::x() * self.coupling.ratio;
            let body = system.model.dof_body[leader];
            (self.system, ConstraintJacobian::Joint { body, first: leader, weights })
        });
        ConstraintRow { pulls: [Some((self.system, own)), other] }
    }

    /// The acceleration of the constraint function with which an error decays.
    pub(super) fn wanted(&self, system: &Articulated) -> f64 {
        let Articulated { model, state, .. } = system;
        let (error, rate) = (self.coupling.error(model, &state.q), self.coupling.of_rates(model, &state.v));
        Gains::settling(SETTLE).acceleration(-error, -rate)
    }
}
