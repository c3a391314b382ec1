//! Paths of limbs: parts of the body that avoid each other must end the frame where their rows predict.
//!
//! Inspects the distances of parts of the body at the end of the frame. Changes the second-order terms of their rows,
//! and adds rows for parts that touched although they were not near at the beginning of the frame. Parts that joint
//! torques cannot keep apart may press on each other in the next solve; those that do not touch after the last but
//! one have no force in the last.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::objective::Now;
use crate::predict::Prediction;
use crate::synthesis::CheckName;
use aplomb_body::contact::nearest;

/// Largest number of solves of a frame only for the paths of limbs.
const MOST_LOOKS: u32 = 8;
/// Gap across which two parts do not press on each other, m.
const APART: f64 = 1e-3;

pub(super) const CHECK: Check = Check { name: CheckName::LimbPath, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let (model, snapshot) = (view.model, view.snapshot);
    let (now, next) = (Now { model, snapshot }, Prediction::new(model, snapshot, view.linearisation));
    let is_last = view.rounds.of(CheckName::LimbPath) >= MOST_LOOKS;
    let unknowns = &view.result.unknowns;
    let mut strays = false;
    for constraint in &mut *view.constraints {
        strays |= constraint.look_ahead(&now, &next, unknowns, view.ahead);
        constraint.pressed(&now, &next, unknowns, view.ahead, &mut |parts| {
            strays = true;
            if !is_last {
                findings.push(Correction::Press(parts));
            }
        });
    }
    if view.rounds.of(CheckName::LimbPath) + 1 >= MOST_LOOKS {
        part(view, &next, findings);
    }
    if findings.is_by(CheckName::LimbPath) {
        return;
    }
    match (strays, is_last) {
        (true, false) => findings.push(Correction::Reevaluate),
        (true, true) => findings.give_up(),
        _ => {}
    }
}

/// Removes the force between parts that do not touch at the end of the frame: no force acts across a gap.
fn part(view: &View<'_>, next: &Prediction<'_>, findings: &mut Findings) {
    for (column, parts) in next.self_contact_columns().iter().enumerate() {
        let force = view.result.unknowns[next.self_contact_unknown(column)];
        let end = nearest(view.model, view.ahead, parts.geoms, f64::INFINITY);
        if force > 0.0 && end.is_some_and(|end| end.distance > APART) {
            findings.push(Correction::LetGo { geoms: parts.geoms });
        }
    }
}
