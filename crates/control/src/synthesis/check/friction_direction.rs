//! Friction direction: friction never drives a slip.
//!
//! Looks at points that slide with friction along their slip. Friction that would turn a slip round stops it: such a
//! point is kept where it is, slides against all its friction where it slides all the same, and is kept for good where
//! it turns round then (`creeping.rs`). Where nothing of that is left, sliding points are barred from being pushed the
//! way they slid. Where that does not help, friction is given up, by the bodies that it drives and
//! then by all. What is left is an impact.

use super::correction::{Correction, Findings};
use super::creeping::next_step;
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, ContactOutcome, ContactPoint};

/// Friction along the slip that is too much, in weights of the character.
const DRIVING_FORCE: f64 = 1e-6;
/// Times in which driven points are kept or slide, before friction is given up.
const MOST_STEPS: u32 = 6;
/// Times after that in which friction is given up.
const MOST_GIVEN_UP: u32 = 2;

pub const CHECK: Check = Check { name: CheckName::FrictionDirection, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if view.linearisation.is_impact() {
        return;
    }
    let round = view.rounds.of(CheckName::FrictionDirection);
    // A point that loses its force in this round has no friction to be turned.
    let is_turned = |k: usize, touch: &ContactPoint, outcome: &ContactOutcome| {
        is_driven(view, touch, outcome) && !findings.unloads(k)
    };
    let count = view.touches().filter(|(k, touch, outcome)| is_turned(*k, touch, outcome)).count() as u32;
    if count == 0 {
        return;
    }
    if round >= MOST_STEPS + MOST_GIVEN_UP {
        return findings.give_up();
    }
    findings.turn(count);
    if round >= MOST_STEPS {
        findings.cap();
        smooth(view, findings, round > MOST_STEPS);
    } else if !stick_or_slide(view, findings) {
        bar(view, findings);
    }
}

/// Bars every sliding point from being pushed the way it slid: barring the driven point alone would only move the load on
/// to the next point of the same foot.
fn bar(view: &View<'_>, findings: &mut Findings) {
    for (index, touch, outcome) in view.touches() {
        if touch.bears() && outcome.slides(touch) && !findings.unloads(index) {
            findings.push(Correction::Bar { touch: index, slip: outcome.slip(touch) });
        }
    }
}

/// Has driven points stick or slide; whether there are such for which something is left to be done.
fn stick_or_slide(view: &View<'_>, findings: &mut Findings) -> bool {
    let before = findings.list().len();
    for (index, touch, outcome) in view.touches() {
        let may_be = matches!(touch.bearing, ContactMode::Sticking { .. } | ContactMode::Sliding);
        if may_be && is_driven(view, touch, outcome) && !findings.unloads(index) {
            next_step(index, touch, outcome).into_iter().for_each(|step| findings.push(step));
        }
    }
    findings.list().len() > before
}

/// Takes their friction from the points of bodies that are driven, or of `all`.
fn smooth(view: &View<'_>, findings: &mut Findings, all: bool) {
    for (index, touch, _) in view.touches() {
        let drives = view.touches().any(|(k, other, outcome)| {
            other.body == touch.body && is_driven(view, other, outcome) && !findings.unloads(k)
        });
        if drives || all {
            findings.push(Correction::Smooth { touch: index });
        }
    }
}

/// Whether friction drives a point along its slip.
pub fn is_driven(view: &View<'_>, touch: &ContactPoint, outcome: &ContactOutcome) -> bool {
    let least = DRIVING_FORCE * view.snapshot.scales.weight();
    touch.bears() && outcome.is_driven(touch, least)
}
