//! One frame of a run, re-solved to find its conflicting rows.

use super::ExplainError;
use super::forces::LEAST_FORCE;
use crate::rerun::bound;
use aplomb_control::synthesis::{BodyForce, JoinedForce};
use aplomb_trace::{ConflictRow, Frame, Header, Outcome, part_lengths, severity};
use serde::Serialize;

/// A frame with its conflicting rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameExplained {
    /// Number of the frame.
    pub(crate) index: u64,
    /// Time, s; that of the part, if the frame was divided.
    pub time: f64,
    /// The part of a divided frame that all fields below are about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<ExplainedPart>,
    /// State of the controller.
    pub(crate) state: String,
    /// How the frame ended.
    pub(crate) outcome: Outcome,
    /// Events of its solution, as text.
    pub(crate) events: Vec<String>,
    /// A minimal set of conflicting rows. For each row: the violation with which all other rows of the frame can
    /// hold, or, if these conflict without it, all other rows of the set.
    pub conflict: Vec<ConflictRow>,
    /// The forces on the character's bodies, split by purpose; empty for a ragdoll, a frame without a solution, and a
    /// frame solved together with another character's.
    pub forces: Vec<BodyForce>,
    /// Sums of these forces for bodies that are joined to each other, as a foot and its toes; bodies with less than 1 N
    /// are omitted.
    pub(crate) joined_forces: Vec<JoinedForce>,
    /// Why the purposes of the forces of a solved frame are unknown; `None` if they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forces_unknown: Option<ForcesUnknown>,
    /// Whether the repeated frame equals that of the trace.
    pub is_same: bool,
}

/// A part of a divided frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedPart {
    /// Number of the part, counted from 1.
    pub number: usize,
    /// Lengths of all parts, in order, s.
    pub lengths: Vec<f64>,
    /// Why this part was chosen.
    pub chosen: PartChoice,
}

/// Reason for the choice of the explained part of a divided frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartChoice {
    /// It ended worse than the others.
    Worst,
    /// The others had no conflicting constraints.
    Conflict,
    /// It contains the requested time.
    Time,
    /// It is the first of the parts with this outcome.
    First,
}

/// Why the purposes of the forces of a solved frame are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ForcesUnknown {
    /// The frame was solved as one problem with that of another character that this one holds or touches.
    SharedProblem,
    /// The costs of the frame's problem do not determine all unknowns: its parts cannot be separated.
    NotUnique,
}

/// Repeats a trace's scene up to a frame, and explains that frame. Of a divided frame one part is explained: the one
/// that ended worst, else the one with a conflict, else the one at `time`, s.
///
/// # Errors
/// If the texts of the trace no longer run, or it has no such frame.
pub fn explain_frame(
    header: &Header,
    frames: &[Frame],
    index: u64,
    time: Option<f64>,
) -> Result<FrameExplained, ExplainError> {
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
    let results = run.world.results(Some(own));
    let frame = results.frame();
    let kept = frames.iter().find(|kept| kept.index == index);
    let is_same = kept.is_some_and(|kept| kept.q == frame.q && kept.outcome == frame.outcome);
    let parts = results.parts();
    let part = chosen(&parts, time);
    let provenance = match (&part, results.character) {
        (Some((number, _)), Some(result)) => result.part_provenance.get(*number).and_then(Option::as_ref),
        _ => character.synthesiser.result().provenance.as_deref(),
    };
    let forces = provenance.map_or_else(Vec::new, |all| all.by_body(&character.model));
    let joined = provenance.map_or_else(Vec::new, |all| all.by_joined_bodies(&character.model, LEAST_FORCE));
    let unknown = match (provenance, header.others.is_empty()) {
        (Some(_), _) => None,
        (None, true) => Some(ForcesUnknown::NotUnique),
        (None, false) => Some(ForcesUnknown::SharedProblem),
    };
    let state = frame.state.clone();
    let part = part.map(|(number, chosen)| ExplainedPart {
        number: number + 1,
        lengths: part_lengths(&parts, header.dt),
        chosen,
    });
    let frame = part.as_ref().map_or(&frame, |part| &parts[part.number - 1]);
    let is_solved = matches!(frame.outcome, Outcome::Solved | Outcome::Relaxed { .. });
    Ok(FrameExplained {
        index,
        time: frame.time,
        part,
        state,
        outcome: frame.outcome.clone(),
        events: frame.solve_events.iter().map(ToString::to_string).collect(),
        conflict: frame.conflict.clone(),
        forces,
        joined_forces: joined,
        forces_unknown: unknown.filter(|_| is_solved),
        is_same,
    })
}

/// Index of the most informative part of a divided frame; `None` for a whole frame.
fn chosen(parts: &[Frame], time: Option<f64>) -> Option<(usize, PartChoice)> {
    let worst = parts.iter().map(|part| severity(&part.outcome)).max()?;
    let at = |time: f64| parts.iter().rposition(|part| part.time <= time + 1e-9).unwrap_or(0);
    // Among parts that ended alike, those with a conflict; among these, the one at the time.
    let all: Vec<usize> = (0..parts.len()).filter(|k| severity(&parts[*k].outcome) == worst).collect();
    let conflicting: Vec<usize> = all.iter().copied().filter(|k| !parts[*k].conflict.is_empty()).collect();
    let (among, why) = match (all.len() < parts.len(), conflicting.is_empty()) {
        (true, true) => (all, PartChoice::Worst),
        (true, false) => (conflicting, PartChoice::Worst),
        (false, false) if conflicting.len() < parts.len() => (conflicting, PartChoice::Conflict),
        (false, _) => (all, PartChoice::First),
    };
    let asked = time.map(at).filter(|asked| among.contains(asked));
    match (asked, why) {
        (Some(asked), PartChoice::First) => Some((asked, PartChoice::Time)),
        (Some(asked), why) => Some((asked, why)),
        (None, why) => Some((*among.first()?, why)),
    }
}
