//! Paths of limbs: parts of the body that do not pass through each other must end the frame where their rows
//! predict.
//!
//! Inspects how far from each other they are at the end. Changes the second-order terms of their rows, and adds
//! those of parts that met though they were not near as the frame began. Parts that joint torques cannot keep out
//! of each other may press on each other in the next solve.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::objective::Now;
use crate::predict::Prediction;
use crate::synthesis::CheckName;

/// Largest number of solves of a frame for the paths of limbs alone.
const MOST_LOOKS: u32 = 8;

pub const CHECK: Check = Check { name: CheckName::LimbPath, inspect };

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
    match (strays, is_last) {
        (true, false) => findings.push(Correction::Reevaluate),
        (true, true) => findings.give_up(),
        _ => {}
    }
}
