//! The equations of motion as rows over the unknowns.

use super::balance::ROOT;
use super::{ExternalForce, Linearisation, SelfContactColumn, transposed};
use crate::snapshot::Snapshot;
use aplomb_body::dynamics::{BiasVelocity, Kinematics, implicit_passive_forces};
use aplomb_body::model::{BodyId, Model};
use aplomb_math::kernel::dot;
use aplomb_math::matrix::RowMatrix;
use nalgebra::Vector3;

impl Linearisation {
    pub(super) fn bias_force(
        &mut self,
        model: &Model,
        snapshot: &Snapshot,
        bias: BiasVelocity,
        previous: &[f64],
    ) {
        let Snapshot { kinematics: now, state, gravity, .. } = snapshot;
        // Within a frame, only the velocity at the midpoint changes.
        if self.bias_of.replace(bias) == Some(bias) && bias != BiasVelocity::Midpoint {
            return;
        }
        let (force, kinematics) = (&mut self.inverse_dynamics, &mut self.kinematics);
        match bias {
            BiasVelocity::Backward => force.bias_force(model, now, gravity, &mut self.bias),
            BiasVelocity::Extrapolated | BiasVelocity::Momentum => {
                for (k, extrapolated) in self.bias_velocity.iter_mut().enumerate() {
                    *extrapolated = 1.5 * state.v[k] - 0.5 * previous[k];
                }
                kinematics.copy_from(now);
                kinematics.update_velocity(model, &self.bias_velocity);
                force.bias_force(model, kinematics, gravity, &mut self.bias);
            }
            BiasVelocity::Midpoint => {
                for (k, middle) in self.bias_velocity.iter_mut().enumerate() {
                    *middle = 0.5 * (state.v[k] + self.expected_velocity[k]);
                }
                kinematics.copy_from(now);
                kinematics.update_velocity(model, &self.bias_velocity);
                force.bias_force(model, kinematics, gravity, &mut self.bias);
                self.bias_derivative.bias_velocity_matrix(model, kinematics, &mut self.bias_gradient);
            }
        }
    }

    pub(super) fn equations_of_motion(
        &mut self,
        model: &Model,
        snapshot: &Snapshot,
        external: &[ExternalForce],
        bias: BiasVelocity,
    ) {
        let nv = model.nv;
        self.lagrangian.reset(
            nv + self.contact_columns.len()
                + self.grip_columns.len()
                + self.stop_columns.len()
                + self.self_contact_columns.len()
                + self.load_columns.len()
                + 3 * self.way_columns.len(),
        );
        self.inertia(model, snapshot.scales.turning_time());
        for i in 0..nv {
            let row = self.lagrangian.row_mut(i);
            self.lagrangian_constant[i] = self.bias[i] - dot(&row[..nv], &snapshot.state.v);
            if let Some(servo) = self.servo.get(i) {
                row[i] += servo;
            }
            // In an impact, momentum changes only by M (v⁺ − v): the energy minimisation needs a symmetric matrix.
            if bias == BiasVelocity::Midpoint && !self.impact {
                let gradient = self.bias_gradient.row(i);
                self.lagrangian_constant[i] -= 0.5 * dot(gradient, &self.expected_velocity);
                for (a, gradient) in row.iter_mut().zip(gradient) {
                    *a += 0.5 * gradient;
                }
            }
        }
        self.momentum.inertia_written(&self.lagrangian_constant);
        self.springs_and_dampers(model, snapshot);
        self.external_forces(model, snapshot, external);
        self.momentum.loads_written(&self.lagrangian_constant);
        self.balance_momentum(snapshot);
        self.jacobians(model, snapshot);
        self.loads(model, snapshot);
        self.couple(model);
        self.add_friction();
    }

    /// Adds springs and dampers of joints, implicit over the frame. The momentum balances of a floating root include
    /// its dampers as loads, evaluated at the beginning of the frame.
    fn springs_and_dampers(&mut self, model: &Model, snapshot: &Snapshot) {
        let (state, dt) = (&snapshot.state, snapshot.scales.dt);
        let balanced = if self.momentum.is_on { ROOT } else { 0 };
        for (i, passive) in implicit_passive_forces(model, state, dt).enumerate() {
            let inertia = if i < balanced { 0.0 } else { passive.inertia / dt };
            self.lagrangian.row_mut(i)[i] += inertia;
            self.lagrangian_constant[i] -= passive.force + inertia * state.v[i];
        }
    }

    /// Writes M divided by the time in which v becomes v⁺, s. Only coordinates on one path to the world are coupled.
    fn inertia(&mut self, model: &Model, time: f64) {
        (0..model.nv).for_each(|_| _ = self.lagrangian.push_zeros());
        let columns = self.lagrangian.columns();
        let rows = self.lagrangian.as_mut_slice();
        for j in 0..model.nv {
            let mass = self.mass.row(j);
            let mut coordinate = Some(j);
            while let Some(i) = coordinate {
                let entry = mass[i] / time;
                rows[j * columns + i] = entry;
                rows[i * columns + j] = entry;
                coordinate = model.dof_parent[i];
            }
        }
    }

    /// Adds couplings. The residual of the equation of motion of a coupled joint is the reaction κ of its
    /// coupling; −r κ acts on its leader: τ_L = L_L + r L_F.
    fn couple(&mut self, model: &Model) {
        let columns = self.lagrangian.columns();
        for coupling in &model.couplings {
            let (follower, Some(leader)) = coupling.coordinates(model) else { continue };
            let rows = self.lagrangian.as_mut_slice();
            for k in 0..columns {
                rows[leader * columns + k] += coupling.ratio * rows[follower * columns + k];
            }
            self.lagrangian_constant[leader] += coupling.ratio * self.lagrangian_constant[follower];
        }
    }

    /// Makes the couplings hold at `x` to round-off, independently of the solver, by changing the rates of the joints
    /// that follow.
    pub(crate) fn close_couplings(&self, model: &Model, now: &Snapshot, x: &mut [f64]) {
        for coupling in &model.couplings {
            let (follower, leader) = coupling.coordinates(model);
            let led = leader.map_or(0.0, |leader| coupling.ratio * x[leader]);
            x[follower] = led + coupling.return_rate(model, &now.state.q, now.scales.dt);
        }
    }

    /// Adds − Q_ext. The impulse of an external force is that over the length of the step.
    fn external_forces(&mut self, model: &Model, snapshot: &Snapshot, external: &[ExternalForce]) {
        let (nv, steps) = (model.nv, snapshot.scales.turning_steps());
        for (constant, unknown) in self.lagrangian_constant.iter_mut().zip(&self.disturbance) {
            *constant -= unknown;
        }
        for force in external.iter().map(|force| force.over(steps)) {
            snapshot.kinematics.point_jacobian(model, force.body, &force.point, &mut self.scratch);
            for i in 0..nv {
                self.lagrangian_constant[i] -= transposed(&self.scratch, nv, i, &force.force);
            }
            let mut coordinate = model.bodies[force.body.0].last_dof;
            while let Some(i) = coordinate {
                self.lagrangian_constant[i] -= snapshot.kinematics.subspace[i].angular.dot(&force.torque);
                coordinate = model.dof_parent[i];
            }
        }
    }

    /// Jacobians of contact points and grips, and of the points that other characters act on.
    fn jacobians(&mut self, model: &Model, snapshot: &Snapshot) {
        let nv = model.nv;
        let touches = &snapshot.contacts.touches;
        self.touch_jacobians.reshape(touches.len(), 3 * nv);
        self.touch_places.truncate(touches.len());
        for (index, touch) in touches.iter().enumerate() {
            // In further solves of a frame most Jacobians are known.
            let place = (touch.body, touch.point);
            match self.touch_places.get_mut(index) {
                Some(known) if *known == place => continue,
                Some(known) => *known = place,
                None => self.touch_places.push(place),
            }
            let jacobian = self.touch_jacobians.row_mut(index);
            snapshot.kinematics.point_jacobian(model, touch.body, &touch.point, jacobian);
        }
        self.grip_jacobians.reset(3 * nv);
        for grip in &snapshot.grips.list {
            let jacobian = self.grip_jacobians.push_zeros();
            snapshot.kinematics.point_jacobian(model, grip.body, &grip.point, jacobian);
        }
        self.borne_jacobians.reset(3 * nv);
        for borne in &snapshot.borne {
            let jacobian = self.borne_jacobians.push_zeros();
            snapshot.kinematics.point_jacobian(model, borne.body, &borne.point, jacobian);
        }
    }

    /// Adds − Jᵀ d λ of contacts and grips, the reactions of joint limits, − Gᵀ σ of parts of the body that press on
    /// each other, and − Jᵀ f of the forces that other characters exert on the body.
    fn loads(&mut self, model: &Model, snapshot: &Snapshot) {
        let nv = model.nv;
        let unit = snapshot.scales.contact_force();
        let mut first = nv;
        for columns in self.contact_columns.chunk_by(|a, b| a.touch == b.touch) {
            let touch = columns[0].touch;
            let body = snapshot.contacts.touches[touch].body;
            let directions = columns.iter().map(|column| column.direction * -unit);
            load(model, body, self.touch_jacobians.row(touch), first, directions, &mut self.lagrangian);
            first += columns.len();
        }
        for columns in self.grip_columns.chunk_by(|a, b| a.grip == b.grip) {
            let grip = columns[0].grip;
            let body = snapshot.grips.list[grip].body;
            let directions = columns.iter().map(|column| column.direction * -unit);
            load(model, body, self.grip_jacobians.row(grip), first, directions, &mut self.lagrangian);
            first += columns.len();
        }
        let first_stop = nv + self.contact_columns.len() + self.grip_columns.len();
        for (k, stop) in self.stop_columns.iter().enumerate() {
            let unit = snapshot.scales.torque();
            self.lagrangian.row_mut(stop.coordinate)[first_stop + k] = -stop.sign * unit;
        }
        let first_self_contact = first_stop + self.stop_columns.len();
        for (k, parts) in self.self_contact_columns.iter().enumerate() {
            let column = first_self_contact + k;
            let SelfContactColumn { bodies, points, normal, .. } = parts;
            separation(model, &snapshot.kinematics, *bodies, points, normal, |i, rate| {
                self.lagrangian.row_mut(i)[column] -= unit * rate;
            });
        }
        let mut first = first_self_contact + self.self_contact_columns.len();
        for columns in self.load_columns.chunk_by(|a, b| a.borne == b.borne) {
            let borne = columns[0].borne;
            let (body, jacobian) = (snapshot.borne[borne].body, self.borne_jacobians.row(borne));
            let forces = columns.iter().map(|column| -column.force);
            load(model, body, jacobian, first, forces, &mut self.lagrangian);
            first += columns.len();
        }
    }
}

/// Passes G to `add`, where G v is the rate at which two parts of the body separate at their closest points, along
/// the normal from the first to the second. The common motion of both cancels.
pub(super) fn separation(
    model: &Model,
    kinematics: &Kinematics,
    bodies: [BodyId; 2],
    points: &[Vector3<f64>; 2],
    normal: &Vector3<f64>,
    mut add: impl FnMut(usize, f64),
) {
    for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
        for j in model.chain(bodies[side]) {
            let along = kinematics.subspace[j].velocity_at(&points[side]);
            add(j, sign * (along.x * normal.x + along.y * normal.y + along.z * normal.z));
        }
    }
}

/// Writes Jᵀ f of forces f at a point of `body`, whose 3 × nv Jacobian is given, into adjacent columns of the
/// equations of motion, from `first` on.
fn load(
    model: &Model,
    body: BodyId,
    jacobian: &[f64],
    first: usize,
    forces: impl Iterator<Item = Vector3<f64>>,
    lagrangian: &mut RowMatrix,
) {
    let nv = model.nv;
    let mut forces = forces.fuse();
    let mut first = first;
    loop {
        // Four forces at a time, by component.
        let (mut four, mut count) = ([[0.0; 4]; 3], 0);
        for force in forces.by_ref().take(4) {
            for (components, component) in four.iter_mut().zip(force.iter()) {
                components[count] = *component;
            }
            count += 1;
        }
        if count == 0 {
            return;
        }
        let [x, y, z] = four;
        // A force on a body acts on the coordinates between it and the world.
        for i in model.chain(body) {
            let along = [jacobian[i], jacobian[nv + i], jacobian[2 * nv + i]];
            let work: [f64; 4] = std::array::from_fn(|k| along[0] * x[k] + along[1] * y[k] + along[2] * z[k]);
            let row = &mut lagrangian.row_mut(i)[first..];
            match row.first_chunk_mut() {
                Some(block) if count == 4 => *block = work,
                _ => row.iter_mut().zip(work).take(count).for_each(|(a, work)| *a = work),
            }
        }
        first += count;
    }
}
