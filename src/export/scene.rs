//! The scene of a trace as MJCF: the character, and what stood around it.

use super::ExportError;
use crate::diagnostic::Source;
use crate::model::{Geom, Shape, mjcf, write};
use crate::trace::{Header, Obstacle};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// An MJCF file whose configurations are the trace's.
pub fn xml(header: &Header) -> Result<String, ExportError> {
    let text = header.text("model").ok_or(ExportError::NoModel)?;
    let model = mjcf::read(&Source::new(&text.name, &text.text))
        .map_err(|error| ExportError::Model(Box::new(error)))?;
    let fixed: Vec<Geom> = header.obstacles.iter().map(geom).collect();
    Ok(write::scene_xml(&model, &Vector3::from(header.gravity), &fixed))
}

fn geom(obstacle: &Obstacle) -> Geom {
    let [w, x, y, z] = obstacle.orientation;
    Geom {
        name: obstacle.name.clone(),
        body: None,
        shape: match obstacle.half_lengths {
            Some(half_lengths) => Shape::Box { half_lengths: Vector3::from(half_lengths) },
            None => Shape::Plane,
        },
        position: Vector3::from(obstacle.position),
        orientation: UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)),
        friction: obstacle.friction,
        collides: true,
        line: 0,
    }
}
