//! `aplomb test`: success rates of scenes over random draws, independent of threads and interruptions.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const SCENE: &str = "duration = 1.2\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
    [events.push]\nat = 0.1\nduration = 0.1\nbody = \"chest\"\nimpulse = [20, 0, 0]\n\
    [success]\nupright = { always = \"com_height > 0.9 * standing_height\" }\n\
    early = { once = \"time < 0.5\" }\n\
    [trials]\ncount = 8\nrate = RATE\n[trials.draw]\n\
    \"events.push.impulse\" = { direction = { length = { uniform = [10, 90] } } }\n\
    \"ground.friction\" = { choice = [0.8, 1] }\n\
    'controller.states.balance.objectives.\"com over support\".weight' = { uniform = [150, 250] }\n";

/// A folder with a scene in it that fails under strong pushes.
fn folder(rate: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("pushed.toml"), SCENE.replace("RATE", rate)).expect("written");
    folder
}

fn aplomb(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1").output().expect("the program starts")
}

fn test(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = aplomb(folder, &[&["test"], arguments].concat());
    let said = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{}{}", said(&output.stdout), said(&output.stderr));
    said(&output.stdout) + &said(&output.stderr)
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn trials_are_the_same_bytes_with_any_threads_and_after_an_interruption_and_the_worst_come_out_again() {
    let folder = folder("0.1");
    let folder = folder.path();
    let said = test(folder, &["pushed.toml", "--threads", "1", "--out", "one"], 0);
    for words in ["all criteria", "upright", "promised 10.0 %", "failures", "aplomb run one/worst/"] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
    test(folder, &["pushed.toml", "--threads", "2", "--out", "two", "--quiet"], 0);
    // A killed experiment has a journal with some rows, the last of them truncated.
    test(folder, &["pushed.toml", "--out", "three", "--time-budget", "0", "--quiet"], 0);
    let begun = read(&folder.join("three"), "trials.journal");
    test(folder, &["pushed.toml", "--out", "four", "--trials", "3", "--quiet"], 0);
    let report: Value = serde_json::from_str(&read(folder, "one/trials.json")).expect("JSON");
    fs::write(folder.join("three/trials.journal"), format!("{begun}{{\"trial\":0,")).expect("written");
    test(folder, &["pushed.toml", "--out", "three", "--resume", "--quiet"], 0);
    for name in ["trials.csv", "trials.json"] {
        assert_eq!(read(folder, &format!("one/{name}")), read(folder, &format!("two/{name}")), "{name}");
        assert_eq!(read(folder, &format!("one/{name}")), read(folder, &format!("three/{name}")), "{name}");
    }
    // With fewer trials, they are the first of the longer experiment.
    let few = read(folder, "four/trials.csv");
    assert!(read(folder, "one/trials.csv").starts_with(&few), "{few}");
    let again = test(folder, &["pushed.toml", "--out", "one", "--resume"], 2);
    assert!(again.contains("is complete"), "{again}");

    let worst = report["worst"].as_array().expect("a list");
    assert!(!worst.is_empty(), "{report}");
    for trial in worst {
        let run = aplomb(folder, &["run", &format!("one/worst/{trial}.toml"), "--no-plots", "--out", "r"]);
        assert_eq!(run.status.code(), Some(1));
        let summary: Value = serde_json::from_str(&read(folder, "r/summary.json")).expect("JSON");
        let failures = report["failures"].as_array().expect("a list");
        let failure = failures.iter().find(|failure| failure["trial"] == *trial).expect("it is a failure");
        assert_eq!(summary["simulated_time"], failure["simulated_time"], "{trial}");
        assert_eq!(summary["reason"], failure["reason"], "{trial}");
    }
}

#[test]
fn a_promise_that_is_missed_has_an_exit_code_and_is_a_failure_of_junit() {
    let folder = folder("1.0");
    let xml = test(folder.path(), &["pushed.toml", "--format", "junit", "--quiet"], 1);
    assert!(xml.starts_with("<?xml"), "{xml}");
    assert!(xml.contains("<testsuites name=\"aplomb test\" tests=\"3\" failures=\"1\">"), "{xml}");
    assert!(xml.contains("<failure message=") && xml.contains("name=\"upright\""), "{xml}");
    assert_eq!(xml.matches("<testcase").count(), 3);
    let json = test(folder.path(), &["pushed.toml", "--format", "json", "--quiet"], 1);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let scene = &json["scenes"][0];
    assert_eq!((&scene["scene"], &scene["verdict"]), (&"pushed".into(), &"missed".into()));
    assert_eq!(scene["criteria"][1]["passed"], 8);
    assert_eq!(scene["all"]["trials"], 8);
    let table = test(folder.path(), &["pushed.toml", "--format", "markdown", "--trials", "2"], 1);
    assert!(table.contains("| `pushed` | `events.push.impulse`,"), "{table}");
}

#[test]
fn two_experiments_of_the_same_draws_say_which_trials_changed() {
    let folder = folder("0.1");
    let folder = folder.path();
    test(folder, &["pushed.toml", "--out", "old", "--quiet"], 0);
    let wider = "success.upright={ always = \"com_height > 0.1\" }";
    let said = test(folder, &["pushed.toml", "--out", "new", "--against", "old", "--set", wider], 0);
    assert!(said.contains("of 8 trials with the same draws") && said.contains("fail now: none"), "{said}");
    let report: Value = serde_json::from_str(&read(folder, "new/trials.json")).expect("JSON");
    let against = &report["against"];
    assert_eq!(against["pass_now"], 8);
    let mended = against["mended"].as_array().expect("a list").len() as i32;
    assert!(mended > 0);
    assert_eq!(against["chance"].as_f64(), Some(2.0 * 0.5_f64.powi(mended)).map(|chance| chance.min(1.0)));
    let nothing = test(folder, &["pushed.toml", "--out", "new", "--against", "nowhere"], 2);
    assert!(nothing.contains("nowhere") && nothing.contains("folder of an earlier"), "{nothing}");
}

#[test]
fn a_trial_that_cannot_be_run_has_failed_and_is_told() {
    let folder = folder("0.0");
    let joint = "trials.draw={ \"characters.adult.pose.nee\" = { uniform = [0, 1] } }";
    let said = test(folder.path(), &["pushed.toml", "--set", joint], 2);
    assert!(said.contains("nee"), "{said}");
    let weight = "trials.draw={ \"torque_change_weight\" = { normal = { mean = 1e-3, deviation = 1 } } }";
    let said = test(folder.path(), &["pushed.toml", "--trials", "6", "--set", weight], 0);
    assert!(said.contains("with an error") && said.contains("error: --set"), "{said}");
}

#[test]
fn mutants_tell_the_criterion_that_cannot_fail() {
    let folder = folder("0.1");
    let said = test(folder.path(), &["pushed.toml", "--mutants"], 1);
    assert!(said.contains("criterion `early` holds in all of the"), "{said}");
    assert!(folder.path().join("trials/pushed/mutants.csv").exists());
}

#[test]
fn a_value_that_each_trial_or_run_replaces_cannot_be_set() {
    let folder = folder("0.5");
    let said = test(folder.path(), &["pushed.toml", "--set", "ground.friction=0.5"], 2);
    assert!(
        said.contains("`--set ground.friction=0.5` has no effect: each trial draws that value"),
        "{said}"
    );
    let said = test(folder.path(), &["pushed.toml", "--set", "events.push.impulse.0=5"], 2);
    assert!(said.contains("each trial draws that value"), "{said}");
    test(folder.path(), &["pushed.toml", "--trials", "1", "--quiet", "--set", "events.push.at=0.2"], 0);
    let sweep = ["sweep", "pushed.toml", "--over", "dt=0.01:0.02:lin2", "--set", "dt=0.01"];
    let output = aplomb(folder.path(), &sweep);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("`--over` varies that value"), "{said}");
}

#[test]
fn scenes_without_draws_and_wrong_ones_are_told() {
    let folder = folder("90");
    let said = test(folder.path(), &["pushed.toml"], 2);
    assert!(said.contains("pushed.toml:15:8") && said.contains("`0.9`"), "{said}");
    let checked = aplomb(folder.path(), &["check", "pushed.toml"]);
    assert!(String::from_utf8_lossy(&checked.stderr).contains("pushed.toml:15:8"));
    fs::write(folder.path().join("bare.toml"), SCENE.split("[trials]").next().expect("text"))
        .expect("written");
    let said = test(folder.path(), &["bare.toml"], 2);
    assert!(said.contains("has no [trials]"), "{said}");
}

#[test]
fn shipped_scenes_keep_what_they_promise_in_a_few_trials() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = test(folder.path(), &["balance_push", "stand_quadruped", "--trials", "3"], 0);
    assert!(said.contains("balance_push: ") && said.contains("stand_quadruped: "), "{said}");
    assert!(folder.path().join("trials/balance_push/trials.csv").exists());
}

#[test]
fn every_shipped_scene_says_what_is_drawn_and_promises_a_rate() {
    for name in aplomb::language::files::shipped(aplomb::language::files::Folder::Scenes) {
        let trials = aplomb::scene::load(&name, &[]).expect("it loads").scene.trials.expect(&name);
        assert!(trials.rate.is_some() && !trials.draw.is_empty(), "{name}");
    }
}
