//! The start of a scene.

use super::look::LintContext;
use super::rule::{Rule, RuleFindings, rule};
use super::way_out::{self, WayOut};
use aplomb_body::contact::{Surface, can_touch, candidates, closest_point, nearest_of};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::{Geom, JointKind, Model};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Warning, keep_unless_allowed};
use aplomb_math::geometry::Shape;
use aplomb_passive::PassiveSpec;
use aplomb_scene::{CharacterSpec, Run, SceneFiles};
use aplomb_world::CharacterId;
use aplomb_world::event::{Command, Event};
use nalgebra::{UnitQuaternion, Vector3};

pub(super) const RULES: &[Rule] = &[
    rule!(
        "fixed-to-the-world",
        "A body with feet is fixed to the world.",
        "It cannot fall, whatever its controller does, so a run says nothing about balance. Many robot files do \
         not define how the body is attached to the world; `root = \"free\"` lets it move freely.",
        None
    ),
    rule!(
        "unused-position",
        "A character has a `position` or a `heading`, and its `reach` or `orientation` says where its root is.",
        "`reach` and `orientation` are in world coordinates and replace `position` and `heading`. To move the \
         body, change `reach` and `orientation`.",
        Some(unused_position)
    ),
    rule!(
        "begins-off-trajectory",
        "A joint or a point that follows a trajectory begins elsewhere.",
        "It is pulled there within `settle`, as fast as its `strength` allows. `pose` gives the joint the position at \
         which its trajectory begins, `position` the object.",
        None
    ),
    rule!(
        "coarse-cloth",
        "A ball passes between the particles of a cloth.",
        "Only the particles of a cloth touch others: half the diagonal of a square of them has to be less than the \
         radius of the smallest ball that it is to hold.",
        None
    ),
    rule!(
        "begins-inside",
        "A character, a rigid object or a ball that is thrown at once starts in penetration.",
        "The first frames push it out at high speed, or have no solution. The start pose stands on the floor: on \
         higher ground, stairs and boxes give a `height`, next to a wall another `position`.",
        None
    ),
];

fn unused_position(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    let of_character =
        scene.spec.characters.iter().find(|(name, _)| Some(name.get_ref().as_str()) == look.character);
    let Some((_, spec)) = of_character else { return };
    let is_root =
        |name: &str| look.model.body(name).is_some_and(|body| look.model.bodies[body.0].parent.is_none());
    let reached = spec.reach().find(|name| is_root(name));
    let turned = spec.orientation.keys().map(|name| name.get_ref().as_str()).find(|name| is_root(name));
    let mut say = |key: &str, span, by: &str, name: &str| {
        let message = format!("`{key}` is not used: `{by}` says where `{name}` is in the world");
        found.say(scene.source, span, message, format!("change `{by}`, or leave `{key}` out"));
    };
    if let Some(name) = reached.filter(|_| *spec.position.get_ref() != [0.0; 2]) {
        say("position", spec.position.span(), "reach", name);
    }
    if let Some(name) = turned.filter(|_| *spec.heading.get_ref() != 0.0) {
        say("heading", spec.heading.span(), "orientation", name);
    }
}

/// Cloths whose particles are so far apart that a ball of the scene passes between them.
pub(super) fn coarse_cloths(files: &SceneFiles) -> Vec<Warning> {
    let (models, _) = files.passive_models();
    let radius = |shape: &Shape| match shape {
        Shape::Sphere { radius } => Some(*radius),
        _ => None,
    };
    let objects = files.scene.passive.keys().zip(&models).flat_map(|(name, models)| {
        let shapes = models.iter().flat_map(|model| model.geoms.iter().filter(|geom| geom.collides));
        shapes.filter_map(move |geom| Some((name, radius(&geom.shape)?)))
    });
    let thrown =
        files.scene.events.iter().filter_map(|(name, event)| Some((name, *event.ball()?.1.get_ref())));
    let smallest = objects.chain(thrown).min_by(|(_, a), (_, b)| a.total_cmp(b));
    let Some((ball, radius)) = smallest else { return Vec::new() };
    let coarse = |spec: &PassiveSpec| {
        let PassiveSpec::Cloth(cloth) = spec else { return None };
        let gap = cloth.gap();
        (radius < gap).then(|| {
            let message = format!(
                "`{ball}`, a ball of {} m radius, passes between these particles, which have gaps of {} m",
                short(radius),
                short(gap)
            );
            let error = FileError::new(&files.scene_source, cloth.grid_span(), message);
            Warning(error.help("more particles: only they touch others").rule("coarse-cloth"))
        })
    };
    let mut found = files.scene.passive.values().filter_map(coarse).collect();
    keep_unless_allowed(&mut found, &files.scene_source, &files.scene.allow);
    found
}

/// Characters with feet that are fixed to the world.
pub(super) fn fixed(files: &SceneFiles, run: &Run) -> Vec<Warning> {
    let fixed = files.scene.characters.iter().enumerate().filter(|(number, _)| {
        let (model, _) = run.world.sensed(Some(CharacterId(*number)));
        // A body with a single foot is a robot arm.
        model.is_fixed() && model.roles.feet.len() > 1
    });
    let warning = |(_, (name, spec)): (usize, (&Spanned<String>, &CharacterSpec))| {
        let message = format!("`{name}` has feet and is fixed to the world: it cannot fall");
        let error = FileError::new(&files.scene_source, spec.model.span(), message);
        let help = format!("`root = \"free\"` under `[characters.{name}]` lets it move");
        Warning(error.help(help).rule("fixed-to-the-world"))
    };
    let mut found = fixed.map(warning).collect();
    keep_unless_allowed(&mut found, &files.scene_source, &files.scene.allow);
    found
}

/// Largest plausible distance from its trajectory at which an object may begin, m: within the default `settle` of 0.2
/// s it is pulled there at about 1 m/s. For a hinge, rad: 0.5 m/s at a radius of 0.2 m.
const OFF_TRAJECTORY: f64 = 0.1;
const TURNED_OFF_TRAJECTORY: f64 = 0.5;

/// Warnings about objects that follow a trajectory and begin elsewhere.
pub(super) fn off_trajectory(files: &SceneFiles) -> Vec<Warning> {
    let (models, _) = files.passive_models();
    let mut found = Vec::new();
    for ((object, spec), models) in files.scene.passive.iter().zip(&models) {
        let PassiveSpec::Articulated(spec) = spec else { continue };
        let beginning = models.first().and_then(|model| spec.beginning(model, &files.scene_source));
        let Some((model, kinematics)) = beginning else { continue };
        for follow in &spec.follow {
            let Some(start) = follow.start() else { continue };
            let told = match (&follow.joint, &follow.body) {
                (Some(name), _) => {
                    let Some(joint) = model.joints.iter().find(|joint| joint.name == *name.get_ref()) else {
                        continue;
                    };
                    let given = spec.pose.iter().find(|(posed, _)| posed.get_ref() == name.get_ref());
                    let at = given
                        .map_or(model.rest_configuration()[joint.q_index], |(_, value)| *value.get_ref());
                    let unit = if matches!(joint.kind, JointKind::Slide { .. }) { "m" } else { "rad" };
                    let pose = format!("begin there: `pose = {{ {name} = {} }}`", short(start.x));
                    (name, (start.x - at).abs(), unit, pose)
                }
                (None, Some(name)) => {
                    let Some(body) = model.body(name.get_ref()) else { continue };
                    let at = kinematics.point(body, &Vector3::from(*follow.point.get_ref()));
                    let help = format!("begin there: `position` or `pose` of `{object}`");
                    (name, (start - at).norm(), "m", help)
                }
                (None, None) => continue,
            };
            let (name, off, unit, help) = told;
            if off > if unit == "rad" { TURNED_OFF_TRAJECTORY } else { OFF_TRAJECTORY } {
                let message = format!("`{name}` begins {} {unit} from its trajectory", short(off));
                let error = FileError::new(&files.scene_source, name.span(), message);
                found.push(Warning(error.help(help).rule("begins-off-trajectory")));
            }
        }
    }
    keep_unless_allowed(&mut found, &files.scene_source, &files.scene.allow);
    found
}

/// Largest penetration at the start, m (for characters × length scale): that of soles in the rest pose.
const DEEPEST: f64 = 0.01;

/// Characters and rigid objects that start inside another object, in the world before its first frame.
pub(crate) fn begins_inside(files: &SceneFiles, run: &mut Run) -> Vec<Warning> {
    run.world.observe();
    let specs = files.scene.characters.iter().enumerate();
    let mut found: Vec<Warning> =
        specs.filter_map(|(number, (name, spec))| character(files, run, number, name, spec)).collect();
    let (models, _) = files.passive_models();
    let objects = files.scene.passive.iter().zip(&models);
    let mut begun: Vec<(&Spanned<String>, Model, Kinematics)> = Vec::new();
    for ((name, spec), models) in objects {
        if let PassiveSpec::Articulated(spec) = spec
            && let Some(model) = models.first()
            && let Some((model, kinematics)) = spec.beginning(model, &files.scene_source)
            && model.is_floating()
            && model.bodies.len() == 1
            && spec.follow.is_empty()
        {
            let span = if spec.position.span().is_empty() { name.span() } else { spec.position.span() };
            let others = begun.iter().filter_map(|(other, its, poses)| {
                let gap = deepest_between(&colliding(&model), &kinematics, &colliding(its), poses)?;
                Some((gap, format!("`{other}`")))
            });
            let inside = in_characters(files, run, &model, &kinematics).into_iter().chain(others);
            if let Some((gap, part)) = inside.min_by(|(a, _), (b, _)| a.total_cmp(b))
                && gap < -DEEPEST
            {
                let message = format!("`{name}` begins {:.1} cm inside of {part}", -100.0 * gap);
                let error = FileError::new(&files.scene_source, span, message);
                found.push(Warning(error.help("begin elsewhere: `position`").rule("begins-inside")));
                continue;
            }
            begun.push((name, model, kinematics));
            let Some((_, model, kinematics)) = begun.last() else { continue };
            let body = (model, kinematics);
            let candidates = candidates(model);
            let here = |surface: &&Surface| surface.present && surface.seat.is_none();
            let depths = run.world.surfaces().iter().filter(here).filter_map(|surface| {
                let touches = candidates.iter().filter(|point| can_touch(&point.feature, &surface.shape));
                let gaps = touches.filter_map(|point| closest_point(model, point, surface, kinematics, 0.0));
                gaps.map(|(_, gap, _)| gap).reduce(f64::min).map(|gap| (gap, surface))
            });
            let Some((gap, surface)) = depths.min_by(|(a, _), (b, _)| a.total_cmp(b)) else { continue };
            if gap > -DEEPEST {
                continue;
            }
            let (depth, inside) = (-100.0 * gap, &surface.name);
            let message = format!("`{name}` begins {depth:.1} cm inside of `{inside}`");
            let given = &spec.position;
            let help = match way_out::shortest(body, &candidates, surface, true) {
                Some(out) => {
                    let [x, y, z] = (Vector3::from(*given.get_ref()) + out.way).into();
                    format!("{}: `position = [{}, {}, {}]`", moved(&out), short(x), short(y), short(z))
                }
                None => "begin elsewhere: `position`".to_string(),
            };
            found.push(Warning(
                FileError::new(&files.scene_source, span, message).help(help).rule("begins-inside"),
            ));
        }
    }
    found.extend(thrown(files, run));
    keep_unless_allowed(&mut found, &files.scene_source, &files.scene.allow);
    found
}

/// Time up to which characters are still about where they began, s.
const AT_ONCE: f64 = 0.5;
/// Radius above which a ball is probably in centimetres, which has a rule of its own, m.
const LARGEST_BALL: f64 = 1.0;

/// Balls that are thrown from within a character.
fn thrown(files: &SceneFiles, run: &Run) -> Vec<Warning> {
    let dt = *files.scene.dt.get_ref();
    let ball = |event: &Event| {
        let Some(Command::Throw(throw)) = &event.command else { return None };
        let soon = event.trigger.is_none() && event.frames.start as f64 * dt <= AT_ONCE;
        (soon && throw.radius < LARGEST_BALL).then(|| Geom {
            name: event.name.clone(),
            body: None,
            shape: Shape::Sphere { radius: throw.radius },
            position: throw.position,
            orientation: UnitQuaternion::identity(),
            friction: 1.0,
            collides: true,
            line: 0,
        })
    };
    let warning = |event: &Event| {
        let ball = ball(event)?;
        let nowhere = Kinematics::new(&Model::empty());
        let (gap, part) =
            deepest_in_characters(files, run, &[&ball], &nowhere).filter(|(gap, _)| *gap < -DEEPEST)?;
        let (name, _) = files.scene.events.iter().find(|(name, _)| *name.get_ref() == event.name)?;
        let message = format!("`{name}` is thrown from {:.1} cm inside of {part}", -100.0 * gap);
        let error = FileError::new(&files.scene_source, name.span(), message);
        Some(Warning(error.help("throw it from elsewhere: `position` or `aimed`").rule("begins-inside")))
    };
    run.world.events().iter().filter_map(warning).collect()
}

/// Penetration depth of an object in a part of a character, m (negative), and the part.
fn in_characters(
    files: &SceneFiles,
    run: &Run,
    model: &Model,
    kinematics: &Kinematics,
) -> Option<(f64, String)> {
    deepest_in_characters(files, run, &colliding(model), kinematics)
}

fn colliding(model: &Model) -> Vec<&Geom> {
    model.geoms.iter().filter(|geom| geom.collides).collect()
}

/// The least distance between any two shapes of two objects, m; negative: penetration depth.
fn deepest_between(shapes: &[&Geom], own: &Kinematics, others: &[&Geom], their: &Kinematics) -> Option<f64> {
    let pairs = shapes.iter().flat_map(|shape| others.iter().map(|other| [(*shape, own), (*other, their)]));
    pairs.filter_map(|pair| nearest_of(pair, 0.0)).map(|nearest| nearest.distance).reduce(f64::min)
}

/// Penetration depth of any of these shapes in a part of a character, m (negative), and the part.
fn deepest_in_characters(
    files: &SceneFiles,
    run: &Run,
    shapes: &[&Geom],
    kinematics: &Kinematics,
) -> Option<(f64, String)> {
    let mut deepest: Option<(f64, String)> = None;
    for (number, (name, _)) in files.scene.characters.iter().enumerate() {
        let (character, snapshot) = run.world.sensed(Some(CharacterId(number)));
        for part in character.geoms.iter().filter(|geom| geom.collides) {
            for own in shapes {
                let pair = [(*own, kinematics), (part, &snapshot.kinematics)];
                let Some(nearest) = nearest_of(pair, 0.0) else { continue };
                if deepest.as_ref().is_none_or(|(gap, _)| nearest.distance < *gap) {
                    let body = part.body.map_or("", |body| character.bodies[body.0].name.as_str());
                    deepest = Some((nearest.distance, format!("`{body}` of `{name}`")));
                }
            }
        }
    }
    deepest
}

fn character(
    files: &SceneFiles,
    run: &Run,
    number: usize,
    name: &Spanned<String>,
    spec: &CharacterSpec,
) -> Option<Warning> {
    let (model, snapshot) = run.world.sensed(Some(CharacterId(number)));
    let contacts = &snapshot.contacts;
    let body = (model, &snapshot.kinematics);
    let limit = DEEPEST * snapshot.scales.length();
    let of_point = contacts.touches.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
    let of_point = of_point.filter(|touch| touch.gap <= -limit).map(|touch| {
        let (candidate, surface) = contacts.pair(touch.slot);
        (touch.gap, &*candidate.name, surface)
    });
    let of_shape = || {
        let fixed = contacts.surfaces.iter().filter(|surface| surface.present && surface.seat.is_none());
        let inside = fixed.filter_map(|surface| {
            let (gap, geom) = way_out::deepest_shape(body, surface, &Vector3::zeros())?;
            let part = model.geoms[geom].body?;
            Some((gap, model.bodies[part.0].name.as_str(), surface))
        });
        inside.filter(|(gap, ..)| *gap < -2.0 * limit).min_by(|(a, ..), (b, ..)| a.total_cmp(b))
    };
    let (gap, part, surface) = of_point.or_else(of_shape)?;
    let message =
        format!("`{name}` begins with `{part}` {:.1} cm inside of `{}`", -100.0 * gap, surface.name);
    // The character is not meant to stand on an object that is not part of the floor or of stairs.
    let out = way_out::shortest(body, &contacts.candidates, surface, surface.seat.is_none());
    let height = spec.height.as_ref();
    let raised = |way: f64| {
        let stairs = run.world.surfaces().iter().filter(|surface| surface.present && surface.seat.is_none());
        let further = way_out::further_up(body, &contacts.candidates, stairs, way);
        height.map_or(0.0, |height| *height.get_ref()) + way + further
    };
    let stand_on_it = |raised: f64| format!("stand on it: `height = {}`", short(raised));
    let up = |way: f64| (height.map(Spanned::span), stand_on_it(raised(way)));
    // Tables, not walls.
    let on_top = || Some(raised(0.0)).filter(|up| surface.seat.is_none() && *up < snapshot.scales.height);
    let (span, help) = match &out {
        Some(out) if out.along == "z" => up(out.way.z),
        // Its points are outside, and a limb between them is not.
        None if surface.seat.is_none() => up(0.0),
        Some(out) => {
            let [x, y] = *spec.position.get_ref();
            let (x, y) = (short(x + out.way.x), short(y + out.way.y));
            let span = Some(spec.position.span()).filter(|span| !span.is_empty());
            let other = on_top().map_or(String::new(), |up| format!("; or {}", stand_on_it(up)));
            (span, format!("{}: `position = [{x}, {y}]`{other}", moved(out)))
        }
        None => (None, "begin elsewhere: `position`, `pose`".to_string()),
    };
    let span = span.unwrap_or_else(|| name.span());
    Some(Warning(FileError::new(&files.scene_source, span, message).help(help).rule("begins-inside")))
}

fn moved(out: &WayOut) -> String {
    match out.along {
        "z" => format!("raise it by {} m", short(out.way.norm())),
        along => format!("move it by {} m along {along}", short(out.way.norm())),
    }
}

/// A number rounded to three digits after the point.
pub(super) fn short(length: f64) -> String {
    let text = format!("{length:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}
