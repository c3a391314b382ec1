//! Motions for tracking, from motion capture and tables of joint angles.

use crate::cli::{Failure, output};
use crate::dynamics::retarget::{Retargeted, Short, retarget};
use crate::language::diagnostic::{FileError, Source, nearest};
use crate::language::files;
use crate::model::bvh::{self, SkeletonMotion, is_bvh};
use crate::model::warning::listed;
use crate::model::{BodyId, JointKind, Model};
use crate::trace::Coordinates;
use nalgebra::UnitQuaternion;
use std::f64::consts::{PI, TAU};
use std::path::Path;

/// A motion of a model.
#[derive(Clone)]
pub(crate) struct Clip {
    /// Times, s, increasing from 0.
    pub(crate) times: Vec<f64>,
    /// Configurations; only the orientation of a free root is used.
    pub(crate) frames: Vec<Vec<f64>>,
    /// Indices of the hinges and slides in the motion.
    pub(crate) joints: Vec<usize>,
    /// Whether the motion has the root's orientation.
    pub(crate) has_root: bool,
}

/// The data from which a clip of a skeleton was fitted.
pub(crate) struct Fitted {
    pub(crate) motion: SkeletonMotion,
    /// Bodies and the joints that they follow.
    pub(crate) pairs: Vec<(BodyId, usize)>,
    /// Orientation errors of these bodies, frame by frame.
    pub(crate) errors: Vec<Vec<Short>>,
    pub(crate) to_world: UnitQuaternion<f64>,
    /// Ratio of lengths of the body to those of the skeleton.
    pub(crate) scale: f64,
}

impl Clip {
    /// Length of the clip, s.
    pub(crate) fn lasts(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }
}

/// Orientation error of the joints from which it is reported, rad.
const VISIBLE: f64 = 0.1;

/// Reads a BVH file, with the data of its fit, or a table.
pub(crate) fn read(path: &Path, model: &Model) -> Result<(Clip, Option<Fitted>), Failure> {
    let source = files::open(path)?;
    if source.text.trim_start_matches('\u{feff}').trim().is_empty() {
        let message = format!("{} is empty; a BVH begins with `HIERARCHY`", path.display());
        return Err(Failure::usage(message));
    }
    if !is_bvh(&source) {
        return Ok((table(&source, model)?, None));
    }
    let motion = bvh::read(&source)?;
    let Retargeted { frame_time, frames, pairs, errors, short, idle, unheeded, to_world, scale, .. } =
        retarget(&motion, model).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    tell_pairs(&pairs, model, &motion);
    if frames.len() == 1 {
        output::print_note("one frame only: it holds this pose");
    }
    if !idle.is_empty() {
        let idle = idle.iter().map(|body| model.bodies[body.0].name.clone());
        let mut text = format!("warning: the clip has no motion for {}", listed(idle));
        if !unheeded.is_empty() {
            let unheeded = unheeded.iter().map(|joint| motion.joints[*joint].name.clone());
            text += &format!("; nothing follows its {}", listed(unheeded));
        }
        output::print_note(&text);
    }
    if let Some((short, frame)) = short.filter(|(short, _)| short.by > VISIBLE) {
        let body = &model.bodies[short.body.0].name;
        let stopped = short.joint.map(|joint| format!(", stopped by {}", model.joints[joint.0].name));
        output::print_note(&format!(
            "joints of the body stop up to {:.2} rad short of the clip: {body} at {:.2} s{}",
            short.by,
            frame as f64 * frame_time,
            stopped.unwrap_or_default()
        ));
    }
    let times = (0..frames.len()).map(|frame| frame as f64 * frame_time).collect();
    let root = model.joints.first().is_some_and(|joint| joint.kind == JointKind::Free);
    let clip = Clip { times, frames, joints: single(model).collect(), has_root: root };
    Ok((clip, Some(Fitted { motion, pairs, errors, to_world, scale })))
}

/// Prints the parts of the body that follow joints with other names.
fn tell_pairs(pairs: &[(BodyId, usize)], model: &Model, motion: &SkeletonMotion) {
    let names = pairs
        .iter()
        .map(|(body, joint)| (model.bodies[body.0].name.as_str(), motion.joints[*joint].name.as_str()));
    let others = names.filter(|(body, joint)| plain(body) != plain(joint));
    let text: Vec<String> = others.map(|(body, joint)| format!("{body} follows {joint}")).collect();
    if !text.is_empty() {
        output::print_note(&text.join("\n"));
    }
}

/// A name without case, spaces, `_` and `-`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Joints with one coordinate.
fn single(model: &Model) -> impl Iterator<Item = usize> {
    let is_single =
        |joint: usize| matches!(model.joints[joint].kind, JointKind::Hinge { .. } | JointKind::Slide { .. });
    (0..model.joints.len()).filter(move |joint| is_single(*joint))
}

/// Indices of hinges in q.
fn hinges(model: &Model) -> impl Iterator<Item = usize> {
    let hinges = model.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
    hinges.map(|joint| joint.q_index)
}

/// Content of a table's column.
#[derive(Clone, Copy, PartialEq)]
enum ClipColumn {
    Time,
    /// A coordinate, by its index in q.
    Coordinate(usize),
    Other,
}

/// The column with this title, without unit and `q.`, which `aplomb export --to csv` adds.
fn column(title: &str, names: &[String]) -> ClipColumn {
    let plain = title.split(" [").next().unwrap_or(title).trim();
    let own = plain.strip_prefix("q.").unwrap_or(plain);
    match names.iter().position(|name| name == own) {
        Some(index) => ClipColumn::Coordinate(index),
        None if plain == "time" || plain == "t" => ClipColumn::Time,
        None => ClipColumn::Other,
    }
}

/// Units in the titles of columns, `TITLE [UNIT]`, with their factors to s, rad and m; those of quaternions have none.
const TIMES: [(&str, f64); 2] = [("s", 1.0), ("ms", 1e-3)];
const ANGLES: [(&str, f64); 3] = [("rad", 1.0), ("deg", PI / 180.0), ("°", PI / 180.0)];
const LENGTHS: [(&str, f64); 3] = [("m", 1.0), ("cm", 1e-2), ("mm", 1e-3)];
const RATIOS: [(&str, f64); 1] = [("1", 1.0)];

/// Factor from the unit of a column's title; 1 without a unit.
///
/// # Errors
/// A unit that such a column cannot have.
fn factor(source: &Source, title: &str, column: ClipColumn, model: &Model) -> Result<f64, FileError> {
    let Some((_, unit)) = title.split_once('[') else { return Ok(1.0) };
    let unit = unit.trim_end_matches(']').trim();
    let is_angle = |index: usize| hinges(model).any(|hinge| hinge == index);
    let is_slide = |index: usize| single(model).any(|joint| model.joints[joint].q_index == index);
    let root = model.joints.first().filter(|joint| joint.kind == JointKind::Free);
    let is_place = |index: usize| root.is_some_and(|root| (root.q_index..root.q_index + 3).contains(&index));
    let units: &[(&str, f64)] = match column {
        ClipColumn::Other => return Ok(1.0),
        ClipColumn::Time => &TIMES,
        ClipColumn::Coordinate(index) if is_angle(index) => &ANGLES,
        ClipColumn::Coordinate(index) if is_slide(index) || is_place(index) => &LENGTHS,
        ClipColumn::Coordinate(_) => &RATIOS,
    };
    let known = units.iter().find(|(known, _)| *known == unit).map(|(_, factor)| *factor);
    known.ok_or_else(|| {
        let known: Vec<String> = units.iter().map(|(known, _)| format!("`[{known}]`")).collect();
        let at = source.text.find(title).unwrap_or(0);
        let message = format!("column `{title}` cannot have the unit `{unit}`");
        FileError::new(source, at..at + title.len(), message).help(format!("known: {}", known.join(", ")))
    })
}

/// Prints by how far the clip leads joints beyond their ranges at most.
fn warn_of_ranges(clip: &Clip, model: &Model) {
    let beyond = clip.joints.iter().flat_map(|joint| {
        let joint = &model.joints[*joint];
        let [low, high] = joint.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        clip.times.iter().zip(&clip.frames).map(move |(time, q)| {
            let angle = q[joint.q_index];
            ((low - angle).max(angle - high), joint, *time)
        })
    });
    let most = beyond.reduce(|most, one| if one.0 > most.0 { one } else { most });
    if let Some((by, joint, time)) = most.filter(|(by, ..)| *by > VISIBLE) {
        let unit = if matches!(joint.kind, JointKind::Hinge { .. }) { "rad" } else { "m" };
        output::print_note(&format!(
            "joints of the body stop up to {by:.2} {unit} short of the clip: {} at {time:.2} s",
            joint.name
        ));
    }
}

/// The error of a text without a column of times, or without a column of a joint; `is_table`: whether it has the
/// other one.
fn missing_columns(source: &Source, model: &Model, is_table: bool) -> FileError {
    let message = match is_table {
        true => "a table of a motion has a column `time` and columns named by joints",
        false => {
            "neither a BVH, which begins with `HIERARCHY`, nor a CSV with a column `time` and columns named by \
             joints"
        }
    };
    let known = joints_of(model).join(", ");
    let error = FileError::new(source, 0..0, message);
    if is_table { error.help(format!("joints: {known}")) } else { error }
}

/// Prints the unused columns whose names resemble that of a joint.
fn warn_of_misspelt<'a>(titles: impl Iterator<Item = &'a str>, model: &Model) {
    for title in titles {
        let plain = title.split(" [").next().unwrap_or(title);
        // Titles with a dot are other channels of an exported table.
        if let Some(near) = nearest(plain, joints_of(model)).filter(|_| !plain.contains('.')) {
            output::print_note(&format!("column `{plain}` is not read: did you mean `{near}`?"));
        }
    }
}

/// Reads a table with a column `time` (s) and columns named by joints (rad or m), or with the units in their titles.
fn table(source: &Source, model: &Model) -> Result<Clip, FileError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(source.text.as_bytes());
    let torn = |error: csv::Error| {
        let at = error.position().map_or(0, |position| position.byte() as usize).min(source.text.len());
        FileError::new(source, at..at, format!("this is not a table: {error}"))
    };
    let names = Coordinates::of(model).configuration_names;
    let titles = reader.headers().map_err(torn)?;
    let columns: Vec<ClipColumn> = titles.iter().map(|title| column(title, &names)).collect();
    let factors: Vec<f64> = titles
        .iter()
        .zip(&columns)
        .map(|(title, column)| factor(source, title, *column, model))
        .collect::<Result<_, _>>()?;
    let again = columns
        .iter()
        .enumerate()
        .find(|(index, column)| **column != ClipColumn::Other && columns[..*index].contains(column));
    if let Some((index, _)) = again {
        let at = source.text.rfind(&titles[index]).unwrap_or(0);
        let message = format!("a second column `{}`", &titles[index]);
        return Err(FileError::new(source, at..at, message).help("leave one of them out"));
    }
    let given = |index: usize| columns.contains(&ClipColumn::Coordinate(index));
    let joints: Vec<usize> = single(model).filter(|joint| given(model.joints[*joint].q_index)).collect();
    if !columns.contains(&ClipColumn::Time) || joints.is_empty() {
        let is_table = columns.contains(&ClipColumn::Time) || !joints.is_empty();
        return Err(missing_columns(source, model, is_table));
    }
    let hinges: Vec<usize> = hinges(model).collect();
    warn_of_misspelt(titles.iter().filter(|title| column(title, &names) == ClipColumn::Other), model);
    let root = model.joints.first().filter(|joint| joint.kind == JointKind::Free);
    let has_root = root.is_some_and(|root| (root.q_index + 3..root.q_index + 7).all(given));
    let mut clip = Clip { times: Vec::new(), frames: Vec::new(), joints, has_root };
    for record in reader.records() {
        let record = record.map_err(torn)?;
        let line = record.position().map_or(0, |position| position.byte() as usize);
        let wrong = |message: String| FileError::new(source, line..line, message);
        let (time, q) = pose(&record, &columns, &factors, &hinges, model, &wrong)?;
        if clip.times.last().is_some_and(|last| *last >= time) {
            return Err(wrong("times must increase".into()));
        }
        clip.times.push(time);
        clip.frames.push(q);
    }
    let (Some(&first), true) = (clip.times.first(), clip.times.len() > 1) else {
        let end = source.text.len();
        return Err(FileError::new(source, end..end, "a motion has two rows or more"));
    };
    clip.times.iter_mut().for_each(|time| *time -= first);
    warn_of_ranges(&clip, model);
    Ok(clip)
}

/// Time and configuration of a row; joints without a column stay in the rest pose.
fn pose(
    record: &csv::StringRecord,
    columns: &[ClipColumn],
    factors: &[f64],
    hinges: &[usize],
    model: &Model,
    wrong: &dyn Fn(String) -> FileError,
) -> Result<(f64, Vec<f64>), FileError> {
    let mut q = model.rest_configuration();
    let mut time = f64::NAN;
    for ((cell, column), factor) in record.iter().zip(columns).zip(factors) {
        let number = || {
            let number = cell.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| wrong(format!("`{cell}` is not a finite number")))
        };
        match column {
            ClipColumn::Time => time = factor * number()?,
            ClipColumn::Coordinate(index) => {
                q[*index] = factor * number()?;
                if hinges.contains(index) && q[*index].abs() > TAU {
                    if *factor != 1.0 {
                        return Err(wrong(format!("{cell}° is more than a whole turn")));
                    }
                    let help = format!("angles are in rad: {cell}° is {:.4}", q[*index].to_radians());
                    return Err(wrong(format!("{cell} rad is more than a whole turn")).help(help));
                }
            }
            ClipColumn::Other => {}
        }
    }
    Ok((time, q))
}

fn joints_of(model: &Model) -> Vec<&str> {
    single(model).map(|joint| model.joints[joint].name.as_str()).collect()
}
