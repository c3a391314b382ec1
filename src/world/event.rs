//! What happens from outside, and when.

use crate::controller::quantity::ModelNames;
use crate::language::diagnostic::{FileError, FileErrors};
use crate::model::{BodyId, Model};
use crate::predict::ExternalForce;
use crate::scene::{EventKind, EventSpec, SceneFiles};
use crate::snapshot::Snapshot;
use nalgebra::Vector3;
use std::ops::Range;

/// What a force on the character comes from, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An event of the scene.
    Event(usize),
    /// A passive thing that touched it.
    Passive(usize),
}

/// An event, bound. What it does to surfaces and objectives is in their own courses over time, so that a frame
/// depends on nothing but its number.
#[derive(Clone, Debug)]
pub struct Event {
    pub name: String,
    /// Frames in which it acts; of a change that lasts, the first alone.
    pub frames: Range<u64>,
    /// What it does to the character's body, if it is a push.
    pub push: Option<Push>,
}

/// A push, bound.
#[derive(Clone, Debug)]
pub struct Push {
    pub body: BodyId,
    /// Body frame, m.
    pub point: Vector3<f64>,
    /// World, N.
    pub force: Vector3<f64>,
}

impl Push {
    /// The force on the body where it is now.
    pub fn force(&self, snapshot: &Snapshot) -> ExternalForce {
        let point = snapshot.kinematics.point(self.body, &self.point);
        ExternalForce { body: self.body, point, force: self.force, torque: Vector3::zeros() }
    }
}

/// Binds the events of a scene, in file order.
pub fn bind(files: &SceneFiles, model: &Model) -> Result<Vec<Event>, FileErrors> {
    let dt = *files.scene.dt.get_ref();
    let mut errors = Vec::new();
    let mut events = Vec::new();
    for (name, spec) in &files.scene.events {
        match push(files, spec, model, dt) {
            Ok(push) => {
                events.push(Event { name: name.get_ref().clone(), frames: spec.frames(dt), push });
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
    Ok(Some(Push { body, point, force: spec.push_force(dt) }))
}

/// Name and one sentence on each kind of event, for `aplomb list`.
pub fn list() -> Vec<(&'static str, &'static str)> {
    EventKind::ALL.into_iter().map(|kind| (kind.name(), kind.about())).collect()
}
