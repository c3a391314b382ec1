//! Contact forces act at the closest points of body and surface, and grip forces at the site.

use super::bench::{Bench, Passage};
use super::penetration::surfaces;
use super::{AuditCheck, Gauge};
use aplomb_body::contact::{Candidate, PART, Surface, candidates, closest_point};
use aplomb_body::model::scales::REFERENCE_HEIGHT;
use aplomb_trace::{Contact, ContactKind, Outcome};
use nalgebra::Vector3;
use std::collections::HashMap;

struct ContactPlace {
    point: Gauge,
    gap: Gauge,
    normal: Gauge,
    ghost: Gauge,
    /// Distance across which contact forces act.
    away: Gauge,
    candidates: Vec<Candidate>,
    by_name: HashMap<String, usize>,
}

/// Force below which it does not matter where it acts, m g.
const LEAST_FORCE: f64 = 1e-3;

/// Distance within which surfaces are searched, m: everything that can be hit within a frame.
const REACH: f64 = 10.0;

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    let candidates = candidates(&bench.model);
    let scale = bench.header.com_height / REFERENCE_HEIGHT;
    let by_name = candidates.iter().enumerate().map(|(index, one)| (one.name.to_string(), index)).collect();
    Box::new(ContactPlace {
        point: Gauge::new("contact point off the nearest of its body", "m", 1e-9),
        gap: Gauge::new("gap of a contact off that of its point", "m", 1e-9),
        normal: Gauge::new("normal of a contact off that of the surface", "1", 1e-9),
        ghost: Gauge::new("force of a contact that nothing of the body can make", "m g", 0.0),
        away: Gauge::new("gap across which a contact force acts, beyond the pad", "m", 1.2 * PART * scale),
        candidates,
        by_name,
    })
}

impl ContactPlace {
    fn touch(&mut self, passage: &Passage<'_>, contact: &Contact, surfaces: [&[Surface]; 2]) {
        let [surfaces, next_surfaces] = surfaces;
        let (bench, now) = (passage.bench, passage.now);
        let name = || contact.name.clone();
        let candidate = self.by_name.get(&contact.name).map(|index| &self.candidates[*index]);
        let surface = surfaces.iter().find(|surface| *surface.name == *contact.surface);
        let found = candidate.zip(surface).and_then(|(candidate, surface)| {
            closest_point(&bench.model, candidate, surface, passage.here, REACH)
        });
        let Some((point, gap, normal)) = found else {
            let force = Vector3::from(contact.force).norm() / bench.weight;
            self.ghost.read(force, now, name);
            return;
        };
        self.point.read((point - Vector3::from(contact.point)).norm(), now, name);
        self.gap.read((gap - contact.gap).abs(), now, name);
        self.normal.read((normal - Vector3::from(contact.normal)).norm(), now, name);
        let force = Vector3::from(contact.force).norm() / bench.weight;
        let ends_on = next_surfaces.iter().find(|surface| *surface.name == *contact.surface);
        if let Some((candidate, surface)) = candidate.zip(ends_on).filter(|_| force > LEAST_FORCE)
            && let Some((_, gap, _)) = closest_point(&bench.model, candidate, surface, passage.there, REACH)
        {
            let pad = bench.model.bodies[candidate.body.0].pad.map_or(0.0, |pad| pad.depth);
            self.away.read((gap - pad).max(0.0), now, name);
        }
    }
}

impl AuditCheck for ContactPlace {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        // Ragdolls have contact manifolds, whose points are not named in records.
        if matches!(now.outcome, Outcome::Limp) || now.contacts.is_empty() {
            return;
        }
        // Forces stop points in the frame in which they arrive: they touch at its end.
        let next_surfaces = passage.solved().map_or(Vec::new(), |next| surfaces(bench, next));
        let surfaces = surfaces(bench, now);
        for contact in &now.contacts {
            match contact.kind {
                ContactKind::Static | ContactKind::Dynamic => {
                    self.touch(passage, contact, [&surfaces, &next_surfaces]);
                }
                ContactKind::Grip | ContactKind::Stand => {
                    let site = bench.model.sites.iter().find(|site| site.name == contact.name);
                    let site = site.and_then(|site| Some(passage.here.point(site.body?, &site.position)));
                    let off = site.map_or(f64::INFINITY, |site| (site - Vector3::from(contact.point)).norm());
                    self.point.read(off, now, || contact.name.clone());
                }
            }
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.point, &self.gap, &self.normal, &self.ghost, &self.away]
    }
}
