//! To the end of a frame: by the velocity that was found, or as a body falls where none was.

use super::forces;
use super::problem::{FrameProblem, FrameTime};
use super::replay;
use crate::math::spatial::Force;
use crate::model::state;
use crate::trace::Outcome;
use crate::world::character::Character;
use nalgebra::Vector3;

/// Fastest coordinate of a failed frame's passive motion, rad/s or m/s.
const FALLBACK_SPEED: f64 = 30.0;

/// Moves the character to the end of the frame that was solved.
pub fn advance(character: &mut Character, frame: FrameTime) {
    let Character { model, snapshot, previous_velocity, synthesiser, problem, .. } = character;
    let (nv, synthesis) = (model.nv, synthesiser.result());
    problem.divergence = None;
    previous_velocity.copy_from_slice(&snapshot.state.v);
    match synthesis.outcome {
        Outcome::Failed { .. } => {
            fall(character, frame);
            character.snapshot.last_force.fill(Vector3::zeros());
        }
        Outcome::Solved | Outcome::Relaxed { .. } | Outcome::Limp => {
            snapshot.last_torque.copy_from_slice(&synthesis.torque);
            let (v, coefficients) = synthesis.unknowns.split_at(nv);
            forces::remember_contacts(snapshot, coefficients, &synthesiser.linearisation);
            for (grip, force) in snapshot.grips.list.iter_mut().zip(&problem.grip_forces) {
                grip.last_force = *force;
            }
            match &mut problem.replay {
                None => snapshot.state.v.copy_from_slice(v),
                Some(replay) => {
                    let torque = synthesis.torque.iter().zip(&synthesis.stop_reaction);
                    let torque = torque.map(|(muscle, stop)| muscle + stop);
                    let next = replay.advance(model, snapshot, torque, &problem.external);
                    problem.divergence = Some(replay::distance(next, v));
                    snapshot.state.v.copy_from_slice(next);
                }
            }
        }
    }
    let Character { model, snapshot, problem, .. } = character;
    for (displacement, rate) in problem.displacement.iter_mut().zip(&snapshot.state.v) {
        *displacement = rate * frame.dt;
    }
    state::integrate(model, &snapshot.state.q, &problem.displacement, &mut problem.next_q);
    std::mem::swap(&mut snapshot.state.q, &mut problem.next_q);
}

/// Gives the body its velocity after a failed frame: forward dynamics under the last torques with no contact force,
/// kept finite.
fn fall(character: &mut Character, frame: FrameTime) {
    let Character { model, snapshot, problem, .. } = character;
    let FrameProblem { external, forward, push_forces, displacement: acceleration, .. } = problem;
    push_forces.fill(Force::default());
    for push in external.iter() {
        push_forces[push.body.0] += Force::at_point(&push.point, push.force, push.torque);
    }
    let (kinematics, torque) = (&snapshot.kinematics, &snapshot.last_torque);
    forward.forward_dynamics(model, kinematics, torque, &snapshot.gravity, push_forces, acceleration);
    for (v, a) in snapshot.state.v.iter_mut().zip(acceleration) {
        let next = *v + frame.dt * *a;
        *v = if next.is_finite() { next.clamp(-FALLBACK_SPEED, FALLBACK_SPEED) } else { 0.0 };
    }
}
