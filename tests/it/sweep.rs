//! `aplomb sweep`: many runs, one table, one picture, independent of the number of threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const UPRIGHT: &str = "success={ upright = { always = \"com_height > 0.6 * standing_height\" } }";

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).arg("sweep").args(arguments).env("NO_COLOR", "1");
    command
}

fn sweep(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The rows of the table, each as a map from column to cell.
fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// The table of a sweep all of whose runs could be computed.
fn done(folder: &Path, arguments: &[&str]) -> Vec<BTreeMap<String, String>> {
    let output = sweep(folder, &[arguments, &["--out", "o"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    table(&folder.join("o/sweep.csv"))
}

fn column<'t>(table: &'t [BTreeMap<String, String>], name: &str) -> Vec<&'t str> {
    table.iter().map(|row| row[name].as_str()).collect()
}

fn numbers(table: &[BTreeMap<String, String>], name: &str) -> Vec<f64> {
    column(table, name).iter().map(|cell| cell.parse().expect("a number")).collect()
}

#[test]
fn a_map_of_pushes_is_the_same_bytes_with_one_thread_and_with_two() {
    let folder = folder();
    for threads in ["1", "2"] {
        let map = ["step_push", "--directions", "2", "--impulses", "20:50:30"];
        let set = ["--set", "duration=1.6", "--set", UPRIGHT];
        let output =
            sweep(folder.path(), &[&map[..], &set, &["--threads", threads, "--out", threads]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "", "there is no progress bar without a terminal");
        for said in ["survivable area", "0°", "180°", "50 or more", "4 of 4 runs held"] {
            assert!(text(&output.stdout).contains(said), "{said} is not in {}", text(&output.stdout));
        }
    }
    for name in ["sweep.csv", "sweep.svg", "sweep.png"] {
        let bytes = |threads: &str| fs::read(folder.path().join(threads).join(name)).expect("a file");
        assert!(bytes("1") == bytes("2"), "{name}");
    }
    let rows = table(&folder.path().join("1/sweep.csv"));
    assert_eq!(column(&rows, "run"), ["0", "1", "2", "3"]);
    assert_eq!(column(&rows, "direction_deg"), ["0", "0", "180", "180"]);
    assert_eq!(column(&rows, "impulse_n_s"), ["20", "50", "20", "50"]);
    let steps = numbers(&rows, "steps");
    assert!(steps[0] == 0.0 && steps[2] <= 1.0, "20 N s need no step, or a small one: {steps:?}");
    assert!(steps[1] >= 1.0 && steps[3] >= 1.0, "50 N s need one: {steps:?}");
    assert!(numbers(&rows, "root_residual_max").iter().all(|residual| *residual < 1e-9));
}

#[test]
fn what_a_fall_is_the_scene_says_and_it_ends_the_run() {
    let folder = folder();
    let map = ["balance_push", "--directions", "2", "--impulses", "10:60:50", "--set", "duration=3"];
    let rows = done(folder.path(), &[&map[..], &["--set", UPRIGHT]].concat());
    assert_eq!(column(&rows, "outcome"), ["pass", "fail", "pass", "fail"]);
    assert_eq!(column(&rows, "failed_criteria"), ["", "upright", "", "upright"]);
    for row in [&rows[1], &rows[3]] {
        assert_eq!(row["broken_at"], row["simulated_time"], "the run ended there");
        assert!(row["reason"].contains("`upright` broke"), "{}", row["reason"]);
    }
    let lenient = done(folder.path(), &[&map[..], &["--set", "success={}"]].concat());
    assert_eq!(column(&lenient, "outcome"), ["pass"; 4]);
}

#[test]
fn a_push_given_as_a_force_gets_the_same_impulse() {
    let folder = folder();
    let scene = |push: &str| {
        format!(
            "duration = 0.4\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
             [events.other]\nat = 0.3\nduration = 0.05\nbody = \"head\"\nimpulse = [0, 1, 0]\n\
             [events.shove]\nat = 0.02\nduration = 0.15\nbody = \"chest\"\n{push}\n"
        )
    };
    let mut tables = Vec::new();
    for push in ["impulse = [0, 0, 3]", "force = [5, 5, 5]"] {
        fs::write(folder.path().join("scene.toml"), scene(push)).expect("a file");
        let map = ["scene.toml", "--event", "shove", "--directions", "3", "--impulses", "12"];
        tables.push(numbers(&done(folder.path(), &map), "com_drift"));
    }
    assert!(tables[0].iter().zip(&tables[1]).all(|(a, b)| (a - b).abs() < 1e-9), "{tables:?}");
}

#[test]
fn a_higher_price_of_torque_changes_costs_goals_and_never_physics() {
    let folder = folder();
    let over = ["balance_push", "--over", "torque_change_weight=10:200:log3", "--set", "duration=2.5"];
    let rows = done(folder.path(), &[&over[..], &["--set", "events.push.impulse=[12, 0, 0]"]].concat());
    let falling = |figures: &[f64], by: f64| figures.windows(2).all(|pair| pair[1] < by * pair[0]);
    let (change, mut error) = (numbers(&rows, "torque_change"), numbers(&rows, "goal_error"));
    assert!(falling(&change, 0.9), "{change:?}");
    error.reverse();
    assert!(falling(&error, 0.98), "{error:?}");
    assert!(numbers(&rows, "root_residual_max").iter().all(|residual| *residual < 1e-12));
}

#[test]
fn two_values_make_a_grid_and_a_run_that_stops_with_an_error_is_a_row() {
    let folder = folder();
    let weight = "controller.states.balance.objectives.\"com height\".weight=\"1 / sqrt(0.055 - time)\"";
    let over = ["stand", "--over", "ground.friction=0.5:1:0.5", "--over", "duration=0.04:0.08:0.04"];
    let rows =
        done(folder.path(), &[&over[..], &["--set", "success={}", "--set", weight, "--keep"]].concat());
    assert_eq!(column(&rows, "ground.friction"), ["0.5", "0.5", "1", "1"]);
    assert_eq!(column(&rows, "duration"), ["0.04", "0.08", "0.04", "0.08"]);
    assert_eq!(column(&rows, "outcome"), ["pass", "error", "pass", "error"]);
    assert!(rows[1]["reason"].contains("weight of objective `com height`"), "{}", rows[1]["reason"]);
    let frames = |run: u32| {
        let path = folder.path().join(format!("o/traces/{run}.mcap"));
        aplomb::trace::read(&path).expect("a trace").frames.len()
    };
    assert_eq!([frames(0), frames(1)], [5, 7], "with the last record, up to the error as well");
}

#[test]
fn steps_can_be_entries_into_a_state() {
    let folder = folder();
    let map = ["step_push", "--directions", "1", "--impulses", "42", "--set", "duration=1.5"];
    let entries = done(folder.path(), &[&map[..], &["--count", "take_step"]].concat());
    assert_eq!(column(&entries, "steps"), ["1"]);
    let entries = done(folder.path(), &[&map[..], &["--count", "fall"]].concat());
    assert_eq!(column(&entries, "steps"), ["0"]);
}

#[test]
fn mistakes_are_said_with_their_place_before_anything_runs() {
    let folder = folder();
    let cases: [(&[&str], &[&str]); 14] = [
        (&["step_psuh"], &["did you mean `step_push`?"]),
        (&["stand"], &["this scene has no push", "--over"]),
        (&["step_push", "--event", "psuh"], &["this scene has no push `psuh`", "did you mean `push`?"]),
        (&["step_push", "--directions", "0"], &["--directions"]),
        (&["step_push", "--threads", "0"], &["--threads"]),
        (&["step_push", "--impulses", "80:20:5"], &["--impulses:1:7", "does not lead from 80 to 20"]),
        (&["step_push", "--impulses", "80:20:-5"], &["impulses rise"]),
        (&["step_push", "--impulses", "20:x:5"], &["--impulses:1:4", "expected a number, found `x`"]),
        (&["step_push", "--count", "take_stepp"], &["no state `take_stepp`", "did you mean `take_step`?"]),
        (
            &["stand", "--over", "torque_chnage_weight=1:2:1"],
            &["--over:1:1", "did you mean `torque_change_weight`?"],
        ),
        (
            &["stand", "--over", "torque_change_weight=-1:1:1"],
            &["--over:1:22", "torque_change_weight must be more than 0"],
        ),
        (&["stand", "--over", "torque_change_weight"], &["--over:1:1", "KEY=FROM:TO:STEP"]),
        (&["stand", "--over", "dt=0.01:0.02:lin2", "--directions", "3"], &["cannot be used with"]),
        (&["stand", "--set", "duraton=3"], &["did you mean `duration`?"]),
    ];
    for (arguments, said) in cases {
        let output = sweep(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        for said in said {
            let err = text(&output.stderr);
            assert!(err.contains(said), "{arguments:?}: {said} is not in {err}");
        }
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing was written");
    fs::write(folder.path().join("taken"), "a file").expect("a file");
    let output = sweep(folder.path(), &["step_push", "--out", "taken"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
}

#[test]
fn a_killed_sweep_leaves_the_rows_it_had() {
    let folder = folder();
    let mut child = command(folder.path(), &["step_push", "--threads", "1", "--quiet", "--out", "o"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let path = folder.path().join("o/sweep.csv");
    let started = Instant::now();
    let lines = || fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    while lines() < 4 {
        assert!(started.elapsed() < Duration::from_secs(120), "no row was written");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
    let rows = table(&path);
    assert!(rows.len() >= 3);
    assert!(rows.iter().enumerate().all(|(number, row)| row["run"] == number.to_string()));
}
