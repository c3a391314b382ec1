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

/// Moves surfaces of passive objects to the positions of their parts, given in the order of the surfaces;
/// frames are of `dt` s.
pub(crate) fn ride(surfaces: &mut [Surface], seats: &[Part], dt: f64) {
    let surfaces = surfaces.iter_mut().filter(|surface| surface.seat.is_some());
    for (surface, part) in surfaces.zip(seats) {
        let pose = Pose { position: part.position, orientation: part.orientation };
        surface.ride(&pose, &part.velocity, &part.angular_velocity, dt);
    }
}

/// Moves surfaces of other characters to the characters' positions; those out of reach are absent. `bodies`:
/// those of each character, by number.
pub(crate) fn ride_bodies(model: &Model, snapshot: &mut Snapshot, bodies: &[Vec<Part>]) {
    let Snapshot { contacts, kinematics, scales, .. } = snapshot;
    if contacts.bodies.is_empty() {
        return;
    }
    let root = kinematics.position[0];
    let extent = model.geoms.iter().filter_map(|geom| {
        let centre = kinematics.point(geom.body?, &geom.position);
        Some((centre - root).norm() + geom.shape.bounding_radius())
    });
    let reach = extent.fold(0.0, f64::max) + FARTHEST_TOUCH * scales.length();
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
        surfaces.filter_map(|surface| Some((character.number, surface.seat?)))
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
            let seat = contacts.surface(touch.surface).seat.filter(|_| touch.bears())?;
            let (object, part) = (seat.object()?, seat.part);
            let at = Grasp::Point { object, part, point: touch.point - touch.normal * touch.gap };
            let holder = Holder { character: character.number, party: Party::Touch(touch.slot) };
            Some(CouplingForce { holder, at, force: -steps * snapshot.last_force[touch.slot] })
        });
        let sensed = snapshot.objects.iter().enumerate().filter(|_| character.is_about_objects());
        let sensed = sensed.map(|(object, sensed)| {
            let at = Grasp::Point { object, part: 0, point: sensed.position };
            let holder = Holder { character: character.number, party: Party::Object(object) };
            CouplingForce { holder, at, force: Vector3::zeros() }
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
            Party::Object(_) => None,
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
