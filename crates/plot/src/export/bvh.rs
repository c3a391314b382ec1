//! A character's motion as a BVH file: lengths in m, y up, facing z.

use super::ExportError;
use super::scene::character;
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::bvh::{CoordinateAxis, JointChannel, SkeletonJoint, SkeletonMotion, angles};
use aplomb_body::model::{BodyId, Model};
use aplomb_trace::Trace;
use nalgebra::{Quaternion, Rotation3, Unit, UnitQuaternion, Vector3};

/// Distance from its offset within which a joint has no position channels, m.
const STILL: f64 = 1e-7;

/// The file's text. Its rest pose is the model's neutral configuration.
pub(super) fn text(trace: &Trace) -> Result<String, ExportError> {
    if !trace.header.has_character() {
        return Err(ExportError::NoCharacter);
    }
    let model = character(&trace.header)?;
    let rest = SkeletonPoses::new(&model, &model.neutral_configuration());
    let mut frames = Vec::with_capacity(trace.frames.len());
    for frame in &trace.frames {
        if frame.q.len() != model.nq {
            return Err(ExportError::Misfit { frame: frame.index });
        }
        frames.push(SkeletonPoses::new(&model, &frame.q));
    }
    Ok(motion(&model, &rest, &frames, trace.header.dt).to_string())
}

/// The rotation from x forward, y left, z up to z forward, x left, y up.
pub(super) fn y_up() -> UnitQuaternion<f64> {
    Unit::new_unchecked(Quaternion::new(0.5, -0.5, -0.5, -0.5))
}

/// Joint positions and body orientations, y up.
struct SkeletonPoses {
    joints: Vec<Vector3<f64>>,
    turns: Vec<UnitQuaternion<f64>>,
}

impl SkeletonPoses {
    fn new(model: &Model, q: &[f64]) -> Self {
        let mut kinematics = Kinematics::new(model);
        kinematics.update_poses(model, q);
        let joint = |index: usize| {
            let body = &model.bodies[index];
            let anchor =
                model.joints[body.joints.clone()].first().map_or(Vector3::zeros(), |joint| joint.anchor);
            y_up() * kinematics.point(BodyId(index), &anchor)
        };
        let turn = |rotation| {
            let turn = Rotation3::from_matrix_unchecked(rotation);
            y_up() * UnitQuaternion::from_rotation_matrix(&turn)
        };
        SkeletonPoses {
            joints: (0..model.bodies.len()).map(joint).collect(),
            turns: kinematics.rotation.iter().copied().map(turn).collect(),
        }
    }

    /// Rotation of a body from its rest pose, world axes.
    fn turned_from(&self, rest: &SkeletonPoses, body: usize) -> UnitQuaternion<f64> {
        self.turns[body] * rest.turns[body].inverse()
    }

    /// Position and orientation relative to the parent.
    fn relative(
        &self,
        rest: &SkeletonPoses,
        model: &Model,
        body: usize,
    ) -> (Vector3<f64>, UnitQuaternion<f64>) {
        let own = self.turned_from(rest, body);
        match model.bodies[body].parent {
            Some(BodyId(parent)) => {
                let back = self.turned_from(rest, parent).inverse();
                (back * (self.joints[body] - self.joints[parent]), back * own)
            }
            None => (self.joints[body], own),
        }
    }
}

fn motion(model: &Model, rest: &SkeletonPoses, frames: &[SkeletonPoses], frame_time: f64) -> SkeletonMotion {
    let turns = [CoordinateAxis::Z, CoordinateAxis::X, CoordinateAxis::Y].map(JointChannel::Rotation);
    let places = [CoordinateAxis::X, CoordinateAxis::Y, CoordinateAxis::Z].map(JointChannel::Position);
    let joint = |body: usize| {
        let parent = model.bodies[body].parent.map(|parent| parent.0);
        let offset = rest.joints[body] - parent.map_or(Vector3::zeros(), |parent| rest.joints[parent]);
        let moves = |pose: &SkeletonPoses| (pose.relative(rest, model, body).0 - offset).amax() > STILL;
        let slides = parent.is_none() || frames.iter().any(moves);
        let ends = !model.bodies.iter().any(|other| other.parent == Some(BodyId(body)));
        SkeletonJoint {
            name: model.bodies[body].name.clone(),
            parent,
            offset,
            channels: if slides { [places, turns].concat() } else { turns.to_vec() },
            end: ends.then(|| end(model, rest, body)),
        }
    };
    let joints: Vec<SkeletonJoint> = (0..model.bodies.len()).map(joint).collect();
    let frame = |pose: &SkeletonPoses| {
        let numbers = joints.iter().enumerate().flat_map(|(body, joint)| {
            let (place, turn) = pose.relative(rest, model, body);
            let slides = joint.channels.len() > turns.len();
            let place = place.iter().copied().filter(move |_| slides).collect::<Vec<f64>>();
            place.into_iter().chain(angles(&turn))
        });
        numbers.collect()
    };
    SkeletonMotion { frame_time, frames: frames.iter().map(frame).collect(), joints }
}

/// End of a body without children: as far beyond its centre of mass as this is from the joint.
fn end(model: &Model, rest: &SkeletonPoses, body: usize) -> Vector3<f64> {
    let own = &model.bodies[body];
    let anchor = model.joints[own.joints.clone()].first().map_or(Vector3::zeros(), |joint| joint.anchor);
    rest.turns[body] * (2.0 * (own.inertia.centre - anchor))
}
