//! The criteria of the shipped scenes, and an audit of their physics from the record alone.

use crate::run::Run;
use aplomb::contact::{ContactMode, ContactPoint, FrictionStep, generators};
use aplomb::dynamics::{InverseDynamics, Kinematics};
use aplomb::math::spatial::Force;
use aplomb::model::Model;
use aplomb::model::state;
use aplomb::scene;
use aplomb::trace::{Frame, Outcome};
use nalgebra::{DMatrix, Vector3};

impl Run {
    fn model(&self) -> &Model {
        &self.simulation.character().model
    }
}

/// Compares the recorded motion with the recorded forces, independently of the QP: the root needs no force beyond the
/// recorded ones, contacts push within their cones, and nothing is inside the ground.
fn audit(run: &Run) {
    audit_to(run, 2e-3);
}

/// Like [`audit`], with the depth to which a body may be under the ground for a frame, m.
fn audit_to(run: &Run, depth: f64) {
    let model = run.model();
    let gravity = run.simulation.character().snapshot.gravity;
    let dt = run.simulation.world.settings().dt;
    let weight = model.mass() * 9.81;
    let mut kinematics = Kinematics::new(model);
    let mut inverse = InverseDynamics::new(model);
    let (mut before, mut after) = (vec![0.0; model.nv], vec![0.0; model.nv]);
    let mut required = vec![0.0; model.nv];
    let mut loaded = 0;
    for three in run.frames.windows(3) {
        let frame = &three[1];
        assert!(!matches!(frame.outcome, Outcome::Failed { .. }), "frame {} failed", frame.index);
        assert_eq!(frame.bias_velocity, "backward");
        state::difference(model, &three[0].q, &frame.q, &mut before);
        state::difference(model, &frame.q, &three[2].q, &mut after);
        let velocity: Vec<f64> = before.iter().map(|d| d / dt).collect();
        let acceleration: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (dt * dt)).collect();
        kinematics.update(model, &frame.q, &velocity);
        let mut forces = vec![Force::default(); model.bodies.len()];
        let mut act = |body: &str, point: [f64; 3], force: [f64; 3]| {
            let (point, force) = (Vector3::from(point), Vector3::from(force));
            forces[model.body(body).unwrap().0] += Force { moment: point.cross(&force), force };
        };
        for contact in &frame.contacts {
            act(&contact.body, contact.point, contact.force);
            let (normal, force) = (Vector3::from(contact.normal), Vector3::from(contact.force));
            let push = force.dot(&normal);
            let friction = (force - normal * push).norm();
            assert!(
                push >= -1e-9 && friction <= contact.friction * push + 1e-6 * weight,
                "frame {}",
                frame.index
            );
            loaded += usize::from(push > 1e-3 * weight);
        }
        for external in &frame.external {
            act(&external.body, external.point, external.force);
        }
        inverse.inverse_dynamics(model, &kinematics, &acceleration, &gravity, &forces, &mut required);
        let hidden = required[..3].iter().map(|f| f * f).sum::<f64>().sqrt();
        assert!(hidden <= 1e-6 * weight, "frame {}: {hidden} N out of nowhere", frame.index);
        let hidden = required[3..6].iter().map(|f| f * f).sum::<f64>().sqrt();
        assert!(hidden <= 1e-6 * weight, "frame {}: {hidden} N m out of nowhere", frame.index);
        for (k, required) in required.iter().enumerate().skip(6) {
            let given = frame.torque[k] + frame.stop_reaction[k];
            assert!((required - given).abs() < 1e-6, "frame {}, {}", frame.index, model.dof_names[k]);
            let [low, high] = model.torque_limits[k];
            assert!(
                frame.torque[k] >= low - 1e-6 && frame.torque[k] <= high + 1e-6,
                "{}",
                model.dof_names[k]
            );
        }
        let lowest = model.lowest_point(&model.body_poses(&frame.q));
        assert!(lowest > -depth, "frame {}: {lowest} m under the ground", frame.index);
    }
    assert!(loaded > 100, "an audit of {loaded} contacts says nothing");
}

/// RMS distance of the centre of pressure between consecutive frames, m.
fn pressure_step(frames: &[Frame]) -> f64 {
    let points: Vec<_> = frames.iter().filter_map(|frame| frame.centre_of_pressure).collect();
    let steps =
        points.windows(2).map(|two| (two[1][0] - two[0][0]).powi(2) + (two[1][1] - two[0][1]).powi(2));
    (steps.sum::<f64>() / (points.len() - 1) as f64).sqrt()
}

#[test]
fn standing_comes_to_rest_and_stays() {
    let run = Run::of("stand", &["duration=8.0", "success.still={ at_end = \"joint_speed < 0.02\" }"]);
    assert!(run.passes());
    audit(&run);
    let settled = Vector3::from(run.frames[500].com);
    let drift = run.frames[500..].iter().map(|frame| (Vector3::from(frame.com) - settled).norm());
    assert!(drift.fold(0.0, f64::max) < 5e-3);
    assert!(pressure_step(&run.frames[100..]) < 1e-3);
    for frame in &run.frames {
        assert!(frame.com[1].abs() < 1e-6, "left and right are the same to it");
    }
}

#[test]
fn a_push_of_24_newton_seconds_from_any_side_is_taken_without_a_step() {
    for impulse in ["[24, 0, 0]", "[-24, 0, 0]", "[0, 24, 0]", "[0, -24, 0]"] {
        let push = format!("events.push.impulse={impulse}");
        let run = Run::of("balance_push", &[&push]);
        assert!(run.passes(), "{impulse}");
        audit(&run);
        let feet = |name: &str| {
            let body = run.model().body(name).unwrap().0;
            let pose = |frame: &Frame| run.model().body_poses(&frame.q)[body].translation.vector;
            (pose(&run.frames[0]) - pose(&run.frames[run.frames.len() - 1])).norm()
        };
        assert!(feet("left_foot") < 0.005 && feet("right_foot") < 0.005, "{impulse}: a foot moved");
    }
}

#[test]
fn a_push_well_over_the_pendulum_bound_topples_it_and_the_run_says_when() {
    let overrides = ["events.push.impulse=[45, 0, 0]", "events.push.at=0.1", "duration=4.0"];
    let run = Run::of("balance_push", &overrides);
    let upright = run.simulation.criteria.iter().find(|criterion| criterion.name == "upright").unwrap();
    assert!(!upright.holds && upright.at.is_some_and(|at| at < 4.0));
    assert!(run.frames.last().unwrap().time < 4.0, "the run ends where it fails");
}

#[test]
fn friction_too_low_for_the_push_is_not_exceeded() {
    let run = Run::of("balance_push", &["ground.friction=0.1", "events.push.at=0.1", "duration=1.0"]);
    audit(&run);
    assert!(run.frames.iter().flat_map(|frame| &frame.contacts).all(|contact| contact.friction == 0.1));
    let used = run.frames.iter().map(|frame| {
        let force: Vector3<f64> = frame.contacts.iter().map(|contact| Vector3::from(contact.force)).sum();
        force.xy().norm() / (0.1 * force.z)
    });
    let most = used.filter(|used| used.is_finite()).fold(0.0, f64::max);
    assert!((most - 1.0).abs() < 1e-6, "the push asks for all the friction there is, not {most} of it");
}

#[test]
fn any_friction_that_is_enough_stands_a_push() {
    for friction in ["0.9", "1.1", "2", "50", "1000", "1e6"] {
        let overrides = [format!("ground.friction={friction}"), "events.push.at=0.1".into()];
        let run = Run::of("balance_push", &overrides.each_ref().map(|text: &String| text.as_str()));
        assert!(run.passes(), "friction {friction}");
        audit(&run);
    }
}

#[test]
fn one_foot_is_lifted_and_the_pose_held() {
    let run = Run::of("one_foot", &["duration=7.5"]);
    assert!(run.passes());
    audit(&run);
    let states: Vec<&str> = run.frames.iter().map(|frame| frame.state.as_str()).collect();
    let mut visited = states.clone();
    visited.dedup();
    assert_eq!(visited, ["shift", "unload", "hold"]);
    let lifted = states.iter().position(|state| *state == "hold").unwrap();
    // After five seconds, the limbs are where the controller commands them.
    let angle =
        |name: &str, frame: &Frame| frame.q[run.model().joints[run.model().joint(name).unwrap().0].q_index];
    let asked =
        [("right_hip_y", -0.9), ("right_knee", 1.3), ("left_shoulder_x", 1.2), ("right_shoulder_x", -1.2)];
    let last = &run.frames[run.frames.len() - 1];
    let squares = asked.iter().map(|(joint, target)| (angle(joint, last) - target).powi(2));
    let error = (squares.sum::<f64>() / asked.len() as f64).sqrt();
    assert!(error < 0.1, "{error} rad");
    // The free foot is unloaded gently: no jump of the ground's force above a tenth of the weight.
    let normal = |frame: &Frame| frame.contacts.iter().map(|contact| contact.force[2]).sum::<f64>();
    let weight = run.model().mass() * 9.81;
    for two in run.frames[lifted - 60..lifted + 20].windows(2) {
        assert!((normal(&two[1]) - normal(&two[0])).abs() < 0.1 * weight, "at {} s", two[1].time);
    }
}

#[test]
fn the_same_controller_holds_a_child_at_the_equivalent_push() {
    let read = |scene: &str| scene::load(scene, &[]).unwrap().characters.remove(0).controller.source.text;
    assert_eq!(read("balance_push"), read("balance_child"));
    let run = Run::of("balance_child", &["events.push.at=0.2", "duration=4.0"]);
    assert!(run.passes());
    audit(&run);
}

#[test]
fn the_papers_own_weights_stand_and_take_a_small_push() {
    let run = Run::of("balance_paper", &["events.push.at=0.2", "duration=4.0"]);
    assert!(run.passes());
    audit(&run);
}

#[test]
fn who_falls_lies_on_the_floor() {
    let overrides = [
        "characters.adult.controller=\"controllers/limp.toml\"",
        "events.push.impulse=[-70, 0, 0]",
        "events.push.at=0.1",
        "duration=4.0",
        "momentum_tolerance=0",
        "success.upright={ always = \"true\" }",
        "success.settled={ at_end = \"com_height < 0.25 * standing_height and com_speed < 0.05\" }",
    ];
    let run = Run::of("balance_push", &overrides);
    assert!(run.passes());
    // A hand that hits the floor at some metres per second is detected a frame late, and no deeper than this; lying
    // bodies do not sink.
    audit_to(&run, 1e-2);
    for frame in &run.frames[run.frames.len() - 100..] {
        let lowest = run.model().lowest_point(&run.model().body_poses(&frame.q));
        assert!(lowest > -1e-3, "frame {}: {lowest} m under the ground", frame.index);
    }
    let touching: std::collections::BTreeSet<&str> =
        run.frames[run.frames.len() - 2].contacts.iter().map(|contact| contact.body.as_str()).collect();
    // On its back, or propped up on its elbows.
    let on_elbows = touching.contains("left_upper_arm") && touching.contains("right_upper_arm");
    assert!(touching.contains("pelvis") || touching.contains("chest") || on_elbows, "{touching:?}");
}

#[test]
fn all_bias_velocities_keep_the_balance() {
    for bias in ["extrapolated", "midpoint"] {
        let set = format!("bias_velocity=\"{bias}\"");
        let run = Run::of("balance_push", &[&set, "events.push.at=0.1", "duration=3.0"]);
        assert!(run.frames.iter().any(|frame| frame.bias_velocity == bias));
        let upright = run.simulation.criteria.iter().find(|criterion| criterion.name == "upright").unwrap();
        assert!(upright.holds, "{bias}");
    }
}

/// A point at rest on level ground.
fn resting(friction: f64, bearing: ContactMode) -> ContactPoint {
    ContactPoint {
        slot: 0,
        candidate: 0,
        surface: 0,
        body: aplomb::model::BodyId(0),
        point: Vector3::zeros(),
        normal: Vector3::z(),
        gap: 0.0,
        velocity: Vector3::zeros(),
        bias_acceleration: Vector3::zeros(),
        surface_velocity: Vector3::zeros(),
        next_surface_velocity: Vector3::zeros(),
        next_normal: Vector3::z(),
        friction,
        bearing,
        barred: [Vector3::zeros(); 3],
        age: 0.0,
        smooth: false,
        slip: Vector3::zeros(),
        friction_step: FrictionStep::AsBefore,
        parted: false,
        is_behind: false,
        released: false,
        on: None,
        pad_depth: 0.0,
        least_gap: 0.0,
        is_near: true,
    }
}

#[test]
fn impacts_have_no_more_friction_than_normal_force() {
    for (bearing, most) in [(ContactMode::Impact, 1.0), (ContactMode::Pinned, 5.0)] {
        let touch = resting(5.0, bearing);
        let steepest =
            generators(&touch, 4).as_slice().iter().map(|edge| edge.xy().norm() / edge.z).fold(0.0, f64::max);
        assert!((steepest - most).abs() < 1e-12, "{steepest}");
    }
}

#[test]
fn eight_friction_directions_allow_more_on_the_diagonal_than_four() {
    let touch = resting(1.0, ContactMode::Sticking { anchor: Vector3::zeros() });
    // Largest tangential force along the diagonal for unit normal force, by the edges of the pyramid.
    let most = |directions: usize| {
        let edges: Vec<Vector3<f64>> =
            generators(&touch, directions).as_slice().iter().map(|edge| edge / edge.z).collect();
        let diagonal = Vector3::new(1.0, 1.0, 0.0).normalize();
        let matrix = DMatrix::from_fn(3, edges.len(), |i, j| edges[j][i]);
        assert!(matrix.ncols() == directions);
        edges.iter().map(|edge| edge.dot(&diagonal)).fold(0.0, f64::max)
    };
    assert!((most(4) - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-12);
    assert!((most(8) - 1.0).abs() < 1e-12);
}

/// Load on a foot and its toe in each frame, as a share of the weight.
fn loads(run: &Run, side: &str) -> Vec<f64> {
    let weight = run.model().mass() * 9.81;
    let of = |frame: &Frame| {
        let of_side = frame.contacts.iter().filter(|contact| contact.body.starts_with(side));
        of_side.map(|contact| contact.force[2]).sum::<f64>() / weight
    };
    run.frames[..run.frames.len() - 1].iter().map(of).collect()
}

#[test]
fn a_foot_that_is_released_gives_up_its_load_at_the_rate_its_state_says() {
    let release = "controller.states.balance.release=['left_foot']";
    let late = "controller.states.balance.release_while='state_time > 0.095'";
    for (rate, most, frames) in [("5", 0.05, 10), ("10", 0.1, 5), ("20", 0.2, 3), ("inf", 1.0, 1)] {
        let rate = format!("controller.states.balance.release_rate={rate}");
        let run = Run::of("stand", &[release, late, &rate, "duration=0.3", "success={}"]);
        let loads = loads(&run, "left");
        assert!((0.4..0.6).contains(&loads[9]), "{loads:?}");
        let drops = loads[9..].windows(2).map(|pair| pair[0] - pair[1]);
        let largest = drops.fold(0.0, f64::max);
        assert!(largest <= most + 0.002 && largest > 0.9 * most.min(loads[9]), "{rate}: {largest}");
        let gone = loads[10..].iter().take_while(|load| **load > 0.0).count();
        assert!(gone.abs_diff(frames - 1) <= 1, "{rate}: gone after {gone} frames: {loads:?}");
        assert!(loads[10 + gone..].iter().all(|load| *load == 0.0), "{rate}: {loads:?}");
        assert!(run.frames.iter().all(|frame| !matches!(frame.outcome, Outcome::Failed { .. })));
    }
}

/// Largest change of the load on a foot from one frame to the next, m g.
fn load_step(run: &Run) -> f64 {
    let step = |side| {
        let loads = loads(run, side);
        loads.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
    };
    step("left").max(step("right"))
}

#[test]
fn a_foot_lands_the_softer_the_lower_the_load_rate_of_its_state() {
    for impulse in ["[42, 0, 0]", "[0, 40, 0]", "[-40, 10, 0]"] {
        let push = format!("events.push.impulse={impulse}");
        let of = |rate: &str| {
            let states = ["balance", "relax_foot", "take_step"];
            let rates = states.map(|state| format!("controller.states.{state}.load_rate={rate}"));
            let sets: Vec<&str> = rates.iter().map(String::as_str).chain([&*push, "success={}"]).collect();
            load_step(&Run::of("step_push", &sets))
        };
        let (hard, soft) = (of("inf"), of("30"));
        assert!(soft < 0.85 * hard, "{impulse}: {hard}, {soft}");
    }
}

#[test]
fn a_foot_that_leaves_the_ground_before_its_load_is_gone_makes_no_frame_infeasible() {
    let release = "controller.states.balance.release=['left_foot', 'right_foot']";
    let slow = "controller.states.balance.release_rate=0.5";
    for up in ["0.5", "3"] {
        let velocity = format!("characters.adult.velocity=[0, 0, {up}]");
        let run = Run::of("stand", &[release, slow, &velocity, "duration=0.5", "success={}"]);
        for frame in &run.frames {
            let failed = matches!(frame.outcome, Outcome::Failed { .. });
            assert!(!failed, "{up} m/s, at {} s: {:?}", frame.time, frame.outcome);
        }
    }
}
