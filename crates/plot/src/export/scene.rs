//! The scene of a trace as MJCF: the character, scenery that never moves, and passive objects as bodies at
//! the poses of the first frame.

use super::{ExportError, unit};
use aplomb_body::model::write::{self, MocapBody};
use aplomb_body::model::{Geom, Model, mjcf};
use aplomb_language::diagnostic::Source;
use aplomb_trace::{Header, Obstacle, PassiveHeader, PassiveSolid, PassiveState, Trace};
use nalgebra::{UnitQuaternion, Vector3};

/// An MJCF file with the coordinates of the trace. Obstacles that move, vanish or appear are omitted: no fixed pose
/// would be correct in every frame.
pub(super) fn xml(trace: &Trace) -> Result<String, ExportError> {
    let header = &trace.header;
    let model = if header.has_character() { character(header)? } else { Model::empty() };
    let fixed: Vec<Geom> =
        header.obstacles.iter().filter(|obstacle| !obstacle.moves).map(Obstacle::geom).collect();
    let first = trace.frames.first().map_or(&[][..], |frame| &frame.passive);
    let objects = header.passive.iter().enumerate();
    let shown: Vec<MocapBody> = objects.flat_map(|(index, object)| shown(object, first.get(index))).collect();
    Ok(write::scene_xml(&model, &Vector3::from(header.gravity), &fixed, &shown))
}

/// The character, from the model text in the trace.
pub(super) fn character(header: &Header) -> Result<Model, ExportError> {
    let text = header.text("model").ok_or(ExportError::NoModel)?;
    mjcf::read(&Source::new(&text.name, &text.text)).map_err(ExportError::Model)
}

/// Position of an object that is thrown later, m: high above everything else.
pub(super) const TO_COME: [f64; 3] = [0.0, 0.0, 10.0];

/// The parts of a passive object in this state.
fn shown(object: &PassiveHeader, state: Option<&PassiveState>) -> impl Iterator<Item = MocapBody> {
    let position = move |part| state.and_then(|state| state.positions.get(part)).copied().unwrap_or(TO_COME);
    let turn = move |part| state.and_then(|state| state.orientations.get(part)).copied();
    object.parts.iter().enumerate().map(move |(index, part)| MocapBody {
        name: format!("{}.{part}", object.name),
        position: Vector3::from(position(index)),
        orientation: turn(index).map_or_else(UnitQuaternion::identity, unit),
        geoms: object.solids.iter().filter(|solid| solid.part == index).map(geom).collect(),
    })
}

fn geom(solid: &PassiveSolid) -> Geom {
    Geom {
        name: String::new(),
        body: None,
        shape: solid.shape.shape(),
        position: Vector3::from(solid.position),
        orientation: unit(solid.orientation),
        friction: 1.0,
        collides: false,
        line: 0,
    }
}
