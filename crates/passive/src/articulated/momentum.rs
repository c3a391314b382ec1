//! Momentum of a floating body over a step with contact.

use super::Articulated;
use aplomb_body::dynamics::half_step::floats_as_one;
use aplomb_body::dynamics::momentum;
use aplomb_body::model::state::rotation;
use aplomb_body::model::{JointKind, Model};
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// What the forces of a step make of a body's momentum.
#[derive(Clone, Copy, Debug)]
pub(super) struct MomentumAhead {
    /// Momentum at the beginning of the step: linear, and angular about the world's origin.
    present: Force,
    /// Its rate under all forces of the step, N and N m.
    rate: Force,
    /// Half the rate of that rate, N m/s: the weight acts at a centre of mass that moves.
    bend: Vector3<f64>,
}

/// Whether only external forces change the momentum of a body whose parts move against each other.
pub(super) fn is_kept(model: &Model) -> bool {
    model.bodies.len() > 1 && floats_as_one(model)
}

impl Articulated {
    /// Computes what the forces of the coming step make of the momentum. Its poses and velocities are the present ones.
    pub(super) fn look_ahead_at_momentum(&mut self, gravity: &Vector3<f64>) {
        self.momentum_ahead = (self.keeps_momentum && self.held && !self.is_kinematic).then(|| {
            let weight = gravity * self.kinematics.total_inertia.mass;
            MomentumAhead {
                present: momentum::momentum(&self.kinematics),
                rate: momentum::momentum_rate(&self.model, &self.kinematics, &self.acceleration),
                bend: 0.5 * momentum::com_velocity(&self.kinematics).cross(&weight),
            }
        });
    }

    /// Moves the whole body so that its momentum after a step of `h` seconds is what the forces made of it. A step with
    /// contact gives it to first order in h only, because it turns the limbs and changes their velocities at once.
    /// Joint rates are unchanged.
    pub(super) fn keep_momentum(&mut self, h: f64) {
        let Some(MomentumAhead { present, rate, bend }) = self.momentum_ahead else { return };
        let missing = present + rate * h + Force::new(bend * (h * h), Vector3::zeros())
            - momentum::momentum(&self.kinematics);
        let whole = &self.kinematics.total_inertia;
        let com = whole.centre();
        let Some(inverse) = whole.about(&com).rotational.try_inverse() else { return };
        let linear = missing.force / whole.mass;
        let angular = inverse * missing.moment_about(&com);
        for joint in self.model.joints.iter().filter(|joint| joint.kind == JointKind::Free) {
            let (q, v) = (&self.next.q[joint.q_index..], &mut self.next.v[joint.v_index..]);
            let origin = Vector3::from_column_slice(&q[..3]);
            let linear = linear + angular.cross(&(origin - com));
            let angular = rotation(&q[3..7]).inverse() * angular;
            for k in 0..3 {
                v[k] += linear[k];
                v[3 + k] += angular[k];
            }
        }
        self.kinematics.update_velocity(&self.model, &self.next.v);
    }
}
