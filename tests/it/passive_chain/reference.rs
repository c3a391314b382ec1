//! Chains compared with other engines and closed forms.

use super::links::{CROSSED, Links, PLANAR, SPHERICAL, numbers, vector};
use aplomb::passive::chain::{JointRotation, log_with_derivative};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(text).expect("JSON");
    data["cases"].as_array().expect("cases").clone()
}

fn matrix(value: &Value) -> Matrix3<f64> {
    let rows: Vec<f64> = value.as_array().expect("rows").iter().flat_map(numbers).collect();
    Matrix3::from_row_slice(&rows)
}

#[test]
fn the_derivative_of_a_rotation_vector_is_exact_up_to_half_a_turn() {
    for case in cases(include_str!("../../data/reference/maximal/log_derivative.json")) {
        let phi = case["phi"].as_f64().expect("an angle");
        let rotation = Rotation3::from_matrix_unchecked(matrix(&case["R"]));
        let (turn, by_first) = log_with_derivative(&UnitQuaternion::from_rotation_matrix(&rotation));
        assert!((turn - phi * vector(&case["axis"])).norm() < 1e-8, "{phi}");
        // Close to half a turn the matrix R itself has lost digits of the axis.
        let tolerance = 1e-7 + 1e-12 / (std::f64::consts::PI - phi).abs();
        assert!((by_first - matrix(&case["dphiu_dtheta_a"])).norm() < tolerance, "{phi}");
        assert!((-by_first.transpose() - matrix(&case["dphiu_dtheta_b"])).norm() < tolerance, "{phi}");
        let printed = matrix(&case["paper_eq7"]);
        let wrong = case["paper_error"].as_f64().expect("a number");
        assert!(((printed - by_first).amax() - wrong).abs() < 1e-6 * wrong.max(1.0), "{phi}");
    }
}

#[test]
fn stiff_chains_come_to_rest_where_statics_has_them() {
    for case in cases(include_str!("../../data/reference/maximal/static_equilibrium.json")) {
        let count = case["N"].as_u64().expect("a count") as usize;
        let spherical = case["kind"] == "ball_3d";
        let length = if spherical { 0.12 } else { 0.1 };
        let mass: f64 = if spherical { 0.08 } else { 0.1 };
        let across = mass * length * length / 12.0;
        let links = Links {
            along: Vector3::new(length, 0.0, 0.0),
            mass,
            inertia: Vector3::new(5e-6, across, across),
            stiffness: case["k"].as_f64().expect("a stiffness"),
            damping: 0.1,
            ..Links::hanging(count, if spherical { SPHERICAL } else { PLANAR })
        };
        let mut chain = links.chain();
        if spherical {
            chain.gravity = vector(&case["gravity"]);
        }
        for _ in 0..20_000 {
            chain.step(0.1).expect("steps");
        }
        let error = (links.tip(&chain) - vector(&case["tip_world"])).norm();
        assert!(error < 1e-9, "{} links: tip off by {error} m", count);
        for k in 0..count {
            let expected = if spherical {
                // The reference is in axes of the parent; here they are world axes.
                let parent = if k == 0 { UnitQuaternion::identity() } else { chain.pose(k - 1).orientation };
                parent * vector(&case["rotvecs"][k])
            } else {
                Vector3::new(0.0, numbers(&case["q_equilibrium"])[k], 0.0)
            };
            assert!((chain.joint_turn(k) - expected).norm() < 1e-9);
        }
        assert!(chain.separation() < 1e-12);
    }
}

#[test]
fn first_accelerations_and_joint_forces_are_those_of_reduced_coordinates() {
    for case in cases(include_str!("../../data/reference/maximal/first_step.json")) {
        let model = case["model"].as_str().expect("a name");
        let links = match model {
            "models/chain5.xml" => Links::hanging(5, PLANAR),
            "models/chain20_xy.xml" => Links::hanging(20, CROSSED),
            "models/chain10_ball.xml" => Links::hanging(10, SPHERICAL),
            "models/chain100.xml" => Links {
                along: Vector3::new(0.0, 0.0, -0.05),
                mass: 0.05,
                inertia: Vector3::new(0.05 * 0.0025 / 12.0, 0.05 * 0.0025 / 12.0, 2.5e-6),
                ..Links::hanging(100, PLANAR)
            },
            other => panic!("no such chain: {other}"),
        };
        let tolerance = if links.count == 100 { 1e-7 } else { 1e-9 };
        let (v, expected) = (numbers(&case["v"]), numbers(&case["qdd"]));
        let mut chain = links.chain();
        links.place(&mut chain, &numbers(&case["q"]), &v);
        let found = chain.accelerations().expect("regular");
        let scale = expected.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()));
        for k in 0..links.count {
            let (parent_spin, parent_turning) = match k.checked_sub(1) {
                Some(parent) => (chain.motion(parent).spin, found.angular[parent]),
                None => (Vector3::zeros(), Vector3::zeros()),
            };
            let relative = found.angular[k] - parent_turning;
            match (links.kind)(k) {
                JointRotation::Hinge { axis, .. } => {
                    let rate = relative.dot(&(chain.pose(k).orientation * axis));
                    assert!((rate - expected[k]).abs() < tolerance * scale, "{model} {k}: {rate}");
                }
                _ => {
                    let spin = chain.motion(k).spin;
                    let moved = relative - spin.cross(&(spin - parent_spin));
                    let local = chain.pose(k).orientation.inverse() * moved;
                    let expected = Vector3::from_column_slice(&expected[3 * k..3 * k + 3]);
                    assert!((local - expected).norm() < tolerance * scale, "{model} {k}");
                }
            }
            let reaction = &case["joint_reactions"][k];
            // The file has them in axes of the body, although its note says world.
            let axes = chain.pose(k).orientation;
            let [force, torque] = ["reaction_force_on_body", "reaction_torque_about_anchor"]
                .map(|key| axes * vector(&reaction[key]));
            let largest = force.norm().max(1.0);
            assert!((found.force[k] - force).norm() < 10.0 * tolerance * largest, "{model} {k}");
            assert!((found.torque[k] - torque).norm() < 10.0 * tolerance * largest, "{model} {k}: {torque}");
        }
    }
}

#[test]
fn steps_converge_to_the_motion_of_another_engine() {
    let data: Value =
        serde_json::from_str(include_str!("../../data/reference/trajectories/chain10_ball_kick.json"))
            .expect("JSON");
    let frames = data["frames"].as_array().expect("frames");
    let links = Links::hanging(10, SPHERICAL);
    let state = |frame: &Value| (numbers(&frame["q"]), numbers(&frame["v"]));
    let mut expected = links.chain();
    let (q, v) = state(&frames[2]);
    links.place(&mut expected, &q, &v);
    let error = |closings: usize, dt: f64| {
        let mut chain = links.chain();
        let (q, v) = state(&frames[0]);
        links.place(&mut chain, &q, &v);
        chain.closings = closings;
        chain.gravity = vector(&data["gravity"]);
        let steps = (frames[2]["t"].as_f64().expect("a time") / dt).round() as usize;
        for _ in 0..steps {
            chain.step(dt).expect("steps");
        }
        (0..10)
            .fold(0.0, |worst: f64, k| worst.max((chain.pose(k).position - expected.pose(k).position).norm()))
    };
    for closings in [0, 2] {
        let errors = [4e-4, 2e-4, 1e-4].map(|dt| error(closings, dt));
        assert!(errors[2] < 2e-3, "{errors:?}");
        // First order: half the step gives half the error.
        assert!((1.7..2.4).contains(&(errors[0] / errors[1])), "{errors:?}");
        assert!((1.7..2.4).contains(&(errors[1] / errors[2])), "{errors:?}");
    }
}
