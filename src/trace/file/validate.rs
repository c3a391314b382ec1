//! What must be true of a header and of each frame, in a file as in memory: lengths and finite numbers.

use super::TraceError;
use crate::trace::{Contact, Frame, Header, Outcome, PassiveState, PassiveThing};

/// Whether the header's numbers are finite and its lists fit together.
pub fn header(header: &Header) -> Result<(), TraceError> {
    let bad = |reason: &str| Err(TraceError::BadHeader { reason: reason.to_string() });
    if !(header.dt.is_finite() && header.dt > 0.0) {
        return bad("the time step is not a positive number");
    }
    let scalars = [header.duration, header.mass, header.com_height, header.ground_friction];
    let obstacles = header.obstacles.iter().flat_map(|obstacle| {
        let sizes = obstacle.half_lengths.into_iter().flatten();
        sizes.chain(obstacle.position).chain(obstacle.orientation).chain([obstacle.friction])
    });
    let limits = header.torque_limits.iter().flatten().flatten().copied();
    if !scalars.into_iter().chain(header.gravity).chain(obstacles).chain(limits).all(f64::is_finite) {
        return bad("a number is not finite");
    }
    if header.configuration_units.len() != header.configuration_names.len() {
        return bad("configuration names and units differ in number");
    }
    if header.coordinate_units.len() != header.coordinate_names.len() {
        return bad("coordinate names and units differ in number");
    }
    if !header.passive.iter().all(|thing| thing_is_sound(thing) && thing.mass.is_finite()) {
        return bad("a passive thing does not have the parts it names");
    }
    if header.torque_limits.len() != header.coordinate_names.len() {
        return bad("coordinate names and torque limits differ in number");
    }
    Ok(())
}

/// Whether the frame fits the header and all its numbers are finite.
pub fn frame(header: &Header, frame: &Frame) -> Result<(), TraceError> {
    let (nq, nv) = (header.configuration_names.len(), header.coordinate_names.len());
    let lists = [
        ("q", &frame.q, nq, false),
        ("v", &frame.v, nv, false),
        ("torque", &frame.torque, nv, true),
        ("stop_reaction", &frame.stop_reaction, nv, true),
        ("costs", &frame.costs, header.objectives.len(), true),
    ];
    for (what, list, expected, may_be_empty) in lists {
        if list.len() != expected && !(may_be_empty && list.is_empty()) {
            return Err(TraceError::WrongLength { frame: frame.index, what, expected, found: list.len() });
        }
    }
    if frame.distances.len() != header.followed.len() && !frame.distances.is_empty() {
        let (expected, found) = (header.followed.len(), frame.distances.len());
        return Err(TraceError::WrongLength { frame: frame.index, what: "distances", expected, found });
    }
    let moving = header.obstacles.iter().filter(|obstacle| obstacle.moves).count();
    if frame.moving.len() != moving {
        let found = frame.moving.len();
        return Err(TraceError::WrongLength { frame: frame.index, what: "moving", expected: moving, found });
    }
    let holds = header.holds.iter().filter(|hold| hold.moves).count();
    if frame.moving_holds.len() != holds {
        let found = frame.moving_holds.len();
        return Err(TraceError::WrongLength {
            frame: frame.index,
            what: "moving_holds",
            expected: holds,
            found,
        });
    }
    let things = header.passive.iter().zip(&frame.passive);
    if frame.passive.len() != header.passive.len()
        || !things.into_iter().all(|(thing, state)| fits(state, thing))
    {
        let (expected, found) = (header.passive.len(), frame.passive.len());
        return Err(TraceError::WrongLength { frame: frame.index, what: "passive", expected, found });
    }
    match not_finite(frame) {
        Some(what) => Err(TraceError::NotFinite { frame: frame.index, what }),
        None => Ok(()),
    }
}

/// The first part of the frame that holds a number which is not finite.
fn not_finite(frame: &Frame) -> Option<&'static str> {
    let contacts = || frame.contacts.iter();
    let external = || frame.external.iter();
    let contact_vectors = |contact: &Contact| [contact.point, contact.normal, contact.force].concat();
    let relaxed = match &frame.outcome {
        Outcome::Relaxed { rows } => rows.as_slice(),
        _ => &[],
    };
    let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
    let parts = [
        ("time", frame.time.is_finite() && frame.time >= 0.0),
        ("q", finite(&frame.q)),
        ("v", finite(&frame.v)),
        ("state_time", frame.state_time.is_finite()),
        ("moving", frame.moving.iter().all(|place| finite(&place.position) && finite(&place.orientation))),
        ("moving_holds", finite(frame.moving_holds.as_flattened())),
        ("outcome", relaxed.iter().all(|row| row.amount.is_finite())),
        ("contacts", contacts().all(|contact| finite(&contact_vectors(contact)))),
        ("contacts", contacts().all(|contact| finite(&[contact.friction, contact.gap]))),
        ("external", external().all(|e| finite(&e.point) && finite(&e.force) && finite(&e.torque))),
        ("torque", finite(&frame.torque)),
        ("stop_reaction", finite(&frame.stop_reaction)),
        ("costs", finite(&frame.costs)),
        ("distances", frame.distances.iter().flatten().all(|distance| distance.is_finite())),
        ("com", finite(&frame.com)),
        ("com_velocity", finite(&frame.com_velocity)),
        ("capture_point", finite(&frame.capture_point)),
        ("centre_of_pressure", finite(frame.centre_of_pressure.as_ref().map_or(&[], |point| point))),
        ("support_polygon", finite(frame.support_polygon.as_flattened())),
        ("passive", frame.passive.iter().all(state_is_finite)),
        ("kinetic_energy", frame.kinetic_energy.is_finite()),
        ("potential_energy", frame.potential_energy.is_finite()),
    ];
    parts.into_iter().find(|(_, is_finite)| !is_finite).map(|(what, _)| what)
}

/// Whether the thing's indices are those of parts it has.
fn thing_is_sound(thing: &PassiveThing) -> bool {
    let parts = thing.parts.len();
    let solids = thing.solids.iter().all(|solid| solid.part < parts);
    solids && thing.segments.iter().all(|segment| segment.ends.iter().all(|end| *end < parts))
}

/// Whether the state has as many parts as the thing; those without a turn of their own have no orientations.
fn fits(state: &PassiveState, thing: &PassiveThing) -> bool {
    let parts = thing.parts.len();
    let turns = |list: usize| list == parts || list == 0;
    state.positions.len() == parts
        && state.velocities.len() == parts
        && turns(state.orientations.len())
        && turns(state.angular_velocities.len())
        && state.touches.iter().all(|touch| touch.part < parts)
}

fn state_is_finite(state: &PassiveState) -> bool {
    let vectors = state.positions.iter().chain(&state.velocities).chain(&state.angular_velocities);
    let touches = state.touches.iter().flat_map(|touch| [&touch.point, &touch.normal, &touch.force]);
    let numbers = [state.kinetic_energy, state.potential_energy, state.stretch, state.residual];
    vectors.chain(touches).chain([&state.com, &state.com_velocity]).flatten().all(|x| x.is_finite())
        && state.orientations.iter().flatten().all(|x| x.is_finite())
        && numbers.iter().all(|x| x.is_finite())
}
