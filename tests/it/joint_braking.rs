//! Joints slow down before their limits.

use crate::run::Run;
use aplomb::language::files::{self, Folder};
use aplomb::model::mjcf;
use aplomb::scene;
use aplomb::trace::{Frame, FrameEvent, Outcome};
use std::fs;

/// An arm that hangs on a wall, released at −1 rad with a goal at 2 rad, beyond its range, which ends at 0.5 rad.
fn arm(torque: f64, companion: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let body = format!(
        "<mujoco model='arm'><compiler angle='radian'/><worldbody><body name='arm' pos='0 0 1'>
           <joint name='elbow' axis='0 1 0' range='-1 0.5' actuatorfrcrange='-{torque} {torque}'/>
           <geom type='capsule' fromto='0 0 0 0 0 -0.4' size='0.04'/>
         </body></worldbody></mujoco>"
    );
    write("arm.xml", &body);
    write("arm.body.toml", companion);
    write(
        "raise.toml",
        "start = \"raise\"\n[states.raise]\n[[states.raise.objectives]]\nname = \"raise\"\nweight = 10\n\
         response = 0.2\nof = { pose = { angles = { elbow = 2.0 } } }\n",
    );
    let scene = "duration = 2.0\n[characters.arm]\nmodel = \"arm.xml\"\ncontroller = \"raise.toml\"\npose = { elbow = -1.0 }\n";
    write("scene.toml", scene);
    let path = folder.path().join("scene.toml");
    Run::from(&scene::load(path.to_str().unwrap(), &[]).unwrap())
}

#[test]
fn a_joint_comes_to_its_limit_no_faster_than_what_is_left_of_its_range_decays() {
    let run = arm(100.0, "");
    let (dt, response) = (0.01, 0.05 * run.simulation.character().snapshot.scales.time());
    let mut fastest = 0.0_f64;
    for frame in &run.frames {
        let allowed = (0.5 - frame.q[0] + dt * frame.v[0]) / (response + dt);
        assert!(frame.v[0] <= allowed + 1e-9, "{} rad/s of {allowed} at {} s", frame.v[0], frame.time);
        fastest = fastest.max(frame.v[0]);
    }
    assert!(fastest > 2.0, "{fastest} rad/s: there is something to be slowed");
    assert!((run.frames.last().unwrap().q[0] - 0.5).abs() < 1e-3, "it comes there all the same");
}

#[test]
fn where_torques_cannot_slow_a_joint_its_stop_does_and_the_frame_says_so() {
    // It swings to its limit almost without braking.
    let run = arm(0.05, "");
    let says = |frame: &Frame| frame.solve_events.contains(&FrameEvent::Unbraked);
    assert!(run.frames.iter().any(says), "no frame says that torques could not do it");
    assert!(run.frames.iter().all(|frame| frame.q[0] < 0.5 + 1e-6 && frame.outcome == Outcome::Solved));
    let stopped =
        run.frames.iter().map(|frame| frame.stop_reaction.iter().fold(0.0, |most: f64, r| most.max(r.abs())));
    assert!(stopped.fold(0.0, f64::max) > 1.0, "the stop takes what comes");
}

#[test]
fn a_joint_with_a_greatest_rate_keeps_to_it() {
    let fastest = |companion: &str| {
        let run = arm(100.0, companion);
        run.frames.iter().fold(0.0, |most: f64, frame| most.max(frame.v[0].abs()))
    };
    assert!(fastest("") > 2.0, "{} rad/s", fastest(""));
    let limited = fastest("[velocity_limits]\nelbow = 1.2\n");
    assert!((limited - 1.2).abs() < 1e-9, "{limited} rad/s");
}

#[test]
fn a_greatest_rate_of_no_joint_or_of_nothing_is_a_mistake_with_its_place() {
    for (line, said) in [
        ("elbo = 1.2", "no hinge or slide is called `elbo`"),
        ("elbow = 0.0", "the limit of a velocity is more than 0, not 0"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm.xml");
        fs::write(
            &path,
            "<mujoco><worldbody><body><joint name='elbow'/><geom size='0.1'/></body></worldbody></mujoco>",
        )
        .unwrap();
        fs::write(folder.path().join("arm.body.toml"), format!("[velocity_limits]\n{line}\n")).unwrap();
        let found = files::find(Folder::Characters, path.to_str().unwrap(), None).unwrap();
        let errors = mjcf::read(&found.source).unwrap_err();
        assert_eq!(errors[0].message, said);
        assert_eq!(errors[0].place().1, 2, "{}", errors[0]);
    }
}

/// Largest change of the torque of an ankle in one frame of a squat, N m.
fn largest_jerk(response: &str) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let objective = |name: &str, weight: f64, response: f64, of: &str| {
        format!("[[objectives]]\nname = \"{name}\"\nweight = {weight}\nresponse = {response}\nof = {of}\n")
    };
    let squat = format!(
        "start = \"down\"\n[states.down]\n{}{}{}{}",
        objective("depth", 20.0, 0.2, "{ com_height = { target = \"0.8 * standing_height\" } }"),
        objective("over support", 20.0, 0.35, "{ com_over_support = {} }"),
        objective("upright", 5.0, 0.25, "{ upright = { body = \"chest\" } }"),
        objective("damping", 0.05, 0.15, "{ velocity = {} }"),
    );
    write("squat.toml", &squat);
    write(
        "scene.toml",
        &format!(
            "duration = 1.2\njoint_limit_response = {response}\n\
             [characters.a]\nmodel = \"adult\"\ncontroller = \"squat.toml\"\n"
        ),
    );
    let run = Run::from(&scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap());
    let model = &run.simulation.character().model;
    let ankle = model.dof_names.iter().position(|name| name == "left_ankle_y").unwrap();
    let torques: Vec<f64> = run.frames.iter().filter_map(|frame| frame.torque.get(ankle).copied()).collect();
    // The first frames have no previous torques to stay near.
    torques[5..].windows(2).map(|two| (two[1] - two[0]).abs()).fold(0.0, f64::max)
}

#[test]
fn a_squat_that_comes_to_the_end_of_an_ankle_does_not_jerk() {
    let (at_any_speed, braked) = (largest_jerk("0"), largest_jerk("0.05"));
    assert!(at_any_speed > 30.0, "{at_any_speed} N m: the ankle comes to its limit");
    assert!(braked < 0.4 * at_any_speed, "{braked} N m of {at_any_speed}");
}
