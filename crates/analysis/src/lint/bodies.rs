//! Bodies of characters that cannot be what was meant: masses, lengths or angles in other units, parts that no
//! joint connects.

use super::rule::{Rule, rule};
use aplomb_body::contact::centre_of;
use aplomb_body::model::{Geom, JointKind, Model};
use aplomb_control::snapshot::Snapshot;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Warning, keep_unless_allowed};
use aplomb_scene::{CharacterSpec, Run, SceneFiles};
use aplomb_world::CharacterId;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "implausible-mass",
        "A body is far too heavy or too light for its size.",
        "Masses are in kg and lengths in m: a body in grams or in centimetres moves as if it were made of lead or of \
         air. The limits are 2000 and 0.01 kg per cubic metre of a cube whose edge is the length of the body.",
        None
    ),
    rule!(
        "implausible-range",
        "Ranges of joints look like radians that were read as degrees, or the other way round.",
        "MJCF has angles in degrees unless `<compiler angle=\"radian\"/>` says otherwise. A body none of whose hinges \
         turns by more than a fiftieth of a turn, or one of whose hinges turns more than twice around either way, \
         was likely written in the other unit.",
        None
    ),
    rule!(
        "second-root",
        "A body of a character has no joint to the others.",
        "It falls by itself, and it counts in the centre of mass. What is not part of a character is an object of \
         its own, under `[passive]`.",
        None
    ),
];

/// Largest and least mass of a character per volume of a cube whose edge is its length, kg/m³; the shipped adult
/// has 7.5 (62 kg, 2.0 m).
const HEAVY: f64 = 2000.0;
const LIGHT: f64 = 0.01;

/// Widest range of the hinges of a body that was written in radians and read as degrees, and a limit that only a hinge
/// has that was written in degrees and read as radians, rad.
const STIFF: f64 = 0.11;
const TURNS: f64 = 4.0 * std::f64::consts::PI;

/// Findings about the bodies of all characters, in the world before its first frame.
pub(super) fn of_scene(files: &SceneFiles, run: &mut Run) -> Vec<Warning> {
    run.world.observe();
    let mut found = Vec::new();
    for (number, (name, spec)) in files.scene.characters.iter().enumerate() {
        let (model, snapshot) = run.world.sensed(Some(CharacterId(number)));
        let findings = [mass(name, model, snapshot), ranges(name, model), second_root(name, model)];
        found.extend(findings.into_iter().flatten().map(|finding| finding.warning(files, spec)));
    }
    keep_unless_allowed(&mut found, &files.scene_source, &files.scene.allow);
    found
}

struct BodyFinding {
    rule: &'static str,
    message: String,
    help: &'static str,
}

impl BodyFinding {
    fn warning(self, files: &SceneFiles, spec: &CharacterSpec) -> Warning {
        let error = FileError::new(&files.scene_source, spec.model.span(), self.message);
        Warning(error.help(self.help).rule(self.rule))
    }
}

fn mass(name: &Spanned<String>, model: &Model, snapshot: &Snapshot) -> Option<BodyFinding> {
    let mass = snapshot.scales.mass;
    let reach = |geom: &Geom| {
        (centre_of(geom, &snapshot.kinematics) - snapshot.com).norm() + geom.shape.bounding_radius()
    };
    let own = model.geoms.iter().filter(|geom| geom.body.is_some());
    let length = 2.0 * own.map(reach).fold(0.0, f64::max);
    let density = mass / length.powi(3);
    let help = match density {
        heavy if heavy > HEAVY && heavy.is_finite() => "masses are in kg: is it in grams?",
        light if light < LIGHT => "lengths are in m: is it in centimetres?",
        _ => return None,
    };
    let name = name.get_ref();
    let message = format!("`{name}` has {mass:.1} kg and is about {length:.2} m long");
    Some(BodyFinding { rule: "implausible-mass", message, help })
}

fn ranges(name: &Spanned<String>, model: &Model) -> Option<BodyFinding> {
    let hinges = model.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
    let ranges: Vec<(&str, [f64; 2])> =
        hinges.filter_map(|joint| Some((&*joint.name, joint.range?))).collect();
    let name = name.get_ref();
    let far = |range: &[f64; 2]| range.iter().any(|limit| limit.is_finite() && limit.abs() > TURNS);
    let (message, help) = if let Some((joint, [from, to])) = ranges.iter().find(|(_, range)| far(range)) {
        let message =
            format!("`{joint}` of `{name}` turns from {from:.1} to {to:.1} rad: these are likely degrees");
        (message, "write the limits in radians; MJCF has degrees without `<compiler angle=\"radian\"/>`")
    } else {
        let widest = ranges.iter().map(|(_, [from, to])| to - from).fold(0.0, f64::max);
        if ranges.len() < 2 || widest > STIFF {
            return None;
        }
        let message = format!(
            "no hinge of `{name}` turns by more than {:.1}°: its ranges are likely radians",
            widest.to_degrees()
        );
        (message, "add `<compiler angle=\"radian\"/>`: without it MJCF has angles in degrees")
    };
    Some(BodyFinding { rule: "implausible-range", message, help })
}

fn second_root(name: &Spanned<String>, model: &Model) -> Option<BodyFinding> {
    let second = model.bodies.iter().skip(1).find(|body| body.parent.is_none() && !body.dofs.is_empty())?;
    let (second, name) = (&second.name, name.get_ref());
    let message = format!("nothing joins `{second}` to the rest of `{name}`: it moves by itself");
    let help = "make it an object of its own, under `[passive]`, or move its element into that of a part";
    Some(BodyFinding { rule: "second-root", message, help })
}
