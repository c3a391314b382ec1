//! Springs at the joints of a ragdoll.

use crate::controller::{BadValue, SpringsSpec};
use aplomb_body::model::JointKind;
use aplomb_control::objective::{Binder, BoundObjective, Now};
use aplomb_language::diagnostic::{FileError, Place};
use aplomb_language::expression::Lookup;

/// Springs towards a pose, in a ragdoll state.
pub(crate) struct Springs {
    /// Stiffness k, N m/rad or N/m.
    stiffness: f64,
    /// k dt, N m s/rad.
    least_damping: f64,
    pose: Box<dyn BoundObjective>,
    place: Place,
}

impl Springs {
    /// Binds the springs of a state for frames of `dt` s.
    ///
    /// # Errors
    /// Joints that the model does not have, and a spring too stiff for joints with damping in the body's own file.
    pub(crate) fn bind(spec: &SpringsSpec, dt: f64, binder: &Binder<'_>) -> Result<Self, FileError> {
        let stiffness = *spec.stiffness.get_ref();
        let least_damping = stiffness * dt;
        let hinges = binder.model.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
        let own = hinges.map(|joint| joint.damping).filter(|damping| *damping > 0.0);
        let least = own.fold(f64::INFINITY, f64::min);
        if least_damping > least {
            let message = format!(
                "springs of {stiffness} N m/rad are too stiff for a joint with a damping of {least} N m s/rad"
            );
            let help = format!("in frames of {dt} s: `stiffness` of {:.4} or less", least / dt);
            return Err(FileError::new(binder.source, spec.stiffness.span(), message).help(help));
        }
        let place = binder.source.place(spec.stiffness.span().start);
        Ok(Springs { stiffness, least_damping, pose: Box::new(spec.pose.bind(binder)?), place })
    }

    /// Damping of a joint with these springs and its own damping `given`, N m s/rad. The torque is constant over a
    /// frame and the damper acts at its end: a joint of inertia I is stable for 4 I + 2 d dt ≥ 3 k dt², and therefore
    /// with d = 1.5 k dt for any inertia.
    pub(crate) fn damping(&self, given: f64) -> f64 {
        if given < self.least_damping { 1.5 * self.least_damping } else { given }
    }

    /// τ = k (q* − q − dt q̇) of the joints of the pose, within the model's torque limits if `is_limited`, and 0 of
    /// all others; nv numbers, N m or N. q and q̇ are those at the beginning of the frame, so that the torque
    /// corresponds to the joint's predicted position at the end of the frame.
    ///
    /// # Errors
    /// An angle that is not a number.
    pub(crate) fn torques(
        &mut self,
        values: &dyn Lookup,
        now: &Now<'_>,
        is_limited: bool,
        torque: &mut [f64],
    ) -> Result<(), BadValue> {
        let Now { model, snapshot } = now;
        torque.fill(0.0);
        let Some(pose) = self.pose.evaluate(values, now) else { return Ok(()) };
        for goal in pose.joint_targets() {
            let joint = &model.joints[goal.joint.0];
            let (coordinate, target) = (joint.v_index, goal.target.value);
            if !target.is_finite() {
                return Err(BadValue {
                    what: "angle",
                    objective: "springs".into(),
                    place: self.place.clone(),
                    value: target,
                    time: snapshot.state.time,
                });
            }
            if model.is_actuated[coordinate] {
                let (q, rate) = (snapshot.state.q[joint.q_index], snapshot.state.v[coordinate]);
                let pull = self.stiffness * (target - q - snapshot.scales.dt * rate);
                let [low, high] = model.torque_limits[coordinate];
                torque[coordinate] = if is_limited { pull.clamp(low, high) } else { pull };
            }
        }
        Ok(())
    }
}
