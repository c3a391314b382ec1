//! From the events of a scene's file to those of its world.

use super::{EventKind, EventSpec, SceneFiles};
use crate::controller::quantity::ModelNames;
use crate::language::diagnostic::{FileError, FileErrors};
use crate::model::Model;
use crate::passive::{ObjectPush, PartId, PassiveObject, PassiveWorld, Switch, SwitchKind};
use crate::world::event::{Event, ObjectSwitch, Push};
use nalgebra::Vector3;

/// Binds the events of a scene, in file order.
pub fn bind(files: &SceneFiles, model: &Model) -> Result<Vec<Event>, FileErrors> {
    let dt = *files.scene.dt.get_ref();
    let mut errors = Vec::new();
    let mut events = Vec::new();
    for (name, spec) in &files.scene.events {
        match push(files, spec, model, dt) {
            Ok(push) => {
                let (name, frames) = (name.get_ref().clone(), spec.frames(dt));
                events.push(Event { name, frames, push, object: None, switch: None, is_passing: false });
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(events) } else { Err(errors.into()) }
}

fn push(files: &SceneFiles, spec: &EventSpec, model: &Model, dt: f64) -> Result<Option<Push>, FileError> {
    let Some(field) = &spec.body else { return Ok(None) };
    let choice = field.bind(&files.scene_source, &ModelNames(model))?;
    let body = choice.fixed().ok_or_else(|| {
        let message = "a push acts on one body: give its name";
        FileError::new(&files.scene_source, field.span(), message)
    })?;
    let offset = spec.point.as_ref().map_or([0.0; 3], |point| *point.get_ref());
    let point = model.bodies[body.0].inertia.centre + Vector3::from(offset);
    let force = spec.push_force(dt);
    Ok(Some(Push { character: 0, body, point, force, torque: Vector3::zeros() }))
}

/// Binds what events do to passive objects. What an event enables first is disabled until then.
pub fn bind_objects(
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
            let switches = passive.switches(object);
            let fits = |switch: &&Switch| switch.kind == kind && switch.name == *wanted.get_ref();
            match switches.iter().find(fits) {
                Some(switch) => {
                    let changes = spec.changes(dt, spec.kind == EventKind::Enable).collect();
                    let (system, number) = (passive.objects[object].system, switch.number);
                    event.switch = Some(ObjectSwitch { system, number, changes });
                }
                None => {
                    let what = if kind == SwitchKind::Spring { "spring" } else { "constraint" };
                    let object = &passive.objects[object].name;
                    let message = format!("`{object}` has no {what} `{wanted}` that can be switched");
                    let error = FileError::new(&files.scene_source, wanted.span(), message);
                    let known = switches.iter().filter(|switch| switch.kind == kind);
                    errors.push(error.suggest(wanted.get_ref(), known.map(|switch| switch.name.as_str())));
                }
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut first: Vec<(&ObjectSwitch, u64, bool)> = Vec::new();
    for switch in events.iter().filter_map(|event| event.switch.as_ref()) {
        for (frame, on) in &switch.changes {
            let same = |(other, ..): &&mut (&ObjectSwitch, u64, bool)| {
                (other.system, other.number) == (switch.system, switch.number)
            };
            match first.iter_mut().find(same) {
                Some(known) if *frame < known.1 => *known = (switch, *frame, *on),
                Some(_) => {}
                None => first.push((switch, *frame, *on)),
            }
        }
    }
    for (switch, _, on) in first {
        passive.turn(switch.system, switch.number, !on);
    }
    Ok(())
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
