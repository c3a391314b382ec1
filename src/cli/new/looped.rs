//! A repeated clip: each round begins where the previous one ends.

use super::clip::Clip;
use super::root;
use crate::cli::{Failure, output};
use crate::model::state::{difference, integrate};
use crate::model::{JointKind, Model};
use nalgebra::{Isometry3, Vector3};

/// Time over which the end of a round is blended into the beginning of the next, half before it and half after, s.
const BLEND: f64 = 0.3;
/// Joint differences between beginning and end above which a loop is reported, or refused, rad.
const APART: f64 = 0.2;
const TOO_FAR: f64 = 0.6;
/// Shortest part that is suggested for a loop, s.
const ROUND: f64 = 0.5;

/// The clip, repeated.
pub(crate) fn looped(clip: &Clip, rounds: u32, model: &Model) -> Result<Clip, Failure> {
    judge_ends(clip, model)?;
    let length = clip.lasts();
    let half = (0.5 * BLEND).min(0.25 * length);
    let placed = |moved: &Isometry3<f64>, q: &Vec<f64>| root::moved(model, moved, q);
    let (Some(first), Some(last)) = (clip.frames.first(), clip.frames.last()) else {
        return Err(Failure::usage("the clip has no frames"));
    };
    let onward = root::way(model, first, last);
    let mut moved = Isometry3::identity();
    let mut round =
        Clip { times: Vec::new(), frames: Vec::new(), joints: clip.joints.clone(), has_root: clip.has_root };
    for number in 0..rounds {
        let (begin, end) = (placed(&moved, first), placed(&moved, last));
        // The end of the previous round and the beginning of the next one, relative to this one.
        let before = placed(&(moved * onward.inverse()), last);
        let after = placed(&(moved * onward), first);
        for (time, q) in clip.times.iter().zip(&clip.frames) {
            if number > 0 && *time == 0.0 {
                continue;
            }
            let mut q = placed(&moved, q);
            if number > 0 && *time < half {
                q = towards(model, &q, &begin, &before, 0.5 * (1.0 - smooth(time / half)));
            }
            if number + 1 < rounds && length - time < half {
                q = towards(model, &q, &end, &after, 0.5 * (1.0 - smooth((length - time) / half)));
            }
            round.times.push(f64::from(number) * length + time);
            round.frames.push(q);
        }
        moved *= onward;
    }
    Ok(round)
}

fn smooth(share: f64) -> f64 {
    share * share * (3.0 - 2.0 * share)
}

/// Adds a share of the difference between two configurations to a third one, whose lowest point keeps its height.
fn towards(model: &Model, q: &[f64], from: &[f64], to: &[f64], share: f64) -> Vec<f64> {
    let mut way = vec![0.0; model.nv];
    difference(model, from, to, &mut way);
    way.iter_mut().for_each(|part| *part *= share);
    let mut own = q.to_vec();
    integrate(model, q, &way, &mut own);
    if let Some(root) = root::free(model) {
        let lowest = |q: &[f64]| model.lowest_point(&model.body_poses(q));
        own[root.q_index + 2] += lowest(q) - lowest(&own);
    }
    own
}

/// Refuses a clip whose end is far from its beginning, and warns if it is not close.
fn judge_ends(clip: &Clip, model: &Model) -> Result<(), Failure> {
    let (Some(first), Some(last)) = (clip.frames.first(), clip.frames.last()) else { return Ok(()) };
    let (what, angle) = apart(clip, model, first, last);
    if angle <= APART {
        return Ok(());
    }
    let length = clip.lasts();
    let text = format!("beginning and end of the clip are apart by {angle:.2} rad at `{what}`");
    let later = clip.times.iter().zip(&clip.frames).filter(|(time, _)| (ROUND..length).contains(*time));
    let near = later.map(|(time, q)| (*time, apart(clip, model, first, q)));
    let near = near.min_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b)).filter(|(_, (_, by))| *by <= APART);
    let help = near.map(|(time, (what, by))| {
        format!("after {time:.2} s the pose is the most like its beginning: {by:.2} rad at `{what}`")
    });
    if angle > TOO_FAR {
        return Err(Failure::Usage { message: format!("--loop: {text}"), help });
    }
    let help = help.map(|help| format!("; {help}")).unwrap_or_default();
    output::print_note(&format!("warning: {text}, which it makes up for within {BLEND} s{help}"));
    Ok(())
}

/// The joint that differs most between two configurations, or the inclination of the root, with the angle, rad.
fn apart<'m>(clip: &Clip, model: &'m Model, a: &[f64], b: &[f64]) -> (&'m str, f64) {
    let turning = clip.joints.iter().map(|joint| &model.joints[*joint]);
    let turning = turning.filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
    let joints = turning.map(|joint| (joint.name.as_str(), (a[joint.q_index] - b[joint.q_index]).abs()));
    let leans = root::free(model).map(|root| {
        let up = |q: &[f64]| {
            let turn = root::rotation(root, q) * root::axes(model, root.body);
            turn.inverse() * Vector3::z()
        };
        (model.bodies[root.body.0].name.as_str(), up(a).angle(&up(b)))
    });
    joints.chain(leans).max_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap_or(("", 0.0))
}
