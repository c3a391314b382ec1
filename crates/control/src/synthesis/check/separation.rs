//! Separation under force: a point that separates from its surface in the frame must have no force ([Jain
//! 2009] §4.2).
//!
//! Inspects active points. Removes the force of those that separate, three times; if other points then separate
//! instead, pins them to the surface, twice. If points still separate, the frame becomes an impact.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, ContactOutcome, ContactPoint};

/// Tolerance of the force of a separating point, in weights of the character.
const PARTING_FORCE: f64 = 1e-3;
/// Largest number of rounds in which separating points lose their force.
pub(super) const MOST_PARTINGS: u32 = 3;
/// Largest number of further rounds in which they are pinned.
const MOST_HOLDS: u32 = 2;

pub(super) const CHECK: Check = Check { name: CheckName::Separation, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if view.linearisation.is_impact() {
        return;
    }
    let round = view.rounds.of(CheckName::Separation);
    for (index, touch, outcome) in view.touches() {
        if touch.bearing == ContactMode::Pinned || !leaves(view, touch, outcome) {
            continue;
        }
        if round >= MOST_PARTINGS + MOST_HOLDS {
            return findings.give_up();
        } else if round >= MOST_PARTINGS {
            findings.cap();
            findings.push(Correction::Pin { touch: index });
        } else {
            findings.push(Correction::Unload { touch: index });
        }
    }
}

/// Whether a point separates under a force.
pub(super) fn leaves(view: &View<'_>, touch: &ContactPoint, outcome: &ContactOutcome) -> bool {
    let least = PARTING_FORCE * view.snapshot.scales.weight();
    view.snapshot.contacts.leaves(touch, outcome, view.dt, least)
}
