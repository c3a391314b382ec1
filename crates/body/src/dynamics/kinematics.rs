//! Forward kinematics: poses and velocities of all bodies, in one outward pass.

use crate::model::state::rotation;
use crate::model::{BodyId, JointKind, Model};
use aplomb_math::elementary::sincos;
use aplomb_math::spatial::{Force, Inertia, Motion};
use nalgebra::{Matrix3, Rotation3, Unit, UnitQuaternion, Vector3};

/// Poses, velocities and inertias of all bodies at one configuration and velocity.
///
/// Spatial quantities are in world axes at the world origin. Vectors over bodies are indexed as
/// [`Model::bodies`], vectors over velocity coordinates as `v`.
#[derive(Clone, Debug)]
pub struct Kinematics {
    /// Origin of each body frame, m.
    pub position: Vec<Vector3<f64>>,
    /// Body axes to world axes, per body.
    pub rotation: Vec<Matrix3<f64>>,
    /// Motion subspace S: contribution of a unit of each velocity coordinate to the velocity of the bodies in
    /// its subtree.
    pub subspace: Vec<Motion>,
    /// Velocity of each body.
    pub velocity: Vec<Motion>,
    /// Acceleration of each body at q̈ = 0: Σ Ṡ v over its path to the world, without gravity.
    pub(crate) bias_acceleration: Vec<Motion>,
    /// Rigid inertia of each body.
    pub inertia: Vec<Inertia>,
    /// Inertia of each body's subtree with frozen joints.
    #[doc(alias = "composite rigid body inertia")]
    pub subtree_inertia: Vec<Inertia>,
    /// Inertia of all bodies together.
    pub total_inertia: Inertia,
    /// The velocity coordinates that the velocities above were computed from.
    pub(crate) rates: Vec<f64>,
}

impl Kinematics {
    /// Allocates memory for `model`; nothing is computed yet.
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies.len();
        Kinematics {
            position: vec![Vector3::zeros(); bodies],
            rotation: vec![Matrix3::identity(); bodies],
            subspace: vec![Motion::default(); model.nv],
            velocity: vec![Motion::default(); bodies],
            bias_acceleration: vec![Motion::default(); bodies],
            inertia: vec![Inertia::default(); bodies],
            subtree_inertia: vec![Inertia::default(); bodies],
            total_inertia: Inertia::default(),
            rates: vec![0.0; model.nv],
        }
    }

    /// Computes everything at configuration `q` (nq numbers) and velocity `v` (nv numbers).
    pub fn update(&mut self, model: &Model, q: &[f64], v: &[f64]) {
        self.update_position(model, q);
        self.update_velocity(model, v);
    }

    /// Computes poses, joint axes and inertias at `q`; velocities are not updated.
    pub fn update_position(&mut self, model: &Model, q: &[f64]) {
        self.update_poses(model, q);
        self.update_inertias(model);
    }

    /// Computes inertias at the last poses; nothing else is updated.
    pub fn update_inertias(&mut self, model: &Model) {
        for (index, body) in model.bodies.iter().enumerate() {
            let (own, rotation) = (&body.inertia, &self.rotation[index]);
            let centre = self.position[index] + rotation * own.centre;
            let about_centre = rotation * own.about_centre * rotation.transpose();
            self.inertia[index] = Inertia::new(own.mass, &centre, about_centre);
        }
        self.sum_inertias(model);
    }

    /// Computes poses and joint axes at `q`; nothing else is updated.
    pub fn update_poses(&mut self, model: &Model, q: &[f64]) {
        debug_assert!(q.len() == model.nq && self.position.len() == model.bodies.len());
        for (index, body) in model.bodies.iter().enumerate() {
            let (mut position, mut rotation) = match body.parent {
                Some(BodyId(parent)) => {
                    (self.position[parent] + self.rotation[parent] * body.position, self.rotation[parent])
                }
                None => (body.position, Matrix3::identity()),
            };
            if body.orientation != UnitQuaternion::identity() {
                rotation *= body.orientation.to_rotation_matrix().matrix();
            }
            for joint in &model.joints[body.joints.clone()] {
                let columns = &mut self.subspace[joint.v_index..joint.v_index + joint.kind.nv()];
                place_joint(joint, &q[joint.q_index..], &mut position, &mut rotation, columns);
            }
            self.position[index] = position;
            self.rotation[index] = rotation;
        }
    }

    /// Copies the values of another of the same model, without allocating.
    pub fn copy_from(&mut self, other: &Kinematics) {
        self.position.copy_from_slice(&other.position);
        self.rotation.copy_from_slice(&other.rotation);
        self.subspace.copy_from_slice(&other.subspace);
        self.velocity.copy_from_slice(&other.velocity);
        self.bias_acceleration.copy_from_slice(&other.bias_acceleration);
        self.inertia.copy_from_slice(&other.inertia);
        self.subtree_inertia.copy_from_slice(&other.subtree_inertia);
        self.total_inertia = other.total_inertia;
        self.rates.copy_from_slice(&other.rates);
    }

    /// Copies the poses of another of the same model; nothing else is updated.
    pub fn copy_poses_from(&mut self, other: &Kinematics) {
        self.position.copy_from_slice(&other.position);
        self.rotation.copy_from_slice(&other.rotation);
    }

    /// Computes velocities and bias accelerations at `v` (nv numbers), at the last configuration.
    pub fn update_velocity(&mut self, model: &Model, v: &[f64]) {
        debug_assert_eq!(v.len(), model.nv);
        self.rates.copy_from_slice(v);
        for (index, body) in model.bodies.iter().enumerate() {
            let (mut velocity, mut bias) = match body.parent {
                Some(BodyId(parent)) => (self.velocity[parent], self.bias_acceleration[parent]),
                None => (Motion::default(), Motion::default()),
            };
            for joint in &model.joints[body.joints.clone()] {
                let first = joint.v_index;
                let own = match joint.kind {
                    JointKind::Hinge { .. } | JointKind::Slide { .. } => self.subspace[first] * v[first],
                    JointKind::Free | JointKind::Ball => (first..first + joint.kind.nv())
                        .fold(Motion::default(), |sum, j| sum + self.subspace[j] * v[j]),
                };
                // Axes fixed to a body rotate with it: Ṡ v = V × S v, where V before the joint and V after it
                // give the same, because S v × S v = 0. The linear axes of a free joint do not rotate, and
                // its angular ones are at an origin that moves only with the linear coordinates.
                bias += match joint.kind {
                    JointKind::Free => {
                        let linear = Vector3::from_column_slice(&v[first..first + 3]);
                        Motion::translation(linear.cross(&own.angular))
                    }
                    _ => velocity.cross(&own),
                };
                velocity += own;
            }
            self.velocity[index] = velocity;
            self.bias_acceleration[index] = bias;
        }
    }

    fn sum_inertias(&mut self, model: &Model) {
        self.subtree_inertia.copy_from_slice(&self.inertia);
        self.total_inertia = Inertia::default();
        for (index, body) in model.bodies.iter().enumerate().rev() {
            let subtree = self.subtree_inertia[index];
            match body.parent {
                Some(BodyId(parent)) => self.subtree_inertia[parent] += subtree,
                None => self.total_inertia += subtree,
            }
        }
    }

    /// World position of the point `local` (body frame) of a body, m.
    pub fn point(&self, body: BodyId, local: &Vector3<f64>) -> Vector3<f64> {
        self.position[body.0] + self.rotation[body.0] * local
    }

    /// Velocity of the material point of a body that is at `world_point`, m/s.
    pub fn point_velocity(&self, body: BodyId, world_point: &Vector3<f64>) -> Vector3<f64> {
        self.velocity[body.0].velocity_at(world_point)
    }

    /// J̇ v of the material point of a body that is at `world_point`: its acceleration at q̈ = 0, m/s².
    pub fn point_bias_acceleration(&self, body: BodyId, world_point: &Vector3<f64>) -> Vector3<f64> {
        let velocity = &self.velocity[body.0];
        self.bias_acceleration[body.0].velocity_at(world_point)
            + velocity.angular.cross(&velocity.velocity_at(world_point))
    }

    /// Angular acceleration of a body at q̈ = 0, world axes, rad/s².
    pub fn angular_bias_acceleration(&self, body: BodyId) -> Vector3<f64> {
        self.bias_acceleration[body.0].angular
    }

    /// J with velocity of the material point at `world_point` = J v: 3 × nv, row-major, overwritten.
    pub fn point_jacobian(&self, model: &Model, body: BodyId, world_point: &Vector3<f64>, out: &mut [f64]) {
        self.jacobian(model, body, out, |axis| axis.velocity_at(world_point));
    }

    /// J with angular velocity of the body (world axes) = J v: 3 × nv, row-major, overwritten.
    pub fn angular_jacobian(&self, model: &Model, body: BodyId, out: &mut [f64]) {
        self.jacobian(model, body, out, |axis| axis.angular);
    }

    fn jacobian(
        &self,
        model: &Model,
        body: BodyId,
        out: &mut [f64],
        column: impl Fn(&Motion) -> Vector3<f64>,
    ) {
        let nv = model.nv;
        debug_assert_eq!(out.len(), 3 * nv);
        out.fill(0.0);
        let mut next = model.bodies[body.0].last_dof;
        while let Some(j) = next {
            let entries = column(&self.subspace[j]);
            out[j] = entries.x;
            out[nv + j] = entries.y;
            out[2 * nv + j] = entries.z;
            next = model.dof_parent[j];
        }
    }

    /// Force on the single body, without its neighbours, for q̈ = 0 under `gravity` (m/s²): I (a − g) + v ×*
    /// I v.
    #[inline]
    pub(crate) fn body_bias_force(&self, body: BodyId, gravity: &Vector3<f64>) -> Force {
        let (inertia, velocity) = (&self.inertia[body.0], &self.velocity[body.0]);
        let mut acceleration = self.bias_acceleration[body.0];
        acceleration.linear -= gravity;
        inertia * &acceleration + velocity.cross_force(&(inertia * velocity))
    }
}

/// Moves a body's frame through one of its joints and writes the joint's axes.
#[inline]
pub(super) fn place_joint(
    joint: &crate::model::Joint,
    q: &[f64],
    position: &mut Vector3<f64>,
    rotation_so_far: &mut Matrix3<f64>,
    columns: &mut [Motion],
) {
    match joint.kind {
        JointKind::Free => {
            *position = Vector3::from_column_slice(&q[..3]);
            *rotation_so_far = rotation(&q[3..7]).to_rotation_matrix().into_inner();
            for k in 0..3 {
                columns[k] = Motion::translation(Vector3::ith(k, 1.0));
                columns[3 + k] = Motion::rotation(rotation_so_far.column(k).into_owned(), position);
            }
        }
        JointKind::Ball => {
            let anchor = *position + *rotation_so_far * joint.anchor;
            *rotation_so_far *= rotation(&q[..4]).to_rotation_matrix().matrix();
            *position = anchor - *rotation_so_far * joint.anchor;
            for (k, column) in columns.iter_mut().enumerate() {
                *column = Motion::rotation(rotation_so_far.column(k).into_owned(), &anchor);
            }
        }
        JointKind::Hinge { axis } => {
            let anchor = match joint.anchor == Vector3::zeros() {
                true => *position,
                false => *position + *rotation_so_far * joint.anchor,
            };
            columns[0] =
                Motion::rotation(turn_about(&axis, q[0] - joint.reference, rotation_so_far), &anchor);
            *position = match joint.anchor == Vector3::zeros() {
                true => anchor,
                false => anchor - *rotation_so_far * joint.anchor,
            };
        }
        JointKind::Slide { axis } => {
            let direction = *rotation_so_far * axis;
            columns[0] = Motion::translation(direction);
            *position += direction * (q[0] - joint.reference);
        }
    }
}

/// Rotates a frame by an angle about an axis that is fixed in it; returns the axis in world axes. If it is one of the
/// frame's own axes, as in most bodies, only two columns change.
#[inline]
fn turn_about(axis: &Vector3<f64>, angle: f64, frame: &mut Matrix3<f64>) -> Vector3<f64> {
    let own = (0..3).find(|k| *axis == Vector3::ith(*k, 1.0));
    let Some(own) = own else {
        let world = *frame * axis;
        *frame *= Rotation3::from_axis_angle(&Unit::new_unchecked(*axis), angle).matrix();
        return world;
    };
    let (sine, cosine) = sincos(angle);
    let (next, last) = ((own + 1) % 3, (own + 2) % 3);
    let (a, b) = (frame.column(next).into_owned(), frame.column(last).into_owned());
    frame.set_column(next, &(a * cosine + b * sine));
    frame.set_column(last, &(b * cosine - a * sine));
    frame.column(own).into_owned()
}
