//! [Jain 2009] §4.2: no candidate enters a surface.

use super::{Constraint, Kind};
use crate::contact::{ContactMode, ContactPoint, Contacts};
use crate::language::diagnostic::Place;
use crate::objective::Now;
use crate::predict::Prediction;
use crate::qp::{Label, Qp, RowKind, RowLabel};

/// Share of a penetration that must be gone after a frame; all at once would be an impact.
const RECOVERY: f64 = 0.2;

pub(super) const KIND: Kind = Kind {
    name: "non_penetration",
    about: "No contact candidate may enter a surface.",
    make: |setting| Some(Box::new(NonPenetration::new(setting.contacts))),
};

/// Gap after the frame ≥ 0 (or ≥ 80 % of a penetration), as a rate in m/s, for every touch; hardly any gap
/// where the touch is held.
pub struct NonPenetration {
    /// By slot.
    labels: Vec<RowLabel>,
}

impl NonPenetration {
    /// Gap rows for the contact points of `contacts`.
    pub fn new(contacts: &Contacts) -> Self {
        let labels = (0..contacts.slots()).map(|slot| {
            let (candidate, surface) = contacts.pair(slot);
            let name = format!("gap of {} over {}", candidate.name, surface.name).into();
            Label { kind: RowKind::Gap { slot }, name, unit: "m/s", source: Place::default() }
        });
        NonPenetration { labels: labels.collect() }
    }

    /// Least gap after a frame over dt, m/s.
    pub fn least_rate(touch: &ContactPoint, dt: f64) -> f64 {
        if touch.gap < 0.0 { (1.0 - RECOVERY) * touch.gap / dt } else { 0.0 }
    }
}

impl Constraint for NonPenetration {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        for (index, touch) in now.contacts.touches.iter().enumerate() {
            let least = Self::least_rate(touch, now.scales.dt);
            let most = match touch.bearing {
                ContactMode::Pinned => least.max(0.0) + now.contacts.hold() / now.scales.dt,
                _ => f64::INFINITY,
            };
            let label = &self.labels[touch.slot];
            let gap = next.gap_rate(index);
            qp.push_row(gap.coefficients(0), gap.constant(0), [least, most], 1.0, label);
        }
    }
}
