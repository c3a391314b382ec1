//! Grip overload: no grip may exceed its force limit.
//!
//! Inspects the forces of grips; without a solution, the grips that contribute to the contradiction. Breaks the one
//! that exceeds its limit most, or the first that contributes; if none contributes, the last. Each grip breaks at
//! most once.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;

pub(super) const CHECK: Check = Check { name: CheckName::GripOverload, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let grips = &view.snapshot.grips;
    let breaking = if view.result.has_solution() {
        let pairs = grips.list.iter().zip(view.grip_forces);
        let forces = pairs.map(|(grip, force)| grip.mean_with(force, view.dt).norm()).enumerate();
        let most = forces.max_by(|a, b| a.1.total_cmp(&b.1));
        most.filter(|(_, force)| *force > grips.limits.force).map(|(grip, _)| grip)
    } else {
        let named = grips.list.iter().position(|grip| view.result.contradicts_grip(grip.site));
        named.or(grips.list.len().checked_sub(1))
    };
    if let Some(grip) = breaking {
        findings.push(Correction::BreakGrip { grip });
    }
}
