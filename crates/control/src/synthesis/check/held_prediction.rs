//! Prediction of held or pushed objects: they, and the hands and shapes that act on them, must move as predicted.
//!
//! Inspects the positions of held points at the end of the frame under the computed forces, and the
//! displacements of gripping sites to the final configuration. Changes the linearisation of both (Newton's
//! method on the prediction of the grips). An overloaded grip is not broken before the prediction of its
//! object is accurate.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::predict::Prediction;
use crate::snapshot::Snapshot;
use crate::synthesis::CheckName;
use aplomb_body::contact::grip::Grips;
use aplomb_body::contact::{Compliance, ContactOutcome, ContactPoint, Party, STATIC_SLIP};
use aplomb_passive::{HeldPoint, PassiveWorld};
use nalgebra::Vector3;

/// Largest number of rounds in a frame, and the largest if grips hold passive objects.
const MOST_LOOKS_AHEAD: u32 = 4;
const MOST_LOOKS_AT_HELD: u32 = 24;
/// Tolerance of the predicted position of a held point, or of a point under pressure, m.
pub const HELD_ERROR: f64 = 1e-5;
/// From this round on, points of objects that are pressed, not gripped, may be off by this velocity, m/s, a quarter of
/// what counts as a slide: an object that a table stops may have no prediction that is right under the forces it leads
/// to.
const LATE: u32 = 6;
/// The velocity by which pressed points may be off after six rounds, m/s.
pub const LATE_SLIP: f64 = 0.25 * STATIC_SLIP;
/// Tolerance if the hold is fixed, m: the remaining error is removed in the next frame.
const GRIP_ERROR: f64 = 5e-5;

pub(super) const CHECK: Check = Check { name: CheckName::HeldPrediction, inspect };

/// The check for overloaded grips only, before they may break.
pub(super) const UNDER_OVERLOAD: Check = Check { name: CheckName::HeldPrediction, inspect: inspect_overload };

fn is_used_up(view: &View<'_>) -> bool {
    let holds = view.passive.as_deref().is_some_and(|passive| holds(passive, view.holder));
    let most = if holds { MOST_LOOKS_AT_HELD } else { MOST_LOOKS_AHEAD };
    view.rounds.of(CheckName::HeldPrediction) >= most
}

fn inspect_overload(view: &mut View<'_>, findings: &mut Findings) {
    let grips = &view.snapshot.grips;
    let mut pairs = grips.list.iter().zip(view.grip_forces);
    let is_overloaded = pairs.any(|(grip, force)| grip.mean_with(force, view.dt).norm() > grips.limits.force);
    if is_overloaded && !is_used_up(view) && is_held_mispredicted(view) {
        findings.push(Correction::RepredictHeld);
    }
}

fn inspect(view: &mut View<'_>, findings: &mut Findings) {
    if is_used_up(view) {
        if is_held_mispredicted(view) || bends(view).chain(borne_bends(view)).next().is_some() {
            findings.give_up();
        }
        return;
    }
    if is_held_mispredicted(view) {
        findings.push(Correction::RepredictHeld);
    }
    bends(view).chain(borne_bends(view)).for_each(|correction| findings.push(correction));
}

fn is_held_mispredicted(view: &mut View<'_>) -> bool {
    let grips = &view.snapshot.grips;
    let is_gripped = grips.list.iter().any(|grip| grips.holds[grip.hold].on_object().is_some());
    let is_late = !is_gripped && view.rounds.of(CheckName::HeldPrediction) >= LATE;
    let allowed = if is_late { HELD_ERROR.max(LATE_SLIP * view.dt) } else { HELD_ERROR };
    let View { passive, snapshot, grip_forces, outcomes, dt, holder, .. } = view;
    let forces = Forces { snapshot, grips: grip_forces, touches: outcomes };
    let force = |point: &HeldPoint| forces.on_point(point, *holder);
    let Some(passive) = passive.as_deref_mut().filter(|passive| holds(passive, *holder)) else {
        return false;
    };
    passive.is_mispredicted(*dt, allowed, force)
}

/// Whether a character, by index, holds a passive object.
fn holds(passive: &PassiveWorld, holder: usize) -> bool {
    passive.held_points().any(|(point, _)| point.holder.character == holder)
}

/// The second-order terms of gripping sites whose displacement was mispredicted, along the path to the final
/// configuration.
fn bends<'v>(view: &'v View<'_>) -> impl Iterator<Item = Correction> + 'v {
    let (grips, dt) = (&view.snapshot.grips, view.dt);
    let next = Prediction::new(view.model, view.snapshot, view.linearisation);
    grips.list.iter().enumerate().filter_map(move |(index, grip)| {
        let velocity = next.grip_velocity(index, &view.result.unknowns);
        let carried = grips.holds[grip.hold].carrier.is_some();
        let allowed = if carried { HELD_ERROR } else { GRIP_ERROR };
        let way = view.ahead.point(grip.body, &view.model.sites[grip.site].position) - grip.point;
        let acceleration = (way / dt - velocity) * (2.0 / dt);
        let is_off = (acceleration - grip.bias_acceleration).norm() * 0.5 * dt * dt > allowed;
        is_off.then_some(Correction::BendGrip { grip: index, acceleration })
    })
}

/// The second-order terms of points that other characters hold or press on, if the displacement was
/// mispredicted.
fn borne_bends<'v>(view: &'v View<'_>) -> impl Iterator<Item = Correction> + 'v {
    let (snapshot, dt) = (view.snapshot, view.dt);
    let next = Prediction::new(view.model, snapshot, view.linearisation);
    let borne = snapshot.borne.iter().enumerate().filter(|(_, borne)| borne.bears());
    borne.filter_map(move |(index, borne)| {
        let velocity = next.borne_velocity(index, &view.result.unknowns);
        let (position, rotation) =
            (&snapshot.kinematics.position[borne.body.0], &snapshot.kinematics.rotation[borne.body.0]);
        let local = rotation.tr_mul(&(borne.point - position));
        let way = view.ahead.point(borne.body, &local) - borne.point;
        let acceleration = (way / dt - velocity) * (2.0 / dt);
        let is_off = (acceleration - borne.bias_acceleration).norm() * 0.5 * dt * dt > GRIP_ERROR;
        is_off.then_some(Correction::BendBorne { borne: index, acceleration })
    })
}

/// Sets the compliance of the objects that the character `holder` holds or presses on, under their present forces.
/// Forces of other characters are constant.
pub fn expect_held(snapshot: &mut Snapshot, passive: &PassiveWorld, holder: usize) {
    let Snapshot { grips, contacts, gives, free_objects, scales, .. } = snapshot;
    // Forces on passive objects have the same impulse over the frame as the forces on the character.
    let steps = scales.turning_steps();
    gives.clear();
    free_objects.clear();
    for coupling in passive.couplings() {
        let points = || coupling.points().iter().enumerate();
        let is_own = |point: &HeldPoint| point.holder.character == holder;
        for (i, point) in points().filter(|(_, point)| is_own(point)) {
            let of = point.holder.party;
            if let Party::Object(_) | Party::Arm(..) = of {
                free_objects.push((of, Vector3::zeros()));
            }
            if let Some(velocity) = target_velocity(grips, &mut contacts.touches, free_objects, of) {
                *velocity = point.free;
                for (j, other) in points().filter(|(_, other)| !is_own(other)) {
                    *velocity += coupling.compliance(i, j) * other.force;
                }
            }
            for (j, other) in points().filter(|(_, other)| is_own(other)) {
                let compliance = steps * coupling.compliance(i, j);
                gives.push(Compliance { of, by: other.holder.party, compliance });
            }
        }
    }
}

/// The predicted velocity, without the character's forces, of the object at a contact endpoint.
fn target_velocity<'s>(
    grips: &'s mut Grips,
    touches: &'s mut [ContactPoint],
    free_objects: &'s mut [(Party, Vector3<f64>)],
    party: Party,
) -> Option<&'s mut Vector3<f64>> {
    match party {
        Party::Grip(site) => {
            grips.list.iter_mut().find(|grip| grip.site == site).map(|grip| &mut grip.target_velocity)
        }
        Party::Touch(slot) => {
            let touch = touches.iter_mut().find(|touch| touch.slot == slot);
            touch.map(|touch| &mut touch.next_surface_velocity)
        }
        Party::Object(_) | Party::Arm(..) => free_objects.last_mut().map(|(_, velocity)| velocity),
    }
}

/// Forces on the grips and contact points of a character, world, N.
#[derive(Clone, Copy)]
pub struct Forces<'a> {
    /// The character's snapshot.
    pub snapshot: &'a Snapshot,
    /// Forces by grip.
    pub grips: &'a [Vector3<f64>],
    /// States by contact point.
    pub touches: &'a [ContactOutcome],
}

impl Forces<'_> {
    /// Force on a held point whose impulse over the length of the frame is that of the grip or contact, N: the
    /// opposite of the force on the character `holder`, if it is the one that acts; otherwise the last known force.
    pub fn on_point(&self, point: &HeldPoint, holder: usize) -> Vector3<f64> {
        if point.holder.character != holder {
            return point.force;
        }
        let force = match point.holder.party {
            Party::Grip(site) => {
                let mut held = self.snapshot.grips.list.iter().zip(self.grips);
                held.find(|(grip, _)| grip.site == site).map(|(_, force)| *force)
            }
            Party::Object(_) | Party::Arm(..) => None,
            Party::Touch(slot) => {
                let mut touched = self.snapshot.contacts.touches.iter().zip(self.touches);
                touched.find(|(touch, _)| touch.slot == slot).map(|(_, outcome)| outcome.force)
            }
        };
        -self.snapshot.scales.turning_steps() * force.unwrap_or_else(Vector3::zeros)
    }
}
