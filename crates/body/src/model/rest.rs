//! Heights of a character: poses of bodies in a configuration, the lowest point of their shapes, and the
//! height that scales controllers.

use super::{Geom, JointKind, Model};
use nalgebra::{Isometry3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};

impl Model {
    /// World pose of each body frame at the configuration `q` (in MuJoCo's order).
    pub fn body_poses(&self, q: &[f64]) -> Vec<Isometry3<f64>> {
        let mut poses: Vec<Isometry3<f64>> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let at_rest = Isometry3::from_parts(Translation3::from(body.position), body.orientation);
            let parent = body.parent.map_or(Isometry3::identity(), |parent| poses[parent.0]);
            let mut pose = parent * at_rest;
            for joint in &self.joints[body.joints.clone()] {
                let at = joint.q_index;
                let turn = match joint.kind {
                    JointKind::Free => {
                        let translation = Translation3::new(q[at], q[at + 1], q[at + 2]);
                        pose = Isometry3::from_parts(translation, quaternion(&q[at + 3..at + 7]));
                        continue;
                    }
                    JointKind::Slide { axis } => {
                        pose.translation.vector += pose.rotation * axis * (q[at] - joint.reference);
                        continue;
                    }
                    JointKind::Ball => quaternion(&q[at..at + 4]),
                    JointKind::Hinge { axis } => {
                        UnitQuaternion::from_axis_angle(&Unit::new_unchecked(axis), q[at] - joint.reference)
                    }
                };
                let anchor = pose.translation.vector + pose.rotation * joint.anchor;
                pose.rotation *= turn;
                pose.translation.vector = anchor - pose.rotation * joint.anchor;
            }
            poses.push(pose);
        }
        poses
    }

    /// Centre of mass with the bodies at `poses`, world axes.
    pub fn centre_of_mass(&self, poses: &[Isometry3<f64>]) -> Vector3<f64> {
        let moments = self.bodies.iter().zip(poses).map(|(body, pose)| {
            body.inertia.mass * (pose.translation.vector + pose.rotation * body.inertia.centre)
        });
        moments.sum::<Vector3<f64>>() / self.mass()
    }

    /// Height (world z) of the lowest point of any colliding shape, with the bodies at `poses`. Without
    /// colliding shapes, that of its other shapes, or of its body origins.
    pub fn lowest_point(&self, poses: &[Isometry3<f64>]) -> f64 {
        let lowest_of = |counts: &dyn Fn(&Geom) -> bool| {
            let heights = self.geoms.iter().filter(|geom| counts(geom)).filter_map(|geom| {
                let pose =
                    poses[geom.body?.0] * Isometry3::from_parts(geom.position.into(), geom.orientation);
                Some(geom.shape.lowest_point(&pose))
            });
            heights.reduce(f64::min)
        };
        lowest_of(&|geom| geom.collides)
            .or_else(|| lowest_of(&|_| true))
            .or_else(|| poses.iter().map(|pose| pose.translation.z).reduce(f64::min))
            .unwrap_or(0.0)
    }

    /// Height h of the centre of mass above the lowest shape in the rest pose, m: the length that makes goals
    /// and torques dimensionless.
    pub fn rest_com_height(&self) -> f64 {
        let poses = self.body_poses(&self.rest_configuration());
        self.centre_of_mass(&poses).z - self.lowest_point(&poses)
    }
}

/// The unit quaternion of w x y z.
fn quaternion(wxyz: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(wxyz[0], wxyz[1], wxyz[2], wxyz[3]))
}

#[cfg(test)]
mod tests {
    use crate::model::{Model, Shape, mjcf};
    use aplomb_language::diagnostic::Source;
    use nalgebra::{Isometry3, Vector3};

    fn shipped(name: &str) -> Model {
        let text = match name {
            "adult.xml" => include_str!("../../../../characters/adult.xml"),
            _ => include_str!("../../../../characters/child.xml"),
        };
        mjcf::read(&Source::new(name, text)).unwrap()
    }

    #[test]
    fn the_adult_has_eighteen_bodies_and_thirty_seven_coordinates_and_weighs_62_kg() {
        let adult = shipped("adult.xml");
        assert_eq!((adult.bodies.len(), adult.nq, adult.nv), (18, 38, 37));
        assert!((adult.mass() - 62.0).abs() < 1e-9);
        assert!((adult.rest_com_height() - 0.919).abs() < 1e-3);
    }

    #[test]
    fn the_adult_is_170_cm_tall_when_upright() {
        let adult = shipped("adult.xml");
        let poses = adult.body_poses(&adult.neutral_configuration());
        let top = &adult.sites[adult.site("head_top").unwrap()];
        let height = (poses[top.body.unwrap().0] * nalgebra::Point3::from(top.position)).z;
        assert!((height - adult.lowest_point(&poses) - 1.70).abs() < 1e-9);
    }

    #[test]
    fn both_characters_rest_with_flat_feet_on_the_ground_and_the_centre_of_mass_over_them() {
        for name in ["adult.xml", "child.xml"] {
            let model = shipped(name);
            let poses = model.body_poses(&model.rest_configuration());
            assert!(model.lowest_point(&poses).abs() < 1e-12);
            for foot in ["left_foot", "left_toe", "right_foot", "right_toe"] {
                let geom = model.geoms.iter().find(|geom| geom.name == foot).unwrap();
                let pose = poses[geom.body.unwrap().0];
                assert!(pose.rotation.angle() < 1e-7, "{foot} is flat");
                let pose = pose * Isometry3::from_parts(geom.position.into(), geom.orientation);
                assert!(geom.shape.lowest_point(&pose).abs() < 1e-12, "{foot} is on the ground");
            }
            let ankle = poses[model.body("left_foot").unwrap().0].translation.x;
            let ahead = (model.centre_of_mass(&poses).x - ankle) / model.rest_com_height();
            assert!(ahead > 0.05 && ahead < 0.09);
        }
    }

    #[test]
    fn the_child_is_the_adult_scaled() {
        let (adult, child) = (shipped("adult.xml"), shipped("child.xml"));
        let (length, mass) = (0.6, 0.3);
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * (1.0 + b.abs()), "{a} {b}");
        assert_eq!(adult.bodies.len(), child.bodies.len());
        for (a, c) in adult.bodies.iter().zip(&child.bodies) {
            assert_eq!(a.name, c.name);
            near(c.inertia.mass, mass * a.inertia.mass);
            (0..3).for_each(|i| near(c.position[i], length * a.position[i]));
            (0..3).for_each(|i| near(c.inertia.centre[i], length * a.inertia.centre[i]));
            let inertia = mass * length * length * a.inertia.about_centre;
            (0..9).for_each(|i| near(c.inertia.about_centre[i], inertia[i]));
        }
        for (a, c) in adult.joints.iter().zip(&child.joints) {
            assert_eq!((&a.name, a.range, a.kind), (&c.name, c.range, c.kind));
        }
        for (a, c) in adult.torque_limits.iter().zip(&child.torque_limits).skip(6) {
            (0..2).for_each(|i| near(c[i], mass * length * a[i]));
        }
        let (a, c) = (adult.rest_configuration(), child.rest_configuration());
        (0..3).for_each(|i| near(c[i], length * a[i]));
        assert_eq!(a[3..], c[3..]);
        near(child.rest_com_height(), length * adult.rest_com_height());
    }

    #[test]
    fn left_and_right_mirror_each_other() {
        let adult = shipped("adult.xml");
        let mirrored = |v: Vector3<f64>| Vector3::new(v.x, -v.y, v.z);
        for left in adult.bodies.iter().filter(|body| body.name.starts_with("left_")) {
            let name = left.name.replace("left_", "right_");
            let right = &adult.bodies[adult.body(&name).unwrap().0];
            assert_eq!(right.position, mirrored(left.position));
            assert_eq!(right.inertia.centre, mirrored(left.inertia.centre));
            assert_eq!(right.inertia.about_centre, left.inertia.about_centre);
            for (l, r) in left.joints.clone().zip(right.joints.clone()) {
                let (l, r) = (&adult.joints[l], &adult.joints[r]);
                let crate::model::JointKind::Hinge { axis } = l.kind else { panic!("a hinge") };
                let turned = |[a, b]: [f64; 2]| if axis.y == 1.0 { [a, b] } else { [-b, -a] };
                assert_eq!(r.range, l.range.map(turned));
                assert_eq!(adult.torque_limits[r.v_index], turned(adult.torque_limits[l.v_index]));
            }
        }
    }

    #[test]
    fn the_lowest_point_of_a_tilted_shape_is_exact() {
        let tilted = Isometry3::new(Vector3::new(0.0, 0.0, 1.0), Vector3::x() * 30f64.to_radians());
        let (sine, cosine) = (0.5, 0.75f64.sqrt());
        let low = |shape: Shape| shape.lowest_point(&tilted);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
        near(low(Shape::Sphere { radius: 0.2 }), 0.8);
        near(low(Shape::Capsule { radius: 0.2, half_length: 0.4 }), 0.8 - 0.4 * cosine);
        near(low(Shape::Cylinder { radius: 0.2, half_length: 0.4 }), 1.0 - 0.2 * sine - 0.4 * cosine);
        near(low(Shape::Box { half_lengths: Vector3::new(0.1, 0.2, 0.3) }), 1.0 - 0.2 * sine - 0.3 * cosine);
    }
}
