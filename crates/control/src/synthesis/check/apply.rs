//! Applies the corrections of a frame, once all are found.

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

/// Number of solves for the bias force and the curvature of paths after which the curvature is corrected half way: if
/// contacts and path change each other, full corrections may oscillate between solutions.
const MOST_WHOLE: u32 = 6;

/// The data that corrections change.
pub struct Applied<'a> {
    /// Snapshot of the character, whose contacts and grips change.
    pub snapshot: &'a mut Snapshot,
    /// Linearised dynamics of the frame.
    pub linearisation: &'a mut Linearisation,
    /// The passive world, if the character holds a part of it or a part of it moves under contact forces.
    pub passive: Option<&'a mut PassiveWorld>,
    /// Index of the character, by which the passive world identifies its grips and contacts.
    pub holder: usize,
    /// v⁺ of the inspected solution.
    pub velocity: &'a [f64],
    /// State of each contact point in the last solve.
    pub outcomes: &'a [ContactOutcome],
    /// Grip forces of the last solve, N, world axes.
    pub grip_forces: &'a [Vector3<f64>],
    /// Velocity at which the bias force is computed.
    pub bias: &'a mut BiasVelocity,
    /// Number of further solves requested by each check.
    pub rounds: &'a mut Rounds,
    /// Events of the frame, to which corrections append.
    pub events: &'a mut Vec<FrameEvent>,
    /// Horizon of the frame, s.
    pub dt: f64,
    /// Number of contacts that lost their force in this frame because they separated under it.
    pub parted: &'a mut u32,
    /// Number of contacts whose friction was reversed in this frame.
    pub turned: &'a mut u32,
}

impl Applied<'_> {
    /// Applies all findings; returns true if the frame becomes an impact.
    pub fn apply(&mut self, findings: &Findings) -> bool {
        if findings.stage >= FIRST_OF_PATH {
            self.linearisation.expect(self.velocity);
            let looks = self.rounds.of(CheckName::BiasVelocity) + self.rounds.of(CheckName::PathCurvature);
            self.snapshot.contacts.expect(self.outcomes, looks > MOST_WHOLE);
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

    /// Records an event, once for each frame.
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
            Correction::Press(parts) => linearisation.press(parts),
            Correction::LetGo { geoms } => linearisation.let_go(geoms),
            Correction::Impact => {
                snapshot.contacts.brace();
                self.note(FrameEvent::Impact { because: ImpactCause::Contacts });
            }
            Correction::Reevaluate => {}
            Correction::DropBalances => linearisation.drops_balances = true,
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
