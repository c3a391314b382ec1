//! The table of checks.

use super::correction::Findings;
use super::view::{Check, View};
use super::{
    arrival, bias_velocity, creeping, dry_friction, friction_direction, grip_overload, held_prediction,
    impact, impact_slip, joint_limit, limb_path, path_curvature, separation, thrown_joint,
};
use crate::synthesis::CheckName;

/// The stages of checks in order. Without a solution, only the second and the third inspect anything.
pub const STAGES: [&[Check]; 11] = [
    &[held_prediction::UNDER_OVERLOAD],
    &[thrown_joint::CHECK],
    &[grip_overload::CHECK],
    &[arrival::CHECK],
    &[
        impact_slip::CHECK,
        joint_limit::CHECK,
        dry_friction::CHECK,
        separation::CHECK,
        friction_direction::CHECK,
    ],
    &[impact::CHECK],
    &[creeping::CHECK],
    &[held_prediction::CHECK],
    &[bias_velocity::CHECK],
    &[path_curvature::CHECK],
    &[limb_path::CHECK],
];

/// The first stage that inspects the path of a solution. Earlier stages decide which contacts are active, and
/// the next solve is not linearised about a solution that they reject.
pub(super) const FIRST_OF_PATH: usize = 3;

/// Runs the stages on a solution, in order, until one finds a correction.
pub fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    findings.clear();
    for (index, stage) in STAGES.iter().enumerate() {
        if !(view.result.has_solution() || stage.iter().all(|check| needs_no_solution(check.name))) {
            continue;
        }
        findings.begin(index);
        for check in *stage {
            findings.enter(check.name);
            (check.inspect)(view, findings);
        }
        if !findings.list().is_empty() {
            return;
        }
    }
}

/// Whether a check also inspects frames without a solution.
fn needs_no_solution(check: CheckName) -> bool {
    matches!(check, CheckName::ThrownJoint | CheckName::GripOverload)
}
