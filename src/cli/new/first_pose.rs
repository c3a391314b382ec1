//! The first pose of a clip, as the initial pose of a standing character.

use super::footwork::{MOVING, SAMPLE, SLOW};
use super::root::{self, axes};
use super::tracked::Tracked;
use crate::contact::{Surface, SurfaceShape};
use crate::model::{BodyId, Model};
use crate::world::StartPose;
use crate::world::start::sensed;
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

/// Shares of the standing height of the COM: the largest height of a sole in stance,
const ON_GROUND: f64 = 0.05;
/// and the least distance of the COM from the edge of the support, inside it.
const INSIDE: f64 = 0.01;
/// Largest tilt of a foot in stance, rad.
const FLAT: f64 = 0.35;
/// Height of the body above the ground before its soles are placed on it, m: parts that touch the ground in the
/// initial pose keep their positions.
const ABOVE: f64 = 0.05;
/// Differences from the rest pose below this are ignored, rad or m.
const SAME: f64 = 0.01;

/// Roles of feet and their soles.
const FEET: [(&str, &str); 2] = [("left_foot", "left_sole"), ("right_foot", "right_sole")];

/// Initial pose of a character.
pub(crate) enum FirstPose {
    /// The first pose of the clip, with flat soles; it differs from the rest pose.
    Clip(StartPose),
    /// The rest pose, which is the first pose of the clip.
    Rest,
    /// The rest pose, because the character cannot stand in the first pose of the clip.
    NotStanding(String),
}

/// The first pose of the clip, if the character can stand in it.
pub(crate) fn first_pose(tracked: &Tracked, model: &Model) -> FirstPose {
    let (pose, q) = match posed(tracked, model, 0.0) {
        Ok(found) => found,
        Err(reason) => return FirstPose::NotStanding(reason),
    };
    let rest = model.rest_configuration();
    let differs = |(name, value): &(String, f64)| {
        model.joint(name).is_some_and(|joint| (rest[model.joints[joint.0].q_index] - value).abs() > SAME)
    };
    let turn = tracked.turn_at(0.0);
    if !pose.joints.iter().any(differs) && turn.iter().all(|angle| angle.abs() < SAME) {
        return FirstPose::Rest;
    }
    match standing(tracked, model, pose, &q, turn) {
        Ok(mut pose) => {
            pose.joints.retain(differs);
            FirstPose::Clip(pose)
        }
        Err(reason) => FirstPose::NotStanding(reason),
    }
}

/// Joint values of the clip, and the configuration with the rotation of the pelvis and the lowest point on the
/// ground.
fn posed(tracked: &Tracked, model: &Model, time: f64) -> Result<(StartPose, Vec<f64>), String> {
    let feet = FEET.map(|(foot, _)| model.body(foot));
    // The toes of a foot on the ground lie on the ground.
    let is_of_toes =
        |body: BodyId| feet.iter().flatten().any(|foot| *foot != body && model.is_within(body, *foot));
    let mut joints = Vec::new();
    for (name, value) in tracked.joints_at(time) {
        let Some(joint) = model.joint(&name).map(|joint| &model.joints[joint.0]) else {
            return Err(format!("the body has no joint `{name}`"));
        };
        let [low, high] = joint.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        if !is_of_toes(joint.body) {
            joints.push((name, value.clamp(low, high)));
        }
    }
    let pose = StartPose { joints, height: ABOVE, ..StartPose::default() };
    let first = |errors: Vec<crate::world::start::StartPoseError>| {
        errors.first().map(ToString::to_string).unwrap_or_default()
    };
    let mut q = pose.posed(model, 0.0).map_err(first)?.q;
    if let (Some(pelvis), Some(joint)) = (model.body("pelvis"), root::free(model)) {
        let [roll, pitch, yaw] = tracked.turn_at(time);
        let turned = UnitQuaternion::from_euler_angles(roll, pitch, yaw) * axes(model, pelvis).inverse();
        let own = model.body_poses(&q)[pelvis.0].rotation;
        let root = turned * own.inverse() * root::rotation(joint, &q);
        root::turn(joint, &mut q, &root);
        q[joint.q_index + 2] -= model.lowest_point(&model.body_poses(&q));
    }
    Ok((pose, q))
}

/// The pose with flat soles on the ground, if it stands.
fn standing(
    tracked: &Tracked,
    model: &Model,
    mut pose: StartPose,
    q: &[f64],
    turn: [f64; 3],
) -> Result<StartPose, String> {
    let height = model.rest_com_height();
    let speed = speed(tracked, model, q)?;
    if speed > SLOW * (9.81 * height).sqrt() {
        return Err(format!("the clip begins on its way, at {speed:.1} m/s"));
    }
    let poses = model.body_poses(q);
    for (foot, sole) in FEET {
        let (Some(body), Some(at)) = (model.body(foot), sole_of(model, &poses, sole)) else {
            return Err("the body has no two feet".into());
        };
        let turned = poses[body.0].rotation * axes(model, body);
        let up = turned * Vector3::z();
        let side = foot.trim_end_matches("_foot");
        let tilt = up.z.clamp(-1.0, 1.0).acos();
        if at.z > ON_GROUND * height {
            return Err(format!("the clip begins with its {side} foot {:.2} m above the ground", at.z));
        }
        if tilt > FLAT {
            return Err(format!(
                "the clip begins with its {side} foot at {:.0}° to the ground",
                tilt.to_degrees()
            ));
        }
        let ahead = turned * Vector3::x();
        let heading = UnitQuaternion::from_euler_angles(0.0, 0.0, ahead.y.atan2(ahead.x));
        let flat = heading * axes(model, body).inverse();
        pose.reach.push((sole.into(), rounded(Vector3::new(at.x, at.y, rest_height(model, sole)))));
        pose.orientation.push((foot.into(), angles(flat)));
    }
    if let Some(pelvis) = model.body("pelvis") {
        let [roll, pitch, yaw] = turn;
        let turned = UnitQuaternion::from_euler_angles(roll, pitch, yaw) * axes(model, pelvis).inverse();
        pose.orientation.push(("pelvis".into(), angles(turned)));
    }
    over_the_support(model, pose)
}

/// The pose, if it can be reached with the COM over the support.
fn over_the_support(model: &Model, pose: StartPose) -> Result<StartPose, String> {
    let flat = SurfaceShape::HalfSpace;
    let ground = Surface::new("ground", flat, Vector3::zeros(), UnitQuaternion::identity(), 1.0);
    let state = pose.state(model, std::slice::from_ref(&ground), &[]).map_err(|_| {
        String::from("both soles flat on the ground are out of reach in the pose in which the clip begins")
    })?;
    let snapshot = sensed(model, &[ground], &[], &state);
    let margin = snapshot.support_of(|_| true, |support| support.margin(&snapshot.com.xy()));
    if margin < INSIDE * model.rest_com_height() {
        return Err("the clip begins with its COM beside its feet".into());
    }
    Ok(pose)
}

/// Speed of the COM relative to the slower foot at the beginning of the clip, m/s.
fn speed(tracked: &Tracked, model: &Model, q: &[f64]) -> Result<f64, String> {
    let later = (MOVING as f64 * SAMPLE).min(tracked.lasts);
    let (_, next) = posed(tracked, model, later)?;
    let from_soles = |q: &[f64]| {
        let poses = model.body_poses(q);
        let com = model.centre_of_mass(&poses);
        FEET.map(|(_, sole)| sole_of(model, &poses, sole).map(|at| com - at))
    };
    let ways = from_soles(q).into_iter().zip(from_soles(&next));
    let ways = ways.filter_map(|(a, b)| Some((b? - a?).xy().norm()));
    Ok(ways.fold(f64::INFINITY, f64::min) / later)
}

fn sole_of(model: &Model, poses: &[Isometry3<f64>], sole: &str) -> Option<Vector3<f64>> {
    let site = &model.sites[model.site(sole)?];
    Some((poses[site.body?.0] * Point3::from(site.position)).coords)
}

/// Height of a sole above the ground in the rest pose, m.
fn rest_height(model: &Model, sole: &str) -> f64 {
    let poses = model.body_poses(&model.rest_configuration());
    sole_of(model, &poses, sole).map_or(0.0, |at| at.z - model.lowest_point(&poses))
}

/// Roll, pitch and yaw, as in files.
fn angles(turn: UnitQuaternion<f64>) -> Vector3<f64> {
    let (roll, pitch, yaw) = turn.euler_angles();
    rounded(Vector3::new(roll, pitch, yaw))
}

/// Rounds to the digits of a file.
fn rounded(vector: Vector3<f64>) -> Vector3<f64> {
    vector.map(|part| (part * 1e4).round() / 1e4)
}
