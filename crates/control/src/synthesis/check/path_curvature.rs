//! Path curvature: contact points must end the frame at the positions predicted by the second-order terms of
//! their paths.
//!
//! Inspects points that enter their surface, or penetrate deeper than before. Changes the second-order terms, which
//! every solve after a correction takes from the previous solve. If the bias velocity has used up its rounds, the
//! path is inspected nevertheless.

use super::bias_velocity::MOST_MIDPOINTS;
use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::synthesis::CheckName;
use aplomb_body::contact::LANDED;

pub(super) const CHECK: Check = Check { name: CheckName::PathCurvature, inspect };

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    let allowed = LANDED * view.snapshot.contacts.length_scale();
    let sinks =
        view.touches().any(|(_, touch, outcome)| outcome.gap(touch, view.dt) < touch.gap.min(0.0) - allowed);
    match sinks {
        false => {}
        true if view.rounds.of(CheckName::PathCurvature) < MOST_MIDPOINTS => {
            findings.push(Correction::Linearise(view.bias));
        }
        true => findings.give_up(),
    }
}
