//! K, constraint forces and impulses on trees, compared with dense solutions of another engine.

use super::reference::{json, model};
use aplomb::dynamics::{AccelerationDeltas, ForwardDynamics, Kinematics};
use aplomb::math::spatial::Force;
use aplomb::model::{JointKind, Model};
use aplomb::passive::articulated::lcp::{Law, Tolerance};
use aplomb::passive::articulated::{Articulated, ConstraintJacobian, ConstraintRow, Constraints};
use nalgebra::Vector3;
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    model: String,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    constraints: Vec<Wanted>,
    expected: Expected,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Wanted {
    JointAcc { joint: String, desired: f64 },
    PointAcc { body: String, point_local: [f64; 3], direction_world: [f64; 3], desired: f64 },
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
struct Expected {
    a0: Vec<f64>,
    K: Vec<Vec<f64>>,
    bilateral: Bilateral,
    unilateral_lcp: Unilateral,
    impact_bilateral: Impact,
    impact_unilateral_newton: UnilateralImpact,
}

#[derive(Deserialize)]
struct Bilateral {
    f: Vec<f64>,
    qdd: Vec<f64>,
}

#[derive(Deserialize)]
struct Unilateral {
    all_solutions_f: Vec<Vec<f64>>,
    qdd: Vec<f64>,
}

#[derive(Deserialize)]
struct Impact {
    restitution: f64,
    v_minus_along: Vec<f64>,
    impulses: Vec<f64>,
    v_plus: Vec<f64>,
}

#[derive(Deserialize)]
struct UnilateralImpact {
    restitution: f64,
    all_solutions_impulse: Vec<Vec<f64>>,
}

/// As accurate as rounding allows.
const STOP: Tolerance = Tolerance { iterations: 2_000_000, residual: 1e-12 };

fn cases() -> Vec<Case> {
    json::<File>("constraints/acceleration_impact.json").cases
}

impl Case {
    fn system(&self) -> Articulated {
        let mut system = Articulated::new(model(&self.model), self.q.clone());
        system.state.v.copy_from_slice(&self.v);
        system.torque.copy_from_slice(&self.tau);
        system.refresh();
        system
    }

    fn rows(&self, system: &Articulated) -> Vec<(ConstraintRow, f64)> {
        let row = |wanted: &Wanted| match wanted {
            Wanted::JointAcc { joint, desired } => {
                let joint = system.model.joint(joint).expect("a joint of the model");
                let coordinate = system.model.coordinates(joint).start;
                (ConstraintRow::on(0, ConstraintJacobian::coordinate(&system.model, coordinate)), *desired)
            }
            Wanted::PointAcc { body, point_local, direction_world, desired } => {
                let body = system.model.body(body).expect("a body of the model");
                let point = system.kinematics().point(body, &Vector3::from(*point_local));
                let direction = Vector3::from(*direction_world);
                (ConstraintRow::on(0, ConstraintJacobian::Point { body, point, direction }), *desired)
            }
        };
        self.constraints.iter().map(row).collect()
    }
}

fn gravity() -> Vector3<f64> {
    Vector3::new(0.0, 0.0, -9.81)
}

fn size(numbers: &[f64]) -> f64 {
    numbers.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()))
}

fn assert_close(what: &str, got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (a, b) in got.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * size(expected), "{what}: {a} instead of {b}");
    }
}

/// Solves the constraints of a case with the same law for all of them.
fn solve(case: &Case, law: Law) -> (Articulated, Constraints) {
    let mut systems = [case.system()];
    let mut constraints = Constraints::default();
    for (row, desired) in case.rows(&systems[0]) {
        let bias = row.bias(&systems);
        constraints.push(row, law, desired - bias, 0.0);
    }
    let effort = constraints.accelerate(&mut systems, &gravity(), 0.0, &STOP, STOP.residual);
    assert!(effort.residual < 1e-9, "{}: {effort:?}", case.model);
    let [system] = systems;
    (system, constraints)
}

#[test]
fn forces_of_bilateral_constraints_agree_with_dense_solutions() {
    for case in cases() {
        let (system, mut constraints) = solve(&case, Law::Bilateral);
        let expected = &case.expected;
        for (row, of_row) in expected.K.iter().enumerate() {
            let systems = std::slice::from_ref(&system);
            assert_close("K", constraints.influence(systems, row), of_row, 1e-9);
        }
        assert_close("forces", constraints.forces(), &expected.bilateral.f, 1e-8);
        assert_close("accelerations", system.acceleration(), &expected.bilateral.qdd, 1e-8);
    }
}

#[test]
fn unilateral_forces_are_a_solution_found_by_enumeration() {
    for case in cases() {
        let (system, constraints) = solve(&case, Law::Unilateral);
        let [expected] = &case.expected.unilateral_lcp.all_solutions_f[..] else { panic!("one solution") };
        assert_close("forces", constraints.forces(), expected, 1e-8);
        assert_close("accelerations", system.acceleration(), &case.expected.unilateral_lcp.qdd, 1e-8);
    }
}

#[test]
fn impacts_change_velocities_as_dense_solutions_do() {
    for case in cases() {
        let bilateral = &case.expected.impact_bilateral;
        let unilateral = &case.expected.impact_unilateral_newton;
        let both = [(Law::Bilateral, bilateral.restitution), (Law::Unilateral, unilateral.restitution)];
        for (law, restitution) in both {
            let mut systems = [case.system()];
            let mut constraints = Constraints::default();
            for ((row, _), before) in case.rows(&systems[0]).into_iter().zip(&bilateral.v_minus_along) {
                constraints.push(row, law, -(1.0 + restitution) * before, 0.0);
            }
            let effort = constraints.strike(&mut systems, &STOP);
            assert!(effort.residual < 1e-9, "{}: {effort:?}", case.model);
            if law == Law::Bilateral {
                assert_close("impulses", constraints.forces(), &bilateral.impulses, 1e-8);
                assert_close("velocities", &systems[0].state.v, &bilateral.v_plus, 1e-8);
            } else {
                let [expected] = &unilateral.all_solutions_impulse[..] else { panic!("one solution") };
                assert_close("impulses", constraints.forces(), expected, 1e-8);
            }
        }
    }
}

/// The constraint's acceleration at q̈.
fn observe(model: &Model, kinematics: &Kinematics, row: &ConstraintRow, acceleration: &[f64]) -> f64 {
    let Some((_, pull)) = row.pulls[0] else { panic!("a row pulls on something") };
    match pull {
        ConstraintJacobian::Point { body, point, direction } => {
            let mut jacobian = vec![0.0; 3 * model.nv];
            kinematics.point_jacobian(model, body, &point, &mut jacobian);
            let along = jacobian.chunks(model.nv).zip(direction.iter());
            along.map(|(row, d)| d * row.iter().zip(acceleration).map(|(j, a)| j * a).sum::<f64>()).sum()
        }
        ConstraintJacobian::Joint { first, .. } => acceleration[first],
    }
}

/// K by test forces: one forward dynamics for each constraint and one without ([Kokkevis 2004] §4.2).
fn by_test_forces(case: &Case, system: &Articulated, rows: &[(ConstraintRow, f64)]) -> Vec<Vec<f64>> {
    let model = &system.model;
    let kinematics = system.kinematics();
    let run = |pull: Option<ConstraintJacobian>| {
        let (mut tau, mut external) = (case.tau.clone(), vec![Force::default(); model.bodies.len()]);
        match pull {
            Some(ConstraintJacobian::Point { body, point, direction }) => {
                external[body.0] = Force::at_point(&point, direction, Vector3::zeros());
            }
            Some(ConstraintJacobian::Joint { first, .. }) => tau[first] += 1.0,
            None => {}
        }
        let mut out = vec![0.0; model.nv];
        let mut dynamics = ForwardDynamics::new(model);
        dynamics.forward_dynamics(model, kinematics, &tau, &gravity(), &external, &mut out);
        out
    };
    let default = run(None);
    let column = |(row, _): &(ConstraintRow, f64)| {
        let with = run(row.pulls[0].map(|(_, pull)| pull));
        let net: Vec<f64> = with.iter().zip(&default).map(|(a, b)| a - b).collect();
        rows.iter().map(|(row, _)| observe(model, kinematics, row, &net)).collect()
    };
    rows.iter().map(column).collect()
}

/// K by both loops of AccelerationDeltas ([Kokkevis 2004] §4.3).
fn by_deltas(system: &Articulated, rows: &[(ConstraintRow, f64)]) -> Vec<Vec<f64>> {
    let model = &system.model;
    let kinematics = system.kinematics();
    let mut factors = ForwardDynamics::new(model);
    factors.factor(model, kinematics, &[]);
    let mut deltas = AccelerationDeltas::new(model);
    let column = |(row, _): &(ConstraintRow, f64)| {
        let Some((_, pull)) = row.pulls[0] else { panic!("a row pulls on something") };
        let body = pull.body();
        let mut path: Vec<usize> =
            std::iter::successors(model.bodies[body.0].last_dof, |j| model.dof_parent[*j]).collect();
        path.reverse();
        let mut along = vec![0.0; path.len()];
        match pull {
            ConstraintJacobian::Point { body, point, direction } => {
                let force = Force::at_point(&point, direction, Vector3::zeros());
                factors.push_body(model, kinematics, body, &force, &mut along);
            }
            ConstraintJacobian::Joint { body, first, .. } => {
                factors.push_joints(model, body, |j| f64::from(u8::from(j == first)), &mut along);
            }
        }
        let mut residual = vec![0.0; model.nv];
        path.iter().zip(&along).for_each(|(j, delta)| residual[*j] = *delta);
        let mut net = vec![0.0; model.nv];
        deltas.outward(model, &factors, &residual, &mut net);
        rows.iter().map(|(row, _)| observe(model, kinematics, row, &net)).collect()
    };
    rows.iter().map(column).collect()
}

#[test]
fn acceleration_deltas_give_the_matrix_that_repeated_forward_dynamics_gives() {
    for case in cases() {
        let (system, mut constraints) = solve(&case, Law::Unilateral);
        let rows = case.rows(&system);
        let test_forces = by_test_forces(&case, &system, &rows);
        let deltas = by_deltas(&system, &rows);
        // The method of test forces loses accuracy to the rounding of the default accelerations.
        let lost = 1e-14 * size(&case.expected.a0);
        for row in 0..rows.len() {
            let product = constraints.influence(std::slice::from_ref(&system), row).to_vec();
            assert_close("both loops", &product, &deltas[row], 1e-12);
            assert_close("test forces", &product, &test_forces[row], 1e-12 + lost);
        }
    }
}

#[test]
fn a_constraint_that_nothing_can_move_is_reported_and_harms_nothing() {
    let case = &cases()[0];
    let mut systems = [case.system()];
    let free = systems[0].model.joints.iter().all(|joint| joint.kind != JointKind::Free);
    assert!(free, "the example is bolted to the world");
    let mut constraints = Constraints::default();
    let (row, _) = case.rows(&systems[0])[0];
    constraints.push(ConstraintRow { pulls: [None, None] }, Law::Bilateral, 3.0, 0.0);
    constraints.push(row, Law::Bilateral, 1.0, 0.0);
    constraints.push(row, Law::Bilateral, 1.0, 0.0);
    constraints.push(row, Law::Bilateral, 2.0, 0.0);
    let stop = Tolerance { iterations: 100, residual: 1e-9 };
    let effort = constraints.accelerate(&mut systems, &gravity(), 0.0, &stop, stop.residual);
    assert_eq!(effort.iterations, 100);
    assert!(effort.residual >= 0.5 && constraints.forces().iter().all(|force| force.is_finite()));
    assert!(systems[0].acceleration().iter().all(|a| a.is_finite()));
}
