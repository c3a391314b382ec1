//! Arrival without force: a point that comes to a surface in this frame is stopped by the surface, for joint torques
//! alone
//! would have stopped it.
//!
//! Looks at points that bear nothing. Lets them be struck; those that lost their force in this frame because they
//! separated under it are held to the surface: they bear something, but not as much as would throw them off. A point
//! that has a force leaves this check: that is its bound ([Jain 2009] §4.2).

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, LANDED};

pub const CHECK: Check = Check { name: CheckName::Arrival, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let near = LANDED * view.snapshot.contacts.length_scale();
    for (index, touch, outcome) in view.touches() {
        let waits = !touch.bears() && !touch.released && touch.may_be_loaded();
        if waits && outcome.normal_speed(touch) < 0.0 && outcome.gap(touch, view.dt) < near {
            let mode = if touch.parted { ContactMode::Pinned } else { ContactMode::Impact };
            findings.push(Correction::Load { touch: index, mode });
        }
    }
}
