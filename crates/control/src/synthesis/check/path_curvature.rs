//! Path curvature: contact points must end the frame where the second-order terms of their paths put them.
//!
//! Inspects points that enter their surface, or go deeper than they were. Changes the second-order terms,
//! which every solve after a correction takes from the previous solve. Its bound is shared with the bias
//! velocity: both are Newton's method on the same path.

use super::bias_velocity::solve_again;
use super::correction::Findings;
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::LANDED;

pub const CHECK: Check = Check { name: CheckName::PathCurvature, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let allowed = LANDED * view.snapshot.contacts.length_scale();
    let sinks =
        view.touches().any(|(_, touch, outcome)| outcome.gap(touch, view.dt) < touch.gap.min(0.0) - allowed);
    if sinks {
        solve_again(view, findings, view.bias);
    }
}
