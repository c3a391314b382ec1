//! Targets that no body can reach.

use super::conditions::{degrees as in_degrees, each, parts};
use super::look::{LintContext, LintedController, LintedScene};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_body::model::scales::Scales;
use aplomb_body::model::{BodyId, JointKind, Model};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{Interval, SyntaxNode, WrittenForm, WrittenValue};
use aplomb_scene::EventSpec;
use aplomb_world::controller::StateSpec;
use nalgebra::Vector3;
use std::f64::consts::TAU;
use std::ops::Range;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "joint-out-of-range",
        "A pose has a target angle outside the joint's range.",
        "The joint stops at its limit, and the remaining error competes with the other objectives. `aplomb list \
         joints` has the ranges.",
        Some(joint_range)
    ),
    rule!(
        "angle-in-degrees",
        "An angle, or the number that one is compared with, is more than a whole turn.",
        "Angles are in rad: a full turn is 6.28.",
        Some(degrees)
    ),
    rule!(
        "undriven-joint",
        "A pose names a joint that no actuator drives.",
        "The joint cannot be moved towards its target.",
        None
    ),
    rule!(
        "com-out-of-reach",
        "The target height of the COM is higher than the stretched legs allow, or under the ground.",
        "The body stretches as far as it can, and the remaining error competes with the other objectives. \
         `standing_height` is the height of the COM in the rest pose.",
        Some(com_height)
    ),
    rule!(
        "force-in-newtons",
        "The target of a contact force is more than ten times the weight of the body.",
        "Contact forces are in m g, as shares of the body's weight: 1 is all of it, on one foot.",
        Some(force_in_newtons)
    ),
    rule!(
        "point-out-of-reach",
        "The target of a point is farther away than the body is long.",
        "The reach of hands and feet is bounded by the lengths of the body parts between them.",
        Some(point)
    ),
];

/// The interval of the angle that a pose requests.
fn angle_range(look: &LintContext<'_>, angle: &WrittenValue) -> Option<Interval> {
    match &angle.said {
        WrittenForm::Keyframes { .. } | WrittenForm::Number(_) | WrittenForm::Expression(_) => {
            Some(look.range(angle))
        }
        _ => None,
    }
}

fn joint_range(look: &LintContext<'_>, found: &mut RuleFindings) {
    if let Some(controller) = &look.controller {
        let asked = controller.entries().flat_map(|entry| controller.says(entry).says.angles);
        for (name, angle) in asked.chain(controller.spring_angles()) {
            let Some(range) = angle_range(look, &angle) else { continue };
            if let Some((words, limits)) = outside(look.model, &name, [range.least, range.most]) {
                let help = limits.help();
                found.say(controller.source, angle.span.clone(), words, help);
            }
        }
    }
}

/// The range of a joint, and the requested value outside of it.
struct OutsideRange {
    range: [f64; 2],
    asked: f64,
    unit: &'static str,
}

impl OutsideRange {
    /// The range with its unit; for angles also in degrees, and the value in rad if it was probably meant in degrees.
    fn help(&self) -> String {
        let OutsideRange { range: [low, high], asked, unit } = *self;
        if unit != "rad" {
            return format!("its range is {low:.3} to {high:.3} {unit}");
        }
        let in_degrees = asked.to_radians();
        let meant = match asked.abs() >= 1.0 && (low..=high).contains(&in_degrees) {
            true => format!("; angles are in rad: {asked}° is {in_degrees:.4}"),
            false => String::new(),
        };
        let [least, most] = [low, high].map(|limit| limit.to_degrees().round() + 0.0);
        format!("its range is {low:.3} to {high:.3} rad ({least}° to {most}°){meant}")
    }
}

/// The report on values of a joint (or of the role of one), none of which is in its range.
fn outside(model: &Model, name: &Spanned<String>, [least, most]: [f64; 2]) -> Option<(String, OutsideRange)> {
    let (id, sign) = model.hinge(name.get_ref()).or_else(|| Some((model.joint(name.get_ref())?, 1.0)))?;
    let joint = &model.joints[id.0];
    let [low, high] = joint.range?;
    let limits = if sign < 0.0 { [-high, -low] } else { [low, high] };
    let unit = match joint.kind {
        JointKind::Hinge { .. } => "rad",
        JointKind::Slide { .. } => "m",
        _ => return None,
    };
    let slack = 0.02 * (high - low).max(0.05);
    let away = if most.is_finite() && most < limits[0] - slack {
        most
    } else if least.is_finite() && least > limits[1] + slack {
        least
    } else {
        return None;
    };
    // Reported as `angle-in-degrees`.
    if unit == "rad" && away.abs() > TAU {
        return None;
    }
    let words = format!("{away} {unit} is outside the range of `{name}`");
    Some((words, OutsideRange { range: limits, asked: away, unit }))
}

fn degrees(look: &LintContext<'_>, found: &mut RuleFindings) {
    if let Some(controller) = &look.controller {
        degrees_of_targets(look, controller, found);
    }
    degrees_in_conditions(look, found);
    if let Some(scene) = &look.scene {
        degrees_of_placements(look, scene, found);
    }
}

/// The first of these angles that is more than a full turn, rad.
fn over_a_turn(values: &[f64]) -> Option<f64> {
    values.iter().copied().find(|value| value.abs() > TAU)
}

/// Reports an angle of more than a full turn, rad.
fn report_degrees(source: &Source, span: Range<usize>, value: f64, found: &mut RuleFindings) {
    let help = format!("angles are in rad: {value}° is {:.4}", value.to_radians());
    found.say(source, span, format!("{value} rad is more than a whole turn"), help);
}

/// Inspects the angles and orientations that the objectives and springs of a controller request.
fn degrees_of_targets(look: &LintContext<'_>, controller: &LintedController<'_>, found: &mut RuleFindings) {
    // Angles that an objective writes out are reported where it is read.
    let asked = controller.entries().flat_map(|entry| controller.says(entry).says.angles);
    let asked = asked.filter(|(_, angle)| !matches!(angle.said, WrittenForm::Number(_)));
    for (name, angle) in asked.chain(controller.spring_angles()) {
        let is_hinge = look
            .model
            .hinge(name.get_ref())
            .is_some_and(|(id, _)| matches!(look.model.joints[id.0].kind, JointKind::Hinge { .. }));
        let Some(range) = angle_range(look, &angle).filter(|_| is_hinge) else { continue };
        let away = [range.least, -range.most].into_iter().find(|least| *least > TAU && least.is_finite());
        if let Some(away) = away {
            report_degrees(controller.source, angle.span.clone(), away.copysign(range.least), found);
        }
    }
    for entry in controller.entries() {
        let wanted = controller.says(entry);
        let Some(target) = wanted.says.target.filter(|_| wanted.kind == "body_orientation") else {
            continue;
        };
        if let Some(value) = over_a_turn(&look.points(&target).concat()) {
            report_degrees(controller.source, target.span.clone(), value, found);
        }
    }
}

/// Inspects the numbers with which conditions compare angles.
fn degrees_in_conditions(look: &LintContext<'_>, found: &mut RuleFindings) {
    let lexicon = look.lexicon();
    let mut compared = |source: &Source, written: &WrittenValue, node: &SyntaxNode| {
        for (number, value) in parts(node).into_iter().filter_map(|part| in_degrees(part, &lexicon)) {
            report_degrees(source, written.place(number), value, found);
        }
    };
    each(look, &mut compared);
    let Some(scene) = &look.scene else { return };
    for condition in scene.spec.conditions() {
        let written = condition.written_as(scene.source);
        if let Some(node) = written.expression() {
            compared(scene.source, &written, node);
        }
    }
}

/// Inspects the rotations of a scene's obstacles, the headings and orientations of its characters, the bearings of
/// throws, and the rotations of what moves and shakes.
fn degrees_of_placements(look: &LintContext<'_>, scene: &LintedScene<'_>, found: &mut RuleFindings) {
    let obstacles = scene.spec.obstacles.values().filter_map(|obstacle| obstacle.rotation.as_ref());
    let rotations = obstacles.map(|rotation| (rotation.span(), rotation.get_ref().to_vec()));
    let characters = scene.spec.characters.values();
    let headings = characters.map(|hero| (hero.heading.span(), vec![*hero.heading.get_ref()]));
    let throws = scene.spec.events.values().filter_map(EventSpec::bearing);
    let bearings = throws.map(|bearing| (bearing.span(), vec![*bearing.get_ref()]));
    let oriented = scene.spec.characters.values().flat_map(|hero| hero.orientation.values());
    let oriented = oriented.map(|turn| (turn.span(), look.points(&turn.written_as(scene.source)).concat()));
    let events = scene.spec.events.values().flat_map(|event| [&event.turn, &event.sway]);
    let moved = events.flatten().chain(scene.spec.sways());
    let moved = moved.map(|turn| (turn.span(), turn.get_ref().to_vec()));
    let phases = scene.spec.phases().map(|phase| (phase.span(), vec![*phase.get_ref()]));
    let placed = rotations.chain(headings).chain(bearings).chain(oriented);
    for (span, values) in placed.chain(moved).chain(phases) {
        if let Some(value) = over_a_turn(&values) {
            report_degrees(scene.source, span, value, found);
        }
    }
}

/// Height on tiptoes with straight legs, as a share of the height at rest.
const HIGHEST: f64 = 1.15;

fn com_height(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let height = Scales::new(look.model, look.dt).height;
    for entry in controller.entries() {
        let wanted = controller.says(entry);
        let Some(target) = wanted.says.target.filter(|_| wanted.kind == "com_height") else { continue };
        let range = look.range(&target);
        let (message, help) = if range.least > HIGHEST * height {
            (
                format!("the COM cannot be {:.3} m high: it rests at {height:.3} m", range.least),
                "of its height at rest, 0.985 is upright with soft knees",
            )
        } else if range.most <= 0.0 {
            (format!("a COM at {:.3} m is under the ground", range.most), "heights are over the ground, m")
        } else {
            continue;
        };
        found.say(controller.source, target.span.clone(), message, help);
    }
}

/// Largest contact force that a controller may seek, m g.
const LARGEST_FORCE: f64 = 10.0;

fn force_in_newtons(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let weight = Scales::new(look.model, look.dt).weight();
    for entry in controller.entries() {
        let wanted = controller.says(entry);
        let Some(target) = wanted.says.target.filter(|_| wanted.kind == "contact_force") else { continue };
        let least = look.range(&target).least;
        if least > LARGEST_FORCE && least.is_finite() {
            let message = format!("a force of {least} times the weight of the body");
            let help = format!("forces are in m g: {least} N are {:.3}", least / weight);
            found.say(controller.source, target.span.clone(), message, help);
        }
    }
}

fn point(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let (ground, obstacles) = look.scene.as_ref().map_or((0.0, false), |scene| {
        (*scene.spec.ground.height.get_ref(), !scene.spec.obstacles.is_empty())
    });
    for (_, state) in controller.states() {
        if !stands(controller, state) {
            continue;
        }
        for entry in &state.objectives {
            let wanted = controller.says(entry);
            let (Some(target), "body_point") = (&wanted.says.target, wanted.kind) else { continue };
            // The others are the point and, if the target is not in the world, the body that it is relative to.
            let [point] = &wanted.says.others[..] else { continue };
            let Some(place) = place(look.model, point) else { continue };
            let most = reach(look.model, place);
            let highest = look
                .points(target)
                .into_iter()
                .map(|point| point[2] - ground)
                .fold(f64::NEG_INFINITY, f64::max);
            let lowest =
                look.points(target).into_iter().map(|point| point[2] - ground).fold(f64::INFINITY, f64::min);
            let message = if highest > most && !obstacles {
                format!(
                    "{highest:.2} m over the ground is out of reach: this body is {most:.2} m long up to there"
                )
            } else if lowest < -0.1 * most {
                format!("{:.2} m under the ground is out of reach", -lowest)
            } else {
                continue;
            };
            found.say(
                controller.source,
                target.span.clone(),
                message,
                "targets of points are in the world, m",
            );
        }
    }
}

/// Whether the ground is the only support that is specified for the body.
fn stands(controller: &LintedController<'_>, state: &StateSpec) -> bool {
    let grips =
        controller.spec.states.values().any(|state| !state.grip.is_empty() || !state.stand.is_empty());
    !grips && controller.spec.levels(state).all(|level| level.release.is_empty())
}

/// The body of a name, with a point on it.
fn place(model: &Model, written: &WrittenValue) -> Option<(BodyId, Vector3<f64>)> {
    let name = written.expression()?.name()?;
    if let Some(body) = model.body(&name) {
        return Some((body, Vector3::zeros()));
    }
    let site = &model.sites[model.site(&name)?];
    Some((site.body?, site.position))
}

/// The length of the stretched body from its lowest point to a point, m.
fn reach(model: &Model, (body, point): (BodyId, Vector3<f64>)) -> f64 {
    let up = |mut body: BodyId| {
        let mut length = 0.0;
        while let Some(parent) = model.bodies[body.0].parent {
            length += model.bodies[body.0].position.norm();
            body = parent;
        }
        length
    };
    let longest = model
        .geoms
        .iter()
        .filter(|geom| geom.collides)
        .filter_map(|geom| Some(up(geom.body?) + geom.position.norm() + 0.2 * model.rest_com_height()));
    point.norm() + up(body) + longest.fold(0.0, f64::max)
}
