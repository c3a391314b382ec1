//! Bias velocity: the bias force must be computed at the velocity that the frame records.
//!
//! Inspects the distance of v⁺ from the velocity about which the bias force at the midpoint was linearised, or from
//! that of the last frame if it is extrapolated, and the correction of the root by the momentum balances after the
//! solve. Changes the point of linearisation (Newton's method); if the frame does not continue the previous ones
//! smoothly, the bias force is computed at the midpoint instead of extrapolated. At most 12 times, including those of
//! path curvature: if no midpoint is consistent with its own frame, the velocity before the frame is used, which
//! always is. If the momentum balances do not converge, the root obeys its equations of motion at that velocity.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::dynamics::BiasVelocity;

/// Largest number of solves of a frame only for the bias force and the curvature of paths.
pub(super) const MOST_MIDPOINTS: u32 = 12;
/// Change of a coordinate's rate in a frame from which on velocities cannot be extrapolated, rad/s or m/s.
pub const JUMP: f64 = 3.0;
/// Tolerance of v⁺ in the bias force at the midpoint, rad/s or m/s; the remaining error is quadratic in it.
const MIDPOINT_ERROR: f64 = 1e-4;
/// The same tolerance if the root obeys the momentum balances, so that the error affects only joint torques. Not used
/// in an impact: there the bias force is not linearised, and the error is as large as this.
const BALANCED_MIDPOINT_ERROR: f64 = 1e-3;
/// Number of such solves after which the root no longer obeys the momentum balances, if they have not converged.
const MOST_BALANCES: u32 = 24;

/// Tolerance of the root's displacement by the momentum balances after a solve, rad or m: contacts and grips
/// moved with it.
const MOMENTUM_ERROR: f64 = 1e-5;

pub(super) const CHECK: Check = Check { name: CheckName::BiasVelocity, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let error = view.linearisation.velocity_error(&view.result.unknowns[..view.model.nv]);
    let moved = view.result.root_correction * view.dt;
    let is_balanced = view.linearisation.balances_momentum() && !view.linearisation.is_impact();
    let allowed = if is_balanced { BALANCED_MIDPOINT_ERROR } else { MIDPOINT_ERROR };
    let next = match view.bias {
        BiasVelocity::Midpoint if error >= allowed => BiasVelocity::Midpoint,
        BiasVelocity::Extrapolated if error >= JUMP => BiasVelocity::Midpoint,
        same if view.linearisation.balances_momentum() && moved >= MOMENTUM_ERROR => {
            if view.rounds.of(CheckName::BiasVelocity) < MOST_BALANCES {
                findings.push(Correction::Linearise(same));
            } else {
                findings.cap();
                findings.push(Correction::DropBalances);
                findings.push(Correction::Linearise(BiasVelocity::Backward));
            }
            return;
        }
        _ => return,
    };
    solve_again(view, findings, next);
}

/// Requests another solve, linearised about the last one with the bias force at `next`, or at the velocity before the
/// frame if the number of solves is used up; reports the check as unresolved if the bias force is already there.
fn solve_again(view: &View<'_>, findings: &mut Findings, next: BiasVelocity) {
    if view.rounds.of(CheckName::BiasVelocity) + view.rounds.of(CheckName::PathCurvature) < MOST_MIDPOINTS {
        findings.push(Correction::Linearise(next));
    } else if next == BiasVelocity::Midpoint {
        findings.cap();
        findings.push(Correction::Linearise(BiasVelocity::Backward));
    } else {
        findings.give_up();
    }
}
