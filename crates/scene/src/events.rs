//! Binding of the events of a scene's file to those of its world.

use super::criteria;
use super::{EventKind, EventSpec, SceneFiles};
use aplomb_body::contact::grip::Hold;
use aplomb_body::model::Model;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_passive::{ObjectPush, PartId, PassiveObject, PassiveWorld, SwitchKind, SwitchableElement};
use aplomb_world::Throw;
use aplomb_world::character::Character;
use aplomb_world::controller::quantity::ModelNames;
use aplomb_world::controller::{CommandError, ControllerFile};
use aplomb_world::event::{Command, Event, ObjectSwitch, Push, first_not_before};
use aplomb_world::trigger::{Trigger, WAITING};
use nalgebra::Vector3;
use std::sync::Arc;

/// Binds the events of a scene, in file order. `bodies`: models of its characters, in order.
pub(crate) fn bind(files: &SceneFiles, bodies: &[Model], holds: &[Hold]) -> Result<Vec<Event>, FileErrors> {
    let dt = *files.scene.dt.get_ref();
    let mut errors = Vec::new();
    let mut events = Vec::new();
    let mut successors = files.successors.iter();
    for (name, spec) in &files.scene.events {
        let of_character = spec.kind.needs_character() && spec.passive.is_none();
        let character = if of_character { spec.whom(files, name) } else { Ok(0) };
        let character = match character {
            Ok(character) => character,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let command = command(files, spec, character, &mut successors);
        let push = push(files, spec, character, bodies, dt).map_err(|error| errors.push(error));
        let trigger = trigger(files, spec, character, bodies, holds).map_err(|error| errors.push(error));
        let (Ok(push), Ok(trigger)) = (push, trigger) else { continue };
        let name = name.get_ref().clone();
        let frames = if trigger.is_some() { WAITING } else { spec.frames(dt) };
        let is_of_surface =
            matches!(spec.kind, EventKind::Shake | EventKind::Move | EventKind::Vanish | EventKind::Appear);
        events.push(Event { name, frames, trigger, push, command, is_of_surface, ..Event::default() });
    }
    if errors.is_empty() { Ok(events) } else { Err(errors.into()) }
}

/// Unknown bodies in pushes, for scenes whose other mistakes prevent the binding of events.
pub fn unknown_bodies(files: &SceneFiles, bodies: &[Model]) -> Vec<FileError> {
    let dt = *files.scene.dt.get_ref();
    let pushes = files.scene.events.iter().filter(|(_, spec)| spec.passive.is_none());
    let unknown =
        pushes.filter_map(|(name, spec)| push(files, spec, spec.whom(files, name).ok()?, bodies, dt).err());
    unknown.collect()
}

/// The condition for which an event waits.
fn trigger(
    files: &SceneFiles,
    spec: &EventSpec,
    character: usize,
    bodies: &[Model],
    holds: &[Hold],
) -> Result<Option<Trigger>, FileError> {
    if !spec.waits() {
        return Ok(None);
    }
    let dt = *files.scene.dt.get_ref();
    let condition = spec.when.as_ref().map(|when| {
        let condition = criteria::bind_condition(files, bodies, holds, character, when)?;
        Ok((condition, character))
    });
    let frames = spec.frames(dt);
    let after =
        spec.after.as_ref().and_then(|after| files.scene.events.get_index_of(after.get_ref().as_str()));
    let delay = spec.delay.as_ref().map_or(0.0, |delay| *delay.get_ref());
    Ok(Some(Trigger {
        earliest: frames.start,
        after,
        condition: condition.transpose()?,
        delay: first_not_before(delay, dt),
        length: frames.end - frames.start,
    }))
}

/// The command of an event.
fn command<'a>(
    files: &SceneFiles,
    spec: &EventSpec,
    character: usize,
    successors: &mut impl Iterator<Item = &'a ControllerFile>,
) -> Option<Command> {
    match spec.kind {
        EventKind::Set => Some(Command::SetValue {
            character,
            path: spec.path.as_ref()?.get_ref().clone(),
            value: files.scene_source.slice(spec.value.as_ref()?.span()).to_owned(),
        }),
        EventKind::Replace => {
            let controller = Arc::new(successors.next()?.clone());
            Some(Command::ReplaceController { character, controller })
        }
        EventKind::Command => {
            let name = spec.command.as_ref()?.get_ref().clone();
            Some(match &spec.track {
                Some(track) => {
                    Command::Follow { character, name: name.into(), track: Arc::new(track.get_ref().bind()?) }
                }
                None => Command::Command { character, name, value: (*spec.to.as_ref()?.get_ref()).into() },
            })
        }
        EventKind::Throw => {
            let (position, velocity) = match &spec.aimed {
                Some(aim) => aim.get_ref().flight(&Vector3::from(*files.scene.gravity.get_ref())),
                None => {
                    let [position, velocity] = [spec.position.as_ref()?, spec.velocity.as_ref()?];
                    (Vector3::from(*position.get_ref()), Vector3::from(*velocity.get_ref()))
                }
            };
            let (mass, radius) = (*spec.mass.as_ref()?.get_ref(), *spec.radius.as_ref()?.get_ref());
            Some(Command::Throw(Throw { mass, radius, position, velocity }))
        }
        EventKind::Shake | EventKind::Move | EventKind::Vanish | EventKind::Appear => {
            let change = spec.surface_change().filter(|_| spec.waits())?;
            let surface = files.scene.surface_number(spec.obstacle.as_ref()?.get_ref())?;
            Some(Command::ChangeSurface { surface, change })
        }
        EventKind::Enable | EventKind::Disable if spec.waits() && spec.passive.is_none() => {
            let name = |name: &Option<Spanned<String>>| name.as_ref().map(|name| name.get_ref().clone());
            Some(Command::Switch {
                character,
                objective: name(&spec.objective),
                constraint: name(&spec.constraint),
                on: spec.kind == EventKind::Enable,
                is_lasting: spec.duration.is_none(),
            })
        }
        EventKind::Enable | EventKind::Disable | EventKind::Push => None,
    }
}

/// Tries the effects of events on the controller of the character with this index, in order of time, and reserves
/// their columns in records, so that impossible ones are mistakes in the scene rather than errors of a frame.
pub(crate) fn try_on(
    files: &SceneFiles,
    events: &[Event],
    number: usize,
    character: &mut Character,
) -> Vec<FileError> {
    let mut errors = Vec::new();
    let mut coming: Vec<(&EventSpec, &Event)> = files.scene.events.values().zip(events).collect();
    coming.sort_by_key(|(_, event)| event.frames.start);
    let mut now = character.controller.clone();
    let mut now_told = character.machine.commands.clone();
    for (spec, event) in coming {
        let (next, place) = match &event.command {
            Some(Command::SetValue { character, path, value }) if *character == number => {
                (now.with_value(path, value), spec.path.as_ref())
            }
            Some(Command::ReplaceController { character, controller }) if *character == number => {
                (Ok((**controller).clone()), spec.controller.as_ref())
            }
            Some(Command::Command { character, name, value }) if *character == number => {
                if let Err(error) = now_told.set(name, *value) {
                    let place = spec.command.as_ref().map_or(0..0, Spanned::span);
                    errors.push(told(files, place, &error));
                }
                continue;
            }
            Some(Command::Follow { character, name, track }) if *character == number => {
                if let Err(error) = now_told.set(name, track.value(0.0)) {
                    let place = spec.command.as_ref().map_or(0..0, Spanned::span);
                    errors.push(told(files, place, &error));
                }
                continue;
            }
            Some(_) | None => continue,
        };
        let tried = next.and_then(|next| character.expect_controller(&next).map(|()| next));
        match (tried, place) {
            (Ok(next), _) => now = next,
            (Err(mistakes), Some(place)) if spec.kind == EventKind::Set => {
                errors.extend(mistakes.iter().map(|mistake| {
                    let error = FileError::new(&files.scene_source, place.span(), &mistake.message);
                    FileError { help: mistake.help.clone(), ..error }
                }));
            }
            (Err(mistakes), _) => errors.extend(mistakes),
        }
    }
    errors
}

/// The mistake of a command that the controller rejects.
pub(super) fn told(files: &SceneFiles, place: std::ops::Range<usize>, error: &CommandError) -> FileError {
    let mistake = FileError::new(&files.scene_source, place, error.to_string());
    match error {
        CommandError::Unknown { name, known } => mistake.suggest(name, known.iter().map(String::as_str)),
        _ => mistake,
    }
}

impl EventSpec {
    /// Index of the affected character; `name` is that of the event.
    ///
    /// # Errors
    /// If the name is unknown, or missing although there are several characters.
    pub fn whom(&self, files: &SceneFiles, name: &Spanned<String>) -> Result<usize, FileError> {
        let characters = &files.scene.characters;
        let known = || characters.keys().map(|known| known.get_ref().as_str());
        let Some(wanted) = &self.character else {
            if characters.len() > 1 {
                let all: Vec<String> = known().map(|name| format!("`{name}`")).collect();
                let message = format!("the scene has {} characters: name one with `character`", all.len());
                let error = FileError::new(&files.scene_source, name.span(), message).label("this event");
                return Err(error.help(format!("they are {}", all.join(", "))));
            }
            return Ok(0);
        };
        characters.get_index_of(wanted.get_ref().as_str()).ok_or_else(|| {
            let message = format!("there is no character `{wanted}`");
            FileError::new(&files.scene_source, wanted.span(), message).suggest(wanted.get_ref(), known())
        })
    }
}

fn push(
    files: &SceneFiles,
    spec: &EventSpec,
    character: usize,
    bodies: &[Model],
    dt: f64,
) -> Result<Option<Push>, FileError> {
    let Some(field) = &spec.body else { return Ok(None) };
    let Some(model) = bodies.get(character) else { return Ok(None) };
    let choice = field.bind(&files.scene_source, &ModelNames(model))?;
    let body = choice.fixed().ok_or_else(|| {
        let message = "a push acts on one body: give its name";
        FileError::new(&files.scene_source, field.span(), message)
    })?;
    let offset = spec.point.as_ref().map_or([0.0; 3], |point| *point.get_ref());
    let point = model.bodies[body.0].inertia.centre + Vector3::from(offset);
    let force = spec.push_force(dt);
    Ok(Some(Push { character, body, point, force, torque: Vector3::zeros() }))
}

/// Binds the effects of events on passive objects. A constraint that an event enables first is disabled until
/// then.
pub(crate) fn bind_objects(
    files: &SceneFiles,
    passive: &mut PassiveWorld,
    events: &mut [Event],
) -> Result<(), Vec<FileError>> {
    let dt = *files.scene.dt.get_ref();
    let mut errors = Vec::new();
    for (spec, event) in files.scene.events.values().zip(events.iter_mut()) {
        let Some(wanted) = &spec.passive else { continue };
        let Some(object) = passive.objects.iter().position(|object| object.name == *wanted.get_ref()) else {
            continue;
        };
        if spec.kind == EventKind::Push {
            match push_on(files, spec, &passive.objects[object], dt) {
                Ok(push) => event.object = Some(push),
                Err(error) => errors.push(error),
            }
        }
        let kinds = [(&spec.constraint, SwitchKind::Constraint), (&spec.spring, SwitchKind::Spring)];
        for (wanted, kind) in kinds {
            let Some(wanted) = wanted else { continue };
            match switched(wanted, kind, passive, object, &files.scene_source) {
                Ok(number) => {
                    let system = passive.objects[object].system;
                    let (on, is_lasting) = (spec.kind == EventKind::Enable, spec.duration.is_none());
                    event.switch = Some(ObjectSwitch { system, number, on, is_lasting });
                }
                Err(error) => errors.push(error),
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    disable_until_enabled(passive, events);
    Ok(())
}

/// Index of the constraint or spring with this name.
fn switched(
    wanted: &Spanned<String>,
    kind: SwitchKind,
    passive: &mut PassiveWorld,
    object: usize,
    source: &Source,
) -> Result<usize, FileError> {
    let switches = passive.switches(object);
    let fits = |switch: &&SwitchableElement| switch.kind == kind && switch.name == *wanted.get_ref();
    if let Some(switch) = switches.iter().find(fits) {
        return Ok(switch.number);
    }
    let what = if kind == SwitchKind::Spring { "spring" } else { "constraint" };
    let object = &passive.objects[object].name;
    let message = format!("`{object}` has no {what} `{wanted}` that can be enabled or disabled");
    let error = FileError::new(source, wanted.span(), message);
    let known = switches.iter().filter(|switch| switch.kind == kind);
    Err(error.suggest(wanted.get_ref(), known.map(|switch| switch.name.as_str())))
}

/// Sets each switch to the opposite of its first change.
fn disable_until_enabled(passive: &mut PassiveWorld, events: &[Event]) {
    let mut first: Vec<(&ObjectSwitch, u64)> = Vec::new();
    for event in events {
        let Some(switch) = &event.switch else { continue };
        let same = |(other, _): &&mut (&ObjectSwitch, u64)| {
            (other.system, other.number) == (switch.system, switch.number)
        };
        match first.iter_mut().find(same) {
            Some(known) if event.frames.start < known.1 => *known = (switch, event.frames.start),
            Some(_) => {}
            None => first.push((switch, event.frames.start)),
        }
    }
    for (switch, _) in first {
        passive.turn(switch.system, switch.number, !switch.on);
    }
}

fn push_on(
    files: &SceneFiles,
    spec: &EventSpec,
    object: &PassiveObject,
    dt: f64,
) -> Result<ObjectPush, FileError> {
    let part = match (&spec.part, &spec.passive) {
        (Some(part), _) => {
            object.part_names.iter().position(|name| name == part.get_ref()).ok_or_else(|| {
                let message = format!("`{}` has no part `{part}`", object.name);
                let error = FileError::new(&files.scene_source, part.span(), message);
                error.suggest(part.get_ref(), object.part_names.iter().map(String::as_str))
            })?
        }
        (None, Some(name)) if object.part_names.len() != 1 => {
            let message = format!("`{name}` has {} parts: name one with `part`", object.part_names.len());
            return Err(FileError::new(&files.scene_source, name.span(), message));
        }
        (None, _) => 0,
    };
    let local = spec.point.as_ref().map_or([0.0; 3], |point| *point.get_ref());
    Ok(ObjectPush {
        system: object.system,
        part: PartId(object.parts.start + part),
        local: Vector3::from(local),
        force: spec.push_force(dt),
    })
}

#[cfg(test)]
mod tests;
