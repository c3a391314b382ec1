//! The ground and the obstacles of a scene as surfaces with trajectories.

use super::check::GROUND;
use super::motion::MotionSpec;
use super::spec::SceneSpec;
use aplomb_body::contact::{Surface, SurfaceShape, Trajectory};
use aplomb_body::model::Model;
use aplomb_language::diagnostic::Source;
use nalgebra::{UnitQuaternion, Vector3};
use std::sync::Arc;

impl SceneSpec {
    /// Names of the passive objects, in file order.
    pub(crate) fn object_names(&self) -> Vec<Arc<str>> {
        self.passive.keys().map(|name| name.get_ref().as_str().into()).collect()
    }

    /// The surfaces of passive objects that characters push. `models`: the bodies in the files of each object.
    pub(crate) fn surfaces_of_objects(&self, source: &Source, models: &[Vec<Model>]) -> Vec<Surface> {
        let mut surfaces = Vec::new();
        for (object, ((name, spec), models)) in self.passive.iter().zip(models).enumerate() {
            // Characters hold an object with a hold, and push it only if its file says so.
            let is_held = self
                .holds
                .iter()
                .flat_map(|holds| holds.get_ref().at.values())
                .any(|hold| hold.on.as_ref().is_some_and(|on| on.get_ref() == name.get_ref()));
            let own = spec.surfaces(models, source).into_iter();
            let own = own.filter(|surface| surface.slow.is_none() || !is_held);
            surfaces.extend(own.map(|surface| surface.of(object, name.get_ref())));
        }
        surfaces
    }

    /// Names of the characters, in file order, if there is more than one.
    pub(crate) fn character_names(&self) -> Vec<Arc<str>> {
        let names = self.characters.keys().map(|name| name.get_ref().as_str().into());
        if self.characters.len() > 1 { names.collect() } else { Vec::new() }
    }

    /// Index of the ground or of an obstacle among the surfaces.
    pub(crate) fn surface_number(&self, name: &str) -> Option<usize> {
        if name == GROUND { Some(0) } else { Some(1 + self.obstacles.get_index_of(name)?) }
    }

    /// The ground first, then the obstacles in file order, each with its motion and its events.
    pub(crate) fn surfaces(&self) -> Vec<Surface> {
        let dt = *self.dt.get_ref();
        let floor = Vector3::new(0.0, 0.0, *self.ground.height.get_ref());
        let friction = *self.ground.friction.get_ref();
        let ground =
            Surface::new(GROUND, SurfaceShape::HalfSpace, floor, UnitQuaternion::identity(), friction);
        let ground = ground.on(self.course(GROUND, &self.ground.motion), dt);
        let boxes = self.obstacles.iter().map(|(name, obstacle)| {
            let [roll, pitch, yaw] = obstacle.rotation.as_ref().map_or([0.0; 3], |angles| *angles.get_ref());
            let name = name.get_ref();
            let mut surface = Surface::new(
                name,
                SurfaceShape::Box { half_lengths: Vector3::from(*obstacle.half_lengths.get_ref()) },
                Vector3::from(*obstacle.position.get_ref()),
                UnitQuaternion::from_euler_angles(roll, pitch, yaw),
                *obstacle.friction.as_ref().unwrap_or(&self.ground.friction).get_ref(),
            );
            surface.contact_weight = obstacle.contact_weight.as_ref().map(|weight| *weight.get_ref());
            surface.on(self.course(name, &obstacle.motion), dt)
        });
        std::iter::once(ground).chain(boxes).collect()
    }

    fn course(&self, name: &str, motion: &Option<MotionSpec>) -> Trajectory {
        let mut course = Trajectory::default();
        match motion {
            None => {}
            Some(MotionSpec::Sine(sine)) => course.swing(sine.swing()),
            Some(MotionSpec::Keyframes(path)) => course.path(path.path()),
        }
        let concerns = |of: &Option<aplomb_language::Spanned<String>>| {
            of.as_ref().is_some_and(|of| of.get_ref() == name)
        };
        for event in self.events.values().filter(|event| concerns(&event.obstacle)) {
            event.lay(&mut course, *self.dt.get_ref());
        }
        course
    }
}
