//! A controller that tracks a motion, on both feet or with its steps.

use super::clip::Clip;
use super::footwork::{Footwork, Plan, Step};
use crate::math::interpolation::{KeyPosition, place};
use crate::model::state::{difference, integrate};
use crate::model::{BodyId, Model};
use nalgebra::{UnitQuaternion, Vector3};
use std::f64::consts::TAU;
use std::fmt::{self, Write};

/// Texts of the controller other than the motion.
pub(crate) struct ControllerText<'a> {
    pub(crate) name: &'a str,
    /// Name of the motion's file.
    pub(crate) file: &'a str,
    /// Options of the command other than the file, each after a space.
    pub(crate) edit: &'a str,
    /// Name of the body.
    pub(crate) model: &'a str,
    /// Keys per second, 1/s.
    pub(crate) rate: f64,
}

const HEAD: &str = include_str!("../templates/track.toml");
/// The beginning and the states of a controller that steps.
const STEPPING: &str = include_str!("../templates/track_steps.toml");
const STATES: &str = include_str!("../templates/track_states.toml");
/// Interval of the samples of the plan that are written, and time around touchdowns in which all are written, s.
const KEPT: usize = 4;
const AROUND: f64 = 0.0151;
/// Time by which the pelvis's rotation is taken later in the clip, s, because the goal lags.
const LEAD: f64 = 0.05;
/// Least duration of double support before a step, s.
const LEAST_BOTH: f64 = 0.05;
/// Height of the COM of the inverted pendulum, as a share of its standing height.
const CARRIED: f64 = 0.95;
/// Argument of the keyframes of a controller that steps.
pub(crate) const CLIP_TIME: &str = "clip_time";
/// Longest line of numbers, characters.
const WIDTH: usize = 110;

/// The text of the controller.
pub(crate) fn controller(clip: &Clip, model: &Model, words: &ControllerText<'_>) -> String {
    let times = times(clip, words.rate);
    let frames: Vec<Vec<f64>> = times.iter().map(|time| at(clip, *time, model)).collect();
    let mut text = HEAD
        .replace("NAME", words.name)
        .replace("--track FILE", &format!("--track FILE{}", words.edit))
        .replace("FILE", words.file)
        .replace("MODEL", words.model)
        .replace("RATE", &words.rate.to_string())
        .replace("SECONDS", &format!("{:.2}", clip.lasts()));
    // Writing to a string cannot fail.
    _ = motion(&mut text, clip, model, &times, &frames);
    text
}

fn motion(text: &mut String, clip: &Clip, model: &Model, times: &[f64], frames: &[Vec<f64>]) -> fmt::Result {
    let height = |q: &Vec<f64>| {
        let poses = model.body_poses(q);
        model.centre_of_mass(&poses).z - model.lowest_point(&poses)
    };
    objective(text, "com height", "20.0", "0.15")?;
    let heights: Vec<String> = frames.iter().map(|q| number(height(q))).collect();
    keyframes(text, "com_height.target", times, &heights)?;
    if let (true, Some(pelvis)) = (clip.has_root, model.body("pelvis")) {
        objective(text, "pelvis", "5.0", "0.15")?;
        writeln!(text, "[states.track.objectives.of.body_orientation]\nbody = \"pelvis\"")?;
        let angles = turns(model, pelvis, frames);
        let angles: Vec<String> = angles.iter().map(|a| format!("[{}]", a.map(number).join(", "))).collect();
        keyframes(text, "body_orientation.target", times, &angles)?;
    }
    objective(text, "pose", "1.0", "0.1")?;
    for joint in clip.joints.iter().map(|joint| &model.joints[*joint]) {
        let values: Vec<String> = frames.iter().map(|q| number(q[joint.q_index])).collect();
        keyframes(text, &format!("pose.angles.{}", key(&joint.name)), times, &values)?;
    }
    Ok(())
}

fn objective(text: &mut String, name: &str, weight: &str, response: &str) -> fmt::Result {
    writeln!(
        text,
        "\n[[states.track.objectives]]\nname = \"{name}\"\nweight = {weight}\nresponse = {response}"
    )
}

/// Keyframes as a table, with lists over several lines.
fn keyframes(text: &mut String, of: &str, times: &[f64], values: &[String]) -> fmt::Result {
    writeln!(text, "[states.track.objectives.of.{of}.keyframes]")?;
    lists(text, times, values)?;
    writeln!(text, "interpolation = \"curve\"")
}

fn lists(text: &mut String, times: &[f64], values: &[String]) -> fmt::Result {
    let times: Vec<String> = times.iter().map(|time| number(*time)).collect();
    for (name, list) in [("times", &times[..]), ("values", values)] {
        write!(text, "{name} = [")?;
        wrapped(text, list);
        text.push_str("]\n");
    }
    Ok(())
}

/// Items, wrapped into lines.
fn wrapped(text: &mut String, items: &[String]) {
    let mut column = usize::MAX;
    for item in items {
        if column.saturating_add(item.len() + 2) > WIDTH {
            text.push_str("\n   ");
            column = 3;
        }
        text.push(' ');
        text.push_str(item);
        text.push(',');
        column += item.len() + 2;
    }
    text.push('\n');
}

/// A key, in quotes if it is not a bare key.
pub(super) fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => toml::Value::String(name.to_owned()).to_string(),
    }
}

/// A number with four decimals, without trailing zeros.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

/// Times at `rate` per second, and the end of the clip.
fn times(clip: &Clip, rate: f64) -> Vec<f64> {
    let end = clip.lasts();
    let whole = (end * rate).floor() as usize;
    let mut times: Vec<f64> = (0..=whole).map(|key| key as f64 / rate).collect();
    // A key close to the end is replaced by it.
    if times.last().is_some_and(|last| end - last > 0.5 / rate) {
        times.push(end);
    }
    times
}

/// The configuration interpolated between two frames.
pub(super) fn at(clip: &Clip, time: f64, model: &Model) -> Vec<f64> {
    let span = match place(&clip.times, time) {
        KeyPosition::At(frame) => return clip.frames[frame].clone(),
        KeyPosition::Between(span) => span,
    };
    let (from, to) = (&clip.frames[span.key], &clip.frames[span.key + 1]);
    let mut way = vec![0.0; model.nv];
    difference(model, from, to, &mut way);
    way.iter_mut().for_each(|part| *part *= span.share);
    let mut q = from.clone();
    integrate(model, from, &way, &mut q);
    q
}

/// Roll, pitch and yaw of a body's axes (forward, left and up at rest), continuous; yaw relative to the first
/// frame.
fn turns(model: &Model, body: BodyId, frames: &[Vec<f64>]) -> Vec<[f64; 3]> {
    let axes = model.rest_axes(body).copied().unwrap_or_else(UnitQuaternion::identity);
    let turned = |q: &Vec<f64>| model.body_poses(q)[body.0].rotation * axes;
    let mut heading = None;
    let mut last = [0.0; 3];
    let angles = frames.iter().map(|q| {
        let turn = turned(q);
        let first = *heading.get_or_insert_with(|| turn.euler_angles().2);
        let straight = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -first) * turn;
        let (roll, pitch, yaw) = straight.euler_angles();
        let near = |angle: f64, last: f64| angle + TAU * ((last - angle) / TAU).round();
        last = [near(roll, last[0]), pitch, near(yaw, last[2])];
        last
    });
    angles.collect()
}

/// The text of a controller that steps like the clip.
pub(crate) fn stepping(
    clip: &Clip,
    model: &Model,
    footwork: &Footwork,
    words: &ControllerText<'_>,
) -> String {
    let times = times(clip, words.rate);
    let frames: Vec<Vec<f64>> = times.iter().map(|time| at(clip, *time, model)).collect();
    let steps = footwork.steps();
    let plan = footwork.plan((9.81 / (CARRIED * model.rest_com_height())).sqrt());
    let end = clip.lasts();
    let filled = |text: &str| {
        let text = text.replace("--track FILE", &format!("--track FILE{}", words.edit));
        let text = text.replace("NAME", words.name).replace("FILE", words.file).replace("MODEL", words.model);
        text.replace("SECONDS", &format!("{end:.2}")).replace("STEPS", &steps.len().to_string())
    };
    let mut text = filled(STEPPING);
    // Writing to a string cannot fail.
    _ = shared_motion(&mut text, clip, model, &times, &frames);
    let turns = model.body("pelvis").map(|pelvis| turns(model, pelvis, &frames)).unwrap_or_default();
    text + &states(&filled(STATES), &steps, &plan, &turns, &times, end)
}

/// Objectives of all states, over the time of the clip.
fn shared_motion(
    text: &mut String,
    clip: &Clip,
    model: &Model,
    times: &[f64],
    frames: &[Vec<f64>],
) -> fmt::Result {
    let height = |q: &Vec<f64>| {
        let poses = model.body_poses(q);
        number(model.centre_of_mass(&poses).z - model.lowest_point(&poses))
    };
    let heights: Vec<String> = frames.iter().map(height).collect();
    writeln!(
        text,
        "\n[[objectives]]\nname = \"com height\"\nweight = \"max(0, height_style * follows)\"\nresponse = 0.15"
    )?;
    over_clip(text, "objectives.of.com_height.target", times, &heights)?;
    writeln!(
        text,
        "\n[[objectives]]\nname = \"pelvis\"\nweight = \"max(0, pelvis_style * follows)\"\nresponse = 0.1"
    )?;
    writeln!(
        text,
        "of = {{ body_orientation = {{ body = \"pelvis\", target = \"turned + [0, 0, start_heading]\" }} }}"
    )?;
    let is_of_leg = |joint: usize| {
        let mut body = Some(model.joints[joint].body);
        let thighs = ["left_thigh", "right_thigh"].map(|role| model.body(role));
        while let Some(at) = body.filter(|at| !thighs.contains(&Some(*at))) {
            body = model.bodies[at.0].parent;
        }
        body.is_some()
    };
    for (name, weight, of_leg) in [("pose", "style", false), ("pose of the legs", "legs_style", true)] {
        writeln!(
            text,
            "\n[[objectives]]\nname = \"{name}\"\nweight = \"max(0, {weight} * follows)\"\nresponse = 0.1"
        )?;
        for joint in clip.joints.iter().filter(|joint| is_of_leg(**joint) == of_leg) {
            let joint = &model.joints[*joint];
            let values: Vec<String> = frames.iter().map(|q| number(q[joint.q_index])).collect();
            over_clip(text, &format!("objectives.of.pose.angles.{}", key(&joint.name)), times, &values)?;
        }
    }
    Ok(())
}

/// Keyframes over the time of the clip.
fn over_clip(text: &mut String, of: &str, times: &[f64], values: &[String]) -> fmt::Result {
    writeln!(text, "[{of}.keyframes]\nover = \"{CLIP_TIME}\"")?;
    lists(text, times, values)?;
    writeln!(text, "interpolation = \"curve\"")
}

/// The states, with the tables of the steps and the plan inserted.
fn states(
    text: &str,
    steps: &[Step],
    plan: &Plan,
    turns: &[[f64; 3]],
    turn_times: &[f64],
    end: f64,
) -> String {
    let table = |value: &dyn Fn(&Step) -> String| {
        let values: Vec<String> = steps.iter().map(value).collect();
        let times: Vec<f64> = (1..=steps.len()).map(|step| step as f64).collect();
        inline("step", &times, &values, "step")
    };
    let side = |step: &Step| if step.swing.foot == 0 { "1" } else { "-1" };
    let name = |foot: usize| ["left_sole", "right_sole"][foot];
    let before = |foot: usize, index: usize| {
        steps[..index].iter().rev().find(|step| step.swing.foot == foot).map(|step| step.swing.heading)
    };
    let headings: Vec<f64> = steps
        .iter()
        .enumerate()
        .map(|(index, step)| {
            let later = || steps[index..].iter().find(|other| other.swing.foot != step.swing.foot);
            before(step.swing.foot, index).or_else(|| later().map(|step| step.heading)).unwrap_or(0.0)
        })
        .collect();
    let heading_before = inline(
        "step",
        &(1..=steps.len()).map(|step| step as f64).collect::<Vec<_>>(),
        &headings.iter().map(|heading| number(*heading)).collect::<Vec<_>>(),
        "step",
    );
    let vector = |x: f64, y: f64| format!("[{}, {}, 0]", number(x), number(y));
    // At a touchdown the reference changes to the other foot: the values jump.
    let jumps: Vec<f64> = steps.iter().map(|step| step.swing.landed).collect();
    let over_plan = |value: &dyn Fn(usize) -> String| {
        let kept: Vec<usize> = (0..plan.times.len())
            .filter(|index| {
                let time = plan.times[*index];
                index % KEPT == 0
                    || *index + 1 == plan.times.len()
                    || jumps.iter().any(|jump| (time - jump).abs() < AROUND)
            })
            .collect();
        let times: Vec<f64> = kept.iter().map(|index| plan.times[*index]).collect();
        let values: Vec<String> = kept.iter().map(|index| value(*index)).collect();
        inline("plan_time", &times, &values, "linear")
    };
    let turned: Vec<String> =
        turns.iter().map(|angles| format!("[{}]", angles.map(number).join(", "))).collect();
    let turned_now = inline(&format!("{CLIP_TIME} + {LEAD}"), turn_times, &turned, "curve");
    let share = over_plan(&|index| number(plan.shares[index]));
    let dcm = over_plan(&|index| vector(plan.dcm[index].x, plan.dcm[index].y));
    let first = steps[0];
    let landed = steps[steps.len() - 1].swing.landed;
    text.replace("FIRST_SWING", name(first.swing.foot))
        .replace("FIRST_SUPPORT", name(1 - first.swing.foot))
        .replace("FIRST_SIDE", side(&first))
        .replace("DCM_FIRST", &vector(plan.dcm[0].x, plan.dcm[0].y))
        .replace("TURN_FIRST", turned.first().map_or("[0, 0, 0]", String::as_str))
        .replace("CLIP_FROM", &table(&|step| number(step.from)))
        .replace("CLIP_LANDED", &number(landed))
        .replace("CLIP_LEFT", &number((end - landed).max(0.0)))
        .replace("LAST", &table(&|step| number(step.swing.landed - step.from)))
        .replace("BOTH", &table(&|step| number((step.swing.lifted - step.from).max(LEAST_BOTH))))
        .replace("SIDE", &table(&|step| side(step).into()))
        .replace("HEADING_BEFORE", &heading_before)
        .replace("HEADING_AFTER", &table(&|step| number(step.swing.heading)))
        .replace("HEADING_HERE", &table(&|step| number(step.heading)))
        .replace(
            "DCM_NEXT",
            &table(&|step| {
                let lands =
                    plan.times.partition_point(|time| *time < step.swing.landed).min(plan.dcm.len() - 1);
                vector(plan.dcm[lands].x, plan.dcm[lands].y)
            }),
        )
        .replace("WAY", &table(&|step| vector(step.way.x, step.way.y)))
        .replace("SHARED", &format!("share = {share}\ndcm = {dcm}\nturned = {turned_now}"))
        .replace("SWING_HEIGHT", &over_plan(&|index| number(plan.heights[index].max(0.0))))
        .replace("TURNED", &turned_now)
}

/// Keyframes as one value, over several lines.
fn inline(over: &str, times: &[f64], values: &[String], interpolation: &str) -> String {
    let mut text = format!("{{ keyframes = {{ over = \"{over}\", ");
    let times: Vec<String> = times.iter().map(|time| number(*time)).collect();
    for (name, list) in [("times", &times[..]), ("values", values)] {
        _ = write!(text, "{name} = [");
        wrapped(&mut text, list);
        text.push_str("], ");
    }
    text + &format!("interpolation = \"{interpolation}\" }} }}")
}
