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
    use crate::model::{Geom, Model, Shape};
    use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
    use parry3d_f64::math::{Pose, Vector};
    use parry3d_f64::query;
    use parry3d_f64::shape::{Capsule, Cuboid, Cylinder, Shape as ParryShape};

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
        let span = Span::of(geom, &centre, rotation, surface)?;
        if span.is_beyond(&half_lengths, reach) || span.is_over_one_face(&half_lengths) {
            return None;
        }
        let body = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*rotation));
        let geom_pose = pose(&centre, &(body * geom.orientation));
        let surface_pose = pose(&surface.position, &surface.orientation);
        let solid = Cuboid::new(vector(&half_lengths));
        let along_z = Vector::new(0.0, 0.0, 1.0);
        let contact = match geom.shape {
            Shape::Plane | Shape::Sphere { .. } => None,
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

    /// What a shape without its rounding covers along the axes of a box, from the box's middle.
    struct Span {
        centre: Vector3<f64>,
        /// m
        half_lengths: Vector3<f64>,
        /// How far the shape goes beyond that on all sides, m.
        rounding: f64,
    }

    impl Span {
        /// `None` for a plane and for a ball, which has no part between its points.
        fn of(
            geom: &Geom,
            centre: &Vector3<f64>,
            rotation: &Matrix3<f64>,
            surface: &Surface,
        ) -> Option<Self> {
            let to_surface = surface.rotation().transpose();
            let turn = to_surface * rotation * geom.orientation.to_rotation_matrix().matrix();
            let axis = turn.column(2);
            let (half_lengths, rounding) = match geom.shape {
                Shape::Plane | Shape::Sphere { .. } => return None,
                Shape::Capsule { radius, half_length } => (axis.abs() * half_length, radius),
                Shape::Cylinder { radius, half_length } => {
                    let rim = axis.map(|along| radius * (1.0 - along * along).max(0.0).sqrt());
                    (axis.abs() * half_length + rim, 0.0)
                }
                Shape::Box { half_lengths } => (turn.abs() * half_lengths, 0.0),
            };
            Some(Span { centre: to_surface * (centre - surface.position), half_lengths, rounding })
        }

        /// Whether the shape is farther than `reach` from a box of these half lengths along one of its axes.
        fn is_beyond(&self, solid: &Vector3<f64>, reach: f64) -> bool {
            let gap = self.centre.abs() - self.half_lengths - solid;
            gap.max() - self.rounding > reach
        }

        /// Whether the nearest face of the box is the same for all of the shape's core. The face is a plane to it,
        /// and the point nearest to a plane is a corner, an end or on a rim.
        fn is_over_one_face(&self, solid: &Vector3<f64>) -> bool {
            let beyond = self.centre.abs() - solid;
            let (face, _) = beyond.argmax();
            // Where the core dips in, the face stays nearer than those on the sides.
            let depth = (self.half_lengths[face] - beyond[face]).max(0.0);
            depth <= solid[face]
                && (0..3).all(|axis| axis == face || beyond[axis] + self.half_lengths[axis] <= -depth)
        }
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

#[cfg(test)]
mod tests {
    use super::pair::closest;
    use super::*;
    use crate::language::diagnostic::Source;
    use crate::model::mjcf;
    use nalgebra::{Matrix3, Rotation3, UnitQuaternion};

    const WALL: Vector3<f64> = Vector3::new(0.1, 1.0, 2.0);
    const REACH: f64 = 0.2;

    /// What the geometry library finds for a shape at `place`, its axis along a direction in the plane of x and z.
    fn at(geom: &str, place: [f64; 3], along: f64) -> Option<f64> {
        let text =
            format!(r#"<mujoco><worldbody><body name="b"><freejoint/>{geom}</body></worldbody></mujoco>"#);
        let model = mjcf::read(&Source::new("shape.xml", text)).expect("a model");
        let shape = SurfaceShape::Box { half_lengths: WALL };
        let surface = Surface::new("wall", shape, Vector3::zeros(), UnitQuaternion::identity(), 1.0);
        let turn = *Rotation3::from_axis_angle(&Vector3::y_axis(), along).matrix();
        let turn: Matrix3<f64> = turn;
        closest(&model, 0, &place.into(), &turn, &surface, REACH).map(|(_, gap, _)| gap)
    }

    const CAPSULE: &str = r#"<geom type="capsule" size="0.05 0.2" mass="1"/>"#;
    const BOX: &str = r#"<geom type="box" size="0.05 0.05 0.2" mass="1"/>"#;

    #[test]
    fn a_shape_over_one_face_leaves_it_to_its_points() {
        for geom in [CAPSULE, BOX] {
            for x in [0.3, 0.16, 0.149, -0.16] {
                assert_eq!(at(geom, [x, 0.0, 0.0], 0.3), None, "{geom} at {x}");
            }
        }
    }

    #[test]
    fn a_shape_across_an_edge_is_measured_as_a_whole() {
        // Its middle is over the upper edge of the wall, its ends are beside it.
        let gap = at(CAPSULE, [0.2, 0.0, 2.1], std::f64::consts::FRAC_PI_4 * 3.0).expect("near");
        assert!((gap - (0.02_f64.sqrt() - 0.05)).abs() < 1e-6, "{gap}");
        assert!(at(BOX, [0.2, 0.0, 2.1], std::f64::consts::FRAC_PI_4 * 3.0).is_some());
        // Over the face, but with its ends beyond the edges of both sides.
        assert!(at(CAPSULE, [0.0, 0.0, 2.1], std::f64::consts::FRAC_PI_2).is_some());
    }

    #[test]
    fn a_shape_out_of_reach_is_not_near() {
        assert_eq!(at(CAPSULE, [0.0, 1.0 + REACH + 0.06, 0.0], 0.0), None);
        assert_eq!(at(BOX, [0.1 + REACH + 0.06, 0.0, 1.9], 0.0), None);
        assert!(at(BOX, [0.1 + REACH + 0.04, 0.0, 1.9], 0.0).is_some());
    }
}
