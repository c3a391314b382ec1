//! Joint angles of a model that turn its bodies as wanted.

use crate::dynamics::Kinematics;
use crate::model::state::{difference, integrate};
use crate::model::{BodyId, Joint, JointKind, Model};
use aplomb_math::rotation;
use nalgebra::{DMatrix, DVector, UnitQuaternion};

/// What it costs a joint to be away from rest, of what it costs a body to be turned wrong: decides where many angles
/// would do.
const TOWARDS_REST: f64 = 1e-8;
/// Of the last step, rad: smaller ones change nothing that could be seen.
const CONVERGED: f64 = 1e-7;
const STEPS: usize = 60;
/// Longest step of a joint, rad.
const LONGEST: f64 = 0.5;

/// A body and how it is to be turned in the world.
pub type Wish = (BodyId, UnitQuaternion<f64>);

/// Finds configurations of one model, each near the one before.
pub struct Fit<'m> {
    model: &'m Model,
    rest: Vec<f64>,
    /// Velocity coordinates that turn something.
    turning: Vec<usize>,
    kinematics: Kinematics,
    q: Vec<f64>,
}

impl<'m> Fit<'m> {
    /// From the configuration `rest` on.
    pub fn new(model: &'m Model, rest: Vec<f64>) -> Self {
        let turning = model.joints.iter().flat_map(|joint| match joint.kind {
            JointKind::Free => joint.v_index + 3..joint.v_index + 6,
            JointKind::Ball => joint.v_index..joint.v_index + 3,
            JointKind::Hinge { .. } => joint.v_index..joint.v_index + 1,
            JointKind::Slide { .. } => 0..0,
        });
        Fit { model, turning: turning.collect(), kinematics: Kinematics::new(model), q: rest.clone(), rest }
    }

    /// The next configuration: least Σ |log(Wᵢ Rᵢ(q)ᵀ)|² + ε |q − rest|² over the turns of joints, by Gauss and Newton. A
    /// joint that comes to its limit stays there for this configuration. Also the largest turn that is missing, rad.
    pub fn next(&mut self, wishes: &[Wish]) -> (&[f64], f64) {
        let mut jacobian = DMatrix::zeros(3 * wishes.len(), self.turning.len());
        let mut error = DVector::zeros(3 * wishes.len());
        let mut is_held = vec![false; self.turning.len()];
        for _ in 0..STEPS {
            self.linearise(wishes, &mut jacobian, &mut error);
            for (column, _) in is_held.iter().enumerate().filter(|(_, held)| **held) {
                jacobian.column_mut(column).fill(0.0);
            }
            let mut normal = jacobian.tr_mul(&jacobian);
            let mut right = jacobian.tr_mul(&error);
            for (column, &coordinate) in self.turning.iter().enumerate() {
                normal[(column, column)] += TOWARDS_REST;
                right[column] += TOWARDS_REST * self.to_rest(coordinate);
            }
            let Some(step) = normal.cholesky().map(|factor| factor.solve(&right)) else { break };
            if self.go(&step, &mut is_held) < CONVERGED {
                break;
            }
        }
        self.linearise(wishes, &mut jacobian, &mut error);
        let missing = (0..wishes.len()).map(|row| error.rows(3 * row, 3).norm()).fold(0.0, f64::max);
        (&self.q, missing)
    }

    /// Errors log(W Rᵀ) and how the turns of joints change them, world axes, rad.
    fn linearise(&mut self, wishes: &[Wish], jacobian: &mut DMatrix<f64>, error: &mut DVector<f64>) {
        self.kinematics.update_poses(self.model, &self.q);
        let mut angular = vec![0.0; 3 * self.model.nv];
        for (row, (body, wish)) in wishes.iter().enumerate() {
            let turn = wish.to_rotation_matrix().matrix() * self.kinematics.rotation[body.0].transpose();
            error.rows_mut(3 * row, 3).copy_from(&rotation::log(&turn));
            self.kinematics.angular_jacobian(self.model, *body, &mut angular);
            for (column, coordinate) in self.turning.iter().enumerate() {
                for axis in 0..3 {
                    jacobian[(3 * row + axis, column)] = angular[axis * self.model.nv + coordinate];
                }
            }
        }
    }

    /// From where a hinge is to where it is at rest, rad; 0 of others.
    fn to_rest(&self, coordinate: usize) -> f64 {
        self.hinge(coordinate).map_or(0.0, |joint| self.rest[joint.q_index] - self.q[joint.q_index])
    }

    fn hinge(&self, coordinate: usize) -> Option<&'m Joint> {
        let joints = &self.model.joints[self.model.bodies[self.model.dof_body[coordinate].0].joints.clone()];
        joints
            .iter()
            .find(|joint| joint.v_index == coordinate && matches!(joint.kind, JointKind::Hinge { .. }))
    }

    /// Goes along a step as far as limits allow. How far the joint that goes farthest has gone, rad.
    fn go(&mut self, step: &DVector<f64>, is_held: &mut [bool]) -> f64 {
        let share = LONGEST / step.amax().max(LONGEST);
        let mut tangent = vec![0.0; self.model.nv];
        for (&coordinate, by) in self.turning.iter().zip(step.iter()) {
            tangent[coordinate] = by * share;
        }
        let before = self.q.clone();
        integrate(self.model, &before, &tangent, &mut self.q);
        for (held, &coordinate) in is_held.iter_mut().zip(&self.turning) {
            let Some((joint, [low, high])) = self.hinge(coordinate).and_then(|j| Some((j, j.range?))) else {
                continue;
            };
            let angle = &mut self.q[joint.q_index];
            *held |= *angle < low || *angle > high;
            *angle = angle.clamp(low, high);
        }
        difference(self.model, &before, &self.q, &mut tangent);
        tangent.iter().fold(0.0, |most, by| by.abs().max(most))
    }
}
