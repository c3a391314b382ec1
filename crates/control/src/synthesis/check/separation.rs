//! Separation under force: a point that parts from its surface in the frame has no force ([Jain 2009] §4.2).
//!
//! Looks at bearing points. Takes those that part their force, three times; where others then part in their place,
//! time after time, they are held to the surface instead, twice. What is left is an impact.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, ContactOutcome, ContactPoint};

/// Force at a parting point that is too much, in weights of the character.
const PARTING_FORCE: f64 = 1e-3;
/// Times in one frame that parting points give up their force.
pub const MOST_PARTINGS: u32 = 3;
/// Times after that in which they are held.
const MOST_HOLDS: u32 = 2;

pub const CHECK: Check = Check { name: CheckName::Separation, inspect };

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

/// Whether a point parts under a force.
pub fn leaves(view: &View<'_>, touch: &ContactPoint, outcome: &ContactOutcome) -> bool {
    let least = PARTING_FORCE * view.snapshot.scales.weight();
    view.snapshot.contacts.leaves(touch, outcome, view.dt, least)
}
