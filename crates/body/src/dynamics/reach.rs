//! Inverse kinematics of a point: whether the joints between it and the root can bring it to a point of the
//! world, within their ranges ([Jain 2009] §5.2).
//!
//! minimise ‖p(q) − target‖²  subject to  q_lo ≤ q ≤ q_hi
//!
//! by the method of [Levenberg 1944] and [Marquardt 1963], without coordinates at an end of their range that
//! are pushed beyond it, from three starts: the present configuration, the rest pose, and the middle of all
//! ranges.

use super::kinematics::{Kinematics, place_joint};
use crate::model::{BodyId, Joint, JointKind, Model};
use aplomb_math::spatial::Motion;
use nalgebra::{Matrix3, Vector3};

/// Largest number of hinges and slides that are moved: those nearest to the point.
const MOST: usize = 24;
/// Number of steps from each start.
const STEPS: usize = 30;
/// Initial damping, m², and its factors after successful and unsuccessful steps.
const DAMPING: f64 = 1e-2;
const LESS: f64 = 0.3;
const MORE: f64 = 5.0;
/// Largest change of a joint in a step, rad or m.
const STRIDE: f64 = 0.6;

/// The joints between the root and a body, with the point that they move.
struct KinematicChain<'a> {
    model: &'a Model,
    /// Pose of the parent of the first body: position and rotation.
    base: (Vector3<f64>, Matrix3<f64>),
    /// Bodies from the root on.
    bodies: [usize; MOST],
    count: usize,
    /// The point in the frame of the last body, m.
    local: Vector3<f64>,
    q: &'a [f64],
}

/// Position of the point, m, and its derivative by each moved joint, m/rad or m/m.
struct PointKinematics {
    point: Vector3<f64>,
    columns: [Vector3<f64>; MOST],
}

/// Smallest distance, m, to which a point (`local`, in the frame of `body`, m) can be brought to a point of
/// the world (m) with the root fixed; `q` is the configuration of `kinematics`, and `rest` that of the rest
/// pose. Only hinges and slides are moved, except coupled ones. The search ends when the point is nearer than
/// `near`.
#[doc(alias = "reachability")]
pub fn nearest_reach(
    model: &Model,
    kinematics: &Kinematics,
    [q, rest]: [&[f64]; 2],
    (body, local): (BodyId, Vector3<f64>),
    target: &Vector3<f64>,
    near: f64,
) -> f64 {
    let chain = KinematicChain::new(model, kinematics, q, body, local);
    let mut list = [0; MOST];
    let joints = chain.joints(&mut list);
    let value = |joint: usize, of: &[f64]| of[model.joints[joint].q_index];
    let middle = |joint: usize| match model.joints[joint].range {
        Some([low, high]) => 0.5 * (low + high),
        None => value(joint, rest),
    };
    let mut least = f64::INFINITY;
    for beginning in 0..3 {
        let mut at = [0.0; MOST];
        for (at, joint) in at.iter_mut().zip(joints) {
            *at = match beginning {
                0 => value(*joint, q),
                1 => value(*joint, rest),
                _ => middle(*joint),
            };
        }
        least = least.min(chain.search(joints, &mut at, target, near));
        if least <= near {
            break;
        }
    }
    least
}

impl<'a> KinematicChain<'a> {
    fn new(
        model: &'a Model,
        kinematics: &Kinematics,
        q: &'a [f64],
        body: BodyId,
        local: Vector3<f64>,
    ) -> Self {
        let (mut bodies, mut count) = ([0; MOST], 0);
        let mut next = Some(body);
        while let Some(BodyId(index)) = next.filter(|_| count < MOST) {
            let floats = |joint: &Joint| joint.kind == JointKind::Free;
            if model.joints[model.bodies[index].joints.clone()].iter().any(floats) {
                break;
            }
            bodies[count] = index;
            count += 1;
            next = model.bodies[index].parent;
        }
        bodies[..count].reverse();
        let base = match next {
            Some(BodyId(root)) => (kinematics.position[root], kinematics.rotation[root]),
            None => (Vector3::zeros(), Matrix3::identity()),
        };
        KinematicChain { model, base, bodies, count, local, q }
    }

    /// Hinges and slides that are moved, from the root on.
    fn joints<'l>(&self, list: &'l mut [usize; MOST]) -> &'l [usize] {
        let mut count = 0;
        for body in self.bodies[..self.count].iter().rev() {
            for joint in self.model.bodies[*body].joints.clone().rev() {
                let is_single = matches!(
                    self.model.joints[joint].kind,
                    JointKind::Hinge { .. } | JointKind::Slide { .. }
                );
                let follows = self.model.coupling_of(crate::model::JointId(joint)).is_some();
                if is_single && !follows && count < MOST {
                    list[count] = joint;
                    count += 1;
                }
            }
        }
        list[..count].reverse();
        &list[..count]
    }

    /// Position of the point for these values of the moved joints.
    fn place(&self, joints: &[usize], at: &[f64; MOST]) -> PointKinematics {
        let (mut position, mut rotation) = self.base;
        let mut axes = [Motion::default(); MOST];
        let mut moved = 0;
        for body in &self.bodies[..self.count] {
            let body = &self.model.bodies[*body];
            position += rotation * body.position;
            rotation *= body.orientation.to_rotation_matrix().matrix();
            for index in body.joints.clone() {
                let joint = &self.model.joints[index];
                let mut columns = [Motion::default(); 6];
                let columns = &mut columns[..joint.kind.nv()];
                if joints.get(moved) == Some(&index) {
                    place_joint(joint, &at[moved..=moved], &mut position, &mut rotation, columns);
                    axes[moved] = columns[0];
                    moved += 1;
                } else {
                    place_joint(joint, &self.q[joint.q_index..], &mut position, &mut rotation, columns);
                }
            }
        }
        let point = position + rotation * self.local;
        PointKinematics { point, columns: axes.map(|axis| axis.linear + axis.angular.cross(&point)) }
    }

    /// Smallest distance to the target found from `at`, m.
    fn search(&self, joints: &[usize], at: &mut [f64; MOST], target: &Vector3<f64>, near: f64) -> f64 {
        let mut place = self.place(joints, at);
        let mut off = target - place.point;
        let mut damping = DAMPING;
        for _ in 0..STEPS {
            if off.norm() <= near {
                break;
            }
            // δ = Jᵀ (J Jᵀ + λ)⁻¹ e over the coordinates that are not pushed beyond an end of their range.
            let mut square = Matrix3::from_diagonal_element(damping);
            let is_free = |k: usize, value: f64| {
                let pull = place.columns[k].dot(&off);
                self.model.joints[joints[k]]
                    .range
                    .is_none_or(|[low, high]| (value > low || pull > 0.0) && (value < high || pull < 0.0))
            };
            for k in (0..joints.len()).filter(|k| is_free(*k, at[*k])) {
                square += place.columns[k] * place.columns[k].transpose();
            }
            let Some(inverse) = square.try_inverse() else { break };
            let pull = inverse * off;
            let mut next = *at;
            for k in (0..joints.len()).filter(|k| is_free(*k, at[*k])) {
                let step = place.columns[k].dot(&pull).clamp(-STRIDE, STRIDE);
                let [low, high] =
                    self.model.joints[joints[k]].range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                next[k] = (at[k] + step).clamp(low.min(at[k]), high.max(at[k]));
            }
            let tried = self.place(joints, &next);
            let left = target - tried.point;
            if left.norm() < off.norm() {
                damping *= LESS;
                (*at, place, off) = (next, tried, left);
            } else {
                damping *= MORE;
            }
        }
        off.norm()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Pseudorandom number from 0 to 1, the same on all machines.
    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn what_can_be_reached_is_what_trying_out_poses_reaches() {
        const NEAR: f64 = 0.01;
        const CELL: f64 = 0.05;
        let model = Model::shipped("adult").unwrap();
        let q = model.rest_configuration();
        let mut kinematics = Kinematics::new(&model);
        kinematics.update_poses(&model, &q);
        let mut seed = 7;
        let (mut agreed, mut asked) = (0, 0);
        for effector in ["right_hand", "left_forearm", "right_foot", "head"] {
            let body = model.body(effector).unwrap();
            let local = Vector3::new(0.02, 0.0, -0.05);
            let chain = KinematicChain::new(&model, &kinematics, &q, body, local);
            let mut list = [0; MOST];
            let joints = chain.joints(&mut list);
            // The point in many random poses, by the cell that contains it.
            let mut cells: HashMap<[i64; 3], Vec<Vector3<f64>>> = HashMap::new();
            let cell = |p: &Vector3<f64>| [0, 1, 2].map(|k| (p[k] / CELL).floor() as i64);
            let mut poses = Vec::new();
            for _ in 0..60_000 {
                let mut at = [0.0; MOST];
                for (at, joint) in at.iter_mut().zip(joints) {
                    let [low, high] = model.joints[*joint].range.unwrap_or([-3.0, 3.0]);
                    *at = low + (high - low) * random(&mut seed);
                }
                let point = chain.place(joints, &at).point;
                cells.entry(cell(&point)).or_default().push(point);
                poses.push(point);
            }
            let middle = poses.iter().sum::<Vector3<f64>>() / poses.len() as f64;
            let far = poses.iter().map(|point| (point - middle).norm()).fold(0.0, f64::max);
            for _ in 0..2_500 {
                let target = middle + Vector3::from_fn(|_, _| 1.5 * far * (2.0 * random(&mut seed) - 1.0));
                let home = cell(&target);
                let mut nearest = f64::INFINITY;
                for offset in 0..125 {
                    let by = [offset % 5 - 2, offset / 5 % 5 - 2, offset / 25 - 2];
                    let around = [home[0] + by[0], home[1] + by[1], home[2] + by[2]];
                    for point in cells.get(&around).into_iter().flatten() {
                        nearest = nearest.min((point - target).norm());
                    }
                }
                let place = (body, local);
                let reached = nearest_reach(&model, &kinematics, [&q, &q], place, &target, NEAR) <= NEAR;
                // Targets between the two bounds are few, and are not counted.
                let told = if nearest < NEAR {
                    true
                } else if nearest > CELL {
                    false
                } else {
                    continue;
                };
                asked += 1;
                agreed += u32::from(reached == told);
            }
        }
        assert!(asked > 5_000, "{asked}");
        let share = f64::from(agreed) / f64::from(asked);
        assert!(share >= 0.95, "{agreed} of {asked}");
    }
}
