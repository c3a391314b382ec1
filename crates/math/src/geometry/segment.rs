//! Points of straight segments, in the plane and in space.

use nalgebra::SVector;

/// Position along a segment of its point nearest to `point`, as a share of its length from 0 to 1: (p − a) ·
/// d / |d|² with d = b − a. The first end if both ends coincide.
#[inline]
pub(crate) fn share_of_segment<const D: usize>(
    [a, b]: [&SVector<f64, D>; 2],
    point: &SVector<f64, D>,
) -> f64 {
    let along = b - a;
    let length_squared = along.norm_squared();
    if length_squared > 0.0 { ((point - a).dot(&along) / length_squared).clamp(0.0, 1.0) } else { 0.0 }
}

/// The point of a segment nearest to `point`.
pub fn nearest_on_segment<const D: usize>(
    ends: [&SVector<f64, D>; 2],
    point: &SVector<f64, D>,
) -> SVector<f64, D> {
    let [a, b] = ends;
    a + (b - a) * share_of_segment(ends, point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Vector2, Vector3};

    #[test]
    fn the_nearest_point_is_the_foot_of_the_perpendicular_or_an_end() {
        let ends = [&Vector3::new(1.0, 0.0, 0.0), &Vector3::new(3.0, 0.0, 0.0)];
        let nearest = |x, y| nearest_on_segment(ends, &Vector3::new(x, y, 0.5));
        assert_eq!(nearest(1.5, 2.0), Vector3::new(1.5, 0.0, 0.0));
        assert_eq!(nearest(-4.0, 2.0), *ends[0]);
        assert_eq!(nearest(4.0, -1.0), *ends[1]);
    }

    #[test]
    fn of_a_segment_without_length_its_only_point_is_nearest() {
        let end = Vector2::new(1.0, 2.0);
        assert_eq!(nearest_on_segment([&end, &end], &Vector2::zeros()), end);
    }
}
