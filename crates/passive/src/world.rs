//! All passive objects of a scene.

use super::coupling::{Attachment, HeldPoints};
use super::encounter::Encounters;
use super::kinds::build;
use super::{
    Energy, FileEnvironment, Hit, KinematicPose, ObjectPush, PartId, PassiveSpec, PassiveSystem, Ragdoll,
    StepStatus, Striker, SwitchableElement,
};
use aplomb_body::contact::Surface;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::diagnostic::FileErrors;
use aplomb_math::spatial::Force;
use nalgebra::{UnitQuaternion, Vector3};
use std::ops::Range;

/// A passive object: a range of parts of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct PassiveObject {
    /// Name in the scene.
    pub name: String,
    /// Kind, as in files.
    pub kind: &'static str,
    /// Index of the system in the passive world.
    pub system: usize,
    /// Parts of the system that are this object's.
    pub parts: Range<usize>,
    /// Names of these parts, in order.
    pub part_names: Vec<String>,
}

/// State of an object as a whole, world axes.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Whole {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub com: Vector3<f64>,
    /// Velocity of the centre of mass, m/s.
    pub com_velocity: Vector3<f64>,
    /// Kinetic and potential energy, J.
    pub energy: Energy,
    /// Largest relative change of length, as [`PassiveSystem::stretch`].
    pub stretch: f64,
    /// Orientation of its first part; the identity for a particle.
    pub orientation: UnitQuaternion<f64>,
    /// Angular velocity of its first part, rad/s; zero for a particle.
    pub angular_velocity: Vector3<f64>,
}

/// The source of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitSource {
    /// A passive object, by its index.
    Object(usize),
    /// A character, by its index.
    Character(usize),
}

/// An external force on a body of a ragdoll.
#[derive(Clone, Copy, Debug)]
struct ActingForce {
    character: usize,
    body: BodyId,
    /// Force, with its moment about the world origin.
    force: Force,
}

/// The objects of a scene and their systems. A clone continues with exactly the same numbers.
#[derive(Clone, Default)]
pub struct PassiveWorld {
    /// The objects, in the scene's order.
    pub objects: Vec<PassiveObject>,
    /// The systems that step them.
    pub systems: Vec<Box<dyn PassiveSystem>>,
    /// Outcome of the last frame by system.
    pub status: Vec<StepStatus>,
    /// `object.part` for each part of each system.
    pub(super) part_names: Vec<Vec<String>>,
    /// Longest step, s.
    pub(super) longest: f64,
    /// Poses of the characters, in order.
    pub(super) poses: Vec<KinematicPose>,
    /// Whether each character is a ragdoll.
    pub(super) is_dynamic: Vec<bool>,
    /// Index of the system that simulates ragdolls.
    pub(super) host: Option<usize>,
    /// Points that can be held.
    pub(super) attachments: Vec<Attachment>,
    /// Held points of each system in this frame.
    pub(super) couplings: Vec<HeldPoints>,
    /// Scratch memory: parts that one character holds.
    pub(super) held_parts: Vec<PartId>,
    /// Pushes of events in this frame.
    pub(super) pushes: Vec<ObjectPush>,
    /// Bodies that other systems collide with.
    encounters: Encounters,
    /// Forces on ragdolls in the next frame.
    acting: Vec<ActingForce>,
    /// Hits of held objects on other characters in the last frame, with their systems, and those of this
    /// frame, which are known once the frame is solved.
    late_hits: Vec<(usize, Hit)>,
    next_late_hits: Vec<(usize, Hit)>,
}

impl PassiveWorld {
    /// Makes all objects of a scene, in the scene's order; `models` are the bodies in the files that each object
    /// names.
    ///
    /// # Errors
    ///
    /// All errors in the specifications of passive objects, each with its location.
    pub fn bind<'a>(
        specs: impl Iterator<Item = (&'a str, &'a PassiveSpec)>,
        models: &[Vec<Model>],
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
            couplings: vec![HeldPoints::default(); systems_count],
            held_parts: Vec::new(),
            pushes: Vec::new(),
            encounters: Encounters::default(),
            acting: Vec::new(),
            late_hits: Vec::new(),
            next_late_hits: Vec::new(),
        })
    }

    /// Replaces the motion of a surface, by its index.
    pub fn set_surface(&mut self, index: usize, surface: &Surface) {
        for colliders in self.systems.iter_mut().filter_map(|system| system.colliders_mut()) {
            colliders.set_surface(index, surface);
        }
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Whether nothing has to be stepped: there are no objects, and no character is a ragdoll.
    pub fn is_still(&self) -> bool {
        self.is_empty() && !self.is_dynamic.contains(&true)
    }

    /// Clears the pushes of the previous frame.
    pub fn clear_pushes(&mut self) {
        self.pushes.clear();
    }

    /// Pushes a part of an object throughout the next frame.
    pub fn push_object(&mut self, push: ObjectPush) {
        self.pushes.push(push);
    }

    /// The switches of an object, by its index.
    pub fn switches(&mut self, object: usize) -> Vec<SwitchableElement> {
        let PassiveObject { system, parts, .. } = &self.objects[object];
        let switchable = self.systems[*system].as_switchable();
        switchable.map_or_else(Vec::new, |switchable| switchable.switches(parts))
    }

    /// Enables or disables a switch of a system, by its number there.
    pub fn turn(&mut self, system: usize, number: usize, on: bool) {
        if let Some(switchable) = self.systems[system].as_switchable() {
            switchable.turn(number, on);
        }
    }

    /// Number of characters.
    pub fn characters(&self) -> usize {
        self.poses.len()
    }

    /// Sets the pose of a character, and its velocity over the next frame. For a ragdoll: its own pose, for
    /// systems that do not simulate it. Nothing happens if there is no such character.
    pub fn set_pose(&mut self, character: usize, q: &[f64], v: &[f64]) {
        if let Some(pose) = self.poses.get_mut(character) {
            pose.set(q, v);
        }
    }

    /// Steps all systems that are not held through a frame of `dt` seconds, ragdolls included, and predicts
    /// the motion of held points. Characters move from their [poses](Self::set_pose) with their velocities
    /// there.
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

    /// Makes a character dynamic, from its [pose](Self::set_pose) on; `damping` is that of its rotational joints
    /// without damping, N m s/rad. False if no system can simulate it, because it was not declared as possibly
    /// dynamic.
    pub fn make_dynamic(&mut self, character: usize, damping: f64) -> bool {
        let Some(host) = self.host.filter(|_| character < self.poses.len()) else { return false };
        if !self.is_dynamic[character] {
            self.set_poses(host);
        }
        let host = self.systems[host].ragdolls_mut();
        self.is_dynamic[character] = host.is_some_and(|host| host.make_dynamic(character, damping));
        self.is_dynamic[character]
    }

    /// Makes a character kinematic again, from its next pose on.
    pub fn make_kinematic(&mut self, character: usize) {
        if !self.is_dynamic.get(character).is_some_and(|is_dynamic| *is_dynamic) {
            return;
        }
        self.is_dynamic[character] = false;
        if let Some(host) = self.host.and_then(|host| self.systems[host].ragdolls_mut()) {
            host.make_kinematic(character);
        }
    }

    /// Sets the joint torques of a ragdoll's actuators, nv numbers, N m or N, until they are set again.
    pub fn drive_ragdoll(&mut self, character: usize, torque: &[f64]) {
        if let Some(host) = self.host.and_then(|host| self.systems[host].ragdolls_mut()) {
            host.drive_ragdoll(character, torque);
        }
    }

    /// Applies a force to a body of a ragdoll, with its moment about the world origin, over the next frame.
    pub fn push_ragdoll(&mut self, character: usize, body: BodyId, force: Force) {
        self.acting.push(ActingForce { character, body, force });
    }

    /// The character, while it is a ragdoll.
    pub fn ragdoll(&self, character: usize) -> Option<Ragdoll<'_>> {
        self.systems[self.host?].ragdolls()?.ragdoll(character)
    }

    /// Outcome of the last frame of the system that simulates ragdolls, if there is one.
    pub fn ragdoll_status(&self) -> Option<StepStatus> {
        Some(self.status[self.host?])
    }

    /// Steps the system that simulates ragdolls, under external forces and the impulses from other systems.
    fn step_ragdolls(&mut self, host: usize, dt: f64) {
        let mut acting = std::mem::take(&mut self.acting);
        acting.extend(self.hits().map(|(_, hit)| {
            let force = per_second(&hit.impulse, dt);
            ActingForce { character: hit.character, body: hit.body, force }
        }));
        self.acting = acting;
        self.set_poses(host);
        let steps = self.steps(dt);
        let system = &mut self.systems[host];
        let mut status = StepStatus::Solved;
        // Impulses on its bodies are spread over the frame.
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

    /// Sets the characters' poses in a system.
    pub(super) fn set_poses(&mut self, system: usize) {
        if let Some(colliders) = self.systems[system].colliders_mut() {
            colliders.set_poses(&self.poses);
        }
    }

    /// Steps all systems except the held ones and the `host` of ragdolls, step by step together: systems that
    /// collide with bodies of other systems are stepped before those.
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

    /// Collects the bodies of all systems with their poses in `h` seconds. The host of ragdolls has not moved
    /// for the time elapsed in this frame, s.
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

    /// Makes one step of one system.
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

    /// Hits on characters in the last frame, with their sources. Hits of held objects on characters that do
    /// not hold them are reported a frame later.
    pub fn hits(&self) -> impl Iterator<Item = (HitSource, &Hit)> {
        let systems = self.systems.iter().enumerate().filter(|(system, _)| !self.is_held(*system));
        let now = systems.flat_map(|(system, of)| {
            let hits = of.colliders().map_or(&[][..], |colliders| colliders.hits());
            hits.iter().map(move |hit| (system, hit))
        });
        let late = self.late_hits.iter().map(|(system, hit)| (*system, hit));
        now.chain(late).filter_map(|(system, hit)| Some((self.source(system, hit)?, hit)))
    }

    /// Keeps the hits of a held system on characters in this frame for the next.
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

    /// State of an object as a whole.
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

/// The constant force over a time, s, that has this impulse.
fn per_second(impulse: &Force, time: f64) -> Force {
    Force { moment: impulse.moment / time, force: impulse.force / time }
}

/// `object.part` for each part of each system.
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
