//! Which unknowns a frame has beside v⁺: the forces of contacts and the reactions of joint stops.

use super::Linearisation;
use crate::snapshot::Snapshot;
use aplomb_body::contact::generators;
use aplomb_body::contact::grip::{GripKind, grip_directions};
use aplomb_body::model::{JointKind, Model};
use nalgebra::Vector3;

/// One contact coefficient: which touch it loads, and in which direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactColumn {
    /// Index in the sense's touches.
    pub touch: usize,
    /// Unit vector, world.
    pub direction: Vector3<f64>,
}

/// One coefficient of a grip's force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripColumn {
    /// Index in the sense's grips.
    pub grip: usize,
    /// Unit vector, world.
    pub direction: Vector3<f64>,
    /// Whether it may pull as well as push.
    pub free: bool,
}

/// One coefficient of the force of a grip of someone else on this body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadColumn {
    /// Index in the sense's borne points.
    pub borne: usize,
    /// Force on this body by a coefficient of 1, world, N.
    pub force: Vector3<f64>,
}

/// The velocity of the surface under a touch that goes with another character, who is solved together with this one: three
/// unknowns, along the world's axes, m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayColumns {
    /// Index in the sense's touches.
    pub touch: usize,
}

/// One joint-stop reaction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopColumn {
    /// Velocity coordinate.
    pub coordinate: usize,
    /// +1 at the lower stop (pushes up), −1 at the upper one.
    pub sign: f64,
}

/// Distance from a limit at which its stop gets a reaction even if the joint rests, rad or m.
const STOP_REACH: f64 = 0.02;
/// In the frame of an impact every stop that a joint could come to at this speed has one, rad/s or m/s.
const IMPACT_SPEED: f64 = 50.0;
/// How the unknowns of a frame are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Edges of the friction pyramid, 4 or 8.
    pub friction_directions: usize,
    /// Whether joint limits push back that are not near: for a frame in impact mode.
    pub impact: bool,
    /// Whether stops that were called off may push again.
    pub afresh: bool,
    /// Whether a floating root obeys the balances of momentum instead of its equations of motion.
    pub balances_momentum: bool,
}

impl Layout {
    /// Of a frame's first solve.
    pub fn new(friction_directions: usize) -> Self {
        Layout { friction_directions, impact: false, afresh: true, balances_momentum: false }
    }
}

impl Linearisation {
    /// Whether the frame is laid out in impact mode.
    pub fn is_impact(&self) -> bool {
        self.impact
    }

    pub(super) fn lay_out(&mut self, model: &Model, snapshot: &Snapshot, layout: Layout) {
        self.impact = layout.impact;
        if layout.afresh {
            self.idle_stops.clear();
            self.held_stops.clear();
            self.lay_out_friction(model, snapshot);
        }
        self.contact_columns.clear();
        for (index, touch) in snapshot.contacts.touches.iter().enumerate() {
            for &direction in generators(touch, layout.friction_directions).as_slice() {
                self.contact_columns.push(ContactColumn { touch: index, direction });
            }
        }
        self.lay_out_grips(snapshot, layout.friction_directions);
        self.load_columns.clear();
        for (borne, point) in snapshot.borne.iter().enumerate() {
            let forces = point.directions.as_slice().iter().map(|direction| direction * -point.unit);
            self.load_columns.extend(forces.map(|force| LoadColumn { borne, force }));
        }
        self.way_columns.clear();
        let touches = snapshot.contacts.touches.iter().enumerate();
        let carried = touches.filter(|(_, touch)| touch.on_character().is_some());
        self.way_columns.extend(carried.map(|(touch, _)| WayColumns { touch }));
        self.stop_columns.clear();
        let dt = snapshot.scales.dt;
        let reach = if self.impact { dt * IMPACT_SPEED } else { STOP_REACH };
        for (coordinate, q, [low, high]) in limited_coordinates(model, &snapshot.state.q) {
            let ahead = q + dt * snapshot.state.v[coordinate];
            let is_thrown = self.thrown.contains(&coordinate);
            let near = [
                (1.0, is_thrown || q.min(ahead) < low + reach),
                (-1.0, is_thrown || q.max(ahead) > high - reach),
            ];
            for (sign, _) in near.into_iter().filter(|(_, is_near)| *is_near) {
                let stop = StopColumn { coordinate, sign };
                if !self.idle_stops.contains(&stop) {
                    self.stop_columns.push(stop);
                }
            }
        }
    }

    fn lay_out_grips(&mut self, snapshot: &Snapshot, friction_directions: usize) {
        self.grip_columns.clear();
        for (grip, held) in snapshot.grips.list.iter().enumerate() {
            let hold = &snapshot.grips.holds[held.hold];
            let directions = grip_directions(held.kind, hold, friction_directions);
            let free = held.kind == GripKind::Grasp;
            let columns = directions.as_slice().iter();
            self.grip_columns.extend(columns.map(|&direction| GripColumn { grip, direction, free }));
        }
    }

    /// Stops that lost their reaction in this frame.
    pub fn idle_stops(&self) -> &[StopColumn] {
        &self.idle_stops
    }

    /// Stops at which joints are held in this frame.
    pub fn held_stops(&self) -> &[StopColumn] {
        &self.held_stops
    }

    /// Takes its reaction from a stop, in this frame.
    pub fn release_stop(&mut self, stop: StopColumn) {
        self.idle_stops.push(stop);
    }

    /// Holds a joint at a stop that was released before, in this frame.
    pub fn hold_at_stop(&mut self, stop: StopColumn) {
        self.idle_stops.retain(|idle| *idle != stop);
        self.held_stops.push(stop);
    }

    /// Whether a joint is held at its stop in this frame.
    pub(super) fn holds(&self, coordinate: usize, sign: f64) -> bool {
        self.held_stops.contains(&StopColumn { coordinate, sign })
    }
}

/// Velocity coordinate, value and range of every limited hinge and slide that follows no other: the range of one that does
/// is in that of its leader.
pub fn limited_coordinates<'m>(
    model: &'m Model,
    q: &'m [f64],
) -> impl Iterator<Item = (usize, f64, [f64; 2])> + 'm {
    model.joints.iter().filter_map(|joint| match joint.kind {
        _ if model.is_follower(joint.v_index) => None,
        JointKind::Hinge { .. } | JointKind::Slide { .. } => {
            joint.range.map(|range| (joint.v_index, q[joint.q_index], range))
        }
        JointKind::Free | JointKind::Ball => None,
    })
}
