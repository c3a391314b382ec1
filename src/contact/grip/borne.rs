//! Points of a character that others hold on to.

use super::{Grip, GripKind, Hold};
use crate::contact::{Generators, pyramid};
use crate::dynamics::Kinematics;
use crate::model::BodyId;
use nalgebra::Vector3;
use std::sync::Arc;

/// A point of the body that another character holds on to: it bears the opposite of that grip's force. World axes.
#[derive(Clone, Debug)]
pub struct BornePoint {
    /// Index of the character who holds on.
    pub holder: usize,
    /// The site with which it does, as that character numbers it.
    pub site: usize,
    /// Body that bears.
    pub body: BodyId,
    /// m
    pub point: Vector3<f64>,
    /// J̇ v of the point, m/s².
    pub bias_acceleration: Vector3<f64>,
    /// Name of the grip, as who holds on calls it.
    pub name: Arc<str>,
    /// Directions of the grip's force on who holds on, one for each of its coefficients.
    pub directions: Generators,
    /// Force of a coefficient of 1, N.
    pub unit: f64,
}

impl BornePoint {
    /// The point of a body, in its frame, that a grip of the character `holder` is on, with the directions in which it
    /// can push.
    pub fn new(
        kinematics: &Kinematics,
        (body, local): (BodyId, &Vector3<f64>),
        holder: usize,
        grip: &Grip,
        directions: Generators,
        unit: f64,
    ) -> Self {
        let point = kinematics.point(body, local);
        BornePoint {
            holder,
            site: grip.site,
            body,
            point,
            bias_acceleration: kinematics.point_bias_acceleration(body, &point),
            name: grip.name.clone(),
            directions,
            unit,
        }
    }

    /// Whether it is borne for the same grip as another.
    pub fn is_of_same_grip(&self, other: &BornePoint) -> bool {
        (self.holder, self.site) == (other.holder, other.site)
    }
}

/// Directions in which a grip on a hold can push, each with a coefficient of its own: along the axes, to both sides, or
/// within the friction pyramid of what is stood on.
pub fn grip_directions(kind: GripKind, hold: &Hold, friction_directions: usize) -> Generators {
    match kind {
        GripKind::Grasp => Generators::axes(),
        GripKind::Stand => pyramid(&hold.normal, hold.friction, friction_directions),
    }
}
