//! Models from MJCF, MuJoCo's model files: the subset that `subset` lists, with a message for everything
//! else.

mod coupling;
mod custom;
mod defaults;
mod drive;
mod element;
mod frame;
mod hidden;
mod inertia;
mod joint;
mod limits;
mod mesh;
mod names;
mod pair;
mod props;
mod settings;
mod shape;
mod singular;
mod strict;
pub(crate) mod subset;
mod tree;
mod unmodelled;

#[cfg(test)]
mod as_published;
#[cfg(test)]
mod tests;

use crate::model::companion::{Companion, RootSpec, Unmodelled};
use crate::model::warning::{self, Ignored};
use crate::model::xml::Tree;
use crate::model::{BodyId, Joint, Model, roles, urdf};
use aplomb_language::diagnostic::{FileError, FileErrors, Source, Warning};
use defaults::Defaults;
use element::Element;
use mesh::Meshes;
use names::ElementNames;
use props::Props;
use settings::CompilerSettings;
use tree::TreeReader;
use unmodelled::UnmodelledElements;

/// Options of the reader.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether elements that would be ignored with a warning are errors.
    pub strict: bool,
    /// Elements that are ignored although they affect the motion.
    pub ignore: Vec<Unmodelled>,
    /// Root joint, which replaces that of the file and of its companion.
    pub root: Option<RootSpec>,
}

/// A model, with the warnings of its file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The model.
    pub model: Model,
    /// Warnings about ignored elements and about probable mistakes.
    pub warnings: Vec<Warning>,
}

/// Reads a model.
///
/// # Errors
///
/// All errors, and all elements outside the subset, with their places.
pub fn read(source: &Source) -> Result<Model, FileErrors> {
    read_with(source, &Options::default()).map(|reading| reading.model)
}

/// Reads a model, with warnings.
///
/// # Errors
///
/// All errors, and all elements outside the subset, with their places.
pub fn read_with(source: &Source, options: &Options) -> Result<Reading, FileErrors> {
    let companion = Companion::beside(source)?;
    if urdf::is_urdf(source) {
        let read = urdf::to_mjcf(source)?;
        if options.strict {
            let refused: Vec<FileError> = read.warnings.into_iter().map(|Warning(error)| error).collect();
            if !refused.is_empty() {
                return Err(refused.into());
            }
            return read_mjcf(&read.source, options, &companion, &read.velocity_limits);
        }
        let mut reading = read_mjcf(&read.source, options, &companion, &read.velocity_limits)?;
        reading.warnings.splice(0..0, read.warnings);
        return Ok(reading);
    }
    read_mjcf(source, options, &companion, &[])
}

/// Reads a file, or returns all errors in it.
fn read_mjcf(
    source: &Source,
    options: &Options,
    companion: &Companion,
    velocity_limits: &[(String, f64)],
) -> Result<Reading, FileErrors> {
    let read = |source: &Source| read_once(source, options, companion, velocity_limits);
    read(source).map_err(|errors| hidden::with_hidden(errors, source, |source| read(source).err()))
}

fn read_once(
    source: &Source,
    options: &Options,
    companion: &Companion,
    velocity_limits: &[(String, f64)],
) -> Result<Reading, FileErrors> {
    let ignore: Vec<Unmodelled> = options.ignore.iter().chain(&companion.ignore).copied().collect();
    let tree = Tree::read(source, subset::is_decoration)?;
    let mut ignored = Ignored::default();
    let mut errors = strict::check(&tree, &mut ignored)?;
    let root = Element::new(tree.root());
    let sections = |tag: &'static str| sections(root, tag);
    let parts = |tag: &'static str| sections(tag).flat_map(Element::children);

    let mut settings = CompilerSettings::new();
    sections("compiler").try_for_each(|compiler| settings.read_compiler(compiler))?;
    sections("option").try_for_each(|option| settings.read_option(option))?;
    let defaults = Defaults::read(sections("default"))?;
    let props = Props::find(sections("worldbody"), parts("actuator"), parts("tendon"), &settings, &defaults)?;
    let name = root.own("model").map_or(String::new(), |name| name.value.to_string());
    let model = Model { name, gravity: settings.gravity, ..Model::empty() };

    let meshes = Meshes::find(parts("asset"), source.path.as_deref(), &settings, &defaults)?;
    let mut bodies = TreeReader::new(&tree, &settings, &defaults, &meshes, model);
    bodies.root = options.root.or(companion.root());
    sections("worldbody").for_each(|worldbody| bodies.read(worldbody, |body| props.contains(body)));
    errors.append(&mut bodies.errors);
    let names = bodies.joint_names();
    let TreeReader { mut model, body_elements: elements, friction, seen, .. } = bodies;

    limit_velocities(&mut model, velocity_limits);
    let numbers = parts("custom").filter(|part| part.tag() == "numeric");
    errors.extend(numbers.filter_map(|number| custom::read(number, &mut model, &mut ignored).err()));
    let mut found = UnmodelledElements::new(&ignore);
    let given = |name: &str| names.is_given(name);
    let elsewhere = read_relations(root, &settings, &defaults, &mut model, &mut found, given, &mut errors);
    if errors.is_empty() {
        errors.extend(incomplete(&model, root, &tree.source, &elements));
    }
    if let (Some(total), true) = (settings.total_mass, errors.is_empty()) {
        inertia::scale(&mut model.bodies, total);
    }
    // Configurations of an incomplete model are meaningless.
    if errors.is_empty() {
        errors = read_keyframes(parts("keyframe"), &tree, &props, &mut model);
    }
    errors.extend(found.errors());
    ignored.append(seen);
    let left_out = LeftOut { ignored, props: props.found, elsewhere, on_request: found.ignored, friction };
    finish(&tree.source, options, companion, model, &elements, left_out, errors)
}

/// The sections of a file with this tag.
fn sections<'a>(root: Element<'a>, tag: &'static str) -> impl Iterator<Item = Element<'a>> {
    root.children().filter(move |section| section.tag() == tag)
}

/// Reads the relations between bodies and joints: tendons, equalities, actuators and pairs. Returns the pairs with
/// geoms of other files.
fn read_relations<'a>(
    root: Element<'a>,
    settings: &CompilerSettings,
    defaults: &'a Defaults<'a>,
    model: &mut Model,
    found: &mut UnmodelledElements,
    is_given: impl Fn(&str) -> bool,
    errors: &mut Vec<FileError>,
) -> Ignored {
    let parts = |tag: &'static str| sections(root, tag).flat_map(Element::children);
    found.tendons(parts("tendon"), defaults);
    found.equalities(parts("equality"));
    let driven = read_actuators(parts("actuator"), settings, defaults, model, found, &is_given, errors);
    let couplings = parts("equality").filter(unmodelled::is_coupling);
    errors.extend(coupling::read(couplings, model, found, &is_given, |k| driven[k]));
    let mut elsewhere = Ignored::default();
    for pair in parts("contact").filter(|part| part.tag() == "pair") {
        errors.extend(pair::read(pair, defaults, model, &mut elsewhere).err());
    }
    elsewhere
}

/// Adds the keyframes to a model, and returns the errors in them.
fn read_keyframes<'a>(
    keys: impl Iterator<Item = Element<'a>>,
    tree: &Tree,
    props: &Props,
    model: &mut Model,
) -> Vec<FileError> {
    let mut errors = Vec::new();
    let mut names = ElementNames::of(tree, &["key"]);
    for key in keys {
        match drive::read_key(key, &mut names, model, &props.skipped) {
            Ok(keyframe) => model.keyframes.push(keyframe),
            Err(error) => errors.push(error),
        }
    }
    errors
}

/// The model with its roles and all warnings, or all errors.
fn finish(
    source: &Source,
    options: &Options,
    companion: &Companion,
    mut model: Model,
    elements: &[Element],
    left_out: LeftOut,
    mut errors: Vec<FileError>,
) -> Result<Reading, FileErrors> {
    let mut warnings = Vec::new();
    if options.strict {
        errors.extend(left_out.errors(source));
    } else if errors.is_empty() {
        warnings = left_out.warnings(source);
    }
    if !errors.is_empty() {
        // The sort is stable: within a line, a misspelt word comes before the error about what it leaves missing.
        errors.sort_by_key(|error| (error.file != source.name, error.place().1));
        return Err(errors.into());
    }
    companion.pose(&mut model)?;
    let stood_up = stood_up(source, &mut model, elements, companion);
    let inspections = [passive_joints, outside_at_rest, uncoupled_at_rest].into_iter();
    warnings.extend(inspections.filter_map(|inspections| inspections(source, &model, elements)));
    warnings.extend(stood_up);
    let model = with_roles(model, companion)?;
    warnings.extend(doubts(source, &model, elements));
    warnings.extend(lying(source, &model, elements).filter(|_| !companion.keeps_lying()));
    Ok(Reading { model, warnings })
}

fn limit_velocities(model: &mut Model, limits: &[(String, f64)]) {
    for (name, limit) in limits {
        let joint = model.joints.iter().find(|joint| joint.name == *name);
        if let Some(coordinate) = joint.map(|joint| joint.v_index) {
            model.velocity_limits[coordinate] = *limit;
        }
    }
}

/// The first reason why a model whose elements have no errors cannot move.
fn incomplete(model: &Model, root: Element, source: &Source, elements: &[Element]) -> Vec<FileError> {
    if model.bodies.is_empty() {
        return vec![root.error("the file has no <body>")];
    }
    if let Some(massless) = inertia::first_massless(&model.bodies) {
        let name = element::shortened(&model.bodies[massless].name);
        let message = format!("body `{name}` moves but has no mass or no inertia");
        return vec![elements[massless].error(message).help("give it an <inertial>, or geoms with a mass")];
    }
    let limits: Vec<FileError> = limits::check(model, elements).into_iter().collect();
    if !limits.is_empty() {
        return limits;
    }
    idle_joint(source, model, elements).into_iter().collect()
}

/// Elements that are omitted, by the reason.
struct LeftOut {
    /// Elements that do not change how a body moves.
    ignored: Ignored,
    props: Ignored,
    /// Pairs with geoms of other files.
    elsewhere: Ignored,
    on_request: Ignored,
    /// Dry friction of ball and free joints.
    friction: Ignored,
}

impl LeftOut {
    fn errors(self, source: &Source) -> Vec<FileError> {
        let LeftOut { ignored, props, elsewhere, on_request, mut friction } = self;
        friction.append(props);
        let all = [ignored, friction, on_request, elsewhere];
        all.iter().flat_map(|found| found.errors(source)).collect()
    }

    fn warnings(&self, source: &Source) -> Vec<Warning> {
        let LeftOut { ignored, props, elsewhere, on_request, friction } = self;
        let warnings = [
            ignored.warning(source, "ignored, because it has no effect on a body's motion", STRICT),
            props.warning(source, "not part of the character, ignored", "put it into the scene"),
            elsewhere.warning(source, "not a geom of this file, treated as ground", STRICT),
            on_request.warning(
                source,
                "ignored, as requested, although it changes the body's motion",
                STRICT,
            ),
            friction.warning(source, DRY_FRICTION, STRICT),
        ];
        warnings.into_iter().flatten().collect()
    }
}

fn with_roles(mut model: Model, companion: &Companion) -> Result<Model, FileErrors> {
    model.roles = Box::new(roles::detect(&mut model));
    companion.assign(&mut model)?;
    Ok(model)
}

/// Turns a lying body upright, with a warning.
fn stood_up(
    source: &Source,
    model: &mut Model,
    bodies: &[Element],
    companion: &Companion,
) -> Option<Warning> {
    if companion.keeps_lying() {
        return None;
    }
    let roles::StoodUp { axis } = roles::stand_up(model)?;
    let message = format!("lies in its rest pose, head towards {axis}: it is turned until it stands");
    let help =
        "give the file a keyframe `rest`, or the file beside it a `[rest_pose]`, or `keep_lying = true`";
    let first = bodies.first().map_or(0..0, |body| body.tag_span());
    Some(Warning(FileError::new(source, first, message).help(help)))
}

/// Warning about ball and free joints with dry friction.
const DRY_FRICTION: &str =
    "dry friction acts in hinges and slides, not in balls and free joints; joints that have it";

/// Warnings about parts whose names and positions disagree on left and right.
fn doubts(source: &Source, model: &Model, bodies: &[Element]) -> Vec<Warning> {
    let warning = |(body, message): (BodyId, String)| {
        let error = FileError::new(source, bodies[body.0].tag_span(), message);
        Warning(error.help("assign them under `[roles]` of the companion file of the body"))
    };
    roles::doubts(model).into_iter().map(warning).collect()
}

/// Warning about a body whose trunk reaches the ground where it should stand on legs.
fn lying(source: &Source, model: &Model, bodies: &[Element]) -> Option<Warning> {
    let trunk = roles::lying_trunk(model)?;
    let name = &model.bodies[trunk.0].name;
    let message =
        format!("`{name}`, the trunk, reaches the ground in the rest pose: it does not stand on its legs");
    let help = "give the file a keyframe `rest`, or the file beside it a `[rest_pose]` in which it stands, or \
                `keep_lying = true`";
    Some(Warning(FileError::new(source, bodies[trunk.0].tag_span(), message).help(help)))
}

/// Note on warnings about ignored elements.
const STRICT: &str = "`aplomb check --strict` refuses it";

fn passive_joints(source: &Source, model: &Model, bodies: &[Element]) -> Option<Warning> {
    let first = model.passive_joints().next()?;
    let names = model.passive_joints().map(|joint| joint.name.as_str());
    Some(warning::of_passive_joints(source, names, span_of(first, bodies)))
}

fn outside_at_rest(source: &Source, model: &Model, bodies: &[Element]) -> Option<Warning> {
    let mut outside = Ignored::default();
    for (joint, value, [low, high]) in model.outside_at_rest() {
        let text = format!("`{}` at {value:.4}, not within {low:.4} to {high:.4}", joint.name);
        outside.add(text, span_of(joint, bodies));
    }
    let message = "joints outside their range in the rest pose, clamped (rad, m)";
    outside.warning(source, message, "give the file a keyframe `rest`, or a scene the joints' values")
}

fn uncoupled_at_rest(source: &Source, model: &Model, bodies: &[Element]) -> Option<Warning> {
    let mut elsewhere = Ignored::default();
    for (joint, was, is) in model.uncoupled_at_rest() {
        elsewhere.add(format!("`{}` at {was:.4}, not at {is:.4}", joint.name), span_of(joint, bodies));
    }
    let message = "coupled joints whose rest pose contradicts the coupling, set by it (rad, m)";
    elsewhere.warning(source, message, "give the file a keyframe `rest` in which they agree")
}

/// The error of a joint whose motions the joints before it already allow.
fn idle_joint(source: &Source, model: &Model, bodies: &[Element]) -> Option<FileError> {
    let joint = singular::first_idle_joint(model)?;
    let name = element::shortened(&joint.name);
    let message = format!("joint `{name}` duplicates the motion of other joints, so the model is singular");
    let error = FileError::new(source, span_of(joint, bodies), message);
    Some(error.help("remove it, change its axis, or give it an `armature`"))
}

/// Span of a joint's element, or of its body's.
fn span_of(joint: &Joint, bodies: &[Element]) -> std::ops::Range<usize> {
    let body = bodies[joint.body.0];
    let joints = body.children().filter(|child| child.tag() == "joint");
    // Several elements may be in one line.
    let is_other = |element: &Element| element.own("name").is_none_or(|name| name.value != joint.name);
    joints
        .min_by_key(|element| (element.line().abs_diff(joint.line), is_other(element)))
        .unwrap_or(body)
        .tag_span()
}

/// Narrows the torque limits to the actuators' forces, and returns which coordinates have an actuator. If
/// there are any actuators, joints without one are passive.
fn read_actuators<'a>(
    actuators: impl Iterator<Item = Element<'a>>,
    settings: &CompilerSettings,
    defaults: &'a Defaults<'a>,
    model: &mut Model,
    found: &mut UnmodelledElements,
    is_given: impl Fn(&str) -> bool,
    errors: &mut Vec<FileError>,
) -> Vec<bool> {
    let mut given: Vec<Option<[f64; 2]>> = vec![None; model.nv];
    for actuator in actuators {
        let read = defaults.apply_main(actuator).and_then(|actuator| match found.is_unmodelled(&actuator) {
            true => Ok(None),
            false => drive::read_actuator(actuator, settings, model, &is_given),
        });
        match read {
            Ok(Some((dof, [least, greatest]))) => {
                let [sum_least, sum_greatest] = given[dof].unwrap_or([0.0, 0.0]);
                given[dof] = Some([sum_least + least, sum_greatest + greatest]);
            }
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
    }
    let driven: Vec<bool> = given.iter().map(Option::is_some).collect();
    if driven.contains(&true) {
        for (is_actuated, given) in model.is_actuated.iter_mut().zip(&given) {
            *is_actuated = given.is_some();
        }
    }
    for (limits, given) in model.torque_limits.iter_mut().zip(given) {
        if let Some(given) = given {
            *limits = given.map(|torque| torque.clamp(limits[0], limits[1]));
        }
    }
    driven
}
