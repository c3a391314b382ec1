//! Sticking contacts do not slip, and friction does not accelerate slip.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::contact::STATIC_SLIP;
use aplomb_control::synthesis::check::{HELD_ERROR, LATE_SLIP};
use aplomb_trace::{ContactKind, is_part_of};
use aplomb_world::Advance;
use nalgebra::Vector3;

struct ContactSlip {
    stick: Gauge,
    driving: Gauge,
    excused: u64,
}

pub(super) fn make(_: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(ContactSlip {
        stick: Gauge::new("slip of a static contact", "m/s", STATIC_SLIP * (1.0 + 1e-6)),
        driving: Gauge::new("friction along the slip of its point", "m g", 1e-5),
        excused: 0,
    })
}

impl AuditCheck for ContactSlip {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let Some(next) = passage.solved() else { return };
        // The result of forward dynamics is close, but not equal, to the motion for which the forces were computed.
        if bench.advance == Advance::Simulated {
            return;
        }
        let is_excused = now.gave_something_up();
        for contact in &now.contacts {
            if !matches!(contact.kind, ContactKind::Static | ContactKind::Dynamic) {
                continue;
            }
            let Some(body) = bench.model.body(&contact.body) else { continue };
            let point = Vector3::from(contact.point);
            let local = passage.here.rotation[body.0].tr_mul(&(point - passage.here.position[body.0]));
            let velocity = (passage.there.point(body, &local) - point) / passage.dt
                - contact.surface_velocity(bench.header, now, next, passage.dt);
            let normal = Vector3::from(contact.normal);
            let slip = velocity - normal * normal.dot(&velocity);
            let name = || contact.name.clone();
            if contact.kind == ContactKind::Static {
                let mut objects = bench.header.passive.iter();
                let is_pushed = objects.any(|object| is_part_of(&contact.surface, &object.name));
                // Tolerance of the distance of a pushed object from the position predicted by its frame.
                let unpredicted = if is_pushed { (HELD_ERROR / passage.dt).max(LATE_SLIP) } else { 0.0 };
                self.stick.read(slip.norm() - unpredicted, now, name);
                continue;
            }
            let force = Vector3::from(contact.force);
            let friction = force - normal * normal.dot(&force);
            let along = friction.dot(&slip) / slip.norm().max(STATIC_SLIP) / bench.weight;
            if is_excused {
                self.excused += u64::from(along > 1e-5);
            } else {
                self.driving.read(along, now, name);
            }
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.stick, &self.driving]
    }

    fn unseen(&self) -> Vec<String> {
        let excused = self.excused;
        let said = format!(
            "{excused} contacts whose friction drives a slip, in frames that say that they gave something up"
        );
        (excused > 0).then_some(said).into_iter().collect()
    }
}
