//! The constraint set: the active constraints at the present state, on accelerations and on velocities.

use crate::articulated::collision::SolidOwner;
use crate::articulated::lcp::{FrictionSet, Law, Tolerance};
use crate::articulated::{
    Articulated, ArticulatedSettings, ArticulatedWorld, ConstraintJacobian, ConstraintRow, Follower,
    Friction, JointLimit, MotionTarget, SolidContact,
};
use aplomb_body::model::BodyId;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use nalgebra::Vector3;

/// Gaps up to this many tolerances are candidates.
const MARGIN: f64 = 20.0;

/// Share of the tolerance to which forces are solved once a solve is necessary, so that they remain valid for
/// some steps in which slow motion changes little.
const LASTING: f64 = 0.1;

/// Largest acceleration, in units of gravity, that is expected of a gap that is not constrained; a greater
/// one is found by backtracking.
const SUDDEN: f64 = 5.0;

/// Overlaps with a kinematic character, which forces do not move, are corrected no faster than in steps of this
/// length, s: parts of a divided frame are shorter.
const SHORTEST_RECOVERY: f64 = 2e-3;

/// Largest force of a kinematic limb that holds an object off, in units of the weight of what the force would move.
const HARDEST: f64 = 5.0;

impl ArticulatedWorld {
    pub(super) fn margin(&self) -> f64 {
        MARGIN * self.settings.tolerance
    }

    /// Solves for the forces of a step of `h`, and with them the accelerations. `full` is the usual length of
    /// a step.
    pub(super) fn constrain(&mut self, h: f64, full: f64) {
        self.constraints.clear();
        self.systems.iter_mut().for_each(|system| system.held = system.pushed);
        self.hold_motions();
        self.hold_loops();
        self.hold_couplings();
        self.hold_dry_friction(h);
        self.hold_limits(h, full);
        self.hold_contacts(h, full);
        let ArticulatedWorld { constraints, systems, gravity, settings, .. } = self;
        // A residual counts by the velocity that it causes: as an acceleration over a step of usual length.
        let share = (h / full).min(1.0);
        let content = settings.stop.residual / share;
        let stop = Tolerance { residual: LASTING * content, ..settings.stop };
        let effort = constraints.accelerate(systems, gravity, h, &stop, content);
        self.report.iterations += effort.iterations;
        self.report.residual = self.report.residual.max(effort.residual * share);
        self.report.constraints = self.constraints.len();
        self.read_forces(h >= super::step::TYPICAL * full);
    }

    /// Applies impulses where objects collide. All constraints take part.
    pub(super) fn strike(&mut self) {
        self.constraints.clear();
        self.strike_motions();
        self.strike_loops();
        self.strike_couplings();
        self.strike_limits();
        self.strike_contacts();
        let effort = self.constraints.strike(&mut self.systems, &self.settings.impact_stop);
        self.report.impacts += 1;
        self.report.first_impact = self.report.first_impact.or(Some(self.time));
        self.report.last_impact = Some(self.time);
        self.report.iterations += effort.iterations;
        self.report.impact_residual = self.report.impact_residual.max(effort.residual);
        self.read_impulses();
    }

    fn hold_motions(&mut self) {
        let ArticulatedWorld { motions, courses, systems, constraints, time, .. } = self;
        for (motion, course) in courses {
            let motion = &mut motions[*motion];
            [motion.position, motion.velocity, motion.acceleration] = course.at(*time);
        }
        for motion in motions {
            let system = &systems[motion.system];
            let law = match motion.strength {
                strength if strength.is_finite() => Law::Between { lower: -strength, upper: strength },
                _ => Law::Bilateral,
            };
            let (rows, wanted) = follow(motion, system);
            let mut guesses = motion.force.iter();
            motion.row = Some(constraints.len());
            for (row, wanted) in rows.into_iter().zip(wanted.iter()) {
                let Some(row) = row else { break };
                constraints.push(row, law, *wanted, guesses.next().copied().unwrap_or(0.0));
            }
        }
    }

    fn hold_limits(&mut self, h: f64, full: f64) {
        let ArticulatedWorld { limits, systems, constraints, settings, .. } = self;
        for limit in limits {
            limit.row = None;
            if limit.gap > MARGIN * settings.limit_tolerance {
                continue;
            }
            let row = limit.row(&systems[limit.system]);
            let rate = row.velocity(systems);
            if rests(settings, limit.gap / settings.limit_tolerance, rate, settings.limit_restitution) {
                systems[limit.system].held = true;
                let wanted =
                    (closing_speed(settings, limit.gap, settings.limit_tolerance, h, full) - rate) / h;
                limit.row = Some(constraints.push(row, Law::Unilateral, wanted, limit.guess));
            }
        }
    }

    fn hold_contacts(&mut self, h: f64, full: f64) {
        let mut contacts = std::mem::take(&mut self.contacts);
        let reach = SUDDEN * self.gravity.norm() * h;
        for character in self.characters.iter().filter(|character| !character.is_dynamic) {
            if contacts.iter().any(|contact| kinematic(contact).is_some_and(|(of, _)| of == character.system))
            {
                self.systems[character.system].prepare(0.0);
            }
        }
        for contact in &mut contacts {
            contact.row = None;
            let slip = self.approach(contact);
            let speed = contact.touch.normal.dot(&slip);
            let gap = contact.touch.gap / self.settings.tolerance;
            let may_close = contact.touch.gap <= self.settings.tolerance + h * (reach - speed).max(reach);
            if !may_close || !rests(&self.settings, gap, speed, contact.restitution) {
                continue;
            }
            let slip = slip - contact.touch.normal * speed;
            contact.choose_tangent(self.settings.friction, &slip);
            let full = if kinematic(contact).is_some() { full.max(SHORTEST_RECOVERY) } else { full };
            let closing = closing_speed(&self.settings, contact.touch.gap, self.settings.tolerance, h, full);
            let wanted = (closing - speed) / h;
            let slips = contact.tangents.map(|tangent| -tangent.dot(&slip) / h);
            let guess = contact.guess;
            let law = self.normal_law(contact);
            self.push_contact(contact, SolidOwner::free_body, (law, wanted), slips, guess);
        }
        self.contacts = contacts;
    }

    /// Law of the normal force of a contact that is held. A kinematic character has a prescribed velocity, so that an
    /// object between it and something else that cannot move would get any force. No limb presses harder than as much
    /// as it moves weighs, times [`HARDEST`]. The character's factors must be up to date.
    fn normal_law(&mut self, contact: &SolidContact) -> Law {
        let Some((system, body)) = kinematic(contact) else { return Law::Unilateral };
        let SolidContact { touch, .. } = contact;
        let mass = self.systems[system].effective_mass(body, &touch.point, &touch.normal, &mut self.path);
        Law::Between { lower: 0.0, upper: HARDEST * STANDARD_GRAVITY * mass }
    }

    fn strike_motions(&mut self) {
        let ArticulatedWorld { motions, systems, constraints, .. } = self;
        for motion in motions {
            motion.row = None;
            // An actuator of limited strength has no impulse.
            if motion.strength.is_finite() {
                continue;
            }
            let (rows, _) = follow(motion, &systems[motion.system]);
            for row in rows.into_iter().flatten() {
                constraints.push(row, Law::Bilateral, 0.0, 0.0);
            }
        }
    }

    fn strike_limits(&mut self) {
        let ArticulatedWorld { limits, systems, constraints, settings, .. } = self;
        for limit in limits {
            limit.row = None;
            if limit.gap <= settings.limit_tolerance {
                let row = limit.row(&systems[limit.system]);
                let rate = row.velocity(systems);
                let after = rebound(settings, rate, settings.limit_restitution);
                limit.row = Some(constraints.push(row, Law::Unilateral, after - rate, 0.0));
            }
        }
    }

    fn strike_contacts(&mut self) {
        let mut contacts = std::mem::take(&mut self.contacts);
        for contact in &mut contacts {
            contact.row = None;
            if contact.touch.gap > self.settings.tolerance {
                continue;
            }
            let slip = self.approach(contact);
            let speed = contact.touch.normal.dot(&slip);
            let slip = slip - contact.touch.normal * speed;
            contact.choose_tangent(self.settings.friction, &slip);
            let after = rebound(&self.settings, speed, contact.restitution);
            let slips = contact.tangents.map(|tangent| -tangent.dot(&slip));
            self.push_contact(contact, SolidOwner::body, (Law::Unilateral, after - speed), slips, [0.0; 3]);
        }
        self.contacts = contacts;
    }

    /// Whether a contact closes faster than the resting speed.
    fn arrives(&self, contact: &SolidContact) -> bool {
        contact.touch.gap <= self.settings.tolerance
            && contact.touch.normal.dot(&self.approach(contact)) < -self.settings.resting_speed
    }

    /// Whether a kinematic character moves against an object that it touches. Its velocity is prescribed anew for
    /// each step, so that it can hit an object again that moved with it after an impact. A constraint would treat the
    /// character as immovable: its reaction would throw off a light limb faster than the object moves.
    pub(super) fn character_arrives(&self) -> bool {
        self.contacts.iter().any(|contact| kinematic(contact).is_some() && self.arrives(contact))
    }

    /// Whether any contact closes faster than the resting speed.
    pub(super) fn something_arrives(&self) -> bool {
        let settings = &self.settings;
        self.contacts.iter().any(|contact| self.arrives(contact))
            || self.limits.iter().filter(|limit| limit.gap <= settings.limit_tolerance).any(|limit| {
                limit.row(&self.systems[limit.system]).velocity(&self.systems) < -settings.resting_speed
            })
    }

    /// Velocity of the first owner's point relative to the second's, m/s.
    pub(super) fn approach(&self, contact: &SolidContact) -> Vector3<f64> {
        let [first, second] = contact.owners;
        self.velocity_at(&first, &contact.touch.point) - self.velocity_at(&second, &contact.touch.point)
    }

    /// Adds the rows of a contact; `moved`: which owners its force moves; `normal`: law and desired value of its
    /// normal.
    fn push_contact(
        &mut self,
        contact: &mut SolidContact,
        moved: impl Fn(&SolidOwner) -> Option<(usize, BodyId)>,
        normal: (Law, f64),
        slips: [f64; 2],
        guess: [f64; 3],
    ) {
        let point = contact.touch.point;
        let bodies = contact.owners.map(|owner| moved(&owner));
        let pull = |direction| {
            move |(system, body): (usize, BodyId)| {
                (system, ConstraintJacobian::Point { body, point, direction })
            }
        };
        let row =
            |direction: Vector3<f64>| ConstraintRow { pulls: bodies.map(|body| body.map(pull(direction))) };
        let at = self.constraints.push(row(contact.touch.normal), normal.0, normal.1, guess[0]);
        contact.row = Some(at);
        let coefficient = contact.friction;
        if coefficient == 0.0 {
            return;
        }
        let along = |both_ways| Law::Tangent { normal: at, coefficient, both_ways };
        let pair = |set| Law::TangentPair { normal: at, coefficient, set };
        let laws = match self.settings.friction {
            Friction::Cone => [Some(pair(FrictionSet::Disc)), Some(Law::SecondTangent)],
            Friction::SixConditions => [Some(pair(FrictionSet::Diamond)), Some(Law::SecondTangent)],
            Friction::Pyramid => [Some(along(true)), Some(along(true))],
            Friction::OneTangent { .. } => [Some(along(false)), None],
        };
        for (k, law) in laws.into_iter().enumerate() {
            let Some(law) = law else { break };
            self.constraints.push(row(contact.tangents[k]), law, slips[k], guess[1 + k]);
        }
    }

    /// Forces of the contact in the constraint set: normal, then its tangents.
    fn components(&self, contact: &SolidContact) -> [f64; 3] {
        let Some(at) = contact.row else { return [0.0; 3] };
        let tangents = match (contact.friction == 0.0, self.settings.friction) {
            (true, _) => 0,
            (false, Friction::OneTangent { .. }) => 1,
            _ => 2,
        };
        let mut components = [0.0; 3];
        components[..=tangents].copy_from_slice(&self.constraints.forces()[at..=at + tangents]);
        components
    }

    fn read_forces(&mut self, typical: bool) {
        self.systems.iter_mut().for_each(|system| system.held = system.pushed);
        for motion in &mut self.motions {
            let Some(at) = motion.row else { continue };
            let count = match motion.follower {
                Follower::Joint { .. } => 1,
                Follower::Point { .. } => 3,
            };
            motion.force = Vector3::zeros();
            motion.force.as_mut_slice()[..count].copy_from_slice(&self.constraints.forces()[at..at + count]);
        }
        self.read_loops();
        self.read_couplings();
        self.read_dry_friction();
        for limit in &mut self.limits {
            limit.force = limit.row.map_or(0.0, |at| self.constraints.forces()[at]);
            if limit.force > 0.0 {
                self.systems[limit.system].held = true;
            }
            if typical {
                limit.guess = limit.force;
            }
        }
        for index in 0..self.contacts.len() {
            let components = self.components(&self.contacts[index]);
            let contact = &mut self.contacts[index];
            contact.components = components;
            if typical {
                contact.guess = components;
            }
            if components[0] > 0.0 {
                for (system, _) in contact.owners.iter().filter_map(SolidOwner::free_body) {
                    self.systems[system].held = true;
                }
            }
        }
    }

    fn read_impulses(&mut self) {
        for limit in &mut self.limits {
            limit.impulse += limit.row.map_or(0.0, |at| self.constraints.forces()[at]);
        }
        for index in 0..self.contacts.len() {
            let [normal, first, second] = self.components(&self.contacts[index]);
            let contact = &mut self.contacts[index];
            let [t1, t2] = contact.tangents;
            let impulse = contact.touch.normal * normal + t1 * first + t2 * second;
            contact.impulse += impulse;
            let contact = *contact;
            self.hand_over(&contact, &impulse);
        }
        let ArticulatedWorld { characters, limits, systems, constraints, .. } = self;
        for character in characters {
            let impulse = |limit: &JointLimit| limit.row.map_or(0.0, |at| constraints.forces()[at]);
            character.add_limits(limits, systems, impulse);
        }
    }

    pub(super) fn measure_limits(&mut self) {
        for limit in &mut self.limits {
            let system = &self.systems[limit.system];
            limit.gap = limit.gap_at(&system.model, &system.state.q);
        }
    }
}

/// System and body of the kinematic character that is one of the two owners.
fn kinematic(contact: &SolidContact) -> Option<(usize, BodyId)> {
    contact.owners.iter().find_map(SolidOwner::kinematic)
}

/// Whether a contact with a gap of this many tolerances is constrained over the next step. A fast one is
/// handled as an impact; one that bounces is not constrained, at any height.
fn rests(settings: &ArticulatedSettings, gap: f64, speed: f64, restitution: f64) -> bool {
    match restitution > 0.0 {
        true => gap <= 1.0 && speed <= settings.resting_speed,
        false => gap <= 1.0 || speed > -settings.resting_speed,
    }
}

/// Rate of a gap at the end of a step. A gap may close to the tolerance within the step; below the tolerance
/// it closes as slowly as an overlap is corrected. One slope on both sides keeps the corners of a body that
/// rests on a plane in one plane, so that their constraints do not contradict each other.
fn closing_speed(settings: &ArticulatedSettings, gap: f64, tolerance: f64, h: f64, full: f64) -> f64 {
    let beyond = (gap - tolerance).max(0.0);
    (-settings.recovery * (gap - beyond) / full).min(settings.recovery_speed) - beyond / h
}

/// Velocity after an impact, by Newton's law of restitution.
fn rebound(settings: &ArticulatedSettings, speed: f64, restitution: f64) -> f64 {
    if speed < -settings.resting_speed { -restitution * speed } else { 0.0 }
}

/// The constraints of a motion, and the desired values of their J q̈.
fn follow(motion: &MotionTarget, system: &Articulated) -> ([Option<ConstraintRow>; 3], Vector3<f64>) {
    match motion.follower {
        Follower::Joint { coordinate, q_index } => {
            let (error, rate) =
                (motion.position.x - system.state.q[q_index], motion.velocity.x - system.state.v[coordinate]);
            let wanted = motion.acceleration.x + motion.gains.acceleration(error, rate);
            let row =
                ConstraintRow::on(motion.system, ConstraintJacobian::coordinate(&system.model, coordinate));
            ([Some(row), None, None], Vector3::new(wanted, 0.0, 0.0))
        }
        Follower::Point { body, local } => {
            let point = system.kinematics.point(body, &local);
            let velocity = system.kinematics.point_velocity(body, &point);
            let (error, rate) = (motion.position - point, motion.velocity - velocity);
            let wanted = motion.acceleration + error * motion.gains.kp + rate * motion.gains.kd
                - system.kinematics.point_bias_acceleration(body, &point);
            let row = |k: usize| {
                let direction = Vector3::ith(k, 1.0);
                Some(ConstraintRow::on(motion.system, ConstraintJacobian::Point { body, point, direction }))
            };
            ([row(0), row(1), row(2)], wanted)
        }
    }
}
