//! Friction direction: friction must never drive a slip.
//!
//! Inspects sliding points with friction along their slip. Friction that reverses a slip stops it: the point
//! is kept in place, slides with full friction if it still slides, and is kept for the rest of the frame if
//! its slip then reverses (`creeping.rs`). After that, friction of sliding points is excluded along their
//! slips. After that, friction is removed, first on the driven bodies and then on all. The remainder is an
//! impact.

use super::correction::{Correction, Findings};
use super::creeping::next_step;
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, ContactOutcome, ContactPoint};

/// Tolerance of friction along the slip, in weights of the character.
const DRIVING_FORCE: f64 = 1e-6;
/// Largest number of rounds in which driven points are kept or slide.
const MOST_STEPS: u32 = 6;
/// Largest number of further rounds in which friction is removed.
const MOST_GIVEN_UP: u32 = 2;

pub(super) const CHECK: Check = Check { name: CheckName::FrictionDirection, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if view.linearisation.is_impact() {
        return;
    }
    let round = view.rounds.of(CheckName::FrictionDirection);
    // A point that loses its force in this round needs no correction of its friction.
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

/// Excludes friction along the slip of every sliding point: if only the driven point were treated, the load
/// would just move to the next point of the same foot.
fn bar(view: &View<'_>, findings: &mut Findings) {
    for (index, touch, outcome) in view.touches() {
        if touch.bears() && outcome.slides(touch) && !findings.unloads(index) {
            findings.push(Correction::Bar { touch: index, slip: outcome.slip(touch) });
        }
    }
}

/// Makes driven points stick or slide; returns whether any correction was left.
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

/// Removes friction from the points of driven bodies, or of `all` bodies.
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
pub(super) fn is_driven(view: &View<'_>, touch: &ContactPoint, outcome: &ContactOutcome) -> bool {
    let least = DRIVING_FORCE * view.snapshot.scales.weight();
    touch.bears() && outcome.is_driven(touch, least)
}
