//! The leg of a foot: the chain of bodies from the root to it.

use super::{Measure, ROOT};
use aplomb_body::model::BodyId;
use nalgebra::{Vector2, Vector3};

/// Usable share of a leg's length: a straight knee cannot push.
const USABLE: f64 = 0.985;

/// Geometry of a foot's leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// Position of the hip, world, m.
    pub hip: Vector3<f64>,
    /// +1: to the left of the body, −1: to the right, 0: below it.
    pub side: f64,
    /// Usable length from hip to ankle, m.
    pub reach: f64,
    /// Displacement from the ankle to the requested point, forward, left and up with the foot flat, m.
    pub from_ankle: Vector3<f64>,
    /// Displacement from the hip to the centre of the sole at rest, forward and to the left, m.
    pub stance: [f64; 2],
}

impl Leg {
    /// The leg of a point of a foot, m in its axes. A body that is in no leg is its own leg.
    pub(super) fn of(now: &Measure<'_>, (body, point): (BodyId, Vector3<f64>)) -> Leg {
        let (model, kinematics) = (now.model, &now.snapshot.kinematics);
        let Some(leg) = model.roles.legs.iter().find(|leg| model.is_within(body, leg.top)) else {
            let hip = kinematics.position[body.0];
            return Leg { hip, side: 0.0, reach: 0.0, from_ankle: point, stance: [0.0; 2] };
        };
        let (foot, ankle) = leg.ankle;
        let on_foot = if body == foot {
            point
        } else {
            let away = kinematics.point(body, &point) - kinematics.position[foot.0];
            kinematics.rotation[foot.0].transpose() * away
        };
        let from_ankle = on_foot - ankle;
        let from_ankle = model.rest_axes(foot).map_or(from_ankle, |axes| axes.inverse() * from_ankle);
        let side = if leg.across == 0.0 { 0.0 } else { leg.across.signum() };
        let hip = kinematics.point(leg.hip.0, &leg.hip.1);
        Leg { hip, side, reach: USABLE * leg.length, from_ankle, stance: leg.stance }
    }
}

/// Horizontal directions forward and to the left of a character: its root's x axis, and across.
pub(super) fn facing(now: &Measure<'_>) -> (Vector2<f64>, Vector2<f64>) {
    let axis = now.direction(ROOT, 0).xy();
    let forward = if axis.norm() > 1e-9 { axis.normalize() } else { Vector2::x() };
    (forward, Vector2::new(-forward.y, forward.x))
}
