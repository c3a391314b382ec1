//! The world: who and what is in it.

use super::actor::Actor;
use super::character::{Character, CharacterError, CharacterOptions, UnknownName};
use super::event::Event;
use super::islands::Islands;
use super::result::FrameResult;
use super::scenery::Scenery;
use super::settings::WorldSettings;
use super::start::{StartPose, StartPoseError};
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

/// A character of a world, by number in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CharacterId(pub usize);

/// A surface of a world: the ground is 0, then the obstacles in the order in which they were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub usize);

/// Why a world cannot be made, or cannot do what it is told.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WorldError {
    /// A number out of its range, by what it must be.
    #[error("{0}")]
    BadValue(&'static str),
    /// Something is put farther from the origin than numbers are good for.
    #[error("`{name}` is {distance:.1} m from the origin, farther than {FARTHEST} m")]
    TooFar {
        /// Name of the character, obstacle or hold.
        name: String,
        /// m
        distance: f64,
    },
    /// Another character, obstacle or hold has this name.
    #[error("the name `{0}` is taken")]
    NameTaken(String),
    /// The solver asked for does not exist or is not in this build.
    #[error(transparent)]
    Solver(#[from] UnknownSolver),
    /// A character cannot be made.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// At least one.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    StartPose(Vec<StartPoseError>),
    /// What is wrong with passive objects; at least one.
    #[error(transparent)]
    Passive(FileErrors),
    /// A name that nothing in the world has.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// A command that a controller does not take.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// A passive object cannot be made.
    #[error(transparent)]
    PassiveObject(#[from] PassiveError),
    /// A state or a checkpoint that is not of this world.
    #[error("{0} of another model or world")]
    Foreign(&'static str),
}

/// Characters, passive objects, surfaces and holds, and the frame that is computed next.
///
/// Characters are each a problem of their own: they feel surfaces, holds and passive objects, and pass through each
/// other unless the world has a friction between them; then those that are near are one problem. A ragdoll is always felt.
pub struct World {
    pub(super) settings: WorldSettings,
    /// Frame about to be computed.
    pub(super) index: u64,
    pub(super) actors: Vec<Actor>,
    pub(super) passive: PassiveWorld,
    /// What happens, in the order given.
    pub(super) events: Vec<Event>,
    pub(super) scenery: Scenery,
    pub(super) parallel: bool,
    /// Whether what is sensed belongs to the frame about to be computed.
    pub(super) is_observed: bool,
    pub(super) observed: Observed,
    /// Of the characters, for records.
    pub(super) names: Vec<String>,
    /// Whether the records of the first character show the others.
    pub(super) shows_others: bool,
    pub(super) islands: Islands,
    /// Points of characters that can be held: where they are, m, and their velocities, m/s.
    pub(super) borne_places: Vec<(BodyPoint, Vector3<f64>, Vector3<f64>)>,
    passive_settings: PassiveSettings,
    /// Of passive objects that were added: what characters that come after them push.
    pushed: Vec<Surface>,
}

/// What all characters sense of passive objects; memory that is kept from frame to frame.
#[derive(Clone, Default)]
pub(super) struct Observed {
    pub objects: Vec<SensedObject>,
    pub characters: Vec<SensedObject>,
    /// Position, m, and velocity, m/s, of points that can be held.
    pub attachments: Vec<(Vector3<f64>, Vector3<f64>)>,
    /// Parts of passive objects that are surfaces of characters, in the order of those.
    pub seats: Vec<Part>,
    /// Bodies of each character that others touch; none of a ragdoll, and nobody's where characters do not touch.
    pub bodies: Vec<Vec<Part>>,
}

impl World {
    /// An empty world of these surfaces and holds.
    pub fn new(settings: WorldSettings, surfaces: Vec<Surface>, holds: Vec<Hold>) -> Self {
        World {
            scenery: Scenery::new(&settings, surfaces, holds),
            settings,
            index: 0,
            actors: Vec::new(),
            passive: PassiveWorld::default(),
            events: Vec::new(),
            parallel: false,
            is_observed: false,
            observed: Observed::default(),
            names: Vec::new(),
            shows_others: false,
            islands: Islands::default(),
            borne_places: Vec::new(),
            passive_settings: PassiveSettings::default(),
            pushed: Vec::new(),
        }
    }

    /// Settings of the passive objects that are added from now on, where there are none yet.
    pub(super) fn set_passive_settings(&mut self, settings: PassiveSettings) {
        self.passive_settings = settings;
        let around = environment(&self.settings, &self.passive_settings, &self.scenery, &[]);
        self.passive = PassiveWorld::new(&around);
    }

    /// Has the records of the first character show the others from now on, as passive objects that are characters.
    pub fn show_others(&mut self, show: bool) {
        self.shows_others = show;
    }

    /// Has characters be solved side by side from now on, or one after another, with the same bytes.
    pub fn set_parallel(&mut self, parallel: bool) {
        self.parallel = parallel;
    }

    /// Adds a character with a model, a controller and a pose.
    ///
    /// # Errors
    /// A world that runs already; a controller that names what the model or the world does not have; a pose that
    /// cannot be.
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

    /// Adds a character with a name and options of its own.
    ///
    /// # Errors
    /// As [`World::add_character`], and a name that another character has.
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
        let felt = surfaces.into_iter().chain(self.pushed.iter().cloned()).collect();
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
        self.is_observed = false;
        Ok(id)
    }

    /// Adds a passive object, between two frames, and returns its number.
    ///
    /// # Errors
    /// A name that is taken, and all that is wrong with the object; then nothing is added.
    pub fn add_passive(&mut self, name: &str, object: impl Into<Passive>) -> Result<usize, WorldError> {
        let World { actors, passive, settings, passive_settings, scenery, .. } = self;
        let characters: Vec<KinematicCharacter<'_>> = actors.iter().map(Actor::kinematic).collect();
        let around = environment(settings, passive_settings, scenery, &characters);
        let object = object.into();
        let surfaces = object.surfaces()?;
        let number = passive.add(name, object, &around)?;
        self.pushed.extend(surfaces.into_iter().map(|surface| surface.of(number, name)));
        self.make_room_for_records();
        self.is_observed = false;
        Ok(number)
    }

    /// Takes in a character that was made for this world.
    pub fn insert(&mut self, mut character: Character) -> CharacterId {
        self.names.push(character.name.clone());
        let number = self.actors.len();
        character.number = number;
        self.actors.push(Actor::new(character));
        CharacterId(number)
    }

    /// Adds events, which happen at their times.
    pub fn insert_events(&mut self, events: impl IntoIterator<Item = Event>) {
        self.events.extend(events);
    }

    /// Has the characters take hold of what their start states hold.
    pub fn take_hold(&mut self) {
        // Where holds on characters are depends on how those stand.
        self.observe();
        self.is_observed = false;
        self.actors.iter_mut().for_each(Actor::take_hold);
    }

    /// Makes all passive objects, around the characters that are there.
    ///
    /// # Errors
    /// What is wrong in the objects' tables or in their models, with its place.
    pub fn set_passive<'a>(
        &mut self,
        specs: impl Iterator<Item = (&'a str, &'a PassiveSpec)>,
        models: &[Vec<Source>],
        settings: PassiveSettings,
        source: &Source,
    ) -> Result<(), FileErrors> {
        let characters: Vec<KinematicCharacter<'_>> = self.actors.iter().map(Actor::kinematic).collect();
        let around = Environment {
            gravity: self.settings.gravity,
            settings: &settings,
            surfaces: &self.scenery.snapshot.contacts.surfaces,
            characters: &characters,
        };
        self.passive = PassiveWorld::bind(specs, models, &FileEnvironment { source, around })?;
        self.passive_settings = settings;
        self.make_room_for_records();
        Ok(())
    }

    /// Makes a point of a passive object, by its number, something to hold on to.
    pub fn add_attachment(&mut self, object: usize, point: &RestingPoint) {
        self.passive.add_attachment(object, point);
    }

    /// Makes room for the records of what acts in a frame, so that frames allocate nothing.
    pub(super) fn make_room_for_records(&mut self) {
        let most = self.events.len() + self.passive.objects.len() + self.actors.len() + 1;
        self.actors.iter_mut().for_each(|actor| actor.make_room_for_records(most));
        self.scenery.make_room_for_records(most);
    }

    /// Step, gravity, solver and built-in weights of the world.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// Simulated time at which the frame begins that is computed next, s.
    pub fn time(&self) -> f64 {
        self.index as f64 * self.settings.dt
    }

    /// Number of the frame that is computed next, from 0.
    pub fn frame_index(&self) -> u64 {
        self.index
    }

    /// The characters, in the order in which they were added.
    pub fn characters(&self) -> impl ExactSizeIterator<Item = CharacterId> + use<> {
        (0..self.actors.len()).map(CharacterId)
    }

    /// # Panics
    /// For the number of a character of another world.
    pub fn character(&self, id: CharacterId) -> &Character {
        &self.actors[id.0].character
    }

    /// # Panics
    /// For the number of a character of another world.
    pub fn character_mut(&mut self, id: CharacterId) -> &mut Character {
        &mut self.actors[id.0].character
    }

    /// A character by its name.
    pub fn find_character(&self, name: &str) -> Option<CharacterId> {
        self.actors.iter().position(|actor| actor.character.name == name).map(CharacterId)
    }

    /// Passive objects and how they are now.
    pub fn passive(&self) -> &PassiveWorld {
        &self.passive
    }

    /// The passive objects and the systems that step them, to be changed between frames.
    pub fn passive_mut(&mut self) -> &mut PassiveWorld {
        &mut self.passive
    }

    /// What happens: the scene's events, then what was told while the world ran.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Ground and obstacles, where they are in the frame that was sensed last.
    pub fn surfaces(&self) -> &[Surface] {
        &self.scenery.snapshot.contacts.surfaces
    }

    /// An obstacle by its name; the floor is `ground`.
    pub fn find_obstacle(&self, name: &str) -> Option<ObstacleId> {
        self.surfaces().iter().position(|surface| *surface.name == *name).map(ObstacleId)
    }

    /// Configuration, velocity and time of a character now.
    ///
    /// # Panics
    /// For the number of a character of another world.
    pub fn state(&self, id: CharacterId) -> &State {
        &self.actors[id.0].character.snapshot.state
    }

    /// Where the frames of a character's bodies are now, world axes, in model order. Fills `poses`, whose memory is
    /// reused.
    ///
    /// # Panics
    /// For the number of a character of another world.
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

    /// What the last step gave for a character: its record with forces and costs, what its controller did, and where
    /// the time went. Without a character: the record of the passive objects alone.
    ///
    /// # Panics
    /// For the number of a character of another world.
    pub fn result(&self, id: Option<CharacterId>) -> &FrameResult {
        match id {
            Some(id) => &self.actors[id.0].result,
            None => &self.scenery.result,
        }
    }

    /// Notes in a character's result which limits held with force in its last frame.
    ///
    /// # Panics
    /// For the number of a character of another world.
    pub fn note_binding(&mut self, id: CharacterId) {
        let Actor { character, result, .. } = &mut self.actors[id.0];
        result.binding = character.synthesiser.binding();
    }

    /// Model and senses of a character, or those of the world where nobody acts.
    ///
    /// # Panics
    /// For the number of a character of another world.
    pub fn sensed(&self, id: Option<CharacterId>) -> (&Model, &Snapshot) {
        match id {
            Some(id) => (&self.actors[id.0].character.model, &self.actors[id.0].character.snapshot),
            None => (&self.scenery.model, &self.scenery.snapshot),
        }
    }

    /// What expressions may read, of a character or of the world where nobody acts.
    ///
    /// # Panics
    /// For the number of a character of another world.
    pub fn measure(&self, id: Option<CharacterId>) -> Measure<'_> {
        let (model, snapshot) = self.sensed(id);
        Measure { model, snapshot }
    }
}

/// What is around passive objects.
fn environment<'a>(
    settings: &WorldSettings,
    passive: &'a PassiveSettings,
    scenery: &'a Scenery,
    characters: &'a [KinematicCharacter<'a>],
) -> Environment<'a> {
    Environment {
        gravity: settings.gravity,
        settings: passive,
        surfaces: &scenery.snapshot.contacts.surfaces,
        characters,
    }
}
