//! Target and actual value of an objective, in physical units.

use super::{Now, Objective};
use aplomb_body::model::{BodyId, JointKind, Model};
use aplomb_math::elementary::atan2;
use nalgebra::{UnitVector3, Vector3};

/// Target of an objective, and its actual value at time t.
#[derive(Clone, Debug, PartialEq)]
pub struct Aim {
    /// Target values; only the components that the objective uses.
    pub target: Vec<f64>,
    /// Actual values, in the same order.
    pub actual: Vec<f64>,
    /// Distance between target and actual value.
    pub error: f64,
    /// Unit of target, actual value and error.
    pub unit: &'static str,
    /// The actual point and its target (world, m), for objectives of points; free components of the target
    /// equal those of the point.
    pub point: Option<[Vector3<f64>; 2]>,
    /// Key of the target relative to the objective in a controller file, joined by dots, for targets that are
    /// points or heights.
    pub key: Option<&'static str>,
    /// Index in q and target of each joint with a target angle, rad or m.
    pub joints: Vec<(usize, f64)>,
}

/// A point, and its target in an objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Actual position, world, m.
    pub actual: Vector3<f64>,
    /// Target position, world, m; free components equal those of the actual position.
    pub wanted: Vector3<f64>,
    /// Key of the target relative to the objective in a controller file, joined by dots; `None` if no file contains
    /// it.
    pub key: Option<&'static str>,
}

/// Target and actual value of an objective; `None` if the objective reports none or is undefined in this frame.
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

/// Angle between an axis of a body and a unit vector in world axes, rad.
pub(super) fn angle(now: &Now<'_>, body: BodyId, axis: &UnitVector3<f64>, along: &Vector3<f64>) -> f64 {
    let direction = now.kinematics.rotation[body.0] * axis.into_inner();
    // The arc cosine would lose half of the digits near 0.
    atan2(direction.cross(along).norm(), direction.dot(along))
}

/// Index in q and target of each joint with a target angle.
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
