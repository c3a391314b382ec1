//! Motions are exported as BVH and read back as clips to track.

use aplomb::controller::ControllerFile;
use aplomb::dynamics::retarget::retarget;
use aplomb::language::diagnostic::Source;
use aplomb::model::bvh;
use aplomb::model::{JointKind, Model};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Exit code and standard error.
fn aplomb(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1");
    let Output { status, stderr, .. } = command.output().expect("the program starts");
    (status.code(), String::from_utf8(stderr).expect("UTF-8"))
}

fn well(folder: &Path, arguments: &[&str]) {
    let (code, err) = aplomb(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
}

/// A push to which arms, back and knees react.
fn pushed(folder: &Path) {
    let more = ["--no-plots", "--set", "duration=1.2", "--set", "success={}", "--set", "events.push.at=0.1"];
    well(folder, &[&["run", "balance_push"][..], &more].concat());
}

#[test]
fn a_motion_that_goes_out_comes_back() {
    let folder = folder();
    pushed(folder.path());
    well(folder.path(), &["export", "runs/balance_push", "--to", "bvh"]);
    let text = fs::read_to_string(folder.path().join("runs/balance_push/motion.bvh")).expect("a file");
    let motion = bvh::read(&Source::new("motion.bvh", text)).expect("a motion");
    let model = Model::shipped("adult").expect("a body");
    let back = retarget(&motion, &model).expect("its own skeleton");
    let trace = aplomb::trace::read(folder.path().join("runs/balance_push/trace.mcap")).expect("a trace");
    assert_eq!((back.frames.len(), back.pairs.len()), (trace.frames.len(), model.bodies.len()));
    assert!(back.missing < 1e-3, "{}", back.missing);
    let hinges = model.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
    let numbers: Vec<usize> = hinges.map(|joint| joint.q_index).collect();
    let moved = |index: &usize| (trace.frames[60].q[*index] - trace.frames[0].q[*index]).abs();
    assert!(numbers.iter().map(moved).fold(0.0, f64::max) > 0.02, "nothing moves");
    for (frame, q) in trace.frames.iter().zip(&back.frames) {
        for &index in numbers.iter().chain(&[3, 4, 5, 6]) {
            // A quaternion and its negative are the same rotation.
            let off = (frame.q[index] - q[index]).abs();
            let off = if (3..7).contains(&index) { off.min((frame.q[index] + q[index]).abs()) } else { off };
            assert!(off < 1e-3, "number {index} of frame {}: {off}", frame.index);
        }
    }
}

#[test]
fn a_controller_follows_a_clip_in_either_format() {
    let folder = folder();
    pushed(folder.path());
    for format in ["bvh", "csv"] {
        well(folder.path(), &["export", "runs/balance_push", "--to", format]);
    }
    for (name, clip) in [("bones", "runs/balance_push/motion.bvh"), ("table", "runs/balance_push/frames.csv")]
    {
        let file = format!("{name}.toml");
        well(folder.path(), &["new", "controller", name, "--track", clip]);
        well(folder.path(), &["check", &file]);
        well(folder.path(), &["new", "scene", &format!("{name}_scene"), "--controller", &file]);
        let scene = format!("{name}_scene.toml");
        well(folder.path(), &["run", &scene, "--no-plots", "--set", "duration=1.2"]);
        let ran = aplomb::trace::read(folder.path().join(format!("runs/{name}_scene/trace.mcap")))
            .expect("a trace");
        let led = aplomb::trace::read(folder.path().join("runs/balance_push/trace.mcap")).expect("a trace");
        let off = ran.frames.iter().zip(&led.frames).skip(30).flat_map(|(own, lead)| {
            own.q[7..].iter().zip(&lead.q[7..]).map(|(own, lead)| (own - lead).abs())
        });
        let off = off.fold(0.0, f64::max);
        assert!(off < 0.1, "{name}: {off} rad");
    }
    let files =
        ["bones", "table"].map(|name| ControllerFile::open(folder.path().join(format!("{name}.toml"))));
    assert!(files.iter().all(Result::is_ok));
}

#[test]
fn a_clip_that_walks_is_followed_step_by_step() {
    let folder = folder();
    let unpushed = ["--no-plots", "--set", "events={}", "--set", "success={}"];
    let walk = |scene: &str, duration: &str| {
        let duration = format!("duration={duration}");
        well(folder.path(), &[&["run", scene, "--set", &duration], &unpushed[..]].concat());
        let summary = fs::read_to_string(folder.path().join(format!("runs/{scene}/summary.json")));
        serde_json::from_str::<serde_json::Value>(&summary.expect("a summary")).expect("JSON")
    };
    let led = walk("walk", "6");
    well(folder.path(), &["export", "runs/walk", "--to", "bvh"]);
    well(folder.path(), &["new", "controller", "again", "--track", "runs/walk/motion.bvh"]);
    well(folder.path(), &["check", "again.toml"]);
    let scene = "duration = 9\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"again.toml\"\n";
    fs::write(folder.path().join("second.toml"), format!("title = \"Second\"\n{scene}")).expect("written");
    well(folder.path(), &[&["run", "second.toml"], &unpushed[..]].concat());
    let second = fs::read_to_string(folder.path().join("runs/second/summary.json")).expect("a summary");
    let second: serde_json::Value = serde_json::from_str(&second).expect("JSON");
    let visits = second["states"].as_array().expect("states");
    let count = |name: &str| visits.iter().filter(|visit| visit["name"] == name).count();
    assert!(count("landed") >= 9, "{} steps", count("landed"));
    assert_eq!(count("landed"), count("step"), "a step was given up");
    assert!(visits.last().expect("a state")["name"].as_str().expect("a name").starts_with("end"));
    // Strides in the middle of the walk have the length of those in the clip.
    let strides = |summary: &serde_json::Value| {
        let steps = summary["gait"]["steps_taken"].as_array().expect("steps");
        let within = steps[3..8].iter().map(|step| step["length"].as_f64().expect("a length"));
        within.sum::<f64>() / 5.0
    };
    let (own, lead) = (strides(&second), strides(&led));
    assert!((own - lead).abs() < 0.06 * lead, "strides of {own} m, {lead} m in the clip");
}

#[test]
fn a_table_may_have_degrees_and_milliseconds_and_says_what_the_body_cannot_follow() {
    let folder = folder();
    let made = |name: &str, text: &str| {
        fs::write(folder.path().join("t.csv"), text).expect("written");
        let (code, said) = aplomb(folder.path(), &["new", "controller", name, "--track", "t.csv"]);
        assert_eq!(code, Some(0), "{said}");
        (fs::read_to_string(folder.path().join(format!("{name}.toml"))).expect("written"), said)
    };
    let (plain, _) = made("a", "time,left_knee\n0,0\n0.4,0.5235987755982988\n");
    let (units, _) = made("b", "time [ms],left_knee [deg]\n0,0\n400,30\n");
    let values =
        |text: &str| text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    assert_eq!(values(&plain).replace("\"a\"", "\"b\""), values(&units).replace("\"a\"", "\"b\""));
    let (_, said) = made("c", "time,left_elbow\n0,-0.3\n0.5,-3.8\n1,-0.3\n");
    assert!(said.contains("1.27 rad short of the clip: left_elbow at 0.50 s"), "{said}");
}

#[test]
fn what_is_no_clip_is_refused_at_its_place() {
    let folder = folder();
    for (file, text, said) in [
        ("a.bvh", "HIERARCHY\nROOT a\n{\n OFFSET 0 0\n}\n", "a.bvh:5:1"),
        ("b.csv", "time,left_knee\n0,0\n0.1,x\n", "b.csv:3:1"),
        ("c.csv", "time,left_knee\n0.2,0\n0.1,0\n", "times must increase"),
        ("d.csv", "x,y\n1,2\n", "a column `time`"),
        ("e.csv", "time,left_knee\n0,0.1\n", "two rows or more"),
        ("h.csv", "time,left_knee\n0,0.1\n1e12,0.2\n", "more than 3600 s"),
        ("g.csv", "time,left_knee\n0,0.1\n1,57.3\n", "57.3° is 1.0001"),
        ("m.csv", "time,left_knee [m]\n0,0.1\n1,0.3\n", "column `left_knee [m]` cannot have the unit `m`"),
        ("n.csv", "time [min],left_knee\n0,0.1\n1,0.3\n", "known: `[s]`, `[ms]`"),
        ("o.csv", "time,left_knee,left_knee\n0,0.1,0\n1,0.3,0\n", "a second column `left_knee`"),
        (
            "f.bvh",
            "HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 1\nFrame Time: 1\n",
            "f.bvh: of the skeleton's 1 joints",
        ),
        ("i.bvh", "HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 0\nFrame Time: 1\n", "the clip has no frames"),
        ("j.bvh", "HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 0\nFrame Time: 1\n", "j.bvh:6:9"),
        ("k.bvh", " \n", "k.bvh is empty; a BVH begins with `HIERARCHY`"),
        ("l.toml", "duration = 2\n", "neither a BVH, which begins with `HIERARCHY`, nor a CSV"),
    ] {
        fs::write(folder.path().join(file), text).expect("written");
        let (code, err) = aplomb(folder.path(), &["new", "controller", "x", "--track", file]);
        assert_eq!(code, Some(2), "{file}: {err}");
        assert!(err.contains(said), "{file}: {err}");
        assert!(!folder.path().join("x.toml").exists());
    }
    let (code, _) = aplomb(folder.path(), &["new", "scene", "x", "--track", "a.bvh"]);
    assert_eq!(code, Some(2));
}

#[test]
fn a_clip_of_one_frame_is_a_pose_and_only_other_names_are_told() {
    let folder = folder();
    let short = ["--no-plots", "--set", "duration=0.1", "--set", "success={}"];
    assert_eq!(aplomb(folder.path(), &[&["run", "stand"][..], &short].concat()).0, Some(0));
    assert_eq!(aplomb(folder.path(), &["export", "runs/stand", "--to", "bvh"]).0, Some(0));
    let text = fs::read_to_string(folder.path().join("runs/stand/motion.bvh")).expect("a clip");
    let (head, frames) = text.split_once("MOTION\n").expect("a motion");
    let lines: Vec<&str> = frames.lines().collect();
    let one = format!("{head}MOTION\nFrames: 1\n{}\n{}\n", lines[1], lines[2]);
    fs::write(folder.path().join("one.bvh"), &one).expect("written");
    let (code, err) = aplomb(folder.path(), &["new", "controller", "held", "--track", "one.bvh"]);
    assert!(code == Some(0) && err.contains("one frame only: it holds this pose"), "{err}");
    assert!(!err.contains(" follows "), "{err}");
    fs::write(folder.path().join("other.bvh"), one.replace("JOINT left_thigh", "JOINT LeftUpLeg"))
        .expect("written");
    let (_, err) = aplomb(folder.path(), &["new", "controller", "other", "--track", "other.bvh"]);
    assert!(!err.contains("pelvis follows"), "{err}");
    // Nothing is computed for a file that already exists.
    let (code, err) = aplomb(folder.path(), &["new", "controller", "held", "--track", "nowhere.bvh"]);
    assert!(code == Some(2) && err.contains("held.toml is there already"), "{err}");
    assert!(!err.contains("nowhere"), "{err}");
}
