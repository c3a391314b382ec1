//! Contacts of solids with height fields: corners, ends and rims of the solid, and ridges of the ground.

use super::{CollisionSolid, plane};
use aplomb_math::geometry::{Along, HeightField, NearestRidge};
use nalgebra::Vector3;

/// Feature number of contacts with a ridge.
const RIDGE: u32 = u32::MAX;

/// Calls `found` with feature, point, normal and gap of every feature of `solid` up to `margin` (m) above the
/// height field `ground`.
pub(super) fn touch(
    solid: &CollisionSolid,
    ground: &CollisionSolid,
    heights: &HeightField,
    margin: f64,
    mut found: impl FnMut(u32, Vector3<f64>, Vector3<f64>, f64),
) {
    let (origin, axes) = (&ground.position, &ground.rotation);
    let local = |point: &Vector3<f64>| axes.tr_mul(&(point - origin));
    let centre = local(&solid.position);
    let Some(middle) = heights.distance(&centre, solid.reach + margin) else { return };
    if middle.distance > solid.reach + margin {
        return;
    }
    // The normal of the ground under the solid's middle determines which of its points are lowest.
    let up = axes * middle.normal;
    plane::features(solid, &up, |feature, middle, radius| {
        let Some(out) = heights.distance(&local(&middle), radius + margin) else { return };
        let gap = out.distance - radius;
        if gap <= margin {
            let normal = axes * out.normal;
            found(feature, middle - normal * (radius + 0.5 * gap), normal, gap);
        }
    });
    let turn = axes.transpose() * solid.rotation;
    if let Some(NearestRidge { point, gap, normal }) =
        heights.nearest_ridge(&solid.shape, &centre, &turn, Along::Deepest, margin)
    {
        let normal = axes * normal;
        found(RIDGE, origin + axes * point - normal * (0.5 * gap), normal, gap);
    }
}
