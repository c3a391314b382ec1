//! The end of a frame: the character moves with the velocity of the solution, or without a solution with that of
//! passive forward dynamics.

use super::forces;
use super::replay;
use super::{FrameMode, FrameTime};
use crate::character::Character;
use aplomb_body::model::scales::Scales;
use aplomb_body::model::state;
use aplomb_control::synthesis::SelfContact;
use aplomb_control::synthesis::check::JUMP;
use aplomb_trace::Outcome;

/// Moves the character to the end of the solved frame.
pub(crate) fn advance(character: &mut Character, frame: FrameTime) {
    let Character { model, snapshot, previous_velocity, synthesiser, problem, .. } = character;
    problem.divergence = None;
    previous_velocity.copy_from_slice(&snapshot.state.v);
    snapshot.com_velocity_before = Some(snapshot.com_velocity);
    let failed = matches!(synthesiser.result().outcome, Outcome::Failed { .. });
    if failed {
        problem.fallback.fall(model, snapshot, &problem.external);
        snapshot.forget_forces();
    } else {
        apply_solution(character, frame);
    }
    let Character { model, snapshot, problem, synthesiser, previous_velocity, jumped, .. } = character;
    let Scales { dt, period, .. } = snapshot.scales;
    if period != dt {
        // The horizon of the solve was longer than one frame: the velocity changes by the frame's share.
        for (v, before) in snapshot.state.v.iter_mut().zip(&*previous_velocity) {
            *v = before + (*v - before) * (period / dt);
        }
    }
    *jumped = failed
        || problem.solved.mode == FrameMode::Impact
        || replay::distance(&snapshot.state.v, previous_velocity) >= JUMP;
    for (displacement, rate) in problem.displacement.iter_mut().zip(&snapshot.state.v) {
        *displacement = rate * frame.dt;
    }
    state::integrate(model, &snapshot.state.q, &problem.displacement, &mut problem.next_q);
    std::mem::swap(&mut snapshot.state.q, &mut problem.next_q);
    if problem.solved.balances_momentum && period == dt {
        synthesiser.linearisation.keep_momentum(&snapshot.state, dt);
    }
}

/// Sets the velocity at the end of the frame, and keeps the forces for the next one: the velocity is that of
/// the solution, or that of forward dynamics under its forces if the scene requests simulation.
fn apply_solution(character: &mut Character, frame: FrameTime) {
    let Character { model, snapshot, synthesiser, problem, .. } = character;
    let synthesis = synthesiser.result();
    snapshot.last_torque.copy_from_slice(&synthesis.torque);
    let (v, coefficients) = synthesis.unknowns.split_at(model.nv);
    forces::remember_contacts(snapshot, coefficients, &synthesiser.linearisation);
    for (grip, force) in snapshot.grips.list.iter_mut().zip(&problem.grip_forces) {
        grip.mean_force = grip.mean_with(force, frame.dt);
        grip.last_force = *force;
    }
    match &mut problem.replay {
        None => snapshot.state.v.copy_from_slice(v),
        Some(replay) => {
            let torque = synthesis.torque.iter().zip(&synthesis.stop_reaction);
            let torque = torque.map(|(muscle, stop)| muscle + stop);
            let pushes = synthesis.self_contacts.iter().flat_map(SelfContact::forces);
            let steps = snapshot.scales.turning_steps();
            let outside = problem.external.iter().map(|push| push.over(steps));
            let pushes = pushes.chain(outside);
            let friction = synthesis.dry_friction.iter().copied().chain(std::iter::repeat(0.0));
            let torque = torque.zip(friction).map(|(torque, friction)| torque + friction);
            let next = replay.advance(model, snapshot, torque, pushes);
            problem.divergence = Some(replay::distance(next, v));
            snapshot.state.v.copy_from_slice(next);
        }
    }
}
