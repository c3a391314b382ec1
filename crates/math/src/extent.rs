//! How far from the origin of the world numbers are good.

use nalgebra::Vector3;

/// Farthest that anything may be from the origin of the world, m.
///
/// Spatial quantities are taken about that origin, so that the digits of a character's dynamics are lost with the square of
/// its distance; `docs/formulation.md` has the measured residual of the root by distance.
pub const FARTHEST: f64 = 1e4;

/// Largest number that files may give of anything that moves: lengths, speeds, masses, forces in SI. Squares and products of
/// such numbers are still far from the end of what f64 can hold.
pub const LARGEST: f64 = 1e9;

/// Whether the number is one, and of at most [`LARGEST`].
pub fn is_usable(number: f64) -> bool {
    number.abs() <= LARGEST
}

/// Distance from the origin of the first of some points, m, that is not at a finite place within [`FARTHEST`].
pub fn too_far(points: impl IntoIterator<Item = Vector3<f64>>) -> Option<f64> {
    // A distance that is not a number is not within anything.
    points.into_iter().map(|point| point.norm()).find(|distance| !matches!(distance, 0.0..=FARTHEST))
}
