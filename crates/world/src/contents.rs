//! The world: its characters, passive objects, surfaces and holds.

use super::actor::{Actor, bias_velocity};
use super::character::{Character, CharacterError, CharacterOptions, UnknownName};
use super::division::Division;
use super::event::Event;
use super::islands::Islands;
use super::record::WorldRecord;
use super::result::{FrameResult, Results, WorldResult};
use super::scenery::Scenery;
use super::settings::WorldSettings;
use super::start::{StartPose, StartPoseError};
use super::unread::UnreadValue;
use crate::controller::quantity::Measure;
use crate::controller::{CommandError, ControllerFile};
use aplomb_body::contact::grip::{BodyPoint, Hold};
use aplomb_body::contact::{Pose, Surface, bodies_of};
use aplomb_body::model::Model;
use aplomb_body::model::state::State;
use aplomb_control::snapshot::{SensedObject, Snapshot};
use aplomb_language::diagnostic::{FileErrors, Source};
use aplomb_math::extent::FARTHEST;
use aplomb_passive::{
    Environment, FileEnvironment, KinematicCharacter, Part, Passive, PassiveError, PassiveSettings,
    PassiveSpec, PassiveWorld, RestingPoint,
};
use aplomb_qp::solver::UnknownSolver;
use nalgebra::Vector3;

/// Height of the COM, as a share of that in the rest pose, below which a character has fallen.
pub const FALLEN: f64 = 0.6;

/// Number of a character in a world, in the order of addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CharacterId(pub usize);

/// Number of a surface in a world: the ground is 0, then the obstacles in the order given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub usize);

/// Why a world cannot be built, or cannot execute a command.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WorldError {
    /// A number out of its range; the string names it.
    #[error("{0}")]
    BadValue(&'static str),
    /// An object is too far from the origin for floating-point accuracy.
    #[error("`{name}` is {distance:.1} m from the origin, farther than {FARTHEST} m")]
    TooFar {
        /// Name of the character, obstacle or hold.
        name: String,
        /// Distance from the origin, m.
        distance: f64,
    },
    /// Another character, obstacle or hold has this name.
    #[error("the name `{0}` is taken")]
    NameTaken(String),
    /// The requested solver does not exist or is not in this build.
    #[error(transparent)]
    Solver(#[from] UnknownSolver),
    /// A character cannot be created.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// Faults of the start pose, at least one.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    StartPose(Vec<StartPoseError>),
    /// A name that no object in the world has.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// A command that the controller does not accept.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// A passive object cannot be created.
    #[error(transparent)]
    PassiveObject(#[from] PassiveError),
    /// A state or a checkpoint of another world.
    #[error("{0} of another model or world")]
    Foreign(&'static str),
}

/// Characters, passive objects, surfaces and holds, and the number of the next frame.
///
/// Each character has its own problem: it senses surfaces, holds and passive objects, and passes through
/// other characters unless the settings have a friction between characters; then characters near each other
/// are one problem. Ragdolls collide with characters in any case.
pub struct World {
    pub(super) settings: WorldSettings,
    /// Number of the next frame.
    pub(super) index: u64,
    /// How the frame is divided.
    pub(super) division: Division,
    pub(super) actors: Vec<Actor>,
    pub(super) passive: PassiveWorld,
    /// Events in the order given.
    pub(super) events: Vec<Event>,
    pub(super) scenery: Scenery,
    pub(super) record: WorldRecord,
    pub(super) parallel: bool,
    pub(super) observed: Observed,
    /// Names of the characters, for records.
    pub(super) names: Vec<String>,
    pub(super) islands: Islands,
    pub(super) unread: Vec<UnreadValue>,
    passive_settings: PassiveSettings,
}

/// Observations of passive objects and of other characters, for all characters; kept from frame to frame.
#[derive(Clone, Default)]
pub(super) struct Observed {
    /// Whether the observations are those of the next frame.
    pub is_current: bool,
    pub objects: Vec<SensedObject>,
    pub characters: Vec<SensedObject>,
    /// Positions, m, and velocities, m/s, of the attachment points of passive objects.
    pub attachments: Vec<(Vector3<f64>, Vector3<f64>)>,
    /// Parts of passive objects that are surfaces of characters, in the order of these surfaces.
    pub seats: Vec<Part>,
    /// Bodies of each character that others can touch; empty for ragdolls, and empty where characters pass
    /// through each other.
    pub bodies: Vec<Vec<Part>>,
    /// Points of characters that can be held, with their positions, m, and velocities, m/s.
    pub borne: Vec<(BodyPoint, Vector3<f64>, Vector3<f64>)>,
}

impl World {
    /// A world with these surfaces and holds, without characters and objects.
    pub fn new(settings: WorldSettings, surfaces: Vec<Surface>, holds: Vec<Hold>) -> Self {
        let scenery = Scenery::new(&settings, surfaces, holds);
        World {
            record: WorldRecord::new(&scenery),
            scenery,
            settings,
            index: 0,
            division: Division::default(),
            actors: Vec::new(),
            passive: PassiveWorld::default(),
            events: Vec::new(),
            parallel: false,
            observed: Observed::default(),
            names: Vec::new(),
            islands: Islands::default(),
            unread: Vec::new(),
            passive_settings: PassiveSettings::default(),
        }
    }

    /// Replaces the passive world, which has no objects yet, by one with these settings.
    pub(super) fn set_passive_settings(&mut self, settings: PassiveSettings) {
        self.passive_settings = settings;
        let around = environment(&self.settings, &self.passive_settings, &self.scenery, &[]);
        self.passive = PassiveWorld::new(&around);
    }

    /// Whether the records of each character show the other characters, as passive objects that are
    /// characters.
    pub fn show_others(&mut self, show: bool) {
        self.record.shows_bodies = show;
    }

    /// Whether characters are solved in parallel; the results are the same bytes.
    pub fn set_parallel(&mut self, parallel: bool) {
        self.parallel = parallel;
    }

    /// Adds a character with a model, a controller and a pose.
    ///
    /// # Errors
    /// A world that has already run, a controller with names that the model or the world does not have, and
    /// an impossible pose.
    pub fn add_character(
        &mut self,
        model: Model,
        controller: ControllerFile,
        pose: StartPose,
    ) -> Result<CharacterId, WorldError> {
        let name = match self.actors.len() {
            0 => "character".to_string(),
            number => format!("character {}", number + 1),
        };
        let options = CharacterOptions { name, ..CharacterOptions::default() };
        self.add_character_with(model, controller, pose, options)
    }

    /// Adds a character with a name and options.
    ///
    /// # Errors
    /// Those of [`World::add_character`], and a name that another character already has.
    pub fn add_character_with(
        &mut self,
        model: Model,
        controller: ControllerFile,
        pose: StartPose,
        options: CharacterOptions,
    ) -> Result<CharacterId, WorldError> {
        if self.actors.iter().any(|actor| actor.character.name == options.name) {
            return Err(WorldError::NameTaken(options.name));
        }
        let Snapshot { contacts, grips, .. } = &self.scenery.snapshot;
        let (surfaces, holds) = (contacts.surfaces.clone(), grips.holds.clone());
        let mut options = options;
        let present = self.passive.objects.iter().map(|object| object.name.as_str().into());
        options.objects.splice(0..0, present.collect::<Vec<_>>());
        if let Some(friction) = self.settings.friction_between_characters {
            let others = self.actors.iter().enumerate();
            options.bodies = others
                .flat_map(|(number, Actor { character, .. })| {
                    bodies_of(&character.model, number, &character.name, friction)
                })
                .collect();
        }
        let state = pose.state(&model, &surfaces, &holds).map_err(WorldError::StartPose)?;
        let felt = surfaces.into_iter().chain(self.scenery.pushed.iter().cloned()).collect();
        let character = Character::new(model, controller, state, options, &self.settings, felt, holds)?;
        let id = self.insert(character);
        self.actors[id.0].take_hold();
        let World { actors, passive, settings, passive_settings, scenery, .. } = self;
        let characters: Vec<KinematicCharacter<'_>> = actors.iter().map(Actor::kinematic).collect();
        let around = environment(settings, passive_settings, scenery, &characters);
        if let Some(newest) = characters.last() {
            passive.add_character(newest, &around);
        }
        self.make_room_for_records();
        self.observed.is_current = false;
        Ok(id)
    }

    /// Adds a passive object between two frames and returns its number.
    ///
    /// # Errors
    /// A name that is already used, or faults of the object (all of them); then nothing is added.
    pub fn add_passive(&mut self, name: &str, object: impl Into<Passive>) -> Result<usize, WorldError> {
        let World { actors, passive, settings, passive_settings, scenery, .. } = self;
        let characters: Vec<KinematicCharacter<'_>> = actors.iter().map(Actor::kinematic).collect();
        let around = environment(settings, passive_settings, scenery, &characters);
        let object = object.into();
        let surfaces = object.surfaces()?;
        let number = passive.add(name, object, &around)?;
        // A scene's objects are known before they exist.
        let unknown = actors.iter_mut().map(|actor| &mut actor.character.object_names);
        unknown.filter(|names| names.len() == number).for_each(|names| names.push(name.into()));
        self.scenery.pushed.extend(surfaces.into_iter().map(|surface| surface.of(number, name)));
        self.make_room_for_records();
        self.observed.is_current = false;
        Ok(number)
    }

    /// Inserts a character that was created for this world.
    pub fn insert(&mut self, mut character: Character) -> CharacterId {
        self.names.push(character.name.clone());
        let pushed = character.snapshot.contacts.surfaces.iter().filter(|surface| surface.seat.is_some());
        let known = self.scenery.pushed.len();
        self.scenery.pushed.extend(pushed.skip(known).cloned());
        let number = self.actors.len();
        character.number = number;
        character.snapshot.number = Some(number);
        self.actors.push(Actor::new(character));
        CharacterId(number)
    }

    /// Adds events; each acts at its time.
    pub fn insert_events(&mut self, events: impl IntoIterator<Item = Event>) {
        self.events.extend(events);
    }

    /// Makes the characters grip the holds of their start states.
    pub fn take_hold(&mut self) {
        // The positions of holds on characters depend on the poses of the characters.
        self.observe();
        self.observed.is_current = false;
        self.actors.iter_mut().for_each(Actor::take_hold);
    }

    /// Builds all passive objects, with the existing characters as their surroundings.
    ///
    /// # Errors
    /// Faults of the objects' tables or models, with their places.
    pub fn set_passive<'a>(
        &mut self,
        specs: impl Iterator<Item = (&'a str, &'a PassiveSpec)>,
        models: &[Vec<Model>],
        settings: PassiveSettings,
        source: &Source,
    ) -> Result<(), FileErrors> {
        let characters: Vec<KinematicCharacter<'_>> = self.actors.iter().map(Actor::kinematic).collect();
        let around = Environment {
            gravity: self.settings.gravity,
            settings: &settings,
            surfaces: self.scenery.surfaces(),
            characters: &characters,
        };
        self.passive = PassiveWorld::bind(specs, models, &FileEnvironment { source, around })?;
        self.passive_settings = settings;
        self.make_room_for_records();
        Ok(())
    }

    /// Makes a point of the passive object with this number a hold. Characters then no longer push the object while it
    /// is slow, because they hold it.
    #[doc(alias = "grasp point")]
    pub fn add_attachment(&mut self, object: usize, point: &RestingPoint) {
        self.passive.add_attachment(object, point);
        let of_actors =
            self.actors.iter_mut().map(|actor| &mut actor.character.snapshot.contacts.surfaces[..]);
        for surface in of_actors.chain([&mut self.scenery.pushed[..]]).flatten() {
            if surface.slow.is_some() && surface.seat.and_then(|seat| seat.object()) == Some(object) {
                (surface.slow, surface.present) = (None, false);
            }
        }
    }

    /// Reserves the records of forces and events, so that frames do not allocate memory.
    pub(super) fn make_room_for_records(&mut self) {
        let most = self.events.len() + self.passive.objects.len() + self.actors.len() + 1;
        self.actors.iter_mut().for_each(|actor| actor.make_room_for_records(most));
        self.record.make_room(&self.scenery, most);
    }

    /// Frame length, gravity, solver and built-in weights of the world.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// Time at the beginning of the next frame, s.
    pub fn time(&self) -> f64 {
        self.division.part.time(self.index, self.settings.dt)
    }

    /// Number of the next frame, from 0.
    pub fn frame_index(&self) -> u64 {
        self.index
    }

    /// The characters in the order of addition.
    pub fn characters(&self) -> impl ExactSizeIterator<Item = CharacterId> + use<> {
        (0..self.actors.len()).map(CharacterId)
    }

    /// # Panics
    /// If `id` is of another world.
    pub fn character(&self, id: CharacterId) -> &Character {
        &self.actors[id.0].character
    }

    /// # Panics
    /// If `id` is of another world.
    pub fn character_mut(&mut self, id: CharacterId) -> &mut Character {
        &mut self.actors[id.0].character
    }

    /// The character with this name.
    pub fn find_character(&self, name: &str) -> Option<CharacterId> {
        self.actors.iter().position(|actor| actor.character.name == name).map(CharacterId)
    }

    /// Passive objects in their current state.
    pub fn passive(&self) -> &PassiveWorld {
        &self.passive
    }

    /// Passive objects and their solvers, to be changed between frames.
    pub fn passive_mut(&mut self) -> &mut PassiveWorld {
        &mut self.passive
    }

    /// The scene's events, then those added while the world ran.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Ground and obstacles, at their positions in the last observed frame.
    pub fn surfaces(&self) -> &[Surface] {
        self.scenery.surfaces()
    }

    /// Surfaces of passive objects that characters press on, at their positions in the last observed frame;
    /// in a character's list of surfaces they follow the ground and obstacles.
    pub fn pushed_surfaces(&self) -> &[Surface] {
        &self.scenery.pushed
    }

    /// The obstacle with this name; the floor is `ground`.
    pub fn find_obstacle(&self, name: &str) -> Option<ObstacleId> {
        self.surfaces().iter().position(|surface| *surface.name == *name).map(ObstacleId)
    }

    /// Configuration, velocity and time of a character.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn state(&self, id: CharacterId) -> &State {
        &self.actors[id.0].character.snapshot.state
    }

    /// Current poses of a character's body frames, world axes, in model order, written to `poses`, whose
    /// memory is reused.
    ///
    /// # Panics
    /// If `id` is of another world.
    #[doc(alias = "forward kinematics")]
    pub fn body_poses(&self, id: CharacterId, poses: &mut Vec<Pose>) {
        let Character { model, snapshot, .. } = &self.actors[id.0].character;
        poses.clear();
        poses.extend(
            model
                .body_poses(&snapshot.state.q)
                .iter()
                .map(|pose| Pose { position: pose.translation.vector, orientation: pose.rotation }),
        );
    }

    /// Result of the last step for a character: its record with forces and costs, the controller's events,
    /// and run times.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn result(&self, id: CharacterId) -> &FrameResult {
        &self.actors[id.0].result
    }

    /// Result of the last step for the world: the record of passive objects and of objects that move on
    /// prescribed paths, and run times. It does not depend on the characters.
    pub fn world_result(&self) -> &WorldResult {
        &self.record.result
    }

    /// Results of the last step for the world and a character, or for a world without characters: the data
    /// from which a trace is written.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn results(&self, id: Option<CharacterId>) -> Results<'_> {
        let actor = id.map(|id| &self.actors[id.0]);
        // Without a previous velocity, steady motion is assumed.
        let asked = self.settings.synthesis.bias_velocity;
        let bias = bias_velocity(asked, self.record.result.frame.index, u32::MAX, false);
        Results {
            world: &self.record.result,
            character: actor.map(|actor| &actor.result),
            own: actor.map(|actor| actor.own(&actor.result.frame)),
            is_divided: self.division.is_divided,
            bias_velocity: bias.name(),
        }
    }

    /// Stores in a character's result the constraints that were active with a force in its last frame.
    ///
    /// # Panics
    /// If `id` is of another world.
    #[doc(alias = "active set")]
    pub fn note_binding(&mut self, id: CharacterId) {
        let Actor { character, result, .. } = &mut self.actors[id.0];
        result.binding = character.synthesiser.binding();
    }

    /// Model and snapshot of a character, or those of the world without characters.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn sensed(&self, id: Option<CharacterId>) -> (&Model, &Snapshot) {
        match id {
            Some(id) => (&self.actors[id.0].character.model, &self.actors[id.0].character.snapshot),
            None => (&self.scenery.model, &self.scenery.snapshot),
        }
    }

    /// Whether a character was lying when the last frame began: its COM was lower above the first surface than
    /// [`FALLEN`], and it held nothing.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn has_fallen(&self, id: CharacterId) -> bool {
        let snapshot = &self.actors[id.0].character.snapshot;
        let ground = self.surfaces().first().map_or(0.0, |surface| surface.position.z);
        !snapshot.grips.hangs() && snapshot.com.z - ground < FALLEN * snapshot.scales.height
    }

    /// The quantities that expressions may read, of a character or of the world without characters.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn measure(&self, id: Option<CharacterId>) -> Measure<'_> {
        let (model, snapshot) = self.sensed(id);
        Measure { model, snapshot }
    }
}

/// Surroundings of the passive objects.
fn environment<'a>(
    settings: &WorldSettings,
    passive: &'a PassiveSettings,
    scenery: &'a Scenery,
    characters: &'a [KinematicCharacter<'a>],
) -> Environment<'a> {
    Environment { gravity: settings.gravity, settings: passive, surfaces: scenery.surfaces(), characters }
}
