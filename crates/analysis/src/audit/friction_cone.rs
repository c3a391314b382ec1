//! Contact forces push, within the friction cone of their surface.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_trace::ContactKind;
use nalgebra::Vector3;

struct FrictionConeGauges {
    cone: Gauge,
    pull: Gauge,
    coefficient: Gauge,
    normal: Gauge,
    known: Gauge,
}

pub(super) fn make(_: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(FrictionConeGauges {
        cone: Gauge::new("tangential force beyond the friction cone", "m g", 1e-7),
        pull: Gauge::new("contact force that pulls", "m g", 1e-7),
        coefficient: Gauge::new("friction off that of the surface", "1", 0.0),
        normal: Gauge::new("length of a normal off 1", "1", 1e-9),
        known: Gauge::new("forces on bodies or from surfaces that there are not", "1", 0.0),
    })
}

impl AuditCheck for FrictionConeGauges {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        for contact in &now.contacts {
            let name = || contact.name.clone();
            let obstacle = bench.header.obstacles.iter().find(|obstacle| obstacle.name == contact.surface);
            let is_hold = bench.header.holds.iter().any(|hold| hold.name == contact.surface);
            let is_known = bench.model.body(&contact.body).is_some() && (obstacle.is_some() || is_hold);
            self.known.read(if is_known { 0.0 } else { 1.0 }, now, name);
            if let (ContactKind::Static | ContactKind::Dynamic, Some(obstacle)) = (contact.kind, obstacle) {
                self.coefficient.read((contact.friction - obstacle.friction).abs(), now, name);
            }
            if contact.kind == ContactKind::Grip {
                continue;
            }
            let (normal, force) = (Vector3::from(contact.normal), Vector3::from(contact.force));
            self.normal.read((normal.norm() - 1.0).abs(), now, name);
            let push = force.dot(&normal);
            let along = (force - normal * push).norm();
            // Round-off of wide cones grows with their friction coefficient.
            let scale = bench.weight * (1.0 + contact.friction);
            self.pull.read(-push / bench.weight, now, name);
            self.cone.read((along - contact.friction * push.max(0.0)) / scale, now, name);
        }
        for push in &now.external {
            let is_known = bench.model.body(&push.body).is_some();
            self.known.read(if is_known { 0.0 } else { 1.0 }, now, || push.name.clone());
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.cone, &self.pull, &self.coefficient, &self.normal, &self.known]
    }
}
