//! Ridges of height fields, which shapes can touch between their corners.

use super::height_field::EDGES;
use super::{HeightField, Shape, SignedDistance, distance_to_ball, distance_to_box};
use crate::elementary::hypot;
use nalgebra::{Matrix3, Vector3};

/// Number of bisections for the point of an edge that is nearest to a shape.
const HALVINGS: usize = 48;

/// The nearest point of a ridge to a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestRidge {
    /// Nearest point on the shape, m.
    pub point: Vector3<f64>,
    /// Gap between shape and ground, m; negative where the shape is in the ground.
    pub gap: f64,
    /// Unit vector out of the ground.
    pub normal: Vector3<f64>,
}

impl HeightField {
    /// The point of a ridge that is nearest to a shape or deepest in it, where that is within `reach` (m) of
    /// it. The shape's origin is at `centre` (m) and its axes are turned by `turn`, both in the frame of the
    /// ground. `None` for shapes without edges or sides that could lie over a ridge, for ellipsoids and for
    /// meshes, which touch by their corners alone.
    pub fn nearest_ridge(
        &self,
        shape: &Shape,
        centre: &Vector3<f64>,
        turn: &Matrix3<f64>,
        reach: f64,
    ) -> Option<NearestRidge> {
        if !matches!(shape, Shape::Box { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. }) {
            return None;
        }
        let around = shape.bounding_radius() + reach;
        if centre.z - self.highest > around {
            return None;
        }
        let range = |lines: &[f64], at: f64| {
            let first = lines.partition_point(|line| *line < at - around).saturating_sub(1);
            first..lines.partition_point(|line| *line <= at + around)
        };
        let mut best: Option<(f64, Vector3<f64>, Vector3<f64>)> = None;
        let columns = range(&self.x, centre.x);
        for row in range(&self.y, centre.y) {
            for column in columns.clone() {
                let ridges = self.ridges[self.index([column, row])];
                for (edge, [right, up]) in EDGES.into_iter().enumerate() {
                    if !ridges[edge] {
                        continue;
                    }
                    let ends = [[column, row], [column + right, row + up]]
                        .map(|end| turn.tr_mul(&(self.corner(end) - centre)));
                    let middle = 0.5 * (ends[0] + ends[1]);
                    if middle.norm() > around + 0.5 * (ends[1] - ends[0]).norm() {
                        continue;
                    }
                    let (point, out) = nearest_of_edge(shape, ends);
                    let nearer = best.as_ref().is_none_or(|(gap, ..)| out.distance < *gap);
                    // A ridge holds up what is over it.
                    if nearer && out.distance <= reach && (turn * out.normal).z < 0.0 {
                        best = Some((out.distance, point, out.normal));
                    }
                }
            }
        }
        let (gap, point, out) = best?;
        Some(NearestRidge { point: centre + turn * (point - out * gap), gap, normal: -(turn * out) })
    }
}

/// The point of an edge that is deepest in a shape or nearest to it, in the shape's frame, and how far it is
/// from the shape: along an edge that distance has one least value, for the shape is convex.
fn nearest_of_edge(shape: &Shape, [from, to]: [Vector3<f64>; 2]) -> (Vector3<f64>, SignedDistance) {
    let at = |share: f64| from + (to - from) * share;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let third = (high - low) / 3.0;
        let [first, second] =
            [low + third, high - third].map(|share| distance_to(shape, &at(share)).distance);
        // Where it lies flat along the shape, the middle counts.
        if first <= second {
            high -= third;
        }
        if second <= first {
            low += third;
        }
    }
    let nearest = [0.5 * (low + high), 0.0, 1.0].map(|share| (at(share), distance_to(shape, &at(share))));
    let [middle, ends @ ..] = nearest;
    ends.into_iter().fold(middle, |best, end| if end.1.distance < best.1.distance { end } else { best })
}

/// Distance of a point from a convex shape in the shape's frame.
fn distance_to(shape: &Shape, point: &Vector3<f64>) -> SignedDistance {
    match *shape {
        Shape::Capsule { radius, half_length } => {
            let axis = Vector3::z() * point.z.clamp(-half_length, half_length);
            distance_to_ball(&(point - axis), radius, Vector3::x)
        }
        Shape::Cylinder { radius, half_length } => {
            let across = hypot(point.x, point.y);
            let flat = Vector3::new(across, 0.0, point.z);
            let SignedDistance { distance, normal } =
                distance_to_box(&flat, &Vector3::new(radius, f64::INFINITY, half_length));
            let out = if across > 0.0 { Vector3::new(point.x, point.y, 0.0) / across } else { Vector3::x() };
            SignedDistance { distance, normal: out * normal.x + Vector3::z() * normal.z }
        }
        Shape::Box { half_lengths } => distance_to_box(point, &half_lengths),
        _ => SignedDistance { distance: f64::INFINITY, normal: Vector3::z() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roof() -> HeightField {
        HeightField::new(vec![-1.0, 0.0, 1.0], vec![-1.0, 1.0], vec![0.0, 0.2, 0.0, 0.0, 0.2, 0.0]).unwrap()
    }

    #[test]
    fn a_box_between_its_corners_is_held_up_by_the_ridge_under_it() {
        let roof = roof();
        let sole = Shape::Box { half_lengths: Vector3::new(0.3, 0.1, 0.05) };
        let near =
            roof.nearest_ridge(&sole, &Vector3::new(0.05, 0.0, 0.26), &Matrix3::identity(), 0.1).unwrap();
        assert!((near.gap - 0.01).abs() < 1e-9 && (near.normal - Vector3::z()).norm() < 1e-9, "{near:?}");
        assert!(near.point.x.abs() < 1e-9 && near.point.y.abs() < 0.1 && (near.point.z - 0.21).abs() < 1e-9);
        let sunk =
            roof.nearest_ridge(&sole, &Vector3::new(0.05, 0.0, 0.24), &Matrix3::identity(), 0.1).unwrap();
        assert!((sunk.gap + 0.01).abs() < 1e-9 && (sunk.normal - Vector3::z()).norm() < 1e-9);
        let far = roof.nearest_ridge(&sole, &Vector3::new(0.05, 0.0, 0.5), &Matrix3::identity(), 0.1);
        assert_eq!(far, None);
    }

    #[test]
    fn a_capsule_across_a_ridge_touches_it_with_its_side() {
        let roof = roof();
        let limb = Shape::Capsule { radius: 0.05, half_length: 0.2 };
        // Its axis along x.
        let turn = Matrix3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0);
        let near = roof.nearest_ridge(&limb, &Vector3::new(0.03, 0.2, 0.27), &turn, 0.1).unwrap();
        assert!((near.gap - 0.02).abs() < 1e-9 && (near.normal - Vector3::z()).norm() < 1e-6, "{near:?}");
    }
}
