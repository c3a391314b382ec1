//! How far two shapes of a character are apart, and where.

use super::closest::pair::{extent, pose, vector};
use crate::dynamics::Kinematics;
use crate::model::{Geom, Model, Shape};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::contact;
use parry3d_f64::query::details::closest_points_segment_segment_with_locations;
use parry3d_f64::shape::{Cuboid, Cylinder, Segment, Shape as ParryShape};
use std::f64::consts::FRAC_PI_2;

/// The closest pair of points of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// On the first and on the second shape, world, m.
    pub points: [Vector3<f64>; 2],
    /// Unit vector from the first to the second, world.
    pub normal: Vector3<f64>,
    /// Negative where the shapes overlap, m.
    pub distance: f64,
}

/// Closest points of two geoms; `None` beyond `reach` (m), or where one is a plane.
pub fn nearest(model: &Model, kinematics: &Kinematics, pair: [usize; 2], reach: f64) -> Option<Nearest> {
    let geoms = pair.map(|geom| &model.geoms[geom]);
    let [first_centre, second_centre] = geoms.map(|geom| centre(geom, kinematics));
    let away = second_centre - first_centre;
    let extents: f64 = geoms.iter().map(|geom| extent(&geom.shape)).sum();
    if extents.is_infinite() || away.norm() > extents + reach {
        return None;
    }
    let cores = geoms.map(|geom| Rounded::of(geom, kinematics));
    let radii = cores.iter().map(|core| core.radius).sum::<f64>();
    let (on_first, on_second, normal) = closest(&cores[0].core, &cores[1].core, reach + radii)?;
    // Cores that cross have no direction of their own.
    let normal = normal.or_else(|| away.try_normalize(1e-9)).unwrap_or_else(Vector3::z);
    let points = [on_first + normal * cores[0].radius, on_second - normal * cores[1].radius];
    let distance = normal.dot(&(points[1] - points[0]));
    (distance <= reach).then_some(Nearest { points, normal, distance })
}

fn centre(geom: &Geom, kinematics: &Kinematics) -> Vector3<f64> {
    match geom.body {
        Some(body) => kinematics.point(body, &geom.position),
        None => geom.position,
    }
}

/// A shape as all that is within `radius` of a core. Round shapes that overlap no deeper than they are round have
/// cores that are still apart, whose closest points are exact.
struct Rounded {
    core: Core,
    radius: f64,
}

enum Core {
    Segment(Segment),
    Cuboid(Pose, Cuboid),
    Cylinder(Pose, Cylinder),
}

impl Rounded {
    fn of(geom: &Geom, kinematics: &Kinematics) -> Self {
        let centre = centre(geom, kinematics);
        let orientation = match geom.body {
            Some(body) => {
                let rotation = Rotation3::from_matrix_unchecked(kinematics.rotation[body.0]);
                UnitQuaternion::from_rotation_matrix(&rotation) * geom.orientation
            }
            None => geom.orientation,
        };
        let segment = |half_length: f64| {
            let half = orientation * (Vector3::z() * half_length);
            Core::Segment(Segment::new(vector(&(centre - half)), vector(&(centre + half))))
        };
        let (core, radius) = match geom.shape {
            Shape::Plane => (segment(0.0), 0.0),
            Shape::Sphere { radius } => (segment(0.0), radius),
            Shape::Capsule { radius, half_length } => (segment(half_length), radius),
            Shape::Cylinder { radius, half_length } => {
                // The library's cylinder stands along y.
                let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
                let upright = pose(&centre, &(orientation * turn));
                (Core::Cylinder(upright, Cylinder::new(half_length, radius)), 0.0)
            }
            Shape::Box { half_lengths } => {
                (Core::Cuboid(pose(&centre, &orientation), Cuboid::new(vector(&half_lengths))), 0.0)
            }
        };
        Rounded { core, radius }
    }
}

impl Core {
    fn solid(&self) -> (Pose, &dyn ParryShape) {
        match self {
            Core::Segment(segment) => (Pose::IDENTITY, segment),
            Core::Cuboid(pose, cuboid) => (*pose, cuboid),
            Core::Cylinder(pose, cylinder) => (*pose, cylinder),
        }
    }
}

/// Closest points of two cores and the unit vector from the first to the second, if there is one.
type Closest = (Vector3<f64>, Vector3<f64>, Option<Vector3<f64>>);

fn closest(first: &Core, second: &Core, reach: f64) -> Option<Closest> {
    let back = |v: Vector| Vector3::new(v.x, v.y, v.z);
    if let (Core::Segment(first), Core::Segment(second)) = (first, second) {
        let at = closest_points_segment_segment_with_locations(&Pose::IDENTITY, first, second);
        let (on_first, on_second) = (back(first.point_at(&at.0)), back(second.point_at(&at.1)));
        return Some((on_first, on_second, (on_second - on_first).try_normalize(1e-9)));
    }
    let ((first_pose, first), (second_pose, second)) = (first.solid(), second.solid());
    let touch = contact(&first_pose, first, &second_pose, second, reach).ok().flatten()?;
    Some((back(touch.point1), back(touch.point2), Some(back(touch.normal1))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::diagnostic::Source;
    use crate::model::mjcf;

    fn model(geoms: &str) -> Model {
        let body = |name: &str, geom: &str| format!(r#"<body name="{name}"><freejoint/>{geom}</body>"#);
        let bodies: Vec<String> =
            geoms.split('|').enumerate().map(|(k, geom)| body(&format!("b{k}"), geom)).collect();
        let text = format!("<mujoco><worldbody>{}</worldbody></mujoco>", bodies.concat());
        mjcf::read(&Source::new("pair.xml", text)).unwrap()
    }

    fn between(geoms: &str, place: Vector3<f64>) -> Option<Nearest> {
        let model = model(geoms);
        let mut kinematics = Kinematics::new(&model);
        let mut q = model.neutral_configuration();
        q[7..10].copy_from_slice(place.as_slice());
        kinematics.update_position(&model, &q);
        nearest(&model, &kinematics, [0, 1], 0.5)
    }

    const BALL: &str = r#"<geom type="sphere" size="0.1" mass="1"/>"#;
    const CAPSULE: &str = r#"<geom type="capsule" size="0.05 0.2" mass="1"/>"#;
    const BOX: &str = r#"<geom type="box" size="0.1 0.2 0.3" mass="1"/>"#;

    #[test]
    fn round_shapes_are_as_far_apart_as_their_cores_less_their_radii() {
        let near = between(&format!("{BALL}|{CAPSULE}"), Vector3::new(0.3, 0.0, 0.1)).unwrap();
        assert!((near.distance - 0.15).abs() < 1e-12);
        assert!((near.normal - Vector3::x()).norm() < 1e-12);
        assert!((near.points[0] - Vector3::new(0.1, 0.0, 0.0)).norm() < 1e-12);
        assert!((near.points[1] - Vector3::new(0.25, 0.0, 0.0)).norm() < 1e-12);
    }

    #[test]
    fn shapes_that_overlap_have_a_negative_distance() {
        let near = between(&format!("{CAPSULE}|{CAPSULE}"), Vector3::new(0.06, 0.0, 0.0)).unwrap();
        assert!((near.distance + 0.04).abs() < 1e-12);
        let near = between(&format!("{BOX}|{CAPSULE}"), Vector3::new(0.0, 0.22, 0.0)).unwrap();
        assert!((near.distance + 0.03).abs() < 1e-9 && (near.normal - Vector3::y()).norm() < 1e-9);
    }

    #[test]
    fn boxes_are_measured_from_face_to_face() {
        let near = between(&format!("{BOX}|{BOX}"), Vector3::new(0.0, 0.5, 0.0)).unwrap();
        assert!((near.distance - 0.1).abs() < 1e-9 && (near.normal - Vector3::y()).norm() < 1e-9);
    }

    #[test]
    fn shapes_beyond_reach_are_not_near() {
        assert_eq!(between(&format!("{BALL}|{BALL}"), Vector3::new(0.0, 0.0, 0.8)), None);
        assert!(between(&format!("{BALL}|{BALL}"), Vector3::new(0.0, 0.0, 0.6)).is_some());
    }
}
