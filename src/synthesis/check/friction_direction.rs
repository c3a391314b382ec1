//! Friction direction: friction never drives a slip.
//!
//! Looks at points that slide with friction along their slip. Friction that would turn a slip round stops it: they are
//! kept where they are first, twice. Then every sliding point is barred from being pushed the way it slid, three
//! times: barring the driven point alone would only move the load on to the next point of the same foot.
//! Where that does not help, friction is given up, by the bodies that it drives and then by all. What is left is an
//! impact.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::contact::{ContactMode, ContactOutcome, ContactPoint, MOST_ROUNDS};
use crate::trace::CheckName;

/// Friction along the slip that is too much, in weights of the character.
const DRIVING_FORCE: f64 = 1e-6;
/// Times in which driven points are kept where they are, before friction is barred.
const MOST_KEPT: usize = 2;
/// Times after the last turn in which friction is given up.
const MOST_GIVEN_UP: usize = 2;

pub const CHECK: Check = Check { name: CheckName::FrictionDirection, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if view.linearisation.is_impact() {
        return;
    }
    let round = view.rounds.of(CheckName::FrictionDirection) as usize;
    // A point that loses its force in this round has no friction to be turned.
    let is_turned = |k: usize, touch: &ContactPoint, outcome: &ContactOutcome| {
        is_driven(view, touch, outcome) && !findings.unloads(k)
    };
    let count = view.touches().filter(|(k, touch, outcome)| is_turned(*k, touch, outcome)).count() as u32;
    if count == 0 {
        return;
    }
    if round >= MOST_KEPT + MOST_ROUNDS + MOST_GIVEN_UP {
        return findings.give_up();
    }
    findings.turn(count);
    if round < MOST_KEPT && keep(view, findings) {
        return;
    }
    if round < MOST_KEPT + MOST_ROUNDS {
        bar(view, findings);
    } else {
        findings.cap();
        smooth(view, findings, round > MOST_KEPT + MOST_ROUNDS);
    }
}

/// Keeps driven points where they are, as far as their friction can; whether there are such that were not kept yet.
fn keep(view: &View<'_>, findings: &mut Findings) -> bool {
    let before = findings.list().len();
    for (index, touch, outcome) in view.touches() {
        let may_be = matches!(touch.bearing, ContactMode::Sticking { .. } | ContactMode::Sliding);
        if may_be && !touch.kept && is_driven(view, touch, outcome) && !findings.unloads(index) {
            findings.push(Correction::Keep { touch: index });
        }
    }
    findings.list().len() > before
}

fn bar(view: &View<'_>, findings: &mut Findings) {
    for (index, touch, outcome) in view.touches() {
        if touch.bears() && outcome.slides(touch) && !findings.unloads(index) {
            findings.push(Correction::Bar { touch: index, slip: outcome.slip(touch) });
        }
    }
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
