//! One articulated body: its model, its state, and the memory of its algorithms.

use super::momentum::{self as kept, MomentumAhead};
use crate::Energy;
use crate::articulated::saved::SavedSystem;
use aplomb_body::dynamics::{AccelerationDeltas, ForwardDynamics, Kinematics, momentum};
use aplomb_body::model::state::{self, State, rotation};
use aplomb_body::model::{BodyId, Joint, JointKind, Model};
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// Relative change of the velocity below which it counts as centred.
const CENTRED: f64 = 1e-7;

/// Largest number of times that the velocity of free motion is centred in a step. Each centring reduces the
/// error of time symmetry, and with it the energy drift, by a factor of about h times the angular velocity;
/// slow motion needs one.
const CENTRINGS: usize = 4;
/// Relative change of the velocity from which on an iteration that changes it more than the one before has diverged.
const DIVERGING: f64 = 1e-3;

/// Inertia that slows the hinges of a calmed system, as a share of the inertia that each moves.
const CALMING: f64 = 1e-3;

/// A model with its state. The state's velocity is that of the state's time.
///
/// Steps without contact use the leapfrog method, made symmetric in time by fixed-point iteration: positions
/// advance with velocities half a step ahead, so that flight is exact and a swing keeps its energy; `lead` is
/// the difference between those of the last step and v. A step with contact is semi-implicit Euler.
#[doc(alias = "symplectic integrator")]
#[doc(alias = "ABA")]
#[derive(Clone, Debug)]
pub struct Articulated {
    /// Bodies, joints and shapes.
    pub model: Model,
    /// Configuration, velocity and time.
    pub state: State,
    /// Coefficient of restitution of collisions with this system, 0 to 1.
    pub restitution: f64,
    /// Joint torques or forces of actuators, N m or N, nv numbers; they persist until changed.
    pub torque: Vec<f64>,
    pub(super) kinematics: Kinematics,
    pub(super) factors: ForwardDynamics,
    pub(super) deltas: AccelerationDeltas,
    /// External forces of this step; moments about the world origin.
    pub(super) external: Vec<Force>,
    /// Number of coordinates on the path from the world to each body.
    depth: Vec<usize>,
    /// External forces and constraint forces together.
    pub(super) acting: Vec<Force>,
    pub(super) tau: Vec<f64>,
    pub(super) acceleration: Vec<f64>,
    /// δu of all constraint forces, or of their changes.
    pub(super) residual: Vec<f64>,
    /// Diagonal terms that joint damping and stiffness add to M in an implicit step.
    added: Vec<f64>,
    /// ½ h q̈ of the last step and that h; zero after a step with contact or an impact.
    lead: Vec<f64>,
    lead_time: f64,
    /// The lead in the state's velocity before it was centred, from which a step with contact starts.
    told_lead: Vec<f64>,
    /// Whether a contact or a joint limit constrains it in the present step.
    pub(super) held: bool,
    /// Whether a collision with a body of another system acts on it in the present step, which counts as
    /// contact.
    pub(super) pushed: bool,
    /// Whether it is kinematic: between impacts it moves as prescribed, and only impacts change its velocity.
    pub(super) is_kinematic: bool,
    /// Whether [`Articulated::calm`] has slowed its hinges in the present substep.
    pub(super) is_calmed: bool,
    /// Whether only external forces change its momentum.
    pub(super) keeps_momentum: bool,
    /// What the forces of the present substep make of its momentum.
    pub(super) momentum_ahead: Option<MomentumAhead>,
    pub(super) next: State,
    next_lead: Vec<f64>,
    tangent: Vec<f64>,
}

impl Articulated {
    /// `model` in configuration `q`, at rest. The model's gravity is not used.
    pub fn new(model: Model, q: Vec<f64>) -> Self {
        debug_assert_eq!(q.len(), model.nq);
        let (bodies, nv) = (model.bodies.len(), model.nv);
        let state = State::at_rest(&model, q);
        let mut depth = vec![0; bodies];
        for (index, body) in model.bodies.iter().enumerate() {
            depth[index] = body.parent.map_or(0, |parent| depth[parent.0]) + body.dofs.len();
        }
        let mut system = Articulated {
            restitution: 0.0,
            torque: vec![0.0; nv],
            kinematics: Kinematics::new(&model),
            factors: ForwardDynamics::new(&model),
            deltas: AccelerationDeltas::new(&model),
            external: vec![Force::default(); bodies],
            depth,
            acting: vec![Force::default(); bodies],
            tau: vec![0.0; nv],
            acceleration: vec![0.0; nv],
            residual: vec![0.0; nv],
            added: vec![0.0; nv],
            lead: vec![0.0; nv],
            lead_time: 0.0,
            told_lead: vec![0.0; nv],
            held: false,
            pushed: false,
            is_kinematic: false,
            is_calmed: false,
            keeps_momentum: kept::is_kept(&model),
            momentum_ahead: None,
            next: state.clone(),
            next_lead: vec![0.0; nv],
            tangent: vec![0.0; nv],
            state,
            model,
        };
        system.refresh();
        system
    }

    /// Recomputes everything from the state. Call it after every change of [`Articulated::state`] from
    /// outside.
    pub fn refresh(&mut self) {
        self.kinematics.update(&self.model, &self.state.q, &self.state.v);
        self.forget_lead();
    }

    /// Sets the velocity of a floating body as a whole: its root gets the linear velocity (m/s) of its centre
    /// of mass and the angular velocity (rad/s, world axes) of its frozen pose. Joint rates are unchanged. A
    /// body that is fixed to the world is not affected.
    pub fn throw(&mut self, linear: &Vector3<f64>, angular: &Vector3<f64>) {
        let com = momentum::com(&self.kinematics);
        for joint in self.model.joints.iter().filter(|joint| joint.kind == JointKind::Free) {
            let (q, v) = (&self.state.q[joint.q_index..], &mut self.state.v[joint.v_index..]);
            let origin = Vector3::from_column_slice(&q[..3]);
            v[..3].copy_from_slice((linear + angular.cross(&(origin - com))).as_slice());
            v[3..6].copy_from_slice((rotation(&q[3..7]).inverse() * angular).as_slice());
        }
        self.refresh();
    }

    /// Poses and velocities at the present state.
    pub fn kinematics(&self) -> &Kinematics {
        &self.kinematics
    }

    /// q̈ of the last step, nv numbers.
    pub fn acceleration(&self) -> &[f64] {
        &self.acceleration
    }

    /// Kinetic and potential energy under `gravity` (m/s²), J.
    pub(crate) fn energy(&self, gravity: &Vector3<f64>) -> Energy {
        let springs = self.model.joints.iter().filter(|joint| joint.stiffness != 0.0).map(|joint| {
            let stretch = stretch(joint, &self.state.q);
            0.5 * joint.stiffness * stretch.iter().map(|x| x * x).sum::<f64>()
        });
        Energy {
            kinetic: momentum::kinetic_energy(&self.model, &self.kinematics),
            potential: momentum::potential_energy(&self.kinematics, gravity) + springs.sum::<f64>(),
        }
    }

    /// Linear momentum, and angular momentum about the world origin.
    pub(crate) fn momentum(&self) -> Force {
        momentum::momentum(&self.kinematics)
    }

    /// The body of the same tree that is attached to the world.
    pub(super) fn root(&self, mut body: BodyId) -> BodyId {
        while let Some(parent) = self.model.bodies[body.0].parent {
            body = parent;
        }
        body
    }

    pub(super) fn depth(&self, body: BodyId) -> usize {
        self.depth[body.0]
    }

    /// Number of coordinates that the paths from the world to two bodies share.
    pub(super) fn shared(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let far = if a > b { &mut a } else { &mut b };
            match self.model.bodies[*far].parent {
                Some(parent) => *far = parent.0,
                None => return 0,
            }
        }
        self.depth[a]
    }

    /// Factors M for impulses, or M + h D + h² K for a step of `h` seconds, at whose end the springs and
    /// dampers of the joints act. Stores the generalised forces other than those of constraints in `tau`.
    pub(super) fn prepare(&mut self, h: f64) {
        self.told_lead.copy_from_slice(&self.lead);
        self.tau.copy_from_slice(&self.torque);
        self.added.fill(0.0);
        for joint in self.model.joints.iter().filter(|joint| joint.damping != 0.0 || joint.stiffness != 0.0) {
            let stretch = stretch(joint, &self.state.q);
            let stiffness = if joint.kind == JointKind::Free { 0.0 } else { joint.stiffness };
            for (k, j) in (joint.v_index..joint.v_index + joint.kind.nv()).enumerate() {
                let rate = self.state.v[j];
                self.tau[j] -= stiffness * (stretch[k.min(2)] + h * rate) + joint.damping * rate;
                self.added[j] = h * joint.damping + h * h * stiffness;
            }
        }
        self.factors.factor(&self.model, &self.kinematics, &self.added);
        self.acting.copy_from_slice(&self.external);
    }

    /// Computes q̈ under all forces.
    pub(super) fn accelerate(&mut self, gravity: &Vector3<f64>) {
        self.factors.accelerate(
            &self.model,
            &self.kinematics,
            &self.tau,
            gravity,
            &self.acting,
            &mut self.acceleration,
        );
    }

    /// Computes v and q̈ from each other in turn: the leapfrog method needs the velocity between two kicks, which
    /// depends on q̈, and q̈ depends on it. Where this does not converge, because q̈ grows too quickly with v, both are
    /// those before.
    pub(super) fn centre_velocity(&mut self, gravity: &Vector3<f64>) {
        if self.held || self.lead_time == 0.0 {
            return;
        }
        let mut last = f64::INFINITY;
        for _ in 0..CENTRINGS {
            let (mut change, mut speed) = (0.0f64, 0.0f64);
            for (j, v) in self.state.v.iter_mut().enumerate() {
                let lead = 0.5 * self.lead_time * self.acceleration[j];
                *v += lead - self.lead[j];
                change = change.max((lead - self.lead[j]).abs());
                speed = speed.max(v.abs());
                self.lead[j] = lead;
            }
            if change <= CENTRED * speed {
                return;
            }
            let diverges = change.is_nan() || change > last && change > DIVERGING * speed;
            if diverges {
                for (j, v) in self.state.v.iter_mut().enumerate() {
                    *v += self.told_lead[j] - self.lead[j];
                }
                self.lead.copy_from_slice(&self.told_lead);
            }
            self.kinematics.update_velocity(&self.model, &self.state.v);
            self.accelerate(gravity);
            if diverges {
                return;
            }
            last = change;
        }
    }

    /// Adds the effect of the residuals of further forces to q̈, and clears them.
    pub(super) fn respond(&mut self) {
        self.deltas.outward(&self.model, &self.factors, &self.residual, &mut self.acceleration);
        self.residual.fill(0.0);
    }

    /// Tries a step of `h`: stores the resulting state in `next`, with everything computed for it.
    pub(super) fn attempt(&mut self, h: f64) {
        let (half, v) = (0.5 * h, &self.state.v);
        for (j, &a) in self.acceleration.iter().enumerate() {
            let advancing = if self.is_kinematic {
                self.next.v[j] = v[j];
                v[j]
            } else if self.held {
                self.next.v[j] = v[j] - self.lead[j] + self.told_lead[j] + h * a;
                self.next_lead[j] = 0.0;
                self.next.v[j]
            } else {
                let middle = v[j] - self.lead[j] + (0.5 * self.lead_time + half) * a;
                self.next.v[j] = middle + half * a;
                self.next_lead[j] = half * a;
                middle
            };
            self.tangent[j] = h * advancing;
        }
        state::integrate(&self.model, &self.state.q, &self.tangent, &mut self.next.q);
        self.next.time = self.state.time + h;
        self.kinematics.update(&self.model, &self.next.q, &self.next.v);
        self.keep_momentum(h);
    }

    /// Computes poses and velocities again from the present state, after an [`Articulated::attempt`] that was not
    /// accepted.
    pub(super) fn withdraw(&mut self) {
        self.kinematics.update(&self.model, &self.state.q, &self.state.v);
    }

    /// Stops the hinges that move almost nothing, by the impulses of implicit dampers, (M + E) v⁺ = M v, where E is a
    /// small share of the inertia that each hinge moves on its own. Near gimbal lock of hinges without inertia between
    /// them, slow bodies have joints of any speed; these stop, all other motion hardly changes, and momentum is kept.
    /// Where none of the fast hinges loses half of its speed, all keep theirs. The present poses and velocities must be
    /// computed again afterwards.
    pub(super) fn calm(&mut self) {
        self.is_calmed = true;
        self.added.fill(0.0);
        self.tau.fill(0.0);
        self.next.v.fill(0.0);
        self.kinematics.update(&self.model, &self.state.q, &self.next.v);
        let is_hinge = |joint: &&Joint| matches!(joint.kind, JointKind::Hinge { .. });
        for joint in self.model.joints.iter().filter(is_hinge) {
            let j = joint.v_index;
            let axis = &self.kinematics.subspace[j];
            let inertia = axis.dot(&(&self.kinematics.subtree_inertia[self.model.dof_body[j].0] * axis));
            self.added[j] = CALMING * inertia;
            self.tau[j] = -CALMING * inertia * self.state.v[j];
        }
        self.factors.factor(&self.model, &self.kinematics, &self.added);
        self.acting.fill(Force::default());
        // At rest and without gravity, "accelerations" are the changes of velocity by impulses.
        self.accelerate(&Vector3::zeros());
        let mut hinges = self.model.joints.iter().filter(is_hinge).map(|joint| joint.v_index);
        let speed = hinges.clone().fold(0.0, |most: f64, j| most.max(self.state.v[j].abs()));
        let is_stopped = |j: usize| {
            let (v, change) = (self.state.v[j], self.acceleration[j]);
            v.abs() > 0.5 * speed && (v + change).abs() < 0.5 * v.abs()
        };
        if hinges.any(is_stopped) {
            self.state.v.iter_mut().zip(&self.acceleration).for_each(|(v, change)| *v += change);
            self.forget_lead();
        }
    }

    /// Largest rotation of a joint or of the root in the last [`Articulated::attempt`], rad; `None` for a single body,
    /// whose momentum does not depend on it.
    pub(super) fn largest_turn(&self) -> Option<f64> {
        let is_judged = !self.is_kinematic && self.model.bodies.len() > 1;
        let turned = |joint: &Joint| {
            let turning = match joint.kind {
                JointKind::Free => 3..6,
                JointKind::Ball => 0..3,
                JointKind::Hinge { .. } => 0..1,
                JointKind::Slide { .. } => 0..0,
            };
            let turning = joint.v_index + turning.start..joint.v_index + turning.end;
            self.tangent[turning].iter().fold(0.0, |most: f64, turn| most.max(turn.abs()))
        };
        is_judged.then(|| self.model.joints.iter().map(turned).fold(0.0, f64::max))
    }

    /// Makes the state of the last [`Articulated::attempt`], of `h` seconds, the present one.
    pub(super) fn accept(&mut self, h: f64) {
        std::mem::swap(&mut self.state, &mut self.next);
        std::mem::swap(&mut self.lead, &mut self.next_lead);
        self.lead_time = if self.held { 0.0 } else { h };
        self.is_calmed = false;
    }

    /// Adds the effect of the residuals of impulses to v.
    pub(super) fn jump(&mut self) {
        self.deltas.outward(&self.model, &self.factors, &self.residual, &mut self.state.v);
        self.residual.fill(0.0);
        self.kinematics.update_velocity(&self.model, &self.state.v);
        self.forget_lead();
    }

    /// Saves everything that a step reads and changes.
    pub(super) fn save(&self, saved: &mut SavedSystem) {
        saved.state.clone_from(&self.state);
        saved.lead.clone_from(&self.lead);
        saved.lead_time = self.lead_time;
        saved.told_lead.clone_from(&self.told_lead);
        saved.acceleration.clone_from(&self.acceleration);
        saved.held = self.held;
    }

    /// Restores the saved state. Forces applied since the last step are discarded.
    pub(super) fn restore(&mut self, saved: &SavedSystem) {
        self.state.clone_from(&saved.state);
        self.lead.clone_from(&saved.lead);
        self.lead_time = saved.lead_time;
        self.told_lead.clone_from(&saved.told_lead);
        self.acceleration.clone_from(&saved.acceleration);
        (self.held, self.pushed) = (saved.held, false);
        self.external.fill(Force::default());
        self.kinematics.update(&self.model, &self.state.q, &self.state.v);
    }

    pub(super) fn is_finite(&self) -> bool {
        self.next.v.iter().all(|v| v.is_finite())
    }

    fn forget_lead(&mut self) {
        self.lead.fill(0.0);
        self.lead_time = 0.0;
    }
}

/// Displacement of a joint's spring from its rest, rad or m; the rotation vector for a ball joint, none for a
/// free joint.
fn stretch(joint: &aplomb_body::model::Joint, q: &[f64]) -> [f64; 3] {
    match joint.kind {
        JointKind::Free => [0.0; 3],
        JointKind::Ball => rotation(&q[joint.q_index..joint.q_index + 4]).scaled_axis().into(),
        JointKind::Hinge { .. } | JointKind::Slide { .. } => {
            [q[joint.q_index] - joint.spring_reference, 0.0, 0.0]
        }
    }
}
