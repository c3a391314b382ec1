//! Impact: what contacts cannot do though everything was tried is more than muscles can master.
//!
//! Looks at what separation and friction left. Makes the frame an impact, in which every point near a surface and
//! every stop within reach may push; see `synthesis/impact.rs`. A frame becomes one once: that is its bound.

use super::{Check, Correction, Findings, View};
use crate::trace::CheckName;

pub const CHECK: Check = Check { name: CheckName::Impact, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if !view.linearisation.is_braced() && view.has_wrong_contact() {
        findings.push(Correction::Impact);
    }
}
