//! Properties that chains must have, whatever their links and joints are.

use super::links::{CROSSED, Links, PLANAR, SPHERICAL};
use aplomb::geometry::WorldShape;
use aplomb::passive::chain::{Ball, BodyVelocity, Chain, JointRotation, Penalty, PoseDrive, RigidPose};
use aplomb::passive::obstacle::Obstacle;
use nalgebra::{UnitQuaternion, Vector3};

/// Fixed, hinge and spherical joints, alternating.
const MIXED: fn(usize) -> JointRotation = |k| match k % 3 {
    0 => JointRotation::Spherical { most: None },
    1 => JointRotation::Hinge { axis: Vector3::new(0.6, 0.8, 0.0), range: None },
    _ => JointRotation::Fixed,
};

fn run(chain: &mut Chain, steps: usize, dt: f64) {
    for _ in 0..steps {
        chain.step(dt).expect("steps");
    }
}

#[test]
fn joints_of_a_hundred_thousand_newton_metres_are_stable_where_explicit_steps_blow_up() {
    let links = Links {
        along: Vector3::new(0.1, 0.0, 0.0),
        inertia: Vector3::new(5e-6, 8.3e-5, 8.3e-5),
        stiffness: 1e5,
        ..Links::hanging(16, SPHERICAL)
    };
    let mut implicit = links.chain();
    run(&mut implicit, 1000, 0.01);
    // 1.6 kg at the end of lever arms of up to 1.6 m bend the beam by about M L/(k · 0.1).
    let tip = links.tip(&implicit);
    assert!(tip.z < 0.0 && tip.z > -0.01 && (tip.x - 1.6).abs() < 1e-4, "{tip}");
    assert!(implicit.energy().kinetic < 1e-9);
    let mut explicit = links.chain();
    let blown = (0..100).any(|_| explicit.step_explicitly(0.01).is_err() || explicit.energy().kinetic > 1e6);
    assert!(blown, "{:?}", explicit.energy());
}

#[test]
fn joints_stay_closed_where_constraints_on_accelerations_drift_open() {
    let links = Links { stiffness: 0.05, damping: 1e-4, ..Links::hanging(16, MIXED) };
    let push = |chain: &mut Chain| chain.gravity = Vector3::new(4.0, 2.0, -8.0);
    let mut chain = links.chain();
    push(&mut chain);
    chain.closings = 1;
    run(&mut chain, 6000, 0.01);
    assert!((chain.time() - 60.0).abs() < 1e-9);
    assert!(chain.energy().kinetic > 1e-3, "still swings");
    assert!(chain.separation() < 1e-6, "{}", chain.separation());
    let mut paper = links.chain();
    push(&mut paper);
    run(&mut paper, 6000, 0.01);
    assert!(paper.separation() < 1e-4, "{}", paper.separation());
    let mut drifting = links.chain();
    push(&mut drifting);
    // Simulates a third of that time, at a tenth of the step.
    for _ in 0..20_000 {
        drifting.step_explicitly(0.001).expect("steps");
    }
    assert!(drifting.separation() > 1e-2, "{}", drifting.separation());
}

#[test]
fn a_chain_in_flight_keeps_its_momentum_to_rounding() {
    let links = Links { stiffness: 2.0, damping: 0.01, anchored: false, ..Links::hanging(12, MIXED) };
    let mut chain = links.chain();
    chain.gravity = Vector3::zeros();
    chain.closings = 1;
    for k in 0..12 {
        let wave = |speed: f64| 0.02 * (speed * (k + 1) as f64).sin();
        let point = chain.pose(k).position + Vector3::new(0.01, 0.02, 0.03);
        chain.apply_impulse(k, &point, &Vector3::new(wave(1.3), wave(2.1), wave(3.7)));
    }
    let before = chain.momentum();
    assert!(before.linear.norm() > 0.01 && before.angular.norm() > 1e-3);
    for _ in 0..1000 {
        chain.step(0.01).expect("steps");
        let after = chain.momentum();
        assert!((after.linear - before.linear).norm() < 1e-12);
        assert!((after.angular - before.angular).norm() < 1e-11);
    }
    // Its parts have not merely stopped rotating relative to each other.
    assert!(chain.energy().kinetic > 1e-5);
}

#[test]
fn forces_of_the_user_change_momentum_by_their_impulse() {
    let links = Links { anchored: false, ..Links::hanging(5, SPHERICAL) };
    let mut chain = links.chain();
    let (point, force) = (Vector3::new(0.05, 0.02, -0.2), Vector3::new(3.0, -2.0, 1.0));
    chain.apply_force(2, &point, &force);
    chain.apply_torque(3, &Vector3::new(0.0, 0.1, 0.0));
    chain.step(0.01).expect("steps");
    let weight = 0.5 * chain.gravity;
    let centre = Vector3::new(0.0, 0.0, -0.25);
    let moment = point.cross(&force) + centre.cross(&weight) + Vector3::new(0.0, 0.1, 0.0);
    let momentum = chain.momentum();
    assert!((momentum.linear - 0.01 * (force + weight)).norm() < 1e-14);
    assert!((momentum.angular - 0.01 * moment).norm() < 1e-14);
    // The force is removed after the step.
    chain.step(0.01).expect("steps");
    assert!((chain.momentum().linear - 0.01 * force - 0.02 * weight).norm() < 1e-14);
}

#[test]
fn a_taut_chain_with_a_heavy_end_swings_without_blowing_up() {
    let (mut bodies, joints) = Links::hanging(60, SPHERICAL).specs();
    bodies[59].mass = 200.0;
    bodies[59].inertia *= 2000.0;
    let mut chain = Chain::new(&bodies, &joints).expect("is a chain");
    chain.apply_impulse(59, &bodies[59].position, &Vector3::new(200.0, 100.0, 0.0));
    for (k, body) in bodies[..59].iter().enumerate() {
        let wave = |speed: f64| 0.05 * (speed * k as f64).sin();
        chain.apply_impulse(k, &body.position, &Vector3::new(wave(1.0), wave(2.0), 0.0));
    }
    chain.closings = 1;
    let energy = |chain: &Chain| chain.energy().kinetic + chain.energy().potential;
    chain.step(0.01).expect("steps");
    let start = energy(&chain);
    let mut widest: f64 = 0.0;
    for _ in 0..3000 {
        chain.step(0.01).expect("steps");
        widest = widest.max(chain.separation());
        assert!(energy(&chain) < start + 1.0, "{}", energy(&chain) - start);
    }
    assert!(widest < 1e-2, "{widest}");
    assert!(chain.energy().kinetic > 1.0, "the load still swings after 30 s");
}

#[test]
fn a_thin_body_whirls_without_gaining_twist() {
    let links = Links { anchored: false, ..Links::hanging(1, SPHERICAL) };
    let mut chain = links.chain();
    chain.gravity = Vector3::zeros();
    let pose = RigidPose {
        position: Vector3::zeros(),
        orientation: UnitQuaternion::new(Vector3::new(0.5, 0.2, 0.0)),
    };
    chain.set_state(
        0,
        pose,
        BodyVelocity { velocity: Vector3::zeros(), spin: Vector3::new(20.0, 0.0, 30.0) },
    );
    let before = (chain.momentum().angular, chain.energy().kinetic);
    let mut last = before.1;
    for _ in 0..1000 {
        chain.step(0.01).expect("steps");
        let now = chain.energy().kinetic;
        assert!(now < last * (1.0 + 1e-9), "gained energy: {last} {now}");
        last = now;
    }
    assert!((chain.momentum().angular - before.0).norm() < 1e-12 * before.0.norm());
}

#[test]
fn stops_hold_hinges_and_cones_near_their_ends() {
    let (bodies, mut joints) = Links {
        along: Vector3::new(0.1, 0.0, 0.0),
        inertia: Vector3::new(5e-6, 8.3e-5, 8.3e-5),
        damping: 1e-3,
        ..Links::hanging(3, PLANAR)
    }
    .specs();
    // Falling is a rotation about +y.
    joints[0].kind = JointRotation::Hinge { axis: Vector3::y(), range: Some([-0.2, 0.4]) };
    joints[1].kind = JointRotation::Spherical { most: Some(0.3) };
    joints[2].kind = JointRotation::Hinge { axis: -Vector3::y(), range: Some([-0.25, 1.0]) };
    joints.iter_mut().for_each(|joint| joint.stop_stiffness = 1e3);
    let mut chain = Chain::new(&bodies, &joints).expect("is a chain");
    run(&mut chain, 2000, 0.01);
    for (body, stop) in [0.4, 0.3, 0.25].into_iter().enumerate() {
        let turn = chain.joint_turn(body);
        // The weight beyond the joint limit bends it by at most m g L/k.
        assert!(turn.y > stop && turn.y < stop + 1e-3, "{body}: {turn}");
    }
    assert!(chain.energy().kinetic < 1e-9);
    // The same joint with its two bodies exchanged.
    (joints[2].body, joints[2].other) = (1, Some(2));
    joints[2].kind = JointRotation::Hinge { axis: Vector3::y(), range: Some([-0.25, 1.0]) };
    let mut turned = Chain::new(&bodies, &joints).expect("is a chain");
    run(&mut turned, 2000, 0.01);
    for body in 0..3 {
        assert!((turned.pose(body).position - chain.pose(body).position).norm() < 1e-12);
    }
}

#[test]
fn the_order_of_specifications_does_not_change_the_motion() {
    let links = Links { stiffness: 0.3, ..Links::hanging(7, CROSSED) };
    let (bodies, joints) = links.specs();
    let mut ordered = links.chain();
    let backwards: Vec<usize> = (0..7).rev().collect();
    let shuffled: Vec<_> = backwards.iter().map(|k| bodies[*k].clone()).collect();
    let renamed: Vec<_> = backwards
        .iter()
        .map(|k| {
            let mut joint = joints[*k].clone();
            (joint.body, joint.other) = (6 - joint.body, joint.other.map(|other| 6 - other));
            joint
        })
        .collect();
    let mut reversed = Chain::new(&shuffled, &renamed).expect("is a chain");
    for chain in [&mut ordered, &mut reversed] {
        chain.gravity = Vector3::new(3.0, 2.0, -9.0);
        run(chain, 300, 0.01);
    }
    for k in 0..7 {
        assert_eq!(ordered.pose(k), reversed.pose(6 - k));
        assert_eq!(reversed.name(6 - k), format!("c{k}"));
    }
}

#[test]
fn a_drive_leads_a_body_to_its_target_and_holds_it_there() {
    // Ten times the damping of other tests: with less, links that whirl behind such a stiff drive make some runs end
    // with a singular step, at a target or a tenth of a millimetre beside it.
    let links = Links { anchored: false, stiffness: 0.5, damping: 5e-2, ..Links::hanging(4, SPHERICAL) };
    let mut chain = links.chain();
    let target = RigidPose {
        position: Vector3::new(0.3, 0.1, 0.2),
        orientation: UnitQuaternion::new(Vector3::new(0.4, 0.0, 0.3)),
    };
    let drive = chain.add_drive(PoseDrive {
        body: 0,
        point: Vector3::new(0.0, 0.0, 0.05),
        stiffness: 1e5,
        damping: 50.0,
        turn_stiffness: 1e3,
        turn_damping: 1.0,
        target,
        target_motion: BodyVelocity::default(),
    });
    run(&mut chain, 2000, 0.01);
    let pose = chain.pose(0);
    let hung = pose.position + pose.orientation * Vector3::new(0.0, 0.0, 0.05);
    // It sags by its weight: m g/k.
    let sag = Vector3::new(0.0, 0.0, -0.4 * 9.81 / 1e5);
    assert!((hung - target.position - sag).norm() < 1e-8, "{hung}");
    assert!(pose.orientation.angle_to(&target.orientation) < 1e-3);
    // A moving target is followed with its own velocity.
    let velocity = Vector3::new(0.2, 0.0, 0.0);
    chain.drives[drive].target_motion.velocity = velocity;
    for _ in 0..500 {
        chain.drives[drive].target.position += 0.01 * velocity;
        chain.step(0.01).expect("steps");
    }
    assert!((chain.motion(0).velocity - velocity).norm() < 1e-2, "{:?}", chain.motion(0));
}

#[test]
fn a_mount_takes_the_chain_along() {
    let mut chain = Links { stiffness: 1.0, damping: 0.05, ..Links::hanging(4, MIXED) }.chain();
    let about = Vector3::new(0.0, 0.0, 0.5);
    for k in 1..=1000 {
        let time = 0.01 * f64::from(k);
        let speed = if time < 5.0 { 0.3 } else { 0.0 };
        chain.mounts[0].pose.position += Vector3::new(0.01 * speed, 0.0, 0.0);
        chain.mounts[0].pose.orientation = UnitQuaternion::new(about * time.min(5.0) / 5.0);
        chain.mounts[0].motion.spin = if time < 5.0 { about / 5.0 } else { Vector3::zeros() };
        chain.step(0.01).expect("steps");
        assert!(chain.separation() < 1e-4);
    }
    run(&mut chain, 3000, 0.01);
    let top = chain.pose(0).position + chain.pose(0).orientation * Vector3::new(0.0, 0.0, 0.05);
    assert!((top - Vector3::new(1.5, 0.0, 0.0)).norm() < 0.01, "{top}");
    assert!(chain.joint_turn(0).norm() < 1e-3, "{}", chain.joint_turn(0));
}

#[test]
fn a_chain_lies_on_the_ground_with_its_weight() {
    let links = Links { anchored: false, damping: 1e-3, ..Links::hanging(8, SPHERICAL) };
    let mut chain = links.chain();
    chain.closings = 1;
    let ground = WorldShape::HalfSpace { normal: Vector3::z(), offset: -1.0 };
    chain.obstacles.push(Obstacle::fixed(ground, 0.5));
    chain.penalty = Penalty { stiffness: 1e4, damping: 20.0, slip: 1e-3 };
    for body in 0..8 {
        for end in [-0.05, 0.05] {
            chain.add_ball(Ball { body, center: Vector3::new(0.0, 0.0, end), radius: 0.01 });
        }
    }
    chain.apply_impulse(0, &Vector3::zeros(), &Vector3::new(0.05, 0.02, 0.0));
    run(&mut chain, 3000, 0.01);
    let weight = 0.8 * 9.81;
    let total: Vector3<f64> = chain.touches().iter().map(|touch| touch.force).sum();
    assert!((total.z - weight).abs() < 1e-2 * weight, "{total}");
    assert!(total.xy().norm() < 1e-2 * weight, "{total}");
    assert!(chain.energy().kinetic < 1e-5, "{:?}", chain.energy());
    for body in 0..8 {
        let height = chain.pose(body).position.z + 1.0;
        assert!(height > 0.009 && height < 0.06, "{body}: {height}");
    }
}

#[test]
fn what_passes_through_an_obstacle_meets_it_once_it_was_clear() {
    let links = Links { anchored: false, damping: 1e-3, ..Links::hanging(4, SPHERICAL) };
    let mut chain = links.chain();
    let middle = 0.5 * (chain.pose(0).position.z + chain.pose(3).position.z);
    chain
        .obstacles
        .push(Obstacle::fixed(WorldShape::HalfSpace { normal: Vector3::z(), offset: middle }, 0.5));
    for body in 0..4 {
        chain.add_ball(Ball { body, center: Vector3::zeros(), radius: 0.01 });
    }
    let down = chain.gravity;
    let height = |chain: &Chain, body| chain.pose(body).position.z - middle;
    assert!(
        height(&chain, 0).max(height(&chain, 3)) > 0.05 && height(&chain, 0).min(height(&chain, 3)) < -0.05
    );
    chain.set_groups(std::iter::once(0..chain.obstacles.len()));
    chain.ignore_group(0, true);
    chain.ignore_group(0, false);
    chain.gravity = -down;
    for _ in 0..30 {
        chain.meet_when_clear();
        chain.step(0.01).expect("steps");
        assert!(chain.touches().is_empty());
    }
    chain.meet_when_clear();
    chain.gravity = down;
    run(&mut chain, 3000, 0.01);
    let total: Vector3<f64> = chain.touches().iter().map(|touch| touch.force).sum();
    assert!((total.z - 0.4 * 9.81).abs() < 0.05, "{total}");
    (0..4).for_each(|body| assert!(height(&chain, body) > 0.005, "{body}"));
}

#[test]
fn wind_carries_hair() {
    let (mut bodies, joints) =
        Links { stiffness: 1e-3, damping: 1e-4, ..Links::hanging(8, SPHERICAL) }.specs();
    bodies.iter_mut().for_each(|body| {
        body.drag = 0.05;
        body.mass = 1e-3;
        body.inertia *= 1e-2;
    });
    let mut chain = Chain::new(&bodies, &joints).expect("is a chain");
    chain.wind = Vector3::new(2.0, 0.0, 0.0);
    run(&mut chain, 3000, 0.01);
    // Each link is pushed by c·wind = 0.1 N and weighs 0.01 N.
    let lean = chain.pose(0).orientation * -Vector3::z();
    assert!(lean.x > 0.9 && lean.z < 0.0, "{lean}");
    chain.wind = Vector3::zeros();
    run(&mut chain, 6000, 0.01);
    let lean = chain.pose(0).orientation * -Vector3::z();
    assert!(lean.z < -0.99, "{lean}");
}
