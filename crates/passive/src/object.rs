//! Passive objects made by programs, and their addition to a running world.

use super::articulated::{self, ArticulatedObject};
use super::chain::ChainObject;
use super::coupling::HeldPoints;
use super::particles::ParticleObject;
use super::{
    Environment, KinematicCharacter, KinematicPose, NamedSystem, ObjectSurface, PartId, PassiveError,
    PassiveObject, PassiveSystem, PassiveWorld, StepStatus,
};
use aplomb_body::model::Model;
use aplomb_math::extent;
use nalgebra::Vector3;
use std::ops::Range;

/// A passive object to be made.
///
/// ```
/// # mod aplomb {
/// #     pub use aplomb_passive as passive;
/// # }
/// use aplomb::passive::{Environment, Passive, PassiveSettings, PassiveWorld};
/// use nalgebra::Vector3;
///
/// let settings = PassiveSettings::default();
/// let around = Environment::empty(Vector3::new(0.0, 0.0, -9.81), &settings);
/// let mut world = PassiveWorld::new(&around);
/// let points = vec![Vector3::new(0.0, 0.0, 2.0), Vector3::new(1.0, 0.0, 2.0)];
/// let chain = world.add("chain", Passive::chain(points, 10, 0.5), &around)?;
/// for _ in 0..10 {
///     world.step(0.01);
/// }
/// assert!(world.whole(chain).com.z < 2.0);
/// # Ok::<(), aplomb::passive::PassiveError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "few are made, each of them once")]
pub enum Passive {
    /// Rigid bodies with joints, from a model.
    Articulated(ArticulatedObject),
    /// A stiff chain of rigid bodies.
    Chain(ChainObject),
    /// Particles joined by sticks: ropes, cloth, soft bodies.
    Particles(ParticleObject),
    /// A system of one object that a program has written itself: `examples/passive_method.rs`.
    Own(NamedSystem),
}

impl Passive {
    /// Bodies with unactuated joints: a ragdoll, a ball, a crate, a door.
    pub fn articulated(model: Model) -> ArticulatedObject {
        ArticulatedObject::new(model)
    }

    /// Rigid links in a row: this many between consecutive points (m), with a mass of `mass` kg together. The
    /// first end is fixed.
    pub fn chain(points: Vec<Vector3<f64>>, links: usize, mass: f64) -> ChainObject {
        ChainObject::new(points, links, mass)
    }

    /// A straight rope of particles between two positions (m), with its first end fixed.
    ///
    /// # Errors
    /// Numbers that do not define a rope.
    pub fn rope(ends: [Vector3<f64>; 2], sticks: usize, mass: f64) -> Result<ParticleObject, PassiveError> {
        Ok(ParticleObject::rope(ends, sticks, (ends[1] - ends[0]).norm(), mass, [true, false])?)
    }

    /// A cloth with this number of rows and columns of particles and a mass of `mass` kg: its first row from `corner`
    /// along `sides[0]`, its first column along `sides[1]`, m. Particles at the rows and columns of `pins` are fixed.
    ///
    /// # Errors
    /// Numbers that do not define a cloth, and pins outside it.
    pub fn cloth(
        corner: Vector3<f64>,
        sides: [Vector3<f64>; 2],
        grid: [usize; 2],
        mass: f64,
        pins: &[[usize; 2]],
    ) -> Result<ParticleObject, PassiveError> {
        let weave = super::particles::Weave { shear: Some(0.0), bend: Some(0.0) };
        Ok(ParticleObject::cloth(corner, sides, grid, mass, weave, pins)?)
    }

    /// The surfaces for contacts of characters.
    ///
    /// # Errors
    /// Errors of the object.
    pub fn surfaces(&self) -> Result<Vec<ObjectSurface>, PassiveError> {
        match self {
            Passive::Articulated(object) => object.surfaces(),
            Passive::Chain(_) | Passive::Particles(_) | Passive::Own(_) => Ok(Vec::new()),
        }
    }

    /// The method's name in files.
    fn kind(&self) -> &'static str {
        match self {
            Passive::Articulated(_) => "articulated",
            Passive::Chain(_) => "chain",
            Passive::Particles(_) => "particles",
            Passive::Own(_) => "own",
        }
    }
}

impl From<ArticulatedObject> for Passive {
    fn from(object: ArticulatedObject) -> Self {
        Passive::Articulated(object)
    }
}

impl From<ChainObject> for Passive {
    fn from(object: ChainObject) -> Self {
        Passive::Chain(object)
    }
}

impl From<ParticleObject> for Passive {
    fn from(object: ParticleObject) -> Self {
        Passive::Particles(object)
    }
}

impl From<NamedSystem> for Passive {
    fn from(system: NamedSystem) -> Self {
        Passive::Own(system)
    }
}

impl PassiveWorld {
    /// A world without objects, with the characters and surfaces of an environment; later additions need the
    /// same environment.
    pub fn new(around: &Environment<'_>) -> Self {
        let mut world = PassiveWorld::default();
        world.longest = around.settings.dt;
        world.poses = around.characters.iter().map(KinematicPose::at_rest).collect();
        world.is_dynamic = vec![false; around.characters.len()];
        if around.characters.iter().any(|character| character.may_be_dynamic) {
            world.articulated(around);
        }
        world
    }

    /// Adds an object between two frames and returns its index. Existing indices of objects and systems do
    /// not change.
    ///
    /// # Errors
    /// A name that is already used, and errors of the object; then nothing is added.
    pub fn add(
        &mut self,
        name: &str,
        object: impl Into<Passive>,
        around: &Environment<'_>,
    ) -> Result<usize, PassiveError> {
        if self.objects.iter().any(|other| other.name == name) {
            return Err(PassiveError::NameTaken { name: name.into() });
        }
        let object = object.into();
        let kind = object.kind();
        let (system, parts, part_names) = match &object {
            Passive::Articulated(object) => {
                let of = object.system()?;
                near(of.model.body_poses(&of.state.q).iter().map(|pose| pose.translation.vector))?;
                let names: Vec<String> = of.model.bodies.iter().map(|body| body.name.clone()).collect();
                let system = self.articulated(around);
                let parts = self.systems[system].as_articulated().map(|host| host.add_object(of));
                (system, parts.unwrap_or_default(), names)
            }
            Passive::Chain(object) => self.alone(object.system(around)?)?,
            Passive::Particles(object) => self.alone(object.system(around)?)?,
            Passive::Own(system) => self.alone(system.clone())?,
        };
        let full = part_names.iter().map(|part| format!("{name}.{part}"));
        self.part_names[system].extend(full);
        self.objects.push(PassiveObject { name: name.into(), kind, system, parts, part_names });
        Ok(self.objects.len() - 1)
    }

    fn alone(&mut self, of: NamedSystem) -> Result<(usize, Range<usize>, Vec<String>), PassiveError> {
        let NamedSystem { system, part_names } = of;
        near((0..system.parts()).map(|part| system.part(PartId(part)).position))?;
        Ok((self.add_system(system), 0..part_names.len(), part_names))
    }

    /// The system of all articulated objects; it is made if it does not exist.
    fn articulated(&mut self, around: &Environment<'_>) -> usize {
        let known = self.systems.iter_mut().position(|system| system.as_articulated().is_some());
        known.unwrap_or_else(|| {
            let mut world = articulated::ArticulatedWorld::among(around);
            world.add_characters(around);
            self.add_system(Box::new(world))
        })
    }

    fn add_system(&mut self, system: Box<dyn PassiveSystem>) -> usize {
        let index = self.systems.len();
        if self.host.is_none() && system.ragdolls().is_some() {
            self.host = Some(index);
        }
        self.systems.push(system);
        self.status.push(StepStatus::Solved);
        self.part_names.push(Vec::new());
        self.couplings.push(HeldPoints::default());
        index
    }

    /// Adds a character between two frames and returns its index. `around` contains the other characters and
    /// this one.
    pub fn add_character(&mut self, character: &KinematicCharacter<'_>, around: &Environment<'_>) -> usize {
        for colliders in self.systems.iter_mut().filter_map(|system| system.colliders_mut()) {
            colliders.add_character(character);
        }
        self.poses.push(KinematicPose::at_rest(character));
        self.is_dynamic.push(false);
        if character.may_be_dynamic {
            self.articulated(around);
        }
        self.poses.len() - 1
    }
}

/// # Errors
/// A point that is farther from the origin than the accuracy of numbers allows.
fn near(points: impl IntoIterator<Item = Vector3<f64>>) -> Result<(), PassiveError> {
    extent::too_far(points).map_or(Ok(()), |distance| Err(PassiveError::TooFar { distance }))
}
