//! Things that characters hold: both are moved by the forces between them, in the same frame.
//!
//! Whoever solves for those forces needs to know beforehand where the held points go under them. A system that can be
//! taken back is stepped through the frame once under the forces of the frame before, and once more for each direction
//! in which one of them may change a little: that gives a velocity without forces and a compliance, exact to first
//! order whatever the method is and however many steps it makes of the frame. Where the forces turn out to be others
//! and lead elsewhere than expected, that is done again about them (Newton's method), or on the way to them where the
//! error grew: a light chain that is drawn taut answers quite otherwise than a slack one. In the end the system goes
//! through the frame for good, under exactly the forces that were found, and what it misses is told.

use super::world::push;
use super::{PartId, PassiveSystem, PassiveWorld, StepStatus};
use crate::model::scales::STANDARD_GRAVITY;
use nalgebra::{Matrix3, Vector3};

/// A point of a thing that can be held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    pub system: usize,
    pub part: PartId,
    /// In the frame of the part, m.
    pub local: Vector3<f64>,
}

/// Who holds on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Holder {
    /// Index of the character.
    pub character: usize,
    /// The point with which it holds, as the character numbers it.
    pub site: usize,
}

/// A force on a thing at one of its handles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CouplingForce {
    pub holder: Holder,
    /// Index among the handles of [`PassiveWorld`].
    pub handle: usize,
    /// World, N; constant over a frame.
    pub force: Vector3<f64>,
}

/// Where loaded handles go in a frame under loads f: v = v_free + G f. In the order of the loads.
#[derive(Clone, Debug, Default)]
pub struct CompliancePrediction {
    /// v_free, mean over the frame, m/s.
    pub free: Vec<Vector3<f64>>,
    /// Of n loads, the block of G by which handle i answers the load on handle j, at i n + j, m/s/N.
    pub compliance: Vec<Matrix3<f64>>,
    /// Where each ended the frame from where that led it, m; known once the frame is over.
    pub misses: Vec<f64>,
    /// Where the handles are at the start, and at the end under the loads that are expected, m.
    starts: Vec<Vector3<f64>>,
    ends: Vec<Vector3<f64>>,
    /// The loads about which it is so, N.
    about: Vec<Vector3<f64>>,
    /// v_free and G as they are being found.
    next_free: Vec<Vector3<f64>>,
    next_compliance: Vec<Matrix3<f64>>,
    /// Of each system.
    paces: Vec<Relaxation>,
}

/// How far a system's loads are followed at once to where a solution had them.
#[derive(Clone, Copy, Debug)]
struct Relaxation {
    /// Of the last solution, m.
    miss: f64,
    /// Part of the way.
    share: f64,
    /// Solutions in a row with smaller misses than those before, since that last changed.
    falls: u32,
    /// That the system makes of this frame.
    steps: f64,
}

/// Change of a load that shows how handles answer, as a part of what the loads come to and the thing weighs.
const PROBE: f64 = 1e-3;
/// Falls of the miss in a row after which the way is taken in longer strides again: earlier, it circles.
const SURE: u32 = 3;
/// Times that the way to new loads is halved where a system cannot be stepped at its end.
const MOST_HALVINGS: usize = 6;
/// Most steps of a frame for the sake of what is held, in those it has without.
const FINEST: f64 = 8.0;

impl Relaxation {
    /// Half as far as before where the miss (m) grew, twice where it fell several times in a row.
    fn follow(&mut self, miss: f64) {
        let falls = miss < self.miss;
        self.falls = if falls { self.falls + 1 } else { 0 };
        self.miss = miss;
        if !falls {
            self.share *= 0.5;
        } else if self.falls >= SURE {
            self.falls = 0;
            self.share = (2.0 * self.share).min(1.0);
        }
    }
}

impl Attachment {
    /// Where it is, m, and its velocity, m/s.
    fn place(&self, system: &dyn PassiveSystem) -> (Vector3<f64>, Vector3<f64>) {
        let part = system.part(self.part);
        let lever = part.orientation * self.local;
        (part.position + lever, part.velocity + part.angular_velocity.cross(&lever))
    }
}

impl PassiveWorld {
    /// Where a handle is, m, and its velocity, m/s.
    pub fn place(&self, handle: usize) -> (Vector3<f64>, Vector3<f64>) {
        let handle = &self.handles[handle];
        handle.place(&*self.systems[handle.system])
    }

    /// Says what is held in the frame to come, and the forces as far as they can be told. What is held waits in
    /// [`step`](Self::step) for [`step_held`](Self::step_held), and does not touch who holds it.
    pub fn hold(&mut self, loads: impl Iterator<Item = CouplingForce>) {
        self.loads.clear();
        self.loads.extend(loads);
        for system in 0..self.systems.len() {
            let PassiveWorld { systems, loads, handles, poses, .. } = self;
            let Some(holdable) = systems[system].holdable() else { continue };
            for character in 0..poses.len() {
                let holds = |load: &CouplingForce| {
                    load.holder.character == character && handles[load.handle].system == system
                };
                holdable.ignore_character(character, loads.iter().any(holds));
            }
        }
    }

    fn save(&mut self, system: usize) {
        if let Some(holdable) = self.systems[system].holdable() {
            holdable.save();
        }
    }

    fn restore(&mut self, system: usize) {
        if let Some(holdable) = self.systems[system].holdable() {
            holdable.restore();
        }
    }

    /// Whether one of the system's things is held.
    pub(super) fn is_held(&self, system: usize) -> bool {
        self.loads.iter().any(|load| self.handles[load.handle].system == system)
    }

    /// Where loaded handles go in the frame, once it was stepped.
    pub fn ahead(&self) -> &CompliancePrediction {
        &self.ahead
    }

    /// What is held, with its forces.
    pub fn loads(&self) -> &[CouplingForce] {
        &self.loads
    }

    /// Finds out where loaded handles go in a frame of `dt` seconds. Those of a system that cannot be stepped so are
    /// taken to go on as they do.
    pub(super) fn predict_compliance(&mut self, dt: f64) {
        let (count, steps) = (self.loads.len(), self.steps(dt));
        let CompliancePrediction {
            free,
            compliance,
            misses,
            starts,
            ends,
            about,
            next_free,
            next_compliance,
            paces,
        } = &mut self.ahead;
        for vectors in [free, starts, ends, about, next_free] {
            vectors.clear();
            vectors.resize(count, Vector3::zeros());
        }
        for matrices in [compliance, next_compliance] {
            matrices.clear();
            matrices.resize(count * count, Matrix3::zeros());
        }
        misses.clear();
        misses.resize(count, 0.0);
        paces.clear();
        let pace = Relaxation { miss: f64::INFINITY, share: 1.0, falls: 0, steps };
        paces.resize(self.systems.len(), pace);
        for load in 0..count {
            let (point, velocity) = self.place(self.loads[load].handle);
            (self.ahead.starts[load], self.ahead.free[load]) = (point, velocity);
        }
        for system in 0..self.systems.len() {
            if self.is_held(system) {
                self.set_poses(system);
                // What it would give to bodies while it is tried out is not known before it is stepped for good.
                if let Some(collider) = self.systems[system].as_collider() {
                    collider.meet(&[], &[]);
                }
                self.save(system);
                self.refine(system, dt);
                self.probe(system, dt);
            }
        }
    }

    /// Whether under the forces (N) that `force` gives for each load a handle ends the frame more than `most` (m) from
    /// where it was expected; then it is found out anew, about these forces or on the way to them, where handles go.
    pub fn repredict_compliance(
        &mut self,
        dt: f64,
        most: f64,
        force: impl Fn(&CouplingForce) -> Vector3<f64>,
    ) -> bool {
        let mut is_off = false;
        for system in 0..self.systems.len() {
            if !self.is_held(system) {
                continue;
            }
            for load in &mut self.loads {
                load.force = force(load);
            }
            let miss = match self.go_through(system, dt) {
                StepStatus::Failed => f64::INFINITY,
                _ => (0..self.loads.len()).map(|load| self.miss(load, system, dt)).fold(0.0, f64::max),
            };
            self.restore(system);
            if miss > most {
                self.follow(system, dt, miss);
                is_off = true;
            }
        }
        is_off
    }

    /// Where a handle of the system is now from where its loads were expected to lead it, m; 0 for those of others.
    fn miss(&self, load: usize, system: usize, dt: f64) -> f64 {
        if !self.is_on(load, system) {
            return 0.0;
        }
        let CompliancePrediction { free, compliance, starts, .. } = &self.ahead;
        let count = self.loads.len();
        let answers = (0..count).map(|by| compliance[load * count + by] * self.loads[by].force);
        let velocity = free[load] + answers.sum::<Vector3<f64>>();
        (self.place(self.loads[load].handle).0 - starts[load] - dt * velocity).norm()
    }

    /// Finds v_free and G anew about the loads, or as far on the way to them as the miss (m) allows.
    fn follow(&mut self, system: usize, dt: f64, miss: f64) {
        let pace = &mut self.ahead.paces[system];
        pace.follow(miss);
        let share = pace.share;
        for load in 0..self.loads.len() {
            if self.is_on(load, system) {
                let way = self.loads[load].force - self.ahead.about[load];
                self.loads[load].force = self.ahead.about[load] + share * way;
            }
        }
        self.refine(system, dt);
        for _ in 0..MOST_HALVINGS {
            if self.probe(system, dt) {
                return;
            }
            self.ahead.paces[system].share *= 0.5;
            for load in 0..self.loads.len() {
                if self.is_on(load, system) {
                    self.loads[load].force = 0.5 * (self.loads[load].force + self.ahead.about[load]);
                }
            }
        }
    }

    /// Whether a load is on one of the system's handles.
    fn is_on(&self, load: usize, system: usize) -> bool {
        self.handles[self.loads[load].handle].system == system
    }

    /// Has the system make as many steps of the frame as its loads ask for, if it made fewer.
    fn refine(&mut self, system: usize, dt: f64) {
        let loads = || (0..self.loads.len()).filter(|load| self.is_on(*load, system));
        let together: Vector3<f64> = loads().map(|load| self.loads[load].force).sum();
        let tension = loads().map(|load| self.loads[load].force.norm()).fold(together.norm(), f64::max);
        let longest = self.systems[system].holdable().map_or(f64::INFINITY, |of| of.longest_step(tension));
        let wanted = (dt / longest).ceil();
        let most = FINEST * self.steps(dt);
        let steps = &mut self.ahead.paces[system].steps;
        *steps = wanted.min(most).max(*steps);
    }

    /// v_free and G of the handles of one system about its loads, from where it was remembered. False where it cannot
    /// be stepped so: then they stay as they were.
    fn probe(&mut self, system: usize, dt: f64) -> bool {
        let is_good = self.try_loads(system, dt);
        self.restore(system);
        let count = self.loads.len();
        for load in (0..count).filter(|_| is_good) {
            if self.is_on(load, system) {
                self.ahead.about[load] = self.loads[load].force;
                self.ahead.free[load] = self.ahead.next_free[load];
                let row = load * count..(load + 1) * count;
                let CompliancePrediction { compliance, next_compliance, .. } = &mut self.ahead;
                compliance[row.clone()].copy_from_slice(&next_compliance[row]);
            }
        }
        is_good
    }

    fn try_loads(&mut self, system: usize, dt: f64) -> bool {
        let count = self.loads.len();
        let (mass, _) = self.systems[system].centre_of_mass(0..self.systems[system].parts());
        let loads = (0..count).filter(|load| self.is_on(*load, system));
        let bearing: f64 = loads.map(|load| self.loads[load].force.norm()).sum();
        let size = PROBE * (mass * STANDARD_GRAVITY + bearing);
        let mut fate = self.go_through(system, dt);
        for load in 0..count {
            if self.is_on(load, system) {
                let end = self.place(self.loads[load].handle).0;
                self.ahead.next_free[load] = (end - self.ahead.starts[load]) / dt;
                self.ahead.ends[load] = end;
            }
        }
        for by in 0..count {
            if !self.is_on(by, system) {
                continue;
            }
            let expected = self.loads[by].force;
            for axis in 0..3 {
                if fate == StepStatus::Failed {
                    return false;
                }
                self.restore(system);
                self.loads[by].force[axis] += size;
                fate = fate.max(self.go_through(system, dt));
                self.loads[by].force = expected;
                for load in 0..count {
                    if self.is_on(load, system) {
                        let moved = self.place(self.loads[load].handle).0 - self.ahead.ends[load];
                        let answer = moved / (dt * size);
                        self.ahead.next_compliance[load * count + by].set_column(axis, &answer);
                        self.ahead.next_free[load] -= answer * expected[axis];
                    }
                }
            }
        }
        fate != StepStatus::Failed
    }

    /// Moves what is held through a frame of `dt` seconds, under the forces (N) that `force` gives for each load, and
    /// notes what it misses. What it held is known until the next frame.
    pub fn step_held(&mut self, dt: f64, force: impl Fn(&CouplingForce) -> Vector3<f64>) {
        for load in &mut self.loads {
            load.force = force(load);
        }
        for system in 0..self.systems.len() {
            if self.is_held(system) {
                self.fate[system] = self.go_through(system, dt);
                self.keep_late_hits(system);
                for load in 0..self.loads.len() {
                    if self.is_on(load, system) {
                        self.ahead.misses[load] = self.miss(load, system, dt);
                    }
                }
            }
        }
    }

    /// Whether what a load is on could not be stepped to the end of the last frame.
    pub fn is_stuck(&self, load: &CouplingForce) -> bool {
        self.fate[self.handles[load.handle].system] == StepStatus::Failed
    }

    /// Steps a system through a frame under its loads.
    fn go_through(&mut self, system: usize, dt: f64) -> StepStatus {
        let steps = self.ahead.paces[system].steps;
        let PassiveWorld { systems, handles, loads, pushes, .. } = self;
        let of = &mut *systems[system];
        let mut fate = StepStatus::Solved;
        for _ in 0..steps as usize {
            for load in loads.iter().filter(|load| handles[load.handle].system == system) {
                let handle = &handles[load.handle];
                let (point, _) = handle.place(of);
                of.apply_force(handle.part, &point, &load.force);
            }
            push(of, system, pushes);
            fate = fate.max(of.step(dt / steps));
        }
        fate
    }
}
