//! The header of the trace of a scene's run.

use super::load::PICTURE;
use super::{Run, SceneFiles};
use aplomb_body::model::{Model, Pad, mjcf, write};
use aplomb_language::diagnostic::Source;
use aplomb_trace::{Commanded, Coordinates, Followed, Header, Measured, SourceText};
use aplomb_world::character::Character;
use aplomb_world::{CharacterId, World, record};

/// The header of a run's trace.
pub fn header(files: &SceneFiles, run: &Run) -> Header {
    header_of(files, &run.world)
}

/// The header of the trace of a scene's world: that of its first character, with everything else in the
/// world.
pub(crate) fn header_of(files: &SceneFiles, world: &World) -> Header {
    header_of_character(files, world, world.characters().next())
}

/// The header of the trace of one character of a world that was built from a scene, or of the trace of a
/// world without characters.
pub fn header_of_character(files: &SceneFiles, world: &World, hero: Option<CharacterId>) -> Header {
    let scene = &files.scene;
    let acting = hero.map(|hero| world.character(hero));
    let (model, snapshot) = world.sensed(hero);
    let coordinates = Coordinates::of(model);
    let own = hero.map_or(0, |hero| hero.0);
    let others = scene.characters.keys().enumerate().filter(|(number, _)| *number != own);
    let states = acting.into_iter().flat_map(|character| character.machine.state_names());
    Header {
        version: env!("CARGO_PKG_VERSION").into(),
        scene: files.name.clone(),
        title: scene.title.clone().unwrap_or_else(|| files.name.clone()),
        dt: *scene.dt.get_ref(),
        duration: *scene.duration.get_ref(),
        gravity: *scene.gravity.get_ref(),
        solver: world.settings().solver.clone(),
        bias_velocity: scene.bias_velocity.name().into(),
        character: acting.map(|character| character.name.clone()).unwrap_or_default(),
        others: others.map(|(_, name)| name.get_ref().clone()).collect(),
        bodies: model.bodies.iter().map(|body| body.name.clone()).collect(),
        configuration_names: coordinates.configuration_names,
        configuration_units: coordinates.configuration_units,
        coordinate_names: coordinates.coordinate_names,
        coordinate_units: coordinates.coordinate_units,
        mass: snapshot.scales.mass,
        com_height: snapshot.scales.height,
        torque_limits: torque_limits(model, acting),
        coupled: (0..model.nv).filter(|coordinate| model.is_coupled(*coordinate)).collect(),
        rough: model.dry_friction().map(|(coordinate, _)| coordinate).collect(),
        objectives: acting.map(|character| character.objectives.clone()).unwrap_or_default(),
        followed: acting.map(followed).unwrap_or_default(),
        measured: acting.map(measured).unwrap_or_default(),
        commands: acting.map(commands).unwrap_or_default(),
        bound: acting.map(bound).unwrap_or_default(),
        states: states.map(|name| name.to_string()).collect(),
        obstacles: world.surfaces().iter().chain(world.pushed_surfaces()).map(record::obstacle).collect(),
        holds: snapshot.grips.holds.iter().map(record::holdable).collect(),
        overrides: files.overrides.clone(),
        passive: world.passive_records(hero),
        ground_friction: *scene.ground.friction.get_ref(),
        texts: texts(files, own, model),
    }
}

/// The finite limits of each joint torque, if they are enforced.
fn torque_limits(model: &Model, acting: Option<&Character>) -> Vec<Option<[f64; 2]>> {
    let holds = acting.is_some_and(|character| character.has_torque_limits);
    let is_finite = |limits: &[f64; 2]| limits.iter().all(|limit| limit.is_finite());
    model.torque_limits.iter().map(|limits| (holds && is_finite(limits)).then_some(*limits)).collect()
}

/// The objectives that follow moving targets.
fn followed(character: &Character) -> Vec<Followed> {
    let name = |index: usize| character.objectives[index].clone();
    let followed = character.followed.iter();
    followed.map(|(index, unit)| Followed { objective: name(*index), unit: unit.to_string() }).collect()
}

/// The numbers that objectives compare with their targets.
fn measured(character: &Character) -> Vec<Measured> {
    let measured = character.measured.iter().map(|number| Measured {
        objective: character.objectives[number.objective].clone(),
        part: number.part.name.clone(),
        unit: number.part.unit.to_string(),
    });
    measured.collect()
}

/// The numbers of commands.
fn commands(character: &Character) -> Vec<Commanded> {
    let commanded = character.commanded.iter();
    commanded.map(|number| Commanded { name: number.name.clone(), unit: number.unit.to_string() }).collect()
}

/// The names of the bindings of each frame.
fn bound(character: &Character) -> Vec<String> {
    character.recorded.iter().map(|number| number.name.clone()).collect()
}

/// The texts from which the run was made: those of the character with this index and this model first; without a
/// character, those of the scene and the passive objects.
fn texts(files: &SceneFiles, number: usize, model: &Model) -> Vec<SourceText> {
    let text = |kind: &str, source: &Source| SourceText::new(kind, &source.name, &source.text);
    let mut texts = vec![text("scene", &files.scene_source)];
    if let Some(own) = files.characters.get(number) {
        texts.insert(0, body(&own.model_source, model));
        texts.push(text("controller", &own.controller.source));
        texts.extend(included(&own.controller.source));
    }
    for controller in &files.successors {
        texts.push(text("controller", &controller.source));
        texts.extend(included(&controller.source));
    }
    for (_, other) in files.characters.iter().enumerate().filter(|(other, _)| *other != number) {
        texts.push(text("model", &other.model_source));
        texts.push(text("controller", &other.controller.source));
        texts.extend(included(&other.controller.source));
    }
    texts.extend(files.pictures.iter().map(|picture| text(PICTURE, picture)));
    texts.extend(files.passive_sources.iter().flatten().map(|source| text("thing", source)));
    texts
}

/// The texts of the files that a controller includes.
fn included(controller: &Source) -> impl Iterator<Item = SourceText> {
    controller.included().map(|kept| SourceText::included(&controller.name, &kept.label, &kept.source.text))
}

/// The text of a body: that of its file if it is self-contained, otherwise the same body as plain MJCF.
fn body(source: &Source, model: &Model) -> SourceText {
    let alone = Source::new(&source.name, &source.text);
    let strict = mjcf::Options { strict: true, ..mjcf::Options::default() };
    match mjcf::read_with(&alone, &strict) {
        // The scene or a companion file may have changed its root joint, and given it pads.
        Ok(alone) if alone.model.nv == model.nv && pads(&alone.model).eq(pads(model)) => {
            SourceText::new("model", &source.name, &source.text)
        }
        _ => SourceText::new("model", &source.name, &write::scene_xml(model, &model.gravity, &[], &[])),
    }
}

/// The pads of all bodies.
fn pads(model: &Model) -> impl Iterator<Item = Option<Pad>> {
    model.bodies.iter().map(|body| body.pad)
}
