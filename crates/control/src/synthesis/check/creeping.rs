//! Creeping: a sliding point must have full friction against its slip; with less friction it must stick.
//!
//! Inspects points in sticking mode that slide below full friction, because the objectives outweighed the
//! cost of keeping contacts. Makes them stick as far as friction allows; those that still slide get full
//! sliding friction in this frame; those whose slip then reverses stick for the rest of the frame. At most
//! four times in a frame.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, ContactOutcome, ContactPoint, FrictionStep};

/// Share of full friction from which on a point slides.
const ALL_FRICTION: f64 = 0.99;
/// Smallest normal force of an inspected point, in weights of the character.
const LEAST_FORCE: f64 = 1e-3;
/// Largest number of rounds in a frame.
const MOST_CREEPS: u32 = 4;

pub(super) const CHECK: Check = Check { name: CheckName::Creeping, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if view.linearisation.is_impact() {
        return;
    }
    let over = view.rounds.of(CheckName::Creeping) >= MOST_CREEPS;
    for (index, touch, outcome) in view.touches() {
        if !creeps(view, touch, outcome) {
            continue;
        }
        if over {
            return findings.give_up();
        }
        if let Some(step) = next_step(index, touch, outcome) {
            findings.push(step);
        }
    }
}

/// The next correction, which makes a point stick or slide with full friction.
pub(super) fn next_step(index: usize, touch: &ContactPoint, outcome: &ContactOutcome) -> Option<Correction> {
    match touch.friction_step {
        FrictionStep::AsBefore => Some(Correction::Keep { touch: index, step: FrictionStep::Kept }),
        FrictionStep::Kept => Some(Correction::Slide { touch: index, slip: outcome.slip(touch) }),
        FrictionStep::Slid => Some(Correction::Keep { touch: index, step: FrictionStep::Fixed }),
        FrictionStep::Fixed => None,
    }
}

/// Whether a point in sticking mode slides below full friction.
fn creeps(view: &View<'_>, touch: &ContactPoint, outcome: &ContactOutcome) -> bool {
    let normal = outcome.force.dot(&touch.normal);
    let friction = (outcome.force - touch.normal * normal).norm();
    matches!(touch.bearing, ContactMode::Sticking { .. })
        && !touch.smooth
        && !touch.is_barred()
        && outcome.slides(touch)
        && normal > LEAST_FORCE * view.snapshot.scales.weight()
        && friction < ALL_FRICTION * touch.friction * normal
}
