//! Points of a character that others hold on to or touch.

use super::{GripKind, Hold};
use crate::contact::{Generators, Party, pyramid};
use crate::dynamics::Kinematics;
use crate::model::BodyId;
use nalgebra::Vector3;
use std::sync::Arc;

/// A point of the body that another character holds on to or touches: it bears the opposite of that force. World axes.
#[derive(Clone, Debug)]
pub struct BornePoint {
    /// Index of the character who does.
    pub by: usize,
    /// With what it does, as that character numbers it.
    pub party: Party,
    /// Body that bears.
    pub body: BodyId,
    /// m
    pub point: Vector3<f64>,
    /// J̇ v of the point, m/s².
    pub bias_acceleration: Vector3<f64>,
    /// Name of the grip or of the surface, as the other calls it.
    pub name: Arc<str>,
    /// Directions of the force on the other, one for each of its coefficients.
    pub directions: Generators,
    /// Force of a coefficient of 1, N.
    pub unit: f64,
}

impl BornePoint {
    /// The point of a body, in its frame, that the character `by` acts on, with the directions in which it can push.
    pub fn new(
        kinematics: &Kinematics,
        (body, local): (BodyId, &Vector3<f64>),
        (by, party): (usize, Party),
        name: Arc<str>,
        directions: Generators,
        unit: f64,
    ) -> Self {
        let point = kinematics.point(body, local);
        let bias_acceleration = kinematics.point_bias_acceleration(body, &point);
        BornePoint { by, party, body, point, bias_acceleration, name, directions, unit }
    }

    /// Whether it is borne for the same grip or touch as another.
    pub fn is_same(&self, other: &BornePoint) -> bool {
        (self.by, self.party) == (other.by, other.party)
    }

    /// Whether it can get a force in this frame.
    pub fn bears(&self) -> bool {
        !self.directions.as_slice().is_empty()
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
