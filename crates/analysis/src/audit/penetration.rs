//! No part of the body penetrates a surface.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::contact::{
    Candidate, Surface, SurfaceShape, can_touch, candidates, closest_point, distance_from_solid,
};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::scales::REFERENCE_HEIGHT;
use aplomb_body::model::{BodyId, Shape};
use aplomb_trace::{Contact, ContactKind, Frame, Outcome};
use aplomb_world::Advance;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

struct Penetration {
    deeper: Gauge,
    deep: Gauge,
    /// Depth of whole shapes where the run began, m.
    begun: Gauge,
    candidates: Vec<Candidate>,
    /// Depths in the previous frame, by surface and candidate, m.
    depths: Vec<f64>,
    spare: Vec<f64>,
    /// Whether the previous frame has a solution without penetration.
    was_solved: bool,
    /// Increase of each depth over such frames since the candidate was last outside, m.
    crept: Vec<f64>,
    poses: Kinematics,
    /// Number of increases in other frames, which are not counted.
    excused: u64,
    most_excused: f64,
}

/// Depth to which a shape may be in a box where the run begins, m: that of soles in a rest pose, and of a hand about a
/// bar.
const BEGUN: f64 = 0.03;

/// Distance from a grip within which its body has no contact, as a share of the body's scale.
const HELD: f64 = 0.05;

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(Penetration {
        deeper: Gauge::new(
            "deeper in a surface than the frame before, beyond the bend of its way",
            "m",
            5e-4,
        ),
        deep: Gauge::new("deeper in a surface since it was out, beyond the bends of its way", "m", 0.01),
        begun: Gauge::new("a limb inside of a box where the run began", "m", BEGUN),
        candidates: candidates(&bench.model),
        depths: Vec::new(),
        spare: Vec::new(),
        was_solved: false,
        crept: Vec::new(),
        poses: Kinematics::new(&bench.model),
        excused: 0,
        most_excused: 0.0,
    })
}

/// The world of a frame as surfaces.
pub(super) fn surfaces(bench: &Bench<'_>, frame: &Frame) -> Vec<Surface> {
    let here = frame.surroundings(bench.header);
    let surface = here.iter().map(|obstacle| {
        let [w, x, y, z] = obstacle.orientation;
        let shape = match obstacle.shape() {
            Shape::Field(field) => SurfaceShape::Field(field),
            shape => SurfaceShape::of(&shape).unwrap_or(SurfaceShape::HalfSpace),
        };
        let turn = Quaternion::new(w, x, y, z);
        // Vectors of unit length are not normalised again: that would change their last digit.
        let turn = if (turn.norm() - 1.0).abs() < 1e-12 {
            UnitQuaternion::new_unchecked(turn)
        } else {
            UnitQuaternion::new_normalize(turn)
        };
        Surface::new(&obstacle.name, shape, obstacle.position.into(), turn, obstacle.friction)
    });
    surface.collect()
}

/// Tolerance for a point of a body that ends at `point` in a frame: a tenth of its displacement, and the
/// curvature of its path while the body rotates, which the frame's rows compute from the previous velocity,
/// m.
fn allowance(point: &Vector3<f64>, body: BodyId, from: &Kinematics, to: &Kinematics) -> f64 {
    let local = to.rotation[body.0].tr_mul(&(point - to.position[body.0]));
    let way = (point - from.point(body, &local)).norm();
    let turn = to.rotation[body.0] * from.rotation[body.0].transpose();
    let angle = (0.5 * (turn.trace() - 1.0)).clamp(-1.0, 1.0).acos();
    0.1 * way + 0.5 * angle * angle * local.norm()
}

/// The bodies that grips hold in a frame, and where, m.
fn held_points(bench: &Bench<'_>, frame: &Frame) -> Vec<(BodyId, Vector3<f64>)> {
    let is_grip = |contact: &&Contact| matches!(contact.kind, ContactKind::Grip | ContactKind::Stand);
    let grips = frame.contacts.iter().filter(is_grip);
    grips.filter_map(|grip| Some((bench.model.body(&grip.body)?, grip.point.into()))).collect()
}

/// The point of a candidate that is closest to a surface, or deepest in it, and its depth, m; `None` near a
/// grip of its body, and where the two cannot touch.
fn closest(
    passage: &Passage<'_>,
    candidate: &Candidate,
    surface: &Surface,
    held: &[(BodyId, Vector3<f64>)],
) -> Option<(Vector3<f64>, f64)> {
    let bench = passage.bench;
    if !can_touch(&candidate.feature, &surface.shape) {
        return None;
    }
    let (point, gap, _) = closest_point(&bench.model, candidate, surface, passage.here, 0.0)?;
    let near = HELD * (bench.header.com_height / REFERENCE_HEIGHT);
    let is_held = held.iter().any(|(part, at)| *part == candidate.body && (at - point).norm() < near);
    (!is_held).then_some((point, (-gap).max(0.0)))
}

impl Penetration {
    /// Later frames can only tell what goes deeper.
    fn look_at_the_beginning(
        &mut self,
        passage: &Passage<'_>,
        surfaces: &[Surface],
        held: &[(BodyId, Vector3<f64>)],
    ) {
        let model = &passage.bench.model;
        for geom in model.geoms.iter().filter(|geom| geom.collides) {
            let Some(body) = geom.body.filter(|body| held.iter().all(|(part, _)| part != body)) else {
                continue;
            };
            for surface in surfaces {
                let gap = distance_from_solid(geom, passage.here, surface, &Vector3::zeros());
                let what = || format!("{} in {}", model.bodies[body.0].name, surface.name);
                self.begun.read(-gap.unwrap_or(0.0).min(0.0), passage.now, what);
            }
        }
    }
}

impl AuditCheck for Penetration {
    fn look(&mut self, passage: &Passage<'_>) {
        let (bench, now) = (passage.bench, passage.now);
        let surfaces = surfaces(bench, now);
        let held = held_points(bench, now);
        if self.depths.is_empty() {
            self.look_at_the_beginning(passage, &surfaces, &held);
        }
        self.spare.clear();
        for surface in &surfaces {
            for candidate in &self.candidates {
                let closest = closest(passage, candidate, surface, &held);
                let depth = closest.map_or(0.0, |(_, depth)| depth);
                let pair = self.spare.len();
                self.spare.push(depth);
                let Some(before) = self.depths.get(pair).copied() else { continue };
                if depth == 0.0 {
                    self.crept[pair] = 0.0;
                }
                let deeper = depth - before;
                let what = || format!("{} in {}", candidate.name, surface.name);
                if !self.was_solved {
                    self.excused += u64::from(deeper > 5e-4);
                    self.most_excused = self.most_excused.max(deeper);
                    continue;
                }
                let allowance = closest
                    .map_or(0.0, |(point, _)| allowance(&point, candidate.body, &self.poses, passage.here));
                let crept = &mut self.crept[pair];
                let deeper = (deeper - allowance).max(0.0);
                *crept += deeper;
                self.deeper.read(deeper, now, what);
                self.deep.read(*crept, now, what);
            }
        }
        self.poses.copy_poses_from(passage.here);
        self.crept.resize(self.spare.len(), 0.0);
        std::mem::swap(&mut self.spare, &mut self.depths);
        // Moving objects may appear: then lists differ in length. Impacts and frames with unresolved checks
        // are exempt.
        let is_smooth = !now.gave_something_up() && bench.advance == Advance::Predicted;
        let is_solved = matches!(now.outcome, Outcome::Solved) && now.has_forces() && is_smooth;
        self.was_solved = is_solved
            && passage.next.is_some_and(|next| surfaces.len() == next.surroundings(bench.header).len());
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.deeper, &self.deep, &self.begun]
    }

    fn unseen(&self) -> Vec<String> {
        let (excused, most) = (self.excused, 1e3 * self.most_excused);
        let said = format!(
            "{excused} times that a point went deeper, by {most:.1} mm at most, in frames that are \
             impacts, gave way, failed, were a ragdoll or were simulated"
        );
        (excused > 0).then_some(said).into_iter().collect()
    }
}
