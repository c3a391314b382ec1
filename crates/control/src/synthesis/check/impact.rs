//! Impact: what contacts cannot do though everything was tried is more than joint torques can do.
//!
//! Looks at what separation and friction left. Makes the frame an impact, in which every point near a surface and
//! every stop within reach may push; see `synthesis/impact.rs`. A frame becomes one once: that is its bound.

use super::correction::{Correction, Findings};
use super::friction_direction::is_driven;
use super::separation::leaves;
use super::view::{Check, View};
use crate::synthesis::CheckName;

pub const CHECK: Check = Check { name: CheckName::Impact, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if !view.linearisation.is_impact() && has_wrong_contact(view) {
        findings.push(Correction::Impact);
    }
}

/// Whether a point does what no contact can do.
pub fn has_wrong_contact(view: &View<'_>) -> bool {
    view.touches().any(|(_, touch, outcome)| leaves(view, touch, outcome) || is_driven(view, touch, outcome))
}
