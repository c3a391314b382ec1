//! The state, which changes during a run, and the map from tangent vectors to configurations.

use crate::model::{JointKind, Model};
use aplomb_math::elementary::{atan2, cos, sin};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Configuration, velocity and time. Layouts of `q` (nq numbers) and `v` (nv numbers) are those of
/// [`JointKind`]; quaternions are w x y z.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Configuration, nq numbers; rad and m.
    pub q: Vec<f64>,
    /// Velocity, nv numbers; rad/s and m/s.
    pub v: Vec<f64>,
    /// Time, s.
    pub time: f64,
}

impl State {
    /// At rest in configuration `q`, at time 0.
    pub fn at_rest(model: &Model, q: Vec<f64>) -> Self {
        State { q, v: vec![0.0; model.nv], time: 0.0 }
    }
}

/// `out = q ⊕ dv`: each joint moved by its part of the tangent vector `dv` (dt·v; nv numbers, rad and m).
/// Free: p += dp in world axes; free and ball: R = R exp(dθ) with dθ in body axes; hinge and slide: sums. The
/// resulting quaternions have unit length.
#[doc(alias = "retraction")]
#[doc(alias = "exponential map")]
pub fn integrate(model: &Model, q: &[f64], dv: &[f64], out: &mut [f64]) {
    debug_assert!(q.len() == model.nq && dv.len() == model.nv && out.len() == model.nq);
    for joint in &model.joints {
        let (i, j) = (joint.q_index, joint.v_index);
        match joint.kind {
            JointKind::Free => {
                for k in 0..3 {
                    out[i + k] = q[i + k] + dv[j + k];
                }
                turn(&q[i + 3..i + 7], &dv[j + 3..j + 6], &mut out[i + 3..i + 7]);
            }
            JointKind::Ball => turn(&q[i..i + 4], &dv[j..j + 3], &mut out[i..i + 4]),
            JointKind::Hinge { .. } | JointKind::Slide { .. } => out[i] = q[i] + dv[j],
        }
    }
}

/// `out = q1 ⊖ q0`: the tangent vector with `q0 ⊕ out = q1` (nv numbers, rad and m). Rotations take the
/// shorter way round.
pub fn difference(model: &Model, q0: &[f64], q1: &[f64], out: &mut [f64]) {
    debug_assert!(q0.len() == model.nq && q1.len() == model.nq && out.len() == model.nv);
    for joint in &model.joints {
        let (i, j) = (joint.q_index, joint.v_index);
        match joint.kind {
            JointKind::Free => {
                for k in 0..3 {
                    out[j + k] = q1[i + k] - q0[i + k];
                }
                turn_between(&q0[i + 3..i + 7], &q1[i + 3..i + 7], &mut out[j + 3..j + 6]);
            }
            JointKind::Ball => turn_between(&q0[i..i + 4], &q1[i..i + 4], &mut out[j..j + 3]),
            JointKind::Hinge { .. } | JointKind::Slide { .. } => out[j] = q1[i] - q0[i],
        }
    }
}

/// The rotation of the quaternion w x y z of any length; `None` for four zeros.
#[inline]
pub fn rotation(wxyz: &[f64]) -> UnitQuaternion<f64> {
    let q = Quaternion::new(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
    let norm = q.norm();
    if norm == 0.0 { UnitQuaternion::identity() } else { UnitQuaternion::new_unchecked(q / norm) }
}

fn turn(from: &[f64], by: &[f64], out: &mut [f64]) {
    let half = Vector3::new(by[0], by[1], by[2]) * 0.5;
    let angle = half.norm();
    // sin(x)/x, by its series where the quotient would lose its digits.
    let sinc = if angle > 1e-4 { sin(angle) / angle } else { 1.0 - angle * angle / 6.0 };
    let turned = rotation(from).into_inner() * Quaternion::from_parts(cos(angle), half * sinc);
    let unit = turned / turned.norm();
    out.copy_from_slice(&[unit.w, unit.i, unit.j, unit.k]);
}

fn turn_between(from: &[f64], to: &[f64], out: &mut [f64]) {
    let mut turned = (rotation(from).inverse() * rotation(to)).into_inner();
    if turned.w < 0.0 {
        turned = -turned;
    }
    let (cos, sin) = (turned.w, turned.imag().norm());
    let angle_over_sin = if sin > 1e-8 { 2.0 * atan2(sin, cos) / sin } else { 2.0 / cos };
    out.copy_from_slice((turned.imag() * angle_over_sin).as_slice());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::random_tree::{Sample, tree};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_difference_of_two_configurations_leads_from_one_to_the_other(
            (model, Sample { q, v, .. }) in tree(),
            scale in prop_oneof![Just(0.0), Just(1e-9), Just(1e-5), 0.0..2.0],
        ) {
            let step: Vec<f64> = v.iter().map(|x| (x * scale).clamp(-1.7, 1.7)).collect();
            let mut moved = vec![0.0; model.nq];
            integrate(&model, &q, &step, &mut moved);
            let mut back = vec![0.0; model.nv];
            difference(&model, &q, &moved, &mut back);
            for (a, b) in step.iter().zip(&back) {
                prop_assert!((a - b).abs() < 1e-14 + 1e-13 * a.abs().max(scale), "{a} {b}");
            }
        }
    }

    #[test]
    fn the_shorter_way_round_is_taken_whatever_the_sign_of_the_quaternion() {
        let (c, s) = (0.1f64.cos(), 0.1f64.sin());
        let mut out = [0.0; 3];
        turn_between(&[1.0, 0.0, 0.0, 0.0], &[-c, 0.0, -s, 0.0], &mut out);
        assert!((Vector3::from(out) - Vector3::new(0.0, 0.2, 0.0)).norm() < 1e-15);
    }
}
