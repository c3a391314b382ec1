//! Inverse kinematics of orientations: joint angles of a model for given orientations of its bodies.
//!
//! From the root on, each body is rotated relative to its parent by the joints between the two only: the part
//! that these joints cannot reach remains as an error, and no other joint compensates for it.

use crate::dynamics::Kinematics;
use crate::model::state::{difference, integrate};
use crate::model::{BodyId, Joint, JointId, JointKind, Model};
use aplomb_math::rotation;
use nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion, Vector3};

/// Weight of joint angles away from rest relative to orientation errors, which selects among many solutions.
const TOWARDS_REST: f64 = 1e-8;
/// Weight of a rotation about the bone itself relative to one that changes its direction, because the
/// direction of the bone matters more.
const TWIST: f64 = 0.5;
/// Step size at convergence, rad: smaller steps change nothing visible.
const CONVERGED: f64 = 1e-7;
const STEPS: usize = 60;
/// Longest step of a joint, rad.
const LONGEST: f64 = 0.5;

/// A body with a target orientation.
#[derive(Clone, Debug)]
pub(super) struct OrientedBody {
    pub body: BodyId,
    /// Direction of its bone, body axes, unit length; `None`: all rotations have the same weight.
    pub bone: Option<Vector3<f64>>,
}

/// A follower with the coordinates that rotate it; followers are in the order of the model.
struct FitStage {
    follower: OrientedBody,
    /// Its nearest ancestor with a target, as an index among the followers.
    above: Option<usize>,
    /// Velocity coordinates that rotate it relative to that ancestor, and no other follower.
    own: Vec<usize>,
}

/// A target orientation of a body.
struct OrientationGoal<'a> {
    follower: &'a OrientedBody,
    turn: UnitQuaternion<f64>,
}

/// An orientation error that the joints cannot remove.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Short {
    /// The body with the error.
    pub body: BodyId,
    /// Size of the error, rad.
    pub by: f64,
    /// The joint whose limit causes it.
    pub joint: Option<JointId>,
}

/// Finds a sequence of configurations of one model, each near the previous one.
pub(super) struct Fit<'m> {
    model: &'m Model,
    rest: Vec<f64>,
    stages: Vec<FitStage>,
    /// Coordinates that rotate several followers without an ancestor among the followers.
    common: Vec<usize>,
    kinematics: Kinematics,
    q: Vec<f64>,
}

impl<'m> Fit<'m> {
    /// A fit from the configuration `rest`. Followers are in the order of bodies.
    pub(super) fn new(model: &'m Model, rest: Vec<f64>, followers: Vec<OrientedBody>) -> Self {
        let index = |body: BodyId| followers.iter().position(|follower| follower.body == body);
        let turning = |joint: &Joint| match joint.kind {
            JointKind::Free => joint.v_index + 3..joint.v_index + 6,
            JointKind::Ball => joint.v_index..joint.v_index + 3,
            JointKind::Hinge { .. } => joint.v_index..joint.v_index + 1,
            JointKind::Slide { .. } => 0..0,
        };
        let mut ways: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
        for follower in &followers {
            let mut way = Vec::new();
            let mut at = Some(follower.body);
            let mut above = None;
            while let Some(body) = at.filter(|_| above.is_none()) {
                way.extend(model.joints[model.bodies[body.0].joints.clone()].iter().flat_map(turning));
                at = model.bodies[body.0].parent;
                above = at.and_then(index);
            }
            ways.push((above, way));
        }
        let shared = |coordinate: usize| ways.iter().filter(|(_, way)| way.contains(&coordinate)).count() > 1;
        // Joints that rotate several followers without an ancestor are solved for all of them; joints that
        // rotate several other bodies, such as a back without its own chest, stay fixed.
        let mut common: Vec<usize> =
            ways.iter().filter(|(above, _)| above.is_none()).flat_map(|(_, way)| way.clone()).collect();
        common.retain(|coordinate| shared(*coordinate));
        common.sort_unstable();
        common.dedup();
        let own: Vec<Vec<usize>> =
            ways.iter().map(|(_, way)| way.iter().copied().filter(|&at| !shared(at)).collect()).collect();
        let stages = followers.into_iter().zip(ways).zip(own);
        let stages = stages.map(|((follower, (above, _)), own)| FitStage { follower, above, own }).collect();
        Fit { model, stages, common, kinematics: Kinematics::new(model), q: rest.clone(), rest }
    }

    /// The next configuration, and the error of each follower. `wishes` are the target orientations of the followers
    /// in the world; a follower with an ancestor keeps its target relative to that, regardless of the error
    /// of the ancestor.
    pub(super) fn next(&mut self, wishes: &[UnitQuaternion<f64>]) -> (&[f64], Vec<Short>) {
        let stages = std::mem::take(&mut self.stages);
        let mut shorts = Vec::with_capacity(stages.len());
        if !self.common.is_empty() {
            let first = stages.iter().zip(wishes).filter(|(stage, _)| stage.above.is_none());
            let goals: Vec<OrientationGoal> = first
                .map(|(stage, wish)| OrientationGoal { follower: &stage.follower, turn: *wish })
                .collect();
            let own = stages.iter().filter(|stage| stage.above.is_none()).flat_map(|stage| &stage.own);
            let all: Vec<usize> = self.common.iter().chain(own).copied().collect();
            self.solve(&goals, &all);
        }
        for (stage, wish) in stages.iter().zip(wishes) {
            let turn = match stage.above {
                Some(above) => self.turn(stages[above].follower.body) * wishes[above].inverse() * wish,
                None => *wish,
            };
            shorts.push(self.solve(&[OrientationGoal { follower: &stage.follower, turn }], &stage.own));
        }
        self.stages = stages;
        (&self.q, shorts)
    }

    fn turn(&mut self, body: BodyId) -> UnitQuaternion<f64> {
        self.kinematics.update_poses(self.model, &self.q);
        super::quaternion(&self.kinematics.rotation[body.0])
    }

    /// Minimises Σ |S log(Wᵢ Rᵢ(q)ᵀ)|² + ε |q − rest|² over some coordinates within their limits, by the
    /// Gauss–Newton method; S reduces the weight of rotations about bones. A joint stops at its limit while
    /// it would go beyond, and is freed when it would not.
    fn solve(&mut self, goals: &[OrientationGoal], coordinates: &[usize]) -> Short {
        let mut jacobian = DMatrix::zeros(3 * goals.len(), coordinates.len());
        let mut error = DVector::zeros(3 * goals.len());
        for _ in 0..STEPS {
            self.linearise(goals, coordinates, &mut jacobian, &mut error);
            let Some(step) = self.step(coordinates, &jacobian, &error) else { break };
            if self.go(coordinates, &step) < CONVERGED {
                break;
            }
        }
        self.linearise(goals, coordinates, &mut jacobian, &mut error);
        let pull = jacobian.tr_mul(&error);
        let stopped = coordinates.iter().zip(pull.iter()).filter(|(at, pull)| self.is_stopped(**at, **pull));
        let stopped = stopped.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()));
        let joint =
            stopped.and_then(|(at, _)| self.model.joints.iter().position(|joint| joint.v_index == *at));
        let missing = goals.iter().map(|goal| (goal.follower.body, self.missing(goal).norm()));
        let most = missing.max_by(|(_, a), (_, b)| a.total_cmp(b));
        let (body, by) = most.unwrap_or((BodyId(0), 0.0));
        Short { body, by, joint: joint.map(JointId) }
    }

    /// log(W Rᵀ), world axes, rad.
    fn missing(&self, goal: &OrientationGoal) -> Vector3<f64> {
        let turn = goal.turn.to_rotation_matrix().matrix()
            * self.kinematics.rotation[goal.follower.body.0].transpose();
        rotation::log(&turn)
    }

    /// Computes the errors and their derivatives by the joints.
    fn linearise(
        &mut self,
        goals: &[OrientationGoal],
        coordinates: &[usize],
        jacobian: &mut DMatrix<f64>,
        error: &mut DVector<f64>,
    ) {
        self.kinematics.update_poses(self.model, &self.q);
        let mut angular = vec![0.0; 3 * self.model.nv];
        for (row, goal) in goals.iter().enumerate() {
            let body = goal.follower.body;
            let counts = goal.follower.bone.map_or(Matrix3::identity(), |bone| {
                let along = self.kinematics.rotation[body.0] * bone;
                Matrix3::identity() - (1.0 - TWIST) * along * along.transpose()
            });
            error.rows_mut(3 * row, 3).copy_from(&(counts * self.missing(goal)));
            self.kinematics.angular_jacobian(self.model, body, &mut angular);
            for (column, coordinate) in coordinates.iter().enumerate() {
                let turn = Vector3::from_fn(|axis, _| angular[axis * self.model.nv + coordinate]);
                jacobian.fixed_view_mut::<3, 1>(3 * row, column).copy_from(&(counts * turn));
            }
        }
    }

    /// The best step that keeps all joints within their limits.
    fn step(
        &self,
        coordinates: &[usize],
        jacobian: &DMatrix<f64>,
        error: &DVector<f64>,
    ) -> Option<DVector<f64>> {
        let mut normal = jacobian.tr_mul(jacobian);
        let mut right = jacobian.tr_mul(error);
        for (column, &coordinate) in coordinates.iter().enumerate() {
            normal[(column, column)] += TOWARDS_REST;
            right[column] += TOWARDS_REST * self.to_rest(coordinate);
        }
        let mut fixed: Vec<Option<f64>> = coordinates
            .iter()
            .zip(right.iter())
            .map(|(coordinate, pull)| self.is_stopped(*coordinate, *pull).then_some(0.0))
            .collect();
        // Each iteration fixes at least one more joint.
        for _ in 0..=coordinates.len() {
            let (mut matrix, mut side) = (normal.clone(), right.clone());
            for (k, step) in fixed.iter().enumerate().filter_map(|(k, step)| Some((k, (*step)?))) {
                side -= normal.column(k) * step;
                matrix.row_mut(k).fill(0.0);
                matrix.column_mut(k).fill(0.0);
                matrix[(k, k)] = 1.0;
            }
            for (k, step) in fixed.iter().enumerate() {
                side[k] = step.unwrap_or(side[k]);
            }
            let step = matrix.cholesky()?.solve(&side);
            let mut goes_beyond = false;
            for (k, &coordinate) in
                coordinates.iter().enumerate().filter(|(k, _)| fixed[*k].is_none()).collect::<Vec<_>>()
            {
                if let Some((angle, [low, high])) = self.limited(coordinate)
                    && !(low..=high).contains(&(angle + step[k]))
                {
                    fixed[k] = Some((angle + step[k]).clamp(low, high) - angle);
                    goes_beyond = true;
                }
            }
            if !goes_beyond {
                return Some(step);
            }
        }
        None
    }

    /// Whether a joint is at a limit and pulled beyond it.
    fn is_stopped(&self, coordinate: usize, pull: f64) -> bool {
        let limited = self.limited(coordinate);
        limited.is_some_and(|(angle, [low, high])| angle <= low && pull < 0.0 || angle >= high && pull > 0.0)
    }

    /// Angle and limits of a hinge that has limits, rad.
    fn limited(&self, coordinate: usize) -> Option<(f64, [f64; 2])> {
        let joint = self.hinge(coordinate)?;
        Some((self.q[joint.q_index], joint.range?))
    }

    /// Displacement from a hinge's angle to its rest angle, rad; 0 for other joints.
    fn to_rest(&self, coordinate: usize) -> f64 {
        self.hinge(coordinate).map_or(0.0, |joint| self.rest[joint.q_index] - self.q[joint.q_index])
    }

    fn hinge(&self, coordinate: usize) -> Option<&'m Joint> {
        let joints = &self.model.joints[self.model.bodies[self.model.dof_body[coordinate].0].joints.clone()];
        joints
            .iter()
            .find(|joint| joint.v_index == coordinate && matches!(joint.kind, JointKind::Hinge { .. }))
    }

    /// Applies a step. Returns the largest change of a joint, rad.
    fn go(&mut self, coordinates: &[usize], step: &DVector<f64>) -> f64 {
        if step.is_empty() {
            return 0.0;
        }
        let share = LONGEST / step.amax().max(LONGEST);
        let mut tangent = vec![0.0; self.model.nv];
        for (&coordinate, by) in coordinates.iter().zip(step.iter()) {
            tangent[coordinate] = by * share;
        }
        let before = self.q.clone();
        integrate(self.model, &before, &tangent, &mut self.q);
        for &coordinate in coordinates {
            if let Some((joint, [low, high])) = self.hinge(coordinate).and_then(|j| Some((j, j.range?))) {
                let angle = &mut self.q[joint.q_index];
                *angle = angle.clamp(low, high);
            }
        }
        difference(self.model, &before, &self.q, &mut tangent);
        tangent.iter().fold(0.0, |most, by| by.abs().max(most))
    }
}
