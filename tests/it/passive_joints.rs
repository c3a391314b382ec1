//! Joints without an actuator in a body that has actuators: only springs, dampers and limits act in them.

use crate::run::Run;
use aplomb::scene;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// A planar walker like those of public models: the plane is two slides and a hinge, and six joints have motors.
fn walker(motors: &str) -> String {
    let leg = |side: &str| {
        format!(
            "<body name='{side}_thigh' pos='0 0 -0.2'>
               <joint name='{side}_hip' axis='0 -1 0' range='-150 0' pos='0 0 0'/>
               <geom type='capsule' fromto='0 0 0 0 0 -0.45' size='0.05'/>
               <body name='{side}_leg' pos='0 0 -0.45'>
                 <joint name='{side}_knee' axis='0 -1 0' range='-150 0'/>
                 <geom type='capsule' fromto='0 0 0 0 0 -0.5' size='0.04'/>
                 <body name='{side}_foot' pos='0 0 -0.5'>
                   <joint name='{side}_ankle' axis='0 -1 0' range='-45 45'/>
                   <geom type='capsule' fromto='-0.06 0 -0.04 0.14 0 -0.04' size='0.06'/>
                 </body>
               </body>
             </body>"
        )
    };
    format!(
        "<mujoco model='walker'>
  <default><joint damping='0.1' armature='0.01'/></default>
  <worldbody>
    <body name='torso' pos='0 0 1.25'>
      <joint name='rootx' type='slide' axis='1 0 0' damping='0' armature='0'/>
      <joint name='rootz' type='slide' axis='0 0 1' damping='0' armature='0'/>
      <joint name='rooty' axis='0 1 0' damping='0' armature='0'/>
      <geom type='capsule' fromto='0 0 0.2 0 0 -0.2' size='0.05'/>
      {}{}
    </body>
  </worldbody>
  {motors}
</mujoco>",
        leg("right"),
        leg("left")
    )
}

const MOTORS: &str = "<actuator><motor joint='right_hip' gear='100' ctrlrange='-1 1'/>
    <motor joint='right_knee' gear='100' ctrlrange='-1 1'/><motor joint='right_ankle' gear='100' ctrlrange='-1 1'/>
    <motor joint='left_hip' gear='100' ctrlrange='-1 1'/><motor joint='left_knee' gear='100' ctrlrange='-1 1'/>
    <motor joint='left_ankle' gear='100' ctrlrange='-1 1'/></actuator>";

const STAND: &str = "start = \"stand\"
[states.stand]
[[states.stand.objectives]]
name = \"stay\"
weight = 10
response = 0.2
of = { com_height = { target = \"standing_height\" } }
[[states.stand.objectives]]
name = \"pose\"
weight = 1
response = 0.2
of = { pose = {} }
";

/// The walker above the ground, with these additional lines of the scene.
fn files(motors: &str, besides: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("walker.xml", &walker(motors));
    write("stand.toml", STAND);
    let scene = format!(
        "duration = 0.4\n[characters.walker]\nmodel = \"walker.xml\"\ncontroller = \"stand.toml\"\n{besides}\n"
    );
    write("scene.toml", &scene);
    let scene = folder.path().join("scene.toml");
    (folder, scene)
}

fn run(motors: &str, besides: &str) -> Run {
    let (_folder, scene) = files(motors, besides);
    Run::from(&scene::load(scene.to_str().unwrap(), &[]).unwrap())
}

/// Largest torque or force in the three joints of the root, N m and N.
fn root_torque(run: &Run) -> f64 {
    let frames = run.frames.iter().filter(|frame| !frame.torque.is_empty());
    frames.flat_map(|frame| &frame.torque[..3]).fold(0.0, |most, torque| torque.abs().max(most))
}

#[test]
fn no_rail_holds_up_a_body_whose_root_has_no_motor() {
    let falls = run(MOTORS, "pose = { rootz = 1.0 }");
    let last = falls.frames.last().unwrap();
    assert!((last.com_velocity[2] + 9.81 * last.time).abs() < 0.02, "{} m/s", last.com_velocity[2]);
    assert!(root_torque(&falls) < 1e-5, "{} N", root_torque(&falls));
    let stands = run(MOTORS, "");
    assert!(root_torque(&stands) < 1e-5, "{} N", root_torque(&stands));
    let borne: f64 = stands.frames[20].contacts.iter().map(|contact| contact.force[2]).sum();
    let weight = 9.81 * stands.simulation.character().model.mass();
    assert!((borne / weight - 1.0).abs() < 0.01, "the ground bears {borne} N of {weight} N");
}

#[test]
fn the_limits_of_torques_may_be_lifted_and_passive_joints_stay_passive() {
    let lifted = run(MOTORS, "pose = { rootz = 1.0 }\ntorque_limits = false");
    assert!(root_torque(&lifted) < 1e-5, "{} N", root_torque(&lifted));
}

#[test]
fn without_any_motor_every_joint_is_driven() {
    let driven = run("", "pose = { rootz = 1.0 }");
    assert!(root_torque(&driven) > 10.0, "{} N", root_torque(&driven));
}

#[test]
fn dampers_and_springs_act_in_passive_joints() {
    let (folder, scene) = files(MOTORS, "pose = { rootz = 1.0 }");
    let body = folder.path().join("walker.xml");
    let text = fs::read_to_string(&body).unwrap();
    let damped = text.replace("axis='0 0 1' damping='0'", "axis='0 0 1' damping='200'");
    assert_ne!(text, damped);
    fs::write(&body, damped).unwrap();
    let run = Run::from(&scene::load(scene.to_str().unwrap(), &[]).unwrap());
    let model = &run.simulation.character().model;
    // m v̇ = −m g − d v, step by step.
    let (mut v, mass) = (0.0, model.mass());
    for frame in &run.frames {
        assert!((frame.v[1] - v).abs() < 0.05, "{} m/s, not {v} m/s at {} s", frame.v[1], frame.time);
        v += 0.01 * (-9.81 - 200.0 * v / mass);
    }
    assert!(v > -1.5, "without the damper it falls at 3.9 m/s");
}

#[test]
fn stiff_springs_and_strong_dampers_of_light_feet_do_not_diverge() {
    // At the beginning of a frame k dt² / I is 8 and d dt / I is 16: above the explicit stability limits of 4 and 2.
    let (folder, scene) = files(MOTORS, "pose = { rootz = 1.0, left_ankle = 0.3 }");
    let body = folder.path().join("walker.xml");
    let text = fs::read_to_string(&body).unwrap();
    for of in ["stiffness='2000'", "damping='40'"] {
        let motors = MOTORS.replace("gear='100'", "gear='0.1'");
        let stiff = text
            .replace("_ankle' axis='0 -1 0'", &format!("_ankle' axis='0 -1 0' {of}"))
            .replace(MOTORS, &motors);
        assert_ne!(text, stiff);
        fs::write(&body, stiff).unwrap();
        let run = Run::from(&scene::load(scene.to_str().unwrap(), &[]).unwrap());
        // It starts rotated by 0.3 rad.
        let ankle = run.simulation.character().model.joint("left_ankle").unwrap();
        let ankle = run.simulation.character().model.joints[ankle.0].q_index;
        let farthest = run.frames.iter().fold(0.0, |most: f64, frame| most.max(frame.q[ankle].abs()));
        assert!(farthest < 0.5, "{farthest} rad with {of}");
    }
}

#[test]
fn check_run_and_summary_tell_of_passive_joints() {
    let ankle = "<motor joint='left_ankle' gear='100' ctrlrange='-1 1'/>";
    let (folder, _) = files(&MOTORS.replace(ankle, ""), "");
    let aplomb = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
        let output =
            command.current_dir(folder.path()).args(arguments).env("NO_COLOR", "1").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let told = "joint `left_ankle` has no actuator, while others have";
    for file in ["walker.xml", "scene.toml"] {
        let [out, err] = aplomb(&["check", file]);
        assert_eq!(out, format!("{file}: 1 warning\n"));
        assert!(err.contains(told) && err.contains("walker.xml:"), "{err}");
    }
    let [out, err] = aplomb(&["run", "scene.toml", "--no-plots", "--verbose"]);
    assert!(err.contains(told), "{err}");
    assert!(out.contains("passive joints   left_ankle: no actuator"), "{out}");
    let summary = fs::read_to_string(folder.path().join("runs/scene/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["passive_joints"], serde_json::json!(["left_ankle"]));
    let [joints, _] = aplomb(&["list", "joints", "--model", "walker.xml"]);
    assert_eq!(joints.matches("passive: it has no actuator").count(), 1, "{joints}");
}
