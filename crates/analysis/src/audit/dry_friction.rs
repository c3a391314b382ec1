//! Dry friction of joints is within its limit, and does no positive work.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};

struct DryFriction {
    most: Gauge,
    driving: Gauge,
    limits: Vec<f64>,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    let mut limits = vec![0.0; bench.model.nv];
    bench.model.dry_friction().for_each(|(coordinate, limit)| limits[coordinate] = limit);
    Box::new(DryFriction {
        most: Gauge::new("dry friction beyond what there is", "m g, m g h", 1e-6),
        driving: Gauge::new("power of dry friction that drives", "(m g, m g h)/s", 1e-6),
        limits,
    })
}

impl AuditCheck for DryFriction {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let Some(next) = passage.solved() else { return };
        for (index, friction) in now.dry_friction.iter().enumerate() {
            let unit = if bench.header.force_unit(index) == "N" { bench.weight } else { bench.torque };
            self.most.read((friction.abs() - self.limits[index]) / unit, now, || bench.coordinate(index));
            self.driving.read(friction * next.v[index] / unit, now, || bench.coordinate(index));
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.most, &self.driving]
    }
}
