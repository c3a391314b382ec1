//! Association of measured contacts with candidates of a character.

use super::{Contacts, MeasuredContact, closest};
use crate::dynamics::Kinematics;
use crate::model::Model;
use nalgebra::Vector3;

/// Largest distance of a candidate from a measured contact that it represents, m (× length scale).
const NEAR: f64 = 0.05;

impl Contacts {
    /// Declares that the state of each frame is measured from now on: contacts stick where they are, and active ones
    /// penetrate a surface by this depth, m.
    pub fn follow_measurements(&mut self, depth: f64) {
        self.measured.is_on = true;
        self.measured.depth = depth;
    }

    /// Sets which candidates are in contact, until the next call, and writes their forces to `forces` (by slot,
    /// world, N) if these are known; `None`: geometry decides again. A measured contact without a candidate near it
    /// is ignored.
    pub fn note_measured(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        measured: Option<&[MeasuredContact]>,
        forces: &mut [Vector3<f64>],
    ) {
        self.measured.bears.clear();
        let Some(measured) = measured else { return };
        self.measured.bears.resize(self.slots(), false);
        if measured.iter().all(|contact| contact.force.is_some()) {
            forces.fill(Vector3::zeros());
        }
        for contact in measured {
            if let Some(slot) = self.slot_near(model, kinematics, contact) {
                self.measured.bears[slot] = true;
                forces[slot] += contact.force.unwrap_or_default();
            }
        }
    }

    /// The slot whose point is nearest to a measured contact.
    fn slot_near(&self, model: &Model, kinematics: &Kinematics, contact: &MeasuredContact) -> Option<usize> {
        let near = NEAR * self.length_scale();
        let mut best: Option<(f64, usize)> = None;
        for slot in 0..self.slots() {
            let (candidate, surface) = self.pair(slot);
            if candidate.body != contact.body || !surface.present {
                continue;
            }
            let Some((point, ..)) = closest::point(model, candidate, surface, kinematics, near) else {
                continue;
            };
            let distance = (point - contact.point).norm();
            if distance < best.map_or(near, |(least, _)| least) {
                best = Some((distance, slot));
            }
        }
        best.map(|(_, slot)| slot)
    }
}
