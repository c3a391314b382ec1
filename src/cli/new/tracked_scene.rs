//! The scene of a controller that tracks a clip: with the length and the first pose of the clip, and without a push.

use super::first_pose::{FirstPose, first_pose};
use super::track::key;
use super::tracked::Tracked;
use crate::cli::output;
use crate::language::files::{self, Folder};
use crate::model::Model;
use crate::world::StartPose;
use nalgebra::Vector3;
use std::fmt::Write;

/// Time by which the scene lasts longer than the clip, for a controller that steps and for any other, s: the weight
/// is shifted to a foot before the first step, a step waits until the DCM is in place, and the body comes to rest.
const TO_STAND: f64 = 4.0;
const TO_SETTLE: f64 = 2.0;
/// Waits before steps add up: the time to stand is at least this share of the clip.
const WAITS: f64 = 0.1;
/// Text about the push at the beginning of the template.
const PUSHED: &str = "`--set events.push.impulse='[0, 24, 0]'` or ";
/// Share of its height in the clip below which the COM is that of a fall.
const FALLEN: f64 = 0.8;
/// Share of the standing height from which the COM of a clip is upright.
const UPRIGHT: f64 = 0.9;

/// The template of a scene for a controller that tracks a clip; `None` for any other.
pub(crate) fn fitted(controller: &str, template: &str, model: &Model) -> Option<String> {
    let found = files::find(Folder::Controllers, controller, None).ok()?;
    let tracked = Tracked::read(&found.source.text)?;
    let (before, rest) = template.split_once("\n# A shove")?;
    let (_, criteria) = rest.split_once("# What every run")?;
    let (about, _) = criteria.split_once("[success]")?;
    let to_stand = if tracked.steps > 0 { TO_STAND.max(WAITS * tracked.lasts) } else { TO_SETTLE };
    let lasts = tracked.lasts + to_stand;
    let duration = format!("{:16} ", format!("duration = {:.1}", (lasts * 10.0).ceil() / 10.0));
    let why = format!("# s: the clip lasts {:.2} s, then the character comes to rest\n", tracked.lasts);
    let head = before.replacen("# s\n", &why, 1);
    let head = head.replace("duration = 4.0  ", &duration).replace(PUSHED, "");
    Some(head + &start(&tracked, model) + "\n# What every run" + about + &success(&tracked, model))
}

/// The initial pose of the character.
fn start(tracked: &Tracked, model: &Model) -> String {
    match first_pose(tracked, model) {
        FirstPose::Rest => String::new(),
        FirstPose::NotStanding(reason) => {
            output::print_note(&format!("{reason}: the character begins in its rest pose"));
            String::new()
        }
        FirstPose::Clip(pose) => pose_text(&pose),
    }
}

fn pose_text(pose: &StartPose) -> String {
    let mut text = format!(
        "height = {:<16} # m, before its soles are set down\n\n\
         # The pose in which the clip begins, with flat soles.\n",
        pose.height
    );
    let mut table = |key: &str, unit: &str, entries: Vec<String>| {
        if !entries.is_empty() {
            // Writing to a string cannot fail.
            _ = writeln!(text, "[characters.hero.{key}]   # {unit}\n{}\n", entries.join("\n"));
        }
    };
    let joints = pose.joints.iter().map(|(joint, value)| format!("{} = {}", key(joint), number(*value)));
    table("pose", "rad or m", joints.collect());
    let vectors = |list: &[(String, Vector3<f64>)]| {
        let entry = |(part, v): &(String, Vector3<f64>)| {
            format!("{part} = [{}, {}, {}]", number(v.x), number(v.y), number(v.z))
        };
        list.iter().map(entry).collect()
    };
    table("reach", "m", vectors(&pose.reach));
    table("orientation", "rad: roll, pitch and yaw", vectors(&pose.orientation));
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// The success criteria of the run.
fn success(tracked: &Tracked, model: &Model) -> String {
    let standing = model.rest_com_height();
    let share = |height: f64| ((FALLEN * (height / standing).min(1.0)) * 100.0).round() / 100.0;
    let [least, last] = tracked.heights().unwrap_or([standing; 2]);
    let last = if last > UPRIGHT * standing { standing } else { last };
    let mut text = String::from("[success]\n");
    // Writing to a string cannot fail.
    _ = writeln!(text, "no_fall = {{ always = \"com_height > {} * standing_height\" }}", share(least));
    _ = writeln!(text, "ends_upright = {{ at_end = \"com_height > {} * standing_height\" }}", share(last));
    text.push_str("settled = { at_end = \"com_speed < 0.1\" }\n");
    if tracked.steps > 0 {
        let steps = tracked.steps;
        _ = writeln!(text, "every_step_landed = {{ at_end = \"visits(landed) >= {steps}\" }}");
    }
    text
}

fn number(value: f64) -> String {
    format!("{}", (value * 1e4).round() / 1e4 + 0.0)
}
