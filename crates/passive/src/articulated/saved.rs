//! The saved state of articulated bodies between two steps.

use super::character::Character;
use super::{Contact, DryFriction, JointCoupling, Limit, LoopJoint, Motion, Report};
use crate::Hit;
use aplomb_body::model::state::State;
use aplomb_math::spatial::Force;

/// Everything that a step reads and changes.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    pub time: f64,
    pub report: Report,
    pub motions: Vec<Motion>,
    pub loops: Vec<LoopJoint>,
    pub limits: Vec<Limit>,
    pub dry_friction: Vec<DryFriction>,
    pub couplings: Vec<JointCoupling>,
    pub contacts: Vec<Contact>,
    pub received: Vec<Force>,
    pub characters: Vec<Character>,
    pub hits: Vec<Hit>,
    pub systems: Vec<SavedSystem>,
}

/// Everything that a step of the system reads and changes.
#[derive(Clone, Debug, Default)]
pub struct SavedSystem {
    pub state: State,
    pub lead: Vec<f64>,
    pub lead_time: f64,
    pub told_lead: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub held: bool,
}
