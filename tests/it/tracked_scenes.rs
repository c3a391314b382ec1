//! The generated scene of a controller that tracks a clip fits the clip.

use aplomb::trace::Frame;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Standard error of a command, which must succeed.
fn well(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1").env("COLUMNS", "400");
    let Output { status, stderr, .. } = command.output().expect("the program starts");
    let err = String::from_utf8(stderr).expect("UTF-8");
    assert_eq!(status.code(), Some(0), "{arguments:?}: {err}");
    err
}

/// Writes controller and scene of a table, and returns the scene's text with what was reported.
fn scene_of(folder: &Path, name: &str, table: &str) -> (String, String) {
    fs::write(folder.join(format!("{name}.csv")), table).expect("written");
    well(folder, &["new", "controller", name, "--track", &format!("{name}.csv")]);
    let err = well(folder, &["new", "scene", name]);
    let scene = format!("{name}_scene.toml");
    well(folder, &["check", &scene]);
    (fs::read_to_string(folder.join(scene)).expect("a scene"), err)
}

fn first_frame(folder: &Path, name: &str) -> Frame {
    let scene = format!("{name}_scene.toml");
    well(folder, &["run", &scene, "--no-plots", "--set", "duration=0.02", "--set", "success={}"]);
    let path = folder.join(format!("runs/{name}_scene/trace.mcap"));
    aplomb::trace::read(path).expect("a trace").frames.remove(0)
}

#[test]
fn a_walk_that_is_tracked_passes_the_scene_made_for_it() {
    let folder = folder();
    let unpushed = ["--no-plots", "--set", "duration=4", "--set", "events={}", "--set", "success={}"];
    well(folder.path(), &[&["run", "walk"][..], &unpushed].concat());
    well(folder.path(), &["export", "runs/walk", "--to", "bvh"]);
    well(folder.path(), &["new", "controller", "again", "--track", "runs/walk/motion.bvh"]);
    well(folder.path(), &["new", "scene", "again"]);
    let text = fs::read_to_string(folder.path().join("again_scene.toml")).expect("a scene");
    assert!(text.contains("duration = 8.0") && !text.contains("push"), "{text}");
    assert!(text.contains("every_step_landed") && text.contains("ends_upright"), "{text}");
    // Exit code 0: every criterion holds.
    well(folder.path(), &["run", "again_scene.toml", "--no-plots"]);
    let controller = fs::read_to_string(folder.path().join("again.toml")).expect("a controller");
    let planned = controller.split(": ").find_map(|part| part.split_once(" steps.\n"));
    let (planned, _) = planned.expect("the number of steps");
    assert!(text.contains(&format!("visits(landed) >= {planned}")), "{planned} steps: {text}");
    assert!(planned.parse::<usize>().expect("a number") >= 5);
}

#[test]
fn the_scene_of_a_clip_begins_in_its_first_pose() {
    let folder = folder();
    let bent = "time,left_elbow,right_shoulder_x,left_hip_y,left_knee,left_ankle_y,right_hip_y,right_knee,\
                right_ankle_y\n0,-0.9,-0.7,-0.5,0.9,-0.4,-0.5,0.9,-0.4\n3,0,0,0,0.1,0,0,0.1,0\n";
    let (text, err) = scene_of(folder.path(), "bent", bent);
    assert!(text.contains("duration = 5.0") && !text.contains("landed"), "{text}");
    assert!(!err.contains("rest pose"), "{err}");
    let model = aplomb::model::Model::shipped("adult").expect("a body");
    let frame = first_frame(folder.path(), "bent");
    for (joint, angle) in [("left_elbow", -0.9), ("right_shoulder_x", -0.7), ("left_knee", 0.9)] {
        let joint = model.joint(joint).expect("a joint");
        let own = frame.q[model.joints[joint.0].q_index];
        assert!((own - angle).abs() < 0.1, "{}: {own}, in the clip {angle}", model.joints[joint.0].name);
    }
    let poses = model.body_poses(&frame.q);
    for sole in ["left_sole", "right_sole"] {
        let site = &model.sites[model.site(sole).expect("a sole")];
        let foot = poses[site.body.expect("a foot").0];
        let height = (foot * nalgebra::Point3::from(site.position)).z;
        assert!(height.abs() < 0.005, "{sole} is {height} m above the ground");
    }
}

#[test]
fn a_first_pose_that_does_not_stand_is_named_and_left_out() {
    let folder = folder();
    let raised = "time,left_hip_y,left_knee\n0,-1.2,1.2\n2,0,0.1\n";
    let (text, err) = scene_of(folder.path(), "raised", raised);
    assert!(err.contains("begins with its left foot 0.") && err.contains("in its rest pose"), "{err}");
    assert!(!text.contains("hero.pose"), "{text}");
    let ahead = "time,left_hip_y,left_knee,left_ankle_y,right_hip_y,right_knee,right_ankle_y\n\
                 0,-0.3,0.02,0.28,-0.3,0.02,0.28\n2,0,0.1,0,0,0.1,0\n";
    let (text, err) = scene_of(folder.path(), "ahead", ahead);
    assert!(
        err.contains("COM beside its feet")
            && err.contains("in its rest pose")
            && !text.contains("hero.pose"),
        "{err}{text}"
    );
}

#[test]
fn a_low_clip_has_a_low_criterion() {
    let folder = folder();
    let squat = "time,left_hip_y,left_knee,left_ankle_y,right_hip_y,right_knee,right_ankle_y\n\
                 0,0,0.1,0,0,0.1,0\n1,-1.4,2,-0.6,-1.4,2,-0.6\n";
    let (text, _) = scene_of(folder.path(), "squat", squat);
    let least = text.split("ends_upright = { at_end = \"com_height > ").nth(1).expect("a criterion");
    let least: f64 = least.split(' ').next().and_then(|number| number.parse().ok()).expect("a number");
    assert!((0.4..0.75).contains(&least), "{text}");
}

#[test]
fn clips_whose_com_leaves_the_feet_are_followed_as_far_as_balance_lets_it() {
    // Squats whose hips go far behind heels that carry no weight there: angles of thigh and shin, rad, and time, s.
    for (number, [thigh, shin, time]) in
        [[1.4, 0.2, 1.5], [1.6, 0.3, 3.0], [1.2, 0.2, 2.0], [1.5, 0.5, 4.0]].into_iter().enumerate()
    {
        let folder = folder();
        let mut table = String::from("time,abdomen_y");
        for side in ["left", "right"] {
            table += &format!(",{side}_hip_y,{side}_knee,{side}_ankle_y");
        }
        for step in 0..=100 {
            let at = f64::from(step) * 0.05;
            let down = if (1.0..1.0 + time).contains(&at) {
                0.5 - 0.5 * (std::f64::consts::TAU * (at - 1.0) / time).cos()
            } else {
                0.0
            };
            let leg = format!("{},{},{}", -thigh * down, 0.02 + (thigh + shin) * down, -shin * down);
            table += &format!("\n{at},{},{leg},{leg}", 0.4 * down);
        }
        let (text, _) = scene_of(folder.path(), "deep", &table);
        assert!(text.contains("no_fall") && text.contains("ends_upright"), "{number}: {text}");
        well(folder.path(), &["run", "deep_scene.toml", "--no-plots"]);
        // Joints without a column come back to rest.
        let path = folder.path().join("runs/deep_scene/trace.mcap");
        let trace = aplomb::trace::read(path).expect("a trace");
        let (first, last) = (&trace.frames[0], trace.frames.last().expect("frames"));
        let turned = |joint: &str| {
            let at = trace.header.coordinate_names.iter().position(|name| name == joint).expect("a joint");
            // Configurations have a quaternion where velocities have three rates.
            last.q[at + 1] - first.q[at + 1]
        };
        for joint in ["left_shoulder_x", "right_shoulder_x", "left_elbow", "right_elbow"] {
            assert!(turned(joint).abs() < 0.3, "{number}: {joint} is {} rad from rest", turned(joint));
        }
    }
}
