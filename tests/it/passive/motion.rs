//! Motion control by constraints on accelerations.

use super::reference::{json, model};
use aplomb::passive::PassiveSystem;
use aplomb::passive::articulated::lcp::Tolerance;
use aplomb::passive::articulated::{
    Articulated, ArticulatedSettings, ArticulatedWorld, Follower, Gains, MotionTarget,
};
use nalgebra::Vector3;
use serde::Deserialize;
use std::collections::BTreeMap;

const DT: f64 = 1e-3;
const JOINT: &str = "l_elbow";

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    kp: f64,
    kd: f64,
    e0: f64,
    edot0: f64,
    e_at: BTreeMap<String, f64>,
}

/// A freely falling humanoid of this mass; the elbow starts with this position and velocity.
fn falling(mass: f64, position: f64, velocity: f64) -> (ArticulatedWorld, usize, usize) {
    let mut model = model("models/humanoid.xml");
    model.joints.iter_mut().for_each(|joint| joint.range = None);
    model.geoms.clear();
    for body in &mut model.bodies {
        body.inertia.mass *= mass;
        body.inertia.about_centre *= mass;
    }
    let joint = model.joints[model.joint(JOINT).expect("an elbow").0].clone();
    let stop = Tolerance { iterations: 1000, residual: 1e-8 };
    let mut world =
        ArticulatedWorld::new(model.gravity, ArticulatedSettings { stop, ..ArticulatedSettings::default() });
    let q = model.neutral_configuration();
    let mut system = Articulated::new(model, q);
    system.state.q[joint.q_index] = position;
    system.state.v[joint.v_index] = velocity;
    system.refresh();
    world.add(system);
    (world, joint.v_index, joint.q_index)
}

fn follow(world: &mut ArticulatedWorld, gains: Gains, coordinate: usize, q_index: usize, target: f64) {
    let follower = Follower::Joint { coordinate, q_index };
    world.motions.push(MotionTarget::new(0, follower, gains, Vector3::new(target, 0.0, 0.0)));
}

#[test]
fn errors_die_out_as_the_gains_say_whatever_the_rest_does() {
    for case in json::<File>("constraints/motion_control.json").cases {
        let (mut world, coordinate, q_index) = falling(1.0, -case.e0, -case.edot0);
        follow(&mut world, Gains { kp: case.kp, kd: case.kd }, coordinate, q_index, 0.0);
        for (time, expected) in &case.e_at {
            let time: f64 = time.parse().expect("a time");
            while world.time() < time - 0.5 * DT {
                world.step(DT);
            }
            let error = -world.systems()[0].state.q[q_index];
            assert!((error - expected).abs() < 1e-4, "kp {}: {error} instead of {expected}", case.kp);
        }
    }
}

#[test]
fn gains_that_settle_leave_a_tenth_in_time_and_damping_says_who_overshoots() {
    let run = |gains: Gains, seconds: f64| {
        let (mut world, coordinate, q_index) = falling(1.0, 0.0, 0.0);
        follow(&mut world, gains, coordinate, q_index, -1.0);
        let mut furthest = 0.0f64;
        while world.time() < seconds - 0.5 * DT {
            world.step(DT);
            furthest = furthest.min(world.systems()[0].state.q[q_index]);
        }
        (world.systems()[0].state.q[q_index], furthest)
    };
    let (at_ts, _) = run(Gains::settling(0.5), 0.5);
    assert!((at_ts + 0.9).abs() < 1e-4, "{at_ts}");
    let (_, under) = run(Gains::damped(10.0, 0.3), 1.0);
    let (_, critical) = run(Gains::damped(10.0, 1.0), 1.0);
    let (over, _) = run(Gains::damped(10.0, 3.0), 1.0);
    assert!(under < -1.3 && critical > -1.0 && over > -0.95, "{under} {critical} {over}");
}

#[test]
fn following_does_not_depend_on_mass_as_a_torque_controller_does() {
    let sway = |time: f64| (0.8 * (3.0 * time).sin() - 1.0, 2.4 * (3.0 * time).cos());
    let constrained = |mass: f64| {
        let (start, rate) = sway(0.0);
        let (mut world, coordinate, q_index) = falling(mass, start, rate);
        follow(&mut world, Gains::damped(20.0, 1.0), coordinate, q_index, start);
        (0..1000).map(move |_| {
            let (position, velocity) = sway(world.time());
            (world.motions[0].position.x, world.motions[0].velocity.x) = (position, velocity);
            world.step(DT);
            world.systems()[0].state.q[q_index] - sway(world.time()).0
        })
    };
    let torque = |mass: f64| {
        let (start, rate) = sway(0.0);
        let (mut world, coordinate, q_index) = falling(mass, start, rate);
        (0..1000).map(move |_| {
            let (position, velocity) = sway(world.time());
            let state = &world.systems()[0].state;
            let effort = 8.0 * (position - state.q[q_index]) + 0.8 * (velocity - state.v[coordinate]);
            world.system_mut(0).torque[coordinate] = effort;
            world.step(DT);
            world.systems()[0].state.q[q_index] - sway(world.time()).0
        })
    };
    let differ = |a: &mut dyn Iterator<Item = f64>, b: &mut dyn Iterator<Item = f64>| {
        a.zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let by_constraint = differ(&mut constrained(1.0), &mut constrained(2.0));
    let by_torque = differ(&mut torque(1.0), &mut torque(2.0));
    println!(
        "doubling the mass moves the elbow by {by_constraint:.1e} rad, under torques by {by_torque:.1e} rad"
    );
    assert!(by_constraint < 1e-9 && by_torque > 1e-2);
}

#[test]
fn a_point_follows_a_path_in_space() {
    let (mut world, _, _) = falling(1.0, -0.5, 0.0);
    let limbs = world.system_mut(0).model.joints.iter_mut().filter(|joint| joint.kind.nv() == 1);
    limbs.for_each(|joint| joint.damping = 1.0);
    let hand = world.systems()[0].model.body("l_hand").expect("a hand");
    let local = Vector3::new(0.0, 0.0, -0.09);
    let start = world.systems()[0].kinematics().point(hand, &local);
    let follower = Follower::Point { body: hand, local };
    world.motions.push(MotionTarget::new(0, follower, Gains::damped(20.0, 1.0), start));
    for _ in 0..1000 {
        world.step(DT);
    }
    let off = (world.systems()[0].kinematics().point(hand, &local) - start).norm();
    assert!(off < 1e-4, "the hand that should hold still moved by {off} m");
}
