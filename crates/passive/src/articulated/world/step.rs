//! One step with backtracking ([Kokkevis 2004] §7).

use crate::StepStatus;
use crate::articulated::collision::{CollisionSolid, SolidOwner};
use crate::articulated::{Articulated, ArticulatedWorld, Backtracking, Report, SolidContact};
use aplomb_math::spatial::Force;
use nalgebra::Vector3;

/// Smallest share of its length to which a step is shortened at once.
const LEAST_SHARE: f64 = 0.05;

/// Share of a full step from which on its forces are a guess for the next.
pub(super) const TYPICAL: f64 = 0.25;

/// Largest number of substeps for fast flight.
const MOST_FLIGHTS: f64 = 512.0;
/// Smallest half-thickness that is assumed, m: contact points may have no extent at all.
const THINNEST: f64 = 1e-3;

/// Largest rotation of a joint in a substep, rad. The bias force is that of the substep's start or, in flight, of its
/// middle, so that momentum and energy are kept to first or second order in the rotation; near gimbal lock of hinges
/// even slow bodies have fast joints.
const MOST_TURN: f64 = 0.05;

/// Share of that rotation for which a substep is shortened, so that one shortening suffices.
const ROOM: f64 = 0.9;

/// Largest number of impacts in one step; later arrivals are stopped like slow ones.
const MOST_IMPACTS: usize = 64;

/// A collision within an attempted step.
#[derive(Clone, Copy)]
struct Obstruction {
    /// Share of the attempt after which the first gap closes.
    share: f64,
}

impl ArticulatedWorld {
    /// Advances by `dt` seconds. Each substep solves for the constraint forces, attempts the remaining time, is
    /// shortened until it contains no new collision, and ends with an impact if objects collide. It begins with an
    /// impact if a kinematic character moves against an object that it touches.
    pub(super) fn advance(&mut self, dt: f64) -> StepStatus {
        self.begin_step();
        if self.character_arrives() {
            self.strike();
        }
        let full = (dt / self.settings.substeps.max(1) as f64).min(self.longest_flight(dt));
        let shortest = full * 0.5f64.powi(self.settings.halvings as i32);
        let mut left = dt;
        while left > 1e-9 * dt {
            // No remainder that is too short to matter is left over.
            let planned = if left < 1.000_001 * full { left } else { full };
            self.carry_surfaces(self.time, planned);
            self.constrain(planned, full);
            let Some(taken) = self.attempt(planned, full, shortest) else {
                self.refresh();
                self.forget_forces();
                return StepStatus::Failed;
            };
            self.accept(taken);
            if self.report.impacts < MOST_IMPACTS && self.something_arrives() {
                self.strike();
            }
            left -= taken;
            self.report.substeps += 1;
        }
        self.forget_forces();
        self.report.overlap =
            self.contacts.iter().fold(0.0, |worst, c: &SolidContact| worst.max(-c.touch.gap));
        let solved = self.report.residual <= self.settings.stop.residual
            && self.report.impact_residual <= self.settings.impact_stop.residual;
        if solved { StepStatus::Solved } else { StepStatus::Approximate }
    }

    /// The longest step in which the root of no object moves farther than half its thickness: in a longer step an
    /// object could begin in front of a limb or a board and end behind it.
    fn longest_flight(&self, dt: f64) -> f64 {
        let flight = |solid: &CollisionSolid| {
            let SolidOwner::Body { system, parent: None, .. } = solid.owner else { return None };
            let is_object = !self.characters.iter().any(|character| character.system == system);
            let way = dt * self.velocity_at(&solid.owner, &solid.position).norm();
            let half = solid.half_thickness.max(THINNEST);
            (is_object && way > half).then(|| dt * half / way)
        };
        let solids = self.collision.solids.iter().filter(|solid| solid.present);
        solids.filter_map(flight).fold(dt, f64::min).max(dt / MOST_FLIGHTS)
    }

    /// Advances as far as possible without a collision or a large rotation, up to `planned` seconds. Returns the time
    /// taken, or `None` if the motion diverged (NaN or infinite).
    fn attempt(&mut self, planned: f64, full: f64, shortest: f64) -> Option<f64> {
        let mut h = planned;
        self.look_ahead_at_momenta();
        loop {
            self.systems.iter_mut().for_each(|system| system.attempt(h));
            if !self.systems.iter().all(Articulated::is_finite) {
                return None;
            }
            let turn = self.systems.iter().filter_map(Articulated::largest_turn).fold(0.0, f64::max);
            if turn > MOST_TURN && h > shortest {
                h = (h * ROOM * MOST_TURN / turn).max(shortest);
                continue;
            }
            if turn > MOST_TURN && self.calm() {
                h = planned;
                self.constrain(h, full);
                self.look_ahead_at_momenta();
                continue;
            }
            self.place_solids();
            self.carry_surfaces(self.time + h, h);
            self.collision.update(self.margin(), self.settings.self_contact);
            match self.obstruction(h) {
                Some(obstruction) if h > shortest => {
                    self.report.backtracks += 1;
                    let share = match self.settings.backtracking {
                        Backtracking::Halving => 0.5,
                        Backtracking::Predicted => obstruction.share.clamp(LEAST_SHARE, 0.95),
                    };
                    h = (h * share).max(shortest);
                }
                _ => return Some(h),
            }
        }
    }

    fn look_ahead_at_momenta(&mut self) {
        let gravity = self.gravity;
        self.systems.iter_mut().for_each(|system| system.look_ahead_at_momentum(&gravity));
    }

    /// Calms the systems in which a joint turns too far even in the shortest substep, each at most once a substep, and
    /// returns all to their present state. Returns whether there are such systems.
    fn calm(&mut self) -> bool {
        let mut is_any = false;
        for system in self.systems.iter_mut().filter(|system| !system.is_calmed) {
            if system.largest_turn().is_some_and(|turn| turn > MOST_TURN) {
                system.calm();
                is_any = true;
            }
        }
        if is_any {
            self.systems.iter_mut().for_each(Articulated::withdraw);
        }
        is_any
    }

    /// Whether the attempted state overlaps where no contact was constrained at the beginning.
    fn obstruction(&self, h: f64) -> Option<Obstruction> {
        let mut share: Option<f64> = None;
        let mut closing = |before: f64, after: f64| {
            let part = (before / (before - after)).clamp(0.0, 1.0);
            share = Some(share.map_or(part, |least| least.min(part)));
        };
        for touch in self.collision.touches().iter().filter(|t| t.gap < -self.settings.tolerance) {
            let before = self.contact_before(&touch.key);
            if before.is_some_and(|contact| contact.row.is_some()) {
                continue;
            }
            let before = before.map_or_else(
                || {
                    let [a, b, _] = touch.key;
                    let owners = [a, b].map(|solid| self.collision.solid(solid).owner);
                    let [of_a, of_b] = owners.map(|owner| self.velocity_at(&owner, &touch.point));
                    touch.gap - h * touch.normal.dot(&(of_a - of_b))
                },
                |contact| contact.touch.gap,
            );
            if before > -self.settings.tolerance {
                closing(before.max(0.0), touch.gap);
            }
        }
        for limit in self.limits.iter().filter(|limit| limit.row.is_none()) {
            let system = &self.systems[limit.system];
            let after = limit.gap_at(&system.model, &system.next.q);
            if after < -self.settings.limit_tolerance && limit.gap > -self.settings.limit_tolerance {
                closing(limit.gap.max(0.0), after);
            }
        }
        share.map(|share| Obstruction { share })
    }

    fn accept(&mut self, taken: f64) {
        self.hand_out_impulses(taken);
        for system in &mut self.systems {
            system.accept(taken);
        }
        self.time += taken;
        self.renew_contacts();
        self.measure_limits();
    }

    /// Adds up the impulses of contacts and joint limits over the step.
    fn hand_out_impulses(&mut self, taken: f64) {
        for index in 0..self.contacts.len() {
            let contact = &mut self.contacts[index];
            if contact.row.is_some() {
                let impulse = contact.force() * taken;
                contact.impulse += impulse;
                let contact = *contact;
                self.hand_over(&contact, &impulse);
            }
        }
        for character in &mut self.characters {
            character.add_limits(&self.limits, &self.systems, |limit| limit.force * taken);
        }
    }

    fn begin_step(&mut self) {
        self.report = Report::default();
        for surface in &mut self.surfaces {
            surface.received = Force::default();
        }
        for contact in &mut self.contacts {
            contact.impulse = Vector3::zeros();
        }
        for limit in &mut self.limits {
            limit.impulse = 0.0;
        }
    }

    fn forget_forces(&mut self) {
        for system in &mut self.systems {
            system.external.fill(Force::default());
            system.pushed = false;
        }
    }
}
