//! The only linearisation: each physical quantity of the next frame as an affine function of the unknowns.
//!
//! Unknowns x = [v⁺ ; l ; γ ; ρ]: the tangent coordinates of the next configuration over dt (q⁺ = q ⊕ dt v⁺), the
//! contact coefficients (force on the body λ = l m g/8 along a friction generator), the same of grips, and the
//! reactions of joint stops near their limits (torque ρ m g h).

mod layout;

pub use layout::{ContactColumn, GripColumn, Layout, StopColumn, limited_coordinates};

use crate::affine::{Affine, Dimension, Pool};
use crate::contact::Touch;
use crate::dynamics::{BiasDerivative, BiasVelocity, InverseDynamics, crba, momentum};
use crate::kernel::dot;
use crate::matrix::RowMatrix;
use crate::model::{BodyId, JointKind, Model};
use crate::rotation;
use crate::sense::Sense;
use crate::state::{self, State};
use nalgebra::{Matrix3, Vector3};
use std::ops::Range;

/// A force of the outside world on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExternalForce {
    pub body: BodyId,
    /// World, m.
    pub point: Vector3<f64>,
    /// World, N.
    pub force: Vector3<f64>,
    /// World, N m.
    pub torque: Vector3<f64>,
}

/// Memory of the linearisation, kept from frame to frame.
pub struct Linearisation {
    pool: Pool,
    mass: RowMatrix,
    inverse_dynamics: InverseDynamics,
    bias_derivative: BiasDerivative,
    bias: Vec<f64>,
    bias_gradient: RowMatrix,
    bias_velocity: Vec<f64>,
    /// v⁺ that the bias force at the midpoint is linearised about.
    expected_velocity: Vec<f64>,
    pub contact_columns: Vec<ContactColumn>,
    pub grip_columns: Vec<GripColumn>,
    pub stop_columns: Vec<StopColumn>,
    /// Coordinates that have no solution in this frame without a reaction of their stops, though they were not near
    /// them: what one stop does throws a limp limb against another.
    pub thrown: Vec<usize>,
    /// Stops that may not push any more in this frame.
    idle_stops: Vec<StopColumn>,
    /// Stops that joints come to in this frame, after they idled.
    held_stops: Vec<StopColumn>,
    braced: bool,
    /// τ(x) = L(x) ∓ ρ row by row over all unknowns, and its constant. The root has no stops: there it is L(x).
    lagrangian: RowMatrix,
    lagrangian_constant: Vec<f64>,
    com_jacobian: Vec<f64>,
    /// Jacobian of each touch of the sense, one row of 3 × nv numbers.
    touch_jacobians: RowMatrix,
    /// The same of each grip.
    grip_jacobians: RowMatrix,
    scratch: Vec<f64>,
}

impl Linearisation {
    pub fn new(model: &Model) -> Self {
        let nv = model.nv;
        Linearisation {
            pool: Pool::default(),
            mass: RowMatrix::new(nv),
            inverse_dynamics: InverseDynamics::new(model),
            bias_derivative: BiasDerivative::new(model),
            bias: vec![0.0; nv],
            bias_gradient: RowMatrix::new(nv),
            bias_velocity: vec![0.0; nv],
            expected_velocity: vec![0.0; nv],
            contact_columns: Vec::new(),
            grip_columns: Vec::new(),
            stop_columns: Vec::new(),
            thrown: Vec::with_capacity(nv),
            idle_stops: Vec::with_capacity(2 * nv),
            held_stops: Vec::with_capacity(2 * nv),
            braced: false,
            lagrangian: RowMatrix::default(),
            lagrangian_constant: vec![0.0; nv],
            com_jacobian: vec![0.0; 3 * nv],
            touch_jacobians: RowMatrix::default(),
            grip_jacobians: RowMatrix::default(),
            scratch: vec![0.0; 3 * nv],
        }
    }

    /// Lays out the unknowns of this frame and forms the equations of motion
    /// L(x) = M (v⁺ − v)/dt + h(q, v̂) − Q_ext − Σ Jᵀ d λ.
    pub fn update(
        &mut self,
        model: &Model,
        sense: &mut Sense,
        external: &[ExternalForce],
        bias: BiasVelocity,
        previous_velocity: &[f64],
        layout: Layout,
    ) {
        self.lay_out(model, sense, layout);
        if layout.afresh {
            self.expected_velocity.copy_from_slice(&sense.state.v);
        }
        crba::mass_matrix(model, &sense.kinematics, &mut self.mass);
        self.bias_force(model, sense, bias, previous_velocity);
        momentum::com_jacobian(model, &sense.kinematics, &mut self.com_jacobian);
        self.equations_of_motion(model, sense, external, bias);
    }

    /// Linearises the bias force about the velocity `next` that a solve of this frame gave, from the next layout on.
    /// Says how far off the one before was in any coordinate, rad/s or m/s.
    pub fn expect(&mut self, next: &[f64]) -> f64 {
        let mut off: f64 = 0.0;
        for (expected, next) in self.expected_velocity.iter_mut().zip(next) {
            off = off.max((*expected - next).abs());
            *expected = *next;
        }
        off
    }

    fn bias_force(&mut self, model: &Model, sense: &mut Sense, bias: BiasVelocity, previous: &[f64]) {
        let Sense { kinematics, state, gravity, .. } = sense;
        let force = &mut self.inverse_dynamics;
        match bias {
            BiasVelocity::Backward => force.bias_force(model, kinematics, gravity, &mut self.bias),
            BiasVelocity::Extrapolated => {
                for (k, extrapolated) in self.bias_velocity.iter_mut().enumerate() {
                    *extrapolated = 1.5 * state.v[k] - 0.5 * previous[k];
                }
                kinematics.update_velocity(model, &self.bias_velocity);
                force.bias_force(model, kinematics, gravity, &mut self.bias);
                kinematics.update_velocity(model, &state.v);
            }
            BiasVelocity::Midpoint => {
                for (k, middle) in self.bias_velocity.iter_mut().enumerate() {
                    *middle = 0.5 * (state.v[k] + self.expected_velocity[k]);
                }
                kinematics.update_velocity(model, &self.bias_velocity);
                force.bias_force(model, kinematics, gravity, &mut self.bias);
                self.bias_derivative.bias_velocity_matrix(model, kinematics, &mut self.bias_gradient);
                kinematics.update_velocity(model, &state.v);
            }
        }
    }

    fn equations_of_motion(
        &mut self,
        model: &Model,
        sense: &Sense,
        external: &[ExternalForce],
        bias: BiasVelocity,
    ) {
        let (nv, dt) = (model.nv, sense.scales.dt);
        self.lagrangian
            .reset(nv + self.contact_columns.len() + self.grip_columns.len() + self.stop_columns.len());
        for i in 0..nv {
            let row = self.lagrangian.push_zeros();
            for (a, mass) in row.iter_mut().zip(self.mass.row(i)) {
                *a = mass / dt;
            }
            self.lagrangian_constant[i] = self.bias[i] - dot(&row[..nv], &sense.state.v);
            // In a blow, momentum is to change by M (v⁺ − v) alone: least energy needs a symmetric matrix.
            if bias == BiasVelocity::Midpoint && !self.braced {
                let gradient = self.bias_gradient.row(i);
                self.lagrangian_constant[i] -= 0.5 * dot(gradient, &self.expected_velocity);
                for (a, gradient) in row.iter_mut().zip(gradient) {
                    *a += 0.5 * gradient;
                }
            }
        }
        for (constant, passive) in
            self.lagrangian_constant.iter_mut().zip(passive_forces(model, &sense.state))
        {
            *constant -= passive;
        }
        for force in external {
            sense.kinematics.point_jacobian(model, force.body, &force.point, &mut self.scratch);
            for i in 0..nv {
                self.lagrangian_constant[i] -= transposed(&self.scratch, nv, i, &force.force);
            }
            let mut coordinate = model.bodies[force.body.0].last_dof;
            while let Some(i) = coordinate {
                self.lagrangian_constant[i] -= sense.kinematics.subspace[i].angular.dot(&force.torque);
                coordinate = model.dof_parent[i];
            }
        }
        self.touch_jacobians.reset(3 * nv);
        for touch in &sense.contacts.touches {
            let jacobian = self.touch_jacobians.push_zeros();
            sense.kinematics.point_jacobian(model, touch.body, &touch.point, jacobian);
        }
        self.grip_jacobians.reset(3 * nv);
        for grip in &sense.grips.list {
            let jacobian = self.grip_jacobians.push_zeros();
            sense.kinematics.point_jacobian(model, grip.body, &grip.point, jacobian);
        }
        let unit = sense.scales.contact_force();
        let mut first = nv;
        for columns in self.contact_columns.chunk_by(|a, b| a.touch == b.touch) {
            let touch = columns[0].touch;
            let body = sense.contacts.touches[touch].body;
            let directions = columns.iter().map(|column| column.direction * -unit);
            load(model, body, self.touch_jacobians.row(touch), first, directions, &mut self.lagrangian);
            first += columns.len();
        }
        for columns in self.grip_columns.chunk_by(|a, b| a.grip == b.grip) {
            let grip = columns[0].grip;
            let body = sense.grips.list[grip].body;
            let directions = columns.iter().map(|column| column.direction * -unit);
            load(model, body, self.grip_jacobians.row(grip), first, directions, &mut self.lagrangian);
            first += columns.len();
        }
        let first_stop = nv + self.contact_columns.len() + self.grip_columns.len();
        for (k, stop) in self.stop_columns.iter().enumerate() {
            let unit = sense.scales.torque();
            self.lagrangian.row_mut(stop.coordinate)[first_stop + k] = -stop.sign * unit;
        }
    }
}

/// Writes Jᵀ f of forces f at a point of `body`, whose 3 × nv Jacobian is given, into neighbouring columns of the
/// equations of motion, from `first` on.
fn load(
    model: &Model,
    body: BodyId,
    jacobian: &[f64],
    first: usize,
    forces: impl Iterator<Item = Vector3<f64>> + Clone,
    lagrangian: &mut RowMatrix,
) {
    let nv = model.nv;
    // The forces act on the coordinates between their body and the world.
    let mut coordinate = model.bodies[body.0].last_dof;
    while let Some(i) = coordinate {
        let along = Vector3::new(jacobian[i], jacobian[nv + i], jacobian[2 * nv + i]);
        for (a, force) in lagrangian.row_mut(i)[first..].iter_mut().zip(forces.clone()) {
            *a = along.dot(&force);
        }
        coordinate = model.dof_parent[i];
    }
}

/// What the springs and dampers of the model's joints do at this state, per velocity coordinate, N m or N:
/// −k (q − q₀) − d v, with the rotation vector for q in a ball joint.
fn passive_forces<'m>(model: &'m Model, state: &'m State) -> impl Iterator<Item = f64> + 'm {
    model.joints.iter().flat_map(move |joint| {
        let q = &state.q[joint.q_index..joint.q_index + joint.kind.nq()];
        let ball = match joint.kind {
            JointKind::Ball => state::rotation(q).scaled_axis(),
            _ => Vector3::zeros(),
        };
        (0..joint.kind.nv()).map(move |k| {
            let stretch = match joint.kind {
                JointKind::Free => 0.0,
                JointKind::Ball => ball[k],
                JointKind::Hinge { .. } | JointKind::Slide { .. } => q[0] - joint.spring_reference,
            };
            -joint.stiffness * stretch - joint.damping * state.v[joint.v_index + k]
        })
    })
}

/// (Jᵀ f)_i for a 3 × nv Jacobian stored by rows.
fn transposed(jacobian: &[f64], nv: usize, i: usize, force: &Vector3<f64>) -> f64 {
    jacobian[i] * force.x + jacobian[nv + i] * force.y + jacobian[2 * nv + i] * force.z
}

/// The next frame as affine functions of the unknowns.
pub struct Prediction<'a> {
    model: &'a Model,
    now: &'a Sense,
    linearisation: &'a Linearisation,
}

impl<'a> Prediction<'a> {
    pub fn new(model: &'a Model, now: &'a Sense, linearisation: &'a Linearisation) -> Self {
        Prediction { model, now, linearisation }
    }

    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.stop_unknown(self.stop_columns().len())
    }

    pub fn contact_columns(&self) -> &'a [ContactColumn] {
        &self.linearisation.contact_columns
    }

    pub fn grip_columns(&self) -> &'a [GripColumn] {
        &self.linearisation.grip_columns
    }

    pub fn stop_columns(&self) -> &'a [StopColumn] {
        &self.linearisation.stop_columns
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

    /// Whether the frame is laid out for a blow.
    pub fn is_braced(&self) -> bool {
        self.linearisation.is_braced()
    }

    /// Whether the joint of a coordinate ends the frame at its lower (`sign` +1) or upper (−1) stop.
    pub fn is_held(&self, coordinate: usize, sign: f64) -> bool {
        self.linearisation.holds(coordinate, sign)
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

    /// Centre of mass, world, m.
    pub fn com(&self) -> Affine<'a> {
        self.three_rows(&self.now.com, &self.linearisation.com_jacobian, Dimension::Length)
    }

    /// Velocity of the centre of mass, world, m/s.
    pub fn com_velocity(&self) -> Affine<'a> {
        (self.com() - self.now.com) * (1.0 / self.dt())
    }

    /// The material point of `body` that is now at the world point `point`, m.
    pub fn point(&self, body: BodyId, point: &Vector3<f64>) -> Affine<'a> {
        self.point_rows(body, point)
    }

    /// 3 × nv angular Jacobian (world) as coefficients of one wide row, to be read and dropped.
    fn angular(&self, body: BodyId) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(3 * self.model.nv);
        let jacobian = affine.push(Dimension::Angle, 0.0);
        self.now.kinematics.angular_jacobian(self.model, body, jacobian);
        affine
    }

    /// A direction fixed in `body` (unit, body axes) seen in the world: d + dt ω × d.
    pub fn direction(&self, body: BodyId, axis: &Vector3<f64>) -> Affine<'a> {
        let direction = self.now.kinematics.rotation[body.0] * axis;
        let jacobian = self.angular(body);
        let turn = self.three_rows(&Vector3::zeros(), jacobian.coefficients(0), Dimension::Angle);
        turn.cross(&direction) - (-direction)
    }

    /// How far `body` is turned from a target orientation: log(R Rₜᵀ) in world axes, rad.
    pub fn turn_from(&self, body: BodyId, target: &Matrix3<f64>) -> Affine<'a> {
        let error = rotation::log(&(self.now.kinematics.rotation[body.0] * target.transpose()));
        let inverse = rotation::inverse_left_jacobian(&error);
        let nv = self.model.nv;
        let jacobian = self.angular(body);
        let jacobian = jacobian.coefficients(0);
        let mut affine = self.linearisation.pool.affine(nv);
        for k in 0..3 {
            let row = affine.push(Dimension::Angle, error[k]);
            for (j, a) in row.iter_mut().enumerate() {
                *a = self.dt() * (0..3).map(|i| inverse[(k, i)] * jacobian[i * nv + j]).sum::<f64>();
            }
        }
        affine
    }

    /// Numbers that depend on no unknown, a row each.
    pub fn constants(&self, values: impl Iterator<Item = f64>) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(0);
        for value in values {
            affine.push(Dimension::Pure, value);
        }
        affine
    }

    /// Displacement of velocity coordinates from where they are to their targets: rows
    /// q_j + dt v⁺_j − target_j for hinges and slides.
    pub fn coordinates(&self, coordinates: impl Iterator<Item = (usize, f64)>) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.model.nv);
        for (coordinate, displacement) in coordinates {
            affine.push(self.dimension_of(coordinate), displacement)[coordinate] = self.dt();
        }
        affine
    }

    /// Rates v⁺_j of velocity coordinates, m/s or rad/s.
    pub fn rates(&self, coordinates: impl Iterator<Item = usize>) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.model.nv);
        for coordinate in coordinates {
            affine.push(self.dimension_of(coordinate), 0.0)[coordinate] = 1.0;
        }
        affine
    }

    /// Whether a coordinate is a length or an angle.
    pub fn dimension_of(&self, coordinate: usize) -> Dimension {
        let joints = &self.model.bodies[self.model.dof_body[coordinate].0].joints;
        let joint = self.model.joints[joints.clone()].iter().rev().find(|joint| joint.v_index <= coordinate);
        match joint.map(|joint| (joint.kind, joint.v_index)) {
            Some((JointKind::Free, first)) if coordinate < first + 3 => Dimension::Length,
            Some((JointKind::Slide { .. }, _)) => Dimension::Length,
            _ => Dimension::Angle,
        }
    }

    /// The touching point of a touch (by index in the sense's list), world, m.
    pub fn touch_point(&self, index: usize) -> Affine<'a> {
        let jacobian = self.linearisation.touch_jacobians.row(index);
        self.three_rows(&self.now.contacts.touches[index].point, jacobian, Dimension::Length)
    }

    /// Gap of a touch (by index in the sense's list) after the frame, over dt: gap/dt + n⁺·(J v⁺ + ½ dt J̇v − u),
    /// m/s. The body's way is taken to second order; that of the surface, u dt, and its normal then, n⁺, are exact.
    pub fn gap_rate(&self, index: usize) -> Affine<'a> {
        let touch = &self.now.contacts.touches[index];
        let known = 0.5 * self.dt() * touch.bias_acceleration - touch.next_surface_velocity;
        let known = touch.next_normal.dot(&known);
        let nv = self.model.nv;
        let jacobian = self.linearisation.touch_jacobians.row(index);
        let mut rate = self.linearisation.pool.affine(nv);
        let row = rate.push(Dimension::Length, touch.gap / self.dt() + known);
        for (j, a) in row.iter_mut().enumerate() {
            *a = transposed(jacobian, nv, j, &touch.next_normal);
        }
        rate
    }

    /// Way of a grip's site (by index in the sense's list) over the frame with its second-order term, over dt, past
    /// the way that its hold gives to the forces f of this frame: J v⁺ + ½ dt J̇v + Σ_j G_j f_j, m/s.
    pub fn grip_rate(&self, index: usize) -> Affine<'a> {
        let Sense { grips, scales, .. } = self.now;
        let (nv, grip) = (self.model.nv, &grips.list[index]);
        let gives = || grips.gives.iter().filter(|give| give.site == grip.site);
        let jacobian = self.linearisation.grip_jacobians.row(index);
        let width = if gives().next().is_some() { self.unknowns() } else { nv };
        let mut rate = self.linearisation.pool.affine(width);
        for axis in 0..3 {
            let second_order = 0.5 * self.dt() * grip.bias_acceleration[axis];
            let row = rate.push(Dimension::Length, second_order);
            row[..nv].copy_from_slice(&jacobian[axis * nv..(axis + 1) * nv]);
            for give in gives() {
                let columns = self.grip_columns().iter().enumerate();
                for (k, column) in columns.filter(|(_, column)| grips.list[column.grip].site == give.by) {
                    let along = give.compliance.row(axis).tr_dot(&column.direction);
                    row[self.grip_unknown(k)] += along * scales.contact_force();
                }
            }
        }
        rate
    }

    /// Force of a grip (by index in the sense's list), world, in m g/8.
    pub fn grip_force(&self, index: usize) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.unknowns());
        for axis in 0..3 {
            let row = affine.push(Dimension::Pure, 0.0);
            for (k, column) in self.grip_columns().iter().enumerate() {
                if column.grip == index {
                    row[self.grip_unknown(k)] = column.direction[axis];
                }
            }
        }
        affine
    }

    /// n·(J₂ − J₁) v⁺: how fast two points (world) of two bodies move apart along `normal`, m/s.
    pub fn separation_rate(
        &self,
        bodies: [BodyId; 2],
        points: &[Vector3<f64>; 2],
        normal: &Vector3<f64>,
    ) -> Affine<'a> {
        let nv = self.model.nv;
        let pool = &self.linearisation.pool;
        let (mut rate, mut jacobian) = (pool.affine(nv), pool.affine(3 * nv));
        let jacobian = jacobian.push(Dimension::Length, 0.0);
        let row = rate.push(Dimension::Length, 0.0);
        for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
            self.now.kinematics.point_jacobian(self.model, bodies[side], &points[side], jacobian);
            for (j, a) in row.iter_mut().enumerate() {
                *a += sign * transposed(jacobian, nv, j, normal);
            }
        }
        rate
    }

    /// Velocity of the touching point of a touch under v⁺ (the first of the unknowns `x`), world, m/s.
    pub fn touch_velocity(&self, index: usize, x: &[f64]) -> Vector3<f64> {
        let nv = self.model.nv;
        let jacobian = self.linearisation.touch_jacobians.row(index);
        let along = |k: usize| jacobian[k * nv..(k + 1) * nv].iter().zip(x).map(|(j, v)| j * v).sum();
        Vector3::from_fn(|k, _| along(k))
    }

    /// J v⁺ of a grip's site (by index in the sense's list) under v⁺ (the first of the unknowns `x`), world, m/s.
    pub fn grip_velocity(&self, index: usize, x: &[f64]) -> Vector3<f64> {
        let nv = self.model.nv;
        let jacobian = self.linearisation.grip_jacobians.row(index);
        Vector3::from_fn(|axis, _| dot(&jacobian[axis * nv..(axis + 1) * nv], &x[..nv]))
    }

    /// Normal force of all contacts for which `loads` holds, in m g/8.
    pub fn normal_force(&self, loads: impl Fn(&Touch) -> bool) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.unknowns());
        let row = affine.push(Dimension::Pure, 0.0);
        for (k, column) in self.contact_columns().iter().enumerate() {
            let touch = &self.now.contacts.touches[column.touch];
            if loads(touch) {
                row[self.model.nv + k] = column.direction.dot(&touch.normal);
            }
        }
        affine
    }

    /// Row of the mass matrix M(q), kg, kg m or kg m².
    pub fn mass_row(&self, coordinate: usize) -> &'a [f64] {
        self.linearisation.mass.row(coordinate)
    }

    /// τ_i(x), the muscle torque of a coordinate: what its equation of motion leaves, less the reaction of its
    /// stops. Coefficients over all unknowns and the constant, N m or N. For a coordinate of the root, which has
    /// neither muscles nor stops, it is L_i(x), which must vanish.
    pub fn torque_row(&self, coordinate: usize) -> (&'a [f64], f64) {
        let constant = self.linearisation.lagrangian_constant[coordinate];
        (self.linearisation.lagrangian.row(coordinate), constant)
    }

    /// The same for consecutive coordinates, one row after the other.
    pub fn torque_rows(&self, coordinates: Range<usize>) -> (&'a [f64], &'a [f64]) {
        let Linearisation { lagrangian, lagrangian_constant, .. } = self.linearisation;
        let columns = lagrangian.columns();
        let rows = &lagrangian.as_slice()[coordinates.start * columns..coordinates.end * columns];
        (rows, &lagrangian_constant[coordinates])
    }

    /// The same as an affine quantity.
    pub fn torque(&self, coordinate: usize) -> Affine<'a> {
        let mut affine = self.linearisation.pool.affine(self.unknowns());
        let (row, constant) = self.torque_row(coordinate);
        affine.push(Dimension::Pure, constant).copy_from_slice(row);
        affine
    }

    /// The mass matrix at this configuration, nv × nv.
    pub fn mass(&self) -> &'a RowMatrix {
        &self.linearisation.mass
    }
}
