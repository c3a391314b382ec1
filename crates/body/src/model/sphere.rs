//! A ball as a model, without a file.

use super::{Body, BodyId, BodyInertia, Geom, Joint, JointKind, Model, Shape};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Default friction of shapes, as in MuJoCo.
const FRICTION: f64 = 1.0;

impl Model {
    /// A uniform ball that moves freely: one body, with a free joint `root` and one shape, about its centre.
    /// Mass in kg, radius in m, both more than 0.
    pub fn sphere(name: &str, mass: f64, radius: f64) -> Model {
        let about_centre = Matrix3::identity() * (mass * (0.4 * radius * radius));
        let body = Body {
            name: name.into(),
            parent: None,
            position: Vector3::zeros(),
            orientation: UnitQuaternion::identity(),
            inertia: BodyInertia { mass, centre: Vector3::zeros(), about_centre },
            joints: 0..1,
            dofs: 0..6,
            last_dof: Some(5),
            pad: None,
            line: 1,
        };
        let geom = Geom {
            name: name.into(),
            body: Some(BodyId(0)),
            shape: Shape::Sphere { radius },
            position: Vector3::zeros(),
            orientation: UnitQuaternion::identity(),
            friction: FRICTION,
            collides: true,
            line: 1,
        };
        let root = Joint::free("root".into(), BodyId(0), 1);
        let unlimited = [f64::NEG_INFINITY, f64::INFINITY];
        Model {
            gravity: Vector3::new(0.0, 0.0, -9.81),
            nq: JointKind::Free.nq(),
            nv: JointKind::Free.nv(),
            dof_parent: (0..6_usize).map(|coordinate| coordinate.checked_sub(1)).collect(),
            dof_body: vec![BodyId(0); 6],
            dof_names: ["x", "y", "z", "wx", "wy", "wz"].map(|axis| format!("root.{axis}")).into(),
            armature: vec![0.0; 6],
            torque_limits: vec![unlimited; 6],
            velocity_limits: vec![f64::INFINITY; 6],
            is_actuated: vec![false; 6],
            bodies: vec![body],
            joints: vec![root],
            geoms: vec![geom],
            ..Model::empty()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::mjcf;
    use aplomb_language::diagnostic::Source;

    #[test]
    fn is_the_ball_of_a_file() {
        let text = r#"<mujoco><worldbody><body name="ball"><freejoint name="root"/>
            <geom name="ball" type="sphere" size="0.11" mass="0.43"/></body></worldbody></mujoco>"#;
        let mut read = mjcf::read(&Source::new("ball", text)).unwrap();
        // Lines of the file, and the roles of a body that a controller might control.
        read.geoms[0].line = 1;
        read.joints[0].line = 1;
        *read.roles = Default::default();
        assert_eq!(format!("{:?}", Model::sphere("ball", 0.43, 0.11)), format!("{read:?}"));
    }
}
