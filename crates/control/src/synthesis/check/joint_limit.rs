//! Joint-limit release: a stop pushes only where its joint comes to it, so that torque limits bound joint torques alone.
//!
//! Looks at stops that pushed though their joints end the frame away from them, and at released ones to which joints
//! come all the same. Takes the first their reactions, and holds the second where they are for this frame. A stop is
//! released once and held once: that is its bound.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::predict::{StopColumn, limited_coordinates};
use crate::synthesis::CheckName;

/// Distance from its limit beyond which a joint does not touch its stop, rad or m.
const STOP_GAP: f64 = 1e-3;
/// Distance from its limit within which a joint has come to its stop, rad or m.
const STOP_CONTACT: f64 = 1e-6;
/// Reaction of a stop that is too much where the joint does not touch it, in m g h.
const IDLE_REACTION: f64 = 1e-3;

pub const CHECK: Check = Check { name: CheckName::JointLimit, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let lines = view.linearisation;
    if lines.is_impact() {
        return;
    }
    let (x, nv) = (&view.result.unknowns, view.model.nv);
    let reactions = &x[nv + lines.contact_columns.len() + lines.grip_columns.len()..];
    for (coordinate, q, [low, high]) in limited_coordinates(view.model, &view.snapshot.state.q) {
        let ahead = q + view.dt * x[coordinate];
        let gap = |stop: &StopColumn| if stop.sign > 0.0 { ahead - low } else { high - ahead };
        for (stop, reaction) in lines.stop_columns.iter().zip(reactions) {
            let idles = gap(stop) > STOP_GAP && *reaction > IDLE_REACTION;
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
