//! Non-penetration ([Jain 2009] §4.2): no contact candidate enters a surface.

use super::{Constraint, ConstraintKind};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::contact::{ContactMode, ContactPoint, Contacts};
use aplomb_body::model::scales::Scales;
use aplomb_qp::{Label, Origin, Qp, RowKind, RowLabel};

/// Share of a penetration that may remain after 10 ms; removing all of it at once would be an impact.
const LEFT: f64 = 0.8;

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "non_penetration",
    about: "No contact candidate may enter a surface.",
    make: |setting| Some(Box::new(NonPenetration::new(setting.contacts))),
};

/// Gap after the frame ≥ 0 (≥ 80 % of a penetration after 10 ms; ≥ what a [`Pad`] leaves), as a rate in m/s, for every
/// contact point; nearly 0 if the point is pinned to its surface.
///
/// [`Pad`]: aplomb_body::model::Pad
#[doc(alias = "unilateral contact")]
#[doc(alias = "Signorini condition")]
pub(crate) struct NonPenetration {
    /// Labels by slot.
    labels: Vec<RowLabel>,
}

impl NonPenetration {
    /// Gap rows for the contact points of `contacts`.
    pub(crate) fn new(contacts: &Contacts) -> Self {
        let labels = (0..contacts.slots()).map(|slot| {
            let (candidate, surface) = contacts.pair(slot);
            let name = format!("gap of {} over {}", candidate.name, surface.name).into();
            Label { kind: RowKind::Gap { slot }, name, unit: "m/s", origin: Origin::default() }
        });
        NonPenetration { labels: labels.collect() }
    }

    /// Smallest gap allowed after a frame, divided by dt, m/s.
    pub(crate) fn least_rate(touch: &ContactPoint, scales: &Scales) -> f64 {
        match touch.gap < 0.0 {
            true => {
                let left = scales.left_after_frame(LEFT) * touch.gap;
                left.min(touch.most_gap(scales.dt)) / scales.dt
            }
            false => touch.least_gap / scales.dt,
        }
    }
}

impl Constraint for NonPenetration {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        for (index, touch) in now.contacts.touches.iter().enumerate() {
            let least = Self::least_rate(touch, &now.scales);
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
