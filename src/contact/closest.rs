//! Where a candidate is nearest to a surface.

use super::candidate::lowest_of_rim;
use super::{Candidate, Feature, Surface, SurfaceShape};
use crate::dynamics::kinematics::Kinematics;
use crate::model::Model;
use nalgebra::Vector3;

/// Whether the pair can touch at all. Features fixed in a body are exact on a plane; against a box the whole
/// shape counts too, for edges that meet between its corners or ends.
pub fn applies(feature: &Feature, surface: &SurfaceShape) -> bool {
    match (feature, surface) {
        (Feature::Shape { .. }, SurfaceShape::HalfSpace) => false,
        (Feature::Shape { .. }, SurfaceShape::Box { .. }) => true,
        (Feature::Ball { .. } | Feature::Rim { .. }, _) => true,
    }
}

/// Touching point of the candidate (world, m), its gap to the surface (m) and the surface normal there; `None`
/// beyond `reach`.
pub fn point(
    model: &Model,
    candidate: &Candidate,
    surface: &Surface,
    kinematics: &Kinematics,
    reach: f64,
) -> Option<(Vector3<f64>, f64, Vector3<f64>)> {
    let position = &kinematics.position[candidate.body.0];
    let rotation = &kinematics.rotation[candidate.body.0];
    match candidate.feature {
        Feature::Ball { centre, radius } => {
            let centre = position + rotation * centre;
            let (distance, normal) = surface.distance(&centre);
            (distance - radius <= reach).then(|| (centre - normal * radius, distance - radius, normal))
        }
        Feature::Rim { centre, axis, radius } => {
            let (distance, normal) = surface.distance(&(position + rotation * centre));
            if distance - radius > reach {
                return None;
            }
            let point = lowest_of_rim(&centre, &axis, radius, position, rotation, &normal);
            let (gap, normal) = surface.distance(&point);
            Some((point, gap, normal))
        }
        Feature::Shape { geom } => pair::closest(model, geom, position, rotation, surface, reach),
    }
}

/// Closest points between whole shapes, by the geometry library.
pub(super) mod pair {
    use crate::contact::{Surface, SurfaceShape};
    use crate::model::{Model, Shape};
    use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
    use parry3d_f64::math::{Pose, Vector};
    use parry3d_f64::query;
    use parry3d_f64::shape::{Ball, Capsule, Cuboid, Cylinder, Shape as ParryShape};

    pub fn vector(v: &Vector3<f64>) -> Vector {
        Vector::new(v.x, v.y, v.z)
    }

    pub fn pose(position: &Vector3<f64>, orientation: &UnitQuaternion<f64>) -> Pose {
        let axis_angle = orientation.scaled_axis();
        Pose::new(vector(position), vector(&axis_angle))
    }

    pub fn closest(
        model: &Model,
        geom: usize,
        position: &Vector3<f64>,
        rotation: &Matrix3<f64>,
        surface: &Surface,
        reach: f64,
    ) -> Option<(Vector3<f64>, f64, Vector3<f64>)> {
        let SurfaceShape::Box { half_lengths } = surface.shape else { return None };
        let geom = &model.geoms[geom];
        let centre = position + rotation * geom.position;
        if (centre - surface.position).norm() > half_lengths.norm() + extent(&geom.shape) + reach {
            return None;
        }
        let body = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*rotation));
        let geom_pose = pose(&centre, &(body * geom.orientation));
        let surface_pose = pose(&surface.position, &surface.orientation);
        let solid = Cuboid::new(vector(&half_lengths));
        let along_z = Vector::new(0.0, 0.0, 1.0);
        let contact = match geom.shape {
            Shape::Plane => None,
            Shape::Sphere { radius } => touch(&surface_pose, &solid, &geom_pose, &Ball::new(radius), reach),
            Shape::Capsule { radius, half_length } => {
                let capsule = Capsule::new(along_z * -half_length, along_z * half_length, radius);
                touch(&surface_pose, &solid, &geom_pose, &capsule, reach)
            }
            Shape::Cylinder { radius, half_length } => {
                // The library's cylinder stands along y.
                let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
                let upright = pose(&centre, &(body * geom.orientation * turn));
                touch(&surface_pose, &solid, &upright, &Cylinder::new(half_length, radius), reach)
            }
            Shape::Box { half_lengths } => {
                touch(&surface_pose, &solid, &geom_pose, &Cuboid::new(vector(&half_lengths)), reach)
            }
        }?;
        let normal = Vector3::new(contact.normal1.x, contact.normal1.y, contact.normal1.z);
        let point = Vector3::new(contact.point2.x, contact.point2.y, contact.point2.z);
        Some((point, contact.dist, normal))
    }

    fn touch(
        surface: &Pose,
        solid: &Cuboid,
        geom: &Pose,
        shape: &dyn ParryShape,
        reach: f64,
    ) -> Option<query::Contact> {
        query::contact(surface, solid, geom, shape, reach).ok().flatten()
    }

    /// Radius of the sphere around its middle that holds the shape, m.
    pub fn extent(shape: &Shape) -> f64 {
        match *shape {
            Shape::Plane => f64::INFINITY,
            Shape::Sphere { radius } => radius,
            Shape::Capsule { radius, half_length } => radius + half_length,
            Shape::Cylinder { radius, half_length } => radius.hypot(half_length),
            Shape::Box { half_lengths } => half_lengths.norm(),
        }
    }
}
