//! Retargeting: the motion of a skeleton as a motion of a model.
//!
//! Bones are matched by the names of bodies, or by the names and roles of bones. The target of each body is
//! the rotation of its bone from the skeleton's rest pose, after the body was rotated to the direction of the
//! bone at rest: so arms that hang at rest follow a skeleton that holds them out. The model's joints then
//! approximate the targets as closely as possible, from the root outwards: the subtree of a body with an
//! error keeps its targets relative to that body.

mod bone;
mod fit;
mod skeleton;

#[cfg(test)]
mod tests;

pub(crate) use bone::BoneSide;
pub use fit::Short;

use crate::dynamics::Kinematics;
use crate::model::bvh::{self, SkeletonMotion};
use crate::model::roles::side_of_name;
use crate::model::{Body, BodyId, JointKind, Model};
use aplomb_math::rotation;
use fit::{Fit, OrientedBody};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector2, Vector3};

/// A retargeted motion of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// Time between frames, s.
    pub frame_time: f64,
    /// Configurations. A free root moves over the ground as the skeleton's does, by the ratio of the lengths of their
    /// legs, from the world's origin on; its height puts the lowest shape on the ground.
    pub frames: Vec<Vec<f64>>,
    /// The joint of the skeleton that each body follows.
    pub pairs: Vec<(BodyId, usize)>,
    /// Orientation errors of these bodies in each frame, which the model's joints cannot remove.
    pub errors: Vec<Vec<Short>>,
    /// Largest orientation error, rad.
    pub missing: f64,
    /// Body and frame of that error.
    pub short: Option<(Short, usize)>,
    /// Parts of arms and legs that follow no joint.
    pub idle: Vec<BodyId>,
    /// Joints of the skeleton that rotate in the same limbs, and that no body follows.
    pub unheeded: Vec<usize>,
    /// Rotation from the skeleton's axes to the world's.
    pub to_world: UnitQuaternion<f64>,
    /// Ratio of lengths of the model to those of the skeleton, from the lengths of their legs.
    pub scale: f64,
}

/// Why a motion cannot be retargeted to a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RetargetError {
    /// Too few bones are known in both the skeleton and the model.
    #[error(
        "of the skeleton's {joints} joints only {known} are known by their names, and they do not say where up and \
         left are"
    )]
    Unknown {
        /// Number of joints of the skeleton.
        joints: usize,
        /// Number of joints with a corresponding body in the model.
        known: usize,
    },
    /// The skeleton is not upright at rest, along axes of its file.
    #[error("at rest the skeleton does not stand as the model does: its bones are off by {off:.2} rad")]
    Posture {
        /// Angle between its axes and those of the file, rad.
        off: f64,
    },
}

/// Largest angle between the axes of a file and those of its skeleton, rad.
const TILTED: f64 = 0.5;
/// A skeleton whose points are closer to one line than this share of its extent has no defined orientation.
const FLAT: f64 = 1e-3;

/// Rest poses of bodies and bones.
struct Rest {
    /// Positions of the joints of the model's bodies in its neutral configuration, world, m.
    bodies: Vec<Vector3<f64>>,
    turns: Vec<UnitQuaternion<f64>>,
    /// Positions of the joints of the skeleton, in its own axes and units.
    joints: Vec<Vector3<f64>>,
}

/// Retargets the motion of a skeleton to a model.
///
/// # Errors
/// If too few bones are known, or the skeleton's rest pose is not upright.
pub fn retarget(motion: &SkeletonMotion, model: &Model) -> Result<Retargeted, RetargetError> {
    let neutral = model.neutral_configuration();
    let mut kinematics = Kinematics::new(model);
    kinematics.update_poses(model, &neutral);
    let joint = |index: usize| {
        let joints = &model.joints[model.bodies[index].joints.clone()];
        kinematics.point(BodyId(index), &joints.first().map_or(Vector3::zeros(), |joint| joint.anchor))
    };
    let rest = Rest {
        bodies: (0..model.bodies.len()).map(joint).collect(),
        turns: kinematics.rotation.iter().map(quaternion).collect(),
        joints: motion.rest(),
    };
    let (pairs, of_limbs) = pairs(motion, model, &rest);
    let to_world = to_world(&pairs, &of_limbs, &rest, model.roles.facing)
        .ok_or(RetargetError::Unknown { joints: motion.joints.len(), known: pairs.len() })??;
    let swung = swung(model, &pairs, &rest, &to_world);
    let followers = pairs.iter().map(|&(body, _)| OrientedBody {
        body,
        bone: beyond(model, &pairs, body).and_then(|(next, _)| {
            let along = rest.bodies[next.0] - rest.bodies[body.0];
            (rest.turns[body.0].inverse() * along).try_normalize(f64::MIN_POSITIVE)
        }),
    });
    let mut fit = Fit::new(model, neutral, followers.collect());
    let travel = Travel::new(&pairs, &rest, to_world);
    let mut start = None;
    let mut errors: Vec<Vec<Short>> = Vec::with_capacity(motion.frames.len());
    let mut follow = |frame: &Vec<f64>| {
        let poses = motion.poses(frame);
        let turned = |joint: usize| to_world * poses[joint].rotation * to_world.inverse();
        let wishes: Vec<UnitQuaternion<f64>> =
            pairs.iter().zip(&swung).map(|((_, joint), rest)| turned(*joint) * rest).collect();
        let (q, shorts) = fit.next(&wishes);
        errors.push(shorts);
        let place = travel.place(&poses);
        on_the_ground(model, q.to_vec(), place - *start.get_or_insert(place))
    };
    let frames = motion.frames.iter().map(&mut follow).collect();
    let scale = travel.scale;
    let short = worst(&errors);
    let (idle, unheeded) = lost(motion, model, &pairs, &rest);
    let missing = short.map_or(0.0, |(short, _)| short.by);
    let frame_time = motion.frame_time;
    Ok(Retargeted { frame_time, frames, pairs, errors, missing, short, idle, unheeded, to_world, scale })
}

/// The first of the largest errors, and its frame.
fn worst(errors: &[Vec<Short>]) -> Option<(Short, usize)> {
    let all =
        errors.iter().enumerate().flat_map(|(frame, shorts)| shorts.iter().map(move |short| (*short, frame)));
    all.reduce(|worst, next| if next.0.by > worst.0.by { next } else { worst })
}

/// Parts of limbs that follow no joint, and the joints of the skeleton that rotate on the same side and that
/// no body follows.
fn lost(
    motion: &SkeletonMotion,
    model: &Model,
    pairs: &[(BodyId, usize)],
    rest: &Rest,
) -> (Vec<BodyId>, Vec<usize>) {
    let follows = |body: BodyId| pairs.iter().any(|(known, _)| *known == body);
    let limbs = bone::of_model(model, &rest.bodies).into_iter();
    let limbs = limbs.filter_map(|(bone, body)| Some((bone.side()?, body)));
    let idle: Vec<(BoneSide, BodyId)> = limbs.filter(|(_, body)| !follows(*body)).collect();
    let turns = skeleton::turns(motion);
    let is_followed = |joint: usize| pairs.iter().any(|(_, known)| *known == joint);
    // Fingers and toes do not count as parts of limbs.
    let is_end =
        |joint: usize| pairs.iter().any(|(body, known)| *known == joint && bone::is_end(model, *body));
    let on_side = |joint: usize| {
        let side = side_of_name(&motion.joints[joint].name);
        idle.iter().any(|(own, _)| side == if *own == BoneSide::Left { 1 } else { -1 })
    };
    let unheeded = (0..motion.joints.len()).filter(|&at| {
        turns[at] && !is_followed(at) && on_side(at) && !skeleton::ancestors(motion, at).any(is_end)
    });
    (idle.iter().map(|(_, body)| *body).collect(), unheeded.collect())
}

/// Bodies with their joints in the skeleton, in the order of bodies, and for each whether it determines the
/// orientation of the skeleton.
fn pairs(motion: &SkeletonMotion, model: &Model, rest: &Rest) -> (Vec<(BodyId, usize)>, Vec<bool>) {
    let named = |(index, joint): (usize, &bvh::SkeletonJoint)| {
        // BVH names are single words.
        let is = |body: &Body| body.name.split_whitespace().collect::<Vec<_>>().join("_") == joint.name;
        let body = model.bodies.iter().position(|body| body.name == joint.name || is(body));
        body.map(|body| (BodyId(body), index, true))
    };
    let by_name: Vec<(BodyId, usize, bool)> = motion.joints.iter().enumerate().filter_map(named).collect();
    let bones = skeleton::of_names(motion);
    let of_model = bone::of_model(model, &rest.bodies);
    let by_bone: Vec<(BodyId, usize, bool)> = of_model
        .into_iter()
        .filter_map(|(bone, body)| {
            let (_, joint) = bones.iter().find(|(own, _)| *own == bone)?;
            Some((body, *joint, !bone.is_of_arm()))
        })
        .collect();
    let mut chosen = if by_name.len() >= by_bone.len() { by_name } else { by_bone };
    chosen.sort_by_key(|(body, ..)| *body);
    chosen.dedup_by_key(|(body, ..)| *body);
    chosen.into_iter().map(|(body, joint, tells)| ((body, joint), tells)).unzip()
}

/// Rotation from the skeleton's axes to the world's: the one that fits its rest pose to that of the model best
/// [Kabsch 1976], rounded to axes, because files are written along axes. `None` if the points do not determine it.
fn to_world(
    pairs: &[(BodyId, usize)],
    tells: &[bool],
    rest: &Rest,
    facing: f64,
) -> Option<Result<UnitQuaternion<f64>, RetargetError>> {
    let (bodies, joints): (Vec<Vector3<f64>>, Vec<Vector3<f64>>) = pairs
        .iter()
        .zip(tells)
        .filter(|(_, tells)| **tells)
        .map(|((body, joint), _)| (rest.bodies[body.0], rest.joints[*joint]))
        .unzip();
    let mean = |points: &[Vector3<f64>]| points.iter().sum::<Vector3<f64>>() / points.len() as f64;
    let (body_mean, joint_mean) = (mean(&bodies), mean(&joints));
    let both = bodies.iter().zip(&joints);
    let covariance: Matrix3<f64> =
        both.map(|(body, joint)| (body - body_mean) * (joint - joint_mean).transpose()).sum();
    let svd = covariance.svd(true, true);
    let (left, right) = (svd.u?, svd.v_t?);
    // Two directions determine a rotation.
    if !(bodies.len() >= 3 && svd.singular_values[1] > FLAT * svd.singular_values[0]) {
        return None;
    }
    let sign = (left * right).determinant().signum();
    let best = left * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, sign)) * right;
    let straight = Rotation3::from_axis_angle(&Vector3::z_axis(), facing);
    let nearest = straight * along_axes(&(straight.inverse().matrix() * best));
    // The arc cosine of a trace is not defined if rounding takes the trace beyond 3.
    let off = rotation::log(&(nearest.matrix().transpose() * best)).norm();
    let turn = UnitQuaternion::from_rotation_matrix(&nearest);
    Some(if off < TILTED { Ok(turn) } else { Err(RetargetError::Posture { off }) })
}

/// The rotation that maps axes to axes and is nearest to a rotation.
fn along_axes(rotation: &Matrix3<f64>) -> Rotation3<f64> {
    let axis = |column: usize, taken: Option<usize>| {
        let own = rotation.column(column);
        let rows = (0..3).filter(|row| Some(*row) != taken);
        let row = rows.max_by(|a, b| own[*a].abs().total_cmp(&own[*b].abs())).unwrap_or(0);
        (row, Vector3::ith(row, own[row].signum()))
    };
    // The column nearest to an axis is rounded first.
    let clear = |column: &usize| rotation.column(*column).amax();
    let first = (0..3).max_by(|a, b| clear(a).total_cmp(&clear(b))).unwrap_or(0);
    let (row, along) = axis(first, None);
    let (_, next) = axis((first + 1) % 3, Some(row));
    let mut columns = [Vector3::zeros(); 3];
    columns[first] = along;
    columns[(first + 1) % 3] = next;
    columns[(first + 2) % 3] = along.cross(&next);
    Rotation3::from_matrix_unchecked(Matrix3::from_columns(&columns))
}

/// The nearest ancestor of a body that follows a joint.
fn above(model: &Model, pairs: &[(BodyId, usize)], body: BodyId) -> Option<BodyId> {
    let mut above = model.bodies[body.0].parent;
    while let Some(parent) = above.filter(|parent| pairs.iter().all(|(known, _)| known != parent)) {
        above = model.bodies[parent.0].parent;
    }
    above
}

/// End of a body's bone: the joint of its only child. A bone with several children has no direction.
fn beyond(model: &Model, pairs: &[(BodyId, usize)], body: BodyId) -> Option<(BodyId, usize)> {
    let mut beyond = pairs.iter().filter(|(other, _)| above(model, pairs, *other) == Some(body));
    match (beyond.next(), beyond.next()) {
        (Some(next), None) => Some(*next),
        _ => None,
    }
}

/// Orientation of each body in the world when its bone has the direction of the skeleton's at rest.
fn swung(
    model: &Model,
    pairs: &[(BodyId, usize)],
    rest: &Rest,
    to_world: &UnitQuaternion<f64>,
) -> Vec<UnitQuaternion<f64>> {
    let swing = |&(body, joint): &(BodyId, usize)| {
        let Some((next, end)) = beyond(model, pairs, body) else { return UnitQuaternion::identity() };
        let own = rest.bodies[next.0] - rest.bodies[body.0];
        let theirs = to_world * (rest.joints[end] - rest.joints[joint]);
        UnitQuaternion::rotation_between(&own, &theirs).unwrap_or_default()
    };
    let mut swings: Vec<UnitQuaternion<f64>> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let with =
            above(model, pairs, pair.0).and_then(|above| pairs.iter().position(|(body, _)| *body == above));
        // A hand rotates with its arm; feet are flat at rest, whatever the direction of the shin.
        let is_hand = ["left_hand", "right_hand"].iter().any(|role| model.body(role) == Some(pair.0));
        let own = swing(pair);
        swings.push(with.filter(|_| is_hand).map_or(own, |with| swings[with]));
    }
    pairs.iter().zip(swings).map(|((body, _), swing)| swing * rest.turns[body.0]).collect()
}

/// Motion of a skeleton over the ground.
struct Travel {
    /// Joint of the skeleton that the uppermost body follows.
    joint: usize,
    /// Ratio of lengths of the model to those of the skeleton.
    scale: f64,
    to_world: UnitQuaternion<f64>,
}

impl Travel {
    /// The motion of the joint that the first body of `pairs` follows: they are in the order of bodies, so that it
    /// carries all others.
    fn new(pairs: &[(BodyId, usize)], rest: &Rest, to_world: UnitQuaternion<f64>) -> Self {
        let (body, joint) = pairs.first().copied().unwrap_or((BodyId(0), 0));
        let height = |joint: usize| (to_world * rest.joints[joint]).z;
        let legs = |heights: &mut dyn Iterator<Item = f64>| heights.fold(0.0_f64, f64::max);
        let own = legs(&mut pairs.iter().map(|(below, _)| rest.bodies[body.0].z - rest.bodies[below.0].z));
        let theirs = legs(&mut pairs.iter().map(|(_, below)| height(joint) - height(*below)));
        Travel { joint, scale: if theirs > 0.0 { own / theirs } else { 0.0 }, to_world }
    }

    /// Position over the ground, m.
    fn place(&self, poses: &[nalgebra::Isometry3<f64>]) -> Vector2<f64> {
        let place = self.to_world * poses[self.joint].translation.vector * self.scale;
        place.xy()
    }
}

/// The free root at a place over the ground, with the lowest shape on it.
fn on_the_ground(model: &Model, mut q: Vec<f64>, place: Vector2<f64>) -> Vec<f64> {
    if let Some(root) = model.joints.first().filter(|joint| joint.kind == JointKind::Free) {
        q[root.q_index..root.q_index + 2].copy_from_slice(place.as_slice());
        q[root.q_index + 2] = 0.0;
        q[root.q_index + 2] = -model.lowest_point(&model.body_poses(&q));
    }
    q
}

fn quaternion(rotation: &Matrix3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*rotation))
}
