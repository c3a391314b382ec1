//! Bounds on coordinates and other inputs within which the numerics are accurate.

use nalgebra::Vector3;

/// Largest allowed distance of a point from the origin of the world, m.
///
/// Spatial quantities are expressed at that origin, so that the accuracy of a character's dynamics falls with
/// the square of its distance; `docs/formulation.md` has the measured residual of the root by distance.
pub const FARTHEST: f64 = 1e4;

/// Largest number that files may give for a quantity of the simulation: lengths, speeds, masses, forces in
/// SI. Squares and products of such numbers are far below the largest f64.
pub const LARGEST: f64 = 1e9;

/// Whether a number is finite and its magnitude at most [`LARGEST`].
pub fn is_usable(number: f64) -> bool {
    number.abs() <= LARGEST
}

/// Distance from the origin of the first of these points that is not finite or not within [`FARTHEST`], m.
pub fn too_far(points: impl IntoIterator<Item = Vector3<f64>>) -> Option<f64> {
    // A NaN distance is not within any bound.
    points.into_iter().map(|point| point.norm()).find(|distance| !matches!(distance, 0.0..=FARTHEST))
}
