//! From the events of a scene's file to those of its world.

use super::{EventSpec, SceneFiles};
use crate::controller::quantity::ModelNames;
use crate::language::diagnostic::FileError;
use crate::model::Model;
use crate::world::event::{Event, Push};
use nalgebra::Vector3;

/// Binds the events of a scene, in file order.
pub fn bind(files: &SceneFiles, model: &Model) -> Result<Vec<Event>, Vec<FileError>> {
    let dt = *files.scene.dt.get_ref();
    let mut errors = Vec::new();
    let mut events = Vec::new();
    for (name, spec) in &files.scene.events {
        match push(files, spec, model, dt) {
            Ok(push) => {
                let (name, frames) = (name.get_ref().clone(), spec.frames(dt));
                events.push(Event { name, frames, push, is_passing: false });
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(events) } else { Err(errors) }
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
