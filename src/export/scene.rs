//! The scene of a trace as MJCF: the character, and what stood around it the whole time.

use super::ExportError;
use crate::diagnostic::Source;
use crate::model::{Geom, mjcf, write};
use crate::trace::{Header, Obstacle};
use nalgebra::Vector3;

/// An MJCF file whose configurations are the trace's. Obstacles that move, vanish or appear are left out: MJCF has no
/// place for them that would be right in every frame.
pub fn xml(header: &Header) -> Result<String, ExportError> {
    let text = header.text("model").ok_or(ExportError::NoModel)?;
    let model = mjcf::read(&Source::new(&text.name, &text.text))
        .map_err(|error| ExportError::Model(Box::new(error)))?;
    let fixed: Vec<Geom> =
        header.obstacles.iter().filter(|obstacle| !obstacle.moves).map(Obstacle::geom).collect();
    Ok(write::scene_xml(&model, &Vector3::from(header.gravity), &fixed))
}
