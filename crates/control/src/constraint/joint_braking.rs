//! Joints slow down before their limits, instead of reaching them at full speed, and respect the speed limits of the
//! model.

use super::{Constraint, ConstraintKind};
use crate::objective::Now;
use crate::predict::{Prediction, limited_coordinates};
use aplomb_qp::Qp;

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "joint_braking",
    about: "Joints slow down before their limits (`joint_limit_response`) and keep to their velocity limits, as far \
            as torques can do it.",
    make: |setting| {
        let response = setting.joint_limit_response;
        let has_limits = setting.model.velocity_limits.iter().any(|limit| limit.is_finite());
        (response > 0.0 || has_limits).then(|| Box::new(JointBraking { response }) as Box<dyn Constraint>)
    },
};

/// v⁺ ≤ (d − dt v⁺)/T, that is v⁺ ≤ d/(T + dt), towards each limit of a hinge or slide, where d is the
/// distance to it: d decays with time constant T or slower, as in [Faverjon and Tournassoud 1987]. A joint
/// that is faster, because of an external force, slows down at twice that rate: v⁺ ≤ v (1 − 2 dt/T). A joint
/// that is faster than the model's maximal speed obeys `|v⁺| ≤ max(v_max, |v| (1 − 2 dt/T))`.
///
/// It bounds motion that the joint torques must produce. It does not apply to frames in which they cannot: for a
/// ragdoll, in an impact, and while a reaction delay holds the torques. The joint limit then stops the joint.
#[doc(alias = "velocity damper")]
pub(crate) struct JointBraking {
    /// Time constant T, in s for a body of the reference height; 0 for no braking: joints reach their limits at any
    /// speed.
    pub(crate) response: f64,
}

impl Constraint for JointBraking {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        if now.limp || next.is_impact() {
            return;
        }
        let (dt, time) = (now.scales.dt, self.response * now.scales.time());
        let left_of_speed = if time > 0.0 { (1.0 - 2.0 * dt / time).max(0.0) } else { 0.0 };
        for (coordinate, &limit) in now.model.velocity_limits.iter().enumerate() {
            if limit.is_finite() && next.brakes(coordinate) {
                let fastest = limit.max(now.state.v[coordinate].abs() * left_of_speed);
                qp.upper[coordinate] = qp.upper[coordinate].min(fastest);
                qp.lower[coordinate] = qp.lower[coordinate].max(-fastest);
            }
        }
        if self.response == 0.0 {
            return;
        }
        for (coordinate, q, [low, high]) in limited_coordinates(next.model(), &now.state.q) {
            let is_held = next.is_held(coordinate, 1.0) || next.is_held(coordinate, -1.0);
            if is_held || !next.brakes(coordinate) {
                continue;
            }
            let v = now.state.v[coordinate];
            let fastest = |way: f64, towards: f64| (way.max(0.0) / (time + dt)).max(towards * left_of_speed);
            qp.upper[coordinate] = qp.upper[coordinate].min(fastest(high - q, v));
            qp.lower[coordinate] = qp.lower[coordinate].max(-fastest(q - low, -v));
        }
    }
}
