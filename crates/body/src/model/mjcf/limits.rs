//! Bounds on the size of a model.

use super::element::Element;
use crate::model::{Geom, Model};
use aplomb_language::diagnostic::FileError;
use aplomb_math::extent::{self, FARTHEST};
use nalgebra::Vector3;

/// Largest number of velocity coordinates, since matrices over them are dense.
const MOST_COORDINATES: usize = 1000;
/// Largest number of shapes.
const MOST_SHAPES: usize = 5000;

/// The error of a count or a size beyond its bound, at the part that exceeds it.
pub(super) fn check(model: &Model, bodies: &[Element]) -> Option<FileError> {
    let too_many = |body: usize, most: usize, what: &str| {
        let at = bodies.get(body)?;
        Some(at.error(format!("a body has at most {most} {what}; this part goes beyond that")))
    };
    if let Some(joint) = model.joints.iter().find(|joint| joint.v_index + joint.kind.nv() > MOST_COORDINATES)
    {
        return too_many(joint.body.0, MOST_COORDINATES, "coordinates");
    }
    if let Some(shape) = model.geoms.get(MOST_SHAPES) {
        return too_many(shape.body.map_or(0, |body| body.0), MOST_SHAPES, "shapes");
    }
    let far = |point: &Vector3<f64>| extent::too_far([*point]).is_some();
    let says = |body: usize, what: &str| {
        Some(bodies.get(body)?.error(format!("{what} of this body is {TOO_LARGE}")))
    };
    for (index, body) in model.bodies.iter().enumerate() {
        if far(&body.position) || far(&body.inertia.centre) {
            return says(index, "the place or the centre of mass");
        }
        let inertia = body.inertia.about_centre.iter().all(|part| extent::is_usable(*part));
        if !extent::is_usable(body.inertia.mass) || !inertia {
            return says(index, "the mass or the inertia");
        }
    }
    for joint in &model.joints {
        let numbers =
            [joint.stiffness, joint.damping, joint.friction, joint.reference, joint.spring_reference];
        if far(&joint.anchor) || !numbers.into_iter().all(extent::is_usable) {
            return says(joint.body.0, "a number of a joint");
        }
    }
    // A plane is unbounded.
    let reach = |shape: &Geom| Some(shape.shape.bounding_radius()).filter(|radius| radius.is_finite());
    let is_large =
        |shape: &&Geom| far(&shape.position) || reach(shape).is_some_and(|radius| radius > FARTHEST);
    let shape = model.geoms.iter().find(is_large)?;
    says(shape.body.map_or(0, |body| body.0), "the place or the size of a shape")
}

const TOO_LARGE: &str = "larger than anything is computed with (10000 m from the origin, 1e9 in other units)";
