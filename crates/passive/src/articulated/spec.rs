//! Articulated objects of a scene: from the specification in a file to a world that contains all of them.

use super::object::{PushedByCharacters, place, prepare, surfaces};
use super::{Articulated, ArticulatedWorld, FollowSpec, LoopSpec};
use crate::PassiveSystem;
use crate::{
    Built, BuiltObject, FileEnvironment, NoPart, ObjectRequest, ObjectSurface, PassiveMethod, RestingPoint,
};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::{BodyId, Model, set_pose, set_rates};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_math::extent;
use indexmap::IndexMap;
use nalgebra::{UnitQuaternion, Vector3};
use serde::Deserialize;

/// Rigid bodies on unactuated joints.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ArticulatedSpec {
    /// MJCF file, relative to this file, or the name of a shipped passive object or character. Shapes fixed
    /// to the world are ignored.
    pub(crate) model: Spanned<String>,
    /// Displacement from the position in its model file, m.
    #[serde(default = "defaults::origin")]
    pub position: Spanned<[f64; 3]>,
    /// Rotation about the origin of its first body: roll, pitch and yaw about the world's x, y and z axes, in
    /// that order, rad.
    #[serde(default = "defaults::origin")]
    pub(crate) rotation: Spanned<[f64; 3]>,
    /// Joint positions that differ from the rest pose, by joint, rad or m.
    #[serde(default)]
    pub pose: IndexMap<Spanned<String>, Spanned<f64>>,
    /// Initial velocity of the centre of mass of floating bodies, m/s.
    #[serde(default = "defaults::origin")]
    pub(crate) velocity: Spanned<[f64; 3]>,
    /// Initial angular velocity of floating bodies, world axes, rad/s.
    #[serde(default = "defaults::origin")]
    pub(crate) angular_velocity: Spanned<[f64; 3]>,
    /// Initial rates of joints, by joint, rad/s or m/s.
    #[serde(default)]
    pub(crate) rates: IndexMap<Spanned<String>, Spanned<f64>>,
    /// Coefficient of restitution, 0 to 1; of two colliding objects the larger one applies. It does not apply
    /// to contacts with characters that push the object.
    #[serde(default = "defaults::zero")]
    pub restitution: Spanned<f64>,
    /// Friction coefficient of its shapes with other objects and characters, in place of the model file's; of
    /// two objects the larger one applies. On the ground and obstacles, theirs applies.
    pub(crate) friction: Option<Spanned<f64>>,
    /// Damping of all hinges and balls that have none in the file, N m s/rad.
    #[serde(default = "defaults::zero")]
    pub(crate) damping: Spanned<f64>,
    /// Whether contact forces between characters and the object are unknowns of the characters' frames, and the
    /// object responds in the same frame; `restitution` does not apply to these contacts. With `false` the object
    /// collides with the moving characters, and its forces on them are external. Without the key, the former while
    /// the object is slow (below 1 m/s where it is nearest) and has no hold, so that
    /// characters can stand on it, lean on it and push it, and the latter while it is fast or has a hold, and hands
    /// only bump into its sides: what palms lift by friction needs `true`.
    pub pushed_by_characters: Option<bool>,
    /// Weight that holds characters' contact points on it in place, instead of the scene's `contact_weight`;
    /// 0 for an object that is only bumped into, such as a ball that rolls against feet, which would
    /// otherwise stick to them.
    pub(crate) contact_weight: Option<Spanned<f64>>,
    /// Joints and points that follow a trajectory.
    #[serde(default)]
    pub follow: Vec<FollowSpec>,
    /// Joints that close loops between its bodies, or connect them to the world.
    #[serde(default)]
    pub(crate) loops: Vec<LoopSpec>,
}

impl PassiveMethod for ArticulatedSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        vec![&self.model]
    }

    fn aside(&self, by: f64) -> Option<String> {
        let [x, y, z] = *self.position.get_ref();
        Some(format!("position={:?}", [x + by, y, z]))
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut errors = Vec::new();
        let mut say = |span, message: String| errors.push(FileError::new(source, span, message));
        let vectors = [
            ("position", &self.position),
            ("rotation", &self.rotation),
            ("velocity", &self.velocity),
            ("angular_velocity", &self.angular_velocity),
        ];
        for (name, vector) in vectors {
            if !vector.get_ref().iter().all(|number| extent::is_usable(*number)) {
                say(vector.span(), format!("{name} must be finite, and at most 1e9"));
            }
        }
        for (name, value) in self.pose.iter().chain(&self.rates) {
            if !extent::is_usable(*value.get_ref()) {
                say(value.span(), format!("{} must be finite", name.get_ref()));
            }
        }
        let restitution = *self.restitution.get_ref();
        if !(0.0..=1.0).contains(&restitution) {
            say(self.restitution.span(), format!("restitution must be from 0 to 1, not {restitution}"));
        }
        let positive = [
            ("friction", self.friction.as_ref()),
            ("damping", Some(&self.damping)),
            ("contact_weight", self.contact_weight.as_ref()),
        ];
        for (name, value) in positive {
            if let Some(value) = value
                && !(extent::is_usable(*value.get_ref()) && *value.get_ref() >= 0.0)
            {
                say(value.span(), format!("{name} must be 0 or more, not {}", value.get_ref()));
            }
        }
        self.follow.iter().for_each(|follow| follow.check(source, &mut errors));
        self.loops.iter().for_each(|joint| joint.check(source, &mut errors));
        errors
    }

    fn point_on(
        &self,
        part: Option<&str>,
        local: Vector3<f64>,
        models: &[Model],
        source: &Source,
    ) -> Option<Result<RestingPoint, NoPart>> {
        let Some(Ok(system)) = models.first().map(|model| self.bind(model, source)) else {
            return Some(Err(NoPart::Broken));
        };
        let bodies = &system.model.bodies;
        let index = match part {
            Some(name) => bodies.iter().position(|body| body.name == name),
            None => Some(0).filter(|_| bodies.len() == 1),
        };
        let point = |part: usize| RestingPoint {
            part,
            local,
            position: system.kinematics.point(BodyId(part), &local),
        };
        let known = || bodies.iter().map(|body| body.name.clone()).collect();
        Some(index.map(point).ok_or_else(|| NoPart::Unknown(known())))
    }

    fn is_pushed(&self) -> bool {
        self.when_pushed().is_possible()
    }

    fn is_driven(&self) -> bool {
        !self.follow.is_empty()
    }

    fn surfaces(&self, models: &[Model], source: &Source) -> Vec<ObjectSurface> {
        if !self.is_pushed() {
            return Vec::new();
        }
        let Some(Ok(system)) = models.first().map(|model| self.bind(model, source)) else {
            return Vec::new();
        };
        let contact_weight = self.contact_weight.as_ref().map(|weight| *weight.get_ref());
        surfaces(&system, contact_weight, self.when_pushed())
    }

    fn is_needed(around: &FileEnvironment<'_>) -> bool {
        around.characters.iter().any(|character| character.may_be_dynamic)
    }

    fn build(
        members: &[ObjectRequest<'_, Self>],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<Built>, FileErrors> {
        let mut world = ArticulatedWorld::among(around);
        let mut objects = Vec::new();
        let mut errors = Vec::new();
        for member in members {
            match member.spec.bind(&member.models[0], around.source) {
                Ok(system) => {
                    let first = world.parts();
                    let part_names = system.model.bodies.iter().map(|body| body.name.clone()).collect();
                    let index = world.systems().len();
                    for follow in &member.spec.follow {
                        if let Some((motion, course)) =
                            follow.bind(index, &system, around.source, &mut errors)
                        {
                            world.follow(motion, course);
                        }
                    }
                    for spec in &member.spec.loops {
                        if let Some(joint) = spec.bind(index, &system, around.source, &mut errors) {
                            world.close_loop(joint);
                        }
                    }
                    world.add(system);
                    objects.push(BuiltObject {
                        object: member.object,
                        parts: first..world.parts(),
                        part_names,
                    });
                }
                Err(mistakes) => errors.extend(mistakes),
            }
        }
        if !errors.is_empty() {
            return Err(errors.into());
        }
        world.add_characters(around);
        Ok(vec![Built { system: Box::new(world), objects }])
    }
}

impl ArticulatedSpec {
    fn when_pushed(&self) -> PushedByCharacters {
        self.pushed_by_characters.map_or(PushedByCharacters::WhileSlow, Into::into)
    }

    /// Its bodies and their initial configuration; `None` if an error that is reported elsewhere prevents that.
    pub fn beginning(&self, model: &Model, source: &Source) -> Option<(Model, Kinematics)> {
        let Articulated { model, kinematics, .. } = self.bind(model, source).ok()?;
        Some((model, kinematics))
    }

    /// The object in its initial state.
    fn bind(&self, model: &Model, source: &Source) -> Result<Articulated, FileErrors> {
        let mut model = model.clone();
        let mut errors = Vec::new();
        let friction = self.friction.as_ref().map(|friction| *friction.get_ref());
        prepare(&mut model, friction, *self.damping.get_ref());
        let mut q = model.rest_configuration();
        let [roll, pitch, yaw] = *self.rotation.get_ref();
        let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
        place(&mut model, &mut q, &Vector3::from(*self.position.get_ref()), &turn);
        set_pose(&model, &self.pose, source, &mut q, &mut errors);
        let mut system = Articulated::new(model, q);
        system.restitution = *self.restitution.get_ref();
        set_rates(&system.model, &self.rates, source, &mut system.state.v, &mut errors);
        system.refresh();
        let [velocity, angular] =
            [&self.velocity, &self.angular_velocity].map(|vector| Vector3::from(*vector.get_ref()));
        if velocity != Vector3::zeros() || angular != Vector3::zeros() {
            if system.model.is_floating() {
                system.throw(&velocity, &angular);
            } else {
                let given =
                    if velocity == Vector3::zeros() { &self.angular_velocity } else { &self.velocity };
                let message = "this object is attached to the world, so it cannot have an initial velocity";
                let help = "give `rates` of its joints";
                errors.push(FileError::new(source, given.span(), message).help(help));
            }
        }
        if errors.is_empty() { Ok(system) } else { Err(errors.into()) }
    }
}

mod defaults {
    use aplomb_language::Spanned;

    fn given<T>(value: T) -> Spanned<T> {
        Spanned::new(0..0, value)
    }

    pub(super) fn origin() -> Spanned<[f64; 3]> {
        given([0.0; 3])
    }

    pub(super) fn zero() -> Spanned<f64> {
        given(0.0)
    }
}
