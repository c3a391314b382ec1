//! Reaction points: points of a character that other characters hold or touch.

use super::{GripKind, Hold};
use crate::contact::{Generators, Party, pyramid};
use crate::dynamics::Kinematics;
use crate::model::BodyId;
use nalgebra::Vector3;
use std::sync::Arc;

/// A point of the body that another character holds or touches, on which the opposite of that character's
/// force acts. World axes.
#[doc(alias = "reaction point")]
#[derive(Clone, Debug)]
pub struct BornePoint {
    /// Index of the other character.
    pub by: usize,
    /// Its grip or contact point, as that character numbers it.
    pub(crate) party: Party,
    /// Body that the point is on.
    pub body: BodyId,
    /// Position, m.
    pub point: Vector3<f64>,
    /// J̇ v of the point, m/s².
    pub bias_acceleration: Vector3<f64>,
    /// Name of the grip or of the surface in the other character's labels.
    pub name: Arc<str>,
    /// Directions of the force on the other character, one for each of its coefficients.
    pub directions: Generators,
    /// Force for a coefficient of 1, N.
    pub unit: f64,
}

impl BornePoint {
    /// The point of a body, in its frame, that the character `by` acts on, with the directions of the force.
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

    /// Whether it belongs to the same grip or contact as another.
    pub fn is_same(&self, other: &BornePoint) -> bool {
        (self.by, self.party) == (other.by, other.party)
    }

    /// Whether it can have a force in this frame.
    pub fn bears(&self) -> bool {
        !self.directions.as_slice().is_empty()
    }
}

/// Directions of the force of a grip on a hold, each with its own coefficient: along the axes in both senses,
/// or within the friction pyramid if the grip stands on the hold.
pub fn grip_directions(kind: GripKind, hold: &Hold, friction_directions: usize) -> Generators {
    match kind {
        GripKind::Grasp => Generators::axes(),
        GripKind::Stand => pyramid(&hold.normal, hold.friction, friction_directions),
    }
}
