//! The scene of a trace as MJCF: the character, what stood around it the whole time, and passive things as bodies that
//! are put where the trace says.

use super::ExportError;
use crate::diagnostic::Source;
use crate::model::write::{self, Shown};
use crate::model::{Geom, Model, mjcf};
use crate::trace::{Header, Obstacle, PassiveSolid, PassiveThing};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// An MJCF file whose configurations are the trace's. Obstacles that move, vanish or appear are left out: MJCF has no
/// place for them that would be right in every frame.
pub fn xml(header: &Header) -> Result<String, ExportError> {
    let model = if header.has_character() { character(header)? } else { Model::nobody() };
    let fixed: Vec<Geom> =
        header.obstacles.iter().filter(|obstacle| !obstacle.moves).map(Obstacle::geom).collect();
    let shown: Vec<Shown> = header.passive.iter().flat_map(shown).collect();
    Ok(write::scene_xml(&model, &Vector3::from(header.gravity), &fixed, &shown))
}

fn character(header: &Header) -> Result<Model, ExportError> {
    let text = header.text("model").ok_or(ExportError::NoModel)?;
    mjcf::read(&Source::new(&text.name, &text.text)).map_err(|error| ExportError::Model(Box::new(error)))
}

/// The parts of a passive thing.
fn shown(thing: &PassiveThing) -> impl Iterator<Item = Shown> {
    thing.parts.iter().enumerate().map(|(index, part)| Shown {
        name: format!("{}.{part}", thing.name),
        geoms: thing.solids.iter().filter(|solid| solid.part == index).map(geom).collect(),
    })
}

fn geom(solid: &PassiveSolid) -> Geom {
    let [w, x, y, z] = solid.orientation;
    Geom {
        name: String::new(),
        body: None,
        shape: solid.shape.shape(),
        position: Vector3::from(solid.position),
        orientation: UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)),
        friction: 1.0,
        collides: false,
        line: 0,
    }
}
