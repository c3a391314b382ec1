//! The end of a frame without a solution: passive forward dynamics.

use aplomb_body::dynamics::half_step::floats_as_one;
use aplomb_body::dynamics::{CouplingForces, ForwardDynamics, MomentumClosure, implicit_passive_forces};
use aplomb_body::model::scales::Scales;
use aplomb_body::model::{Joint, Model};
use aplomb_control::predict::{ExternalForce, SLOW};
use aplomb_control::snapshot::Snapshot;
use aplomb_math::spatial::Force;

/// Bound on the rate of every joint at the end of a failed frame, rad/s or m/s; the rates of a free root follow
/// from the balances of momentum.
pub const FALLBACK_SPEED: f64 = 30.0;
/// Number of coordinates of a free root.
const FREE_ROOT: usize = 6;

/// Forward dynamics under the last torques, springs, dampers and external forces, without contacts; keeps its working
/// memory. If the root is one free joint, only gravity and external forces change the momentum of the body, whatever
/// the bound on joint rates removes.
pub(super) struct Fallback {
    dynamics: ForwardDynamics,
    couplings: CouplingForces,
    torque: Vec<f64>,
    inertia: Vec<f64>,
    force: Vec<Force>,
    acceleration: Vec<f64>,
    /// `None` if the root is not a free joint, or has springs or dampers.
    closure: Option<MomentumClosure>,
}

impl Fallback {
    pub(super) fn new(model: &Model) -> Self {
        Fallback {
            dynamics: ForwardDynamics::new(model),
            couplings: CouplingForces::new(model),
            torque: vec![0.0; model.nv],
            inertia: vec![0.0; model.nv],
            force: vec![Force::default(); model.bodies.len()],
            acceleration: vec![0.0; model.nv],
            closure: has_free_root(model).then(|| MomentumClosure::new(model)),
        }
    }

    /// Working memory for momenta; `None` for a body whose root is not a single free joint.
    pub(super) fn closure(&mut self) -> Option<&mut MomentumClosure> {
        self.closure.as_mut()
    }

    /// v⁺ = v + t q̈ with (M + t D + t dt K/4) q̈ = τ − k (q − q₀) − d v − h(q, v) + Σ Jᵀ f, bounded and finite. t is
    /// the step's turning time: its length dt, if the previous step was as long. Mimic joints follow the joints they
    /// are coupled to. Springs and dampers are implicit, because a stiff one would diverge otherwise. If a rate
    /// reaches the bound, the root's part is then that with which the momenta P and L over the frame are P⁻ + t (m
    /// g + Σ f) and L⁻ + t Σ ((p − c) × f + n).
    pub(super) fn fall(&mut self, model: &Model, snapshot: &mut Snapshot, pushes: &[ExternalForce]) {
        let Scales { dt, before, .. } = snapshot.scales;
        let (time, steps) = (snapshot.scales.turning_time(), snapshot.scales.turning_steps());
        self.drive(model, snapshot);
        let Fallback { dynamics, couplings, torque, inertia, force, acceleration, closure } = self;
        force.fill(Force::default());
        for push in pushes.iter().map(|push| push.over(steps)) {
            force[push.body.0] += Force::at_point(&push.point, push.force, push.torque);
        }
        let wanted = closure.as_mut().map(|closure| {
            let outside = force.iter().copied().sum::<Force>().about(&snapshot.com);
            let given = Force::new(outside.moment, outside.force + snapshot.gravity * snapshot.scales.mass);
            let initial = closure.initial(model, &snapshot.kinematics, &snapshot.state, before * dt);
            initial * (1.0 / before) + given * (dt * time)
        });
        dynamics.factor(model, &snapshot.kinematics, inertia);
        dynamics.accelerate(model, &snapshot.kinematics, torque, &snapshot.gravity, force, acceleration);
        couplings.hold(model, dynamics, [&snapshot.state.q, &snapshot.state.v], [dt, time], acceleration);
        let free = if closure.is_some() { FREE_ROOT } else { 0 };
        let mut is_cut = false;
        for (index, (v, a)) in snapshot.state.v.iter_mut().zip(acceleration).enumerate() {
            let next = *v + time * *a;
            *v = match next.is_finite() {
                true if index < free => next,
                true => next.clamp(-FALLBACK_SPEED, FALLBACK_SPEED),
                false => 0.0,
            };
            is_cut |= *v != next || next.abs() >= FALLBACK_SPEED;
        }
        for coupling in &model.couplings {
            let off = coupling.of_rates(model, &snapshot.state.v);
            let wanted = coupling.return_rate(model, &snapshot.state.q, dt);
            snapshot.state.v[coupling.coordinates(model).0] += wanted - off;
        }
        if let (true, Some(closure), Some(wanted)) = (is_cut, closure, wanted) {
            let Snapshot { kinematics, state, com, .. } = snapshot;
            closure.begin(model, kinematics);
            let reached = closure.reached(model, kinematics, &state.q, &state.v, dt);
            let root = closure.close(model, kinematics, com, dt, [&reached, &wanted]);
            if root.iter().all(|rate| rate.is_finite()) {
                state.v[..root.len()].copy_from_slice(root.as_slice());
            }
        }
    }

    /// Sets the torques of actuators, springs, dampers and dry friction, and the inertia that these add.
    fn drive(&mut self, model: &Model, snapshot: &mut Snapshot) {
        let Fallback { torque, inertia, .. } = self;
        let (dt, steps) = (snapshot.scales.dt, snapshot.scales.turning_steps());
        // Torques of frames with momentum balances may exceed the limits of actuators.
        for (torque, [low, high]) in snapshot.last_torque.iter_mut().zip(&model.torque_limits) {
            *torque = torque.clamp(*low, *high);
        }
        torque.copy_from_slice(&snapshot.last_torque);
        for (index, passive) in implicit_passive_forces(model, &snapshot.state, dt).enumerate() {
            torque[index] += passive.force;
            inertia[index] = steps * passive.inertia;
        }
        // Dry friction is replaced by the damper of equal torque at the current rate, which cannot add
        // energy.
        for (coordinate, limit) in model.dry_friction() {
            let rate = snapshot.state.v[coordinate];
            let damping = limit / rate.abs().max(SLOW);
            torque[coordinate] -= damping * rate;
            inertia[coordinate] += snapshot.scales.turning_time() * damping;
        }
    }
}

fn has_free_root(model: &Model) -> bool {
    let is_held =
        |joint: &Joint| model.is_root(joint.v_index) && (joint.damping != 0.0 || joint.stiffness != 0.0);
    floats_as_one(model) && !model.joints.iter().any(is_held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_body::contact::Contacts;
    use aplomb_body::model::mjcf;
    use aplomb_body::model::state::{self, State};
    use aplomb_language::diagnostic::Source;
    use nalgebra::Vector3;

    /// Rates after a failed frame of 10 ms under these torques.
    fn fallen(model: &Model, torque: [f64; 2], rates: [f64; 2]) -> Vec<f64> {
        let state = State { q: model.rest_configuration(), v: rates.to_vec(), time: 0.0 };
        let contacts = Contacts::new(model, Vec::new(), 1.0);
        let mut snapshot = Snapshot::new(model, Scales::new(model, 0.01), Vector3::zeros(), contacts, state);
        snapshot.update(model);
        snapshot.last_torque.copy_from_slice(&torque);
        Fallback::new(model).fall(model, &mut snapshot, &[]);
        snapshot.state.v
    }

    fn slides(first: &str, besides: &str) -> Model {
        let text = format!(
            "<mujoco><worldbody><body><joint name=\"a\" type=\"slide\" axis=\"1 0 0\" {first}/><geom size=\"0.1\" \
             mass=\"2\"/></body><body><joint name=\"b\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\" mass=\"3\"/>\
             </body></worldbody>{besides}</mujoco>"
        );
        mjcf::read(&Source::new("m.xml", text)).unwrap()
    }

    #[test]
    fn joints_that_follow_others_do_where_a_frame_fails() {
        let coupling = "<equality><joint joint1='b' joint2='a' polycoef='0.1 -0.5'/></equality>";
        let v = fallen(&slides("", coupling), [4.0, 0.0], [1.5, -0.75]);
        // 4 N on 2 kg and, at half its rate, 3 kg.
        let end = 1.5 + 0.01 * 4.0 / (2.0 + 0.25 * 3.0);
        assert!((v[0] - end).abs() < 1e-12 && (v[1] + 0.5 * v[0]).abs() < 1e-15, "{v:?}, not {end} m/s");
    }

    #[test]
    fn a_body_whose_joints_are_flung_falls_as_gravity_has_it() {
        let text = "<mujoco><worldbody><body><freejoint/><geom size='0.2' mass='5'/><body pos='0.3 0 0'>\
                    <joint name='hip' type='hinge' axis='0 1 0'/>\
                    <geom type='capsule' fromto='0 0 0 0.5 0 0' size='0.05' mass='2'/>\
                    </body></body></worldbody></mujoco>";
        let model = mjcf::read(&Source::new("m.xml", text)).unwrap();
        let state = State { q: model.rest_configuration(), v: vec![0.0; model.nv], time: 0.0 };
        let (gravity, dt) = (Vector3::new(0.0, 0.0, -9.81), 0.01);
        let contacts = Contacts::new(&model, Vec::new(), 1.0);
        let mut snapshot = Snapshot::new(&model, Scales::new(&model, dt), gravity, contacts, state);
        snapshot.state.v[..3].copy_from_slice(&[1.0, -0.5, 2.0]);
        snapshot.state.v[6] = 25.0;
        snapshot.last_torque[6] = 400.0;
        snapshot.update(&model);
        let mut fallback = Fallback::new(&model);
        let (mut before, mut com) = (None, snapshot.com);
        for frame in 0..20 {
            fallback.fall(&model, &mut snapshot, &[]);
            let step: Vec<f64> = snapshot.state.v.iter().map(|v| dt * v).collect();
            let from = snapshot.state.q.clone();
            state::integrate(&model, &from, &step, &mut snapshot.state.q);
            snapshot.update(&model);
            let way = snapshot.com - std::mem::replace(&mut com, snapshot.com);
            if let Some(before) = before.replace(way) {
                let off = (way - before - gravity * (dt * dt)).norm();
                assert!(off < 1e-12, "frame {frame}: {off} m");
            }
            assert!(snapshot.state.v[6].abs() <= FALLBACK_SPEED);
        }
    }

    #[test]
    fn dry_friction_slows_what_moves_and_turns_nothing_round_where_a_frame_fails() {
        let rough = slides("frictionloss=\"6\"", "");
        let v = fallen(&rough, [0.0, 0.0], [1.5, 1.0]);
        assert!((v[0] - 1.5 + 0.01 * 6.0 / 2.0).abs() < 1e-3 && v[1] == 1.0, "{v:?}");
        let v = fallen(&rough, [0.0, 0.0], [1e-3, 0.0]);
        assert!(v[0] > 0.0 && v[0] < 1e-3, "{v:?}");
    }

    #[test]
    fn a_damped_spring_moves_as_the_average_acceleration_has_it_however_stiff_it_is() {
        for (stiffness, damping) in [(0.0, 0.0), (3.0, 0.5), (1e5, 0.0), (0.0, 1e4)] {
            let text = format!(
                "<mujoco><worldbody><body><joint name=\"k\" type=\"slide\" axis=\"1 0 0\" stiffness=\"{stiffness}\" \
                 springref=\"0.28\" damping=\"{damping}\"/><geom size=\"0.1\" mass=\"2\"/></body></worldbody></mujoco>"
            );
            let model = mjcf::read(&Source::new("m.xml", text)).unwrap();
            let dt = 0.01;
            let scales = Scales::new(&model, dt);
            let state = State { q: vec![0.3], v: vec![1.5], time: 0.0 };
            let contacts = Contacts::new(&model, Vec::new(), 1.0);
            let mut snapshot = Snapshot::new(&model, scales, Vector3::zeros(), contacts, state);
            snapshot.update(&model);
            snapshot.last_torque[0] = 4.0;
            Fallback::new(&model).fall(&model, &mut snapshot, &[]);
            // 2 (v⁺ − v)/dt = 4 − k (q + dt (v⁺ − v)/4 − 0.28) − d v⁺
            let added = 0.25 * dt * dt * stiffness;
            let end = ((2.0 + added) * 1.5 + dt * (4.0 - stiffness * 0.02)) / (2.0 + dt * damping + added);
            let v = snapshot.state.v[0];
            assert!((v - end).abs() < 1e-12 * (1.0 + end.abs()), "{v} m/s, not {end} m/s");
        }
    }
}
