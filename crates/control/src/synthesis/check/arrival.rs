//! Arrival without force: a point that reaches a surface in this frame must be stopped by the surface, because
//! otherwise joint torques alone would have stopped it.
//!
//! Inspects points without a force. Gives them a force in impact mode. Pins points that lost their force in
//! this frame because they separated under it: they have some force, but not enough to separate. A point that
//! receives a force is not inspected again, which bounds the check ([Jain 2009] §4.2).

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, LANDED};

pub(super) const CHECK: Check = Check { name: CheckName::Arrival, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let near = LANDED * view.snapshot.contacts.length_scale();
    for (index, touch, outcome) in view.touches() {
        let waits = !touch.bears() && !touch.released && touch.may_be_loaded();
        if waits && outcome.normal_speed(touch) < 0.0 && outcome.gap(touch, view.dt) - touch.least_gap < near
        {
            let mode = if touch.parted { ContactMode::Pinned } else { ContactMode::Impact };
            findings.push(Correction::Load { touch: index, mode });
        }
    }
}
