//! Momentum: only external forces change it, from half step to half step.

use crate::run::Run;
use aplomb::dynamics::{HalfStep, Kinematics};
use aplomb::math::spatial::Force;
use aplomb::model::Model;
use aplomb::trace::{Frame, Outcome};
use nalgebra::Vector3;

/// Angular momentum about the centre of mass and linear momentum between each two consecutive records.
fn momenta(model: &Model, frames: &[Frame], dt: f64) -> Vec<Force> {
    let (mut half, mut poses) = (HalfStep::new(model), [Kinematics::new(model), Kinematics::new(model)]);
    let pairs = frames.windows(2).map(|two| {
        poses.iter_mut().zip(two).for_each(|(poses, frame)| poses.update_poses(model, &frame.q));
        half.begin(model, &poses[0]);
        half.end(model, &poses[0], &poses[1]) * (1.0 / dt)
    });
    pairs.collect()
}

/// Final difference of the velocity of the centre of mass, m/s, and of the angular momentum, N m s, between a flight
/// with flailing limbs and that of a rigid body.
fn drift(bias: &str, dt: f64) -> [f64; 2] {
    let set = [format!("bias_velocity=\"{bias}\""), format!("dt={dt}")];
    let run = Run::of("tests/data/flight/flail_scene.toml", &[&set[0], &set[1]]);
    assert!(
        run.frames.iter().all(|frame| matches!(frame.outcome, Outcome::Solved) && frame.contacts.is_empty())
    );
    let model = &run.simulation.character().model;
    let momenta = momenta(model, &run.frames, dt);
    let turned = momenta.iter().map(|momentum| momentum.moment.norm());
    assert!(turned.clone().fold(0.0, f64::max) < 50.0);
    let fallen = |frames: usize| model.gravity * (model.mass() * dt * frames as f64);
    momenta.iter().enumerate().fold([0.0, 0.0], |[linear, angular]: [f64; 2], (k, momentum)| {
        let lost = *momentum - momenta[0] - Force::new(Vector3::zeros(), fallen(k));
        [linear.max(lost.force.norm() / model.mass()), angular.max(lost.moment.norm())]
    })
}

#[test]
fn a_flight_with_flailing_limbs_keeps_its_momenta_to_round_off() {
    for dt in [0.01, 0.0025] {
        let [linear, angular] = drift("momentum", dt);
        assert!(linear < 1e-11 && angular < 1e-9, "{linear} m/s, {angular} N m s at {dt} s");
    }
    // The limbs do flail: other discretisations of the same flight lose momentum.
    for bias in ["backward", "extrapolated", "midpoint"] {
        let [linear, _] = drift(bias, 0.01);
        assert!(linear > 1e-3, "{bias}: {linear} m/s");
    }
}

#[test]
fn shipped_scenes_keep_the_balances_of_momentum_through_steps_impacts_and_grips() {
    for (scene, overrides) in
        [("step_strong", vec![]), ("fall", vec!["duration=2"]), ("climb", vec!["duration=2"])]
    {
        let whole = vec!["bias_velocity=\"momentum\"", "momentum_tolerance=0"];
        let run = Run::of(scene, &[overrides, whole].concat());
        let (model, dt) = (&run.simulation.character().model, run.simulation.world.settings().dt);
        let momenta = momenta(model, &run.frames, dt);
        let mut kinematics = Kinematics::new(model);
        let mut pushed = 0;
        for (k, two) in momenta.windows(2).enumerate() {
            let frame = &run.frames[k + 1];
            assert_eq!(frame.bias_velocity, "momentum", "{scene}, {} s", frame.time);
            kinematics.update_position(model, &frame.q);
            let forces = frame.contacts.iter().map(|contact| (contact.point, contact.force));
            let forces = forces.chain(frame.external.iter().map(|push| (push.point, push.force)));
            let weight = model.gravity * model.mass();
            let com = aplomb::dynamics::momentum::com(&kinematics);
            let acting = forces.fold(Force::new(Vector3::zeros(), weight), |sum, (point, force)| {
                let (arm, force) = (Vector3::from(point) - com, Vector3::from(force));
                sum + Force::new(arm.cross(&force), force)
            });
            pushed += usize::from(acting.force.norm() > 2.0 * weight.norm());
            let missing = (two[1] - two[0]) * (1.0 / dt) - acting;
            let allowed = 1e-9 * weight.norm();
            assert!(
                missing.force.norm() < allowed && missing.moment.norm() < allowed,
                "{scene}, {} s: {missing:?}",
                frame.time
            );
        }
        assert!(pushed > 0, "nothing hard happens in {scene}");
    }
}

#[test]
fn nothing_is_extrapolated_over_a_jump() {
    // Joints that reach their limits at full speed jump.
    let faults = ["dt=0.0025", "duration=1.5", "bias_velocity=\"extrapolated\"", "joint_limit_response=0"];
    let run = Run::of("step_strong", &faults);
    let jump = |two: &[Frame]| {
        let pairs = two[0].v.iter().zip(&two[1].v);
        pairs.fold(0.0, |most: f64, (before, after)| most.max((after - before).abs()))
    };
    let after: Vec<_> = run.frames.windows(2).filter(|two| jump(two) >= 3.0).map(|two| &two[1]).collect();
    assert!(after.len() > 3, "{} jumps", after.len());
    for frame in after.iter().filter(|frame| frame.has_forces()) {
        assert_ne!(frame.bias_velocity, "extrapolated", "{} s", frame.time);
    }
}
