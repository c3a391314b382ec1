//! The shapes of a character's bodies as surfaces that other characters touch.

use super::{Owner, Pose, Seat, Surface, SurfaceShape};
use crate::model::Model;

/// Surfaces for the shapes of the bodies of the character `number`, with a coefficient of friction and the
/// names `name.BODY`. Their poses are set from the first frame on.
pub fn bodies_of(model: &Model, number: usize, name: &str, friction: f64) -> Vec<Surface> {
    let geoms = model.geoms.iter().filter(|geom| geom.collides);
    let surfaces = geoms.filter_map(|geom| {
        let (body, shape) = (geom.body?, SurfaceShape::of(&geom.shape)?);
        let place = Pose { position: geom.position, orientation: geom.orientation };
        let name = format!("{name}.{}", model.bodies[body.0].name);
        let mut surface = Surface::new(&name, shape, place.position, place.orientation, friction);
        // Contacts between characters are not kept in place.
        surface.contact_weight = Some(0.0);
        Some(surface.of(Seat { of: Owner::Character(number), part: body.0, place }))
    });
    surfaces.collect()
}
