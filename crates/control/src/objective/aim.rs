//! What an objective wants and has, in words and units of people.

use super::{Now, Objective};
use aplomb_body::model::{BodyId, JointKind, Model};
use aplomb_math::elementary::atan2;
use nalgebra::{UnitVector3, Vector3};

/// Target of an objective, and the actual value at time t.
#[derive(Clone, Debug, PartialEq)]
pub struct Aim {
    /// What is wanted, number by number; those that count alone.
    pub target: Vec<f64>,
    /// What there is, in the same order.
    pub actual: Vec<f64>,
    /// Distance of the one from the other.
    pub error: f64,
    /// Unit of all of these.
    pub unit: &'static str,
    /// A point (world, m) and where it is wanted, for objectives of points; what is free is as it is.
    pub point: Option<[Vector3<f64>; 2]>,
    /// Keys of the target below those of the objective, joined by dots, for those whose target is a point or a height.
    pub key: Option<&'static str>,
    /// Index in q and wanted value of each joint that is wanted at an angle, rad or m.
    pub joints: Vec<(usize, f64)>,
}

/// A point, and where an objective wants it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Where it is, world, m.
    pub actual: Vector3<f64>,
    /// Where it is wanted, world, m; what is free is as it is.
    pub wanted: Vector3<f64>,
    /// Keys of the target below those of the objective in a controller's file, joined by dots; `None` where no file
    /// says it.
    pub key: Option<&'static str>,
}

/// What an objective wants and has; `None` of one that says nothing of it, and where it means nothing now.
pub fn aim(objective: &dyn Objective, now: &Now<'_>) -> Option<Aim> {
    let mut pairs = Vec::new();
    objective.compare(now, &mut pairs)?;
    let squares = pairs.iter().map(|[wanted, is]| (wanted - is) * (wanted - is));
    let marker = objective.marker(now);
    Some(Aim {
        target: pairs.iter().map(|[target, _]| *target).collect(),
        actual: pairs.iter().map(|[_, actual]| *actual).collect(),
        error: squares.sum::<f64>().sqrt(),
        unit: objective.subject(now.model)?.unit(),
        point: marker.map(|marker| [marker.actual, marker.wanted]),
        key: marker.and_then(|marker| marker.key),
        joints: joints(objective, now.model).collect(),
    })
}

/// Angle between an axis of a body and a unit direction of the world, rad.
pub(super) fn angle(now: &Now<'_>, body: BodyId, axis: &UnitVector3<f64>, along: &Vector3<f64>) -> f64 {
    let direction = now.kinematics.rotation[body.0] * axis.into_inner();
    // Not by the arc cosine, which has half the digits near 0.
    atan2(direction.cross(along).norm(), direction.dot(along))
}

/// Index in q and wanted value of each joint with an angle that an objective wants somewhere.
pub(super) fn joints<'a>(
    objective: &'a dyn Objective,
    model: &'a Model,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let joints =
        objective.joint_targets().iter().map(|goal| (&model.joints[goal.joint.0], goal.target.value));
    let with_angle =
        joints.filter(|(joint, _)| matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slide { .. }));
    with_angle.map(|(joint, target)| (joint.q_index, target))
}
