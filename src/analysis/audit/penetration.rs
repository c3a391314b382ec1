//! Nothing of the body is in a surface.

use super::bench::{Bench, Passage};
use super::{Check, Gauge};
use crate::contact::{Candidate, Surface, SurfaceShape, can_touch, candidates, closest_point};
use crate::model::BodyId;
use crate::model::scales::REFERENCE_HEIGHT;
use crate::trace::{ContactKind, Frame, Outcome};
use crate::world::Advance;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

struct Penetration {
    deeper: Gauge,
    deep: Gauge,
    candidates: Vec<Candidate>,
    /// Of the frame before, by surface and candidate, m.
    depths: Vec<f64>,
    spare: Vec<f64>,
    /// Whether the frame before has a solution that keeps everything out.
    was_solved: bool,
    begin: f64,
}

/// Distance from a grip within which its body makes no contact, as a share of the body's scale.
const HELD: f64 = 0.05;

pub fn make(bench: &Bench<'_>) -> Box<dyn Check> {
    Box::new(Penetration {
        deeper: Gauge::new("deeper in a surface than the frame before, which is no impact", "m", 5e-4),
        deep: Gauge::new("depth in a surface, beyond that of the start", "m", 0.01),
        candidates: candidates(&bench.model),
        depths: Vec::new(),
        spare: Vec::new(),
        was_solved: false,
        begin: 0.0,
    })
}

/// The world of a frame as surfaces.
pub(super) fn surfaces(bench: &Bench<'_>, frame: &Frame) -> Vec<Surface> {
    let here = frame.surroundings(bench.header);
    let surface = here.iter().map(|obstacle| {
        let [w, x, y, z] = obstacle.orientation;
        let shape = match obstacle.half_lengths {
            None => SurfaceShape::HalfSpace,
            Some(half_lengths) => SurfaceShape::Box { half_lengths: half_lengths.into() },
        };
        let turn = Quaternion::new(w, x, y, z);
        // What is written with unit length is not made so again: that would change its last digit.
        let turn = if (turn.norm() - 1.0).abs() < 1e-12 {
            UnitQuaternion::new_unchecked(turn)
        } else {
            UnitQuaternion::new_normalize(turn)
        };
        Surface::new(&obstacle.name, shape, obstacle.position.into(), turn, obstacle.friction)
    });
    surface.collect()
}

impl Check for Penetration {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let surfaces = surfaces(bench, now);
        let scale = bench.header.com_height / REFERENCE_HEIGHT;
        let held = now
            .contacts
            .iter()
            .filter(|contact| matches!(contact.kind, ContactKind::Grip | ContactKind::Stand));
        let held: Vec<(BodyId, Vector3<f64>)> =
            held.filter_map(|grip| Some((bench.model.body(&grip.body)?, grip.point.into()))).collect();
        let is_first = self.depths.is_empty();
        self.spare.clear();
        for surface in &surfaces {
            for candidate in &self.candidates {
                let depth = if can_touch(&candidate.feature, &surface.shape) {
                    closest_point(&bench.model, candidate, surface, passage.here, 0.0)
                } else {
                    None
                };
                let is_held = |point: &Vector3<f64>| {
                    held.iter()
                        .any(|(body, at)| *body == candidate.body && (at - point).norm() < HELD * scale)
                };
                let depth =
                    depth.filter(|(point, ..)| !is_held(point)).map_or(0.0, |(_, gap, _)| (-gap).max(0.0));
                let what = || format!("{} in {}", candidate.name, surface.name);
                if let Some(before) = self.depths.get(self.spare.len()).filter(|_| self.was_solved) {
                    self.deeper.read(depth - before, now, what);
                }
                if is_first {
                    self.begin = self.begin.max(depth);
                }
                self.deep.read(depth - self.begin, now, what);
                self.spare.push(depth);
            }
        }
        std::mem::swap(&mut self.spare, &mut self.depths);
        // What moves may appear: then lists differ in length. Impacts and frames that gave something up end where they can.
        let is_smooth = !now.gave_something_up() && bench.advance == Advance::Predicted;
        let is_solved = matches!(now.outcome, Outcome::Solved) && now.has_forces() && is_smooth;
        self.was_solved = is_solved
            && passage.next.is_some_and(|next| surfaces.len() == next.surroundings(bench.header).len());
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.deeper, &self.deep]
    }
}
