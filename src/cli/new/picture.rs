//! The picture of a clip next to the body that was fitted to it.

use super::clip::{Clip, Fitted};
use super::edit::Edit;
use super::mirror::mirrored;
use super::root;
use crate::cli::Failure;
use crate::dynamics::retarget::Short;
use crate::language::files::ends_in;
use crate::model::Model;
use crate::model::roles::side_of_name;
use crate::view::plot::strip::{ClipBone, ClipMoment, clip_picture};
use nalgebra::{Isometry3, Vector3};
use std::path::Path;

/// Number of moments in the picture.
const MOMENTS: usize = 8;
/// Orientation error above which a body is named, rad.
const VISIBLE: f64 = 0.1;

/// Refuses a file that is not a picture.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    if ends_in(path, &["svg"]) || ends_in(path, &["png"]) {
        return Ok(());
    }
    Err(Failure::usage(format!("--picture is a .png or .svg file, not {}", path.display())))
}

/// Draws the tracked part of the clip into a file.
pub(crate) fn draw(
    path: &Path,
    title: &str,
    (clip, fitted): (&Clip, Option<&Fitted>),
    (edit, from): (&Edit, Option<f64>),
    model: &Model,
) -> Result<(), Failure> {
    check(path)?;
    let Some(fitted) = fitted else {
        return Err(Failure::usage(
            "--picture is of a BVH file: a table has no skeleton beside which to draw the body",
        ));
    };
    let [begin, end] = edit.part(from, clip);
    let within = |frame: &usize| (begin..=end).contains(&clip.times[*frame]);
    let frames: Vec<usize> = (0..clip.times.len()).filter(within).collect();
    let Some((worst, frame)) = worst(fitted, &frames) else {
        return Err(Failure::usage("--picture: nothing of the body follows the clip"));
    };
    let shown = moments(&frames, frame);
    let note = format!(
        "worst at {:.2} s: {}; mean of all frames {:.2} rad",
        clip.times[frame],
        told(&worst, model),
        mean(frames.iter().flat_map(|frame| &fitted.errors[*frame]))
    );
    let moments = of_frames(clip, fitted, &shown, frame, edit.mirrors(), model)?;
    let picture = clip_picture(model, title, &note, &moments);
    Ok(if ends_in(path, &["svg"]) { picture.write_svg(path) } else { picture.write_png(path) }?)
}

/// The largest error in some frames, and its frame.
fn worst(fitted: &Fitted, frames: &[usize]) -> Option<(Short, usize)> {
    let all = frames.iter().flat_map(|frame| fitted.errors[*frame].iter().map(|short| (*short, *frame)));
    all.reduce(|worst, next| if next.0.by > worst.0.by { next } else { worst })
}

/// Text of an error with its body, and the joint whose limit causes it.
fn told(short: &Short, model: &Model) -> String {
    let stopped = short.joint.map(|joint| format!(" (limit of {})", model.joints[joint.0].name));
    format!("{} {:.2} rad{}", model.bodies[short.body.0].name, short.by, stopped.unwrap_or_default())
}

fn mean<'a>(errors: impl Iterator<Item = &'a Short>) -> f64 {
    let (sum, count) = errors.fold((0.0, 0.0_f64), |(sum, count), short| (sum + short.by, count + 1.0));
    sum / count.max(1.0)
}

/// Frames at equal intervals, the nearest one replaced by that of the largest error.
fn moments(frames: &[usize], worst: usize) -> Vec<usize> {
    let last = frames.len().saturating_sub(1);
    let count = MOMENTS.min(frames.len());
    let even = (0..count).map(|moment| frames[moment * last / (count.max(2) - 1)]);
    let mut shown: Vec<usize> = even.collect();
    if let Some(nearest) = shown.iter_mut().min_by_key(|frame| frame.abs_diff(worst)) {
        *nearest = worst;
    }
    shown
}

fn of_frames(
    clip: &Clip,
    fitted: &Fitted,
    shown: &[usize],
    worst: usize,
    is_mirrored: bool,
    model: &Model,
) -> Result<Vec<ClipMoment>, Failure> {
    let configurations = shown.iter().map(|frame| clip.frames[*frame].clone()).collect();
    let part = Clip {
        times: Vec::new(),
        frames: configurations,
        joints: clip.joints.clone(),
        has_root: clip.has_root,
    };
    let part = if is_mirrored { mirrored(&part, model)? } else { part };
    let mut moments: Vec<ClipMoment> = Vec::with_capacity(shown.len());
    for (frame, q) in shown.iter().zip(&part.frames) {
        let away = root::on_the_ground(model, q).unwrap_or_else(Isometry3::identity).inverse();
        let errors = &fitted.errors[*frame];
        let most = errors.iter().max_by(|a, b| a.by.total_cmp(&b.by)).filter(|short| short.by > VISIBLE);
        let most = most.map(|short| format!("; {}", told(short, model))).unwrap_or_default();
        moments.push(ClipMoment {
            title: format!("{:.2} s", clip.times[*frame]),
            note: format!("mean {:.2} rad{most}", mean(errors.iter())),
            is_worst: *frame == worst && errors.iter().any(|short| short.by > VISIBLE),
            bones: bones(fitted, *frame, is_mirrored, &away),
            q: root::moved(model, &away, q),
        });
    }
    on_the_ground(&mut moments);
    Ok(moments)
}

/// The bones in a frame, scaled to the body and rotated like it, with their root above the origin.
fn bones(fitted: &Fitted, frame: usize, is_mirrored: bool, away: &Isometry3<f64>) -> Vec<ClipBone> {
    let poses = fitted.motion.poses(&fitted.motion.frames[frame]);
    let scale = if fitted.scale > 0.0 { fitted.scale } else { 1.0 };
    let flip = if is_mirrored { -1.0 } else { 1.0 };
    let world = |point: Vector3<f64>| {
        let point = fitted.to_world * point * scale;
        Vector3::new(point.x, flip * point.y, point.z)
    };
    let mut origin =
        fitted.pairs.first().map_or(Vector3::zeros(), |pair| world(poses[pair.1].translation.vector));
    origin.z = 0.0;
    let placed = |point: Vector3<f64>| away.rotation * (world(point) - origin);
    let mut bones = Vec::new();
    for (index, joint) in fitted.motion.joints.iter().enumerate() {
        let own = poses[index].translation.vector;
        let side = side_of_name(&joint.name) as i8 * flip as i8;
        if let Some(parent) = joint.parent {
            let ends = [poses[parent].translation.vector, own].map(placed);
            let parent_side = side_of_name(&fitted.motion.joints[parent].name) as i8 * flip as i8;
            bones.push(ClipBone { ends, side: if parent_side == side { side } else { 0 } });
        }
        if let Some(end) = joint.end {
            let end = own + poses[index].rotation * end;
            bones.push(ClipBone { ends: [own, end].map(placed), side });
        }
    }
    bones
}

/// Puts the skeleton on the ground at its lowest point over all moments.
fn on_the_ground(moments: &mut [ClipMoment]) {
    let ends = moments.iter().flat_map(|moment| &moment.bones).flat_map(|bone| bone.ends);
    let lowest = ends.map(|end| end.z).fold(f64::INFINITY, f64::min);
    for bone in moments.iter_mut().flat_map(|moment| &mut moment.bones) {
        bone.ends.iter_mut().for_each(|end| end.z -= lowest);
    }
}
