//! Points of a body that touch the ground.

use super::tree::MovingTree;
use aplomb_math::elementary::sincos;
use aplomb_math::geometry::{Shape, box_corner, farthest_of_ellipsoid};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// Number of points that replace a rim.
const RIM_POINTS: usize = 16;

/// Smallest upward component of the normal of a sole in the rest pose, 11°: a foot that is tilted by more is not
/// meant to stand on its lowest points.
const LEVEL: f64 = 0.98;
/// Largest distance of points of a sole below its plane, m.
const EVEN: f64 = 1e-4;
/// Smallest area of the face that a foot stands on, m².
const SMALL: f64 = 1e-4;

/// The lowest points of the shapes of a body, world axes, m.
pub(super) fn low_points(tree: &MovingTree, body: usize, collides: bool) -> Vec<Vector3<f64>> {
    let mut points = Vec::new();
    for geom in tree.geoms(body).filter(|geom| geom.collides || !collides) {
        let pose = tree.pose(geom);
        let mut add = |local: Vector3<f64>, radius: f64| {
            points.push((pose * nalgebra::Point3::from(local)).coords - Vector3::z() * radius);
        };
        match geom.shape {
            Shape::Plane | Shape::Field(_) => {}
            Shape::Sphere { radius } => add(Vector3::zeros(), radius),
            Shape::Capsule { radius, half_length } => {
                [1.0, -1.0].into_iter().for_each(|end| add(Vector3::z() * (end * half_length), radius));
            }
            Shape::Box { half_lengths } => (0..8).for_each(|k| add(box_corner(&half_lengths, k), 0.0)),
            Shape::Cylinder { radius, half_length } => {
                for end in [1.0, -1.0] {
                    for k in 0..RIM_POINTS {
                        let (sine, cosine) = sincos(TAU * k as f64 / RIM_POINTS as f64);
                        add(Vector3::new(radius * cosine, radius * sine, end * half_length), 0.0);
                    }
                }
            }
            Shape::Ellipsoid { radii } => {
                let down = pose.rotation.inverse() * -Vector3::z();
                add(farthest_of_ellipsoid(&radii, &down), 0.0);
            }
            Shape::Hull(ref hull) => hull.corners().iter().for_each(|corner| add(*corner, 0.0)),
        }
    }
    points
}

/// Upward normal of the plane that a foot would stand on: the largest triangle of its points that has none below
/// it. `None` if none is nearly level, as for balls.
pub(super) fn normal(points: &[Vector3<f64>]) -> Option<Vector3<f64>> {
    let mut best: Option<(f64, Vector3<f64>)> = None;
    for (first, a) in points.iter().enumerate() {
        for (second, b) in points.iter().enumerate().skip(first + 1) {
            for c in &points[second + 1..] {
                let across = (b - a).cross(&(c - a));
                let area = 0.5 * across.norm();
                if area < SMALL || best.is_some_and(|(most, _)| area <= most) {
                    continue;
                }
                let up = across / (2.0 * area) * across.z.signum();
                let is_lowest = points.iter().all(|point| (point - a).dot(&up) > -EVEN);
                if is_lowest && up.z > LEVEL {
                    best = Some((area, up));
                }
            }
        }
    }
    best.map(|(_, up)| up)
}
