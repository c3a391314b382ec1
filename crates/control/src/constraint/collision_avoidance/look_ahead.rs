//! Distances of parts of a body at the end of a frame. Rows predict them from rates alone, but paths are curved, and
//! a part that receives an impact may collide with one that it was not near.

use super::{BoundCollisionAvoidance, CollisionAvoidances, Damper, NearPair};
use crate::objective::Now;
use crate::predict::{Prediction, SelfContactColumn};
use aplomb_body::contact::{ShapePair, nearest};
use aplomb_body::dynamics::Kinematics;
use aplomb_math::geometry::Nearest;

/// Distance below that allowed by their rows that two parts may accumulate over many frames, m.
const TOO_NEAR: f64 = 1e-3;
/// Largest second-order term of a row, m: for parts farther from their predicted position, the normal is not
/// that of the row.
const MOST_BENT: f64 = 0.1;

/// A solution of a frame and the poses that it leads to.
#[derive(Clone, Copy)]
pub(super) struct FrameEnd<'a> {
    pub now: &'a Now<'a>,
    pub next: &'a Prediction<'a>,
    /// The unknowns.
    pub x: &'a [f64],
    /// Poses at the end of the frame.
    pub ahead: &'a Kinematics,
}

impl CollisionAvoidances {
    /// Corrects the rows of the next solve by the final poses of this one, and adds rows for pairs that touched
    /// unexpectedly. Returns whether there is anything to correct.
    pub(super) fn find_strays(&mut self, end: FrameEnd<'_>) -> bool {
        let FrameEnd { now, ahead, .. } = end;
        self.balls.measure_strays(now.model, &now.snapshot.kinematics, ahead, now.scales.dt);
        let mut strays = false;
        self.gives_way = false;
        for kept in &mut self.sets {
            let Some(damper) = kept.damper else { continue };
            strays |= kept.bend(damper, end, &mut self.gives_way);
            for index in 0..kept.pairs.len() {
                let shapes = &kept.pairs[index].shapes;
                if self.balls.may_have_met(now.model, shapes, ahead, now.scales.dt) {
                    strays |= kept.add_met(index, damper, end);
                }
            }
        }
        self.gives_way |= strays;
        strays
    }

    /// Reports pairs that end the frame in penetration without a force between them yet, and those that the force
    /// between them separates.
    pub(super) fn find_pressed(&self, end: FrameEnd<'_>, report: &mut dyn FnMut(SelfContactColumn)) {
        if !self.gives_way {
            return;
        }
        let FrameEnd { now, next, x, ahead } = end;
        let holding = self.sets.iter().filter_map(|kept| Some((kept, kept.damper?)));
        for (kept, damper) in holding {
            for near in &kept.near {
                let pair = &kept.pairs[near.index];
                let ShapePair { geoms, bodies, .. } = pair.shapes;
                let touching = pair.touching();
                let left = near.left_short(touching, damper.response, now.scales.dt);
                let too_near = damper.too_near(now.scales.dt);
                let reach = touching - left - too_near;
                let predicted = kept.distance_at_end(near, now, next, x);
                let Nearest { points, normal, .. } = near.at;
                let mut parts = SelfContactColumn { geoms, bodies, points, normal, together: false };
                match next.self_contact_of(geoms) {
                    None => {
                        let is_in = || {
                            nearest(now.model, ahead, geoms, reach).is_some_and(|end| end.distance < reach)
                        };
                        if predicted < reach && is_in() {
                            report(parts);
                        }
                    }
                    Some((unknown, false)) if x[unknown] > 0.0 && predicted > touching + too_near => {
                        parts.together = true;
                        report(parts);
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

impl NearPair {
    /// Sets the second-order term to the one that the last solve would have needed, m; from the second time on half
    /// way, because a row that changes the motion also changes the curvature of the path.
    fn turn_to(&mut self, needed: f64) {
        let share = if self.was_bent { 0.5 } else { 1.0 };
        self.bend += share * (needed - self.bend);
        self.was_bent = true;
    }
}

impl Damper {
    /// Distance below that allowed by their row at which two parts may end a frame, m: the row corrects the share
    /// dt/response of the error of earlier frames.
    fn too_near(&self, dt: f64) -> f64 {
        TOO_NEAR * dt / self.response
    }
}

impl BoundCollisionAvoidance {
    /// Distance of a pair at the end of the frame as its row predicts it, m.
    pub(super) fn distance_at_end(
        &self,
        near: &NearPair,
        now: &Now<'_>,
        next: &Prediction<'_>,
        x: &[f64],
    ) -> f64 {
        let NearPair { index, at, bend, .. } = near;
        let rate = next.separation_rate(self.pairs[*index].shapes.bodies, &at.points, &at.normal);
        at.distance + now.scales.dt * rate.value(0, x) + bend
    }

    /// Corrects the rows of pairs that end nearer than these predict and allow, and of pairs that press on each other
    /// and do not end in contact. Returns whether any second-order term changed; sets `gives_way` if any row is
    /// violated or any two parts press on each other.
    fn bend(&mut self, damper: Damper, end: FrameEnd<'_>, gives_way: &mut bool) -> bool {
        let FrameEnd { now, next, x, ahead } = end;
        let too_near = damper.too_near(now.scales.dt);
        let mut strays = false;
        for k in 0..self.near.len() {
            let near = &self.near[k];
            let pair = &self.pairs[near.index];
            let predicted = self.distance_at_end(near, now, next, x);
            let force = next.self_contact_of(pair.shapes.geoms).map(|(unknown, _)| x[unknown]);
            let is_pressed = force.is_some();
            let presses = force.is_some_and(|force| force > 0.0);
            let clearance = if is_pressed { pair.touching() } else { pair.clearance(damper.clearance) };
            let reach = clearance - near.left_short(clearance, damper.response, now.scales.dt) - too_near;
            *gives_way |= predicted < reach || presses;
            // The row is relaxed: torques do not suffice, and no correction helps.
            if predicted < reach && !presses {
                continue;
            }
            let farthest = if presses { predicted + too_near } else { f64::INFINITY };
            let search = if presses { f64::INFINITY } else { reach };
            let Some(end) = nearest(now.model, ahead, pair.shapes.geoms, search) else { continue };
            let bend = near.bend + end.distance - predicted;
            if (end.distance < reach || end.distance > farthest) && bend.abs() < MOST_BENT {
                self.near[k].turn_to(bend);
                strays = true;
            }
        }
        strays
    }

    /// Adds the row of a pair that has none, if the two end too near.
    fn add_met(&mut self, index: usize, damper: Damper, end: FrameEnd<'_>) -> bool {
        let FrameEnd { now, next, x, ahead } = end;
        let pair = &self.pairs[index];
        let reach = pair.clearance(damper.clearance) - damper.too_near(now.scales.dt);
        if self.near.iter().any(|near| near.index == index) {
            return false;
        }
        let end = nearest(now.model, ahead, pair.shapes.geoms, reach).filter(|end| end.distance < reach);
        let at = nearest(now.model, &now.snapshot.kinematics, pair.shapes.geoms, f64::INFINITY);
        let (Some(end), Some(at)) = (end, at) else { return false };
        let mut near = NearPair { index, at, bend: 0.0, was_bent: false };
        near.bend = end.distance - self.distance_at_end(&near, now, next, x);
        let is_known = near.bend.abs() < MOST_BENT;
        if is_known {
            self.near.push(near);
        }
        is_known
    }
}
