//! The unknowns of a frame other than v⁺: contact forces, reactions of joint limits, forces between parts of the
//! body.

use super::Linearisation;
use crate::snapshot::Snapshot;
use aplomb_body::contact::generators;
use aplomb_body::contact::grip::{GripKind, grip_directions};
use aplomb_body::model::{BodyId, JointKind, Model};
use nalgebra::Vector3;

/// One contact coefficient: its contact point and its direction.
#[doc(alias = "contact coefficient")]
#[doc(alias = "generator")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactColumn {
    /// Index of the contact point in the snapshot.
    pub touch: usize,
    /// Direction of the force, unit, world.
    pub direction: Vector3<f64>,
}

/// One coefficient of a grip's force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripColumn {
    /// Index of the grip in the snapshot.
    pub grip: usize,
    /// Direction of the force, unit, world.
    pub direction: Vector3<f64>,
    /// Whether the coefficient may be negative, so that the grip pulls as well as pushes.
    pub(crate) free: bool,
}

/// One coefficient of the force that another character exerts on this body by a grip or a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LoadColumn {
    /// Index of the reaction point in the snapshot's `borne`.
    pub(crate) borne: usize,
    /// Force on this body for a coefficient of 1, world, N.
    pub(crate) force: Vector3<f64>,
}

/// The velocity of another character's surface under a contact point, if the two characters are solved together:
/// three unknowns, along the world axes, m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WayColumns {
    /// Index of the contact point in the snapshot.
    pub(crate) touch: usize,
}

/// The reaction of one joint limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopColumn {
    /// Velocity coordinate.
    pub(crate) coordinate: usize,
    /// +1 at the lower limit (a positive reaction), −1 at the upper limit.
    pub(crate) sign: f64,
}

/// The force between two parts of the body that press on each other: on the second along the normal, on the first
/// against it.
#[doc(alias = "self-collision")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfContactColumn {
    /// Indices of the two geoms.
    pub(crate) geoms: [usize; 2],
    /// Their bodies.
    pub(crate) bodies: [BodyId; 2],
    /// Their closest points at the beginning of the frame, world, m.
    pub(crate) points: [Vector3<f64>; 2],
    /// Direction from the first to the second, unit, world.
    pub(crate) normal: Vector3<f64>,
    /// Whether they stay together in this frame, because the force between them would separate them.
    pub(crate) together: bool,
}

/// Distance from a limit within which its reaction is an unknown even if the joint is at rest, rad or m.
const STOP_REACH: f64 = 0.02;
/// In an impact, and if parts of the body press on each other, a limit that a joint can reach at this speed has a
/// reaction, rad/s or m/s.
const IMPACT_SPEED: f64 = 50.0;
/// The unknowns of a frame and their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of edges of the friction pyramid, 4 or 8.
    pub friction_directions: usize,
    /// Whether limits that are not near have reactions, as in a frame in impact mode.
    pub impact: bool,
    /// Whether the frame is laid out afresh, so that limits that lost their reaction may have one again.
    pub afresh: bool,
    /// Whether a floating root obeys momentum balances instead of its equations of motion.
    pub balances_momentum: bool,
}

impl Layout {
    /// The layout of a frame's first solve.
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
            self.self_contact_columns.clear();
            self.let_go.clear();
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
        let is_blow = self.impact || !self.self_contact_columns.is_empty();
        let reach = if is_blow { dt * IMPACT_SPEED } else { STOP_REACH };
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

    /// Limits that lost their reaction in this frame.
    pub(crate) fn idle_stops(&self) -> &[StopColumn] {
        &self.idle_stops
    }

    /// Limits at which joints are held in this frame, after they had lost their reaction.
    pub(crate) fn held_stops(&self) -> &[StopColumn] {
        &self.held_stops
    }

    /// Removes the reaction of a limit for this frame.
    pub(crate) fn release_stop(&mut self, stop: StopColumn) {
        self.idle_stops.push(stop);
    }

    /// Holds a joint, in this frame, at a limit that was released before.
    pub(crate) fn hold_at_stop(&mut self, stop: StopColumn) {
        self.idle_stops.retain(|idle| *idle != stop);
        self.held_stops.push(stop);
    }

    /// Adds the force between two parts of the body in this frame, and lets all joint limits react again.
    pub(crate) fn press(&mut self, parts: SelfContactColumn) {
        if self.let_go.contains(&parts.geoms) {
            return;
        }
        match self.self_contact_columns.iter_mut().find(|known| known.geoms == parts.geoms) {
            Some(known) => *known = parts,
            None => self.self_contact_columns.push(parts),
        }
        self.idle_stops.clear();
        self.held_stops.clear();
    }

    /// Removes the force between two parts of the body for this frame.
    pub(crate) fn let_go(&mut self, geoms: [usize; 2]) {
        self.self_contact_columns.retain(|known| known.geoms != geoms);
        self.let_go.push(geoms);
    }

    /// Whether a joint is held at its limit in this frame.
    pub(super) fn holds(&self, coordinate: usize, sign: f64) -> bool {
        self.held_stops.contains(&StopColumn { coordinate, sign })
    }
}

/// Velocity coordinate, value and range of every limited hinge and slide that follows no other joint: the
/// range of a coupled joint is included in that of its leader.
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
