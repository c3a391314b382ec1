//! Events that wait for a condition in a run, as a user writes them.

use aplomb::trace;
use std::fs;
use std::process::Command;

const SCENE: &str = r#"
duration = 2.5
bias_velocity = "extrapolated"

[characters.adult]
model = "adult"
controller = "step_recovery"

[events.push]
at = 0.5
duration = 0.15
body = "chest"
impulse = [42, 0, 0]

[events.second]
when = "visits(take_step) == 1 and not (touches(left_foot) and touches(right_foot))"
delay = 0.05
duration = 0.05
body = "chest"
impulse = [0, 4, 0]

[events.third]
after = "never"
duration = 0.05
body = "chest"
impulse = [0, 4, 0]

[events.never]
when = "visits(fall) > 0"
duration = 0.05
body = "chest"
impulse = [0, 4, 0]

[success]
upright = { always = "com_height > 0.6 * standing_height" }
"#;

#[test]
fn a_push_comes_while_a_foot_is_in_the_air_and_what_never_came_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder.path()).env("NO_COLOR", "1");
    let output = command.args(["run", "scene.toml", "--out", "out", "--no-plots"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("event `never` never came: `visits(fall) > 0` did not hold when it could begin"),
        "{said}"
    );
    assert!(said.contains("event `third` never came: `never` did not come before it"), "{said}");
    let summary = fs::read_to_string(folder.path().join("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let missed: Vec<&str> =
        summary["missed_events"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(missed, ["third", "never"]);
    let trace = trace::read(folder.path().join("out/trace.mcap")).unwrap();
    let begun = trace.frames.iter().position(|frame| frame.events.iter().any(|event| event == "second"));
    let begun = begun.expect("it comes");
    let stands = |frame: usize, foot: &str| {
        trace.frames[frame].contacts.iter().any(|contact| contact.body.starts_with(foot))
    };
    let feet = ["left", "right"];
    let lifted = (0..begun).find(|frame| {
        trace.frames[*frame].state == "take_step" && !feet.iter().all(|foot| stands(*frame, foot))
    });
    // Conditions at the beginning of a frame use the contacts of the previous frame.
    let waited = begun - lifted.expect("a foot leaves the ground");
    assert!((5..=6).contains(&waited), "{waited} frames after a foot left the ground");
    let impulse: f64 = trace
        .frames
        .iter()
        .flat_map(|frame| &frame.external)
        .filter(|force| force.name == "second")
        .map(|force| 0.01 * force.force[1])
        .sum();
    assert!((impulse - 4.0).abs() < 1e-9, "{impulse} N s");
}
