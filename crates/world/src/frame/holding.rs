//! Steps of a run for grips and held objects, outside the solve loop.

use super::FrameTime;
use crate::character::Character;
use crate::controller::quantity::Measure;
use aplomb_body::contact::grip::{BodyPoint, Grips, Want};
use aplomb_body::contact::{Party, Pose, Release, Surface};
use aplomb_body::model::{BodyId, Model};
use aplomb_control::snapshot::Snapshot;
use aplomb_control::synthesis::check::{Forces, expect_held};
use aplomb_passive::{CouplingForce, Grasp, Holder, Part, PassiveWorld, StepStatus};
use aplomb_trace::{CharacterFrame, Outcome, RelaxedRow};
use nalgebra::Vector3;

/// Distance from a body within which approaching objects are considered, m (× length scale): that of 20 m/s in a
/// frame of 0.05 s.
const FARTHEST_TOUCH: f64 = 1.0;
/// A held point that ends a frame farther than this from its predicted position is reported, m.
const REPORTED_MISS: f64 = 1e-3;

/// Moves holds on passive objects to the objects' present positions: position, m, and velocity, m/s, of each
/// point that can be held.
pub(crate) fn carry(grips: &mut Grips, attachments: &[(Vector3<f64>, Vector3<f64>)]) {
    for hold in &mut grips.holds {
        if let Some((position, velocity)) = hold.on_object().and_then(|point| attachments.get(point)) {
            hold.carry(position, velocity);
        }
    }
}

/// An object that is pushed while it is slow counts as slow up to this multiple of its limit while it is pressed.
const STILL_SLOW: f64 = 1.6;
/// An object in which the body is deeper than this, m, does not join before it is out.
const DEEPEST: f64 = 3e-4;

/// Moves surfaces of passive objects to the positions of their parts, given in the order of the surfaces;
/// frames are of `dt` s.
pub(crate) fn ride(surfaces: &mut [Surface], seats: &[Part], dt: f64) {
    let surfaces = surfaces.iter_mut().filter(|surface| surface.seat.is_some());
    for (surface, part) in surfaces.zip(seats) {
        let pose = Pose { position: part.position, orientation: part.orientation };
        surface.ride(&pose, &part.velocity, &part.angular_velocity, dt);
    }
}

/// Determines which of the objects that a character pushes while they are slow are present for it: those within reach
/// that are slow. `seats` has their parts, in the order of the surfaces.
pub(crate) fn join_slow_objects(model: &Model, snapshot: &mut Snapshot, seats: &[Part]) {
    if !snapshot.contacts.surfaces.iter().any(|surface| surface.slow.is_some()) {
        return;
    }
    let reach = reach_of_touch(model, snapshot);
    let Snapshot { contacts, kinematics, .. } = snapshot;
    let mut seats = seats.iter();
    for index in 0..contacts.surfaces.len() {
        let surface = &contacts.surfaces[index];
        let Some(part) = surface.seat.and_then(|_| seats.next()) else { continue };
        let Some(slow) = surface.slow else { continue };
        let (distance, normal) = surface.distance(&kinematics.position[0]);
        // At its point that is nearest to the root.
        let arm = kinematics.position[0] - normal * distance - part.position;
        let speed = (part.velocity + part.angular_velocity.cross(&arm)).norm();
        let bears = contacts.touches.iter().any(|touch| touch.surface == index && touch.bears());
        let is_slow = speed <= if bears { STILL_SLOW * slow } else { slow };
        let is_near = distance <= reach;
        let may_join = || surface.present || contacts.depth_in(index, model, kinematics) <= DEEPEST;
        let present = is_slow && is_near && may_join();
        contacts.surfaces[index].present = present;
    }
}

/// Distance from the root, m, within which the body can touch something in this frame or the next ones.
fn reach_of_touch(model: &Model, snapshot: &Snapshot) -> f64 {
    let Snapshot { kinematics, scales, .. } = snapshot;
    let root = kinematics.position[0];
    let extent = model.geoms.iter().filter_map(|geom| {
        let centre = kinematics.point(geom.body?, &geom.position);
        Some((centre - root).norm() + geom.shape.bounding_radius())
    });
    extent.fold(0.0, f64::max) + FARTHEST_TOUCH * scales.length()
}

/// Moves surfaces of other characters to the characters' positions; those out of reach are absent. `bodies`:
/// those of each character, by number.
pub(crate) fn ride_bodies(model: &Model, snapshot: &mut Snapshot, bodies: &[Vec<Part>]) {
    if snapshot.contacts.bodies.is_empty() {
        return;
    }
    let reach = reach_of_touch(model, snapshot);
    let Snapshot { contacts, kinematics, scales, .. } = snapshot;
    let root = kinematics.position[0];
    for surface in &mut contacts.bodies {
        let place = surface.seat.and_then(|seat| bodies.get(seat.character()?)?.get(seat.part));
        surface.present = false;
        let Some(part) = place else { continue };
        let pose = Pose { position: part.position, orientation: part.orientation };
        surface.ride(&pose, &part.velocity, &part.angular_velocity, scales.dt);
        surface.present = (surface.position - root).norm() <= reach + surface.shape.bounding_radius();
    }
}

/// Moves holds on characters to the characters' present positions: `place` returns the position of a point of a body,
/// m, and its velocity, m/s.
pub(crate) fn carry_on_characters(
    grips: &mut Grips,
    place: impl Fn(&BodyPoint) -> Option<(Vector3<f64>, Vector3<f64>)>,
) {
    for hold in &mut grips.holds {
        if let Some((position, velocity)) = hold.on_character().and_then(|point| place(&point)) {
            hold.carry(&position, &velocity);
        }
    }
}

/// Makes the grips of the start state, before the first frame.
pub(crate) fn take_hold(character: &mut Character) {
    let Character { model, snapshot, machine, .. } = character;
    if !machine.starts_holding() {
        return;
    }
    snapshot.update(model);
    machine.begin(&Measure { model, snapshot });
    let mut releases: Vec<Release> = Vec::new();
    machine.list_released(&Measure { model, snapshot }, &mut releases);
    let is_released = |body: BodyId| releases.iter().any(|release| release.is_of(model, body));
    let of_released = |want: &Want| model.sites[want.site].body.is_some_and(is_released);
    let measure = Measure { model, snapshot };
    let (withheld, wanted): (Vec<Want>, Vec<Want>) = machine.wanted(&measure).partition(of_released);
    snapshot.grips.want(wanted);
    snapshot.settle(model, &[], f64::INFINITY);
    // The first frame reports the grips on bodies that the start state releases.
    snapshot.grips.want(withheld);
}

/// Informs passive objects which of them these characters hold or press on, with the forces of the previous frame.
pub(crate) fn hold_objects<'c>(
    characters: impl Iterator<Item = &'c Character> + Clone,
    passive: &mut PassiveWorld,
) {
    let seats = characters.clone().flat_map(|character| {
        let surfaces = character.snapshot.contacts.surfaces.iter();
        let present = surfaces.filter(|surface| surface.present);
        present.filter_map(|surface| Some((character.number, surface.seat?)))
    });
    let loads = characters.flat_map(|character| {
        let snapshot = &character.snapshot;
        let (grips, steps) = (&snapshot.grips, snapshot.scales.turning_steps());
        let held = grips.list.iter().filter_map(move |grip| {
            let at = Grasp::Attachment(grips.holds[grip.hold].on_object()?);
            let holder = Holder { character: character.number, party: Party::Grip(grip.site) };
            Some(CouplingForce { holder, at, force: -steps * grip.last_force })
        });
        let contacts = &snapshot.contacts;
        let touched = contacts.touches.iter().filter_map(move |touch| {
            let seat = contacts.surface(touch.surface).seat.filter(|_| touch.may_be_loaded())?;
            let (object, part) = (seat.object()?, seat.part);
            let at = Grasp::Point { object, part, point: touch.point - touch.normal * touch.gap };
            let holder = Holder { character: character.number, party: Party::Touch(touch.slot) };
            Some(CouplingForce { holder, at, force: -steps * snapshot.last_force[touch.slot] })
        });
        let sensed = snapshot.objects.iter().enumerate().filter(|_| character.is_about_objects());
        let sensed = sensed.flat_map(|(object, sensed)| {
            let arm = |axis| (Party::Arm(object, axis), Vector3::ith(axis, Party::ARM));
            let places = [(Party::Object(object), Vector3::zeros()), arm(0), arm(1), arm(2)];
            places.map(|(party, arm)| {
                let at = Grasp::Point { object, part: 0, point: sensed.position + arm };
                let holder = Holder { character: character.number, party };
                CouplingForce { holder, at, force: Vector3::zeros() }
            })
        });
        // Objects on which the character acts are listed first: the others need no prediction.
        held.chain(touched).chain(sensed)
    });
    passive.hold(loads, seats);
}

/// Computes how the objects that the character grips and presses on move under its forces, for the grips and
/// contacts.
pub(crate) fn expect_held_objects(character: &mut Character, passive: &PassiveWorld) {
    expect_held(&mut character.snapshot, passive, character.number);
}

/// Moves held objects to the end of the frame, under the opposite of the grip forces of each `character`, by
/// number.
pub(crate) fn step_held_objects<'c>(
    character: impl Fn(usize) -> &'c Character,
    passive: &mut PassiveWorld,
    frame: FrameTime,
) {
    passive.step_held(frame.dt, |point| {
        let Character { snapshot, synthesiser, problem, number, .. } = character(point.holder.character);
        match synthesiser.result().has_solution() {
            true => {
                let forces = Forces { snapshot, grips: &problem.grip_forces, touches: &problem.outcomes };
                forces.on_point(point, *number)
            }
            false => Vector3::zeros(),
        }
    });
}

/// Reports held objects that did not move as the grips on them predicted, in a frame that has a solution, with the
/// prediction error.
pub(crate) fn tell_misses(character: &Character, passive: &PassiveWorld, frame: &mut CharacterFrame) {
    let Snapshot { grips, contacts, .. } = &character.snapshot;
    let points = passive.held_points();
    for (point, status) in points.filter(|(point, _)| point.holder.character == character.number) {
        if point.miss <= REPORTED_MISS && status != StepStatus::Failed {
            continue;
        }
        let label = match point.holder.party {
            Party::Object(_) | Party::Arm(..) => None,
            Party::Grip(site) => grips.of(site).map(|grip| grip.name.to_string()),
            Party::Touch(slot) => {
                let (candidate, surface) = contacts.pair(slot);
                Some(format!("gap of {} over {}", candidate.name, surface.name))
            }
        };
        let Some(label) = label else { continue };
        let row = RelaxedRow { label, unit: "m".into(), amount: point.miss };
        match &mut frame.outcome {
            Outcome::Solved => frame.outcome = Outcome::Relaxed { rows: vec![row] },
            Outcome::Relaxed { rows } => rows.push(row),
            Outcome::Failed { .. } | Outcome::Limp => (),
        }
    }
}
