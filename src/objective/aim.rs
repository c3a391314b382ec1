//! What an objective wants and has, in words and units of people.

use super::{
    Align, Axes, BodyOrientation, BodyPoint, ComHeight, ComOverSupport, ComPosition, ComVelocity,
    ContactForce, GripForce, Now, Objective, Pose, Upright, Velocity,
};
use crate::geometry::Polygon;
use nalgebra::{Matrix3, Rotation3, Vector3};
use std::any::Any;

/// What an objective wants, and how things are at time t.
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

impl Aim {
    fn of(target: Vec<f64>, actual: Vec<f64>, unit: &'static str) -> Self {
        let squares = target.iter().zip(&actual).map(|(wanted, is)| (wanted - is) * (wanted - is));
        let error = squares.sum::<f64>().sqrt();
        Aim { target, actual, error, unit, point: None, key: None, joints: Vec::new() }
    }

    /// An angle that should be 0, rad.
    fn angle(angle: f64) -> Self {
        Aim::of(vec![0.0], vec![angle], "rad")
    }

    /// A point to a point, in some of its components.
    fn point(actual: Vector3<f64>, target: Vector3<f64>, axes: Axes, key: &'static str) -> Self {
        let mut wanted = actual;
        axes.rows().for_each(|row| wanted[row] = target[row]);
        let some = |point: Vector3<f64>| axes.rows().map(|row| point[row]).collect();
        Aim { point: Some([actual, wanted]), key: Some(key), ..Aim::of(some(target), some(actual), "m") }
    }
}

/// What an objective of the kinds that ship wants and has; `None` of others, and where it means nothing now.
pub fn aim(objective: &dyn Objective, now: &Now<'_>) -> Option<Aim> {
    let any: &dyn Any = objective;
    if let Some(BodyPoint { body, point, target, axes }) = any.downcast_ref() {
        return Some(Aim::point(
            now.kinematics.point(*body, point),
            target.value,
            *axes,
            "of.body_point.target",
        ));
    }
    if let Some(ComPosition { target, axes }) = any.downcast_ref() {
        return Some(Aim::point(now.com, target.value, *axes, "of.com_position.target"));
    }
    if let Some(ComHeight { target }) = any.downcast_ref() {
        let height = now.com.z - now.ground_height;
        let mut wanted = now.com;
        wanted.z = now.ground_height + target.value;
        let aim = Aim::of(vec![target.value], vec![height], "m");
        return Some(Aim { point: Some([now.com, wanted]), key: Some("of.com_height.target"), ..aim });
    }
    if let Some(ComOverSupport { feet, .. }) = any.downcast_ref() {
        let is_foot = |body| feet.iter().any(|foot| now.model.is_within(body, *foot));
        let centre = match feet.is_empty() {
            true => now.support.centre()?,
            false => now.support_of(is_foot, Polygon::centre)?,
        };
        let target = Vector3::new(centre.x, centre.y, now.com.z);
        return Some(Aim { key: None, ..Aim::point(now.com, target, Axes::Horizontal, "") });
    }
    if let Some(ComVelocity { target, along, .. }) = any.downcast_ref() {
        let velocity = now.com_velocity;
        return Some(match along {
            None => Aim::of(target.iter().copied().collect(), velocity.iter().copied().collect(), "m/s"),
            Some(along) => {
                let along = along.try_normalize(1e-9)?;
                Aim::of(vec![target.dot(&along)], vec![velocity.dot(&along)], "m/s")
            }
        });
    }
    if let Some(Upright { body, axis }) = any.downcast_ref() {
        return Some(Aim::angle((now.kinematics.rotation[body.0] * axis.into_inner()).angle(&Vector3::z())));
    }
    if let Some(Align { body, axis, along }) = any.downcast_ref() {
        return Some(Aim::angle((now.kinematics.rotation[body.0] * axis.into_inner()).angle(along)));
    }
    if let Some(BodyOrientation { body, target, .. }) = any.downcast_ref() {
        let rotation: &Matrix3<f64> = &now.kinematics.rotation[body.0];
        let off = Rotation3::from_matrix_unchecked(target.matrix().transpose() * rotation);
        return Some(Aim::angle(off.angle()));
    }
    if let Some(Pose { joints }) = any.downcast_ref() {
        let angles = joints.iter().map(|goal| (&now.model.joints[goal.joint.0], goal.target.value));
        let angles = angles.filter(|(joint, _)| joint.kind.nq() == 1);
        let wanted: Vec<(usize, f64)> = angles.map(|(joint, target)| (joint.q_index, target)).collect();
        let actual = wanted.iter().map(|(index, _)| now.state.q[*index]).collect();
        let target = wanted.iter().map(|(_, target)| *target).collect();
        return Some(Aim { joints: wanted, ..Aim::of(target, actual, "rad") });
    }
    if let Some(Velocity { coordinates, .. }) = any.downcast_ref() {
        let speed = coordinates.iter().map(|k| now.state.v[*k] * now.state.v[*k]).sum::<f64>().sqrt();
        return Some(Aim::of(vec![0.0], vec![speed], "rad/s"));
    }
    if let Some(ContactForce { body, target }) = any.downcast_ref() {
        let force = now.normal_force(now.model, *body);
        return Some(Aim::of(vec![target * now.scales.weight()], vec![force], "N"));
    }
    if let Some(GripForce { site }) = any.downcast_ref() {
        let force = now.grips.of(*site)?.last_force.norm();
        return Some(Aim::of(vec![0.0], vec![force], "N"));
    }
    None
}
