//! Flat feet: rotations of feet by which they stand on a face instead of an edge.

use super::reach::ReachTarget;
use aplomb_body::model::{BodyId, Model};
use aplomb_math::geometry::{Shape, box_corner};
use nalgebra::{Isometry3, Point3, Unit, UnitQuaternion, Vector3};

/// A foot with a smaller tilt counts as flat, rad.
const FLAT: f64 = 0.005;
/// A foot with a larger tilt is not made flat, rad.
const TILTED: f64 = 0.6;
/// Distance from a plane within which points are on it, as a share of the height of the centre of mass.
const ON_FACE: f64 = 1e-3;
/// Smallest width of a face that can be stood on, as a share of the same height.
const WIDTH: f64 = 0.02;

/// Rotation by which a foot stands flat, and the lowest points of its shapes before, world, m.
type FlatFoot = (UnitQuaternion<f64>, Vec<Vector3<f64>>);

/// Pose flat on the ground at `ground` (m) of each foot that stands on an edge in the configuration `q`; empty if all
/// are flat or have no face to stand on.
pub(super) fn flat_feet(model: &Model, q: &[f64], ground: f64) -> Vec<ReachTarget> {
    let feet = &model.roles.feet;
    // Bodies with another number of legs are assumed to stand on points.
    if feet.len() != 2 || !model.is_floating() {
        return Vec::new();
    }
    let poses = model.body_poses(q);
    let height = model.rest_com_height();
    let turns: Vec<Option<FlatFoot>> = feet
        .iter()
        .map(|&foot| {
            let points = points(model, &poses, foot);
            Some((turn_to_face(&points, height)?, points))
        })
        .collect();
    let is_tilted = |turn: &Option<FlatFoot>| turn.as_ref().is_some_and(|(turn, _)| turn.angle() > FLAT);
    if !turns.iter().any(is_tilted) {
        return Vec::new();
    }
    let mut targets = Vec::new();
    for (&foot, (turn, points)) in feet.iter().zip(turns.into_iter().flatten()) {
        let pose = &poses[foot.0];
        let origin = pose.translation.vector;
        let lowest = points.iter().map(|point| (turn * (point - origin)).z).fold(f64::INFINITY, f64::min);
        let to = Vector3::new(origin.x, origin.y, ground - lowest);
        targets.push(ReachTarget::Turn {
            body: foot,
            to: *(turn * pose.rotation).to_rotation_matrix().matrix(),
        });
        targets.push(ReachTarget::Point { body: foot, local: Vector3::zeros(), to });
    }
    targets
}

/// Lowest points of the shapes of a foot and of its subtree, world, m.
fn points(model: &Model, poses: &[Isometry3<f64>], foot: BodyId) -> Vec<Vector3<f64>> {
    let mut points = Vec::new();
    for geom in model.geoms.iter().filter(|geom| geom.collides) {
        let Some(body) = geom.body.filter(|body| model.is_within(*body, foot)) else { continue };
        let pose = poses[body.0] * Isometry3::from_parts(geom.position.into(), geom.orientation);
        let mut add = |local: Vector3<f64>, radius: f64| {
            points.push((pose * Point3::from(local)).coords - Vector3::z() * radius);
        };
        match geom.shape {
            Shape::Sphere { radius } => add(Vector3::zeros(), radius),
            Shape::Capsule { radius, half_length } => {
                [1.0, -1.0].into_iter().for_each(|end| add(Vector3::z() * (end * half_length), radius));
            }
            Shape::Box { half_lengths } => {
                (0..8).for_each(|corner| add(box_corner(&half_lengths, corner), 0.0))
            }
            Shape::Hull(ref hull) => hull.corners().iter().for_each(|corner| add(*corner, 0.0)),
            Shape::Plane | Shape::Field(_) | Shape::Cylinder { .. } | Shape::Ellipsoid { .. } => {}
        }
    }
    points
}

/// The smallest rotation that brings a face of the points' hull below all of them; `None` if there is none nearby.
fn turn_to_face(points: &[Vector3<f64>], height: f64) -> Option<UnitQuaternion<f64>> {
    let mut best: Option<(f64, Vector3<f64>)> = None;
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let across = (b - a).cross(&(c - a));
                let longest = (b - a).norm().max((c - a).norm()).max((c - b).norm());
                if across.norm() < WIDTH * height * longest {
                    continue;
                }
                let up = across.normalize() * across.z.signum();
                let cosine = up.z.clamp(-1.0, 1.0);
                let is_below = points.iter().all(|point| up.dot(&(point - a)) > -ON_FACE * height);
                if is_below && best.as_ref().is_none_or(|(most, _)| cosine > *most) {
                    best = Some((cosine, up));
                }
            }
        }
    }
    let (_, up) = best?;
    let axis = up.cross(&Vector3::z());
    let angle = aplomb_math::elementary::atan2(axis.norm(), up.z);
    if angle > TILTED {
        return None;
    }
    let turn = Unit::try_new(axis, 1e-12).map(|axis| UnitQuaternion::from_axis_angle(&axis, angle));
    Some(turn.unwrap_or_default())
}
