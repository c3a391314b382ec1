//! Grips touch their holds: a grip has a force only if the distance between the hand and its hold is at most
//! the sum of both radii.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_math::geometry::nearest_on_segment;
use aplomb_trace::{Contact, ContactKind, Frame, Header, Holdable};
use nalgebra::Vector3;

/// Force below which a grip counts as unloaded, m g.
const LOADED: f64 = 1e-9;

struct GripPlace {
    apart: Gauge,
    gap: Gauge,
}

pub(super) fn make(_: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(GripPlace {
        apart: Gauge::new("air between a hand and the hold that it pulls on", "m", 1e-9),
        gap: Gauge::new("gap of a grip off that of its site and its hold", "m", 1e-9),
    })
}

impl AuditCheck for GripPlace {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        for grip in &now.contacts {
            if !matches!(grip.kind, ContactKind::Grip | ContactKind::Stand) {
                continue;
            }
            let Some(hold) = bench.header.holds.iter().find(|hold| hold.name == grip.surface) else {
                continue;
            };
            let site = bench.model.sites.iter().find(|site| site.name == grip.name);
            let radius = site.map_or(0.0, |site| site.radius);
            let name = || grip.name.clone();
            if let Some(distance) = distance(bench.header, hold, now, grip) {
                self.gap.read((distance - grip.gap).abs(), now, name);
            }
            if Vector3::from(grip.force).norm() > LOADED * bench.weight {
                self.apart.read((grip.gap - hold.radius - radius).max(0.0), now, name);
            }
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.apart, &self.gap]
    }
}

/// Distance from a grip's site to the nearest point of the hold, m; `None` if the hold is on a moving object,
/// because then only the record of the grip states its position.
fn distance(header: &Header, hold: &Holdable, now: &Frame, grip: &Contact) -> Option<f64> {
    let moving = header.holds.iter().filter(|hold| hold.moves);
    let index = moving.into_iter().position(|other| other.name == hold.name);
    let moved =
        index.map_or(Some(Vector3::zeros()), |index| now.moving_holds.get(index).map(|way| (*way).into()))?;
    let point = Vector3::from(grip.point) - moved;
    match hold.ends.iter().map(|end| Vector3::from(*end)).collect::<Vec<_>>()[..] {
        [end] => Some((end - point).norm()),
        // A held point remains where it was gripped, on the axis: it is never nearer than the nearest point.
        [a, b] => Some(((nearest_on_segment([&a, &b], &point) - point).norm()).max(grip.gap)),
        _ => None,
    }
}
