//! The mirror image of a clip: left and right are exchanged in joints and root, and so in footsteps.

use super::clip::Clip;
use super::root::{self, axes};
use crate::cli::Failure;
use crate::language::namespace::mirrored as mirrored_name;
use crate::model::{JointKind, Model};
use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion, Vector3};

/// Two joints are mirror images if their mirrored positions differ by less than this share of the standing height of
/// the COM,
const NEAR: f64 = 0.02;
/// and the cosine of the angle of their axes is at least this.
const ALONG: f64 = 0.9;

/// The mirror image of the clip.
pub(crate) fn mirrored(clip: &Clip, model: &Model) -> Result<Clip, Failure> {
    let images = images(model)?;
    let image = |q: &Vec<f64>| {
        let mut own = q.clone();
        for (joint, image) in images.iter().enumerate() {
            if let Some((other, sign)) = image {
                own[model.joints[*other].q_index] = sign * q[model.joints[joint].q_index];
            }
        }
        mirror_root(model, &mut own);
        own
    };
    let mut joints: Vec<usize> =
        clip.joints.iter().filter_map(|joint| images[*joint].map(|(other, _)| other)).collect();
    joints.sort_unstable();
    let frames = clip.frames.iter().map(image).collect();
    Ok(Clip { times: clip.times.clone(), frames, joints, has_root: clip.has_root })
}

/// Mirrors position and orientation of a free root in the plane of the world's x and z.
fn mirror_root(model: &Model, q: &mut [f64]) {
    let Some(joint) = root::free(model) else { return };
    q[joint.q_index + 1] *= -1.0;
    let flip = Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, 1.0));
    let axes = axes(model, joint.body).to_rotation_matrix();
    let own = root::rotation(joint, q).to_rotation_matrix();
    let image = flip * own.matrix() * (axes.matrix() * flip * axes.matrix().transpose());
    root::turn(joint, q, &UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(image)));
}

/// For each hinge and slide: the joint on the other side (itself if it has no side), and the sign of its value.
fn images(model: &Model) -> Result<Vec<Option<(usize, f64)>>, Failure> {
    let poses = model.body_poses(&model.rest_configuration());
    let upright = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -model.roles.facing);
    let flip = |v: Vector3<f64>| Vector3::new(v.x, -v.y, v.z);
    let place = |joint: usize| {
        let joint = &model.joints[joint];
        let (JointKind::Hinge { axis } | JointKind::Slide { axis }) = joint.kind else { return None };
        let pose: Isometry3<f64> = poses[joint.body.0];
        let anchor = pose.translation.vector + pose.rotation * joint.anchor;
        let turns = matches!(joint.kind, JointKind::Hinge { .. });
        Some((upright * anchor, upright * pose.rotation * axis, turns))
    };
    let image = |joint: usize| {
        let own = &model.joints[joint];
        let Some((anchor, axis, turns)) = place(joint) else {
            return match own.kind {
                JointKind::Ball => Err(unmirrored(&own.name, "a ball joint")),
                _ => Ok(None),
            };
        };
        // The mirror image of a direction, or of an axis of rotation.
        let wanted = flip(axis) * if turns { -1.0 } else { 1.0 };
        let named = mirrored_name(&own.name);
        let by_name = model.joint(&named).map(|id| id.0).filter(|_| named != own.name);
        let is_image = |other: &usize| {
            place(*other).is_some_and(|(at, along, kind)| {
                kind == turns
                    && (at - flip(anchor)).norm() < NEAR * model.rest_com_height()
                    && along.dot(&wanted).abs() > ALONG
            })
        };
        let other = by_name.or_else(|| (0..model.joints.len()).find(is_image));
        let other = other.and_then(|other| Some((other, place(other)?.1.dot(&wanted).signum())));
        other.map(Some).ok_or_else(|| unmirrored(&own.name, "on the other side there is none like it"))
    };
    (0..model.joints.len()).map(image).collect()
}

fn unmirrored(joint: &str, why: &str) -> Failure {
    Failure::usage(format!("--mirror: joint `{joint}` has no mirror image: {why}"))
}
