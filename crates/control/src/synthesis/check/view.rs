//! A solved frame as checks see it, and what a check is.

use super::correction::{Findings, Rounds};
use crate::predict::Linearisation;
use crate::snapshot::Snapshot;
use crate::synthesis::CheckName;
use crate::synthesis::outcome::Synthesis;
use aplomb_body::contact::{ContactOutcome, ContactPoint};
use aplomb_body::dynamics::{BiasVelocity, Kinematics};
use aplomb_body::model::Model;
use aplomb_passive::PassiveWorld;
use nalgebra::Vector3;

/// A check by name.
pub struct Check {
    /// Name of the check, for events and traces.
    pub name: CheckName,
    /// Looks at the last solve, and says what is to be corrected.
    pub inspect: fn(&mut View<'_>, &mut Findings),
}

/// A solved frame, as checks see it. Systems of the passive world may be stepped on trial, and are taken back.
pub struct View<'a> {
    /// Model of the character.
    pub model: &'a Model,
    /// What the character senses in this frame.
    pub snapshot: &'a Snapshot,
    /// Linearised dynamics of the frame.
    pub linearisation: &'a Linearisation,
    /// Of the last solve.
    pub result: &'a Synthesis,
    /// What each touch does in it.
    pub outcomes: &'a [ContactOutcome],
    /// Force of each grip in it, world, N.
    pub grip_forces: &'a [Vector3<f64>],
    /// At the configuration that it leads to.
    pub ahead: &'a Kinematics,
    /// The passive world where the character holds something of it, or something of it gives way.
    pub passive: Option<&'a mut PassiveWorld>,
    /// Index of the character among those that hold passive objects.
    pub holder: usize,
    /// The velocity at which the bias force was taken.
    pub bias: BiasVelocity,
    /// How often each correction was made in this frame.
    pub rounds: &'a Rounds,
    /// s
    pub dt: f64,
}

impl View<'_> {
    /// Each touch with what it does.
    pub fn touches(&self) -> impl Iterator<Item = (usize, &ContactPoint, &ContactOutcome)> {
        let pairs = self.snapshot.contacts.touches.iter().zip(self.outcomes).enumerate();
        pairs.map(|(index, (touch, outcome))| (index, touch, outcome))
    }
}
