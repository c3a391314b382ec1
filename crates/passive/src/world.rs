//! All passive objects of a scene.

use super::coupling::{Attachment, Coupling};
use super::encounter::Encounters;
use super::kinds::build;
use super::{
    Energy, FileEnvironment, Hit, KinematicPose, ObjectPush, PartId, PassiveSpec, PassiveSystem, Ragdoll,
    StepStatus, Striker, Switch,
};
use aplomb_body::contact::Surface;
use aplomb_body::model::BodyId;
use aplomb_language::diagnostic::{FileErrors, Source};
use aplomb_math::spatial::Force;
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;

/// A passive object: some parts of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct PassiveObject {
    /// Name in the scene.
    pub name: String,
    /// As in files.
    pub kind: &'static str,
    /// Index of the system in the passive world.
    pub system: usize,
    /// Parts of the system that are this object's.
    pub parts: Range<usize>,
    /// Names of these parts, in order.
    pub part_names: Vec<String>,
}

/// What can be seen of a object as a whole, world axes.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Whole {
    /// kg
    pub mass: f64,
    /// Centre of mass, m.
    pub com: Vector3<f64>,
    /// m/s
    pub com_velocity: Vector3<f64>,
    /// Kinetic and potential energy, J.
    pub energy: Energy,
    /// As [`PassiveSystem::stretch`].
    pub stretch: f64,
    /// Of its first part; the identity for a particle.
    pub orientation: UnitQuaternion<f64>,
    /// Of its first part, rad/s; zero for a particle.
    pub angular_velocity: Vector3<f64>,
}

/// What gave a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitSource {
    /// A passive object, by its number.
    Object(usize),
    /// A character, by its index.
    Character(usize),
}

/// A push on a body of a ragdoll.
#[derive(Clone, Copy, Debug)]
struct RagdollForce {
    character: usize,
    body: BodyId,
    /// Moment about the world origin.
    force: Force,
}

/// The objects of a scene and the systems they are in. A clone goes on with exactly the same numbers.
#[derive(Clone, Default)]
pub struct PassiveWorld {
    /// The objects, in the scene's order.
    pub objects: Vec<PassiveObject>,
    /// The systems that step them.
    pub systems: Vec<Box<dyn PassiveSystem>>,
    /// How the last frame of each system went.
    pub status: Vec<StepStatus>,
    /// `object.part`, of each part of each system.
    pub(super) part_names: Vec<Vec<String>>,
    /// Longest step, s.
    pub(super) longest: f64,
    /// Where characters are, in their order.
    pub(super) poses: Vec<KinematicPose>,
    /// Which of them are ragdolls.
    pub(super) is_dynamic: Vec<bool>,
    /// The system that moves ragdolls.
    pub(super) host: Option<usize>,
    /// Points that can be held.
    pub(super) attachments: Vec<Attachment>,
    /// What is held in this frame, of each system.
    pub(super) couplings: Vec<Coupling>,
    /// Scratch: parts that one character holds.
    pub(super) held_parts: Vec<PartId>,
    /// What events push in this frame.
    pub(super) pushes: Vec<ObjectPush>,
    /// Bodies that other systems run into.
    encounters: Encounters,
    /// What acts on ragdolls in the next frame.
    acting: Vec<RagdollForce>,
    /// What objects that are held gave other characters in the last frame, with their systems, and what they give in
    /// this: it is known once the frame has been solved.
    late_hits: Vec<(usize, Hit)>,
    next_late_hits: Vec<(usize, Hit)>,
}

impl PassiveWorld {
    /// Makes everything a scene names, in the scene's order; `models` are the texts of each object's models.
    ///
    /// # Errors
    ///
    /// All mistakes in what the scene says of passive objects, each with its place.
    pub fn bind<'a>(
        specs: impl Iterator<Item = (&'a str, &'a PassiveSpec)>,
        models: &[Vec<Source>],
        around: &FileEnvironment<'_>,
    ) -> Result<Self, FileErrors> {
        let (names, specs): (Vec<&str>, Vec<&PassiveSpec>) = specs.unzip();
        let mut objects: Vec<(usize, PassiveObject)> = Vec::new();
        let mut systems: Vec<Box<dyn PassiveSystem>> = Vec::new();
        for built in build(&specs, models, around)? {
            for object in built.objects {
                objects.push((
                    object.object,
                    PassiveObject {
                        name: names[object.object].to_string(),
                        kind: specs[object.object].kind(),
                        system: systems.len(),
                        parts: object.parts,
                        part_names: object.part_names,
                    },
                ));
            }
            systems.push(built.system);
        }
        objects.sort_by_key(|(number, _)| *number);
        let objects: Vec<PassiveObject> = objects.into_iter().map(|(_, object)| object).collect();
        let host = systems.iter().position(|system| system.ragdolls().is_some());
        let systems_count = systems.len();
        let status = vec![StepStatus::Solved; systems_count];
        Ok(PassiveWorld {
            part_names: part_names(&objects, &systems),
            objects,
            systems,
            status,
            longest: around.settings.dt,
            poses: around.characters.iter().map(KinematicPose::at_rest).collect(),
            is_dynamic: vec![false; around.characters.len()],
            host,
            attachments: Vec::new(),
            couplings: vec![Coupling::default(); systems_count],
            held_parts: Vec::new(),
            pushes: Vec::new(),
            encounters: Encounters::default(),
            acting: Vec::new(),
            late_hits: Vec::new(),
            next_late_hits: Vec::new(),
        })
    }

    /// Has a surface of the world, by its number, move as it does now.
    pub fn set_surface(&mut self, index: usize, surface: &Surface) {
        for colliders in self.systems.iter_mut().filter_map(|system| system.colliders_mut()) {
            colliders.set_surface(index, surface);
        }
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Forgets the pushes of the frame before.
    pub fn clear_pushes(&mut self) {
        self.pushes.clear();
    }

    /// Pushes a part of an object all through the frame to come.
    pub fn push_object(&mut self, push: ObjectPush) {
        self.pushes.push(push);
    }

    /// What of an object, by its number, can be enabled and disabled.
    pub fn switches(&mut self, object: usize) -> Vec<Switch> {
        let PassiveObject { system, parts, .. } = &self.objects[object];
        let switchable = self.systems[*system].as_switchable();
        switchable.map_or_else(Vec::new, |switchable| switchable.switches(parts))
    }

    /// Enables or disables something of a system, by its number there.
    pub fn turn(&mut self, system: usize, number: usize, on: bool) {
        if let Some(switchable) = self.systems[system].as_switchable() {
            switchable.turn(number, on);
        }
    }

    /// Number of characters.
    pub fn characters(&self) -> usize {
        self.poses.len()
    }

    /// Where a character is, and the velocity it keeps over the next frame. Of a ragdoll: its own, as seen by systems
    /// that do not move it. Without such a character nothing happens.
    pub fn set_pose(&mut self, character: usize, q: &[f64], v: &[f64]) {
        if let Some(pose) = self.poses.get_mut(character) {
            pose.set(q, v);
        }
    }

    /// Steps everything that is not held through a frame of `dt` seconds, ragdolls included, and finds out where that
    /// goes which is held. Characters move from their [poses](Self::set_pose) with the velocities they have there.
    pub fn step(&mut self, dt: f64) {
        std::mem::swap(&mut self.late_hits, &mut self.next_late_hits);
        self.next_late_hits.clear();
        let host = self.host.filter(|_| self.is_dynamic.contains(&true));
        if let Some(colliders) = host.and_then(|host| self.systems[host].colliders_mut()) {
            colliders.clear_hits();
        }
        for index in 0..self.systems.len() {
            if Some(index) != host && !self.is_held(index) {
                self.set_poses(index);
                self.status[index] = StepStatus::Solved;
            }
        }
        self.step_together(host, dt);
        if let Some(host) = host {
            self.step_ragdolls(host, dt);
        }
        self.acting.clear();
        self.predict_couplings(dt);
    }

    /// Leaves a character to its own dynamics, from its [pose](Self::set_pose) on; `damping` is that of its turning
    /// joints that have none, N m s/rad. False where no system can move it: it was not said that it may be dynamic.
    pub fn make_dynamic(&mut self, character: usize, damping: f64) -> bool {
        let Some(host) = self.host.filter(|_| character < self.poses.len()) else { return false };
        if !self.is_dynamic[character] {
            self.set_poses(host);
            let host = self.systems[host].ragdolls_mut();
            self.is_dynamic[character] = host.is_some_and(|host| host.make_dynamic(character, damping));
        }
        self.is_dynamic[character]
    }

    /// Has a character moved by others again, from its next pose on.
    pub fn make_kinematic(&mut self, character: usize) {
        if !self.is_dynamic.get(character).is_some_and(|is_dynamic| *is_dynamic) {
            return;
        }
        self.is_dynamic[character] = false;
        if let Some(host) = self.host.and_then(|host| self.systems[host].ragdolls_mut()) {
            host.make_kinematic(character);
        }
    }

    /// A force on a body of a ragdoll, with its moment about the world origin, over the next frame.
    pub fn push_ragdoll(&mut self, character: usize, body: BodyId, force: Force) {
        self.acting.push(RagdollForce { character, body, force });
    }

    /// A character, while it moves by its own dynamics.
    pub fn ragdoll(&self, character: usize) -> Option<Ragdoll<'_>> {
        self.systems[self.host?].ragdolls()?.ragdoll(character)
    }

    /// How the system that moves ragdolls fared in the last frame, if there is one.
    pub fn ragdoll_status(&self) -> Option<StepStatus> {
        Some(self.status[self.host?])
    }

    /// Steps the system that moves ragdolls, under what pushes them and what they received from the other systems.
    fn step_ragdolls(&mut self, host: usize, dt: f64) {
        let mut acting = std::mem::take(&mut self.acting);
        acting.extend(self.hits().map(|(_, hit)| {
            let force = per_second(&hit.impulse, dt);
            RagdollForce { character: hit.character, body: hit.body, force }
        }));
        self.acting = acting;
        self.set_poses(host);
        let steps = self.steps(dt);
        let system = &mut self.systems[host];
        let mut status = StepStatus::Solved;
        // What ran into its bodies did so all through the frame.
        let Encounters { bodies, received, .. } = &self.encounters;
        let met = bodies.iter().zip(received).filter(|(body, _)| body.system == host);
        for _ in 0..steps as usize {
            if let Some(ragdolls) = system.ragdolls_mut() {
                for push in &self.acting {
                    ragdolls.apply_to_ragdoll(push.character, push.body, &push.force);
                }
            }
            if let Some(bodies) = system.as_bodies() {
                for (body, received) in met.clone() {
                    bodies.apply_wrench(body.part, &per_second(received, dt));
                }
            }
            for pushed in self.pushes.iter().filter(|push| push.system == host) {
                pushed.apply(&mut **system);
            }
            status = status.max(system.step(dt / steps));
        }
        self.status[host] = status;
    }

    /// Tells a system where the characters are.
    pub(super) fn set_poses(&mut self, system: usize) {
        if let Some(colliders) = self.systems[system].colliders_mut() {
            colliders.set_poses(&self.poses);
        }
    }

    /// Steps all systems but those that are held and the `host` of ragdolls, step by step together: those that run into
    /// bodies of others before these.
    fn step_together(&mut self, host: Option<usize>, dt: f64) {
        let steps = self.steps(dt);
        let h = dt / steps;
        self.encounters.received.clear();
        let meet = self.systems.iter_mut().any(|system| system.as_collider().is_some());
        for step in 0..steps as usize {
            if meet {
                self.show_bodies(host, step as f64 * h, h);
            }
            for first in [true, false] {
                for index in 0..self.systems.len() {
                    let goes_along = Some(index) != host && !self.is_held(index);
                    if goes_along && self.systems[index].as_collider().is_some() == first {
                        self.step_one(index, h);
                    }
                }
            }
        }
    }

    /// Has all systems show their bodies where they will be in `h` seconds. The host of ragdolls has stayed where it was for
    /// the time that has elapsed in this frame, s.
    fn show_bodies(&mut self, host: Option<usize>, elapsed: f64, h: f64) {
        let PassiveWorld { systems, encounters, .. } = self;
        encounters.clear();
        for (index, system) in systems.iter_mut().enumerate() {
            if let Some(system) = system.as_bodies() {
                system.show(index, encounters);
            }
        }
        let Encounters { bodies, solids, received } = encounters;
        received.resize(bodies.len(), Force::default());
        let waits = |system: usize| Some(system) == host;
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
        let PassiveWorld { systems, encounters, status, pushes, .. } = self;
        let Encounters { bodies, solids, received } = encounters;
        let system = &mut systems[index];
        for pushed in pushes.iter().filter(|push| push.system == index) {
            pushed.apply(&mut **system);
        }
        if let Some(collider) = system.as_collider() {
            collider.meet(bodies, solids);
        }
        if let Some(system) = system.as_bodies() {
            for (body, received) in bodies.iter().zip(&*received).filter(|(body, _)| body.system == index) {
                system.apply_wrench(body.part, &per_second(received, h));
            }
        }
        let how = system.step(h);
        status[index] = status[index].max(how);
        if let Some(collider) = system.as_collider().filter(|_| how != StepStatus::Failed) {
            collider.each_given(&mut |solid, given| received[solids[solid].1] += given);
        }
    }

    pub(super) fn steps(&self, dt: f64) -> f64 {
        (dt / self.longest - 1e-9).ceil().max(1.0)
    }

    /// What characters received in the last frame, with what gave it. What objects that are held give to characters
    /// that do not hold them is told a frame later.
    pub fn hits(&self) -> impl Iterator<Item = (HitSource, &Hit)> {
        let systems = self.systems.iter().enumerate().filter(|(system, _)| !self.is_held(*system));
        let now = systems.flat_map(|(system, of)| {
            let hits = of.colliders().map_or(&[][..], |colliders| colliders.hits());
            hits.iter().map(move |hit| (system, hit))
        });
        let late = self.late_hits.iter().map(|(system, hit)| (*system, hit));
        now.chain(late).filter_map(|(system, hit)| Some((self.source(system, hit)?, hit)))
    }

    /// Notes what a system that was held gave characters in this frame, for the next.
    pub(super) fn keep_late_hits(&mut self, system: usize) {
        let hits = self.systems[system].colliders().map_or(&[][..], |colliders| colliders.hits());
        self.next_late_hits.extend(hits.iter().map(|hit| (system, *hit)));
    }

    fn source(&self, system: usize, hit: &Hit) -> Option<HitSource> {
        match hit.by {
            Striker::Character(character) => Some(HitSource::Character(character)),
            Striker::Part(part) => {
                let is_of =
                    |object: &PassiveObject| object.system == system && object.parts.contains(&part.0);
                Some(HitSource::Object(self.objects.iter().position(is_of)?))
            }
        }
    }

    /// Name of a part of a system: that of its object and its own.
    pub fn part_name(&self, system: usize, part: PartId) -> &str {
        &self.part_names[system][part.0]
    }

    /// The object as a whole.
    pub fn whole(&self, object: usize) -> Whole {
        let PassiveObject { system, parts, .. } = &self.objects[object];
        let system = &self.systems[*system];
        let (mass, com) = system.centre_of_mass(parts.clone());
        let momentum = system.momentum(parts.clone());
        let com_velocity = if mass > 0.0 { momentum.force / mass } else { Vector3::zeros() };
        let stretch = system.stretch(parts.clone());
        let first = system.part(PartId(parts.start));
        let (orientation, angular_velocity) = (first.orientation, first.angular_velocity);
        let energy = system.energy(parts.clone());
        Whole { mass, com, com_velocity, energy, stretch, orientation, angular_velocity }
    }
}

/// The force of an impulse that is given evenly over a time, s.
fn per_second(impulse: &Force, time: f64) -> Force {
    Force { moment: impulse.moment / time, force: impulse.force / time }
}

/// `object.part` of each part of each system.
fn part_names(objects: &[PassiveObject], systems: &[Box<dyn PassiveSystem>]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> =
        systems.iter().map(|system| vec![String::new(); system.parts()]).collect();
    for object in objects {
        for (part, name) in object.parts.clone().zip(&object.part_names) {
            all[object.system][part] = format!("{}.{name}", object.name);
        }
    }
    all
}
