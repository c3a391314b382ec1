//! Joint-limit release: a limit may push only where its joint reaches it, so that torque limits bound only
//! joint torques.
//!
//! Inspects limits that pushed although their joints end the frame away from them, and released ones that
//! joints still reach. Removes the reactions of the first, and holds the joints of the second at the limit
//! for this frame. A limit is released once and held once.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::predict::{StopColumn, limited_coordinates};
use crate::synthesis::CheckName;

/// Distance beyond which a joint does not touch its limit, rad or m.
const STOP_GAP: f64 = 1e-3;
/// Distance within which a joint has reached its limit, rad or m.
const STOP_CONTACT: f64 = 1e-6;
/// Tolerance of the reaction of a limit that the joint does not touch, in m g h.
const IDLE_REACTION: f64 = 1e-3;

pub(super) const CHECK: Check = Check { name: CheckName::JointLimit, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let lines = view.linearisation;
    if lines.is_impact() {
        return;
    }
    let (x, nv) = (&view.result.unknowns, view.model.nv);
    let reactions = &x[nv + lines.contact_columns.len() + lines.grip_columns.len()..];
    // Where parts of the body press on each other, limits that are far away may react.
    let most = if lines.self_contact_columns.is_empty() { IDLE_REACTION } else { 0.0 };
    for (coordinate, q, [low, high]) in limited_coordinates(view.model, &view.snapshot.state.q) {
        let ahead = q + view.dt * x[coordinate];
        let gap = |stop: &StopColumn| if stop.sign > 0.0 { ahead - low } else { high - ahead };
        for (stop, reaction) in lines.stop_columns.iter().zip(reactions) {
            let idles = gap(stop) > STOP_GAP && *reaction > most;
            if stop.coordinate == coordinate && idles && !lines.held_stops().contains(stop) {
                findings.push(Correction::ReleaseStop(*stop));
            }
        }
        for stop in lines.idle_stops().iter().filter(|stop| stop.coordinate == coordinate) {
            if !lines.stop_columns.contains(stop) && gap(stop) < STOP_CONTACT {
                findings.push(Correction::HoldAtStop(*stop));
            }
        }
    }
}
