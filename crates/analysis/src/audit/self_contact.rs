//! Parts of the body press on each other only where they touch, and only away from each other.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::contact::{ShapePair, nearest};
use aplomb_trace::SelfContact;
use nalgebra::Vector3;

/// Largest distance of two parts at the end of a frame in which they press on each other, m: the error of a
/// frame's linearisation.
const FARTHEST: f64 = 2e-3;
/// Distance within which the two are searched at the beginning of the frame, m: everything that can meet
/// within a frame.
const REACH: f64 = 1.0;

struct SelfContactGauges {
    gap: Gauge,
    point: Gauge,
    pull: Gauge,
    friction: Gauge,
    pairs: Vec<ShapePair>,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(SelfContactGauges {
        gap: Gauge::new("gap between parts of the body that press on each other", "m", FARTHEST),
        point: Gauge::new("force between parts of the body off where they are nearest", "m", 1e-9),
        pull: Gauge::new("force that pulls parts of the body together", "m g", 1e-7),
        friction: Gauge::new("force across the line between parts of the body", "m g", 1e-7),
        pairs: ShapePair::all(&bench.model, |a, b| a != b),
    })
}

impl SelfContactGauges {
    fn check(&mut self, passage: &Passage<'_>, pressed: &SelfContact) {
        let (model, now) = (&passage.bench.model, passage.now);
        let name = || format!("{} on {}", pressed.other, pressed.body);
        let bodies = [&pressed.other, &pressed.body].map(|name| model.body(name));
        let points = [pressed.other_point, pressed.point].map(Vector3::from);
        let pairs = self.pairs.iter().filter(|pair| pair.bodies.map(Some) == bodies);
        let placed = pairs.filter_map(|pair| {
            let near = nearest(model, passage.here, pair.geoms, REACH)?;
            let off = (near.points[0] - points[0]).norm().max((near.points[1] - points[1]).norm());
            Some((off, near, pair))
        });
        let Some((off, near, pair)) = placed.min_by(|(a, ..), (b, ..)| a.total_cmp(b)) else {
            self.point.read(f64::INFINITY, now, name);
            return;
        };
        self.point.read(off, now, name);
        let gap = nearest(model, passage.there, pair.geoms, REACH).map_or(REACH, |near| near.distance);
        self.gap.read(gap - pair.at_rest.min(0.0), now, name);
        let force = Vector3::from(pressed.force) / passage.bench.weight;
        let along = force.dot(&near.normal);
        self.pull.read(-along, now, name);
        self.friction.read((force - near.normal * along).norm(), now, name);
    }
}

impl AuditCheck for SelfContactGauges {
    fn look(&mut self, passage: &Passage<'_>) {
        if passage.solved().is_none() {
            return;
        }
        for pressed in passage.now.self_contacts.iter().filter(|pressed| pressed.presses()) {
            self.check(passage, pressed);
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.gap, &self.point, &self.pull, &self.friction]
    }
}
