//! A trace as JSON lines: a header, then one object per frame, and per part of a divided frame.
//!
//! Names are those of MuJoCo where they exist. A frame's forces act from its beginning to the next frame, on
//! the named body, in world axes and SI units. Contact candidates without a force are omitted.

use super::scene::TO_COME;
use aplomb_trace::{
    Contact, ContactKind, External, Frame, Header, Obstacle, PassiveState, SelfContact, Step, Trace,
};
use serde::Serialize;
use std::io::{self, Write};
use std::iter::repeat_n;

/// Writes the trace.
pub(super) fn write(trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    line(&HeaderLine::of(&trace.header), out)?;
    let steps = trace.steps();
    let mut first = 0;
    for (number, step) in steps.iter().enumerate() {
        if step.is_first {
            first = number;
        }
        let next = steps.get(number + 1);
        let is_whole = step.is_first && next.is_none_or(|next| next.is_first);
        let part = (!is_whole).then_some(number - first);
        let next = next.map(|next| next.frame);
        if step.dt == step.dt_before || step.frame.external.is_empty() {
            line(&FrameLine::of(step, part, next, &trace.header), out)?;
        } else {
            let frame = &with_means_of_pushes(step);
            line(&FrameLine::of(&Step { frame, ..*step }, part, next, &trace.header), out)?;
        }
    }
    Ok(())
}

/// The record of a step that follows one of another length. External forces are means from the middle of the previous
/// step to the middle of this one, like all other forces: the velocities before and after are means over these steps.
fn with_means_of_pushes(step: &Step<'_>) -> Frame {
    let mut frame = step.frame.clone();
    let share = 1.0 / step.turning_steps();
    let pushes = frame.external.iter_mut().flat_map(|push| [&mut push.force, &mut push.torque]);
    pushes.flatten().for_each(|force| *force *= share);
    frame
}

fn line(object: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct HeaderLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'static str,
    scene: &'a str,
    character: &'a str,
    /// Gravity, m/s².
    gravity: [f64; 3],
    /// Friction coefficient of the ground; each contact has its own.
    mu: f64,
    /// Time step, s.
    dt: f64,
    bias_velocity: &'a str,
    /// Names of the numbers in `qpos`, and of those in `qvel` and `torque`.
    configuration_names: &'a [String],
    coordinate_names: &'a [String],
    /// Coordinates of mimic joints and of the joints they follow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coupled: Vec<&'a str>,
    /// Coordinates of joints with dry friction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rough: Vec<&'a str>,
}

impl<'a> HeaderLine<'a> {
    fn of(header: &'a Header) -> Self {
        let named = |coordinates: &[usize]| {
            coordinates.iter().filter_map(|&k| header.coordinate_names.get(k)).map(String::as_str).collect()
        };
        HeaderLine {
            kind: "header",
            schema: "refdata-trace-1",
            scene: &header.scene,
            character: &header.character,
            gravity: header.gravity,
            mu: header.ground_friction,
            dt: header.dt,
            bias_velocity: &header.bias_velocity,
            configuration_names: &header.configuration_names,
            coordinate_names: &header.coordinate_names,
            coupled: named(&header.coupled),
            rough: named(&header.rough),
        }
    }
}

#[derive(Serialize)]
struct FrameLine<'a> {
    /// Time, s.
    t: f64,
    /// Number of the frame.
    frame: u64,
    /// Number of the part, from 0; omitted for a whole frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<usize>,
    /// Length of the frame or part, s.
    dt: f64,
    qpos: &'a [f64],
    qvel: &'a [f64],
    contacts: Vec<ContactLine<'a>>,
    external: Vec<ExternalLine<'a>>,
    /// Names of the active events; omitted if there are none.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    events: &'a [String],
    /// Obstacles that move, vanish or appear, while they are present.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    obstacles: Vec<Obstacle>,
    bias_velocity: &'a str,
    state: &'a str,
    torque: &'a [f64],
    stop_reaction: &'a [f64],
    /// Generalised forces of mimic joints, N m or N, and their position errors, rad or m; omitted without
    /// mimic joints.
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    coupling_reaction: &'a [f64],
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    coupling_error: &'a [f64],
    /// Dry friction, N m or N; omitted if there is none.
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    dry_friction: &'a [f64],
    /// Parts of passive objects, in the order of the scene's `mocap` bodies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mocap_pos: Vec<[f64; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mocap_quat: Vec<[f64; 4]>,
}

impl<'a> FrameLine<'a> {
    fn of(step: &Step<'a>, part: Option<usize>, next: Option<&Frame>, header: &Header) -> Self {
        let Step { frame, dt, .. } = *step;
        let moving = frame.surroundings(header).into_iter().filter(|obstacle| obstacle.moves);
        let positions = frame.passive.iter().flat_map(|object| &object.positions);
        let turns = frame.passive.iter().flat_map(orientations);
        // Objects that are thrown later are at their positions in the scene file.
        let to_come: usize =
            header.passive.iter().skip(frame.passive.len()).map(|object| object.parts.len()).sum();
        let surface_velocity = |contact: &Contact| {
            next.map_or([0.0; 3], |next| contact.surface_velocity(header, frame, next, dt).into())
        };
        let pressed = frame.self_contacts.iter().filter(|pressed| pressed.presses());
        let pressed = pressed.map(ExternalLine::of_self_contact);
        let loaded = frame.contacts.iter().filter(|contact| contact.force != [0.0; 3]);
        FrameLine {
            t: frame.time,
            frame: frame.index,
            part,
            dt,
            qpos: &frame.q,
            qvel: &frame.v,
            contacts: loaded.map(|contact| ContactLine::of(contact, surface_velocity(contact))).collect(),
            external: frame.external.iter().map(ExternalLine::of).chain(pressed.flatten()).collect(),
            events: &frame.events,
            obstacles: moving.collect(),
            bias_velocity: &frame.bias_velocity,
            state: &frame.state,
            torque: &frame.torque,
            stop_reaction: &frame.stop_reaction,
            coupling_reaction: &frame.coupling_reaction,
            coupling_error: &frame.coupling_error,
            dry_friction: &frame.dry_friction,
            mocap_pos: positions.copied().chain(repeat_n(TO_COME, to_come)).collect(),
            mocap_quat: turns.chain(repeat_n([1.0, 0.0, 0.0, 0.0], to_come)).collect(),
        }
    }
}

/// Distance from its hold below which a foot stands on the hold, m.
const STANDS: f64 = 1e-4;

/// Quaternions of the parts; none for particles.
fn orientations(object: &PassiveState) -> impl Iterator<Item = [f64; 4]> {
    let turn = |part| object.orientations.get(part).copied().unwrap_or([1.0, 0.0, 0.0, 0.0]);
    (0..object.positions.len()).map(turn)
}

#[derive(Serialize)]
struct ContactLine<'a> {
    body: &'a str,
    point_world: [f64; 3],
    force_world: [f64; 3],
    kind: &'static str,
    normal: [f64; 3],
    mu: f64,
    /// Velocity of the surface at the point, m/s; omitted if it does not move.
    #[serde(skip_serializing_if = "Option::is_none")]
    surface_velocity_world: Option<[f64; 3]>,
}

impl<'a> ContactLine<'a> {
    fn of(contact: &'a Contact, surface_velocity: [f64; 3]) -> Self {
        let surface_velocity_world = (surface_velocity != [0.0; 3]).then_some(surface_velocity);
        ContactLine {
            body: &contact.body,
            point_world: contact.point,
            force_world: contact.force,
            kind: match contact.kind {
                // A grip that is still closing on its hold moves, which a static contact does not.
                ContactKind::Stand if contact.gap > STANDS => "grab",
                // A sticking contact on a moving surface: its point is not at rest in the world.
                ContactKind::Static if surface_velocity_world.is_some() => "carried",
                ContactKind::Static | ContactKind::Stand => "static",
                ContactKind::Dynamic => "dynamic",
                ContactKind::Grip => "grab",
            },
            normal: contact.normal,
            mu: contact.friction,
            surface_velocity_world,
        }
    }
}

#[derive(Serialize)]
struct ExternalLine<'a> {
    body: &'a str,
    /// The part of the same body that presses on it; omitted for external forces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pressed_by: Option<&'a str>,
    point_world: [f64; 3],
    force_world: [f64; 3],
    torque_world: [f64; 3],
}

impl<'a> ExternalLine<'a> {
    /// The forces on two parts of the body that press on each other.
    fn of_self_contact(pressed: &'a SelfContact) -> [Self; 2] {
        let line = |body, other, point_world, force_world| ExternalLine {
            body,
            pressed_by: Some(other),
            point_world,
            force_world,
            torque_world: [0.0; 3],
        };
        let opposite = pressed.force.map(|force| -force);
        [
            line(&pressed.body, &pressed.other, pressed.point, pressed.force),
            line(&pressed.other, &pressed.body, pressed.other_point, opposite),
        ]
    }

    fn of(external: &'a External) -> Self {
        ExternalLine {
            body: &external.body,
            pressed_by: None,
            point_world: external.point,
            force_world: external.force,
            torque_world: external.torque,
        }
    }
}
