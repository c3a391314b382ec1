//! Bias velocity: the bias force was taken at the velocity it is said to be taken at.
//!
//! Looks at how far v⁺ is from the velocity that the bias force at the midpoint was linearised about, or from the
//! last frame's where it is extrapolated, and at how far balances of momentum moved the root after the solve. Changes what it is linearised about (Newton's method); where the frame is no
//! smooth continuation of the ones before, the bias force is not extrapolated but taken at the midpoint. It may 12
//! times, those of path curvature included: where no midpoint is consistent with its own frame, the velocity before
//! it is taken, which always is.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::dynamics::BiasVelocity;

/// Most solves of a frame for the bias force and the curvature of paths alone.
const MOST_MIDPOINTS: u32 = 12;
/// Change of a coordinate's rate in a frame from which on an extrapolation of velocities says nothing, rad/s or m/s.
pub const JUMP: f64 = 3.0;
/// Error of v⁺ in the bias force at the midpoint that is let be, rad/s or m/s; what is left is quadratic in it.
const MIDPOINT_ERROR: f64 = 1e-4;

/// Way over a frame by which the balances of momentum moved the root after a solve that is let be, rad or m: contacts
/// and grips moved with it.
const MOMENTUM_ERROR: f64 = 1e-5;

pub const CHECK: Check = Check { name: CheckName::BiasVelocity, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let error = view.linearisation.velocity_error(&view.result.unknowns[..view.model.nv]);
    let moved = view.result.root_correction * view.dt;
    let next = match view.bias {
        BiasVelocity::Midpoint if error >= MIDPOINT_ERROR => BiasVelocity::Midpoint,
        BiasVelocity::Extrapolated if error >= JUMP => BiasVelocity::Midpoint,
        same if view.linearisation.balances_momentum() && moved >= MOMENTUM_ERROR => same,
        _ => return,
    };
    solve_again(view, findings, next);
}

/// Has the frame solved again, linearised about the last solve with the bias force at `next`, or at the velocity
/// before the frame where that was done too often; gives up where it is taken there already.
pub fn solve_again(view: &View<'_>, findings: &mut Findings, next: BiasVelocity) {
    let rounds = view.rounds.of(CheckName::BiasVelocity) + view.rounds.of(CheckName::PathCurvature);
    if rounds < MOST_MIDPOINTS {
        findings.push(Correction::Linearise(next));
    } else if next == BiasVelocity::Midpoint {
        findings.cap();
        findings.push(Correction::Linearise(BiasVelocity::Backward));
    } else {
        findings.give_up();
    }
}
