//! Sizes of a body beyond which nothing is computed with it.

use super::element::Element;
use crate::language::diagnostic::FileError;
use crate::model::Model;

/// Velocity coordinates at most: matrices over them are kept whole.
const MOST_COORDINATES: usize = 1000;
/// Shapes at most.
const MOST_SHAPES: usize = 5000;

/// What the body has too much of, at the part with which that begins.
pub fn check(model: &Model, bodies: &[Element]) -> Option<FileError> {
    let too_many = |body: usize, most: usize, what: &str| {
        let at = bodies.get(body)?;
        Some(at.error(format!("a body has at most {most} {what}; this part goes beyond that")))
    };
    if let Some(joint) = model.joints.iter().find(|joint| joint.v_index + joint.kind.nv() > MOST_COORDINATES)
    {
        return too_many(joint.body.0, MOST_COORDINATES, "coordinates");
    }
    let shape = model.geoms.get(MOST_SHAPES)?;
    too_many(shape.body.map_or(0, |body| body.0), MOST_SHAPES, "shapes")
}
