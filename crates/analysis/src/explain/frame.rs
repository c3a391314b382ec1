//! One frame of a run, solved again to find the rows that contradict each other in it.

use super::ExplainError;
use super::forces::LEAST_FORCE;
use crate::rerun::bound;
use aplomb_control::synthesis::{BodyForce, JoinedForce};
use aplomb_trace::{ConflictRow, Frame, Header, Outcome};
use serde::Serialize;

/// A frame, with the rows that contradict each other in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameExplained {
    /// Number of the frame.
    pub(crate) index: u64,
    /// Time, s.
    pub time: f64,
    /// State of the controller.
    pub(crate) state: String,
    /// How the frame ended.
    pub(crate) outcome: Outcome,
    /// Events of its solution, in words.
    pub(crate) events: Vec<String>,
    /// The fewest rows that contradict each other; for each, the violation with which all other rows of the
    /// frame can hold, or, if these contradict each other without it, those of the conflict.
    pub conflict: Vec<ConflictRow>,
    /// The forces on the character's bodies, with what each part of them is for; empty for a ragdoll, a frame
    /// without a solution, and a frame solved together with another character's.
    pub(crate) forces: Vec<BodyForce>,
    /// Sums of these forces for bodies that are joined to each other, as a foot and its toes; bodies with less than 1 N
    /// are omitted.
    pub(crate) joined_forces: Vec<JoinedForce>,
    /// Why it is not known what the forces of a solved frame are for; `None` where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forces_unknown: Option<ForcesUnknown>,
    /// Whether the repeated frame equals that of the trace.
    pub is_same: bool,
}

/// Why it is not known what the forces of a solved frame are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ForcesUnknown {
    /// The frame was solved as one problem with that of another character, which it holds or touches.
    SharedProblem,
    /// The costs of the frame's problem leave an unknown free: its parts cannot be separated.
    NotUnique,
}

/// Runs a trace's scene again up to a frame, and explains that.
///
/// # Errors
/// A trace whose texts do not run any more, or that has no such frame.
pub fn explain_frame(header: &Header, frames: &[Frame], index: u64) -> Result<FrameExplained, ExplainError> {
    let solved = frames.iter().filter(|frame| frame.has_forces());
    let last = solved.map(|frame| frame.index).max().unwrap_or(0);
    let (_, mut run) = bound(header, &[])?;
    let own = run.world.find_character(&header.character).or(run.hero()).ok_or(ExplainError::Nobody)?;
    let none = || ExplainError::NoFrame { asked: index, last };
    if index > last {
        return Err(none());
    }
    while run.world.frame_index() < index {
        run.step().map_err(super::RerunError::from)?.ok_or_else(none)?;
    }
    run.world.character_mut(own).synthesiser.explains = true;
    run.step().map_err(super::RerunError::from)?.ok_or_else(none)?;
    let character = run.world.character(own);
    let provenance = character.synthesiser.result().provenance.as_deref();
    let forces = provenance.map_or_else(Vec::new, |all| all.by_body(&character.model));
    let joined = provenance.map_or_else(Vec::new, |all| all.by_joined_bodies(&character.model, LEAST_FORCE));
    let unknown = match (provenance, header.others.is_empty()) {
        (Some(_), _) => None,
        (None, true) => Some(ForcesUnknown::NotUnique),
        (None, false) => Some(ForcesUnknown::SharedProblem),
    };
    let frame = run.world.results(Some(own)).frame();
    let is_solved = matches!(frame.outcome, Outcome::Solved | Outcome::Relaxed { .. });
    let kept = frames.iter().find(|kept| kept.index == index);
    Ok(FrameExplained {
        index,
        time: frame.time,
        state: frame.state.clone(),
        outcome: frame.outcome.clone(),
        events: frame.solve_events.iter().map(ToString::to_string).collect(),
        conflict: frame.conflict.clone(),
        forces,
        joined_forces: joined,
        forces_unknown: unknown.filter(|_| is_solved),
        is_same: kept.is_some_and(|kept| kept.q == frame.q && kept.outcome == frame.outcome),
    })
}
