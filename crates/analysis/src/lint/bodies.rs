//! Implausible bodies of characters: masses, lengths or angles in other units, parts that no joint connects.

use super::rule::{Rule, rule};
use aplomb_body::contact::centre_of;
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::{Body, Geom, Joint, JointKind, Model};
use aplomb_language::diagnostic::{FileError, Source, Warning};
use aplomb_scene::{Run, SceneFiles};
use aplomb_world::CharacterId;
use std::ops::Range;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "implausible-mass",
        "A body is far too heavy or too light for its size, or a part of it for the others.",
        "Masses are in kg and lengths in m: a body in grams or in centimetres moves as if it were made of lead or of \
         air. The limits are 2000 and 0.01 kg per cubic metre of a cube whose edge is the length of the body. A part \
         has at most four times the mass of the same part on the other side, and if it hangs from others, three times \
         that of all of them.",
        None,
        "grams.xml" "foot.xml" => "biped.xml"
    ),
    rule!(
        "implausible-range",
        "Ranges of joints look like radians that were read as degrees, or the other way round.",
        "MJCF has angles in degrees unless `<compiler angle=\"radian\"/>` says otherwise. A body none of whose hinges \
         turns by more than a fiftieth of a turn, or one of whose hinges turns more than twice around either way, \
         was likely written in the other unit.",
        None,
        "degrees.xml" "radians.xml" => "biped.xml"
    ),
    rule!(
        "second-root",
        "A body of a character has no joint to the others.",
        "It falls by itself, and it counts in the centre of mass. What is not part of a character is an object of \
         its own, under `[passive]`.",
        None,
        "with_ball.xml" => "biped.xml"
    ),
    rule!(
        "no-torque-limits",
        "No joint of a character has a torque limit.",
        "Its joints then have any strength that a motion needs, so that what it survives says nothing about a body of \
         flesh or motors. Limits come from actuators (`forcerange`, or `gear` and `ctrlrange`), from \
         `actuatorfrcrange` of a joint, or from `effort` in URDF; 2 N m for each kg of the body is a strong hip.",
        None,
        "limitless.xml" => "biped.xml"
    ),
];

/// Largest and least mass of a character per volume of a cube whose edge is its length, kg/m³; the shipped adult
/// has 7.5 (62 kg, 2.0 m).
const HEAVY: f64 = 2000.0;
const LIGHT: f64 = 0.01;
/// Least value for a body in millimetres: a thousandth of one in centimetres, which is above it.
const LIGHTEST: f64 = 5e-7;

/// Widest range of the hinges of a body that was written in radians and read as degrees, and a limit that only a
/// hinge reaches that was written in degrees and read as radians, rad.
const STIFF: f64 = 0.11;
const TURNS: f64 = 4.0 * std::f64::consts::PI;

/// Largest ratio of the mass of a part to that of the same part on the other side, and to that of all parts from
/// which it hangs.
const LOPSIDED: f64 = 4.0;
const OUTWEIGHS: f64 = 3.0;

/// Findings about the bodies of all characters, with their locations in the bodies' files.
pub(super) fn of_scene(files: &SceneFiles, run: &Run) -> Vec<Warning> {
    let mut found = Vec::new();
    for (number, (character, _)) in files.cast().enumerate() {
        let (model, _) = run.world.sensed(Some(CharacterId(number)));
        found.extend(of_body(model, &character.model_source));
    }
    // The scene may also allow rules for its bodies, whose files cannot.
    let is_allowed = |Warning(found): &Warning| {
        files.scene.allow.iter().any(|name| found.rule == Some(name.get_ref().as_str()))
    };
    found.retain(|warning| !is_allowed(warning));
    found
}

/// Findings about a body, with their locations in its file.
pub(super) fn of_body(model: &Model, source: &Source) -> Vec<Warning> {
    let mut found = parts(model);
    let findings = [mass(model), ranges(model), second_root(model), limitless(model)];
    found.extend(findings.into_iter().flatten());
    found.into_iter().map(|finding| finding.warning(source)).collect()
}

/// The finding that a body with feet cannot move; a scene may allow it.
pub(super) fn fixed(model: &Model, source: &Source) -> Option<Warning> {
    let root = model.bodies.first().filter(|_| stands(model) && model.is_fixed())?;
    let message = format!("`{}` is fixed to the world, and the body has feet: it cannot fall", root.name);
    let help = "add a `<freejoint/>` to it, or write `root = \"free\"` in scenes or in the file's companion";
    let rule = "fixed-to-the-world";
    Some(BodyFinding { rule, at: Place::of(root), message, help: help.into() }.warning(source))
}

/// Whether it is a character that stands: a single limb that stands is a robot arm.
fn stands(model: &Model) -> bool {
    model.roles.feet.len() > 1
}

/// An element of a body's file: its name and its line.
struct Place<'a> {
    name: &'a str,
    line: usize,
}

impl<'a> Place<'a> {
    fn of(body: &'a Body) -> Self {
        Place { name: &body.name, line: body.line }
    }

    fn of_joint(joint: &'a Joint) -> Self {
        Place { name: &joint.name, line: joint.line }
    }

    /// Position of the name in the file: in that line, otherwise its first occurrence (files may be included in
    /// others or translated), otherwise the beginning.
    fn span(&self, source: &Source) -> Range<usize> {
        let text = &*source.text;
        let quoted = ['"', '\''].map(|quote| format!("name={quote}{}{quote}", self.name));
        let places = || {
            quoted
                .iter()
                .flat_map(|name| text.match_indices(name.as_str()))
                .map(|(at, name)| at..at + name.len())
        };
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let here = places().find(|place| line(place.start) == self.line);
        here.or_else(|| places().min_by_key(|place| place.start)).unwrap_or(0..0)
    }
}

struct BodyFinding<'a> {
    rule: &'static str,
    at: Place<'a>,
    message: String,
    help: String,
}

impl BodyFinding<'_> {
    fn warning(self, source: &Source) -> Warning {
        let error = FileError::new(source, self.at.span(source), self.message);
        Warning(error.help(self.help).rule(self.rule))
    }
}

fn mass(model: &Model) -> Option<BodyFinding<'_>> {
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, &model.rest_configuration(), &vec![0.0; model.nv]);
    let mass = kinematics.total_inertia.mass;
    let com = kinematics.total_inertia.first_moment / mass;
    let reach = |geom: &Geom| (centre_of(geom, &kinematics) - com).norm() + geom.shape.bounding_radius();
    let own = model.geoms.iter().filter(|geom| geom.body.is_some());
    let length = 2.0 * own.map(reach).fold(0.0, f64::max);
    let density = mass / length.powi(3);
    let help = match density {
        heavy if heavy > HEAVY && heavy.is_finite() => "masses are in kg: is it in grams?",
        light if light < LIGHTEST => "lengths are in m: is it in millimetres?",
        light if light < LIGHT => "lengths are in m: is it in centimetres?",
        _ => return None,
    };
    let message = format!("the body has {mass:.1} kg and is about {length:.2} m long");
    let at = Place::of(model.bodies.first()?);
    Some(BodyFinding { rule: "implausible-mass", at, message, help: help.into() })
}

/// Parts that are far heavier than the same part on the other side, or than everything they hang from.
fn parts(model: &Model) -> Vec<BodyFinding<'_>> {
    let total: f64 = model.bodies.iter().map(|body| body.inertia.mass).sum();
    let mut found = Vec::new();
    for body in &model.bodies {
        let mass = body.inertia.mass;
        let mirrored =
            mirrored(&body.name).and_then(|name| model.bodies.iter().find(|other| other.name == name));
        let message = match mirrored {
            Some(other) if mass > LOPSIDED * other.inertia.mass && other.inertia.mass > 0.0 => {
                format!("`{}` has {mass} kg, and `{}` {} kg", body.name, other.name, other.inertia.mass)
            }
            _ if body.parent.is_some() && mass > OUTWEIGHS * (total - mass) && total > mass => {
                format!("`{}` has {mass} kg, and all other parts together {:.3} kg", body.name, total - mass)
            }
            _ => continue,
        };
        let help = "masses are in kg, and densities in kg/m³".into();
        found.push(BodyFinding { rule: "implausible-mass", at: Place::of(body), message, help });
    }
    found
}

/// The name of the same part on the other side; `None` for a part without a side.
fn mirrored(name: &str) -> Option<String> {
    let words = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")];
    let sides = words.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
    let named = sides.into_iter().find(|(own, _)| name.contains(own));
    let short = [("l_", "r_"), ("L_", "R_"), ("r_", "l_"), ("R_", "L_")];
    let begins = || short.iter().find_map(|(own, other)| Some(format!("{other}{}", name.strip_prefix(own)?)));
    let short = [("_l", "_r"), ("_L", "_R"), ("_r", "_l"), ("_R", "_L")];
    let ends = || short.iter().find_map(|(own, other)| Some(format!("{}{other}", name.strip_suffix(own)?)));
    named.map(|(own, other)| name.replace(own, other)).or_else(begins).or_else(ends)
}

fn ranges(model: &Model) -> Option<BodyFinding<'_>> {
    let hinges = model.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
    let ranges: Vec<(&Joint, [f64; 2])> = hinges.filter_map(|joint| Some((joint, joint.range?))).collect();
    let far = |range: &[f64; 2]| range.iter().any(|limit| limit.is_finite() && limit.abs() > TURNS);
    let (joint, message, help) = if let Some((joint, [from, to])) =
        ranges.iter().find(|(_, range)| far(range))
    {
        let message =
            format!("`{}` turns from {from:.1} to {to:.1} rad: these are likely degrees", joint.name);
        let help = "write the limits in radians; MJCF has degrees without `<compiler angle=\"radian\"/>`";
        (*joint, message, help)
    } else {
        let widest = ranges.iter().map(|(_, [from, to])| to - from).fold(0.0, f64::max);
        if ranges.len() < 2 || widest > STIFF {
            return None;
        }
        let message =
            format!("no hinge turns by more than {:.1}°: ranges are likely radians", widest.to_degrees());
        (ranges[0].0, message, "set `<compiler angle=\"radian\"/>`: by default MJCF has angles in degrees")
    };
    Some(BodyFinding { rule: "implausible-range", at: Place::of_joint(joint), message, help: help.into() })
}

fn second_root(model: &Model) -> Option<BodyFinding<'_>> {
    let mut others = model.bodies.iter().skip(1).filter(|_| stands(model));
    let second = others.find(|body| body.parent.is_none() && !body.dofs.is_empty())?;
    let message = format!("nothing joins `{}` to the rest of the body: it moves by itself", second.name);
    let help = "make it an object of its own, under `[passive]`, or move its element into that of a part";
    Some(BodyFinding { rule: "second-root", at: Place::of(second), message, help: help.into() })
}

fn limitless(model: &Model) -> Option<BodyFinding<'_>> {
    let joints = || model.joints.iter().filter(|joint| !model.is_root(joint.v_index));
    let is_limited = |joint: &Joint| {
        let limits = &model.torque_limits[joint.v_index..joint.v_index + joint.kind.nv()];
        limits.iter().any(|[low, high]| low.is_finite() || high.is_finite())
    };
    let first = joints().next().filter(|_| stands(model) && !joints().any(is_limited))?;
    let message = "no joint of this body has a torque limit: it is as strong as any motion needs".to_string();
    let help = "give it actuators with `forcerange`, or its joints `actuatorfrcrange` (URDF: `effort`), N m";
    Some(BodyFinding { rule: "no-torque-limits", at: Place::of_joint(first), message, help: help.into() })
}
