//! Whether a solved frame is too long for its motion: the momentum that it gains without a force, and the largest
//! rotation of a joint in it.

use super::problem::FrameProblem;
use crate::character::Character;
use aplomb_body::dynamics::MomentumClosure;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_body::model::{JointKind, Model};
use aplomb_control::snapshot::Snapshot;
use aplomb_math::spatial::Force;
use aplomb_trace::Outcome;
use nalgebra::Vector3;

/// Largest rotation of a joint in a frame, including that of the root, rad.
const MOST_TURN: f64 = 0.3;

/// Change of a joint's squared rate, in g/h, below which the momentum is not measured. A frame's bias force is
/// that of one velocity, and the momentum that it misses is about (c(v⁺) − c(v))/2 in m/s², c being the
/// acceleration of the centre of mass by velocities alone.
const CALM: f64 = 0.2;

/// Rates of the rotational joints and of the root's rotation, rad/s.
fn turns<'a>(model: &'a Model, v: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    let norm = |first: usize| Vector3::from_column_slice(&v[first..first + 3]).norm();
    model.joints.iter().map(move |joint| match joint.kind {
        JointKind::Free => norm(joint.v_index + 3),
        JointKind::Ball => norm(joint.v_index),
        JointKind::Hinge { .. } => v[joint.v_index],
        JointKind::Slide { .. } => 0.0,
    })
}

/// Largest rate of a rotational joint or of the root's rotation, rad/s.
pub(crate) fn fastest_turn(model: &Model, v: &[f64]) -> f64 {
    turns(model, v).fold(0.0, |most, rate| most.max(rate.abs()))
}

/// The larger of two numbers: the momentum that the solved frame gains without a force, as a share of `tolerance` (m
/// g and m g h), and its largest rotation of a joint, as a share of 0.3 rad. Above 1 the frame is too long. Without a
/// solution, the rotation at the initial rates.
pub(crate) fn excess(character: &mut Character, tolerance: f64) -> f64 {
    let Character { model, snapshot, synthesiser, problem, .. } = character;
    let result = synthesiser.result();
    let turn = |v: &[f64]| fastest_turn(model, v) * snapshot.scales.dt / MOST_TURN;
    if matches!(result.outcome, Outcome::Failed { .. }) {
        return turn(&snapshot.state.v);
    }
    let v = &result.unknowns[..model.nv];
    let turn = turn(v);
    let rates = turns(model, &snapshot.state.v).zip(turns(model, v));
    let change =
        rates.fold(0.0, |most: f64, (before, after)| most.max((after * after - before * before).abs()));
    let acting = acting(snapshot, problem);
    let closure = problem.fallback.closure();
    let Some(closure) = closure.filter(|_| change * snapshot.scales.height >= CALM * STANDARD_GRAVITY) else {
        return turn;
    };
    let missing = missing(model, snapshot, v, &acting, closure);
    let scales = &snapshot.scales;
    let missing = (missing.force.norm() / scales.weight()).max(missing.moment.norm() / scales.torque());
    turn.max(missing / tolerance)
}

/// The rate of momentum from half step to half step that neither the forces `acting` nor gravity explain, N, and N m
/// about the centre of mass.
fn missing(
    model: &Model,
    snapshot: &Snapshot,
    v: &[f64],
    acting: &Force,
    closure: &mut MomentumClosure,
) -> Force {
    let (dt, poses, ratio) = (snapshot.scales.dt, &snapshot.kinematics, snapshot.scales.before);
    let before = closure.initial(model, poses, &snapshot.state, ratio * dt) * (1.0 / ratio);
    closure.begin(model, poses);
    let after = closure.reached(model, poses, &snapshot.state.q, v, dt);
    let weight = snapshot.gravity * snapshot.scales.mass;
    let rate = (after - before) * (1.0 / (dt * snapshot.scales.turning_time()));
    Force::new(rate.moment - acting.moment, rate.force - acting.force - weight)
}

/// All external forces of the solution, N, and their moments about the centre of mass, N m.
fn acting(snapshot: &Snapshot, problem: &FrameProblem) -> Force {
    let touches = snapshot.contacts.touches.iter().zip(&problem.outcomes);
    let touches = touches.map(|(touch, outcome)| (touch.point, outcome.force, Vector3::zeros()));
    let grips = snapshot.grips.list.iter().zip(&problem.grip_forces);
    let grips = grips.map(|(grip, force)| (grip.point, *force, Vector3::zeros()));
    let steps = snapshot.scales.turning_steps();
    let pushes = problem.external.iter().map(|push| push.over(steps));
    let pushes = pushes.map(|push| (push.point, push.force, push.torque));
    let forces = touches.chain(grips).chain(pushes);
    forces
        .map(|(point, force, torque)| Force::new(torque + (point - snapshot.com).cross(&force), force))
        .sum()
}
