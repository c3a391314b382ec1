//! The records of a frame in the trace, from the frame's results: a character's, and the world's.

mod limp;
mod passive;
mod world;

pub(crate) use passive::{character, objects as passive_objects};
pub(crate) use world::{Contents, WorldRecord};

use crate::character::Character;
use crate::frame::problem::Solved;
use aplomb_body::contact::grip::{Grip, GripChange, GripKind, Hold, HoldShape};
use aplomb_body::contact::{ContactOutcome, ContactPoint, STATIC_SLIP, Surface, SurfaceShape};
use aplomb_body::dynamics::momentum;
use aplomb_body::model::Model;
use aplomb_control::predict::ExternalForce;
use aplomb_control::snapshot::Snapshot;
use aplomb_control::synthesis::{SelfContact, Synthesis};
use aplomb_language::expression::Set;
use aplomb_trace::{
    CharacterFrame, CheckName, ConflictRow, Contact, ContactKind, External, FrameEvent, Heights, Holdable,
    Obstacle, Outcome, Place, SolidShape, centre_of_pressure,
};
use nalgebra::Vector3;
use std::fmt::Write;

/// Contacts, grips and events of a solved frame.
pub(crate) struct FrameSolution<'a> {
    /// Force and velocity of each contact.
    pub(crate) outcomes: &'a [ContactOutcome],
    /// Force of each grip, world axes, N.
    pub(crate) grips: &'a [Vector3<f64>],
    /// Events of the solve loop.
    pub(crate) events: &'a [FrameEvent],
    /// An irreducible infeasible set of constraints.
    pub(crate) conflict: &'a [ConflictRow],
    /// Result of the solve loop.
    pub(crate) solved: &'a Solved,
}

/// Fills a character's records in place; allocates no memory after the first frames.
pub(crate) struct Recorder {
    spare_contacts: Vec<Contact>,
    spare_externals: Vec<External>,
    spare_events: Vec<String>,
}

impl Recorder {
    /// A recorder for this model and snapshot, and for this many simultaneous events.
    pub(crate) fn new(model: &Model, snapshot: &Snapshot, events: usize) -> Self {
        let contacts = &snapshot.contacts;
        let most = contacts.slots() + model.sites.len();
        let candidates = contacts.candidates.iter().map(|candidate| candidate.name.len());
        let places = contacts.surfaces.iter().chain(&contacts.bodies).map(|surface| surface.name.len());
        let parts = model.bodies.iter().map(|body| body.name.len());
        let sites = model.sites.iter().map(|site| site.name.len());
        let holds = snapshot.grips.holds.iter().map(|hold| hold.name.len());
        let longest = candidates.chain(places).chain(parts).chain(sites).chain(holds).max().unwrap_or(0);
        // Any record may later be used for any contact, so each reserves the longest name.
        let contact = |_| Contact {
            name: String::with_capacity(longest),
            body: String::with_capacity(longest),
            surface: String::with_capacity(longest),
            ..Contact::default()
        };
        Recorder {
            spare_contacts: (0..most).map(contact).collect(),
            spare_externals: Vec::with_capacity(events),
            spare_events: Vec::with_capacity(events),
        }
    }

    /// Records the data of a character that are known before the solve. Roles are written again if they
    /// `changed`.
    pub(crate) fn frame<'e>(
        &mut self,
        frame: &mut CharacterFrame,
        character: &Character,
        index: u64,
        events: impl Iterator<Item = &'e str> + Clone,
        changed: bool,
    ) {
        let Character { model, snapshot, machine, synthesiser, .. } = character;
        self.sensed(frame, model, snapshot, index, events);
        set(&mut frame.bias_velocity, synthesiser.settings.bias_velocity.name());
        set(&mut frame.state, machine.state_name());
        frame.state_time = machine.time_in_state(snapshot.state.time);
        frame.commands.clear();
        frame.commands.extend(character.commanded.iter().map(|number| machine.commands.number(number)));
        frame.bound.clear();
        frame.bound.extend(character.recorded.iter().map(|number| machine.recorded(number)));
        if changed {
            let around = character.around();
            let things = |set: Set, number: usize| around.name(set, number);
            let roles =
                machine.roles().map(|(name, value)| (name.to_string(), value.describe(model, &things)));
            frame.roles = roles.collect();
        }
    }

    /// Records the data that are known without a controller: the state, and the external forces.
    fn sensed<'e>(
        &mut self,
        frame: &mut CharacterFrame,
        model: &Model,
        snapshot: &Snapshot,
        index: u64,
        events: impl Iterator<Item = &'e str> + Clone,
    ) {
        frame.index = index;
        frame.time = snapshot.state.time;
        frame.q.clone_from(&snapshot.state.q);
        frame.v.clone_from(&snapshot.state.v);
        frame.coupling_error.clear();
        for coupling in &model.couplings {
            frame.coupling_error.resize(model.nv, 0.0);
            frame.coupling_error[coupling.coordinates(model).0] = coupling.error(model, &snapshot.state.q);
        }
        let (acting, changes) = (events.clone().count(), &snapshot.grips.changes);
        resize(&mut frame.events, &mut self.spare_events, acting + changes.len());
        frame.events.iter_mut().zip(events).for_each(|(event, name)| set(event, name));
        let grips = frame.events[acting..].iter_mut().zip(changes);
        grips.for_each(|(event, change)| describe(event, change, model, &snapshot.grips.holds));
        frame.com = snapshot.com.into();
        frame.com_velocity = snapshot.com_velocity.into();
        frame.capture_point = snapshot.capture_point().into();
        let support = &mut frame.support_polygon;
        support.clear();
        // The support polygon has at most as many corners as there are contacts.
        support.reserve(snapshot.contacts.touches.len());
        support.extend(snapshot.support.corners().iter().map(|corner| <[f64; 2]>::from(*corner)));
        frame.kinetic_energy = momentum::kinetic_energy(model, &snapshot.kinematics);
        frame.potential_energy = momentum::potential_energy(&snapshot.kinematics, &snapshot.gravity);
    }

    /// Adds the solution of the frame's QP.
    pub(crate) fn forces<'e>(
        &mut self,
        frame: &mut CharacterFrame,
        character: &Character,
        external: impl Iterator<Item = (&'e str, ExternalForce)> + Clone,
        reached: FrameSolution<'_>,
    ) {
        let FrameSolution { outcomes, grips, events, conflict, solved } = reached;
        let Character { model, snapshot, synthesiser, followed, .. } = character;
        let synthesis = synthesiser.result();
        frame.outcome.clone_from(&synthesis.outcome);
        frame.iterations = solved.iterations;
        frame.parted = solved.parted;
        frame.turned = solved.turned;
        frame.solve_events.clear();
        frame.solve_events.reserve(CheckName::ALL.len());
        frame.solve_events.extend_from_slice(events);
        frame.conflict.clear();
        frame.conflict.extend_from_slice(conflict);
        set(&mut frame.bias_velocity, solved.bias_name());
        objectives(frame, synthesis, followed);
        self.external(frame, model, external);
        frame.centre_of_pressure = None;
        if matches!(synthesis.outcome, Outcome::Failed { .. }) {
            frame.torque.clone_from(&snapshot.last_torque);
            frame.stop_reaction.clear();
            frame.stop_reaction.resize(model.nv, 0.0);
            frame.coupling_reaction.clear();
            frame.dry_friction.clear();
            frame.self_contacts.clear();
            resize(&mut frame.contacts, &mut self.spare_contacts, 0);
            return;
        }
        frame.torque.clone_from(&synthesis.torque);
        frame.stop_reaction.clone_from(&synthesis.stop_reaction);
        frame.coupling_reaction.clone_from(&synthesis.coupling_reaction);
        frame.dry_friction.clone_from(&synthesis.dry_friction);
        frame.self_contacts.clear();
        frame.self_contacts.extend(synthesis.self_contacts.iter().map(|force| self_contact(model, force)));
        self.contacts(frame, character, outcomes, grips);
    }

    /// Records contacts and grips with their forces, and the centre of pressure.
    fn contacts(
        &mut self,
        frame: &mut CharacterFrame,
        character: &Character,
        outcomes: &[ContactOutcome],
        grips: &[Vector3<f64>],
    ) {
        let Character { model, snapshot, .. } = character;
        // Contacts with other characters are recorded among the external forces.
        let is_contact = |touch: &ContactPoint| touch.bears() && touch.on_character().is_none();
        let bearing =
            || snapshot.contacts.touches.iter().zip(outcomes).filter(|(touch, _)| is_contact(touch));
        let touching = bearing().count();
        resize(&mut frame.contacts, &mut self.spare_contacts, touching + snapshot.grips.list.len());
        for (record, (touch, outcome)) in frame.contacts.iter_mut().zip(bearing()) {
            contact(record, snapshot, model, touch, outcome);
        }
        for (record, (grip, force)) in
            frame.contacts[touching..].iter_mut().zip(snapshot.grips.list.iter().zip(grips))
        {
            held(record, &snapshot.grips.holds[grip.hold], model, grip, force);
        }
        frame.centre_of_pressure = pressed_at(&frame.contacts, snapshot);
    }

    fn external<'e>(
        &mut self,
        frame: &mut CharacterFrame,
        model: &Model,
        external: impl Iterator<Item = (&'e str, ExternalForce)> + Clone,
    ) {
        resize(&mut frame.external, &mut self.spare_externals, external.clone().count());
        for (record, (name, force)) in frame.external.iter_mut().zip(external) {
            set(&mut record.name, name);
            set(&mut record.body, &model.bodies[force.body.0].name);
            (record.point, record.force) = (force.point.into(), force.force.into());
            record.torque = force.torque.into();
        }
    }
}

/// Records the costs of the objectives, and their targets, actual values and distances.
fn objectives(frame: &mut CharacterFrame, synthesis: &Synthesis, followed: &[(usize, &'static str)]) {
    frame.costs.clone_from(&synthesis.costs);
    frame.weights.clone_from(&synthesis.weights);
    let distance = |(index, _): &(usize, _)| synthesis.distances.get(*index).copied().flatten();
    frame.distances.clear();
    frame.distances.extend(followed.iter().map(distance));
    frame.targets.clone_from(&synthesis.targets);
    frame.actuals.clone_from(&synthesis.actuals);
}

fn set(text: &mut String, to: &str) {
    text.clear();
    text.push_str(to);
}

/// Sets the length of a list; removed elements are kept in `spare` for later growth.
fn resize<T: Default>(list: &mut Vec<T>, spare: &mut Vec<T>, length: usize) {
    while list.len() > length {
        spare.extend(list.pop());
    }
    while list.len() < length {
        list.push(spare.pop().unwrap_or_default());
    }
}

/// Centre of pressure of the contacts, m; `None` where their load is negligible.
fn pressed_at(contacts: &[Contact], snapshot: &Snapshot) -> Option<[f64; 2]> {
    let (point, load) = centre_of_pressure(contacts)?;
    (load > 1e-6 * snapshot.scales.weight()).then_some(point)
}

/// The record of a loaded contact.
fn contact(
    record: &mut Contact,
    snapshot: &Snapshot,
    model: &Model,
    touch: &ContactPoint,
    outcome: &ContactOutcome,
) {
    let (candidate, surface) = snapshot.contacts.pair(touch.slot);
    let slip = outcome.velocity - touch.normal * touch.normal.dot(&outcome.velocity);
    set(&mut record.name, &candidate.name);
    set(&mut record.body, &model.bodies[touch.body.0].name);
    set(&mut record.surface, &surface.name);
    record.point = touch.point.into();
    record.normal = touch.normal.into();
    record.force = outcome.force.into();
    record.friction = touch.friction;
    record.kind = if slip.norm() > STATIC_SLIP { ContactKind::Dynamic } else { ContactKind::Static };
    record.gap = touch.gap;
}

/// The record of a grip; its gap is the distance of the site from its hold.
fn held(record: &mut Contact, hold: &Hold, model: &Model, grip: &Grip, force: &Vector3<f64>) {
    set(&mut record.name, &model.sites[grip.site].name);
    set(&mut record.body, &model.bodies[grip.body.0].name);
    set(&mut record.surface, &hold.name);
    record.point = grip.point.into();
    record.normal = hold.normal.into();
    record.force = (*force).into();
    record.friction = hold.friction;
    record.kind = match grip.kind {
        GripKind::Grasp => ContactKind::Grip,
        GripKind::Stand => ContactKind::Stand,
    };
    record.gap = grip.error().norm();
}

/// The record of a force between two parts of a body.
fn self_contact(model: &Model, pressed: &SelfContact) -> aplomb_trace::SelfContact {
    let [first, second] = pressed.bodies;
    aplomb_trace::SelfContact {
        body: model.bodies[second.0].name.clone(),
        other: model.bodies[first.0].name.clone(),
        point: pressed.points[1].into(),
        other_point: pressed.points[0].into(),
        force: pressed.force.into(),
    }
}

/// Describes a change of a grip, such as `left_hand_grip takes bar`.
fn describe(event: &mut String, change: &GripChange, model: &Model, holds: &[Hold]) {
    let (site, what, hold) = match *change {
        GripChange::Made { site, hold } => (site, "takes", hold),
        GripChange::Released { site, hold } => (site, "lets go of", hold),
        GripChange::Withheld { site, hold } => (site, "is released and does not take", hold),
        GripChange::Broken { site, hold } => (site, "breaks off", hold),
    };
    event.clear();
    // Writing to a string cannot fail.
    let _ = write!(event, "{} {what} {}", model.sites[site].name, holds[hold].name);
}

/// The header's entry of a hold.
pub fn holdable(hold: &Hold) -> Holdable {
    let (ends, radius) = match hold.shape {
        HoldShape::Point(_) if hold.carrier.is_some() => (Vec::new(), hold.radius()),
        HoldShape::Point(position) => (vec![position.into()], hold.radius()),
        HoldShape::Bar { ends, radius } => (ends.map(<[f64; 3]>::from).to_vec(), radius),
    };
    let moves = !hold.is_still();
    Holdable { name: hold.name.to_string(), ends, radius, normal: hold.normal.into(), moves }
}

fn place(surface: &Surface) -> Place {
    let r = surface.orientation;
    let (position, orientation) = (surface.position.into(), [r.w, r.i, r.j, r.k]);
    Place { position, orientation, present: surface.present }
}

/// The header's entry of a surface.
pub fn obstacle(surface: &Surface) -> Obstacle {
    let Place { position, orientation, .. } = place(surface);
    Obstacle {
        name: surface.name.to_string(),
        half_lengths: match surface.shape {
            SurfaceShape::HalfSpace | SurfaceShape::Field(_) | SurfaceShape::Solid(_) => None,
            SurfaceShape::Box { half_lengths } => Some(half_lengths.into()),
        },
        field: match &surface.shape {
            SurfaceShape::Field(field) => Some(Heights::of(field)),
            SurfaceShape::HalfSpace | SurfaceShape::Box { .. } | SurfaceShape::Solid(_) => None,
        },
        solid: match &surface.shape {
            SurfaceShape::Solid(shape) => SolidShape::of(shape),
            _ => None,
        },
        position,
        orientation,
        friction: surface.friction,
        moves: !surface.is_still(),
    }
}
