//! Effect of the velocity of the bias force on accuracy: order of convergence and energy of a free swing.
//!
//! `cargo test --test it convergence -- --nocapture` prints the figures.

use aplomb::contact::Contacts;
use aplomb::dynamics::{BiasVelocity, ForwardDynamics, Kinematics, momentum};
use aplomb::language::diagnostic::Source;
use aplomb::model::scales::Scales;
use aplomb::model::state::{self, State};
use aplomb::model::{Model, mjcf};
use aplomb::predict::{Layout, Linearisation, Prediction};
use aplomb::snapshot::Snapshot;
use nalgebra::{DMatrix, DVector, Vector3};

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

fn pendulum() -> Model {
    let text = include_str!("../data/reference/models/double_pendulum.xml");
    mjcf::read(&Source::new("double_pendulum.xml", text)).unwrap()
}

/// Releases the pendulum at rest, with one joint raised, for `duration` with frames of `dt` and τ = 0. Returns the
/// configuration and the gain in energy as a share of the initial potential energy.
fn swing(model: &Model, bias: BiasVelocity, dt: f64, duration: f64) -> (Vec<f64>, f64) {
    let mut q = model.neutral_configuration();
    q[0] = 1.2;
    let mut kinematics = Kinematics::new(model);
    let mut velocity = vec![0.0; model.nv];
    kinematics.update(model, &q, &velocity);
    let rest_energy = momentum::potential_energy(&kinematics, &GRAVITY);
    // Frame velocities belong to the time half a frame before their configuration.
    let mut acceleration = vec![0.0; model.nv];
    let torque = vec![0.0; model.nv];
    ForwardDynamics::new(model).forward_dynamics(
        model,
        &kinematics,
        &torque,
        &GRAVITY,
        &[],
        &mut acceleration,
    );
    for (v, a) in velocity.iter_mut().zip(&acceleration) {
        *v = -0.5 * dt * a;
    }
    let mut previous: Vec<f64> = velocity.iter().map(|v| 3.0 * v).collect();
    let scales = Scales::new(model, dt);
    let state = State { q, v: velocity, time: 0.0 };
    let mut snapshot = Snapshot::new(model, scales, GRAVITY, Contacts::new(model, Vec::new(), 1.0), state);
    let mut linearisation = Linearisation::new(model);
    for _ in 0..(duration / dt).round() as usize {
        snapshot.update(model);
        linearisation.update(model, &snapshot, &[], bias, &previous, Layout::new(4));
        let next = Prediction::new(model, &snapshot, &linearisation);
        let rows: Vec<_> = (0..model.nv).map(|k| next.torque(k)).collect();
        let matrix = DMatrix::from_fn(model.nv, model.nv, |i, j| rows[i].coefficients(0)[j]);
        let right = DVector::from_fn(model.nv, |i, _| -rows[i].constant(0));
        let ahead = matrix.lu().solve(&right).unwrap();
        drop(rows);
        previous.copy_from_slice(&snapshot.state.v);
        let displacement: Vec<f64> = ahead.iter().map(|v| v * dt).collect();
        let mut q = snapshot.state.q.clone();
        state::integrate(model, &snapshot.state.q, &displacement, &mut q);
        snapshot.state.q = q;
        snapshot.state.v.copy_from_slice(ahead.as_slice());
    }
    // Energy at the configuration, with the velocity extrapolated from the two half frames before it.
    let at: Vec<f64> = (0..model.nv).map(|k| 1.5 * snapshot.state.v[k] - 0.5 * previous[k]).collect();
    kinematics.update(model, &snapshot.state.q, &at);
    let energy =
        momentum::kinetic_energy(model, &kinematics) + momentum::potential_energy(&kinematics, &GRAVITY);
    let mut hanging = Kinematics::new(model);
    hanging.update(model, &model.neutral_configuration(), &vec![0.0; model.nv]);
    let depth = rest_energy - momentum::potential_energy(&hanging, &GRAVITY);
    (snapshot.state.q, (energy - rest_energy) / depth)
}

#[test]
fn bias_velocities_converge_with_the_orders_they_claim() {
    let model = pendulum();
    println!("{:14} {:>6} {:>22}", "bias velocity", "order", "energy after 10 s");
    let mut drift = Vec::new();
    for (bias, order) in
        [(BiasVelocity::Backward, 1.0), (BiasVelocity::Extrapolated, 2.0), (BiasVelocity::Midpoint, 2.0)]
    {
        let at = |dt: f64| DVector::from_vec(swing(&model, bias, dt, 0.8).0);
        let coarse = (at(0.004) - at(0.002)).norm();
        let fine = (at(0.002) - at(0.001)).norm();
        let measured = (coarse / fine).log2();
        let energy = swing(&model, bias, 0.01, 10.0).1;
        println!("{:14} {measured:>6.2} {:>21.3} %", bias.name(), 100.0 * energy);
        assert!((measured - order).abs() < 0.3, "{}: order {measured}", bias.name());
        drift.push(energy.abs());
    }
    assert!(drift[1] < 0.05 * drift[0] && drift[2] < 0.05 * drift[0], "{drift:?}");
}
