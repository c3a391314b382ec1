//! Sticking contacts do not slip, and friction drives no slip.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::contact::STATIC_SLIP;
use aplomb_trace::{Contact, ContactKind, Frame, Header, Place};
use aplomb_world::Advance;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

struct ContactSlip {
    stick: Gauge,
    driving: Gauge,
    excused: u64,
}

pub fn make(_: &Bench<'_>) -> Box<dyn AuditCheck> {
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
        // What forward dynamics made of the forces is near to what they were found for, not equal.
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
            let way =
                passage.there.point(body, &local) - point - surface_way(bench.header, contact, now, next);
            let normal = Vector3::from(contact.normal);
            let slip = (way - normal * normal.dot(&way)) / bench.header.dt;
            let name = || contact.name.clone();
            if contact.kind == ContactKind::Static {
                self.stick.read(slip.norm(), now, name);
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

/// Way of a point of the contact's surface over the frame, m.
fn surface_way(header: &Header, contact: &Contact, now: &Frame, next: &Frame) -> Vector3<f64> {
    let moving = header.obstacles.iter().filter(|obstacle| obstacle.moves);
    let index = moving.into_iter().position(|obstacle| obstacle.name == contact.surface);
    let Some([from, to]) = index.and_then(|index| Some([now.moving.get(index)?, next.moving.get(index)?]))
    else {
        return Vector3::zeros();
    };
    let turn = |place: &Place| {
        let [w, x, y, z] = place.orientation;
        UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
    };
    let point = Vector3::from(contact.point);
    let local = turn(from).inverse_transform_vector(&(point - Vector3::from(from.position)));
    Vector3::from(to.position) + turn(to) * local - point
}
