//! Reports of a run on conditions that never held, and on values that nothing reads.

use std::fs;
use std::process::{Command, Output};

const CONTROLLER: &str = r#"
start = "wait"
[parameters]
least = 1.2
[define]
risen = "com_height > bound"
[[objectives]]
name = "com over support"
weight = 200.0
response = 0.35
of = { com_over_support = {} }
[[objectives]]
name = "rest pose"
weight = 1
response = 0.25
of = { pose = {} }
[states.wait]
let = { bound = "least * standing_height" }
until = "time > 0.05 and risen"
to = ["up"]
[states.up]
"#;

const SCENE: &str = r#"
duration = 0.5
[characters.adult]
model = "adult"
controller = "own.toml"
[events.lower]
kind = "set"
at = 0.2
path = "parameters.least"
value = 0.5
[success]
went = { once = "present_state == up" }
high = { at_end = "com_height > 1.5 and time > 0.3" }
"#;

fn aplomb(folder: &std::path::Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).env("NO_COLOR", "1").args(arguments).output().unwrap()
}

#[test]
fn what_did_not_come_to_hold_is_told_with_its_value_and_a_value_that_nothing_reads_with_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("own.toml"), CONTROLLER).unwrap();
    fs::write(folder.join("scene.toml"), SCENE).unwrap();

    let checked = aplomb(folder, &["check", "scene.toml"]);
    let said = String::from_utf8([checked.stdout, checked.stderr].concat()).unwrap();
    assert!(said.contains("unread-value") && said.contains("`parameters.least`"), "{said}");

    let output = aplomb(folder, &["run", "scene.toml", "--out", "out", "--no-plots"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let unread = "`parameters.least`, set at 0.20 s in state `wait`, changes nothing: no state that can follow reads it";
    assert!(said.contains(unread), "{said}");
    let summary = fs::read_to_string(folder.join("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["unread_values"][0]["path"], "parameters.least");

    let stay = &summary["stay"];
    assert_eq!((stay["state"].as_str(), stay["from"].as_f64()), (Some("wait"), Some(0.0)));
    // The name of a definition is replaced by the comparison in it.
    assert_eq!(stay["nearest"]["comparison"], "com_height > bound");
    let [left, right] = [0, 1].map(|side| stay["nearest"]["sides"][side].as_f64().unwrap());
    assert!(left < right && (left / right * 1.2 - 1.0).abs() < 0.1, "{left} against {right} m");
    let reason = summary["reason"].as_str().unwrap();
    assert!(reason.contains("`wait` stayed from 0.00 s: until com_height > bound: nearest "), "{reason}");
    assert!(reason.contains("`went` never came true (present_state == up)"), "{reason}");
    assert!(reason.contains("(com_height > 1.5 and time > 0.3; com_height > 1.5: "), "{reason}");
    assert_eq!(summary["criteria"][1]["nearest"]["time"], 0.5);
}
