//! Surfaces of contacts: the ground, boxes and height fields, with their present poses.

use super::trajectory::{Pose, Trajectory};
use crate::model::Model;
use aplomb_math::geometry::{HeightField, PlacedShape, Shape, SignedDistance, closest, distance_to_box};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::sync::Arc;

/// Largest number of iterations for the intersection of a vertical with inclined ground, and their tolerance,
/// m.
const MOST_LEANS: usize = 20;
const LEAN_ERROR: f64 = 1e-12;

/// How far below a face of a box a point beside the box may be to count as beside the edge, m: more than the
/// penetration of soles.
const BESIDE_EDGE: f64 = 5e-4;

/// Least vertical part of the normal of a contact that counts as standing on an object: 45° from the vertical.
const STANDABLE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Geometry of a surface, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum SurfaceShape {
    /// The half-space below the frame's xy plane.
    HalfSpace,
    /// A box about the origin.
    Box {
        /// Half of the edge lengths along x, y and z, m.
        half_lengths: Vector3<f64>,
    },
    /// A height field.
    #[doc(alias = "heightmap")]
    #[doc(alias = "terrain")]
    Field(Arc<HeightField>),
    /// Another convex shape about the origin.
    Solid(Arc<Shape>),
}

impl SurfaceShape {
    /// The surface of a shape; `None` for a plane.
    pub fn of(shape: &Shape) -> Option<Self> {
        match *shape {
            Shape::Plane | Shape::Field(_) => None,
            Shape::Box { half_lengths } => Some(SurfaceShape::Box { half_lengths }),
            Shape::Sphere { .. }
            | Shape::Capsule { .. }
            | Shape::Cylinder { .. }
            | Shape::Ellipsoid { .. }
            | Shape::Hull(_) => Some(SurfaceShape::Solid(Arc::new(shape.clone()))),
        }
    }

    /// Radius of the bounding sphere about the origin, m; infinite for ground.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            SurfaceShape::HalfSpace | SurfaceShape::Field(_) => f64::INFINITY,
            SurfaceShape::Box { half_lengths } => half_lengths.norm(),
            SurfaceShape::Solid(shape) => shape.bounding_radius(),
        }
    }
}

/// The owner of a moving surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A passive object, by index.
    Object(usize),
    /// A character, by index.
    Character(usize),
}

/// The part of a passive object, or the body of a character, that a surface is fixed to.
#[doc(alias = "attachment")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Object or character.
    pub of: Owner,
    /// Index among the parts of the object or the bodies of the character.
    pub part: usize,
    /// Pose of the surface on the part.
    pub place: Pose,
}

impl Seat {
    /// Index of the passive object it belongs to.
    pub fn object(&self) -> Option<usize> {
        if let Owner::Object(object) = self.of { Some(object) } else { None }
    }

    /// Index of the character it belongs to.
    pub fn character(&self) -> Option<usize> {
        if let Owner::Character(character) = self.of { Some(character) } else { None }
    }
}

/// A solid of the world.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Name in the scene.
    pub name: Arc<str>,
    /// Geometry in the surface's own frame.
    pub shape: SurfaceShape,
    /// Position in this frame, world, m.
    pub position: Vector3<f64>,
    /// Rotation from the surface's own frame to world axes.
    pub orientation: UnitQuaternion<f64>,
    /// Coefficient of friction, dimensionless.
    pub friction: f64,
    /// Weight of keeping contacts on it where they were made; `None` for the scene's weight.
    pub contact_weight: Option<f64>,
    /// Whether it exists in this frame.
    pub present: bool,
    /// Object or character that it is fixed to; `None` for a surface of the world.
    pub seat: Option<Seat>,
    /// Speed below which it is present, m/s, because a faster object strikes instead; `None` for one that is present at
    /// any speed.
    pub slow: Option<f64>,
    course: Trajectory,
    rest: Pose,
    /// Pose in the previous frame.
    before: Pose,
    after: Pose,
}

impl Surface {
    /// A fixed surface.
    pub fn new(
        name: &str,
        shape: SurfaceShape,
        position: Vector3<f64>,
        orientation: UnitQuaternion<f64>,
        friction: f64,
    ) -> Self {
        let rest = Pose { position, orientation };
        Surface {
            name: name.into(),
            shape,
            position,
            orientation,
            friction,
            contact_weight: None,
            present: true,
            seat: None,
            slow: None,
            course: Trajectory::default(),
            rest,
            before: rest,
            after: rest,
        }
    }

    /// Fixes the surface to a part of an object or a body of a character.
    pub fn of(mut self, seat: Seat) -> Self {
        self.seat = Some(seat);
        self
    }

    /// Weight of keeping a contact with this normal where it was made; `None` for the scene's weight. Characters keep
    /// their contacts with an object that they push only while it is slow where they stand on it, and otherwise only
    /// bump into it.
    pub fn weight_of_contact(&self, normal: &Vector3<f64>) -> Option<f64> {
        let is_bumped = self.slow.is_some() && normal.z < STANDABLE;
        self.contact_weight.or(is_bumped.then_some(0.0))
    }

    /// Moves with the part that it is fixed to: `part` is the pose of that part, with its velocity (m/s,
    /// rad/s), which applies to the previous frame and the coming one, each of `dt` seconds.
    pub fn ride(&mut self, part: &Pose, velocity: &Vector3<f64>, angular_velocity: &Vector3<f64>, dt: f64) {
        let Some(Seat { place, .. }) = self.seat else { return };
        let at = |time: f64| {
            let turn = UnitQuaternion::from_scaled_axis(angular_velocity * time);
            let orientation = turn * part.orientation;
            let position = part.position + velocity * time + orientation * place.position;
            Pose { position, orientation: orientation * place.orientation }
        };
        (self.before, self.after) = (at(-dt), at(dt));
        let now = at(0.0);
        (self.position, self.orientation) = (now.position, now.orientation);
    }

    /// Sets the trajectory of the surface, at the beginning of a run with frames of `dt` s.
    pub fn on(mut self, course: Trajectory, dt: f64) -> Self {
        self.course = course;
        self.advance(0.0, dt);
        self
    }

    /// Moves the surface from its pose at `time` (s) to `pose` within `dt` seconds, at constant velocity, and
    /// keeps it there until the next call.
    #[doc(alias = "kinematic")]
    #[doc(alias = "mocap")]
    pub fn drive_to(&mut self, pose: Pose, time: f64, dt: f64) {
        self.course.drive_to(&self.rest, pose, time, dt);
        self.advance(time, dt);
    }

    /// Adds to its trajectory what begins at `time` (s) or later.
    pub fn change_course(&mut self, time: f64, dt: f64, change: impl FnOnce(&mut Trajectory)) {
        change(&mut self.course);
        self.advance(time, dt);
    }

    /// Whether it never moves, vanishes or appears.
    pub fn is_still(&self) -> bool {
        self.seat.is_none() && self.course.is_still()
    }

    /// Pose in this frame.
    pub fn pose(&self) -> Pose {
        Pose { position: self.position, orientation: self.orientation }
    }

    /// Rotation from its own axes to the world's, in this frame.
    pub fn rotation(&self) -> Matrix3<f64> {
        *self.orientation.to_rotation_matrix().matrix()
    }

    /// Moves to the frame at `time`, s.
    pub fn advance(&mut self, time: f64, dt: f64) {
        if self.course.is_still() {
            return;
        }
        let at = |time: f64| self.course.pose(&self.rest, time);
        let now = at(time);
        (self.before, self.after) = (at(time - dt), at(time + dt));
        (self.position, self.orientation) = (now.position, now.orientation);
        self.present = self.course.is_present(time);
    }

    /// Displacement, since the previous frame, of the surface's material point that is now at `point`, world,
    /// m.
    pub fn way_here(&self, point: &Vector3<f64>) -> Vector3<f64> {
        if self.is_still() { Vector3::zeros() } else { point - self.pose().carry(&self.before, point) }
    }

    /// Rotation since the previous frame (rad, world axes), and the corresponding displacement of its
    /// material at the world's origin (m), to first order in the rotation.
    pub fn motion_here(&self) -> (Vector3<f64>, Vector3<f64>) {
        let turn = (self.orientation * self.before.orientation.inverse()).scaled_axis();
        let way = self.position - self.before.position;
        (turn, way - turn.cross(&self.position))
    }

    /// Displacement, until the next frame, of the surface's material point that is now at `point`, world, m.
    pub fn way_ahead(&self, point: &Vector3<f64>) -> Vector3<f64> {
        if self.is_still() { Vector3::zeros() } else { self.pose().carry(&self.after, point) - point }
    }

    /// Present position of the surface's material point that was at `point` in the previous frame, world, m.
    pub(crate) fn carried(&self, point: &Vector3<f64>) -> Vector3<f64> {
        if self.is_still() { *point } else { self.before.carry(&self.pose(), point) }
    }

    /// Direction in the next frame of a direction fixed in the surface that is now `direction`.
    pub(crate) fn turned_ahead(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        if self.is_still() { *direction } else { self.pose().turn(&self.after, direction) }
    }

    /// World height of its highest point on the vertical through a point, m, and the outward normal there; `None` if
    /// the vertical misses it, or lies in the plane of a half-space, and for solids, on which no footholds are
    /// planned.
    pub fn top(&self, point: &Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
        let rotation = self.rotation();
        let (origin, along) = (rotation.tr_mul(&(point - self.position)), rotation.tr_mul(&Vector3::z()));
        match self.shape {
            SurfaceShape::HalfSpace => {
                let normal: Vector3<f64> = rotation.column(2).into();
                // Level ground has one height, without rounding.
                let height =
                    || if normal == Vector3::z() { self.position.z } else { point.z - origin.z / along.z };
                (along.z > 1e-9).then(|| (height(), normal))
            }
            SurfaceShape::Box { half_lengths } => {
                // The highest t with origin + t along in the box, and the face through which the line leaves.
                let (mut enter, mut leave, mut face) = (f64::NEG_INFINITY, f64::INFINITY, 2);
                for axis in 0..3 {
                    let (at, step, half) = (origin[axis], along[axis], half_lengths[axis]);
                    if step.abs() < 1e-12 {
                        if at.abs() > half {
                            return None;
                        }
                        continue;
                    }
                    let far = (half * step.signum() - at) / step;
                    enter = enter.max((-half * step.signum() - at) / step);
                    if far < leave {
                        (leave, face) = (far, axis);
                    }
                }
                let normal = rotation.column(face) * along[face].signum();
                (enter <= leave).then(|| (point.z + leave, normal))
            }
            SurfaceShape::Solid(_) => None,
            // A height field may be inclined: then the vertical is intersected by iteration.
            SurfaceShape::Field(ref field) => {
                let mut way = 0.0;
                for _ in 0..MOST_LEANS {
                    let here = origin + along * way;
                    let (height, normal) = field.top(here.x, here.y)?;
                    let step = (height - here.z) / along.z;
                    way += step;
                    if step.abs() <= LEAN_ERROR {
                        return Some((point.z + way, rotation * normal));
                    }
                }
                None
            }
        }
    }

    /// Like [`Surface::distance`]; `None` if a height field or a solid is farther than `reach`, m. The distance to
    /// other surfaces is computed without a limit.
    pub(crate) fn distance_within(&self, point: &Vector3<f64>, reach: f64) -> Option<(f64, Vector3<f64>)> {
        match self.shape {
            SurfaceShape::HalfSpace | SurfaceShape::Box { .. } => Some(self.distance(point)),
            SurfaceShape::Field(ref field) => {
                let rotation = self.rotation();
                let out = field.distance(&rotation.tr_mul(&(point - self.position)), reach)?;
                Some((out.distance, rotation * out.normal))
            }
            SurfaceShape::Solid(ref shape) => {
                if (point - self.position).norm() > shape.bounding_radius() + reach {
                    return None;
                }
                let dot = PlacedShape {
                    shape: Shape::Sphere { radius: 0.0 },
                    centre: *point,
                    orientation: UnitQuaternion::identity(),
                };
                let out = closest(&[self.placed(shape), dot], reach)?;
                Some((out.distance, out.normal))
            }
        }
    }

    /// Whether it is a box and a world point is outside of it, nearer (or almost nearer) to an edge or a
    /// corner than to a face.
    pub(crate) fn is_beside_edge(&self, point: &Vector3<f64>) -> bool {
        let SurfaceShape::Box { half_lengths } = self.shape else { return false };
        let beyond = self.rotation().tr_mul(&(point - self.position)).abs() - half_lengths;
        beyond.max() > 0.0 && beyond.iter().filter(|beyond| **beyond > -BESIDE_EDGE).count() > 1
    }

    /// A solid in its pose in this frame.
    pub(crate) fn placed(&self, shape: &Shape) -> PlacedShape {
        PlacedShape { shape: shape.clone(), centre: self.position, orientation: self.orientation }
    }

    /// Signed distance of a world point from the surface (negative inside), m, and the outward unit normal
    /// there. Inside a box the nearest face counts, the first of equally near ones.
    pub fn distance(&self, point: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let rotation = self.rotation();
        let local = rotation.tr_mul(&(point - self.position));
        match self.shape {
            SurfaceShape::HalfSpace => (local.z, rotation.column(2).into()),
            SurfaceShape::Box { half_lengths } => {
                let SignedDistance { distance, normal } = distance_to_box(&local, &half_lengths);
                (distance, rotation * normal)
            }
            SurfaceShape::Field(ref field) => {
                // Without a bound there is always a nearest point.
                let out = field.distance(&local, f64::INFINITY);
                out.map_or((f64::INFINITY, Vector3::z()), |out| (out.distance, rotation * out.normal))
            }
            SurfaceShape::Solid(_) => {
                let reach = (point - self.position).norm();
                self.distance_within(point, reach).unwrap_or((reach, Vector3::z()))
            }
        }
    }
}

/// Surfaces for the shapes of the bodies of the character `number`, with a coefficient of friction and the
/// names `name.BODY`. Their poses are set from the first frame on.
pub fn bodies_of(model: &Model, number: usize, name: &str, friction: f64) -> Vec<Surface> {
    let geoms = model.geoms.iter().filter(|geom| geom.collides);
    let surfaces = geoms.filter_map(|geom| {
        let (body, shape) = (geom.body?, SurfaceShape::of(&geom.shape)?);
        let place = Pose { position: geom.position, orientation: geom.orientation };
        let name = format!("{name}.{}", model.bodies[body.0].name);
        let mut surface = Surface::new(&name, shape, place.position, place.orientation, friction);
        // Contacts between characters are not kept in place.
        surface.contact_weight = Some(0.0);
        Some(surface.of(Seat { of: Owner::Character(number), part: body.0, place }))
    });
    surfaces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_slope_is_where_the_vertical_leaves_it() {
        let shape = SurfaceShape::Box { half_lengths: Vector3::new(1.0, 2.0, 0.5) };
        let tilt = UnitQuaternion::from_scaled_axis(Vector3::y() * -0.3);
        let slope = Surface::new("slope", shape, Vector3::new(0.2, 0.0, 0.1), tilt, 1.0);
        let (height, normal) = slope.top(&Vector3::new(0.4, 0.7, -3.0)).unwrap();
        let (distance, outward) = slope.distance(&Vector3::new(0.4, 0.7, height));
        assert!(distance.abs() < 1e-12 && (normal - outward).norm() < 1e-12 && normal.z > 0.9);
        let (above, _) = slope.distance(&Vector3::new(0.4, 0.7, height + 0.01));
        assert!(above > 0.0, "nothing of it is higher");
        assert!(slope.top(&Vector3::new(0.4, 2.1, 0.0)).is_none());
        let ground = Surface::new("ground", SurfaceShape::HalfSpace, Vector3::z() * 0.3, tilt, 1.0);
        let (height, _) = ground.top(&Vector3::new(1.0, 5.0, 2.0)).unwrap();
        assert!(ground.distance(&Vector3::new(1.0, 5.0, height)).0.abs() < 1e-12);
    }

    #[test]
    fn distance_to_a_box_is_to_its_nearest_face_edge_or_corner() {
        let shape = SurfaceShape::Box { half_lengths: Vector3::new(1.0, 2.0, 0.5) };
        let centre = Vector3::new(0.0, 0.0, 0.5);
        let surface = Surface::new("step", shape, centre, UnitQuaternion::identity(), 1.0);
        let (gap, normal) = surface.distance(&Vector3::new(0.2, 0.1, 1.3));
        assert!((gap - 0.3).abs() < 1e-15 && normal == Vector3::z());
        let (gap, _) = surface.distance(&Vector3::new(1.3, 0.0, 1.4));
        assert!((gap - 0.5).abs() < 1e-15);
        let (gap, normal) = surface.distance(&Vector3::new(0.0, 0.0, 0.9));
        assert!((gap + 0.1).abs() < 1e-15 && normal == Vector3::z());
    }

    #[test]
    fn beside_an_edge_is_outside_and_at_most_a_hair_below_the_other_face() {
        let shape = SurfaceShape::Box { half_lengths: Vector3::new(1.0, 2.0, 0.5) };
        let surface = Surface::new("step", shape, Vector3::zeros(), UnitQuaternion::identity(), 1.0);
        let beside = |x, z| surface.is_beside_edge(&Vector3::new(x, 0.0, z));
        assert!(beside(1.0002, 0.5001) && beside(1.2, 0.7) && beside(-1.0002, 0.49998));
        assert!(!beside(0.9998, 0.49998), "it stands on the upper face");
        assert!(!beside(1.0002, 0.49), "it leans on the side");
        assert!(!beside(0.9, 0.7));
    }
}
