//! Every quantity of single states.

use super::Comparison;
use super::data::{Agreement, Case, Point, Rows, States, load};
use aplomb::dynamics::{ForwardDynamics, InverseDynamics, Kinematics, mass_matrix, momentum};
use aplomb::math::matrix::RowMatrix;
use aplomb::math::spatial::Force;
use aplomb::model::{BodyId, Model};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

const TOLERANCE: f64 = 1e-9;

#[test]
fn every_quantity_of_every_state_agrees() {
    let mut comparison = Comparison::default();
    for (name, model, states) in load::<States>("refdata-states-1", |states| &states.model) {
        for (index, case) in states.cases.iter().enumerate() {
            let check = Check {
                place: format!("{name} {index}"),
                model: &model,
                case,
                agreement: &states.agreement_mujoco_vs_pinocchio,
                kinematics: {
                    let mut kinematics = Kinematics::new(&model);
                    kinematics.update(&model, &case.q, &case.v);
                    kinematics
                },
            };
            check.poses(&mut comparison);
            check.equations_of_motion(&mut comparison);
            check.momenta_and_energies(&mut comparison);
            for point in &case.expected.points {
                check.point(point, &mut comparison);
            }
        }
    }
    comparison.finish("States");
}

struct Check<'a> {
    place: String,
    model: &'a Model,
    case: &'a Case,
    agreement: &'a Agreement,
    kinematics: Kinematics,
}

impl Check<'_> {
    fn body(&self, name: &str) -> BodyId {
        self.model.body(name).unwrap_or_else(|| panic!("{}: no body {name}", self.place))
    }

    /// Tolerance of a quantity. One that depends on solving with M is affected by its condition number: the tolerance
    /// is no tighter than the agreement of the two engines.
    fn tolerance_of(&self, quantity: &str) -> f64 {
        let agreed = self.agreement.max_rel.get(quantity).copied().flatten().unwrap_or(0.0);
        TOLERANCE.max(12.0 * agreed)
    }

    fn poses(&self, comparison: &mut Comparison) {
        for (name, pose) in &self.case.expected.bodies {
            let BodyId(body) = self.body(name);
            let [w, x, y, z] = pose.quat;
            let rotation = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)).to_rotation_matrix();
            let (position, got) = (&self.kinematics.position[body], &self.kinematics.rotation[body]);
            comparison.compare(
                &self.place,
                "body position",
                position.as_slice(),
                pose.pos.as_slice(),
                TOLERANCE,
            );
            let rotation = rotation.matrix().as_slice();
            comparison.compare(&self.place, "body rotation", got.as_slice(), rotation, TOLERANCE);
        }
    }

    /// The external force on each body, with the moment about the world origin.
    fn external(&self) -> Vec<Force> {
        let mut forces = vec![Force::default(); self.model.bodies.len()];
        for external in &self.case.external {
            let body = self.body(&external.body);
            let point = self.kinematics.point(body, &external.point_local.into());
            assert!(
                (point - Vector3::from(external.point_world)).norm() < 1e-9,
                "{}: external force",
                self.place
            );
            forces[body.0] +=
                Force::at_point(&point, external.force_world.into(), external.torque_world.into());
        }
        forces
    }

    fn equations_of_motion(&self, comparison: &mut Comparison) {
        let Check { place, model, case, kinematics, .. } = self;
        let expected = &case.expected;
        let (gravity, external) = (case.gravity.into(), self.external());
        let mut out = vec![0.0; model.nv];
        let mut inverse = InverseDynamics::new(model);

        inverse.bias_force(model, kinematics, &gravity, &mut out);
        comparison.compare(place, "h", &out, &expected.h, TOLERANCE);

        inverse.inverse_dynamics(model, kinematics, &case.qacc_for_id, &gravity, &external, &mut out);
        comparison.compare(place, "tau_id", &out, &expected.tau_id, TOLERANCE);

        let mut still = kinematics.clone();
        still.update_velocity(model, &vec![0.0; model.nv]);
        let (at_rest, weightless) = (vec![0.0; model.nv], Vector3::zeros());
        inverse.inverse_dynamics(model, &still, &at_rest, &weightless, &external, &mut out);
        let acting: Vec<f64> = out.iter().map(|tau| -tau).collect();
        comparison.compare(place, "qfrc_external", &acting, &expected.qfrc_external, TOLERANCE);

        let mut forward = ForwardDynamics::new(model);
        forward.forward_dynamics(model, kinematics, &case.tau, &gravity, &external, &mut out);
        comparison.compare(place, "qdd", &out, &expected.qdd, self.tolerance_of("qdd"));

        if let Some(rows) = &expected.M {
            let mut matrix = RowMatrix::default();
            mass_matrix(model, kinematics, &mut matrix);
            comparison.compare(place, "M", matrix.as_slice(), &flat(rows), TOLERANCE);
        }
    }

    fn momenta_and_energies(&self, comparison: &mut Comparison) {
        let Check { place, model, case, kinematics, .. } = self;
        let expected = &case.expected;
        let nv = model.nv;
        let mut near = |quantity, got: &[f64], expected: &[f64]| {
            comparison.compare(place, quantity, got, expected, TOLERANCE);
        };
        near("com", momentum::com(kinematics).as_slice(), expected.com.as_slice());
        let mut jacobian = vec![0.0; 3 * nv];
        momentum::com_jacobian(model, kinematics, &mut jacobian);
        near("Jcom", &jacobian, &flat(&expected.Jcom));
        let both = momentum::centroidal_momentum(kinematics);
        near("lin_momentum", both.force.as_slice(), expected.lin_momentum.as_slice());
        near("ang_momentum_com", both.moment.as_slice(), expected.ang_momentum_com.as_slice());
        near("kinetic", &[momentum::kinetic_energy(model, kinematics)], &[expected.kinetic]);
        near(
            "potential",
            &[momentum::potential_energy(kinematics, &case.gravity.into())],
            &[expected.potential],
        );
        near("total_mass", &[model.mass()], &[expected.total_mass]);

        let mut matrix = vec![0.0; 6 * nv];
        momentum::centroidal_matrix(model, kinematics, &mut matrix);
        if let Some(rows) = &expected.A_ang {
            near("A_ang", &matrix[..3 * nv], &flat(rows));
        }
        let rate = times(&matrix, &expected.qdd);
        let bias = momentum::centroidal_bias_rate(kinematics);
        let linear: Vec<f64> = rate[3..].iter().zip(bias.force.iter()).map(|(a, b)| a + b).collect();
        let angular: Vec<f64> = rate[..3].iter().zip(bias.moment.iter()).map(|(a, b)| a + b).collect();
        near("dmomentum_dt linear", &linear, expected.dmomentum_dt.linear.as_slice());
        near("dmomentum_dt angular", &angular, expected.dmomentum_dt.angular_com.as_slice());
    }

    fn point(&self, expected: &Point, comparison: &mut Comparison) {
        let Check { place, model, case, kinematics, .. } = self;
        let body = self.body(&expected.body);
        let at = kinematics.point(body, &expected.point_local.into());
        let (mut linear, mut angular) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
        kinematics.point_jacobian(model, body, &at, &mut linear);
        kinematics.angular_jacobian(model, body, &mut angular);
        let bias = kinematics.point_bias_acceleration(body, &at);
        let turning = kinematics.angular_bias_acceleration(body);
        let sum = |rate: Vec<f64>, bias: &[f64]| -> Vec<f64> {
            rate.iter().zip(bias).map(|(a, b)| a + b).collect()
        };
        let acceleration = sum(times(&linear, &case.expected.qdd), bias.as_slice());
        let spin_rate = sum(times(&angular, &case.expected.qdd), turning.as_slice());

        let mut near = |quantity, got: &[f64], expected: &[f64]| {
            comparison.compare(place, quantity, got, expected, TOLERANCE);
        };
        near("point position", at.as_slice(), expected.point_world.as_slice());
        near("Jp", &linear, &flat(&expected.Jp));
        near("Jr", &angular, &flat(&expected.Jr));
        near("point velocity", kinematics.point_velocity(body, &at).as_slice(), expected.velocity.as_slice());
        near("ang_vel", kinematics.velocity[body.0].angular.as_slice(), expected.ang_vel.as_slice());
        near("acc_bias", bias.as_slice(), expected.acc_bias.as_slice());
        let tolerance = self.tolerance_of("acc");
        comparison.compare(place, "acc", &acceleration, expected.acc.as_slice(), tolerance);
        let tolerance = self.tolerance_of("ang_acc");
        comparison.compare(place, "ang_acc", &spin_rate, expected.ang_acc.as_slice(), tolerance);
    }
}

fn flat(rows: &Rows) -> Vec<f64> {
    rows.concat()
}

fn times(rows: &[f64], v: &[f64]) -> Vec<f64> {
    rows.chunks_exact(v.len().max(1)).map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
}
