//! Two-way coupling of characters and the objects that they hold: the forces between them act on both in the
//! same frame.
//!
//! The solver of these forces needs the motion of the held points under them in advance. A system that can be
//! restored is stepped through the frame once under the forces of the previous frame, and once more for a
//! small change of force in each direction. That gives a velocity without forces and a compliance, exact to
//! first order for any method and any number of steps in the frame. If the forces differ and the points move
//! otherwise than predicted, this is repeated about the new forces (Newton's method). If the error grew, it is
//! repeated about forces part of the way to them, for a light taut chain responds quite differently from a slack
//! one; of objects that stick to their support or slide on it, both responses enter a mean. Finally
//! the system is stepped through the frame under exactly the forces of the solution, and the remaining error
//! is reported.

use super::{PartId, PassiveSystem, StepStatus};
use aplomb_body::contact::Party;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use nalgebra::{Matrix3, Vector3};

/// A point of an object that can be held.
#[doc(alias = "grasp point")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Index of the system in the passive world.
    pub system: usize,
    /// Part that can be held.
    pub part: PartId,
    /// Position in the frame of the part, m.
    pub local: Vector3<f64>,
}

/// The character that holds an object or presses on it, with the point that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holder {
    /// Index of the character.
    pub character: usize,
    /// Grip or contact point of the character.
    pub party: Party,
}

/// The point of an object that a character acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grasp {
    /// An attachment of [`PassiveWorld`](super::PassiveWorld), by index.
    Attachment(usize),
    /// A point of one of the object's parts.
    Point {
        /// Index of the object.
        object: usize,
        /// Index among its parts.
        part: usize,
        /// Position at the start of the frame, world, m.
        point: Vector3<f64>,
    },
}

/// A force of a character on an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CouplingForce {
    /// Character that exerts the force.
    pub holder: Holder,
    /// Point of application.
    pub at: Grasp,
    /// Force, world, N; constant over a frame.
    pub force: Vector3<f64>,
}

/// A point that is held in this frame. Under the forces f on all points of its coupling its velocity is v =
/// v_free + G f.
#[doc(alias = "Delassus operator")]
#[doc(alias = "compliance")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldPoint {
    /// Character that holds the point.
    pub holder: Holder,
    /// Force on the point, world, N; constant over the frame. The last known value until the frame is solved.
    pub force: Vector3<f64>,
    /// v_free, the mean velocity over the frame without forces, m/s.
    pub free: Vector3<f64>,
    /// Distance between the predicted and the actual position at the end of the frame, m; set when the frame has
    /// ended.
    pub miss: f64,
    attachment: Attachment,
    /// Position at the start, and predicted position at the end, m.
    start: Vector3<f64>,
    end: Vector3<f64>,
    /// The force about which v_free and G are linearised, N.
    about: Vector3<f64>,
    /// v_free while it is being computed.
    next_free: Vector3<f64>,
}

/// The held points of one system, and their compliance.
#[derive(Clone, Debug, Default)]
pub struct HeldPoints {
    points: Vec<HeldPoint>,
    /// Pushes of events on the system in this frame.
    pushes: Vec<ObjectPush>,
    /// Compliance of n points: the block of G from the force on point j to the velocity of point i, at i n +
    /// j, m/s/N.
    compliance: Vec<Matrix3<f64>>,
    /// The compliance while it is being computed, m/s/N.
    next_compliance: Vec<Matrix3<f64>>,
    relaxation: RelaxationFactor,
    /// The test wrench of the present trial.
    probe: Option<Probe>,
    /// Responses of the points to test wrenches on one part: forces along x, y and z, then torques about
    /// them.
    answers: Vec<[Vector3<f64>; 6]>,
}

/// A small test force along an axis through the origin of a part (m), or a torque about it.
#[derive(Clone, Copy, Debug)]
struct Probe {
    part: PartId,
    /// 0 to 2: force along x, y, z; 3 to 5: torque about them.
    axis: usize,
    /// Size of the force, N; for a torque, of each of two opposite forces at this lever, m.
    size: f64,
    lever: f64,
}

impl Probe {
    fn apply(&self, system: &mut dyn PassiveSystem) {
        let origin = system.part(self.part).position;
        let along = |axis: usize| Vector3::ith(axis % 3, 1.0);
        if self.axis < 3 {
            system.apply_force(self.part, &origin, &(along(self.axis) * self.size));
            return;
        }
        // The cross product of the next axis and the one after it is the axis itself.
        let (arm, force) = (along(self.axis + 1) * (0.5 * self.lever), along(self.axis + 2) * self.size);
        system.apply_force(self.part, &(origin + arm), &force);
        system.apply_force(self.part, &(origin - arm), &-force);
    }
}

/// The share of the way to new forces that one update takes.
#[doc(alias = "line search")]
#[doc(alias = "damped Newton")]
#[derive(Clone, Copy, Debug)]
struct RelaxationFactor {
    /// Prediction error of the last solution, m.
    miss: f64,
    /// Share of the way.
    share: f64,
    /// Number of consecutive solutions with decreasing errors since the share changed.
    falls: u32,
    /// Number of steps that the system makes in this frame.
    steps: f64,
    /// Prediction error of the last solution, m, if it is too large and not yet corrected.
    off: Option<f64>,
}

/// From this number of points on one part on, its responses to forces and torques determine theirs.
const MANY: usize = 3;
/// Size of a test force, relative to the forces on the object and its weight.
const PROBE: f64 = 1e-3;
/// Number of consecutive decreases of the error after which the share of the way is doubled; with fewer, the
/// iteration can oscillate.
const SURE: u32 = 3;
/// Largest number of times that the way to new forces is halved if a system cannot be stepped at its end.
const MOST_HALVINGS: usize = 6;
/// Smallest share with which a new response enters the mean of an object's responses.
const LEAST_SHARE: f64 = 0.125;
/// Largest factor on the number of steps in a frame for held objects.
const FINEST: f64 = 8.0;

impl Default for RelaxationFactor {
    fn default() -> Self {
        RelaxationFactor { miss: f64::INFINITY, share: 1.0, falls: 0, steps: 1.0, off: None }
    }
}

impl RelaxationFactor {
    /// Halves the share if the error (m) grew, and doubles it after several decreases if it `widens`.
    fn follow(&mut self, miss: f64, widens: bool) {
        let falls = miss < self.miss;
        self.falls = if falls { self.falls + 1 } else { 0 };
        self.miss = miss;
        if !falls {
            self.share *= 0.5;
        } else if widens && self.falls >= SURE {
            self.falls = 0;
            self.share = (2.0 * self.share).min(1.0);
        }
    }
}

impl Attachment {
    /// Position, m, and velocity, m/s.
    pub(super) fn place(&self, system: &dyn PassiveSystem) -> (Vector3<f64>, Vector3<f64>) {
        let part = system.part(self.part);
        let lever = part.orientation * self.local;
        (part.position + lever, part.velocity + part.angular_velocity.cross(&lever))
    }
}

impl HeldPoint {
    fn new(attachment: Attachment, load: &CouplingForce) -> Self {
        let zero = Vector3::zeros();
        HeldPoint {
            holder: load.holder,
            force: load.force,
            free: zero,
            miss: 0.0,
            attachment,
            start: zero,
            end: zero,
            about: zero,
            next_free: zero,
        }
    }

    /// Whether its motion decides if the prediction is good: that of an arm only tells how the object turns.
    fn counts(&self) -> bool {
        !matches!(self.holder.party, Party::Arm(..))
    }

    fn position(&self, system: &dyn PassiveSystem) -> Vector3<f64> {
        self.attachment.place(system).0
    }
}

impl HeldPoints {
    /// The held points, in the order of the request.
    pub fn points(&self) -> &[HeldPoint] {
        &self.points
    }

    /// Change of the velocity of point i with the force on point j, m/s/N.
    pub fn compliance(&self, i: usize, j: usize) -> &Matrix3<f64> {
        &self.compliance[i * self.points.len() + j]
    }

    pub(super) fn is_held(&self) -> bool {
        !self.points.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.points.clear();
    }

    pub(super) fn add(&mut self, attachment: Attachment, load: &CouplingForce) {
        self.points.push(HeldPoint::new(attachment, load));
    }

    /// Sets the pushes of events on the system in the next frame.
    pub(super) fn set_pushes(&mut self, pushes: impl Iterator<Item = ObjectPush>) {
        self.pushes.clear();
        self.pushes.extend(pushes);
    }

    /// Parts that a character holds, once for each point.
    pub(super) fn parts_held_by(&self, character: usize) -> impl Iterator<Item = PartId> {
        let points = self.points.iter().filter(move |point| point.holder.character == character);
        points.map(|point| point.attachment.part)
    }

    pub(super) fn set_forces(&mut self, force: impl Fn(&HeldPoint) -> Vector3<f64>) {
        for point in &mut self.points {
            point.force = force(point);
        }
    }

    /// Predicts the motion of the points in a frame of `dt` seconds, in which the system makes at least
    /// `steps` steps. Points of a system whose steps fail are predicted to keep their velocities.
    pub(super) fn predict(&mut self, system: &mut dyn PassiveSystem, dt: f64, steps: f64) {
        let count = self.points.len();
        for matrices in [&mut self.compliance, &mut self.next_compliance] {
            matrices.clear();
            matrices.resize(count * count, Matrix3::zeros());
        }
        let steps = steps_when_held(system, steps);
        self.relaxation = RelaxationFactor { steps, ..RelaxationFactor::default() };
        for point in &mut self.points {
            (point.start, point.free) = point.attachment.place(system);
        }
        save(system);
        self.refine(system, dt, steps);
        self.probe(system, dt, 1.0);
    }

    /// Whether a point is more than `most` (m) from its predicted position at the end of the frame under the
    /// present forces; kept for [`repredict`](Self::repredict).
    pub(super) fn is_mispredicted(&mut self, system: &mut dyn PassiveSystem, dt: f64, most: f64) -> bool {
        let miss = match self.go_through(system, dt) {
            StepStatus::Failed => f64::INFINITY,
            _ => {
                let counting = (0..self.points.len()).filter(|point| self.points[*point].counts());
                counting.map(|point| self.miss(point, system, dt)).fold(0.0, f64::max)
            }
        };
        restore(system);
        self.relaxation.off = (miss > most).then_some(miss);
        miss > most
    }

    /// Repeats the prediction about the present forces, or about forces part of the way to them, if the last
    /// prediction of the points was inaccurate. Without held points the system makes `steps` steps in the
    /// frame.
    pub(super) fn repredict(&mut self, system: &mut dyn PassiveSystem, dt: f64, steps: f64) {
        if let Some(miss) = self.relaxation.off.take() {
            let steps = steps_when_held(system, steps);
            self.follow(system, dt, steps, miss);
        }
    }

    /// Steps the system through a frame of `dt` seconds under the present forces, and records the prediction
    /// error.
    pub(super) fn step(&mut self, system: &mut dyn PassiveSystem, dt: f64) -> StepStatus {
        let status = self.go_through(system, dt);
        for point in 0..self.points.len() {
            self.points[point].miss = self.miss(point, system, dt);
        }
        status
    }

    /// Distance of a point from its predicted position, m.
    fn miss(&self, point: usize, system: &dyn PassiveSystem, dt: f64) -> f64 {
        let answers =
            self.points.iter().enumerate().map(|(by, other)| self.compliance(point, by) * other.force);
        let answers = answers.sum::<Vector3<f64>>();
        let point = &self.points[point];
        (point.position(system) - point.start - dt * (point.free + answers)).norm()
    }

    /// Recomputes v_free and G about the forces, or as far on the way to them as the prediction error (m)
    /// allows.
    fn follow(&mut self, system: &mut dyn PassiveSystem, dt: f64, steps: f64, miss: f64) {
        let mixes = system.holdable().is_some_and(|system| system.responds_in_pieces());
        self.relaxation.follow(miss, !mixes);
        let share = self.relaxation.share;
        if mixes {
            self.refine(system, dt, steps);
            self.probe(system, dt, share.max(LEAST_SHARE));
            return;
        }
        for point in &mut self.points {
            let way = point.force - point.about;
            point.force = point.about + share * way;
        }
        self.refine(system, dt, steps);
        for _ in 0..MOST_HALVINGS {
            if self.probe(system, dt, 1.0) {
                return;
            }
            self.relaxation.share *= 0.5;
            for point in &mut self.points {
                point.force = 0.5 * (point.force + point.about);
            }
        }
    }

    /// Increases the number of steps in the frame to the number that the forces require. Without them it is
    /// `steps`.
    fn refine(&mut self, system: &mut dyn PassiveSystem, dt: f64, steps: f64) {
        let together: Vector3<f64> = self.points.iter().map(|point| point.force).sum();
        let tension = self.points.iter().map(|point| point.force.norm()).fold(together.norm(), f64::max);
        let longest = system.holdable().map_or(f64::INFINITY, |system| system.longest_step(tension));
        let wanted = (dt / longest).ceil();
        self.relaxation.steps = wanted.min(FINEST * steps).max(self.relaxation.steps);
    }

    /// Computes v_free and G about the forces, from the saved state; they enter a mean with the last ones with this
    /// share. False if the step fails; they then stay unchanged.
    fn probe(&mut self, system: &mut dyn PassiveSystem, dt: f64, share: f64) -> bool {
        let is_good = self.try_forces(system, dt);
        restore(system);
        if is_good {
            for point in &mut self.points {
                (point.about, point.free) = (point.force, point.free.lerp(&point.next_free, share));
            }
            for (compliance, next) in self.compliance.iter_mut().zip(&self.next_compliance) {
                *compliance = *compliance * (1.0 - share) + next * share;
            }
        }
        is_good
    }

    fn try_forces(&mut self, system: &mut dyn PassiveSystem, dt: f64) -> bool {
        let count = self.points.len();
        let (mass, _) = system.centre_of_mass(0..system.parts());
        let bearing: f64 = self.points.iter().map(|point| point.force.norm()).sum();
        let size = PROBE * (mass * STANDARD_GRAVITY + bearing);
        let mut status = self.go_through(system, dt);
        for point in &mut self.points {
            point.end = point.position(system);
            point.next_free = (point.end - point.start) / dt;
        }
        for first in 0..count {
            let part = self.points[first].attachment.part;
            let is_first = self.points[..first].iter().all(|point| point.attachment.part != part);
            if is_first && self.is_held_often(part) && status != StepStatus::Failed {
                status = status.max(self.try_wrenches(system, dt, part, size));
            }
        }
        for by in 0..count {
            if self.is_held_often(self.points[by].attachment.part) {
                continue;
            }
            let expected = self.points[by].force;
            for axis in 0..3 {
                if status == StepStatus::Failed {
                    return false;
                }
                restore(system);
                self.points[by].force[axis] += size;
                status = status.max(self.go_through(system, dt));
                self.points[by].force = expected;
                for (index, point) in self.points.iter_mut().enumerate() {
                    let answer = (point.position(system) - point.end) / (dt * size);
                    self.next_compliance[index * count + by].set_column(axis, &answer);
                    point.next_free -= answer * expected[axis];
                }
            }
        }
        status != StepStatus::Failed
    }

    fn is_held_often(&self, part: PartId) -> bool {
        self.points.iter().filter(|point| point.attachment.part == part).count() >= MANY
    }

    /// Responses to forces on all points of one part, from the responses to six wrenches on it. A force f at
    /// r from its origin is the force f and the torque r × f.
    fn try_wrenches(
        &mut self,
        system: &mut dyn PassiveSystem,
        dt: f64,
        part: PartId,
        size: f64,
    ) -> StepStatus {
        let count = self.points.len();
        restore(system);
        let origin = system.part(part).position;
        let on_part = |point: &&HeldPoint| point.attachment.part == part;
        let arms = self.points.iter().filter(on_part).map(|point| (point.start - origin).norm());
        let lever = 2.0 * arms.fold(0.0, f64::max);
        let lever = if lever > 0.0 { lever } else { 1.0 };
        self.answers.clear();
        self.answers.resize(count, [Vector3::zeros(); 6]);
        let mut status = StepStatus::Solved;
        for axis in 0..6 {
            self.probe = Some(Probe { part, axis, size, lever });
            status = status.max(self.go_through(system, dt));
            self.probe = None;
            let unit = dt * size * if axis < 3 { 1.0 } else { lever };
            for (answer, point) in self.answers.iter_mut().zip(&self.points) {
                answer[axis] = (point.position(system) - point.end) / unit;
            }
            restore(system);
            if status == StepStatus::Failed {
                return status;
            }
        }
        for by in 0..count {
            if self.points[by].attachment.part != part {
                continue;
            }
            let (arm, expected) = (self.points[by].start - origin, self.points[by].force);
            for (index, answer) in self.answers.iter().enumerate() {
                let [force, torque] = [&answer[..3], &answer[3..]].map(Matrix3::from_columns);
                let compliance = force + torque * arm.cross_matrix();
                self.next_compliance[index * count + by] = compliance;
                self.points[index].next_free -= compliance * expected;
            }
        }
        status
    }

    /// Steps the system through a frame under the present forces.
    fn go_through(&self, system: &mut dyn PassiveSystem, dt: f64) -> StepStatus {
        let steps = self.relaxation.steps;
        let mut status = StepStatus::Solved;
        for _ in 0..steps as usize {
            for point in &self.points {
                let position = point.position(system);
                system.apply_force(point.attachment.part, &position, &point.force);
                if let Some(system) = system.holdable() {
                    system.touch_part(point.attachment.part);
                }
            }
            self.pushes.iter().for_each(|pushed| pushed.apply(system));
            if let Some(probe) = &self.probe {
                probe.apply(system);
            }
            status = status.max(system.step(dt / steps));
        }
        status
    }
}

fn steps_when_held(system: &mut dyn PassiveSystem, usual: f64) -> f64 {
    system.holdable().map_or(usual, |system| system.steps_when_held(usual))
}

fn save(system: &mut dyn PassiveSystem) {
    if let Some(system) = system.holdable() {
        system.save();
    }
}

fn restore(system: &mut dyn PassiveSystem) {
    if let Some(system) = system.holdable() {
        system.restore();
    }
}

/// A force on a part of a passive object, over a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectPush {
    /// Index of its system.
    pub system: usize,
    /// Part in that system.
    pub part: PartId,
    /// Point of application in the frame of the part, m.
    pub local: Vector3<f64>,
    /// Force, world, N.
    pub force: Vector3<f64>,
}

impl ObjectPush {
    /// Applies the force to its system over the next step.
    pub(super) fn apply(&self, system: &mut dyn PassiveSystem) {
        let at = system.part(self.part);
        system.apply_force(self.part, &(at.position + at.orientation * self.local), &self.force);
    }
}
