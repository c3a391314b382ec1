//! The only linearisation: each physical quantity of the next frame as an affine function of the unknowns.
//!
//! Unknowns x = [v⁺ ; l ; γ ; ρ ; β ; u]: the tangent coordinates of the next configuration over dt (q⁺ = q ⊕ dt v⁺), the
//! contact coefficients (force on the body λ = l m g/8 along a friction generator), those of grips, the
//! reactions of joint stops near their limits (torque ρ m g h), the coefficients β of the grips and touches of
//! others on this body, who are solved together with it, and the velocities u of their bodies where this one touches them.

mod balance;
mod equations;
mod friction;
mod layout;
mod motion;
mod torque;
mod touch;

pub use friction::{FrictionMode, JointFriction, SLOW};
pub use layout::{
    ContactColumn, GripColumn, Layout, LoadColumn, StopColumn, WayColumns, limited_coordinates,
};

use crate::snapshot::Snapshot;
use aplomb_body::dynamics::{BiasDerivative, BiasVelocity, InverseDynamics, Kinematics, crba, momentum};
use aplomb_body::model::{BodyId, Model};
use aplomb_math::affine::{Affine, Dimension, Pool};
use aplomb_math::matrix::RowMatrix;
use balance::MomentumBalance;
use nalgebra::Vector3;

/// A force of the outside world on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExternalForce {
    /// Body the force acts on.
    pub body: BodyId,
    /// World, m.
    pub point: Vector3<f64>,
    /// World, N.
    pub force: Vector3<f64>,
    /// World, N m.
    pub torque: Vector3<f64>,
}

/// Memory of the linearisation, kept from frame to frame.
#[derive(Clone, Debug)]
pub struct Linearisation {
    pool: Pool,
    mass: RowMatrix,
    inverse_dynamics: InverseDynamics,
    bias_derivative: BiasDerivative,
    /// At this configuration, with the velocity at which the bias force is taken.
    kinematics: Kinematics,
    bias: Vec<f64>,
    bias_gradient: RowMatrix,
    bias_velocity: Vec<f64>,
    /// v⁺ that the bias force at the midpoint and the momenta are linearised about.
    expected_velocity: Vec<f64>,
    /// Columns of the contact forces.
    pub contact_columns: Vec<ContactColumn>,
    /// Columns of the grip forces.
    pub grip_columns: Vec<GripColumn>,
    /// Columns of the joint-limit torques.
    pub stop_columns: Vec<StopColumn>,
    /// Columns of the forces of those who hold on to this body or touch it.
    pub load_columns: Vec<LoadColumn>,
    /// Columns of the velocities of other characters where this one touches them.
    pub way_columns: Vec<WayColumns>,
    /// Coordinates that have no solution in this frame without a reaction of their stops, though they were not near
    /// them: what one joint limit does throws a limb without torque against another.
    pub thrown: Vec<usize>,
    /// Generalised force that acts on the body for no known reason, per velocity coordinate, N or N m; empty where none is
    /// reckoned with.
    pub disturbance: Vec<f64>,
    /// By how much the force on each joint falls with its rate at the end of the frame, per velocity coordinate, N s/m or
    /// N m s/rad: servos in the joints; empty where there are none.
    pub servo: Vec<f64>,
    /// Whether joint torques keep their values in this frame, so that nothing is slowed before its limit.
    pub torques_held: bool,
    /// Coordinates that joint torques cannot slow before their limits in this frame.
    pub unbraked: Vec<usize>,
    /// Stops that may not push any more in this frame.
    idle_stops: Vec<StopColumn>,
    /// Stops that joints come to in this frame, after they idled.
    held_stops: Vec<StopColumn>,
    joint_friction: Vec<JointFriction>,
    impact: bool,
    /// τ(x) = L(x) ∓ ρ, less dry friction, row by row over all unknowns, and its constant. The root has no stops: there it is L(x). Of a joint that
    /// follows another it is the reaction of its coupling, and its leader's has that as well.
    lagrangian: RowMatrix,
    lagrangian_constant: Vec<f64>,
    momentum: MomentumBalance,
    com_jacobian: Vec<f64>,
    /// Jacobian of each touch of the sense, one row of 3 × nv numbers.
    touch_jacobians: RowMatrix,
    /// Columns of the force of each grip.
    grip_jacobians: RowMatrix,
    /// Of the points that others hold on to.
    borne_jacobians: RowMatrix,
    scratch: Vec<f64>,
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
            bias_gradient: RowMatrix::new(nv),
            bias_velocity: vec![0.0; nv],
            expected_velocity: vec![0.0; nv],
            contact_columns: Vec::new(),
            grip_columns: Vec::new(),
            stop_columns: Vec::with_capacity(2 * nv),
            load_columns: Vec::new(),
            way_columns: Vec::new(),
            thrown: Vec::with_capacity(nv),
            disturbance: Vec::new(),
            servo: Vec::new(),
            torques_held: false,
            unbraked: Vec::with_capacity(nv),
            idle_stops: Vec::with_capacity(2 * nv),
            held_stops: Vec::with_capacity(2 * nv),
            joint_friction: JointFriction::of(model),
            impact: false,
            lagrangian: RowMatrix::default(),
            lagrangian_constant: vec![0.0; nv],
            momentum: MomentumBalance::new(model),
            com_jacobian: vec![0.0; 3 * nv],
            touch_jacobians: RowMatrix::default(),
            grip_jacobians: RowMatrix::default(),
            borne_jacobians: RowMatrix::default(),
            scratch: vec![0.0; 3 * nv],
        }
    }

    /// Lays out the unknowns of this frame and forms the equations of motion
    /// L(x) = M (v⁺ − v)/dt + h(q, v̂) − Q_ext − Σ Jᵀ d λ, with the balances of momentum in the root's rows where the
    /// layout asks for them.
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
        if layout.afresh {
            self.expected_velocity.copy_from_slice(&snapshot.state.v);
        }
        crba::mass_matrix(model, &snapshot.kinematics, &mut self.mass);
        self.momentum.begin(model, snapshot, layout.balances_momentum, layout.afresh);
        self.bias_force(model, snapshot, bias, previous_velocity);
        momentum::com_jacobian(model, &snapshot.kinematics, &mut self.com_jacobian);
        self.equations_of_motion(model, snapshot, external, bias);
    }

    /// How far the velocity `next` that a solve of this frame gave is from the one the bias force was linearised
    /// about, in its worst coordinate, rad/s or m/s.
    pub fn velocity_error(&self, next: &[f64]) -> f64 {
        let pairs = self.expected_velocity.iter().zip(next);
        pairs.fold(0.0, |off, (expected, next)| off.max((*expected - next).abs()))
    }

    /// Whether the root's rows are balances of momentum in this frame.
    pub fn balances_momentum(&self) -> bool {
        self.momentum.is_on
    }

    /// Linearises the bias force and the momenta about the velocity `next` that a solve of this frame gave, from the next layout on.
    pub fn expect(&mut self, next: &[f64]) {
        self.expected_velocity.copy_from_slice(next);
        self.momentum.expect();
    }
}

/// (Jᵀ f)_i for a 3 × nv Jacobian stored by rows.
fn transposed(jacobian: &[f64], nv: usize, i: usize, force: &Vector3<f64>) -> f64 {
    jacobian[i] * force.x + jacobian[nv + i] * force.y + jacobian[2 * nv + i] * force.z
}

/// The next frame as affine functions of the unknowns.
pub struct Prediction<'a> {
    model: &'a Model,
    now: &'a Snapshot,
    linearisation: &'a Linearisation,
}

impl<'a> Prediction<'a> {
    /// The next frame as an affine function of the QP's unknowns.
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

    /// Columns of the joint-limit torques, in the order of the unknowns.
    pub fn stop_columns(&self) -> &'a [StopColumn] {
        &self.linearisation.stop_columns
    }

    /// Columns of the forces of those who hold on to this body, in the order of the unknowns.
    pub fn load_columns(&self) -> &'a [LoadColumn] {
        &self.linearisation.load_columns
    }

    /// Velocities of other characters where this one touches them, in the order of the unknowns.
    pub fn way_columns(&self) -> &'a [WayColumns] {
        &self.linearisation.way_columns
    }

    /// Unknown of a contact column.
    pub fn contact_unknown(&self, column: usize) -> usize {
        self.model.nv + column
    }

    /// Unknown of a grip column.
    pub fn grip_unknown(&self, column: usize) -> usize {
        self.contact_unknown(self.contact_columns().len()) + column
    }

    /// Unknown of a stop column.
    pub fn stop_unknown(&self, column: usize) -> usize {
        self.grip_unknown(self.grip_columns().len()) + column
    }

    /// Unknown of a load column.
    pub fn load_unknown(&self, column: usize) -> usize {
        self.stop_unknown(self.stop_columns().len()) + column
    }

    /// First of the three unknowns of a way.
    pub fn way_unknown(&self, way: usize) -> usize {
        self.load_unknown(self.load_columns().len()) + 3 * way
    }

    /// Whether the frame is laid out in impact mode.
    pub fn is_impact(&self) -> bool {
        self.linearisation.is_impact()
    }

    /// Whether the joint of a coordinate ends the frame at its lower (`sign` +1) or upper (−1) stop.
    pub fn is_held(&self, coordinate: usize, sign: f64) -> bool {
        self.linearisation.holds(coordinate, sign)
    }

    /// Whether a joint can be slowed before its limit in this frame, as far as is known.
    pub fn brakes(&self, coordinate: usize) -> bool {
        !self.linearisation.torques_held && !self.linearisation.unbraked.contains(&coordinate)
    }

    fn dt(&self) -> f64 {
        self.now.scales.dt
    }

    /// Rows y + dt J v⁺ from a 3 × nv Jacobian stored by rows.
    fn three_rows(&self, y: &Vector3<f64>, jacobian: &[f64], dimension: Dimension) -> Affine<'a> {
        let nv = self.model.nv;
        let mut affine = self.linearisation.pool.affine(nv);
        for k in 0..3 {
            let row = affine.push(dimension, y[k]);
            for (a, j) in row.iter_mut().zip(&jacobian[k * nv..(k + 1) * nv]) {
                *a = self.dt() * j;
            }
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
