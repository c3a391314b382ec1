//! Prediction of what is held or pushed: it, and the hands and shapes that do so, go where the grips expected them to go.
//!
//! Looks at where held points end the frame under the forces found, and at the ways of gripping sites to the
//! configuration found. Changes the linearisation of both: Newton's method on what grips expect. A grip that bears
//! too much is not broken before what it holds was expected rightly.

use super::correction::{Correction, Findings};
use super::view::{Check, View};
use crate::predict::Prediction;
use crate::snapshot::Snapshot;
use crate::synthesis::CheckName;
use aplomb_body::contact::grip::Grips;
use aplomb_body::contact::{Compliance, ContactOutcome, ContactPoint, Party};
use aplomb_passive::{HeldPoint, PassiveWorld};
use nalgebra::Vector3;

/// Most times in one frame, and most where grips hold what moves by itself.
const MOST_LOOKS_AHEAD: u32 = 4;
const MOST_LOOKS_AT_HELD: u32 = 24;
/// A point that holds or is held and ends a frame nearer to where it was expected is let be, m.
const HELD_ERROR: f64 = 1e-5;
/// Least error that is corrected where the hold is fixed: what is left of this error is taken back in the next frame, m.
const GRIP_ERROR: f64 = 5e-5;

pub const CHECK: Check = Check { name: CheckName::HeldPrediction, inspect };

/// Least error that is corrected where a grip bears too much: before anything else is made of that.
pub const UNDER_OVERLOAD: Check = Check { name: CheckName::HeldPrediction, inspect: inspect_overload };

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
    let View { passive, snapshot, grip_forces, outcomes, dt, holder, .. } = view;
    let forces = Forces { snapshot, grips: grip_forces, touches: outcomes };
    let force = |point: &HeldPoint| forces.on_point(point, *holder);
    let Some(passive) = passive.as_deref_mut().filter(|passive| holds(passive, *holder)) else {
        return false;
    };
    passive.is_mispredicted(*dt, HELD_ERROR, force)
}

/// Whether a character, by number, holds a passive object.
fn holds(passive: &PassiveWorld, holder: usize) -> bool {
    passive.held_points().any(|(point, _)| point.holder.character == holder)
}

/// The second-order terms of the ways of gripping sites that were off, as they are on the way to the configuration
/// found.
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

/// The second-order terms of the ways of points that others hold or press on, where those were off.
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

/// Has the grips and touches of the character `holder` know how what they hold and press on gives way to their forces.
/// Those of others are taken as they were.
pub fn expect_held(snapshot: &mut Snapshot, passive: &PassiveWorld, holder: usize) {
    let Snapshot { grips, contacts, gives, free_objects, .. } = snapshot;
    gives.clear();
    free_objects.clear();
    for coupling in passive.couplings() {
        let points = || coupling.points().iter().enumerate();
        let is_own = |point: &HeldPoint| point.holder.character == holder;
        for (i, point) in points().filter(|(_, point)| is_own(point)) {
            let of = point.holder.party;
            if let Party::Object(object) = of {
                free_objects.push((object, Vector3::zeros()));
            }
            if let Some(velocity) = target_velocity(grips, &mut contacts.touches, free_objects, of) {
                *velocity = point.free;
                for (j, other) in points().filter(|(_, other)| !is_own(other)) {
                    *velocity += coupling.compliance(i, j) * other.force;
                }
            }
            for (j, other) in points().filter(|(_, other)| is_own(other)) {
                gives.push(Compliance { of, by: other.holder.party, compliance: *coupling.compliance(i, j) });
            }
        }
    }
}

/// The velocity at which what a party acts on is expected to go without its forces.
fn target_velocity<'s>(
    grips: &'s mut Grips,
    touches: &'s mut [ContactPoint],
    free_objects: &'s mut [(usize, Vector3<f64>)],
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
        Party::Object(_) => free_objects.last_mut().map(|(_, velocity)| velocity),
    }
}

/// Forces that were found on the grips and touches of a character, world, N.
#[derive(Clone, Copy)]
pub struct Forces<'a> {
    /// What they are of.
    pub snapshot: &'a Snapshot,
    /// By grip.
    pub grips: &'a [Vector3<f64>],
    /// By touch.
    pub touches: &'a [ContactOutcome],
}

impl Forces<'_> {
    /// Force on what is held or pressed on, N: opposite to that on the character `holder`, where that is who does; on what
    /// others hold as it was.
    pub fn on_point(&self, point: &HeldPoint, holder: usize) -> Vector3<f64> {
        if point.holder.character != holder {
            return point.force;
        }
        let force = match point.holder.party {
            Party::Grip(site) => {
                let mut held = self.snapshot.grips.list.iter().zip(self.grips);
                held.find(|(grip, _)| grip.site == site).map(|(_, force)| *force)
            }
            Party::Object(_) => None,
            Party::Touch(slot) => {
                let mut touched = self.snapshot.contacts.touches.iter().zip(self.touches);
                touched.find(|(touch, _)| touch.slot == slot).map(|(_, outcome)| outcome.force)
            }
        };
        -force.unwrap_or_else(Vector3::zeros)
    }
}
