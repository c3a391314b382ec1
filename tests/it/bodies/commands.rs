//! Commands on bodies: `check`, `roles`, `convert`, and the file beside a model.

use super::file;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn aplomb(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1").output().expect("the program starts")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// A folder with the shipped adult as a separate file.
fn adult() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = include_str!("../../../characters/adult.xml");
    fs::write(folder.path().join("robot.xml"), text).expect("written");
    folder
}

#[test]
fn a_robot_from_urdf_is_converted_into_one_file_that_needs_no_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let robot = file("robot_description/urdf/robot.urdf");
    let robot = robot.to_string_lossy();
    let converted = aplomb(folder.path(), &["convert", &robot, "--out", "plain.xml"]);
    assert!(converted.status.success(), "{}", err(&converted));
    assert!(err(&converted).contains("links without mass"), "{}", err(&converted));
    let checked = aplomb(folder.path(), &["check", "plain.xml", "--strict"]);
    assert!(checked.status.success(), "{}{}", out(&checked), err(&checked));
    let bodies = |model: &str| out(&aplomb(folder.path(), &["list", "bodies", "--model", model, "--json"]));
    assert_eq!(bodies("plain.xml"), bodies(&robot));
    let refused = aplomb(folder.path(), &["check", &robot, "--strict"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn roles_are_written_beside_a_body_and_read_from_there() {
    let folder = adult();
    let shown = |folder: &Path| out(&aplomb(folder, &["roles", "robot.xml"]));
    let found = shown(folder.path());
    assert!(
        found.lines().any(|line| line.starts_with("left_foot") && line.contains(" left_foot ")),
        "{found}"
    );
    let written = aplomb(folder.path(), &["roles", "robot.xml", "--write"]);
    assert!(written.status.success(), "{}", err(&written));
    let path = folder.path().join("robot.body.toml");
    assert_eq!(shown(folder.path()), found, "what is written says what was found");
    let again = aplomb(folder.path(), &["roles", "robot.xml", "--write"]);
    assert!(!again.status.success() && err(&again).contains("is there already"), "{}", err(&again));
    let text = fs::read_to_string(&path).expect("there");
    assert!(text.contains("head = \"head\""), "{text}");
    fs::write(&path, text.replace("head = \"head\"", "head = \"chest\"")).expect("written");
    let head = shown(folder.path());
    let head = head.lines().find(|line| line.starts_with("head ")).expect("a line");
    assert!(head.starts_with("head             chest "), "{head}");
}

#[test]
fn mistakes_in_the_file_beside_a_body_are_said_with_their_place_and_the_nearest_word() {
    let folder = adult();
    let said = |text: &str| {
        fs::write(folder.path().join("robot.body.toml"), text).expect("written");
        let checked = aplomb(folder.path(), &["check", "robot.xml", "--json"]);
        assert_eq!(checked.status.code(), Some(2), "{text}");
        let found: serde_json::Value = serde_json::from_slice(&checked.stdout).expect("JSON");
        let first = &found[0];
        let place = format!("{}:{}", first["line"], first["column"]);
        (place, format!("{} {}", first["message"], first["help"]))
    };
    let (place, message) = said("[roles]\nchset = \"chest\"\n");
    assert!(
        place == "2:1" && message.contains("no role `chset`") && message.contains("chest"),
        "{place} {message}"
    );
    let (place, message) = said("[roles]\nchest = \"chset\"\n");
    assert!(
        place == "2:9" && message.contains("no body `chset`") && message.contains("chest"),
        "{place} {message}"
    );
    let (place, message) = said("[role_joints]\narms = [\"left_elbo\"]\n");
    assert!(
        place == "2:9" && message.contains("no joint `left_elbo`") && message.contains("left_elbow"),
        "{place} {message}"
    );
    let (place, message) = said("ignore = [\"tendons\"]\n");
    assert!(place == "1:11" && message.contains("tendon"), "{place} {message}");
}
