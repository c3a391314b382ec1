//! What an objective wants and has, in words and units of people.

use super::{
    Align, Axes, BodyOrientation, BodyPoint, ComHeight, ComOverSupport, ComPosition, ComVelocity,
    ContactForce, GripForce, Now, Objective, Pose, Subject, Upright, Velocity,
};
use crate::geometry::Polygon;
use crate::math::elementary::atan2;
use crate::math::rotation;
use crate::model::{BodyId, JointKind, Model};
use nalgebra::{UnitVector3, Vector2, Vector3};
use std::any::Any;

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

/// What an objective of the kinds that ship wants and has; `None` of others, and where it means nothing now.
pub fn aim(objective: &dyn Objective, now: &Now<'_>) -> Option<Aim> {
    let mut pairs = Vec::new();
    compare(objective, now, &mut pairs)?;
    let squares = pairs.iter().map(|[wanted, is]| (wanted - is) * (wanted - is));
    let point = point(objective, now);
    Some(Aim {
        target: pairs.iter().map(|[target, _]| *target).collect(),
        actual: pairs.iter().map(|[_, actual]| *actual).collect(),
        error: squares.sum::<f64>().sqrt(),
        unit: subject(objective, now.model)?.unit(),
        point: point.map(|(points, _)| points),
        key: point.and_then(|(_, key)| key),
        joints: joints(objective, now.model).collect(),
    })
}

/// Puts target and actual of each number of an objective into `pairs`, in the order of the parts of its [`Subject`];
/// `None` where that has no meaning now, and of kinds that have no subject. What is there already is taken away.
///
/// Forces are those of the frame before, which led to where everything is.
pub fn compare(objective: &dyn Objective, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
    pairs.clear();
    let any: &dyn Any = objective;
    if let Some(BodyPoint { body, point, target, axes }) = any.downcast_ref() {
        push(pairs, *axes, target.value, now.kinematics.point(*body, point));
    } else if let Some(ComPosition { target, axes }) = any.downcast_ref() {
        push(pairs, *axes, target.value, now.com);
    } else if let Some(ComHeight { target }) = any.downcast_ref() {
        pairs.push([target.value, now.com.z - now.ground_height]);
    } else if let Some(over) = any.downcast_ref() {
        let centre = support(over, now)?;
        push(pairs, Axes::Horizontal, Vector3::new(centre.x, centre.y, now.com.z), now.com);
    } else if let Some(ComVelocity { target, along, .. }) = any.downcast_ref() {
        match along {
            None => push(pairs, Axes::All, *target, now.com_velocity),
            Some(along) => {
                let along = along.try_normalize(1e-9)?;
                pairs.push([target.dot(&along), now.com_velocity.dot(&along)]);
            }
        }
    } else if let Some(Upright { body, axis }) = any.downcast_ref() {
        pairs.push([0.0, angle(now, *body, axis, &Vector3::z())]);
    } else if let Some(Align { body, axis, along }) = any.downcast_ref() {
        pairs.push([0.0, angle(now, *body, axis, &along.try_normalize(1e-9)?)]);
    } else if let Some(BodyOrientation { body, target, .. }) = any.downcast_ref() {
        let off = now.kinematics.rotation[body.0] * target.matrix().transpose();
        pairs.push([0.0, rotation::log(&off).norm()]);
    } else if any.is::<Pose>() {
        pairs.extend(joints(objective, now.model).map(|(index, target)| [target, now.state.q[index]]));
    } else if let Some(Velocity { coordinates, .. }) = any.downcast_ref() {
        let speed = coordinates.iter().map(|k| now.state.v[*k] * now.state.v[*k]).sum::<f64>().sqrt();
        pairs.push([0.0, speed]);
    } else if let Some(ContactForce { body, target }) = any.downcast_ref() {
        pairs.push([target * now.scales.weight(), now.normal_force(now.model, *body)]);
    } else if let Some(GripForce { site }) = any.downcast_ref() {
        pairs.push([0.0, now.grips.of(*site)?.last_force.norm()]);
    } else {
        return None;
    }
    Some(())
}

/// What the numbers of an objective are; `None` of kinds that a program brought.
pub fn subject(objective: &dyn Objective, model: &Model) -> Option<Subject> {
    let any: &dyn Any = objective;
    if let Some(BodyPoint { axes, .. }) = any.downcast_ref() {
        return Some(Subject::Point(*axes));
    }
    if let Some(ComPosition { axes, .. }) = any.downcast_ref() {
        return Some(Subject::Point(*axes));
    }
    if let Some(ComVelocity { along, .. }) = any.downcast_ref() {
        return Some(if along.is_some() { Subject::Speed } else { Subject::Velocity });
    }
    if let Some(Pose { joints }) = any.downcast_ref() {
        return Some(Subject::joints(model, joints.iter().map(|goal| goal.joint)));
    }
    let plain = [
        (any.is::<ComHeight>(), Subject::Height),
        (any.is::<ComOverSupport>(), Subject::Point(Axes::Horizontal)),
        (any.is::<Upright>() || any.is::<Align>() || any.is::<BodyOrientation>(), Subject::Angle),
        (any.is::<Velocity>(), Subject::Rates),
        (any.is::<ContactForce>() || any.is::<GripForce>(), Subject::Force),
    ];
    plain.into_iter().find_map(|(is_of_kind, subject)| is_of_kind.then_some(subject))
}

fn push(pairs: &mut Vec<[f64; 2]>, axes: Axes, target: Vector3<f64>, actual: Vector3<f64>) {
    pairs.extend(axes.rows().map(|row| [target[row], actual[row]]));
}

/// Angle between an axis of a body and a unit direction of the world, rad.
fn angle(now: &Now<'_>, body: BodyId, axis: &UnitVector3<f64>, along: &Vector3<f64>) -> f64 {
    let direction = now.kinematics.rotation[body.0] * axis.into_inner();
    // Not by the arc cosine, which has half the digits near 0.
    atan2(direction.cross(along).norm(), direction.dot(along))
}

fn support(over: &ComOverSupport, now: &Now<'_>) -> Option<Vector2<f64>> {
    let is_foot = |body| over.feet.iter().any(|foot| now.model.is_within(body, *foot));
    match over.feet.is_empty() {
        true => now.support.centre(),
        false => now.support_of(is_foot, Polygon::centre),
    }
}

/// A point and where it is wanted, with the keys of its target where a file can say it.
fn point(objective: &dyn Objective, now: &Now<'_>) -> Option<([Vector3<f64>; 2], Option<&'static str>)> {
    let any: &dyn Any = objective;
    let towards = |actual: Vector3<f64>, target: Vector3<f64>, axes: Axes| {
        let mut wanted = actual;
        axes.rows().for_each(|row| wanted[row] = target[row]);
        [actual, wanted]
    };
    if let Some(BodyPoint { body, point, target, axes }) = any.downcast_ref() {
        let actual = now.kinematics.point(*body, point);
        return Some((towards(actual, target.value, *axes), Some("of.body_point.target")));
    }
    if let Some(ComPosition { target, axes }) = any.downcast_ref() {
        return Some((towards(now.com, target.value, *axes), Some("of.com_position.target")));
    }
    if let Some(ComHeight { target }) = any.downcast_ref() {
        let target = Vector3::new(0.0, 0.0, now.ground_height + target.value);
        return Some((towards(now.com, target, Axes::Vertical), Some("of.com_height.target")));
    }
    let centre = support(any.downcast_ref()?, now)?;
    Some((towards(now.com, Vector3::new(centre.x, centre.y, 0.0), Axes::Horizontal), None))
}

/// Index in q and wanted value of each joint of a pose; none of other objectives.
fn joints<'a>(objective: &'a dyn Objective, model: &'a Model) -> impl Iterator<Item = (usize, f64)> + 'a {
    let any: &dyn Any = objective;
    let goals = any.downcast_ref().map_or(&[][..], |Pose { joints }| joints);
    let joints = goals.iter().map(|goal| (&model.joints[goal.joint.0], goal.target.value));
    let with_angle =
        joints.filter(|(joint, _)| matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slide { .. }));
    with_angle.map(|(joint, target)| (joint.q_index, target))
}
