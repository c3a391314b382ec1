//! The commands as seen by a user: arguments in; exit code, texts and files out.

use aplomb::trace;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Short enough for a test, long enough for a chunk of the trace.
const SHORT: [&str; 3] = ["--set", "duration=0.15", "--no-plots"];

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1");
    command
}

fn aplomb(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

fn run(folder: &Path, scene: &str, more: &[&str]) -> Output {
    let arguments = [&["run", scene], &SHORT[..], more].concat();
    aplomb(folder, &arguments)
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", err(output)))
}

/// Names of the files below `folder`, in order.
fn files(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside");
                names.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    names.sort();
    names
}

#[test]
fn without_a_command_the_help_is_shown_and_every_command_is_in_it() {
    let folder = folder();
    let alone = aplomb(folder.path(), &[]);
    assert_eq!(code(&alone), Some(0));
    for command in
        ["run", "sweep", "test", "tune", "check", "plot", "graph", "list", "export", "new", "repair"]
    {
        assert!(out(&alone).contains(&format!("\n  {command} ")), "{command}");
        let help = aplomb(folder.path(), &[command, "--help"]);
        assert_eq!(code(&help), Some(0));
        assert!(out(&help).contains("Example"), "{command}");
    }
    let version = aplomb(folder.path(), &["--version"]);
    assert_eq!(out(&version), format!("aplomb {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_is_near() {
    let folder = folder();
    let cases: [(&[&str], &str); 7] = [
        (&["rum", "stand"], "'run'"),
        (&["run"], "<SCENE>"),
        (&["run", "balance_puhs"], "did you mean `balance_push`?"),
        (&["run", "stand", "--solver", "clarable"], "did you mean `clarabel`?"),
        (&["run", "stand", "--set", "duraton=3"], "did you mean `duration`?"),
        (&["export", ".", "--to", "xlsx"], "csv"),
        (&["list", "objective"], "objectives"),
    ];
    for (arguments, said) in cases {
        let output = aplomb(folder.path(), arguments);
        assert_eq!(code(&output), Some(2), "{arguments:?}");
        assert!(err(&output).contains(said), "{arguments:?}: {}", err(&output));
        assert_eq!(out(&output), "", "{arguments:?}");
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_run_leaves_trace_summary_plots_and_strip_in_its_folder() {
    let folder = folder();
    let arguments = ["run", "stand", "--verbose", "--set", "duration=0.15", "--set", "success={}"];
    let output = aplomb(folder.path(), &arguments);
    assert_eq!(code(&output), Some(0), "{}", err(&output));
    let there = files(folder.path());
    for name in [
        "trace.mcap",
        "summary.json",
        "strip.svg",
        "strip.png",
        "plots/costs.svg",
        "plots/costs.png",
        "plots/costs.csv",
    ] {
        assert!(there.contains(&format!("runs/stand/{name}")), "{name} is not in {there:?}");
    }
    for word in ["verdict", "pass", "states", "balance", "CoP step", "peak torque", "relaxed", "µs per frame"]
    {
        assert!(out(&output).contains(word), "{word} is not in {}", out(&output));
    }
    assert_eq!(err(&output), "", "there is no progress bar without a terminal");

    let before = fs::read(folder.path().join("runs/stand/plots/costs.svg")).expect("a plot");
    fs::remove_dir_all(folder.path().join("runs/stand/plots")).expect("a folder");
    let again = aplomb(folder.path(), &["plot", "runs/stand"]);
    assert_eq!(code(&again), Some(0), "{}", err(&again));
    assert_eq!(fs::read(folder.path().join("runs/stand/plots/costs.svg")).expect("a plot"), before);
    let one = aplomb(folder.path(), &["plot", "runs/stand/trace.mcap", "torques", "--out", "elsewhere"]);
    assert_eq!(code(&one), Some(0), "{}", err(&one));
    let elsewhere = files(&folder.path().join("elsewhere"));
    assert_eq!(elsewhere, ["plots/torques.csv", "plots/torques.png", "plots/torques.svg"]);

    let rerun = run(folder.path(), "stand", &["--set", "success={}", "--quiet"]);
    assert_eq!((code(&rerun), out(&rerun), err(&rerun)), (Some(0), String::new(), String::new()));
    assert_eq!(
        files(&folder.path().join("runs/stand")),
        ["summary.json", "trace.mcap"],
        "nothing of the first run"
    );
}

#[test]
fn the_summary_as_json_is_the_only_thing_printed_and_is_that_of_the_file() {
    let folder = folder();
    let output =
        run(folder.path(), "balance_push", &["--json", "--out", "o", "--set", "events.push.at=0.05"]);
    let summary = json(&output);
    let file: Value =
        serde_json::from_slice(&fs::read(folder.path().join("o/summary.json")).expect("a file"))
            .expect("JSON");
    assert_eq!(summary, file);
    for key in [
        "verdict",
        "criteria",
        "states",
        "frames",
        "simulated_time",
        "relaxed_frames",
        "failed_frames",
        "real_time_factor",
        "timing_us",
        "peak_torque",
        "cop_step",
        "contacts",
        "com_drift",
        "trace",
        "pushes",
    ] {
        assert!(!summary[key].is_null(), "{key}");
    }
    assert_eq!(summary["frames"], 15);
    assert_eq!(summary["states"][0]["name"], "balance");
    assert!(
        summary["timing_us"]["solve"]["p99"].as_f64() >= summary["timing_us"]["solve"]["median"].as_f64()
    );
    assert!(summary["pushes"][0]["bound"].as_f64().is_some_and(|bound| (10.0..60.0).contains(&bound)));
    // The body is still moving, so the criterion about the end does not hold.
    assert_eq!((summary["verdict"].as_str(), code(&output)), (Some("fail"), Some(1)));
    assert!(summary["reason"].as_str().is_some_and(|reason| reason.contains("`settled`")));
}

#[test]
fn a_scene_whose_criteria_break_exits_with_1_and_says_why() {
    let folder = folder();
    let broken = "success={ low = { always = \"com_height < 0.1\" } }";
    let output = run(folder.path(), "stand", &["--verbose", "--set", broken]);
    assert_eq!(code(&output), Some(1), "{}", err(&output));
    let words = out(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("`low` broke at 0.00 s (com_height < 0.1: 0.9"), "{words}");
    assert!(words.contains("low: broken at 0.00 s"), "{words}");
}

#[test]
fn every_criterion_that_did_not_hold_is_named_in_few_lines() {
    let folder = folder();
    let scene = |criteria: usize| {
        let text =
            "duration = 0.05\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n[success]\n";
        let unmet = |number: usize| format!("unmet{number} = {{ once = \"com.z > {}\" }}\n", number + 2);
        let all: String = (0..criteria).map(unmet).collect();
        std::fs::write(folder.path().join("unmet.toml"), format!("{text}{all}")).unwrap();
    };
    for criteria in [1, 5, 9] {
        scene(criteria);
        let output = aplomb(folder.path(), &["run", "unmet.toml", "--no-plots"]);
        let said = out(&output);
        assert_eq!(code(&output), Some(1), "{said}");
        for number in 0..criteria {
            assert!(said.contains(&format!("unmet{number}")), "unmet{number} of {criteria}: {said}");
        }
        assert!(said.lines().count() <= 15, "{said}");
    }
}

#[test]
fn overrides_reach_the_scene_and_its_controller() {
    let folder = folder();
    let weight = "controller.states.balance.objectives.\"com height\".weight=3";
    let more = ["--json", "--set", "dt=0.03", "--set", weight, "--solver", "clarabel"];
    let summary = json(&run(folder.path(), "stand", &more));
    assert_eq!(summary["frames"], 5);
    assert_eq!(summary["solver"], "clarabel");
    let overrides: Vec<&str> =
        summary["overrides"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(overrides, ["duration=0.15", "dt=0.03", weight, "solver=\"clarabel\""]);
}

#[test]
fn an_override_of_a_controller_is_a_mistake_where_nobody_acts() {
    let folder = folder();
    let output = run(folder.path(), "bounce", &["--set", "controller.foo=1"]);
    assert_eq!(code(&output), Some(2), "{}", err(&output));
    let said = err(&output);
    assert!(said.contains("this has no effect: the scene has no character"), "{said}");
    assert!(said.contains("controller.foo=1"), "{said}");
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
#[cfg(not(feature = "osqp"))]
fn a_solver_that_is_not_built_in_is_refused_with_the_command_that_builds_it() {
    let output = run(folder().path(), "stand", &["--solver", "osqp"]);
    assert_eq!(code(&output), Some(2));
    assert!(err(&output).contains("--features osqp"), "{}", err(&output));
}

#[test]
fn a_weight_that_is_no_number_stops_the_run_with_its_place_and_keeps_the_trace() {
    let folder = folder();
    let weight = "controller.states.balance.objectives.\"com height\".weight=\"1 / sqrt(0.055 - time)\"";
    let output = run(folder.path(), "stand", &["--set", weight]);
    assert_eq!(code(&output), Some(2));
    assert!(err(&output).contains("weight of objective `com height`"), "{}", err(&output));
    let trace = aplomb::trace::read(folder.path().join("runs/stand/trace.mcap")).expect("a trace");
    assert_eq!((trace.frames.len(), trace.torn), (7, None), "six frames, and the last record");
}

#[test]
fn what_cannot_be_written_exits_with_3() {
    let folder = folder();
    fs::write(folder.path().join("taken"), "a file").expect("a file");
    let output = run(folder.path(), "stand", &["--out", "taken"]);
    assert_eq!(code(&output), Some(3), "{}", err(&output));
    assert!(err(&output).contains("taken"), "{}", err(&output));
}

#[test]
fn two_runs_write_the_same_bytes() {
    let folder = folder();
    for name in ["a", "b"] {
        run(folder.path(), "balance_push", &["--out", name, "--set", "events.push.at=0.02"]);
    }
    let bytes = |name: &str| fs::read(folder.path().join(name).join("trace.mcap")).expect("a trace");
    assert!(bytes("a") == bytes("b"));
}

#[test]
fn a_killed_run_leaves_a_trace_that_is_readable_and_can_be_repaired() {
    let folder = folder();
    let mut child = command(folder.path(), &["run", "stand", "--no-plots", "--quiet"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let path = folder.path().join("runs/stand/trace.mcap");
    let started = Instant::now();
    let frames = || aplomb::trace::read(&path).map_or(0, |trace| trace.frames.len());
    while frames() < 10 {
        assert!(started.elapsed() < Duration::from_secs(120), "no frame was written");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
    let torn = aplomb::trace::read(&path).expect("a readable trace");
    assert!(torn.torn.is_some());

    let drawn = aplomb(folder.path(), &["plot", "runs/stand", "torques"]);
    assert_eq!(code(&drawn), Some(0), "{}", err(&drawn));
    assert!(err(&drawn).contains("aplomb repair"), "{}", err(&drawn));
    let repaired = aplomb(folder.path(), &["repair", "runs/stand/trace.mcap"]);
    assert_eq!(code(&repaired), Some(0), "{}", err(&repaired));
    let whole = aplomb::trace::read(&path).expect("a trace");
    assert_eq!((whole.frames, whole.torn), (torn.frames, None));
    let again = aplomb(folder.path(), &["repair", "runs/stand"]);
    assert!(out(&again).contains("whole"), "{}", out(&again));
}

#[test]
fn a_run_is_exported_as_tables_and_as_lines_with_its_scene() {
    let folder = folder();
    run(folder.path(), "stand", &[]);
    for format in ["csv", "jsonl"] {
        let output = aplomb(folder.path(), &["export", "runs/stand", "--to", format, "--out", format]);
        assert_eq!(code(&output), Some(0), "{}", err(&output));
    }
    assert_eq!(
        files(&folder.path().join("csv")),
        ["columns.csv", "contacts.csv", "external.csv", "frames.csv"]
    );
    assert_eq!(files(&folder.path().join("jsonl")), ["scene.xml", "trace.jsonl"]);
    let lines = fs::read_to_string(folder.path().join("jsonl/trace.jsonl")).expect("lines");
    assert_eq!(lines.lines().count(), 1 + 16, "a header, 15 frames and the last record");
    let npz = ["export", "runs/stand", "--to", "npz", "--out", "npz", "--fps"];
    let output = aplomb(folder.path(), &[&npz[..], &["50"]].concat());
    assert_eq!(code(&output), Some(0), "{}", err(&output));
    assert_eq!(files(&folder.path().join("npz")), ["motion.npz", "scene.xml"]);
    let output = aplomb(folder.path(), &[&npz[..], &["0"]].concat());
    assert!(code(&output) == Some(2) && err(&output).contains("between 0.1 and 10 000"), "{}", err(&output));
    let output = aplomb(folder.path(), &["export", "runs/stand", "--to", "csv", "--fps", "50"]);
    assert!(code(&output) == Some(2) && err(&output).contains("--to npz"), "{}", err(&output));
    let missing = aplomb(folder.path(), &["export", "nowhere", "--to", "csv"]);
    assert_eq!(code(&missing), Some(2), "{}", err(&missing));
}

#[test]
fn exports_of_one_more_character_are_in_a_folder_of_its_own_which_the_next_run_empties() {
    let folder = folder();
    run(folder.path(), "hold_hands", &[]);
    let runs = folder.path().join("runs/hold_hands");
    for trace in ["runs/hold_hands", "runs/hold_hands/trace-adult.mcap"] {
        let output = aplomb(folder.path(), &["export", trace, "--to", "npz"]);
        assert_eq!(code(&output), Some(0), "{}", err(&output));
    }
    let motions = ["motion.npz", "trace-adult/motion.npz"].map(|name| fs::read(runs.join(name)).expect(name));
    assert_ne!(motions[0], motions[1]);
    run(folder.path(), "hold_hands", &[]);
    assert_eq!(files(&runs), ["summary.json", "trace-adult.mcap", "trace.mcap"]);
}

#[test]
fn a_push_that_the_end_of_the_run_cuts_off_is_reported_with_what_acted_of_it() {
    let folder = folder();
    let push = "events.push={ at = 0.05, duration = 0.2, body = \"chest\", impulse = [0, 10, 0] }";
    let output = run(folder.path(), "balance_push", &["--set", push]);
    assert!(
        err(&output).contains("the run ended at 0.15 s, and 5.0 of its 10.0 N s acted"),
        "{}",
        err(&output)
    );
    let push = "events.push={ at = 0.05, duration = 0.1, body = \"chest\", impulse = [0, 10, 0] }";
    let output = run(folder.path(), "balance_push", &["--set", push]);
    assert!(!err(&output).contains("cut off"), "{}", err(&output));
}

#[test]
fn new_files_are_right_and_run_and_are_never_overwritten() {
    let folder = folder();
    for what in ["controller", "scene"] {
        let output = aplomb(folder.path(), &["new", what, "mine"]);
        assert_eq!(code(&output), Some(0), "{}", err(&output));
    }
    let there = ["controller.schema.json", "mine.toml", "mine_scene.toml", "scene.schema.json"];
    assert_eq!(files(folder.path()), there);
    let checked = aplomb(folder.path(), &["check", "mine.toml", "mine_scene.toml"]);
    assert_eq!(code(&checked), Some(0), "{}", err(&checked));
    assert_eq!(out(&checked), "mine.toml: ok\nmine_scene.toml: ok\n");
    let output = run(folder.path(), "mine_scene.toml", &["--json"]);
    assert_eq!(json(&output)["states"][0]["name"], "stand", "of the controller `mine`");

    assert_eq!(code(&aplomb(folder.path(), &["new", "plot", "heights"])), Some(0));
    let drawn = aplomb(folder.path(), &["plot", "runs/mine_scene", "heights.toml"]);
    assert_eq!(code(&drawn), Some(0), "{}", err(&drawn));
    assert!(out(&drawn).contains("heights.png"), "{}", out(&drawn));

    let before = fs::read(folder.path().join("mine.toml")).expect("a file");
    let again = aplomb(folder.path(), &["new", "controller", "mine"]);
    assert_eq!(code(&again), Some(2));
    assert_eq!(fs::read(folder.path().join("mine.toml")).expect("a file"), before);
    assert_eq!(code(&aplomb(folder.path(), &["new", "scene", "../mine"])), Some(2));

    assert_eq!(code(&aplomb(folder.path(), &["new", "scene", "other"])), Some(0));
    let text = fs::read_to_string(folder.path().join("other.toml")).expect("a file");
    assert!(text.contains("controller = \"balance\""), "{text}");
}

#[test]
fn check_finds_the_mistakes_of_every_kind_of_file() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "s.toml",
        "duration = -1\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n[ground]\nfriction = -2\n",
    );
    write("c.toml", "start = \"stnad\"\n[states.stand]\n");
    write("p.toml", "title = \"t\"\n[[panels]]\nof.lines.chanels = []\n");
    write("m.xml", "<mujoco><worldbody><bdoy/></worldbody></mujoco>");
    write("w.toml", "start = \"a\"\nstates.a.drive = \"limp\"\nstates.b.drive = \"limp\"\n");
    let arguments =
        ["check", "s.toml", "c.toml", "p.toml", "m.xml", "w.toml", "nowhere.toml", "stand", "--json"];
    let output = aplomb(folder.path(), &arguments);
    assert_eq!(code(&output), Some(2));
    let findings = json(&output);
    let found: Vec<(String, Option<u64>, &str)> = findings
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap_or_default();
            (text("file").to_string(), finding["line"].as_u64(), text("severity"))
        })
        .collect();
    let expected = [
        ("s.toml", Some(1), "error"),
        ("s.toml", Some(6), "error"),
        ("c.toml", Some(1), "error"),
        ("p.toml", Some(3), "error"),
        ("m.xml", Some(1), "error"),
        ("w.toml", Some(3), "warning"),
        ("nowhere.toml", None, "error"),
    ];
    assert_eq!(found, expected.map(|(file, line, severity)| (file.to_string(), line, severity)));

    let plain = aplomb(folder.path(), &["check", "c.toml"]);
    assert_eq!((code(&plain), out(&plain)), (Some(2), "c.toml: 1 error\n".to_string()));
    assert!(err(&plain).contains("c.toml:1:9"), "{}", err(&plain));
    assert!(err(&plain).contains("did you mean `stand`?"), "{}", err(&plain));
    let warned = aplomb(folder.path(), &["check", "w.toml"]);
    assert_eq!((code(&warned), out(&warned)), (Some(0), "w.toml: 1 warning\n".to_string()));
    assert!(err(&warned).contains("[unreachable-state]"), "{}", err(&warned));
    assert_eq!(findings[5]["rule"], "unreachable-state");
    let denied = aplomb(folder.path(), &["check", "w.toml", "--deny-warnings"]);
    assert_eq!((code(&denied), out(&denied)), (Some(2), "w.toml: 1 warning\n".to_string()));
}

#[test]
fn every_rule_is_listed_and_explained_with_its_example() {
    let folder = folder();
    let rules = json(&aplomb(folder.path(), &["list", "rules", "--json"]));
    let names: Vec<&str> =
        rules.as_array().expect("a list").iter().filter_map(|rule| rule["name"].as_str()).collect();
    assert!(names.len() >= 25, "{names:?}");
    for name in ["unreachable-state", "unit-mismatch"] {
        assert!(names.contains(&name), "{names:?}");
        let said = aplomb(folder.path(), &["explain", name]);
        assert_eq!(code(&said), Some(0), "{}", err(&said));
        for part in [name, "# here", &format!("allow = [\"{name}\"]")] {
            assert!(out(&said).contains(part), "{}", out(&said));
        }
    }
    let unknown = aplomb(folder.path(), &["explain", "unit-missmatch"]);
    assert_eq!(code(&unknown), Some(2));
    assert!(err(&unknown).contains("did you mean `unit-mismatch`?"), "{}", err(&unknown));
}

#[test]
fn the_states_of_a_controller_are_drawn_as_svg_png_or_dot() {
    let folder = folder();
    for arguments in [&["graph", "balance"][..], &["graph", "balance", "--out", "states.png"]] {
        let output = aplomb(folder.path(), arguments);
        assert_eq!(code(&output), Some(0), "{}", err(&output));
    }
    assert_eq!(files(folder.path()), ["balance.svg", "states.png"]);
    let dot = aplomb(folder.path(), &["graph", "balance", "--dot"]);
    assert!(out(&dot).starts_with("digraph"), "{}", out(&dot));
    assert_eq!(code(&aplomb(folder.path(), &["graph", "balance", "--out", "states.pdf"])), Some(2));
}

#[test]
fn everything_shipped_is_listed_and_right() {
    let folder = folder();
    for what in ["scenes", "controllers", "plots", "characters", "objects"] {
        let list = json(&aplomb(folder.path(), &["list", what, "--json"]));
        let folder_name = if what == "objects" { "passive" } else { what };
        let names: Vec<String> = list
            .as_array()
            .expect("a list")
            .iter()
            .map(|item| format!("{folder_name}/{}", item["name"].as_str().expect("a name")))
            .collect();
        assert!(!names.is_empty());
        let arguments: Vec<&str> = std::iter::once("check").chain(names.iter().map(String::as_str)).collect();
        let checked = aplomb(folder.path(), &arguments);
        assert_eq!(code(&checked), Some(0), "{}", err(&checked));
    }
    for what in ["objectives", "constraints", "conditions", "quantities", "solvers", "events", "passive"] {
        let list = json(&aplomb(folder.path(), &["list", what, "--json"]));
        let plain = out(&aplomb(folder.path(), &["list", what]));
        for item in list.as_array().expect("a list") {
            let name = item["name"].as_str().expect("a name");
            assert!(plain.lines().any(|line| line.starts_with(name)), "{name} is not in {plain}");
            assert!(item["about"].as_str().is_some_and(|about| about.ends_with('.')), "{name}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = command(folder().path(), &["list", "quantities"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((code(&output), err(&output)), (Some(0), String::new()));
}

#[test]
fn channels_are_those_of_who_acts_and_of_objects() {
    let folder = folder();
    for scene in ["stand", "bounce"] {
        let output = run(folder.path(), scene, &["--set", "success={}", "--quiet"]);
        assert_eq!(code(&output), Some(0), "{}", err(&output));
    }
    let list = |scene: &str| out(&aplomb(folder.path(), &["list", "channels", "--run", scene]));
    let has = |list: &str, name: &str| list.lines().any(|line| line.split_whitespace().next() == Some(name));
    let (acts, nobody) = (list("runs/stand"), list("runs/bounce"));
    assert!(has(&acts, "com.y") && has(&acts, "torque.left_knee") && has(&acts, "time"), "{acts}");
    assert!(
        !has(&nobody, "com.y") && has(&nobody, "passive.lively.com.z") && has(&nobody, "time"),
        "{nobody}"
    );
    assert_eq!(code(&aplomb(folder.path(), &["list", "channels"])), Some(2));

    let drawn = aplomb(folder.path(), &["compare", "passive.lively.com.z", "runs/bounce"]);
    assert_eq!(code(&drawn), Some(0), "{}", err(&drawn));
    let zeros = aplomb(folder.path(), &["compare", "com.y", "runs/stand", "runs/bounce"]);
    assert_eq!(code(&zeros), Some(2));
    let said = err(&zeros).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("needs a character, and runs/bounce has none") && said.contains(".com.y`?"),
        "{said}"
    );
}

#[test]
fn pose_strips_explain_what_they_show_and_objects_in_a_plane_have_one_view() {
    let folder = folder();
    let strip = |scene: &str, duration: &str| {
        let duration = format!("duration={duration}");
        let arguments = ["run", scene, "--set", &duration, "--set", "success={}", "--quiet"];
        let output = aplomb(folder.path(), &arguments);
        assert_eq!(code(&output), Some(0), "{}", err(&output));
        fs::read_to_string(folder.path().join(format!("runs/{scene}/strip.svg"))).expect("a strip")
    };
    let stands = strip("stand", "0.1");
    assert!(stands.contains("contact force (") && !stands.contains("push ("));
    let linkage = strip("four_bar", "0.5");
    assert!(!linkage.contains("contact force ("));
    assert!(linkage.contains("from the side") && !linkage.contains("from the front"));
}

#[test]
fn a_state_that_is_entered_again_from_itself_is_one_line_of_the_summary() {
    let folder = folder();
    let controller = "start = \"a\"\n[states.a]\nuntil = \"state_time > 0.015\"\nto = [\"a\"]\n";
    let scene = "duration = 0.1\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"again.toml\"\n";
    fs::write(folder.path().join("again.toml"), controller).expect("written");
    fs::write(folder.path().join("scene.toml"), scene).expect("written");
    let output = aplomb(folder.path(), &["run", "scene.toml", "--no-plots", "--verbose"]);
    let said = out(&output);
    assert!(said.lines().any(|line| line.ends_with("0.00 to   0.10 s  a, entered 5 times")), "{said}");
}

#[test]
fn names_of_a_body_are_listed() {
    let folder = folder();
    let list = |what: &str| out(&aplomb(folder.path(), &["list", what, "--model", "child"]));
    assert!(
        list("bodies").lines().any(|line| line.starts_with("left_toe ") && line.ends_with("`left_foot`"))
    );
    assert!(list("joints").lines().any(|line| line.starts_with("left_knee ") && line.contains("hinge of")));
    assert!(list("sites").lines().any(|line| line.starts_with("left_hand_grip ") && line.contains("hand")));
    assert_eq!(code(&aplomb(folder.path(), &["list", "joints", "--model", "nobody"])), Some(2));
}

#[test]
fn what_is_of_another_kind_is_said_to_be() {
    let folder = folder();
    let said = |arguments: &[&str]| err(&aplomb(folder.path(), arguments));
    assert!(said(&["run", "balance"]).contains("`balance` is the name of a controller"));
    assert!(said(&["graph", "balance_push"]).contains("`balance_push` is the name of a scene"));
    assert!(said(&["run", "."]).contains("this is a directory"));
    assert!(said(&["plot", "."]).contains("not the folder of a run"));
}

#[test]
fn a_mistake_in_what_holds_in_every_state_is_one() {
    let folder = folder();
    let controller = "start = \"a\"\n[[objectives]]\nname = \"calm\"\nweight = 1\nresponse = 0\n\
                      of = { com_over_support = {} }\n[states.a]\nuntil = \"time > 1\"\nto = [\"b\"]\n[states.b]\n";
    fs::write(folder.path().join("c.toml"), controller).unwrap();
    let scene = "duration = 1\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"c.toml\"\n";
    fs::write(folder.path().join("s.toml"), scene).unwrap();
    let checked = aplomb(folder.path(), &["check", "s.toml"]);
    assert_eq!((code(&checked), out(&checked).as_str()), (Some(2), "s.toml: 1 error\n"));
}

#[test]
fn a_run_that_replaces_that_of_another_scene_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let run = |scene: &str| aplomb(folder.path(), &[&["run", scene, "--out", "here"], &SHORT[..]].concat());
    let told = |output: &Output| err(output).contains("replaces the run of `stand` in here");
    assert!(!told(&run("stand")) && !told(&run("stand")), "the run of the same scene");
    let other = run("bounce");
    assert!(told(&other), "{}", err(&other));
    assert!(!told(&run("bounce")));
}

#[test]
fn an_event_after_the_end_is_warned_of() {
    let folder = folder();
    let late = aplomb(folder.path(), &["run", "balance_push", "--no-plots", "--set", "duration=0.5"]);
    assert!(err(&late).contains("this push never begins: the run ends at 0.5 s"), "{}", err(&late));
    let in_time = aplomb(folder.path(), &["run", "balance_push", "--no-plots", "--set", "duration=1.1"]);
    assert!(!err(&in_time).contains("never begins"), "{}", err(&in_time));
}

#[test]
fn a_run_into_which_a_ball_is_thrown_is_read_plotted_and_exported() {
    let folder = folder();
    let throw = "events.ball={ kind = \"throw\", at = 0.1, mass = 2.0, radius = 0.1, position = [1.0, 0.0, 1.2], \
                 velocity = [-4.0, 0.0, 1.0] }";
    let run =
        ["run", "stand", "--set", "duration=0.4", "--set", "success={}", "--set", throw, "--out", "run"];
    let output = aplomb(folder.path(), &run);
    assert_eq!(code(&output), Some(0), "{}", err(&output));
    assert!(folder.path().join("run/plots/passive.png").is_file());
    let trace = trace::read(folder.path().join("run/trace.mcap")).expect("a trace");
    let objects: Vec<usize> = trace.frames.iter().map(|frame| frame.passive.len()).collect();
    assert_eq!((objects[9], objects[10], trace.header.passive.len()), (0, 1, 1));
    for format in ["csv", "jsonl", "foxglove"] {
        let output = aplomb(folder.path(), &["export", "run", "--to", format, "--out", format]);
        assert_eq!(code(&output), Some(0), "{format}: {}", err(&output));
    }
    let lines = fs::read_to_string(folder.path().join("jsonl/trace.jsonl")).expect("lines");
    let bodies = |line: &str| -> usize {
        let frame: Value = serde_json::from_str(line).expect("JSON");
        frame["mocap_pos"].as_array().map_or(0, Vec::len)
    };
    assert!(lines.lines().skip(1).all(|line| bodies(line) == 1), "as many bodies in every frame");
}

#[test]
fn portable_runs_are_the_same_bytes_whatever_the_processor_has() {
    // glibc then selects its functions for a processor without fused products. Our own dispatch queries the processor
    // itself and is not affected.
    const OLD_PROCESSOR: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX,-AVX512F");
    let folder = tempfile::tempdir().expect("a folder");
    for scene in ["climb", "throw_ball"] {
        let trace = |old: bool| {
            let out = format!("{scene}_{old}");
            let mut run =
                command(folder.path(), &["run", scene, "--portable", "--no-plots", "--quiet", "--out", &out]);
            run.args(["--set", "duration=1", "--set", "success={}"]);
            if old {
                run.env(OLD_PROCESSOR.0, OLD_PROCESSOR.1);
            }
            let output = run.output().expect("the program starts");
            assert_eq!(code(&output), Some(0), "{}", err(&output));
            fs::read(folder.path().join(out).join("trace.mcap")).expect("a trace")
        };
        assert!(trace(false) == trace(true), "{scene}: the processor shows");
    }
}
