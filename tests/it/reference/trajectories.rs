//! Motion without control, integrated with the accelerations of this engine.

use super::Comparison;
use super::data::{Frame, Trajectory, load};
use super::extrapolation::step;
use aplomb::dynamics::{ForwardDynamics, Kinematics, momentum};
use aplomb::model::state::difference;
use aplomb::model::{JointKind, Model};
use nalgebra::{Quaternion, Vector3};

/// Longest step of the coarser of two integrations, s.
const STEP: f64 = 0.01;

#[test]
fn motion_without_control_visits_the_same_states_and_keeps_what_is_conserved() {
    let mut comparison = Comparison::default();
    for (name, model, trajectory) in load::<Trajectory>("refdata-trajectory-1", |t| &t.model) {
        let gravity = trajectory.gravity.into();
        let coarse = integrate(&model, &trajectory, STEP);
        let fine = integrate(&model, &trajectory, 0.5 * STEP);
        for ((frame, coarse), fine) in trajectory.frames.iter().zip(&coarse).zip(&fine) {
            let place = format!("{name} {:.1} s", frame.t);
            // The uncertainty of both integrations is estimated from their repetition.
            let ours = apart(&model, coarse, fine);
            let theirs = frame.uncertainty.max(trajectory.quality.max_diff_two_integrations.unwrap_or(0.0));
            let tolerance = 1e-9 + 10.0 * (ours + theirs);
            compare(&mut comparison, &place, &model, &gravity, frame, fine, tolerance);
        }
    }
    comparison.finish("Trajectories");
}

struct Visited {
    q: Vec<f64>,
    v: Vec<f64>,
}

fn compare(
    comparison: &mut Comparison,
    place: &str,
    model: &Model,
    gravity: &Vector3<f64>,
    expected: &Frame,
    got: &Visited,
    tolerance: f64,
) {
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, &got.q, &got.v);
    let mut off = vec![0.0; model.nv];
    difference(model, &expected.q, &got.q, &mut off);
    let both = momentum::centroidal_momentum(&kinematics);
    let about_origin = both.moment + momentum::com(&kinematics).cross(&both.force);
    let energy =
        momentum::kinetic_energy(model, &kinematics) + momentum::potential_energy(&kinematics, gravity);

    let mut near = |quantity, got: &[f64], expected: &[f64]| {
        comparison.compare(place, quantity, got, expected, tolerance);
    };
    near("q", &off, &vec![0.0; model.nv]);
    near("v", &got.v, &expected.v);
    near("energy", &[energy], &[expected.energy]);
    near("com", momentum::com(&kinematics).as_slice(), expected.com.as_slice());
    near("lin_momentum", both.force.as_slice(), expected.lin_momentum.as_slice());
    near("ang_momentum_com", both.moment.as_slice(), expected.ang_momentum_com.as_slice());
    near("ang_momentum_origin", about_origin.as_slice(), expected.ang_momentum_origin.as_slice());
}

/// The states at the times of the frames, starting from the first.
fn integrate(model: &Model, trajectory: &Trajectory, longest: f64) -> Vec<Visited> {
    let mut kinematics = Kinematics::new(model);
    let mut forward = ForwardDynamics::new(model);
    let gravity = trajectory.gravity.into();
    let unforced = vec![0.0; model.nv];
    // Quaternions as four plain numbers: their rate preserves their norm, and any integrator keeps its order.
    let mut rate = |y: &[f64]| {
        let (q, v) = y.split_at(model.nq);
        let mut out = vec![0.0; y.len()];
        configuration_rate(model, q, v, &mut out);
        kinematics.update(model, q, v);
        let acceleration = &mut out[model.nq..];
        forward.forward_dynamics(model, &kinematics, &unforced, &gravity, &[], acceleration);
        out
    };
    let Some(first) = trajectory.frames.first() else { return vec![] };
    let mut y = [first.q.clone(), first.v.clone()].concat();
    let mut visited = vec![Visited { q: first.q.clone(), v: first.v.clone() }];
    for pair in trajectory.frames.windows(2) {
        let interval = pair[1].t - pair[0].t;
        let steps = (interval / longest - 1e-6).ceil().max(1.0);
        for _ in 0..steps as usize {
            y = step(&y, interval / steps, &mut rate);
        }
        visited.push(Visited { q: y[..model.nq].to_vec(), v: y[model.nq..].to_vec() });
    }
    visited
}

fn configuration_rate(model: &Model, q: &[f64], v: &[f64], out: &mut [f64]) {
    let turn = |q: &[f64], w: &[f64], out: &mut [f64]| {
        let spin = Quaternion::from_imag(Vector3::from_column_slice(w));
        let rate = Quaternion::new(q[0], q[1], q[2], q[3]) * spin * 0.5;
        out.copy_from_slice(&[rate.w, rate.i, rate.j, rate.k]);
    };
    for joint in &model.joints {
        let (i, j) = (joint.q_index, joint.v_index);
        match joint.kind {
            JointKind::Free => {
                out[i..i + 3].copy_from_slice(&v[j..j + 3]);
                turn(&q[i + 3..i + 7], &v[j + 3..j + 6], &mut out[i + 3..i + 7]);
            }
            JointKind::Ball => turn(&q[i..i + 4], &v[j..j + 3], &mut out[i..i + 4]),
            JointKind::Hinge { .. } | JointKind::Slide { .. } => out[i] = v[j],
        }
    }
}

fn apart(model: &Model, a: &Visited, b: &Visited) -> f64 {
    let mut off = vec![0.0; model.nv];
    difference(model, &a.q, &b.q, &mut off);
    let slower = a.v.iter().zip(&b.v).map(|(x, y)| x - y);
    off.iter().copied().chain(slower).fold(0.0, |largest: f64, x| largest.max(x.abs()))
}
