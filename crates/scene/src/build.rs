//! Construction of a running world from a scene's files.

use super::check::too_far;
use super::criteria::bind_criteria;
use super::run::Run;
use super::spec::ReactionDelaySpec;
use super::{CharacterSpec, SceneFiles, carried, events, holds, start, switches};
use crate::CharacterFiles;
use aplomb_body::contact::grip::{GripLimits, Hold};
use aplomb_body::contact::{Surface, bodies_of};
use aplomb_body::model::Model;
use aplomb_body::model::scales::Scales;
use aplomb_body::model::state::State;
use aplomb_control::synthesis::Settings;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors};
use aplomb_math::extent;
use aplomb_passive::PartId;
use aplomb_qp::solver::{self, UnknownSolver};
use aplomb_world::character::{Character, CharacterError, CharacterOptions};
use aplomb_world::controller::quantity::ModelNames;
use aplomb_world::controller::{Drive, Parameter};
use aplomb_world::event::Event;
use aplomb_world::{World, WorldError, WorldSettings};
use nalgebra::Vector3;

impl Run {
    /// Binds a loaded scene.
    ///
    /// # Errors
    /// All mistakes in its files.
    pub fn bind(files: &SceneFiles) -> Result<Self, FileErrors> {
        let (scene, source) = (&files.scene, &files.scene_source);
        let surfaces = files.surfaces();
        let bodies = files.bodies()?;
        let nobody = Model::empty();
        let mut errors = Vec::new();
        let names = ModelNames(bodies.first().unwrap_or(&nobody));
        let holds: Vec<Hold> = holds(scene, source, &names, &bodies, &files.passive_models().0)
            .unwrap_or_else(|mistakes| {
                errors.extend(mistakes);
                Vec::new()
            });
        let events = events::bind(files, &bodies, &holds);
        let criteria = bind_criteria(files, &bodies, &holds);
        let characters = characters(files, &bodies, &holds, events.as_deref().ok(), &mut errors);
        if let Err(unknown) = solver::by_name(&settings(files).solver) {
            errors.push(unknown_solver(files, &unknown));
        }
        let (mut events, criteria) = match (events, criteria) {
            (Ok(events), Ok(criteria)) if errors.is_empty() => (events, criteria),
            (events, criteria) => {
                errors.extend(events.err().unwrap_or_default());
                errors.extend(criteria.err().unwrap_or_default());
                return Err(errors.into());
            }
        };
        let mut world = World::new(settings(files), surfaces, holds);
        world.show_others(characters.len() > 1);
        for character in characters {
            world.insert(character);
        }
        let specs = scene.passive.iter().map(|(name, spec)| (name.get_ref().as_str(), spec));
        let (models, mistakes) = files.passive_models();
        if !mistakes.is_empty() {
            return Err(mistakes.into());
        }
        world.set_passive(specs, &models, scene.passive_settings.settings(), source)?;
        check_distances(files, &world)?;
        events::bind_objects(files, world.passive_mut(), &mut events)?;
        world.insert_events(events);
        for (object, point) in carried(scene, source, &models)? {
            world.add_attachment(object, &point);
        }
        world.take_hold();
        hold_on(files, &mut world)?;
        let frames = (scene.duration.get_ref() / scene.dt.get_ref()).round() as u64;
        Ok(Run { world, criteria, frames })
    }
}

/// All characters that can be bound, each with the commands of the scene and checked with its events.
fn characters(
    files: &SceneFiles,
    models: &[Model],
    holds: &[Hold],
    events: Option<&[Event]>,
    errors: &mut Vec<FileError>,
) -> Vec<Character> {
    let surfaces = files.surfaces_of_characters();
    let mut characters = Vec::new();
    for (number, (who, model)) in files.cast().zip(models).enumerate() {
        let bodies = bodies_before(files, models, number);
        let around = WhatIsAround { surfaces: &surfaces, bodies, holds };
        let Some(mut character) = character(files, who, model.clone(), around, errors) else {
            continue;
        };
        errors.extend(switches::set(files, number, &mut character));
        errors.extend(first_commands(files, who.1, &mut character));
        if let Some(events) = events {
            errors.extend(events::try_on(files, events, number, &mut character));
        }
        characters.push(character);
    }
    characters
}

/// # Errors
/// Passive objects with a part that is farther from the origin than the accuracy of numbers allows.
fn check_distances(files: &SceneFiles, world: &World) -> Result<(), FileErrors> {
    let passive = world.passive();
    let mut errors = Vec::new();
    for (name, object) in files.scene.passive.keys().zip(&passive.objects) {
        let system = &passive.systems[object.system];
        let parts = object.parts.clone().map(|part| system.part(PartId(part)).position);
        if let Some(distance) = extent::too_far(parts) {
            let message = too_far(&format!("`{}`", object.name), distance);
            errors.push(FileError::new(&files.scene_source, name.span(), message));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

/// Makes the grips between characters that the scene requests, independent of their controllers.
fn hold_on(files: &SceneFiles, world: &mut World) -> Result<(), FileErrors> {
    let mut errors = Vec::new();
    for (id, spec) in world.characters().zip(files.scene.characters.values()) {
        for (site, hold) in &spec.hold_on {
            let Err(WorldError::UnknownName(unknown)) = world.hold_on(id, site.get_ref(), hold.get_ref())
            else {
                continue;
            };
            let span = if unknown.name == *hold.get_ref() { hold.span() } else { site.span() };
            let known = unknown.known.iter().map(String::as_str);
            let message = format!("there is no {} `{}`", unknown.what, unknown.name);
            let mistake = FileError::new(&files.scene_source, span, message);
            errors.push(mistake.suggest(&unknown.name, known));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

/// The surroundings of a character in a scene.
struct WhatIsAround<'a> {
    surfaces: &'a [Surface],
    /// Surfaces of the characters before it.
    bodies: Vec<Surface>,
    holds: &'a [Hold],
}

/// Surfaces of the characters before this index, if characters collide.
fn bodies_before(files: &SceneFiles, models: &[Model], number: usize) -> Vec<Surface> {
    let Some(friction) = &files.scene.friction_between_characters else { return Vec::new() };
    let names = files.scene.character_names();
    let before = models.iter().zip(&names).take(number).enumerate();
    before.flat_map(|(number, (model, name))| bodies_of(model, number, name, *friction.get_ref())).collect()
}

/// A character of the scene; `None` if there are mistakes.
fn character(
    files: &SceneFiles,
    (who, spec): (&CharacterFiles, &CharacterSpec),
    model: Model,
    around: WhatIsAround<'_>,
    errors: &mut Vec<FileError>,
) -> Option<Character> {
    let WhatIsAround { surfaces, bodies, holds } = around;
    let state = start::state(files, spec, &model, surfaces, holds).unwrap_or_else(|mistakes| {
        errors.extend(mistakes);
        State::at_rest(&model, model.rest_configuration())
    });
    let weight = Scales::new(&model, *files.scene.dt.get_ref()).weight();
    let options = CharacterOptions {
        name: who.name.clone(),
        model_file: who.model_source.name.to_string(),
        grip: Some(grip_limits(spec, weight)),
        limp: spec.drive == Drive::Limp,
        torque_limits: spec.torque_limits,
        self_collision: spec.self_collision,
        reaction_delay: spec.reaction_delay.as_ref().and_then(ReactionDelaySpec::settings),
        objects: files.scene.object_names(),
        characters: files.scene.character_names(),
        bodies,
    };
    let made = Character::new(
        model,
        who.controller.clone(),
        state,
        options,
        &settings(files),
        surfaces.to_vec(),
        holds.to_vec(),
    );
    match made {
        Ok(character) => Some(character),
        Err(CharacterError::Controller(mistakes)) => {
            errors.extend(mistakes);
            None
        }
        // The solver is checked elsewhere, and no controller is replaced here.
        Err(CharacterError::Solver(_) | CharacterError::NoRagdolls) => None,
    }
}

/// Sets the initial values of a controller's commands from the scene.
fn first_commands(files: &SceneFiles, spec: &CharacterSpec, character: &mut Character) -> Vec<FileError> {
    let set = |(name, value): (&Spanned<String>, &Spanned<Parameter>)| {
        let outcome = character.machine.commands.set(name.get_ref(), (*value.get_ref()).into());
        Some(events::told(files, name.span(), &outcome.err()?))
    };
    spec.commands.iter().filter_map(set).collect()
}

fn settings(files: &SceneFiles) -> WorldSettings {
    let scene = &files.scene;
    let solver = scene.solver.as_ref().map_or(solver::DEFAULT, |name| name.get_ref().as_str());
    WorldSettings {
        dt: *scene.dt.get_ref(),
        gravity: Vector3::from(*scene.gravity.get_ref()),
        solver: solver.into(),
        synthesis: Settings {
            torque_change_weight: *scene.torque_change_weight.get_ref(),
            contact_weight: *scene.contact_weight.get_ref(),
            contact_response: *scene.contact_response.get_ref(),
            joint_limit_response: *scene.joint_limit_response.get_ref(),
            force_weight: *scene.force_weight.get_ref(),
            friction_directions: *scene.friction_directions.get_ref() as usize,
            bias_velocity: scene.bias_velocity,
        },
        advance: scene.advance,
        momentum_tolerance: *scene.momentum_tolerance.get_ref(),
        friction_between_characters: scene.friction_between_characters.as_ref().map(|mu| *mu.get_ref()),
    }
}

fn grip_limits(spec: &super::CharacterSpec, weight: f64) -> GripLimits {
    let (given, usual) = (&spec.grip, GripLimits::for_weight(weight));
    let or = |given: &Option<aplomb_language::Spanned<f64>>, usual| {
        given.as_ref().map_or(usual, |given| *given.get_ref())
    };
    GripLimits {
        force: or(&given.force, usual.force),
        reach: or(&given.reach, usual.reach),
        speed: or(&given.speed, usual.speed),
    }
}

fn unknown_solver(files: &SceneFiles, error: &UnknownSolver) -> FileError {
    let name = files.scene.solver.as_ref();
    let span = name.map_or(0..0, |name| name.span());
    let mistake = FileError::new(&files.scene_source, span, error.to_string());
    match error {
        UnknownSolver::Unknown(wrong) => {
            mistake.label("not a solver").suggest(wrong, solver::list().iter().map(|(name, _)| *name))
        }
        UnknownSolver::NotBuilt(_) => mistake.label("not in this build"),
    }
}
