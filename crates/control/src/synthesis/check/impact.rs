//! Impact: if contacts still violate their laws after all corrections, joint torques do not suffice.
//!
//! Inspects what separation and friction have not corrected. Makes the frame an impact, in which every point
//! near a surface and every joint limit in reach may push; see `synthesis/impact.rs`. A frame becomes one at
//! most once.

use super::correction::{Correction, Findings};
use super::friction_direction::is_driven;
use super::separation::leaves;
use super::view::{Check, View};
use crate::synthesis::CheckName;

pub(super) const CHECK: Check = Check { name: CheckName::Impact, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if !view.linearisation.is_impact() && has_wrong_contact(view) {
        findings.push(Correction::Impact);
    }
}

/// Whether a point violates a law of contact.
pub(super) fn has_wrong_contact(view: &View<'_>) -> bool {
    view.touches().any(|(_, touch, outcome)| leaves(view, touch, outcome) || is_driven(view, touch, outcome))
}
