//! A solved frame as seen by the checks, and the type of a check.

use super::correction::{Findings, Rounds};
use crate::constraint::Constraint;
use crate::predict::Linearisation;
use crate::snapshot::Snapshot;
use crate::synthesis::CheckName;
use crate::synthesis::outcome::Synthesis;
use aplomb_body::contact::{ContactOutcome, ContactPoint};
use aplomb_body::dynamics::{BiasVelocity, Kinematics};
use aplomb_body::model::Model;
use aplomb_passive::PassiveWorld;
use nalgebra::Vector3;

/// A check with its name.
pub struct Check {
    /// Name of the check, for events and traces.
    pub name: CheckName,
    /// Inspects the last solve and requests corrections.
    pub(crate) inspect: fn(&mut View<'_>, &mut Findings),
}

/// A solved frame as seen by the checks. Passive systems may be stepped on trial, and are restored.
pub struct View<'a> {
    /// Model of the character.
    pub model: &'a Model,
    /// State of the character and its surroundings in this frame.
    pub snapshot: &'a Snapshot,
    /// Linearised dynamics of the frame.
    pub linearisation: &'a Linearisation,
    /// Results of the last solve.
    pub result: &'a Synthesis,
    /// Constraints of the character, which a further solve evaluates again.
    pub constraints: &'a mut [Box<dyn Constraint>],
    /// State of each contact point in the last solve.
    pub outcomes: &'a [ContactOutcome],
    /// Force of each grip in the last solve, world, N.
    pub grip_forces: &'a [Vector3<f64>],
    /// Kinematics at the configuration to which the last solve leads.
    pub ahead: &'a Kinematics,
    /// The passive world, if the character holds a part of it or a part of it moves under contact forces.
    pub passive: Option<&'a mut PassiveWorld>,
    /// Index of the character, by which the passive world identifies its grips and contacts.
    pub holder: usize,
    /// The velocity at which the bias force was computed.
    pub bias: BiasVelocity,
    /// Number of further solves requested by each check.
    pub rounds: &'a Rounds,
    /// Horizon of the frame, s.
    pub dt: f64,
}

impl View<'_> {
    /// Each contact point with its index and its state.
    pub(crate) fn touches(&self) -> impl Iterator<Item = (usize, &ContactPoint, &ContactOutcome)> {
        let pairs = self.snapshot.contacts.touches.iter().zip(self.outcomes).enumerate();
        pairs.map(|(index, (touch, outcome))| (index, touch, outcome))
    }
}
