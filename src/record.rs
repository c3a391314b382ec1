//! From a frame's results to its record in the trace.

use crate::character::Character;
use crate::contact::{Corrections, Deed, STATIC_SLIP, Surface, SurfaceShape, Touch};
use crate::dynamics::{Kinematics, momentum};
use crate::model::Model;
use crate::predict::{ExternalForce, Linearisation, Prediction};
use crate::scene::SceneFiles;
use crate::sense::Sense;
use crate::trace::{
    Contact, ContactKind, Coordinates, External, Frame, Header, Obstacle, Outcome, SourceText,
};
use nalgebra::Vector3;

/// Fills records in place: after the first frames it allocates nothing.
pub struct Recorder {
    spare_contacts: Vec<Contact>,
    spare_externals: Vec<External>,
    spare_events: Vec<String>,
}

impl Recorder {
    /// For a character with so many contact slots, and so many events that may act at once.
    pub fn new(slots: usize, events: usize) -> Self {
        Recorder {
            spare_contacts: Vec::with_capacity(slots),
            spare_externals: Vec::with_capacity(events),
            spare_events: Vec::with_capacity(events),
        }
    }

    /// Everything of the record that is known before the forces are. Roles are written anew where they
    /// `changed`.
    pub fn frame<'e>(
        &mut self,
        frame: &mut Frame,
        character: &Character,
        index: u64,
        events: impl Iterator<Item = &'e str> + Clone,
        changed: bool,
    ) {
        let Character { model, sense, machine, synthesiser, .. } = character;
        frame.index = index;
        frame.time = sense.state.time;
        frame.q.clone_from(&sense.state.q);
        frame.v.clone_from(&sense.state.v);
        set(&mut frame.bias_velocity, synthesiser.settings.bias_velocity.name());
        set(&mut frame.state, machine.state_name());
        frame.state_time = machine.time_in_state(sense.state.time);
        if changed {
            let roles = machine.roles().map(|(name, value)| (name.to_string(), value.describe(model)));
            frame.roles = roles.collect();
        }
        resize(&mut frame.events, &mut self.spare_events, events.clone().count());
        frame.events.iter_mut().zip(events).for_each(|(event, name)| set(event, name));
        frame.com = sense.com.into();
        frame.com_velocity = sense.com_velocity.into();
        frame.capture_point = sense.capture_point().into();
        frame.support_polygon.clear();
        frame.support_polygon.extend(sense.support.corners().iter().map(|corner| <[f64; 2]>::from(*corner)));
        frame.kinetic_energy = momentum::kinetic_energy(model, &sense.kinematics);
        frame.potential_energy = momentum::potential_energy(&sense.kinematics, &sense.gravity);
    }

    /// Adds what the frame's QP gave.
    pub fn forces(
        &mut self,
        frame: &mut Frame,
        character: &Character,
        external: &[ExternalForce],
        deeds: &[Deed],
        corrections: Corrections,
    ) {
        let Character { model, sense, synthesiser, .. } = character;
        let synthesis = synthesiser.result();
        frame.outcome.clone_from(&synthesis.outcome);
        frame.parted = corrections.parted;
        frame.turned = corrections.turned;
        frame.costs.clone_from(&synthesis.costs);
        resize(&mut frame.external, &mut self.spare_externals, external.len());
        for ((record, force), name) in frame.external.iter_mut().zip(external).zip(&frame.events) {
            set(&mut record.name, name);
            set(&mut record.body, &model.bodies[force.body.0].name);
            (record.point, record.force, record.torque) = (force.point.into(), force.force.into(), [0.0; 3]);
        }
        frame.centre_of_pressure = None;
        if matches!(synthesis.outcome, Outcome::Failed { .. }) {
            frame.torque.clone_from(&sense.last_torque);
            frame.stop_reaction.clear();
            frame.stop_reaction.resize(model.nv, 0.0);
            resize(&mut frame.contacts, &mut self.spare_contacts, 0);
            return;
        }
        frame.torque.clone_from(&synthesis.torque);
        frame.stop_reaction.clone_from(&synthesis.stop_reaction);
        let bearing = || sense.contacts.touches.iter().zip(deeds).filter(|(touch, _)| touch.bears());
        resize(&mut frame.contacts, &mut self.spare_contacts, bearing().count());
        let mut pressure = (Vector3::zeros(), 0.0);
        for (record, (touch, deed)) in frame.contacts.iter_mut().zip(bearing()) {
            contact(record, sense, model, touch, deed);
            pressure.0 += touch.point * deed.force.z;
            pressure.1 += deed.force.z;
        }
        if pressure.1 > 1e-6 * sense.scales.weight() {
            frame.centre_of_pressure = Some((pressure.0.xy() / pressure.1).into());
        }
    }
}

fn set(text: &mut String, to: &str) {
    text.clear();
    text.push_str(to);
}

/// Makes a list so long, keeping what it loses for when it grows again.
fn resize<T: Default>(list: &mut Vec<T>, spare: &mut Vec<T>, length: usize) {
    while list.len() > length {
        spare.extend(list.pop());
    }
    while list.len() < length {
        list.push(spare.pop().unwrap_or_default());
    }
}

/// The record of a bearing contact.
fn contact(record: &mut Contact, sense: &Sense, model: &Model, touch: &Touch, deed: &Deed) {
    let (candidate, surface) = sense.contacts.pair(touch.slot);
    let slip = deed.velocity - touch.normal * touch.normal.dot(&deed.velocity);
    set(&mut record.name, &candidate.name);
    set(&mut record.body, &model.bodies[touch.body.0].name);
    set(&mut record.surface, &surface.name);
    record.point = touch.point.into();
    record.normal = touch.normal.into();
    record.force = deed.force.into();
    record.friction = touch.friction;
    record.kind = if slip.norm() > STATIC_SLIP { ContactKind::Dynamic } else { ContactKind::Static };
    record.gap = touch.gap;
}

/// What each touch of the snapshot does under the unknowns `x`, on the way to the kinematics `ahead`.
pub fn deeds(sense: &Sense, next: &Prediction<'_>, x: &[f64], ahead: &Kinematics, out: &mut Vec<Deed>) {
    out.clear();
    out.extend(sense.contacts.touches.iter().enumerate().map(|(index, touch)| {
        let (position, rotation) =
            (&sense.kinematics.position[touch.body.0], &sense.kinematics.rotation[touch.body.0]);
        let local = rotation.tr_mul(&(touch.point - position));
        let velocity = (ahead.point(touch.body, &local) - touch.point) / sense.scales.dt;
        let bend = (velocity - next.touch_velocity(index, x)) * (2.0 / sense.scales.dt);
        Deed { force: Vector3::zeros(), velocity, bend }
    }));
    for (column, l) in next.contact_columns().iter().zip(&x[next.contact_unknown(0)..]) {
        out[column.touch].force += column.direction * (l * sense.scales.contact_force());
    }
}

/// Remembers the contact forces by slot for the next frame.
pub fn contact_forces(sense: &mut Sense, coefficients: &[f64], linearisation: &Linearisation) {
    sense.last_force.fill(Vector3::zeros());
    let unit = sense.scales.contact_force();
    for (column, l) in linearisation.contact_columns.iter().zip(coefficients) {
        let slot = sense.contacts.touches[column.touch].slot;
        sense.last_force[slot] += column.direction * (l * unit);
    }
}

/// The header of a run's trace.
pub fn header(files: &SceneFiles, character: &Character) -> Header {
    let Character { model, sense, machine, objectives, synthesiser, .. } = character;
    let scene = &files.scene;
    let text =
        |kind: &str, source: &crate::diagnostic::Source| SourceText::new(kind, &source.name, &source.text);
    let finite = |limits: &[f64; 2]| limits.iter().all(|limit| limit.is_finite()).then_some(*limits);
    let coordinates = Coordinates::of(model);
    let has_limits = files.character_spec().torque_limits;
    Header {
        version: env!("CARGO_PKG_VERSION").into(),
        scene: files.name.clone(),
        title: scene.title.clone().unwrap_or_else(|| files.name.clone()),
        dt: *scene.dt.get_ref(),
        duration: *scene.duration.get_ref(),
        gravity: *scene.gravity.get_ref(),
        solver: synthesiser.solver.name().into(),
        bias_velocity: scene.bias_velocity.name().into(),
        character: character.name.clone(),
        bodies: model.bodies.iter().map(|body| body.name.clone()).collect(),
        configuration_names: coordinates.configuration_names,
        configuration_units: coordinates.configuration_units,
        coordinate_names: coordinates.coordinate_names,
        coordinate_units: coordinates.coordinate_units,
        mass: sense.scales.mass,
        com_height: sense.scales.height,
        torque_limits: model
            .torque_limits
            .iter()
            .map(|limits| finite(limits).filter(|_| has_limits))
            .collect(),
        objectives: objectives.clone(),
        states: machine.state_names().map(|name| name.to_string()).collect(),
        obstacles: sense.contacts.surfaces.iter().map(obstacle).collect(),
        overrides: files.overrides.clone(),
        ground_friction: *scene.ground.friction.get_ref(),
        texts: vec![
            text("model", &files.model_source),
            text("scene", &files.scene_source),
            text("controller", &files.controller_source),
        ],
    }
}

fn obstacle(surface: &Surface) -> Obstacle {
    let r = surface.orientation;
    Obstacle {
        name: surface.name.to_string(),
        half_lengths: match surface.shape {
            SurfaceShape::HalfSpace => None,
            SurfaceShape::Box { half_lengths } => Some(half_lengths.into()),
        },
        position: surface.position.into(),
        orientation: [r.w, r.i, r.j, r.k],
        friction: surface.friction,
    }
}
