//! A controller that tracks a motion.

use super::clip::Clip;
use crate::math::interpolation::{KeyPosition, place};
use crate::model::state::{difference, integrate};
use crate::model::{BodyId, Model};
use nalgebra::{UnitQuaternion, Vector3};
use std::f64::consts::TAU;
use std::fmt::{self, Write};

/// Texts of the controller besides the motion.
pub struct ControllerText<'a> {
    pub name: &'a str,
    /// Name of the motion's file.
    pub file: &'a str,
    /// Name of the body.
    pub model: &'a str,
    /// Keys a second, 1/s.
    pub rate: f64,
}

const HEAD: &str = include_str!("../templates/track.toml");
/// Longest line of numbers.
const WIDTH: usize = 110;

/// The text of the controller.
pub fn controller(clip: &Clip, model: &Model, words: &ControllerText<'_>) -> String {
    let times = times(clip, words.rate);
    let frames: Vec<Vec<f64>> = times.iter().map(|time| at(clip, *time, model)).collect();
    let mut text = HEAD
        .replace("NAME", words.name)
        .replace("FILE", words.file)
        .replace("MODEL", words.model)
        .replace("RATE", &words.rate.to_string())
        .replace("SECONDS", &format!("{:.2}", clip.times.last().copied().unwrap_or(0.0)));
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

/// Lists over several lines.
fn keyframes(text: &mut String, of: &str, times: &[f64], values: &[String]) -> fmt::Result {
    writeln!(text, "[states.track.objectives.of.{of}.keyframes]")?;
    let times: Vec<String> = times.iter().map(|time| number(*time)).collect();
    for (name, list) in [("times", &times[..]), ("values", values)] {
        write!(text, "{name} = [")?;
        let mut column = usize::MAX;
        for item in list {
            if column.saturating_add(item.len() + 2) > WIDTH {
                text.push_str("\n   ");
                column = 3;
            }
            write!(text, " {item},")?;
            column += item.len() + 2;
        }
        text.push_str("\n]\n");
    }
    writeln!(text, "interpolation = \"curve\"")
}

/// A key, in quotes if it is not a bare key.
fn key(name: &str) -> String {
    toml::Value::String(name.to_owned()).to_string()
}

/// A number with four decimals, without trailing zeros.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

/// Times at `rate` per second, and the end.
fn times(clip: &Clip, rate: f64) -> Vec<f64> {
    let end = clip.times.last().copied().unwrap_or(0.0);
    let whole = (end * rate).floor() as usize;
    let mut times: Vec<f64> = (0..=whole).map(|key| key as f64 / rate).collect();
    // A key very near to the end is replaced by it.
    if times.last().is_some_and(|last| end - last > 0.5 / rate) {
        times.push(end);
    }
    times
}

/// The configuration interpolated between two frames.
fn at(clip: &Clip, time: f64, model: &Model) -> Vec<f64> {
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
