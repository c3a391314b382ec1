//! The linearisation: each physical quantity of the next frame as an affine function of the unknowns.
//!
//! Unknowns x = [v⁺ ; l ; γ ; ρ ; σ ; β ; u]: the tangent coordinates v⁺ of the next configuration over dt (q⁺ = q ⊕
//! dt v⁺), the contact coefficients l (force on the body λ = l m g/8 along a friction generator), the grip
//! coefficients γ, the reactions ρ of joint limits that are near (torque ρ m g h), the coefficients σ of the forces
//! between parts of the body (force σ m g/8), the coefficients β of the grips and contacts on this body of other
//! characters that are solved together with it, and the velocities u of their bodies where this one touches them.

mod balance;
mod equations;
mod friction;
mod layout;
mod motion;
mod torque;
mod touch;

pub(crate) use friction::JointFriction;
pub use friction::{FrictionMode, SLOW};
pub use layout::{ContactColumn, GripColumn, Layout, SelfContactColumn, StopColumn, limited_coordinates};
pub(crate) use layout::{LoadColumn, WayColumns};

use crate::snapshot::Snapshot;
use aplomb_body::dynamics::{BiasDerivative, BiasVelocity, InverseDynamics, Kinematics, crba, momentum};
use aplomb_body::model::{BodyId, Model};
use aplomb_math::affine::{Affine, Dimension, Pool};
use aplomb_math::matrix::RowMatrix;
use balance::MomentumBalance;
use nalgebra::Vector3;

/// An external force on a body, specified by its impulse over the length of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExternalForce {
    /// Body the force acts on.
    pub body: BodyId,
    /// Point of application, world, m.
    pub point: Vector3<f64>,
    /// Force, world, N.
    pub force: Vector3<f64>,
    /// Torque, world, N m.
    pub torque: Vector3<f64>,
}

impl ExternalForce {
    /// The force that gives the same impulse over `steps` steps, the time in which forces change the velocity: see
    /// [`Scales::turning_steps`](aplomb_body::model::scales::Scales::turning_steps).
    pub fn over(&self, steps: f64) -> Self {
        ExternalForce { force: self.force / steps, torque: self.torque / steps, ..*self }
    }
}

/// The linearisation of a frame; its memory is reused from frame to frame.
#[doc(alias = "Jacobian")]
#[doc(alias = "linearization")]
#[derive(Clone, Debug)]
pub struct Linearisation {
    pool: Pool,
    mass: RowMatrix,
    inverse_dynamics: InverseDynamics,
    bias_derivative: BiasDerivative,
    /// Kinematics at this configuration, with the velocity at which the bias force is computed.
    kinematics: Kinematics,
    bias: Vec<f64>,
    /// Kind of velocity at which the bias force was computed in this frame, if it was.
    bias_of: Option<BiasVelocity>,
    bias_gradient: RowMatrix,
    bias_velocity: Vec<f64>,
    /// v⁺ about which the bias force at the midpoint and the momentum balances are linearised.
    expected_velocity: Vec<f64>,
    /// Columns of the contact forces.
    pub contact_columns: Vec<ContactColumn>,
    /// Columns of the grip forces.
    pub grip_columns: Vec<GripColumn>,
    /// Columns of the reactions of joint limits.
    pub(crate) stop_columns: Vec<StopColumn>,
    /// Columns of the forces between parts of the body, from the first solve that needs them.
    pub(crate) self_contact_columns: Vec<SelfContactColumn>,
    /// Columns of the forces of other characters that hold or touch this body.
    pub(crate) load_columns: Vec<LoadColumn>,
    /// Columns of the velocities of other characters' bodies where this one touches them.
    pub(crate) way_columns: Vec<WayColumns>,
    /// Coordinates whose limits have a reaction although the joints are not near them, because otherwise the frame
    /// has no solution: the reaction of one limit throws a ragdoll's limb against another limit.
    pub thrown: Vec<usize>,
    /// Estimated generalised force of unmodelled disturbances, per velocity coordinate, N or N m; empty
    /// without an estimate.
    #[doc(alias = "disturbance observer")]
    pub disturbance: Vec<f64>,
    /// Decrease of the force of each joint's servo with the joint's rate at the end of the frame, per
    /// velocity coordinate, N s/m or N m s/rad; empty without servos.
    #[doc(alias = "PD gain")]
    pub servo: Vec<f64>,
    /// Whether joint torques keep their values in this frame, so that joints are not slowed before their limits.
    pub torques_held: bool,
    /// Whether the root obeys its equations of motion in this frame, although the layout requests momentum balances.
    pub drops_balances: bool,
    /// Coordinates that joint torques cannot slow before their limits in this frame.
    pub unbraked: Vec<usize>,
    /// Limits that have lost their reaction in this frame.
    idle_stops: Vec<StopColumn>,
    /// Limits at which joints are held in this frame, after they had lost their reaction.
    held_stops: Vec<StopColumn>,
    /// Geoms of parts of the body between which the force was removed in this frame.
    let_go: Vec<[usize; 2]>,
    joint_friction: Vec<JointFriction>,
    impact: bool,
    /// τ(x) = L(x) ∓ ρ, minus dry friction: coefficients of each row over all unknowns. The root has no limits: there
    /// the row is L(x). For a coupled joint it is the reaction of its coupling, which is also included in the row of
    /// its leader.
    lagrangian: RowMatrix,
    lagrangian_constant: Vec<f64>,
    momentum: MomentumBalance,
    com_jacobian: Vec<f64>,
    /// Jacobian of each contact point of the snapshot, one row of 3 × nv numbers.
    touch_jacobians: RowMatrix,
    /// Body and point of each Jacobian in `touch_jacobians`.
    touch_places: Vec<(BodyId, Vector3<f64>)>,
    /// Jacobian of each grip, in the same layout.
    grip_jacobians: RowMatrix,
    /// Jacobians of the points that other characters act on, in the same layout.
    borne_jacobians: RowMatrix,
    scratch: Vec<f64>,
}

/// Memory that a linearisation needs only while its frame is solved; it is overwritten in every frame.
#[derive(Default)]
pub(crate) struct PassingMemory {
    pool: Pool,
    lagrangian: RowMatrix,
    jacobians: [RowMatrix; 3],
}

impl Linearisation {
    /// Allocates for `model`.
    pub fn new(model: &Model) -> Self {
        let nv = model.nv;
        Linearisation {
            pool: Pool::with_capacity(nv, nv),
            mass: RowMatrix::new(nv),
            inverse_dynamics: InverseDynamics::new(model),
            bias_derivative: BiasDerivative::new(model),
            kinematics: Kinematics::new(model),
            bias: vec![0.0; nv],
            bias_of: None,
            bias_gradient: RowMatrix::new(nv),
            bias_velocity: vec![0.0; nv],
            expected_velocity: vec![0.0; nv],
            contact_columns: Vec::new(),
            grip_columns: Vec::new(),
            stop_columns: Vec::with_capacity(2 * nv),
            self_contact_columns: Vec::new(),
            load_columns: Vec::new(),
            way_columns: Vec::new(),
            thrown: Vec::with_capacity(nv),
            disturbance: Vec::new(),
            servo: Vec::new(),
            torques_held: false,
            drops_balances: false,
            unbraked: Vec::with_capacity(nv),
            idle_stops: Vec::with_capacity(2 * nv),
            held_stops: Vec::with_capacity(2 * nv),
            let_go: Vec::new(),
            joint_friction: JointFriction::of(model),
            impact: false,
            lagrangian: RowMatrix::default(),
            lagrangian_constant: vec![0.0; nv],
            momentum: MomentumBalance::new(model),
            com_jacobian: vec![0.0; 3 * nv],
            touch_jacobians: RowMatrix::default(),
            touch_places: Vec::new(),
            grip_jacobians: RowMatrix::default(),
            borne_jacobians: RowMatrix::default(),
            scratch: vec![0.0; 3 * nv],
        }
    }

    /// Exchanges the memory that is needed only while the frame is solved.
    pub(crate) fn exchange(&mut self, memory: &mut PassingMemory) {
        use std::mem::swap;
        swap(&mut self.pool, &mut memory.pool);
        swap(&mut self.lagrangian, &mut memory.lagrangian);
        let [touches, grips, borne] = &mut memory.jacobians;
        swap(&mut self.touch_jacobians, touches);
        swap(&mut self.grip_jacobians, grips);
        swap(&mut self.borne_jacobians, borne);
    }

    /// Lays out the unknowns of this frame and forms the equations of motion L(x) = M (v⁺ − v)/dt + h(q, v̂) − Q_ext
    /// − Σ Jᵀ d λ, with momentum balances in the root's rows if the layout requests them.
    pub fn update(
        &mut self,
        model: &Model,
        snapshot: &Snapshot,
        external: &[ExternalForce],
        bias: BiasVelocity,
        previous_velocity: &[f64],
        layout: Layout,
    ) {
        self.lay_out(model, snapshot, layout);
        // Until the frame is laid out again, positions and velocities are unchanged.
        if layout.afresh {
            self.expected_velocity.copy_from_slice(&snapshot.state.v);
            crba::mass_matrix(model, &snapshot.kinematics, &mut self.mass);
            momentum::com_jacobian(model, &snapshot.kinematics, &mut self.com_jacobian);
            self.touch_places.clear();
            self.bias_of = None;
        }
        let balances = layout.balances_momentum && !self.drops_balances;
        self.momentum.begin(model, snapshot, balances, layout.afresh);
        self.bias_force(model, snapshot, bias, previous_velocity);
        self.equations_of_motion(model, snapshot, external, bias);
    }

    /// Largest difference, over the coordinates, between the velocity `next` of a solve of this frame and the one
    /// about which the bias force is linearised, rad/s or m/s.
    pub(crate) fn velocity_error(&self, next: &[f64]) -> f64 {
        let pairs = self.expected_velocity.iter().zip(next);
        pairs.fold(0.0, |off, (expected, next)| off.max((*expected - next).abs()))
    }

    /// Whether the root's rows are momentum balances in this frame.
    pub fn balances_momentum(&self) -> bool {
        self.momentum.is_on
    }

    /// Linearises the bias force and the momenta about the velocity `next` of a solve of this frame, from the
    /// next layout on.
    pub fn expect(&mut self, next: &[f64]) {
        self.expected_velocity.copy_from_slice(next);
        self.momentum.expect();
    }
}

/// (Jᵀ f)_i for a 3 × nv Jacobian stored by rows.
fn transposed(jacobian: &[f64], nv: usize, i: usize, force: &Vector3<f64>) -> f64 {
    jacobian[i] * force.x + jacobian[nv + i] * force.y + jacobian[2 * nv + i] * force.z
}

/// The next frame as affine functions of the QP's unknowns.
pub struct Prediction<'a> {
    model: &'a Model,
    now: &'a Snapshot,
    linearisation: &'a Linearisation,
}

impl<'a> Prediction<'a> {
    /// The prediction from a snapshot and the linearisation of the same frame.
    pub fn new(model: &'a Model, now: &'a Snapshot, linearisation: &'a Linearisation) -> Self {
        Prediction { model, now, linearisation }
    }

    /// Model of the character.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.way_unknown(self.way_columns().len())
    }

    /// Columns of the contact forces, in the order of the unknowns.
    pub fn contact_columns(&self) -> &'a [ContactColumn] {
        &self.linearisation.contact_columns
    }

    /// Columns of the grip forces, in the order of the unknowns.
    pub fn grip_columns(&self) -> &'a [GripColumn] {
        &self.linearisation.grip_columns
    }

    /// Columns of the reactions of joint limits, in the order of the unknowns.
    pub(crate) fn stop_columns(&self) -> &'a [StopColumn] {
        &self.linearisation.stop_columns
    }

    /// Columns of the forces between parts of the body, in the order of the unknowns.
    pub(crate) fn self_contact_columns(&self) -> &'a [SelfContactColumn] {
        &self.linearisation.self_contact_columns
    }

    /// Columns of the forces of other characters that hold or touch this body, in the order of the unknowns.
    pub(crate) fn load_columns(&self) -> &'a [LoadColumn] {
        &self.linearisation.load_columns
    }

    /// Velocities of other characters' bodies where this one touches them, in the order of the unknowns.
    pub(crate) fn way_columns(&self) -> &'a [WayColumns] {
        &self.linearisation.way_columns
    }

    /// Index of the unknown of a contact column.
    pub fn contact_unknown(&self, column: usize) -> usize {
        self.model.nv + column
    }

    /// Index of the unknown of a grip column.
    pub fn grip_unknown(&self, column: usize) -> usize {
        self.contact_unknown(self.contact_columns().len()) + column
    }

    /// Index of the unknown of a joint-limit column.
    pub(crate) fn stop_unknown(&self, column: usize) -> usize {
        self.grip_unknown(self.grip_columns().len()) + column
    }

    /// Index of the unknown of a force between parts of the body.
    pub(crate) fn self_contact_unknown(&self, column: usize) -> usize {
        self.stop_unknown(self.stop_columns().len()) + column
    }

    /// Index of the unknown force between two geoms, and whether they stay together; `None` if they do not press on
    /// each other.
    pub(crate) fn self_contact_of(&self, geoms: [usize; 2]) -> Option<(usize, bool)> {
        let mut columns = self.self_contact_columns().iter().enumerate();
        let (column, parts) = columns.find(|(_, parts)| parts.geoms == geoms)?;
        Some((self.self_contact_unknown(column), parts.together))
    }

    /// Index of the unknown of a load column.
    pub(crate) fn load_unknown(&self, column: usize) -> usize {
        self.self_contact_unknown(self.self_contact_columns().len()) + column
    }

    /// Index of the first of the three unknowns of a surface velocity.
    pub(crate) fn way_unknown(&self, way: usize) -> usize {
        self.load_unknown(self.load_columns().len()) + 3 * way
    }

    /// Whether the frame is laid out in impact mode.
    pub fn is_impact(&self) -> bool {
        self.linearisation.is_impact()
    }

    /// Whether the joint of a coordinate is held at its lower (`sign` +1) or upper (−1) limit at the end of
    /// the frame.
    pub fn is_held(&self, coordinate: usize, sign: f64) -> bool {
        self.linearisation.holds(coordinate, sign)
    }

    /// Whether joint braking applies to a coordinate in this frame.
    pub(crate) fn brakes(&self, coordinate: usize) -> bool {
        let is_pressed = !self.linearisation.self_contact_columns.is_empty();
        !is_pressed && !self.linearisation.torques_held && !self.linearisation.unbraked.contains(&coordinate)
    }

    fn dt(&self) -> f64 {
        self.now.scales.dt
    }

    /// Rows y + dt J v⁺ from a 3 × nv Jacobian stored by rows.
    fn three_rows(&self, y: &Vector3<f64>, jacobian: &[f64], dimension: Dimension) -> Affine<'a> {
        let (nv, dt) = (self.model.nv, self.dt());
        let mut affine = self.linearisation.pool.affine(nv);
        for k in 0..3 {
            let row = affine.push(dimension, y[k]);
            row.iter_mut().zip(&jacobian[k * nv..(k + 1) * nv]).for_each(|(a, j)| *a = dt * j);
        }
        affine
    }

    fn point_rows(&self, body: BodyId, point: &Vector3<f64>) -> Affine<'a> {
        let nv = self.model.nv;
        let mut affine = self.linearisation.pool.affine(3 * nv);
        let jacobian = affine.push(Dimension::Length, 0.0);
        self.now.kinematics.point_jacobian(self.model, body, point, jacobian);
        self.three_rows(point, jacobian, Dimension::Length)
    }
}
