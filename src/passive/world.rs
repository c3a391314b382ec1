//! All passive things of a scene.

use super::encounter::Encounters;
use super::held::{Attachment, CompliancePrediction, CouplingForce};
use super::method::{Environment, RestingPoint, build};
use super::{Energy, Hit, LimpGuest, PartId, PassiveSpec, PassiveSystem, StepStatus};
use crate::language::diagnostic::{FileError, Source};
use crate::math::spatial::Force;
use crate::model::BodyId;
use nalgebra::Vector3;
use std::ops::Range;

/// A passive thing: some parts of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct PassiveObject {
    pub name: String,
    /// As in files.
    pub kind: &'static str,
    pub system: usize,
    pub parts: Range<usize>,
    pub part_names: Vec<String>,
}

/// What can be seen of a thing as a whole, world axes.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Whole {
    /// kg
    pub mass: f64,
    /// Centre of mass, m.
    pub com: Vector3<f64>,
    /// m/s
    pub com_velocity: Vector3<f64>,
    pub energy: Energy,
    /// As [`PassiveSystem::stretch`].
    pub stretch: f64,
}

/// The things of a scene and the systems they are in.
#[derive(Default)]
pub struct PassiveWorld {
    pub list: Vec<PassiveObject>,
    pub systems: Vec<Box<dyn PassiveSystem>>,
    /// How the last frame of each system went.
    pub fate: Vec<StepStatus>,
    /// `thing.part`, of each part of each system.
    part_names: Vec<Vec<String>>,
    /// Longest step, s.
    longest: f64,
    /// The system that moves the guest, while it is limp.
    host: Option<usize>,
    /// Points that can be held.
    pub(super) handles: Vec<Attachment>,
    /// What is held in this frame.
    pub(super) loads: Vec<CouplingForce>,
    pub(super) ahead: CompliancePrediction,
    /// Bodies that other systems run into.
    encounters: Encounters,
    /// What acts on a limp guest.
    acting: Vec<(BodyId, Force)>,
}

impl PassiveWorld {
    /// Makes everything a scene names, in the scene's order; `models` are the texts of each thing's models.
    pub fn bind<'a>(
        specs: impl Iterator<Item = (&'a str, &'a PassiveSpec)>,
        models: &[Vec<Source>],
        around: &Environment<'_>,
    ) -> Result<Self, Vec<FileError>> {
        let (names, specs): (Vec<&str>, Vec<&PassiveSpec>) = specs.unzip();
        let mut list: Vec<(usize, PassiveObject)> = Vec::new();
        let mut systems: Vec<Box<dyn PassiveSystem>> = Vec::new();
        for built in build(&specs, models, around)? {
            for thing in built.things {
                list.push((
                    thing.thing,
                    PassiveObject {
                        name: names[thing.thing].to_string(),
                        kind: specs[thing.thing].kind(),
                        system: systems.len(),
                        parts: thing.parts,
                        part_names: thing.part_names,
                    },
                ));
            }
            systems.push(built.system);
        }
        list.sort_by_key(|(number, _)| *number);
        let list: Vec<PassiveObject> = list.into_iter().map(|(_, thing)| thing).collect();
        let mut part_names: Vec<Vec<String>> = Vec::new();
        for (index, system) in systems.iter().enumerate() {
            let mut names = vec![String::new(); system.parts()];
            for thing in list.iter().filter(|thing| thing.system == index) {
                for (part, name) in thing.parts.clone().zip(&thing.part_names) {
                    names[part] = format!("{}.{name}", thing.name);
                }
            }
            part_names.push(names);
        }
        let fate = vec![StepStatus::Solved; systems.len()];
        Ok(PassiveWorld {
            list,
            systems,
            fate,
            part_names,
            longest: *around.settings.dt.get_ref(),
            host: None,
            handles: Vec::new(),
            loads: Vec::new(),
            ahead: CompliancePrediction::default(),
            encounters: Encounters::default(),
            acting: Vec::new(),
        })
    }

    /// Adds a point of a thing, by its number, that can be held, and returns the point's.
    pub fn add_handle(&mut self, thing: usize, point: &RestingPoint) -> usize {
        let PassiveObject { system, parts, .. } = &self.list[thing];
        let part = PartId(parts.start + point.part);
        self.handles.push(Attachment { system: *system, part, local: point.local });
        self.handles.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Steps everything that is not held through a frame of `dt` seconds, in which the guest moves from `q` with the
    /// velocity `v`, and finds out where that goes which is held.
    pub fn step(&mut self, dt: f64, q: &[f64], v: &[f64]) {
        self.host = None;
        self.step_guided(dt, q, v);
        self.predict_compliance(dt, q, v);
    }

    /// Leaves the guest, which is at `q` with the velocity `v`, to its own dynamics; `damping` is that of its turning
    /// joints that have none, N m s/rad. False where no system can move it.
    pub fn let_go(&mut self, q: &[f64], v: &[f64], damping: f64) -> bool {
        self.systems.iter_mut().for_each(|system| system.guide(q, v));
        self.host = self.systems.iter_mut().position(|system| system.let_go(damping));
        self.host.is_some()
    }

    /// Steps everything through a frame of `dt` seconds in which the guest is limp and these forces act on its
    /// bodies, with moments about the world origin. It begins at `q` with the velocity `v`. How its own system
    /// fared; nothing if it was not let go.
    pub fn step_limp(
        &mut self,
        dt: f64,
        q: &[f64],
        v: &[f64],
        pushes: impl Iterator<Item = (BodyId, Force)>,
    ) -> Option<StepStatus> {
        let host = self.host?;
        self.systems[host].forget_hits();
        self.step_guided(dt, q, v);
        self.acting.clear();
        self.acting.extend(pushes);
        let hits = self.systems.iter().flat_map(|system| system.hits());
        self.acting.extend(hits.map(|hit| (hit.body, per_second(&hit.impulse, dt))));
        let steps = self.steps(dt);
        let system = &mut self.systems[host];
        let mut fate = StepStatus::Solved;
        // What ran into its bodies did so all through the frame.
        let Encounters { bodies, received, .. } = &self.encounters;
        let met = bodies.iter().zip(received).filter(|(body, _)| body.system == host);
        for _ in 0..steps as usize {
            self.acting.iter().for_each(|(body, force)| system.apply_to_guest(*body, force));
            for (body, received) in met.clone() {
                system.apply_wrench(body.part, &per_second(received, dt));
            }
            fate = fate.max(system.step(dt / steps));
        }
        self.fate[host] = fate;
        Some(fate)
    }

    /// The guest, while it is limp.
    pub fn limp_guest(&self) -> Option<LimpGuest<'_>> {
        self.systems[self.host?].limp_guest()
    }

    /// All systems but those that are held and the one that moves the guest itself: step by step together, those that run
    /// into bodies of others before these.
    fn step_guided(&mut self, dt: f64, q: &[f64], v: &[f64]) {
        let steps = self.steps(dt);
        let h = dt / steps;
        for index in 0..self.systems.len() {
            if self.goes_along(index) {
                self.systems[index].guide(q, v);
                self.fate[index] = StepStatus::Solved;
            }
        }
        self.encounters.received.clear();
        let meet = self.systems.iter().any(|system| system.runs_into_bodies());
        for step in 0..steps as usize {
            if meet {
                self.show_bodies(step as f64 * h, h);
            }
            for first in [true, false] {
                for index in 0..self.systems.len() {
                    if self.goes_along(index) && self.systems[index].runs_into_bodies() == first {
                        self.step_one(index, h);
                    }
                }
            }
        }
    }

    /// Has all systems show their bodies where they will be in `h` seconds. The one that moves the guest has stayed where
    /// it was for the time that has elapsed in this frame, s.
    fn show_bodies(&mut self, elapsed: f64, h: f64) {
        let PassiveWorld { systems, encounters, host, .. } = self;
        encounters.clear();
        for (index, system) in systems.iter_mut().enumerate() {
            system.show_bodies(index, encounters);
        }
        let Encounters { bodies, solids, received } = encounters;
        received.resize(bodies.len(), Force::default());
        let waits = |system: usize| Some(system) == *host;
        for (body, received) in bodies.iter().zip(received) {
            if !waits(body.system) {
                *received = Force::default();
            }
        }
        for (solid, body) in solids {
            *solid = solid.ahead(if waits(bodies[*body].system) { elapsed + h } else { h });
        }
    }

    /// One step of one system among the others.
    fn step_one(&mut self, index: usize, h: f64) {
        let PassiveWorld { systems, encounters, fate, .. } = self;
        let Encounters { bodies, solids, received } = encounters;
        let system = &mut systems[index];
        if !system.runs_into_bodies() {
            for (body, received) in bodies.iter().zip(&*received).filter(|(body, _)| body.system == index) {
                system.apply_wrench(body.part, &per_second(received, h));
            }
            fate[index] = fate[index].max(system.step(h));
            return;
        }
        system.meet(bodies, solids);
        let how = system.step(h);
        if how != StepStatus::Failed {
            system.each_given(&mut |solid, given| received[solids[solid].1] += given);
        }
        fate[index] = fate[index].max(how);
    }

    /// Whether it is stepped with the others.
    fn goes_along(&self, system: usize) -> bool {
        Some(system) != self.host && !self.is_held(system)
    }
    pub(super) fn steps(&self, dt: f64) -> f64 {
        (dt / self.longest - 1e-9).ceil().max(1.0)
    }

    /// What the guest received in the last frame, with the thing it came from.
    pub fn hits(&self) -> impl Iterator<Item = (usize, &Hit)> {
        self.systems.iter().enumerate().flat_map(move |(system, of)| {
            of.hits().iter().filter_map(move |hit| {
                let is_of =
                    |thing: &PassiveObject| thing.system == system && thing.parts.contains(&hit.part.0);
                Some((self.list.iter().position(is_of)?, hit))
            })
        })
    }

    /// Name of a part of a system: that of its thing and its own.
    pub fn part_name(&self, system: usize, part: PartId) -> &str {
        &self.part_names[system][part.0]
    }

    /// The thing as a whole.
    pub fn whole(&self, thing: usize) -> Whole {
        let PassiveObject { system, parts, .. } = &self.list[thing];
        let system = &self.systems[*system];
        let (mass, com) = system.centre_of_mass(parts.clone());
        let momentum = system.momentum(parts.clone());
        let com_velocity = if mass > 0.0 { momentum.force / mass } else { Vector3::zeros() };
        let stretch = system.stretch(parts.clone());
        Whole { mass, com, com_velocity, energy: system.energy(parts.clone()), stretch }
    }
}

/// The force of an impulse that is given evenly over a time, s.
fn per_second(impulse: &Force, time: f64) -> Force {
    Force { moment: impulse.moment / time, force: impulse.force / time }
}
