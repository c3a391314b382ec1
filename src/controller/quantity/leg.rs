//! The leg of a foot: the chain of bodies from the root to it.

use super::{Measure, ROOT};
use crate::model::BodyId;
use nalgebra::{Vector2, Vector3};

/// Share of a leg's length that is used: a straight knee has no way to push.
const USABLE: f64 = 0.985;

/// Where a foot's leg begins, and how long it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// World, m.
    pub hip: Vector3<f64>,
    /// +1: to the left of the body, −1: to the right, 0: below it.
    pub side: f64,
    /// From hip to foot, stretched as far as is useful, m.
    pub reach: f64,
}

impl Leg {
    pub fn of(now: &Measure<'_>, foot: BodyId) -> Leg {
        let bodies = &now.model.bodies;
        let legs = &now.model.roles.legs;
        let (mut top, mut length) = (foot, 0.0);
        while let Some(parent) = bodies[top.0].parent
            && bodies[parent.0].parent.is_some()
            && !legs.iter().any(|(begin, _)| *begin == top)
        {
            length += bodies[top.0].position.norm();
            top = parent;
        }
        let across = legs.iter().find(|(begin, _)| *begin == top).map_or(0.0, |(_, left)| *left);
        let side = if across == 0.0 { 0.0 } else { across.signum() };
        Leg { hip: now.snapshot.kinematics.position[top.0], side, reach: USABLE * length }
    }
}

/// Directions on the ground a character faces and has on its left: its root's x axis, and across.
pub(super) fn facing(now: &Measure<'_>) -> (Vector2<f64>, Vector2<f64>) {
    let axis = now.direction(ROOT, 0).xy();
    let forward = if axis.norm() > 1e-9 { axis.normalize() } else { Vector2::x() };
    (forward, Vector2::new(-forward.y, forward.x))
}
