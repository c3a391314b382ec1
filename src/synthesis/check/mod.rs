//! What a solved frame must pass before it is accepted: the table of checks, in order, one file a check.
//!
//! A check looks at a solution and says what has to be corrected; it changes nothing. Checks of one stage look at
//! the same solution together. The first stage that finds something has its corrections applied, and the frame is
//! solved again; a solution in which no stage finds anything is accepted as it is. Each check has its own bound, and
//! says so when that is reached.

mod arrival;
mod bias_velocity;
mod correction;
mod friction_direction;
mod grip_overload;
mod held_prediction;
mod impact;
mod impact_slip;
mod joint_limit;
mod path_curvature;
mod separation;
mod thrown_joint;

pub use correction::{Applied, Correction, Findings, Rounds};
pub use held_prediction::{expect_held, force_on_load};

use crate::contact::{ContactOutcome, ContactPoint};
use crate::dynamics::{BiasVelocity, Kinematics};
use crate::model::Model;
use crate::passive::PassiveWorld;
use crate::predict::Linearisation;
use crate::snapshot::Snapshot;
use crate::synthesis::Synthesis;
use crate::trace::CheckName;
use nalgebra::Vector3;

/// A check by name.
pub struct Check {
    pub name: CheckName,
    /// Looks at the last solve, and says what is to be corrected.
    pub inspect: fn(&mut View<'_>, &mut Findings),
}

/// The stages of checks in their order. Where there is no solution, those after the first three have nothing to
/// look at.
pub const STAGES: [&[Check]; 9] = [
    &[held_prediction::UNDER_OVERLOAD],
    &[thrown_joint::CHECK],
    &[grip_overload::CHECK],
    &[arrival::CHECK],
    &[impact_slip::CHECK, joint_limit::CHECK, separation::CHECK, friction_direction::CHECK],
    &[impact::CHECK],
    &[held_prediction::CHECK],
    &[bias_velocity::CHECK],
    &[path_curvature::CHECK],
];

/// The first stage that looks at the path of a solution. Those before it are about what bears at all, and the next
/// solve is not linearised about what they reject.
const FIRST_OF_PATH: usize = 3;

/// A solved frame, as checks see it. Systems of the passive world may be stepped on trial, and are taken back.
pub struct View<'a> {
    pub model: &'a Model,
    pub snapshot: &'a Snapshot,
    pub linearisation: &'a Linearisation,
    /// Of the last solve.
    pub result: &'a Synthesis,
    /// What each touch does in it.
    pub outcomes: &'a [ContactOutcome],
    /// Force of each grip in it, world, N.
    pub grip_forces: &'a [Vector3<f64>],
    /// At the configuration that it leads to.
    pub ahead: &'a Kinematics,
    pub things: &'a mut PassiveWorld,
    /// Index of the character among those that hold things.
    pub holder: usize,
    /// The velocity at which the bias force was taken.
    pub bias: BiasVelocity,
    pub rounds: &'a Rounds,
    /// s
    pub dt: f64,
}

impl View<'_> {
    /// Each touch with what it does.
    fn touches(&self) -> impl Iterator<Item = (usize, &ContactPoint, &ContactOutcome)> {
        let pairs = self.snapshot.contacts.touches.iter().zip(self.outcomes).enumerate();
        pairs.map(|(index, (touch, outcome))| (index, touch, outcome))
    }

    /// Whether a point parts under a force.
    fn leaves(&self, touch: &ContactPoint, outcome: &ContactOutcome) -> bool {
        let least = separation::PARTING_FORCE * self.snapshot.scales.weight();
        self.snapshot.contacts.leaves(touch, outcome, self.dt, least)
    }

    /// Whether friction drives a point along its slip.
    fn is_driven(&self, touch: &ContactPoint, outcome: &ContactOutcome) -> bool {
        let least = friction_direction::DRIVING_FORCE * self.snapshot.scales.weight();
        touch.bears() && outcome.is_driven(touch, least)
    }

    /// Whether a point does what no contact can do.
    fn has_wrong_contact(&self) -> bool {
        self.touches()
            .any(|(_, touch, outcome)| self.leaves(touch, outcome) || self.is_driven(touch, outcome))
    }
}

/// Has the stages look at a solution in their order, until one finds something to correct.
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

/// Whether a check looks at frames without a solution too.
fn needs_no_solution(check: CheckName) -> bool {
    matches!(check, CheckName::ThrownJoint | CheckName::GripOverload)
}
