//! Parts of clips, mirrored clips, and repeated clips.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;
use toml::{Table, Value};

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Exit code and standard error.
fn aplomb(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1").env("COLUMNS", "400");
    let Output { status, stderr, .. } = command.output().expect("the program starts");
    (status.code(), String::from_utf8(stderr).expect("UTF-8"))
}

/// The controller that tracks `clip`.
fn tracked(folder: &Path, name: &str, clip: &str, options: &[&str]) -> Table {
    let (code, err) = aplomb(folder, &[&["new", "controller", name, "--track", clip], options].concat());
    assert_eq!(code, Some(0), "{options:?}: {err}");
    let file = format!("{name}.toml");
    let (code, err) = aplomb(folder, &["check", &file]);
    assert_eq!(code, Some(0), "{options:?}: {err}");
    fs::read_to_string(folder.join(file)).expect("a file").parse().expect("TOML")
}

/// Keyframes of a joint in a controller without steps: times and values.
fn joint(controller: &Table, name: &str) -> (Vec<f64>, Vec<f64>) {
    let objectives = controller["states"]["track"]["objectives"].as_array().expect("objectives");
    let angles = objectives.iter().find_map(|one| one["of"].get("pose")?.get("angles"));
    keyframes(angles.and_then(|angles| angles.get(name)).expect("a joint"))
}

fn keyframes(value: &Value) -> (Vec<f64>, Vec<f64>) {
    let number = |value: &Value| value.as_float().or(value.as_integer().map(|whole| whole as f64));
    let list = |key: &str| {
        let list = value["keyframes"][key].as_array().expect("a list");
        list.iter().map(|value| number(value).expect("a number")).collect()
    };
    (list("times"), list("values"))
}

/// Writes a table over 2 s in which joints go from one value to another and back.
fn write(folder: &Path) {
    let text = "time,left_elbow,left_shoulder_x,abdomen_z,abdomen_y\n\
                0,-0.2,0.1,0,0\n1,-1,0.5,0.3,0.2\n2,-0.3,0.1,0,0\n";
    fs::write(folder.join("a.csv"), text).expect("written");
}

#[test]
fn the_mirror_image_of_a_clip_moves_the_other_side() {
    let folder = folder();
    write(folder.path());
    let plain = tracked(folder.path(), "plain", "a.csv", &[]);
    let image = tracked(folder.path(), "image", "a.csv", &["--mirror"]);
    // Joints about a forward or up axis rotate in the opposite direction.
    for (own, other, sign) in [
        ("left_elbow", "right_elbow", 1.0),
        ("left_shoulder_x", "right_shoulder_x", -1.0),
        ("abdomen_z", "abdomen_z", -1.0),
        ("abdomen_y", "abdomen_y", 1.0),
    ] {
        let ((_, own), (_, other)) = (joint(&plain, own), joint(&image, other));
        assert!(own.iter().zip(&other).all(|(a, b)| (a - sign * b).abs() < 1e-6), "{own:?} {other:?}");
    }
    let text = fs::read_to_string(folder.path().join("image.toml")).expect("a file");
    assert!(text.contains("--track a.csv --mirror`") && !text.contains("left_elbow"), "{text}");
}

#[test]
fn a_part_of_a_clip_begins_and_ends_where_it_is_cut() {
    let folder = folder();
    write(folder.path());
    let part = tracked(folder.path(), "part", "a.csv", &["--from", "0.5", "--until", "1.5"]);
    let (times, angles) = joint(&part, "left_elbow");
    assert!((times[times.len() - 1] - 1.0).abs() < 1e-6, "{times:?}");
    assert!((angles[0] + 0.6).abs() < 1e-3 && (angles[angles.len() - 1] + 0.65).abs() < 1e-3, "{angles:?}");
    assert!((angles[10] + 1.0).abs() < 1e-3, "{angles:?}");
}

#[test]
fn a_clip_is_repeated_without_a_jump() {
    let folder = folder();
    write(folder.path());
    let thrice = tracked(folder.path(), "thrice", "a.csv", &["--loop", "3"]);
    let (times, angles) = joint(&thrice, "left_elbow");
    assert!((times[times.len() - 1] - 6.0).abs() < 1e-6, "{times:?}");
    let at = |time: f64| angles[times.iter().position(|key| (key - time).abs() < 1e-6).expect("a key")];
    assert!((at(1.0) + 1.0).abs() < 1e-3 && (at(3.0) + 1.0).abs() < 1e-3 && (at(5.0) + 1.0).abs() < 1e-3);
    // −0.3 at the end of a repetition, −0.2 at the beginning of the next: the mean where they meet.
    assert!((at(2.0) + 0.25).abs() < 1e-3 && (at(4.0) + 0.25).abs() < 1e-3, "{} {}", at(2.0), at(4.0));
    assert!((at(0.0) + 0.2).abs() < 1e-3 && (at(6.0) + 0.3).abs() < 1e-3);
    let steps = angles.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    assert!(steps.fold(0.0, f64::max) < 0.08, "{angles:?}");
}

#[test]
fn steps_of_a_walk_are_mirrored_and_repeated() {
    let folder = folder();
    let unpushed = ["--no-plots", "--set", "duration=4", "--set", "events={}", "--set", "success={}"];
    assert_eq!(aplomb(folder.path(), &[&["run", "walk"][..], &unpushed].concat()).0, Some(0));
    assert_eq!(aplomb(folder.path(), &["export", "runs/walk", "--to", "bvh"]).0, Some(0));
    let clip = "runs/walk/motion.bvh";
    let sides = |controller: &Table| keyframes(&controller["states"]["step"]["let"]["side"]).1;
    let plain = sides(&tracked(folder.path(), "plain", clip, &[]));
    let image = sides(&tracked(folder.path(), "image", clip, &["--mirror"]));
    assert!(plain.len() >= 5 && plain.len() == image.len(), "{plain:?} {image:?}");
    assert!(plain.iter().zip(&image).all(|(own, other)| own + other == 0.0), "{plain:?} {image:?}");
    let on = tracked(folder.path(), "on", clip, &["--from", "2", "--until", "3.07", "--loop", "6"]);
    assert!((10..=14).contains(&sides(&on).len()), "{:?}", sides(&on));
    // Repetitions continue in the direction of the walk: every step lands ahead.
    let ways = on["states"]["step"]["let"]["way"]["keyframes"]["values"].as_array().expect("ways");
    let ahead = ways.iter().filter(|way| way[0].as_float().is_some_and(|x| x > 0.1)).count();
    assert!(ahead + 1 >= ways.len(), "{ways:?}");
}

#[test]
fn parts_and_rounds_that_make_no_sense_are_refused() {
    let folder = folder();
    write(folder.path());
    for (options, said) in [
        (&["--from", "5"][..], "--from 5: the clip a.csv is from 0 to 2.00 s"),
        (&["--until", "2.5"], "--until 2.5: the clip a.csv is from 0 to 2.00 s"),
        (&["--until", "nan"], "--until NaN: the clip a.csv"),
        (&["--from", "1.5", "--until", "1"], "a part of a clip lasts 0.1 s or more"),
        (&["--from", "walk"], "it is a time of the clip, s"),
        (&["--loop", "0"], "followed once or more"),
        (&["--loop", "4000000000"], "is more than 3600 s"),
        (&["--until", "1", "--loop", "2"], "at `left_elbow`"),
    ] {
        let new = ["new", "controller", "x", "--track", "a.csv"];
        let (code, err) = aplomb(folder.path(), &[&new[..], options].concat());
        assert_eq!(code, Some(2), "{options:?}: {err}");
        assert!(err.contains(said), "{options:?}: {err}");
        assert!(!folder.path().join("x.toml").exists());
    }
    let (_, err) = aplomb(
        folder.path(),
        &["new", "controller", "y", "--track", "a.csv", "--until", "1.7", "--loop", "2"],
    );
    assert!(
        err.contains("warning: beginning and end of the clip are apart by 0.31 rad at `left_elbow`"),
        "{err}"
    );
    let short = "time,left_elbow\n0,-0.5\n0.05,-0.5\n";
    std::fs::write(folder.path().join("short.csv"), short).expect("written");
    let new = ["new", "controller", "z", "--track", "short.csv", "--loop", "4000000000"];
    let (code, err) = aplomb(folder.path(), &new);
    assert!(code == Some(2) && err.contains("the clip lasts 0.05 s, less than 0.1 s"), "{err}");
    for options in [&["new", "controller", "x", "--mirror"][..], &["new", "controller", "x", "--loop", "2"]] {
        assert_eq!(aplomb(folder.path(), options).0, Some(2), "{options:?}");
    }
}

/// A walk of a skeleton as long as the exported run.
fn walk(folder: &Path) {
    let unpushed = ["--no-plots", "--set", "duration=2", "--set", "events={}", "--set", "success={}"];
    assert_eq!(aplomb(folder, &[&["run", "walk"][..], &unpushed].concat()).0, Some(0));
    assert_eq!(aplomb(folder, &["export", "runs/walk", "--to", "bvh"]).0, Some(0));
}

#[test]
fn the_picture_of_a_clip_has_its_worst_miss() {
    let folder = folder();
    walk(folder.path());
    let path = folder.path().join("runs/walk/motion.bvh");
    let text = fs::read_to_string(&path).expect("a clip");
    // The same walk with the head turned farther than the neck allows, in one frame.
    let before = text.split("JOINT head").next().expect("a head");
    let first: usize = before
        .split_whitespace()
        .collect::<Vec<_>>()
        .windows(2)
        .filter(|pair| pair[0] == "CHANNELS")
        .map(|pair| pair[1].parse::<usize>().expect("a number"))
        .sum();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let start = lines.iter().position(|line| line.starts_with("Frame Time")).expect("frames") + 1;
    let mut numbers: Vec<String> = lines[start + 100].split_whitespace().map(String::from).collect();
    numbers[first..first + 3].iter_mut().for_each(|number| *number = "120".into());
    lines[start + 100] = numbers.join(" ");
    fs::write(&path, lines.join("\n")).expect("written");
    let clip = "runs/walk/motion.bvh";
    tracked(folder.path(), "drawn", clip, &["--picture", "drawn.svg"]);
    let svg = fs::read_to_string(folder.path().join("drawn.svg")).expect("a picture");
    assert!(svg.contains("worst at 1.00 s: head "), "{}", &svg[..svg.len().min(3000)]);
    assert_eq!(svg.matches("mean 0.00 rad").count(), 7, "the other moments are met");
    tracked(folder.path(), "part", clip, &["--picture", "part.svg", "--until", "0.9", "--mirror"]);
    let svg = fs::read_to_string(folder.path().join("part.svg")).expect("a picture");
    assert!(!svg.contains("worst at 1.00 s"), "the part is judged alone");
    tracked(folder.path(), "dots", clip, &["--picture", "dots.png"]);
    assert!(fs::read(folder.path().join("dots.png")).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
}

#[test]
fn pictures_of_tables_and_in_other_formats_are_refused() {
    let folder = folder();
    write(folder.path());
    for (file, said) in [("a.svg", "a table has no skeleton"), ("a.jpg", "--picture is a .png or .svg file")]
    {
        let arguments = ["new", "controller", "x", "--track", "a.csv", "--picture", file];
        let (code, err) = aplomb(folder.path(), &arguments);
        assert!(code == Some(2) && err.contains(said), "{err}");
        assert!(!folder.path().join("x.toml").exists() && !folder.path().join(file).exists());
    }
}
