//! Closest points of two shapes, computed by the geometry library.

use super::library::cylinder_turn;
use super::library::{back, pose, vector};
use super::{Shape, Swept, ellipsoid_as_capsule};
use nalgebra::{UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::contact;
use parry3d_f64::query::details::closest_points_segment_segment_with_locations;
use parry3d_f64::shape::{Ball, Capsule, Cuboid, Cylinder, Segment, Shape as ParryShape, SharedShape};

/// A shape with its pose in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedShape {
    /// The shape in its own frame.
    pub shape: Shape,
    /// Origin of that frame, world, m.
    pub centre: Vector3<f64>,
    /// Rotation from the shape's own axes to the world's.
    pub orientation: UnitQuaternion<f64>,
}

/// The closest pair of points of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The points on the first and on the second shape, world, m.
    pub points: [Vector3<f64>; 2],
    /// Unit vector from the first to the second, world.
    pub normal: Vector3<f64>,
    /// Distance between the shapes, m; negative where they overlap.
    pub distance: f64,
}

/// Closest points of two shapes; `None` beyond `reach` (m), or if one is a plane or a height field.
///
/// Round shapes are treated as all points within a radius of a core, so that the closest points of two
/// capsules are exact, and those of other shapes as accurate as the library's iteration.
#[doc(alias = "GJK")]
pub fn closest(pair: &[PlacedShape; 2], reach: f64) -> Option<Nearest> {
    let away = pair[1].centre - pair[0].centre;
    let cores = [Rounded::of(&pair[0])?, Rounded::of(&pair[1])?];
    let radii = cores.iter().map(|core| core.radius).sum::<f64>();
    let (on_first, on_second, normal) = closest_of_cores(&cores[0].core, &cores[1].core, reach + radii)?;
    // Cores that intersect define no direction.
    let normal = normal.or_else(|| away.try_normalize(1e-9)).unwrap_or_else(Vector3::z);
    let points = [on_first + normal * cores[0].radius, on_second - normal * cores[1].radius];
    let distance = normal.dot(&(points[1] - points[0]));
    (distance <= reach).then_some(Nearest { points, normal, distance })
}

/// Like [`closest`], but the library iterates on capsules with their rounding: at a corner its distances are accurate
/// only to a few micrometres. Contacts with boxes use it.
pub fn closest_with_rounding(pair: &[PlacedShape; 2], reach: f64) -> Option<Nearest> {
    let [first, second] = [Core::whole(&pair[0])?, Core::whole(&pair[1])?];
    let ((first_pose, first), (second_pose, second)) = (first.solid(), second.solid());
    let touch = contact(&first_pose, first, &second_pose, second, reach).ok().flatten()?;
    let points = [back(touch.point1), back(touch.point2)];
    Some(Nearest { points, normal: back(touch.normal1), distance: touch.dist })
}

/// A shape as all points within `radius` of a core. Round shapes that overlap by less than their radii have
/// disjoint cores, whose closest points are exact.
struct Rounded {
    core: Core,
    radius: f64,
}

enum Core {
    Segment(Segment),
    Ball(Pose, Ball),
    Capsule(Pose, Capsule),
    Cuboid(Pose, Cuboid),
    Cylinder(Pose, Cylinder),
    Hull(Pose, SharedShape),
}

impl Rounded {
    /// The shape as a rounded core; `None` for a plane and a height field.
    fn of(placed: &PlacedShape) -> Option<Self> {
        let PlacedShape { shape, centre, orientation } = placed;
        let segment = |half_length: f64| {
            let half = orientation * (Vector3::z() * half_length);
            Core::Segment(Segment::new(vector(&(centre - half)), vector(&(centre + half))))
        };
        let (core, radius) = match *shape {
            Shape::Plane | Shape::Field(_) => return None,
            Shape::Sphere { radius } => (segment(0.0), radius),
            Shape::Capsule { radius, half_length } => (segment(half_length), radius),
            Shape::Cylinder { .. } | Shape::Box { .. } | Shape::Hull(_) => (Core::whole(placed)?, 0.0),
            Shape::Ellipsoid { radii } => {
                let Swept { half, radius } = ellipsoid_as_capsule(&radii);
                let half = orientation * half;
                (Core::Segment(Segment::new(vector(&(centre - half)), vector(&(centre + half)))), radius)
            }
        };
        Some(Rounded { core, radius })
    }
}

impl Core {
    /// The shape with its rounding; `None` for a plane and a height field.
    fn whole(placed: &PlacedShape) -> Option<Self> {
        let PlacedShape { shape, centre, orientation } = placed;
        let at = || pose(centre, orientation);
        Some(match *shape {
            Shape::Plane | Shape::Field(_) => return None,
            Shape::Sphere { radius } => Core::Ball(at(), Ball::new(radius)),
            Shape::Capsule { radius, half_length } => {
                let end = Vector::new(0.0, 0.0, 1.0) * half_length;
                Core::Capsule(at(), Capsule::new(-end, end, radius))
            }
            Shape::Cylinder { radius, half_length } => {
                let upright = pose(centre, &(orientation * cylinder_turn()));
                Core::Cylinder(upright, Cylinder::new(half_length, radius))
            }
            Shape::Box { half_lengths } => Core::Cuboid(at(), Cuboid::new(vector(&half_lengths))),
            Shape::Ellipsoid { radii } => {
                let Swept { half, radius } = ellipsoid_as_capsule(&radii);
                Core::Capsule(at(), Capsule::new(vector(&-half), vector(&half), radius))
            }
            Shape::Hull(ref hull) => Core::Hull(at(), hull.solid.clone()),
        })
    }

    fn solid(&self) -> (Pose, &dyn ParryShape) {
        match self {
            Core::Segment(segment) => (Pose::IDENTITY, segment),
            Core::Ball(pose, ball) => (*pose, ball),
            Core::Capsule(pose, capsule) => (*pose, capsule),
            Core::Cuboid(pose, cuboid) => (*pose, cuboid),
            Core::Cylinder(pose, cylinder) => (*pose, cylinder),
            Core::Hull(pose, hull) => (*pose, &**hull),
        }
    }
}

/// Closest points of two cores and the unit vector from the first to the second, if there is one.
type Closest = (Vector3<f64>, Vector3<f64>, Option<Vector3<f64>>);

fn closest_of_cores(first: &Core, second: &Core, reach: f64) -> Option<Closest> {
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

    const BALL: Shape = Shape::Sphere { radius: 0.1 };
    const CAPSULE: Shape = Shape::Capsule { radius: 0.05, half_length: 0.2 };
    const BOX: Shape = Shape::Box { half_lengths: Vector3::new(0.1, 0.2, 0.3) };

    fn between(shapes: [Shape; 2], second: Vector3<f64>) -> Option<Nearest> {
        let orientation = UnitQuaternion::identity();
        let [first, other] = shapes;
        let pair = [
            PlacedShape { shape: first, centre: Vector3::zeros(), orientation },
            PlacedShape { shape: other, centre: second, orientation },
        ];
        closest(&pair, 0.5)
    }

    #[test]
    fn round_shapes_are_as_far_apart_as_their_cores_less_their_radii() {
        let near = between([BALL, CAPSULE], Vector3::new(0.3, 0.0, 0.1)).unwrap();
        assert!((near.distance - 0.15).abs() < 1e-12);
        assert!((near.normal - Vector3::x()).norm() < 1e-12);
        assert!((near.points[0] - Vector3::new(0.1, 0.0, 0.0)).norm() < 1e-12);
        assert!((near.points[1] - Vector3::new(0.25, 0.0, 0.0)).norm() < 1e-12);
    }

    #[test]
    fn shapes_that_overlap_have_a_negative_distance() {
        let near = between([CAPSULE; 2], Vector3::new(0.06, 0.0, 0.0)).unwrap();
        assert!((near.distance + 0.04).abs() < 1e-12);
        let near = between([BOX, CAPSULE], Vector3::new(0.0, 0.22, 0.0)).unwrap();
        assert!((near.distance + 0.03).abs() < 1e-9 && (near.normal - Vector3::y()).norm() < 1e-9);
    }

    #[test]
    fn boxes_are_measured_from_face_to_face() {
        let near = between([BOX; 2], Vector3::new(0.0, 0.5, 0.0)).unwrap();
        assert!((near.distance - 0.1).abs() < 1e-9 && (near.normal - Vector3::y()).norm() < 1e-9);
    }

    #[test]
    fn a_plane_has_no_closest_points() {
        assert_eq!(between([Shape::Plane, BALL], Vector3::zeros()), None);
    }

    #[test]
    fn a_capsule_off_a_corner_is_met_exactly_by_its_core_and_to_a_hundredth_of_a_millimetre_with_its_rounding()
     {
        let solid =
            PlacedShape { shape: BOX, centre: Vector3::zeros(), orientation: UnitQuaternion::identity() };
        let capsule = |centre| {
            let orientation = UnitQuaternion::new(Vector3::new(0.0, 0.7, 0.0));
            PlacedShape { shape: CAPSULE, centre, orientation }
        };
        // Its lower end is beyond the corner along all axes.
        let beyond = capsule(Vector3::new(0.0, 0.3, 0.5));
        let end = beyond.centre - beyond.orientation * (Vector3::z() * 0.2);
        let corner = Vector3::new(-0.1, 0.2, 0.3);
        let distance = (end - corner).norm() - 0.05;
        let by_core = closest(&[solid.clone(), beyond.clone()], 0.5).unwrap();
        assert!((by_core.distance - distance).abs() < 1e-12);
        assert!((by_core.points[0] - corner).norm() < 1e-12);
        let whole = closest_with_rounding(&[solid.clone(), beyond], 0.5).unwrap();
        assert!((whole.distance - distance).abs() < 1e-5);
        assert!((whole.points[0] - corner).norm() < 1e-5);
        // In front of a face both are exact.
        let pair = [solid, capsule(Vector3::new(0.4, 0.0, 0.3))];
        let [by_core, whole] = [closest(&pair, 0.5), closest_with_rounding(&pair, 0.5)].map(Option::unwrap);
        assert!((by_core.distance - whole.distance).abs() < 1e-9);
        assert!((by_core.normal - Vector3::x()).norm() < 1e-9 && (whole.normal - Vector3::x()).norm() < 1e-9);
    }
}
