//! From a frame's results to its record in the trace.

use crate::character::Character;
use crate::contact::{Corrections, Deed, STATIC_SLIP, Surface, SurfaceShape, Touch};
use crate::dynamics::{Kinematics, momentum};
use crate::model::Model;
use crate::predict::{ExternalForce, Linearisation};
use crate::quantity::Measure;
use crate::scene::SceneFiles;
use crate::sense::Sense;
use crate::synthesis::Synthesis;
use crate::trace::{
    Contact, ContactKind, Coordinates, External, Frame, Header, Obstacle, Outcome, SourceText,
};
use nalgebra::Vector3;

/// Everything of the record that is known before the forces are.
pub fn frame(character: &Character, index: u64, events: &[String]) -> Frame {
    let Character { model, sense, machine, .. } = character;
    let measure = Measure { model, sense };
    let roles = machine.roles().map(|(name, value)| (name.to_string(), value.describe(model)));
    Frame {
        index,
        time: sense.state.time,
        q: sense.state.q.clone(),
        v: sense.state.v.clone(),
        bias_velocity: character.synthesiser.settings.bias_velocity.name().to_string(),
        state: machine.state_name().to_string(),
        state_time: machine.time_in_state(crate::expression::Lookup::time(&measure)),
        roles: roles.collect(),
        events: events.to_vec(),
        com: sense.com.into(),
        com_velocity: sense.com_velocity.into(),
        capture_point: sense.capture_point().into(),
        support_polygon: sense.support.corners().iter().map(|corner| (*corner).into()).collect(),
        kinetic_energy: momentum::kinetic_energy(model, &sense.kinematics),
        potential_energy: momentum::potential_energy(&sense.kinematics, &sense.gravity),
        ..Frame::default()
    }
}

/// Adds what the frame's QP gave.
pub fn forces(
    frame: &mut Frame,
    character: &Character,
    external: &[ExternalForce],
    names: &[String],
    solved: &Solved,
) {
    let Solved { synthesis, deeds, corrections } = solved;
    let Character { model, sense, .. } = character;
    frame.outcome = synthesis.outcome.clone();
    frame.parted = corrections.parted;
    frame.turned = corrections.turned;
    frame.costs.clone_from(&synthesis.costs);
    frame.iterations = synthesis.iterations;
    frame.external = external
        .iter()
        .zip(names)
        .map(|(force, name)| External {
            name: name.clone(),
            body: model.bodies[force.body.0].name.clone(),
            point: force.point.into(),
            force: force.force.into(),
            torque: [0.0; 3],
        })
        .collect();
    if matches!(synthesis.outcome, Outcome::Failed { .. }) {
        frame.torque.clone_from(&sense.last_torque);
        frame.stop_reaction = vec![0.0; model.nv];
        return;
    }
    frame.torque.clone_from(&synthesis.torque);
    frame.stop_reaction.clone_from(&synthesis.stop_reaction);
    let mut pressure = (Vector3::zeros(), 0.0);
    for (touch, deed) in sense.contacts.touches.iter().zip(deeds).filter(|(touch, _)| touch.bears()) {
        frame.contacts.push(contact(sense, model, touch, deed));
        pressure.0 += touch.point * deed.force.z;
        pressure.1 += deed.force.z;
    }
    if pressure.1 > 1e-6 * sense.scales.weight() {
        frame.centre_of_pressure = Some((pressure.0.xy() / pressure.1).into());
    }
}

/// The record of a bearing contact.
fn contact(sense: &Sense, model: &Model, touch: &Touch, deed: &Deed) -> Contact {
    let (candidate, surface) = sense.contacts.pair(touch.slot);
    let slip = deed.velocity - touch.normal * touch.normal.dot(&deed.velocity);
    let kind = if slip.norm() > STATIC_SLIP { ContactKind::Dynamic } else { ContactKind::Static };
    Contact {
        name: candidate.name.to_string(),
        body: model.bodies[touch.body.0].name.clone(),
        surface: surface.name.to_string(),
        point: touch.point.into(),
        normal: touch.normal.into(),
        force: deed.force.into(),
        friction: touch.friction,
        kind,
        gap: touch.gap,
    }
}

/// A solved frame and what its contacts do in it.
pub struct Solved {
    pub synthesis: Synthesis,
    /// By touch; none in a failed frame.
    pub deeds: Vec<Deed>,
    pub corrections: Corrections,
}

/// What each touch of the snapshot does under the contact coefficients, on the way to the kinematics `ahead`.
pub fn deeds(
    sense: &Sense,
    ahead: &Kinematics,
    coefficients: &[f64],
    linearisation: &Linearisation,
) -> Vec<Deed> {
    let touches = sense.contacts.touches.iter();
    let mut deeds: Vec<Deed> = touches
        .map(|touch| {
            let (position, rotation) =
                (&sense.kinematics.position[touch.body.0], &sense.kinematics.rotation[touch.body.0]);
            let local = rotation.tr_mul(&(touch.point - position));
            let velocity = (ahead.point(touch.body, &local) - touch.point) / sense.scales.dt;
            Deed { force: Vector3::zeros(), velocity }
        })
        .collect();
    for (column, l) in linearisation.contact_columns.iter().zip(coefficients) {
        deeds[column.touch].force += column.direction * (l * sense.scales.contact_force());
    }
    deeds
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
