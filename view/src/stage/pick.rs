//! Picking: the target under the mouse.

use super::shape::{Primitive, Solid};
use crate::camera::Ray;
use crate::session::PushTarget;
use glam::Vec3;

/// The first intersection of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Target that is hit.
    pub target: PushTarget,
    /// Point in world axes, m.
    pub point: Vec3,
    /// Distance from the eye, m.
    pub distance: f32,
}

/// Least radius of threads for picking, m.
const REACH: f32 = 0.02;

/// The first target along the ray. Cylinders count as their bounding boxes, and threads as thicker than they
/// are.
pub fn pick(solids: &[Solid], ray: Ray) -> Option<RayHit> {
    let hits = solids.iter().filter_map(|solid| {
        let target = solid.target?;
        let distance = meet(solid, ray)?;
        Some(RayHit { target, point: ray.origin + distance * ray.direction, distance })
    });
    hits.min_by(|one, other| one.distance.total_cmp(&other.distance))
}

/// Whether a solid that is not a target, such as a wall, lies between the eye and this distance along the ray.
pub fn is_hidden(solids: &[Solid], ray: Ray, distance: f32) -> bool {
    let fixed = solids.iter().filter(|solid| solid.target.is_none());
    fixed.filter_map(|solid| meet(solid, ray)).any(|met| met < distance)
}

/// Distance along the ray to the solid.
fn meet(solid: &Solid, ray: Ray) -> Option<f32> {
    let back = solid.rotation.inverse();
    let (origin, direction) = (back * (ray.origin - solid.position), back * ray.direction);
    match solid.primitive {
        Primitive::Round => capsule(origin, direction, solid.size.x, solid.half_length),
        Primitive::Rod => capsule(origin, direction, solid.size.x.max(REACH), solid.half_length),
        Primitive::Box => slabs(origin, direction, solid.size),
        Primitive::Cylinder => {
            slabs(origin, direction, Vec3::new(solid.size.x, solid.size.y, solid.half_length))
        }
        Primitive::Cone => None,
    }
}

/// |o + t d − s z|² = r² for the nearest s on the axis, −h ≤ s ≤ h: its side, else the balls at its ends.
fn capsule(origin: Vec3, direction: Vec3, radius: f32, half_length: f32) -> Option<f32> {
    let side = root(
        direction.truncate().length_squared(),
        origin.truncate().dot(direction.truncate()),
        origin.truncate().length_squared() - radius * radius,
    );
    if let Some(distance) = side.filter(|t| (origin.z + t * direction.z).abs() <= half_length) {
        return Some(distance);
    }
    let ball = |end: f32| {
        let from = origin - Vec3::Z * end;
        root(1.0, from.dot(direction), from.length_squared() - radius * radius)
    };
    [ball(half_length), ball(-half_length)].into_iter().flatten().min_by(f32::total_cmp)
}

/// The smaller root of a t² + 2 b t + c, if it is positive.
fn root(a: f32, b: f32, c: f32) -> Option<f32> {
    let discriminant = b * b - a * c;
    (a > 1e-9 && discriminant >= 0.0).then(|| (-b - discriminant.sqrt()) / a).filter(|t| *t > 0.0)
}

fn slabs(origin: Vec3, direction: Vec3, half: Vec3) -> Option<f32> {
    let inverse = direction.recip();
    let (one, other) = ((-half - origin) * inverse, (half - origin) * inverse);
    let (enter, leave) = (one.min(other).max_element(), one.max(other).min_element());
    (enter <= leave && enter > 0.0).then_some(enter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb::model::{BodyId, Shape};
    use glam::Quat;
    use nalgebra::Vector3;

    fn solid(shape: Shape, at: [f64; 3], body: usize) -> Solid {
        let target = Some(PushTarget::Body { character: 0, body: BodyId(body) });
        let turn = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        Solid { target, ..Solid::of(&shape, &Vector3::from(at), turn, [1.0; 4]) }
    }

    #[test]
    fn the_nearest_is_met_where_its_surface_is() {
        let capsule = solid(Shape::Capsule { radius: 0.1, half_length: 0.5 }, [0.0, 0.0, 0.0], 1);
        let cube = solid(Shape::Box { half_lengths: Vector3::new(0.2, 0.2, 0.2) }, [0.0, 0.0, -2.0], 2);
        let down = |x: f32| Ray { origin: Vec3::new(x, 0.0, 5.0), direction: Vec3::NEG_Z };
        let solids = [cube, capsule];
        let hit = pick(&solids, down(0.4)).unwrap();
        assert_eq!(hit.target, capsule.target.unwrap());
        assert!((hit.point.z - 0.1).abs() < 1e-5);
        let end = pick(&solids, down(0.56)).unwrap();
        assert!((end.point.z - 0.08).abs() < 1e-4, "on the ball at its end: {}", end.point.z);
        assert_eq!(pick(&solids, down(0.7)), None);
        assert!((pick(&[cube], down(0.1)).unwrap().distance - 6.8).abs() < 1e-5);
        let wall = [Solid { target: None, ..cube }];
        assert_eq!(pick(&wall, down(0.1)), None);
        assert!(is_hidden(&wall, down(0.1), 7.0) && !is_hidden(&wall, down(0.1), 6.0));
    }
}
