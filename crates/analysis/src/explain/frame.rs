//! One frame of a run, solved again to find the rows that contradict each other in it.

use super::ExplainError;
use crate::rerun::bound;
use aplomb_control::synthesis::BodyForce;
use aplomb_trace::{ConflictRow, Frame, Header, Outcome};
use serde::Serialize;

/// A frame, with the rows that contradict each other in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameExplained {
    /// Number of the frame.
    pub index: u64,
    /// Time, s.
    pub time: f64,
    /// State of the controller.
    pub state: String,
    /// How the frame ended.
    pub outcome: Outcome,
    /// Events of its solution, in words.
    pub events: Vec<String>,
    /// The fewest rows that contradict each other; for each, the violation with which all other rows of the
    /// frame can hold, or, if these contradict each other without it, those of the conflict.
    pub conflict: Vec<ConflictRow>,
    /// The forces on the character's bodies, with what each part of them is for; empty for a ragdoll, a frame
    /// without a solution, and a frame solved together with another character's.
    pub forces: Vec<BodyForce>,
    /// Whether the repeated frame equals that of the trace.
    pub is_same: bool,
}

/// Runs a trace's scene again up to a frame, and explains that.
///
/// # Errors
/// A trace whose texts do not run any more, or that has no such frame.
pub fn explain_frame(header: &Header, frames: &[Frame], index: u64) -> Result<FrameExplained, ExplainError> {
    let solved = frames.iter().filter(|frame| frame.has_forces());
    let last = solved.map(|frame| frame.index).max().unwrap_or(0);
    let (_, mut run) = bound(header, &[])?;
    if run.hero().is_none() {
        return Err(ExplainError::Nobody);
    }
    let none = || ExplainError::NoFrame { asked: index, last };
    if index > last {
        return Err(none());
    }
    while run.world.frame_index() < index {
        run.step().map_err(super::RerunError::from)?.ok_or_else(none)?;
    }
    run.character_mut().synthesiser.explains = true;
    run.step().map_err(super::RerunError::from)?.ok_or_else(none)?;
    let character = run.character_mut();
    let provenance = character.synthesiser.result().provenance.as_deref();
    let forces = provenance.map_or_else(Vec::new, |told| told.by_body(&character.model));
    let frame = run.frame();
    let kept = frames.iter().find(|kept| kept.index == index);
    Ok(FrameExplained {
        index,
        time: frame.time,
        state: frame.state.clone(),
        outcome: frame.outcome.clone(),
        events: frame.solve_events.iter().map(ToString::to_string).collect(),
        conflict: frame.conflict.clone(),
        forces,
        is_same: kept.is_some_and(|kept| kept.q == frame.q && kept.outcome == frame.outcome),
    })
}
