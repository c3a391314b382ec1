//! Corrections of a frame, applied once they are all found.

use super::correction::{Correction, Findings, Rounds};
use super::held_prediction::{Forces, expect_held};
use super::table::FIRST_OF_PATH;
use crate::predict::Linearisation;
use crate::snapshot::Snapshot;
use crate::synthesis::{CheckName, FrameEvent, ImpactCause};
use aplomb_body::contact::{ContactMode, ContactOutcome};
use aplomb_body::dynamics::BiasVelocity;
use aplomb_passive::PassiveWorld;
use nalgebra::Vector3;

/// All that corrections change, and what comes of it.
pub struct Applied<'a> {
    /// Snapshot of the character; contacts and grips are changed in it.
    pub snapshot: &'a mut Snapshot,
    /// Linearised dynamics of the frame.
    pub linearisation: &'a mut Linearisation,
    /// The passive world where the character holds something of it, or something of it gives way.
    pub passive: Option<&'a mut PassiveWorld>,
    /// Index of the character among those that hold passive objects.
    pub holder: usize,
    /// v⁺ of the solution that was looked at.
    pub velocity: &'a [f64],
    /// What the contacts did in the last solve, one per contact point.
    pub outcomes: &'a [ContactOutcome],
    /// Grip forces of the last solve, N, world axes.
    pub grip_forces: &'a [Vector3<f64>],
    /// Velocity at which the bias force is taken.
    pub bias: &'a mut BiasVelocity,
    /// How often each correction was made in this frame.
    pub rounds: &'a mut Rounds,
    /// Events of the frame; corrections append to them.
    pub events: &'a mut Vec<FrameEvent>,
    /// s
    pub dt: f64,
    /// Contacts that lost their force, and contacts whose friction was turned.
    pub parted: &'a mut u32,
    /// Number of contacts whose friction was reversed in this frame.
    pub turned: &'a mut u32,
}

impl Applied<'_> {
    /// Applies everything that was found; true where the frame becomes an impact.
    pub fn apply(&mut self, findings: &Findings) -> bool {
        if findings.stage >= FIRST_OF_PATH {
            self.linearisation.expect(self.velocity);
            self.snapshot.contacts.expect(self.outcomes);
        }
        for check in CheckName::ALL {
            if findings.is_by(check) {
                self.rounds.count(check);
            }
        }
        for &check in &findings.capped {
            self.note(FrameEvent::CapReached { check });
        }
        *self.turned += findings.turned;
        findings.list.iter().fold(false, |impact, (_, correction)| {
            self.correct(*correction);
            impact || *correction == Correction::Impact
        })
    }

    /// Notes an event once a frame.
    fn note(&mut self, event: FrameEvent) {
        if !self.events.contains(&event) {
            self.events.push(event);
        }
    }

    fn correct(&mut self, correction: Correction) {
        let Applied { snapshot, linearisation, .. } = self;
        let touches = &mut snapshot.contacts.touches;
        match correction {
            Correction::RepredictHeld => self.repredict_held(),
            Correction::BendGrip { grip, acceleration } => {
                snapshot.grips.list[grip].bias_acceleration = acceleration;
            }
            Correction::BendBorne { borne, acceleration } => {
                snapshot.borne[borne].bias_acceleration = acceleration;
            }
            Correction::StopsReact { coordinate } => linearisation.thrown.push(coordinate),
            Correction::Rub { coordinate, mode } => linearisation.rub(coordinate, mode),
            Correction::BreakGrip { grip } => snapshot.grips.break_off(grip),
            Correction::Load { touch, mode } => touches[touch].bearing = mode,
            Correction::Unload { touch } => {
                snapshot.contacts.part(touch);
                *self.parted += 1;
            }
            Correction::Pin { touch } => touches[touch].bearing = ContactMode::Pinned,
            Correction::Bar { touch, slip } => touches[touch].bar(slip),
            Correction::Smooth { touch } => touches[touch].smooth = true,
            Correction::Slip { touch, slip } => touches[touch].slip = slip,
            Correction::Keep { touch, step } => snapshot.contacts.keep(touch, step),
            Correction::Slide { touch, slip } => snapshot.contacts.slide(touch, slip),
            Correction::ReleaseStop(stop) => linearisation.release_stop(stop),
            Correction::HoldAtStop(stop) => linearisation.hold_at_stop(stop),
            Correction::Impact => {
                snapshot.contacts.brace();
                self.note(FrameEvent::Impact { because: ImpactCause::Contacts });
            }
            Correction::Linearise(bias) => *self.bias = bias,
        }
    }

    fn repredict_held(&mut self) {
        let Applied { snapshot, passive, grip_forces, outcomes, dt, holder, .. } = self;
        let Some(passive) = passive.as_deref_mut() else { return };
        let forces = Forces { snapshot, grips: grip_forces, touches: outcomes };
        passive.repredict(*dt, |point| forces.on_point(point, *holder));
        expect_held(snapshot, passive, *holder);
    }
}
