//! Commands to a running world.

use super::actor::Actor;
use super::character::{CharacterError, UnknownName};
use super::contents::{CharacterId, ObstacleId, World, WorldError};
use super::event::{Event, Push};
use crate::controller::CommandValue;
use aplomb_body::contact::Pose;
use aplomb_body::model::state::State;
use aplomb_language::files::Override;
use aplomb_math::extent;
use aplomb_passive::{ObjectPush, PartId, PassiveObject};
use nalgebra::Vector3;

/// A force and a torque on a body, constant in world axes.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Wrench {
    /// Force, world, N.
    pub force: Vector3<f64>,
    /// Torque, world, N m.
    pub torque: Vector3<f64>,
    /// Point of application: offset from the body's centre of mass, body axes, m.
    pub offset: Vector3<f64>,
}

impl Wrench {
    /// A force at the body's centre of mass, world axes, N.
    pub fn force(force: [f64; 3]) -> Self {
        Wrench { force: force.into(), ..Wrench::default() }
    }

    /// A torque, world axes, N m.
    pub fn torque(torque: [f64; 3]) -> Self {
        Wrench { torque: torque.into(), ..Wrench::default() }
    }

    /// Sets the offset of the force from the body's centre of mass, body axes, m.
    pub fn at(mut self, offset: [f64; 3]) -> Self {
        self.offset = offset.into();
        self
    }
}

impl World {
    /// Pushes a body of a character from the next frame on, for `duration` seconds, at least one frame.
    ///
    /// # Errors
    /// Names that no body of the character has, and numbers that are not finite.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn push(
        &mut self,
        id: CharacterId,
        body: &str,
        wrench: Wrench,
        duration: f64,
    ) -> Result<(), WorldError> {
        let model = &self.actors[id.0].character.model;
        let index = model.body(body).ok_or_else(|| {
            UnknownName::new("body", body, model.bodies.iter().map(|body| body.name.as_str()))
        })?;
        let Wrench { force, torque, offset } = wrench;
        let numbers = force.iter().chain(&torque).chain(&offset).chain([&duration]);
        if !numbers.into_iter().all(|number| number.is_finite()) {
            return Err(WorldError::BadValue("a push must be finite"));
        }
        let frames = (duration / self.settings.dt).round().max(1.0) as u64;
        let point = model.bodies[index.0].inertia.centre + offset;
        let push = Push { character: id.0, body: index, point, force, torque };
        let frames = self.index..self.index + frames;
        self.events.push(Event {
            name: "push".into(),
            frames,
            push: Some(push),
            is_passing: true,
            ..Event::default()
        });
        Ok(())
    }

    /// Pushes a part of a passive object, both by index, from the next frame on, for `duration` seconds, at
    /// least one frame. `point` is in the frame of the part, m; `force` in world axes, N.
    ///
    /// # Errors
    /// A part that the object does not have, and numbers that are not finite.
    ///
    /// # Panics
    /// If the index of the object is of another world.
    pub fn push_passive(
        &mut self,
        object: usize,
        part: usize,
        point: Vector3<f64>,
        force: Vector3<f64>,
        duration: f64,
    ) -> Result<(), WorldError> {
        let PassiveObject { system, parts, .. } = &self.passive.objects[object];
        if part >= parts.len() {
            return Err(WorldError::Foreign("a part"));
        }
        if !force.iter().chain(&point).chain([&duration]).all(|number| number.is_finite()) {
            return Err(WorldError::BadValue("a push must be finite"));
        }
        let push = ObjectPush { system: *system, part: PartId(parts.start + part), local: point, force };
        let frames = (duration / self.settings.dt).round().max(1.0) as u64;
        self.events.push(Event {
            name: "push".into(),
            frames: self.index..self.index + frames,
            object: Some(push),
            is_passing: true,
            ..Event::default()
        });
        Ok(())
    }

    /// Sets a parameter of a character's controller, from the next frame on. The controller keeps its state. It
    /// is bound again, which takes about as long as a few frames. A binding of `let` keeps its value until its
    /// state is entered again: [`World::next_read`] returns when that is.
    ///
    /// # Errors
    /// A name that no parameter has, and a value with which the controller is invalid.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn set_parameter(&mut self, id: CharacterId, name: &str, value: f64) -> Result<(), WorldError> {
        let before = self.actors[id.0].character.binding;
        let mut controller = self.actors[id.0].character.controller.clone();
        let parameters = &mut controller.spec.parameters;
        let path = format!("parameters.{}", aplomb_language::files::quoted(name));
        match parameters.get_mut(name) {
            Some(parameter) => {
                *parameter.get_mut() = value;
                // So that values that are set by their paths later include this one.
                controller.overrides.extend(Override::of_controller(&path, &format!("{value:?}")));
            }
            None => {
                let known = parameters.keys().map(|name| name.get_ref().as_str());
                return Err(UnknownName::new("parameter", name, known).into());
            }
        }
        self.replace_controller(id, controller)?;
        // A new value of a parameter is read where the previous one was.
        let Actor { character, reads, .. } = &mut self.actors[id.0];
        if let Some((binding, _)) = reads.as_mut().filter(|(binding, _)| *binding == before) {
            *binding = character.binding;
        }
        self.note_read(id, &path);
        Ok(())
    }

    /// Sets a value of a character's controller from the next frame on, by its path of keys in the file:
    /// `parameters.crouch`, `objectives.NAME.weight`, `states.STATE.objectives.NAME.of.body_point.target`;
    /// `value` is in TOML. The controller keeps its state. Its text is parsed and bound again, which takes a
    /// few milliseconds.
    ///
    /// # Errors
    /// A path that does not exist, and a value that is not valid there.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn set_value(&mut self, id: CharacterId, path: &str, value: &str) -> Result<(), WorldError> {
        let controller = &self.actors[id.0].character.controller;
        let controller = controller.with_value(path, value).map_err(CharacterError::Controller)?;
        self.replace_controller(id, controller)?;
        self.note_read(id, path);
        Ok(())
    }

    /// Sets an input of a character's controller, from the next frame on: a command of its file
    /// (`[commands]`), a number or `[x, y, z]`. This is cheap, and the value stays until it is set again; a
    /// value beyond the range is clamped, and [`World::clamped_commands`] lists it. A name without a dot also
    /// sets the commands of that name in included controllers.
    ///
    /// # Errors
    /// Unknown command names, a number for a vector, and values that are not finite; then nothing is set.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn command(
        &mut self,
        id: CharacterId,
        name: &str,
        value: impl Into<CommandValue>,
    ) -> Result<(), WorldError> {
        let time = self.time();
        Ok(self.actors[id.0].character.machine.commands.set_at(name, value.into(), time)?)
    }

    /// Enables or disables an objective of a character's controller (`NAME`, or `STATE.NAME` for that of one
    /// state), from the next frame on.
    ///
    /// # Errors
    /// A name that no objective has.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn enable_objective(&mut self, id: CharacterId, name: &str, enabled: bool) -> Result<(), WorldError> {
        let changes = [(self.index, enabled)];
        Ok(self.actors[id.0].character.switch_objective(name, changes.into_iter())?)
    }

    /// Enables or disables a constraint of a character's controller, from the next frame on.
    ///
    /// # Errors
    /// A name that no constraint has.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn enable_constraint(
        &mut self,
        id: CharacterId,
        name: &str,
        enabled: bool,
    ) -> Result<(), WorldError> {
        let changes = [(self.index, enabled)];
        Ok(self.actors[id.0].character.switch_constraint(name, changes.into_iter())?)
    }

    /// Sets the state of a character: it releases its grips, its contacts start again, and the forces of the
    /// previous frames are cleared. The controller keeps its state.
    ///
    /// # Errors
    /// A state of another model, with numbers that are not finite, or too far from the origin.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn teleport(&mut self, id: CharacterId, q: &[f64], v: &[f64]) -> Result<(), WorldError> {
        self.check_state(id, q, v)?;
        let time = self.time();
        self.actors[id.0].character.put(State { q: q.to_vec(), v: v.to_vec(), time });
        self.observed.is_current = false;
        Ok(())
    }

    /// # Errors
    /// A state of another model, with numbers that are not finite, or too far from the origin.
    pub(super) fn check_state(&self, id: CharacterId, q: &[f64], v: &[f64]) -> Result<(), WorldError> {
        let character = &self.actors[id.0].character;
        if q.len() != character.model.nq || v.len() != character.model.nv {
            return Err(WorldError::Foreign("a state"));
        }
        if !q.iter().chain(v).all(|number| number.is_finite()) {
            return Err(WorldError::BadValue("a state must be finite"));
        }
        let poses = character.model.body_poses(q);
        near(&character.name, poses.iter().map(|pose| pose.translation.vector))
    }

    /// Moves the ground or an obstacle from its present pose to `pose` in the coming frame, at constant
    /// velocity; it stays there until the next call. Friction carries along the objects that stand on it.
    ///
    /// # Errors
    /// A pose that is not finite, or too far from the origin.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn move_obstacle(&mut self, id: ObstacleId, pose: Pose) -> Result<(), WorldError> {
        if !pose.position.iter().chain(pose.orientation.coords.iter()).all(|number| number.is_finite()) {
            return Err(WorldError::BadValue("a pose must be finite"));
        }
        near(&self.surfaces()[id.0].name, [pose.position])?;
        let (time, dt) = (self.time(), self.settings.dt);
        let senses = self.actors.iter_mut().map(|actor| &mut actor.character.snapshot);
        for snapshot in senses.chain([&mut self.scenery.snapshot]) {
            snapshot.contacts.surfaces[id.0].drive_to(pose, time, dt);
        }
        self.passive.set_surface(id.0, &self.scenery.surfaces()[id.0]);
        self.observed.is_current = false;
        Ok(())
    }
}

/// # Errors
/// A point of the object with this name that is farther from the origin than the accuracy of numbers allows.
pub(super) fn near(name: &str, points: impl IntoIterator<Item = Vector3<f64>>) -> Result<(), WorldError> {
    match extent::too_far(points) {
        Some(distance) => Err(WorldError::TooFar { name: name.into(), distance }),
        None => Ok(()),
    }
}
