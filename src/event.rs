//! What happens to the character from outside, and when.

use crate::diagnostic::FileError;
use crate::model::{BodyId, Model};
use crate::predict::ExternalForce;
use crate::quantity::ModelNames;
use crate::scene::SceneFiles;
use crate::sense::Sense;
use nalgebra::Vector3;
use std::ops::Range;

/// What a force on the character comes from, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An event of the scene.
    Push(usize),
    /// A passive thing that touched it.
    Thing(usize),
}

/// A push, bound.
#[derive(Clone, Debug)]
pub struct Push {
    pub name: String,
    pub body: BodyId,
    /// Body frame, m.
    pub point: Vector3<f64>,
    /// World, N.
    pub force: Vector3<f64>,
    pub frames: Range<u64>,
}

impl Push {
    /// The force on the body where it is now.
    pub fn force(&self, sense: &Sense) -> ExternalForce {
        let point = sense.kinematics.point(self.body, &self.point);
        ExternalForce { body: self.body, point, force: self.force, torque: Vector3::zeros() }
    }
}

/// Binds the events of a scene, in file order.
pub fn bind(files: &SceneFiles, model: &Model) -> Result<Vec<Push>, Vec<FileError>> {
    let dt = *files.scene.dt.get_ref();
    let mut errors = Vec::new();
    let mut pushes = Vec::new();
    for (name, push) in &files.scene.events {
        match push.body.bind(&files.scene_source, &ModelNames(model)) {
            Ok(choice) => match choice.fixed() {
                Some(body) => pushes.push(Push {
                    name: name.get_ref().clone(),
                    body,
                    point: model.bodies[body.0].inertia.centre + Vector3::from(*push.point.get_ref()),
                    force: push.force(dt),
                    frames: push.frames(dt),
                }),
                None => errors.push(FileError::new(
                    &files.scene_source,
                    push.body.span(),
                    "a push acts on one body: give its name",
                )),
            },
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(pushes) } else { Err(errors) }
}

/// Name and one sentence on each kind of event, for `aplomb list`.
pub fn list() -> &'static [(&'static str, &'static str)] {
    &[(
        "push",
        "A constant force on a body for a while, given as `impulse` or `force`: a shove, a gust, a bump.",
    )]
}
