//! Dry friction in the joints of characters: it opposes motion or keeps joints from moving, and never drives them.

use crate::run::Run;
use aplomb::scene;
use aplomb::trace::{CheckName, Frame, FrameEvent, Outcome};
use std::fs;

const IDLE: &str = "start = \"idle\"\n[states.idle]\n";

fn run(model: &str, controller: &str, scene: &str, character: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("model.xml", model);
    write("controller.toml", controller);
    write(
        "scene.toml",
        &format!(
            "{scene}\n[characters.one]\nmodel = \"model.xml\"\ncontroller = \"controller.toml\"\n{character}\n"
        ),
    );
    Run::from(&scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap())
}

/// An arm on a post, of 1 kg at 0.3 m, whose joint has dry friction (N m), beside a wheel; `motors` are the actuators
/// of both.
fn arm(friction: f64, motors: &str) -> String {
    format!(
        "<mujoco><compiler angle='radian'/><worldbody><body name='post' pos='0 0 2'>
         <body name='arm'><joint name='arm' axis='0 1 0' frictionloss='{friction}'/>
         <inertial pos='0.3 0 0' mass='1' diaginertia='0.01 0.01 0.01'/>
         <geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02' contype='0' conaffinity='0'/></body>
         <body name='wheel' pos='3 0 0'><joint name='wheel'/><geom size='0.1' contype='0' conaffinity='0'/></body></body>
         </worldbody><actuator>{motors}</actuator></mujoco>"
    )
}

const FREE: &str = "<motor joint='wheel' ctrlrange='-1 1'/>";
/// Moment of inertia of the arm about its joint, kg m².
const INERTIA: f64 = 0.01 + 0.09;
/// Moment of the arm's weight when it is level, N m.
const LOAD: f64 = 0.3 * 9.81;

fn events(run: &Run) -> Vec<&FrameEvent> {
    run.frames.iter().flat_map(|frame| &frame.solve_events).collect()
}

/// Greatest power of dry friction over all frames, W.
fn most_power(frames: &[Frame]) -> f64 {
    let power = |pair: &[Frame]| -> f64 {
        pair[0]
            .dry_friction
            .iter()
            .zip(&pair[1].v)
            .map(|(force, rate)| force * rate)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    frames.windows(2).map(power).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_hinge_with_more_friction_than_load_hangs_still() {
    for advance in ["", "\nadvance = \"simulated\""] {
        let hangs = run(&arm(LOAD + 0.1, FREE), IDLE, &format!("duration = 2.0{advance}"), "");
        let last = hangs.frames.last().unwrap();
        assert!(last.q[0].abs() < 1e-12 && last.v[0].abs() < 1e-12, "{} rad {advance}", last.q[0]);
        let bears = hangs.frames[100].dry_friction[0];
        assert!((bears + LOAD).abs() < 1e-6, "{bears} N m, not {LOAD} N m");
        assert!(hangs.frames.iter().all(|frame| frame.torque.iter().all(|torque| torque.abs() < 1e-6)));
    }
}

#[test]
fn a_hinge_with_less_friction_than_load_slides_with_exactly_that() {
    let friction = LOAD - 0.5;
    let slides = run(&arm(friction, FREE), IDLE, "duration = 0.3\ndt = 0.001", "");
    for pair in slides.frames.windows(2).take(290) {
        assert_eq!(pair[0].dry_friction[0], -friction, "at {} s", pair[0].time);
        let acceleration = (pair[1].v[0] - pair[0].v[0]) / 0.001;
        let wanted = (LOAD * pair[0].q[0].cos() - friction) / INERTIA;
        assert!((acceleration - wanted).abs() < 1e-6, "{acceleration} rad/s², not {wanted} rad/s²");
    }
    assert!(slides.frames[290].q[0] > 0.1);
}

#[test]
fn a_pendulum_with_dry_friction_swings_out_and_stops_where_friction_bears_its_load() {
    let friction = 0.4;
    let swings = run(&arm(friction, FREE), IDLE, "duration = 6.0", "");
    let most = most_power(&swings.frames);
    assert!(most <= 1e-9, "friction gives {most} W");
    assert!(events(&swings).is_empty(), "{:?}", events(&swings));
    let [before, last] = [&swings.frames[500], swings.frames.last().unwrap()];
    assert_eq!((last.v[0], before.q[0]), (0.0, last.q[0]));
    let load = LOAD * last.q[0].cos();
    assert!(load.abs() < friction && (swings.frames[500].dry_friction[0] + load).abs() < 1e-6, "{load} N m");
    // Each half swing loses the work of friction along its path: 2 f q = V.
    let highest = swings.frames.iter().map(|frame| frame.q[0]).fold(0.0, f64::max);
    let lost = friction * highest;
    let fallen = LOAD * highest.sin();
    assert!((fallen - lost).abs() < 0.05 * LOAD, "{fallen} J of height, {lost} J of friction");
}

#[test]
fn a_limp_body_is_held_by_its_friction_and_a_follower_by_that_of_its_leader() {
    let stiff = run(&arm(LOAD + 0.1, ""), IDLE, "duration = 1.0", "drive = \"limp\"");
    assert!(stiff.frames.last().unwrap().q[0].abs() < 1e-12);
    let model = arm(0.0, "<motor joint='last' ctrlrange='-1 1'/>")
        .replace("name='wheel'/>", "name='wheel' frictionloss='2'/>")
        .replace(
            "</body></body>",
            "</body><body name='last' pos='5 0 0'><joint name='last'/><geom size='0.1'/></body></body>",
        )
        .replace(
            "<actuator>",
            "<equality><joint joint1='wheel' joint2='arm' polycoef='0 -1.5'/></equality><actuator>",
        );
    let held = run(&model, IDLE, "duration = 1.0", "");
    let last = held.frames.last().unwrap();
    assert!(last.q[0].abs() < 1e-12 && last.q[1].abs() < 1e-12, "{:?}", last.q);
    assert!((held.frames[50].dry_friction[0] + LOAD).abs() < 1e-6);
}

#[test]
fn a_motor_overcomes_the_friction_of_its_joint_within_its_limits() {
    let swing = "start = \"swing\"\n[states.swing]\n[[states.swing.objectives]]\nname = \"pose\"\nweight = 10\n\
                 response = 0.1\nof = { pose = { angles = { arm = \"0.5 * sin(4 * time)\" } } }\n";
    let motors = format!("{FREE}<motor joint='arm' ctrlrange='-6 6'/>");
    let [smooth, rough] =
        [0.0, 2.0].map(|friction| run(&arm(friction, &motors), swing, "duration = 3.0", ""));
    let end = |run: &Run| run.frames.last().unwrap().q[0];
    assert!(
        (end(&smooth) - end(&rough)).abs() < 0.02,
        "{} rad, {} rad with friction",
        end(&smooth),
        end(&rough)
    );
    assert!(most_power(&rough.frames) <= 1e-9);
    let (mut fastest, mut strongest) = (0.0f64, 0.0f64);
    for pair in rough.frames.windows(2) {
        let [frame, next] = pair else { unreachable!() };
        let (motor, friction, rate) = (frame.torque[0], frame.dry_friction[0], next.v[0]);
        assert!(motor.abs() <= 6.0 + 1e-6, "{motor} N m");
        let wanted = -2.0 * (rate / 0.05).clamp(-1.0, 1.0);
        assert!((friction - wanted).abs() < 1e-6, "{friction} N m at {rate} rad/s");
        let left = INERTIA * (rate - frame.v[0]) / 0.01 - LOAD * frame.q[0].cos();
        assert!((motor + friction - left).abs() < 1e-6, "{motor} N m and {friction} N m, not {left} N m");
        (fastest, strongest) = (fastest.max(rate.abs()), strongest.max(motor.abs()));
    }
    assert!(fastest > 0.5 && strongest > 4.5, "{fastest} rad/s, {strongest} N m");
    assert!(events(&rough).is_empty(), "{:?}", events(&rough));
}

#[test]
fn an_adult_with_rough_joints_takes_a_push_and_friction_never_drives() {
    let mut files = scene::load("balance_push", &[]).unwrap();
    let actor = &mut files.characters[0];
    let text = actor.model_source.text.replace("actuatorfrcrange=", "frictionloss=\"2\" actuatorfrcrange=");
    actor.model_source.text = text.into();
    let run = Run::from(&files);
    assert!(run.passes());
    assert!(run.simulation.character().model.dry_friction().count() > 20);
    let most = most_power(&run.frames);
    assert!(most <= 1e-6, "friction gives {most} W");
    assert!(run.frames.iter().all(|frame| !matches!(frame.outcome, Outcome::Failed { .. })));
    let limits = &run.simulation.character().model.torque_limits;
    for frame in &run.frames {
        for (torque, [low, high]) in frame.torque.iter().zip(limits) {
            assert!(*torque >= low - 1e-3 && *torque <= high + 1e-3, "{torque} N m at {} s", frame.time);
        }
    }
}

#[test]
fn what_lands_on_stuck_joints_is_solved() {
    let leg = "<mujoco><compiler angle='radian'/><worldbody><body name='trunk' pos='0 0 0.9'><freejoint/>
        <geom type='box' size='0.1 0.1 0.1' density='3000'/>
        <body name='thigh' pos='0 0 -0.1'><joint name='hip' axis='0 1 0' frictionloss='30'/>
        <geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.04'/>
        <body name='shin' pos='0 0 -0.3'><joint name='knee' axis='0 1 0' range='0 2' frictionloss='8'/>
        <geom type='capsule' fromto='0 0 0 0.05 0 -0.3' size='0.03'/>
        </body></body></body></worldbody><actuator><motor joint='hip' ctrlrange='-100 100'/></actuator></mujoco>";
    let falls =
        run(leg, IDLE, "duration = 2.0", "pose = { knee = 0.3 }\nheight = 0.3\nself_collision = false");
    for frame in &falls.frames {
        assert!(!matches!(frame.outcome, Outcome::Failed { .. }), "{:?} at {} s", frame.outcome, frame.time);
    }
    let knee = |frame: &Frame| frame.q[8];
    assert!(falls.frames[..20].iter().all(|frame| knee(frame) == 0.3), "it is stuck in flight");
    assert!(knee(falls.frames.last().unwrap()) > 0.35, "{} rad", knee(falls.frames.last().unwrap()));
    assert!(most_power(&falls.frames) <= 1e-6, "friction gives {} W", most_power(&falls.frames));
    let capped =
        |event: &&&FrameEvent| matches!(event, FrameEvent::CapReached { check: CheckName::DryFriction });
    assert!(events(&falls).iter().filter(capped).count() <= 2);
}
