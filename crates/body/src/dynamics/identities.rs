//! Tests of the algorithms against each other on random trees.

use super::momentum;
use super::random_tree::{JointPlan, Sample, add_body, empty, tree};
use super::{BiasDerivative, ForwardDynamics, InverseDynamics, Kinematics, mass_matrix};
use crate::model::state::integrate;
use crate::model::{BodyId, BodyInertia, JointKind, Model};
use aplomb_math::matrix::RowMatrix;
use aplomb_math::spatial::Force;
use nalgebra::{DMatrix, Matrix3, UnitQuaternion, Vector3};
use proptest::prelude::*;

fn kinematics(model: &Model, q: &[f64], v: &[f64]) -> Kinematics {
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, q, v);
    kinematics
}

fn matrix_of(model: &Model, kinematics: &Kinematics) -> RowMatrix {
    let mut matrix = RowMatrix::default();
    mass_matrix(model, kinematics, &mut matrix);
    matrix
}

fn bias_of(model: &Model, kinematics: &Kinematics, gravity: &Vector3<f64>) -> Vec<f64> {
    let mut h = vec![0.0; model.nv];
    InverseDynamics::new(model).bias_force(model, kinematics, gravity, &mut h);
    h
}

/// Kinematics a time `dt` later, or earlier, at constant v.
fn moved(model: &Model, Sample { q, v, .. }: &Sample, dt: f64) -> Kinematics {
    let step: Vec<f64> = v.iter().map(|rate| rate * dt).collect();
    let mut later = vec![0.0; model.nq];
    integrate(model, q, &step, &mut later);
    kinematics(model, &later, v)
}

fn size(numbers: &[f64]) -> f64 {
    numbers.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()))
}

fn assert_close(a: &[f64], b: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    let allowed = tolerance * size(a).max(size(b));
    for (index, (x, y)) in a.iter().zip(b).enumerate() {
        prop_assert!((x - y).abs() <= allowed, "entry {index}: {x} is not {y} (allowed {allowed:e})");
    }
    Ok(())
}

fn times(rows: &[f64], v: &[f64]) -> Vec<f64> {
    rows.chunks_exact(v.len().max(1)).map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
}

const STEP: f64 = 1e-5;

fn derivative(later: &[f64], earlier: &[f64]) -> Vec<f64> {
    later.iter().zip(earlier).map(|(a, b)| (a - b) / (2.0 * STEP)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn forward_dynamics_undoes_inverse_dynamics((model, sample) in tree()) {
        let Sample { q, v, acceleration, gravity, external, .. } = &sample;
        let kinematics = kinematics(&model, q, v);
        let mut tau = vec![0.0; model.nv];
        let mut inverse = InverseDynamics::new(&model);
        inverse.inverse_dynamics(&model, &kinematics, acceleration, gravity, external, &mut tau);
        let mut back = vec![0.0; model.nv];
        let mut forward = ForwardDynamics::new(&model);
        forward.forward_dynamics(&model, &kinematics, &tau, gravity, external, &mut back);
        assert_close(acceleration, &back, 1e-8)?;
    }

    #[test]
    fn the_mass_matrix_and_the_bias_force_balance_the_joint_forces((model, sample) in tree()) {
        let Sample { q, v, tau, gravity, .. } = &sample;
        let kinematics = kinematics(&model, q, v);
        let mut acceleration = vec![0.0; model.nv];
        let mut forward = ForwardDynamics::new(&model);
        forward.forward_dynamics(&model, &kinematics, tau, gravity, &[], &mut acceleration);
        let inertial = times(matrix_of(&model, &kinematics).as_slice(), &acceleration);
        let h = bias_of(&model, &kinematics, gravity);
        let total: Vec<f64> = inertial.iter().zip(&h).map(|(a, b)| a + b).collect();
        let allowed = 1e-11 * size(&inertial).max(size(&acceleration));
        for (x, y) in total.iter().zip(tau) {
            prop_assert!((x - y).abs() < allowed.max(1e-9), "{x} {y}");
        }
    }

    #[test]
    fn columns_of_the_mass_matrix_are_forces_of_unit_accelerations((model, sample) in tree()) {
        let kinematics = kinematics(&model, &sample.q, &vec![0.0; model.nv]);
        let matrix = matrix_of(&model, &kinematics);
        let mut inverse = InverseDynamics::new(&model);
        let mut column = vec![0.0; model.nv];
        for j in 0..model.nv {
            let mut unit = vec![0.0; model.nv];
            unit[j] = 1.0;
            inverse.inverse_dynamics(&model, &kinematics, &unit, &Vector3::zeros(), &[], &mut column);
            assert_close(matrix.row(j), &column, 1e-12)?;
        }
    }

    #[test]
    fn the_mass_matrix_is_symmetric_and_positive_definite((model, sample) in tree()) {
        let kinematics = kinematics(&model, &sample.q, &sample.v);
        let matrix = matrix_of(&model, &kinematics);
        let dense = DMatrix::from_row_slice(model.nv, model.nv, matrix.as_slice());
        prop_assert_eq!(dense.transpose(), dense.clone());
        prop_assert!(dense.cholesky().is_some());
        let rates = &sample.v;
        let twice: f64 = times(matrix.as_slice(), rates).iter().zip(rates).map(|(a, b)| a * b).sum();
        assert_close(&[0.5 * twice], &[momentum::kinetic_energy(&model, &kinematics)], 1e-12)?;
    }

    #[test]
    fn jacobians_give_the_velocities_of_points((model, sample) in tree(), local in [-0.3..0.3, -0.3..0.3, -0.3..0.3]) {
        let now = kinematics(&model, &sample.q, &sample.v);
        let (later, earlier) = (moved(&model, &sample, STEP), moved(&model, &sample, -STEP));
        let local = Vector3::from(local);
        let mut jacobian = vec![0.0; 3 * model.nv];
        for body in (0..model.bodies.len()).map(BodyId) {
            let point = now.point(body, &local);
            now.point_jacobian(&model, body, &point, &mut jacobian);
            let velocity = now.point_velocity(body, &point);
            let measured = derivative(later.point(body, &local).as_slice(), earlier.point(body, &local).as_slice());
            assert_close(velocity.as_slice(), &measured, 1e-7)?;
            now.angular_jacobian(&model, body, &mut jacobian);
            let turning = now.velocity[body.0].angular.cross_matrix() * now.rotation[body.0];
            let measured = derivative(later.rotation[body.0].as_slice(), earlier.rotation[body.0].as_slice());
            assert_close(turning.as_slice(), &measured, 1e-7)?;
            if model.nv > 0 {
                assert_close(now.velocity[body.0].angular.as_slice(), &times(&jacobian, &sample.v), 1e-12)?;
                now.point_jacobian(&model, body, &point, &mut jacobian);
                assert_close(velocity.as_slice(), &times(&jacobian, &sample.v), 1e-12)?;
            }
        }
    }

    #[test]
    fn bias_accelerations_are_what_is_left_when_the_coordinates_do_not_accelerate((model, sample) in tree()) {
        let now = kinematics(&model, &sample.q, &sample.v);
        let (later, earlier) = (moved(&model, &sample, STEP), moved(&model, &sample, -STEP));
        let local = Vector3::new(0.1, -0.2, 0.15);
        for body in (0..model.bodies.len()).map(BodyId) {
            let velocity = |k: &Kinematics| k.point_velocity(body, &k.point(body, &local));
            let bias = now.point_bias_acceleration(body, &now.point(body, &local));
            let measured = derivative(velocity(&later).as_slice(), velocity(&earlier).as_slice());
            assert_close(bias.as_slice(), &measured, 1e-6)?;
            let turning = |k: &Kinematics| k.velocity[body.0].angular;
            let measured = derivative(turning(&later).as_slice(), turning(&earlier).as_slice());
            assert_close(now.angular_bias_acceleration(body).as_slice(), &measured, 1e-6)?;
        }
    }

    #[test]
    fn the_centre_of_mass_and_the_momenta_agree_with_their_matrices((model, sample) in tree()) {
        let now = kinematics(&model, &sample.q, &sample.v);
        let (later, earlier) = (moved(&model, &sample, STEP), moved(&model, &sample, -STEP));
        let velocity = momentum::com_velocity(&now);
        let measured = derivative(momentum::com(&later).as_slice(), momentum::com(&earlier).as_slice());
        assert_close(velocity.as_slice(), &measured, 1e-7)?;
        let rate = derivative(momentum::com_velocity(&later).as_slice(), momentum::com_velocity(&earlier).as_slice());
        assert_close(momentum::com_bias_acceleration(&now).as_slice(), &rate, 1e-6)?;

        let flat = |Force { moment, force }: Force| [moment.x, moment.y, moment.z, force.x, force.y, force.z];
        let both = |k: &Kinematics| flat(momentum::centroidal_momentum(k));
        let rate = derivative(&both(&later), &both(&earlier));
        assert_close(&flat(momentum::centroidal_bias_rate(&now)), &rate, 1e-6)?;
        prop_assert!((both(&now)[3] - model.mass() * velocity.x).abs() < 1e-10);
        if model.nv > 0 {
            let mut jacobian = vec![0.0; 3 * model.nv];
            momentum::com_jacobian(&model, &now, &mut jacobian);
            assert_close(velocity.as_slice(), &times(&jacobian, &sample.v), 1e-12)?;
            let mut matrix = vec![0.0; 6 * model.nv];
            momentum::centroidal_matrix(&model, &now, &mut matrix);
            assert_close(&both(&now), &times(&matrix, &sample.v), 1e-11)?;
        }
    }

    #[test]
    fn the_bias_force_differs_between_two_velocities_as_its_derivative_says((model, sample) in tree()) {
        let Sample { q, v, gravity, .. } = &sample;
        let mut at = kinematics(&model, q, v);
        let mut matrix = RowMatrix::default();
        BiasDerivative::new(&model).bias_velocity_matrix(&model, &at, &mut matrix);
        for k in 0..model.nv {
            // Central differences of a quadratic are exact at any step.
            let mut shifted = v.clone();
            shifted[k] = v[k] + 1.0;
            at.update_velocity(&model, &shifted);
            let above = bias_of(&model, &at, gravity);
            shifted[k] = v[k] - 1.0;
            at.update_velocity(&model, &shifted);
            let below = bias_of(&model, &at, gravity);
            let measured: Vec<f64> = above.iter().zip(&below).map(|(a, b)| 0.5 * (a - b)).collect();
            let column: Vec<f64> = (0..model.nv).map(|j| matrix.row(j)[k]).collect();
            let allowed = 1e-12 * size(&above).max(size(&below));
            for (x, y) in column.iter().zip(&measured) {
                prop_assert!((x - y).abs() < allowed, "column {k}: {x} {y}");
            }
        }
    }

    #[test]
    fn external_forces_do_what_equal_joint_forces_do((model, sample) in tree()) {
        let Sample { q, v, acceleration, gravity, .. } = &sample;
        let now = kinematics(&model, q, v);
        let mut inverse = InverseDynamics::new(&model);
        let (mut without, mut with) = (vec![0.0; model.nv], vec![0.0; model.nv]);
        inverse.inverse_dynamics(&model, &now, acceleration, gravity, &[], &mut without);
        let last = BodyId(model.bodies.len() - 1);
        let point = now.point(last, &Vector3::new(0.1, 0.2, 0.3));
        let (push, torque) = (Vector3::new(3.0, -4.0, 5.0), Vector3::new(0.3, 0.2, -0.1));
        let mut external = vec![Force::default(); model.bodies.len()];
        external[last.0] = Force::at_point(&point, push, torque);
        inverse.inverse_dynamics(&model, &now, acceleration, gravity, &external, &mut with);
        let (mut jacobian, mut angular) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
        now.point_jacobian(&model, last, &point, &mut jacobian);
        now.angular_jacobian(&model, last, &mut angular);
        for j in 0..model.nv {
            let entry = |k: usize| jacobian[k * model.nv + j] * push[k] + angular[k * model.nv + j] * torque[k];
            let expected = without[j] - (entry(0) + entry(1) + entry(2));
            prop_assert!((with[j] - expected).abs() < 1e-12 * size(&without), "{} {expected}", with[j]);
        }
    }
}

/// A floating body with a slider, a ball and an off-centre hinge in a row.
fn swinging_tree() -> Model {
    let inertia = BodyInertia {
        mass: 1.5,
        centre: Vector3::new(0.02, -0.03, 0.1),
        about_centre: Matrix3::from_diagonal(&Vector3::new(0.02, 0.03, 0.025)),
    };
    let pose = |x: f64| (Vector3::new(x, 0.1, -0.2), UnitQuaternion::from_euler_angles(0.3, x, -0.2));
    let mut model = empty();
    let root = add_body(&mut model, None, pose(0.0), inertia, &[JointPlan::new(JointKind::Free)]);
    let slide = JointPlan::new(JointKind::Slide { axis: Vector3::new(0.6, 0.0, 0.8) });
    let anchor = Vector3::new(0.0, 0.05, 0.1);
    let ball = JointPlan { anchor, armature: 0.01, ..JointPlan::new(JointKind::Ball) };
    let arm = add_body(&mut model, Some(root), pose(0.2), inertia, &[slide, ball]);
    let hinge = JointPlan { anchor, ..JointPlan::new(JointKind::Hinge { axis: Vector3::y() }) };
    add_body(&mut model, Some(arm), pose(0.3), inertia, &[hinge]);
    model
}

#[test]
fn a_free_swing_keeps_its_energy_and_its_momentum() {
    let model = swinging_tree();
    let weightless = Vector3::zeros();
    let mut q = model.neutral_configuration();
    let mut v: Vec<f64> = (0..model.nv).map(|j| (1.3 * j as f64).sin()).collect();
    let mut now = Kinematics::new(&model);
    let mut forward = ForwardDynamics::new(&model);
    let mut rate = |q: &[f64], v: &[f64]| {
        now.update(&model, q, v);
        let mut acceleration = vec![0.0; model.nv];
        let tau = vec![0.0; model.nv];
        forward.forward_dynamics(&model, &now, &tau, &weightless, &[], &mut acceleration);
        acceleration
    };
    let add = |a: &[f64], b: &[f64], scale: f64| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| a + scale * b).collect()
    };
    let start = kinematics(&model, &q, &v);
    let dt = 1e-3;
    for _ in 0..300 {
        // Midpoint rule on the group: second order, which suffices to detect a wrong sign.
        let acceleration = rate(&q, &v);
        let half_v = add(&v, &acceleration, 0.5 * dt);
        let mut half_q = q.clone();
        integrate(&model, &q, &v.iter().map(|x| 0.5 * dt * x).collect::<Vec<_>>(), &mut half_q);
        let acceleration = rate(&half_q, &half_v);
        let mut next = q.clone();
        integrate(&model, &q, &half_v.iter().map(|x| dt * x).collect::<Vec<_>>(), &mut next);
        q = next;
        v = add(&v, &acceleration, dt);
    }
    let end = kinematics(&model, &q, &v);
    let energy = [momentum::kinetic_energy(&model, &start), momentum::kinetic_energy(&model, &end)];
    assert!((energy[0] - energy[1]).abs() < 1e-5 * energy[0], "{energy:?}");
    let (before, after) = (momentum::centroidal_momentum(&start), momentum::centroidal_momentum(&end));
    // Armature is inertia of rotors that carry no momentum of their own; only the force is exact.
    assert!((before.force - after.force).norm() < 1e-4, "{before:?} {after:?}");
}

#[test]
fn potential_energy_rises_with_height() {
    let model = swinging_tree();
    let mut q = model.neutral_configuration();
    let still = vec![0.0; model.nv];
    let low = momentum::potential_energy(&kinematics(&model, &q, &still), &model.gravity);
    q[2] += 2.0;
    let high = momentum::potential_energy(&kinematics(&model, &q, &still), &model.gravity);
    assert!((high - low - 2.0 * 9.81 * model.mass()).abs() < 1e-10);
}

#[test]
fn a_model_without_anything_in_it_has_no_dynamics_to_speak_of() {
    let model = empty();
    let nothing = kinematics(&model, &[], &[]);
    assert_eq!(momentum::com(&nothing), Vector3::zeros());
    assert_eq!(matrix_of(&model, &nothing).rows(), 0);
    assert!(bias_of(&model, &nothing, &model.gravity).is_empty());
}
