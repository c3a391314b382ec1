//! Slip in an impact: friction there lifts a sliding point by μ times its slip, and that lift is taken off again with
//! the slip of the solve before.
//!
//! Looks, in an impact, at points that part under force or are driven along their slip. Changes the slips that the
//! impact is solved with, and where that does not settle takes points that part their force. It may 43 times: from
//! the 9th on half the way at a time, the last three with points that give up (de Saxcé and Feng 1998).

use super::correction::{Correction, Findings};
use super::impact::has_wrong_contact;
use super::separation::{MOST_PARTINGS, leaves};
use super::view::{Check, View};
use crate::synthesis::CheckName;

/// Times in one frame that an impact is solved again for the slips of its points.
const MOST_SLIPS: u32 = 40;
/// From this time on they go only half the way, so that they do not oscillate.
const CAUTIOUS: u32 = 8;

pub const CHECK: Check = Check { name: CheckName::ImpactSlip, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if !view.linearisation.is_impact() || !has_wrong_contact(view) {
        return;
    }
    let round = view.rounds.of(CheckName::ImpactSlip);
    if round >= MOST_SLIPS + MOST_PARTINGS {
        return findings.give_up();
    }
    let share = if round < CAUTIOUS { 1.0 } else { 0.5 };
    for (index, touch, outcome) in view.touches() {
        if round >= MOST_SLIPS && leaves(view, touch, outcome) {
            findings.cap();
            findings.push(Correction::Unload { touch: index });
        }
        let slip = touch.slip + (outcome.slip(touch) - touch.slip) * share;
        findings.push(Correction::Slip { touch: index, slip });
    }
}
