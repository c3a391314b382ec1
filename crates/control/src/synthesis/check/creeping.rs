//! Creeping: a point that slides has all its friction, against its slip; with less it sticks.
//!
//! Looks at points that stick and yet slide with friction to spare, because what the controller asks for outweighed
//! the cost of contacts that move. Keeps them where they are as far as friction can, and has those that slide all the
//! same slide for this frame, with all their friction; those that turn round then are kept for good. That is its
//! bound, and four times in one frame.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, ContactOutcome, ContactPoint, FrictionStep};

/// Share of the friction that the normal force allows from which on a point slides with all of it.
const ALL_FRICTION: f64 = 0.99;
/// Normal force of a point that is looked at, in weights of the character.
const LEAST_FORCE: f64 = 1e-3;
/// Times in one frame.
const MOST_CREEPS: u32 = 4;

pub const CHECK: Check = Check { name: CheckName::Creeping, inspect };

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

/// What is to be done next so that a point sticks, or slides with all its friction.
pub fn next_step(index: usize, touch: &ContactPoint, outcome: &ContactOutcome) -> Option<Correction> {
    match touch.friction_step {
        FrictionStep::AsBefore => Some(Correction::Keep { touch: index, step: FrictionStep::Kept }),
        FrictionStep::Kept => Some(Correction::Slide { touch: index, slip: outcome.slip(touch) }),
        FrictionStep::Slid => Some(Correction::Keep { touch: index, step: FrictionStep::Fixed }),
        FrictionStep::Fixed => None,
    }
}

/// Whether a point slides that was solved as sticking, with friction to spare.
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
