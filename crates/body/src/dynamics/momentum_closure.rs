//! The motion of a floating root that gives its body a momentum: whatever the motion of the joints in a frame, only
//! external forces change the total momentum.

use super::half_step::HalfStep;
use super::kinematics::Kinematics;
use crate::model::Model;
use crate::model::state::{self, State};
use aplomb_math::rotation::log;
use aplomb_math::spatial::Force;
use nalgebra::{Vector3, Vector6};

/// Finds the root's part of v⁺, with its working memory, for a body whose root is one free joint
/// ([`floats_as_one`](super::half_step::floats_as_one)).
#[derive(Clone, Debug)]
pub struct MomentumClosure {
    half: HalfStep,
    /// Poses before the frame; then those at its end.
    poses: Kinematics,
    step: Vec<f64>,
    q: Vec<f64>,
}

impl MomentumClosure {
    /// Allocates for `model`.
    pub fn new(model: &Model) -> Self {
        MomentumClosure {
            half: HalfStep::new(model),
            poses: Kinematics::new(model),
            step: vec![0.0; model.nv],
            q: vec![0.0; model.nq],
        }
    }

    /// Poses at the end of the frame that was evaluated last.
    pub fn poses(&self) -> &Kinematics {
        &self.poses
    }

    /// h L about the centre of mass, kg m², and h P, kg m, of the motion that led to `state` in the time `dt`, s,
    /// from q ⊖ dt v to q; world axes.
    pub fn initial(&mut self, model: &Model, now: &Kinematics, state: &State, dt: f64) -> Force {
        self.pose(model, &state.q, &state.v, -dt);
        self.half.begin(model, &self.poses);
        self.half.end(model, &self.poses, now)
    }

    /// Begins a frame in the poses `now`.
    pub fn begin(&mut self, model: &Model, now: &Kinematics) {
        self.half.begin(model, now);
    }

    /// h L and h P of the motion from q to q ⊕ dt v.
    pub fn reached(&mut self, model: &Model, now: &Kinematics, q: &[f64], v: &[f64], dt: f64) -> Force {
        self.pose(model, q, v, dt);
        self.half.end(model, now, &self.poses)
    }

    /// Moves the whole body, whose poses have the momentum `reached`, so that it has the momentum `wanted`, both as h L
    /// and h P; returns the root's part of the velocity that produces this motion. `com`: the centre of mass before, m.
    pub fn close(
        &mut self,
        model: &Model,
        now: &Kinematics,
        com: &Vector3<f64>,
        dt: f64,
        [reached, wanted]: [&Force; 2],
    ) -> Vector6<f64> {
        let turn = *self.half.turn_to(&reached.moment, &wanted.moment).to_rotation_matrix().matrix();
        let [from, to] = [reached, wanted].map(|impulse| com + impulse.force / self.half.mass());
        for (position, rotation) in self.poses.position.iter_mut().zip(&mut self.poses.rotation) {
            *position = to + turn * (*position - from);
            *rotation = turn * *rotation;
        }
        let root = model.dof_body[0].0;
        let linear = (self.poses.position[root] - now.position[root]) / dt;
        let angular = log(&now.rotation[root].tr_mul(&self.poses.rotation[root])) / dt;
        Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
    }

    /// Poses at q ⊕ time v.
    fn pose(&mut self, model: &Model, q: &[f64], v: &[f64], time: f64) {
        self.step.iter_mut().zip(v).for_each(|(step, v)| *step = time * v);
        state::integrate(model, q, &self.step, &mut self.q);
        self.poses.update_poses(model, &self.q);
    }
}
