//! Slip in an impact: friction there lifts a sliding point by μ times its slip, and that lift is removed with
//! the slip of the previous solve.
//!
//! Inspects, in an impact, points that separate under force or are driven along their slip. Changes the slips
//! with which the impact is solved, and if that does not converge removes the force of separating points. At
//! most 43 times: from the 9th on with half steps, the last three with removal of forces (de Saxcé and Feng
//! 1998).

use super::correction::{Correction, Findings};
use super::impact::has_wrong_contact;
use super::separation::{MOST_PARTINGS, leaves};
use super::view::{Check, View};
use crate::synthesis::CheckName;

/// Largest number of solves of an impact for the slips of its points.
const MOST_SLIPS: u32 = 40;
/// Number of solves after which slips change by half steps, so that they do not oscillate.
const CAUTIOUS: u32 = 8;

pub(super) const CHECK: Check = Check { name: CheckName::ImpactSlip, inspect };

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
