//! The saved state of articulated bodies between two steps.

use super::character::WorldCharacter;
use super::{JointCoupling, JointDryFriction, JointLimit, LoopJoint, MotionTarget, Report, SolidContact};
use crate::Hit;
use aplomb_body::model::state::State;
use aplomb_math::spatial::Force;

/// Everything that a step reads and changes.
#[derive(Clone, Debug, Default)]
pub(super) struct SavedWorld {
    pub time: f64,
    pub report: Report,
    pub motions: Vec<MotionTarget>,
    pub loops: Vec<LoopJoint>,
    pub limits: Vec<JointLimit>,
    pub dry_friction: Vec<JointDryFriction>,
    pub couplings: Vec<JointCoupling>,
    pub contacts: Vec<SolidContact>,
    pub received: Vec<Force>,
    pub characters: Vec<WorldCharacter>,
    pub hits: Vec<Hit>,
    pub systems: Vec<SavedSystem>,
}

/// Everything that a step of the system reads and changes.
#[derive(Clone, Debug, Default)]
pub(super) struct SavedSystem {
    pub state: State,
    pub lead: Vec<f64>,
    pub lead_time: f64,
    pub told_lead: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub held: bool,
}
