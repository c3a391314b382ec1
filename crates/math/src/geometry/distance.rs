//! Signed distance of a point from a shape centred at the origin, with the outward normal; nearest points of
//! segments, in the plane and in space.

use nalgebra::{SVector, Vector3};

/// Signed distance of a point from a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance {
    /// Distance from the surface, m; negative inside.
    pub distance: f64,
    /// Unit vector along which the distance grows.
    pub normal: Vector3<f64>,
}

/// Signed distance from a ball of this radius (m) about the origin; at the centre the normal is `at_centre`.
pub(crate) fn distance_to_ball(
    point: &Vector3<f64>,
    radius: f64,
    at_centre: impl FnOnce() -> Vector3<f64>,
) -> SignedDistance {
    let length = point.norm();
    let normal = if length > 0.0 { point / length } else { at_centre() };
    SignedDistance { distance: length - radius, normal }
}

/// Signed distance from a box about the origin, m: outside to its nearest point, inside to the nearest face,
/// the first of equally near ones.
pub fn distance_to_box(point: &Vector3<f64>, half_lengths: &Vector3<f64>) -> SignedDistance {
    let outside = point - point.zip_map(half_lengths, |x, half| x.max(-half).min(half));
    let distance = outside.norm();
    if distance > 0.0 {
        return SignedDistance { distance, normal: outside / distance };
    }
    let beyond = point.abs() - half_lengths;
    let face = beyond.imax();
    let mut normal = Vector3::zeros();
    normal[face] = if point[face] < 0.0 { -1.0 } else { 1.0 };
    SignedDistance { distance: beyond[face], normal }
}

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
    use nalgebra::Vector2;

    #[test]
    fn distance_to_a_box_is_to_its_nearest_face_edge_or_corner() {
        let half_lengths = Vector3::new(1.0, 2.0, 0.5);
        let at = |x, y, z| distance_to_box(&Vector3::new(x, y, z), &half_lengths);
        let above = at(0.2, 0.1, 0.8);
        assert!((above.distance - 0.3).abs() < 1e-15 && above.normal == Vector3::z());
        let edge = at(-1.3, 0.0, 0.9);
        assert!((edge.distance - 0.5).abs() < 1e-15);
        assert!((edge.normal - Vector3::new(-0.6, 0.0, 0.8)).norm() < 1e-15);
        let corner = at(2.0, 4.0, -2.5);
        assert!((corner.distance - 3.0).abs() < 1e-15);
        let inside = at(0.0, 0.0, 0.4);
        assert!((inside.distance + 0.1).abs() < 1e-15 && inside.normal == Vector3::z());
    }

    #[test]
    fn inside_a_box_the_first_of_equal_faces_counts() {
        let SignedDistance { distance, normal } = distance_to_box(&Vector3::zeros(), &Vector3::repeat(1.0));
        assert_eq!((distance, normal), (-1.0, Vector3::x()));
    }

    #[test]
    fn at_the_centre_of_a_ball_the_way_out_is_the_one_given() {
        let centre = distance_to_ball(&Vector3::zeros(), 0.5, Vector3::y);
        assert_eq!((centre.distance, centre.normal), (-0.5, Vector3::y()));
        let out = distance_to_ball(&Vector3::new(0.0, 0.0, 2.0), 0.5, Vector3::y);
        assert_eq!((out.distance, out.normal), (1.5, Vector3::z()));
    }

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
