//! Validation of headers and frames, in a file as in memory: lengths and finite numbers.

use super::TraceError;
use crate::field::{Record, Sink};
use crate::{Frame, Header, PassiveHeader, PassiveState};

/// Whether the header's numbers are finite and its lists fit together.
pub(super) fn header(header: &Header) -> Result<(), TraceError> {
    let bad = |reason: &str| Err(TraceError::BadHeader { reason: reason.to_string() });
    if !(header.dt.is_finite() && header.dt > 0.0) {
        return bad("the time step is not a positive number");
    }
    let scalars = [header.duration, header.mass, header.com_height, header.ground_friction];
    let obstacles = header.obstacles.iter().flat_map(|obstacle| {
        let sizes = obstacle.half_lengths.into_iter().flatten();
        let heights =
            obstacle.field.iter().flat_map(|field| field.x.iter().chain(&field.y).chain(&field.z)).copied();
        let sizes = sizes.chain(heights);
        sizes.chain(obstacle.position).chain(obstacle.orientation).chain([obstacle.friction])
    });
    let limits = header.torque_limits.iter().flatten().flatten().copied();
    if !scalars.into_iter().chain(header.gravity).chain(obstacles).chain(limits).all(f64::is_finite) {
        return bad("a number is not finite");
    }
    let mut fields = header.obstacles.iter().filter_map(|obstacle| obstacle.field.as_ref());
    if !fields.all(|heights| heights.field().is_ok()) {
        return bad("the heights of uneven ground do not fit its lines");
    }
    if header.configuration_units.len() != header.configuration_names.len() {
        return bad("configuration names and units differ in number");
    }
    if header.coordinate_units.len() != header.coordinate_names.len() {
        return bad("coordinate names and units differ in number");
    }
    if !header.passive.iter().all(|object| object_is_sound(object) && object.mass.is_finite()) {
        return bad("a passive object does not have the parts it names");
    }
    if header
        .coupled
        .iter()
        .chain(&header.rough)
        .any(|coordinate| *coordinate >= header.coordinate_names.len())
    {
        return bad("coordinates that are coupled or rough are beyond the last");
    }
    if header.torque_limits.len() != header.coordinate_names.len() {
        return bad("coordinate names and torque limits differ in number");
    }
    Ok(())
}

/// Checks that the frame fits the header and that all its numbers are finite, as in every file.
///
/// # Errors
/// The first field that does not fit, or is not finite.
pub fn frame(header: &Header, frame: &Frame) -> Result<(), TraceError> {
    check_lengths(header, frame)?;
    check_objects(header, frame)?;
    let Some(what) = not_finite(frame) else { return Ok(()) };
    let is_bad = |state: &PassiveState| {
        let mut finite = Finite(true);
        state.give_all(&mut finite);
        !finite.0
    };
    let mut objects = header.passive.iter().zip(&frame.passive);
    let what = match objects.find(|(_, state)| is_bad(state)) {
        Some((object, _)) if what == "passive" => format!("passive object `{}`", object.name),
        _ => what.to_string(),
    };
    Err(TraceError::NotFinite { frame: frame.index, what })
}

/// Whether the lists of a frame are as long as the header requires, or empty if that is allowed.
fn check_lengths(header: &Header, frame: &Frame) -> Result<(), TraceError> {
    let (nq, nv) = (header.configuration_names.len(), header.coordinate_names.len());
    let lists = [
        ("q", &frame.q, nq, false),
        ("v", &frame.v, nv, false),
        ("torque", &frame.torque, nv, true),
        ("stop_reaction", &frame.stop_reaction, nv, true),
        ("coupling_reaction", &frame.coupling_reaction, nv, true),
        ("dry_friction", &frame.dry_friction, nv, true),
        ("coupling_error", &frame.coupling_error, nv, true),
        ("costs", &frame.costs, header.objectives.len(), true),
        ("weights", &frame.weights, header.objectives.len(), true),
    ];
    for (what, list, expected, may_be_empty) in lists {
        if list.len() != expected && !(may_be_empty && list.is_empty()) {
            return Err(TraceError::WrongLength { frame: frame.index, what, expected, found: list.len() });
        }
    }
    let lists = [
        ("distances", &frame.distances, header.followed.len()),
        ("commands", &frame.commands, header.commands.len()),
        ("bound", &frame.bound, header.bound.len()),
        ("targets", &frame.targets, header.measured.len()),
        ("actuals", &frame.actuals, header.measured.len()),
    ];
    for (what, list, expected) in lists {
        if list.len() != expected && !list.is_empty() {
            return Err(TraceError::WrongLength { frame: frame.index, what, expected, found: list.len() });
        }
    }
    Ok(())
}

/// Whether a frame has the moving obstacles, moving holds and passive objects of the header.
fn check_objects(header: &Header, frame: &Frame) -> Result<(), TraceError> {
    let wrong = |what, expected, found| TraceError::WrongLength { frame: frame.index, what, expected, found };
    let moving = header.obstacles.iter().filter(|obstacle| obstacle.moves).count();
    if frame.moving.len() != moving {
        return Err(wrong("moving", moving, frame.moving.len()));
    }
    let holds = header.holds.iter().filter(|hold| hold.moves).count();
    if frame.moving_holds.len() != holds {
        return Err(wrong("moving_holds", holds, frame.moving_holds.len()));
    }
    // Thrown objects exist from the event on: earlier frames have fewer objects than the header, the first
    // ones of it.
    let objects = header.passive.iter().zip(&frame.passive);
    if frame.passive.len() > header.passive.len()
        || !objects.into_iter().all(|(object, state)| fits(state, object))
    {
        return Err(wrong("passive", header.passive.len(), frame.passive.len()));
    }
    Ok(())
}

/// The first field of the frame that holds a number which is not finite.
fn not_finite(frame: &Frame) -> Option<&'static str> {
    let mut all = Finite(frame.time >= 0.0);
    frame.give_all(&mut all);
    if all.0 {
        return None;
    }
    let fields = Frame::DESCRIPTION.fields.iter().enumerate();
    let mut bad = fields.filter(|(index, _)| {
        let mut finite = Finite(true);
        frame.give_field(*index, &mut finite);
        !finite.0
    });
    bad.next().map(|(_, field)| field.name).or((frame.time < 0.0).then_some("time"))
}

/// Whether all numbers that it received are finite.
struct Finite(bool);

impl Sink for Finite {
    fn floats(&mut self, values: &[f64]) {
        self.0 &= values.iter().all(|value| value.is_finite());
    }

    fn no_float(&mut self) {}
    fn long(&mut self, _: u64) {}
    fn whole(&mut self, _: u32) {}
    fn flag(&mut self, _: bool) {}
    fn text(&mut self, _: &str) {}
    fn count(&mut self, _: usize) {}
}

/// Whether the object's part indices are in range.
fn object_is_sound(object: &PassiveHeader) -> bool {
    let parts = object.parts.len();
    let solids = object.solids.iter().all(|solid| solid.part < parts);
    solids && object.segments.iter().all(|segment| segment.ends.iter().all(|end| *end < parts))
}

/// Whether the state has as many parts as the object; particles have no orientations.
fn fits(state: &PassiveState, object: &PassiveHeader) -> bool {
    let parts = object.parts.len();
    let turns = |list: usize| list == parts || list == 0;
    state.positions.len() == parts
        && state.velocities.len() == parts
        && turns(state.orientations.len())
        && turns(state.angular_velocities.len())
        && state.touches.iter().all(|touch| touch.part < parts)
}
