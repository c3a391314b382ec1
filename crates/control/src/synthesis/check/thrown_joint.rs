//! Limits of thrown joints: if a ragdoll has no solution because joints would leave their ranges, their limits get a
//! reaction.
//!
//! Inspects the limits in the contradiction. Adds reactions, because the reaction of one limit throws a limb
//! against another that was not near. Each coordinate is added once.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::predict::limited_coordinates;
use crate::synthesis::CheckName;

pub(super) const CHECK: Check = Check { name: CheckName::ThrownJoint, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if !view.snapshot.limp || view.result.has_solution() {
        return;
    }
    for (coordinate, ..) in limited_coordinates(view.model, &view.snapshot.state.q) {
        let is_known = view.linearisation.thrown.contains(&coordinate);
        if !is_known && view.result.contradicts_range(coordinate) {
            findings.push(Correction::StopsReact { coordinate });
        }
    }
}
