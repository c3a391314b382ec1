//! `aplomb tune`: values that perform better, results that do not depend on how the search was run, and files that
//! keep their comments.

use aplomb::analysis::tune::{self, Evaluation, Problem, TuneObjective, TunedScene, Variable};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const CONTROLLER: &str = "# Of this file every word is to stay.
title = \"Stands\"   # what it does
start = \"stand\"

[parameters]
stiff = 0.3   # s, the response

[states.stand]

[[states.stand.objectives]]
name = \"com\"
weight = 20.0   # heavy
response = \"stiff\"
of = { com_over_support = {} }

[[states.stand.objectives]]
name = \"height\"
weight = 20.0
response = 0.15
of = { com_height = { target = \"0.985 * standing_height\" } }

[[states.stand.objectives]]
name = \"pose\"
weight = 0.5
response = 0.3
of = { pose = {} }
";

const SCENE: &str = "duration = 0.7   # s
[characters.a]
model = \"adult\"
controller = \"mine.toml\"
[events.push]
at = 0.05
duration = 0.1
body = \"chest\"
impulse = [12, 0, 0]
[success]
upright = { always = \"com_height > 0.8 * standing_height\" }
";

/// A folder with a scene and its controller.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("mine.toml"), CONTROLLER).expect("a file");
    fs::write(folder.path().join("pushed.toml"), SCENE).expect("a file");
    folder
}

fn tune(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).arg("tune").args(arguments).env("NO_COLOR", "1");
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn well(folder: &Path, arguments: &[&str]) -> String {
    let output = tune(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

const RESULTS: [&str; 7] =
    ["report.md", "tune.csv", "tuned.diff", "tuned/mine.toml", "convergence.svg", "values.svg", "values.png"];

fn same_results(folder: &Path, one: &str, other: &str) {
    for name in RESULTS {
        let bytes = |of: &str| fs::read(folder.join(of).join(name)).expect(name);
        assert!(bytes(one) == bytes(other), "{name} of {one} and {other}");
    }
}

const SEARCH: [&str; 9] = [
    "pushed.toml",
    "--over",
    "parameters.stiff=0.1:0.8:log",
    "--over",
    "controller.states.stand.objectives.com.weight=2:200:log",
    "--for",
    "passed - end_com_speed - 0.01 * torque_change",
    "--population",
    "4",
];

#[test]
fn a_search_makes_runs_better_with_the_same_bytes_on_any_threads_and_after_any_cut() {
    let folder = folder();
    let at = folder.path();
    let out = |name: &'static str, threads: &'static str| {
        [&SEARCH[..], &["--generations", "4", "--threads", threads, "--out", name]].concat()
    };
    let said = well(at, &out("one", "1"));
    assert!(said.contains("at the start") && said.contains("at best"), "{said}");
    well(at, &out("two", "2"));
    same_results(at, "one", "two");

    // Killed while it wrote a line, and stopped after two generations.
    let journal = fs::read(at.join("one/tune.journal")).expect("a journal");
    for (name, share) in [("early", 0.3), ("late", 0.83)] {
        fs::create_dir(at.join(name)).expect("a folder");
        let cut = (journal.len() as f64 * share) as usize;
        fs::write(at.join(name).join("tune.journal"), &journal[..cut]).expect("a file");
        let output = tune(at, &[&out(name, "2")[..], &["--resume"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("were tried already"), "{}", text(&output.stderr));
        same_results(at, "one", name);
    }
    let short = [&SEARCH[..], &["--generations", "2", "--no-intervals", "--out", "short"]].concat();
    well(at, &short);
    well(at, &[&out("short", "2")[..], &["--resume"]].concat());
    same_results(at, "one", "short");

    // The result is better, and the reported values are those of the files that it made.
    let table = table(&at.join("one/tune.csv"));
    let value = |row: &BTreeMap<String, String>| row["value"].parse::<f64>().expect("a number");
    let search: Vec<&BTreeMap<String, String>> =
        table.iter().filter(|row| row["stage"] == "search").collect();
    assert_eq!(search.len(), 1 + 4 * 4 + 1);
    let best = search.iter().map(|row| value(row)).fold(f64::NEG_INFINITY, f64::max);
    let start = value(search[0]);
    // The largest possible value is 1.
    assert!(1.0 - best < 0.95 * (1.0 - start), "{best} after {start}");
    let tuned = fs::read_to_string(at.join("one/tuned/mine.toml")).expect("a tuned file");
    fs::write(at.join("mine.toml"), &tuned).expect("a file");
    let again = well(
        at,
        &[&SEARCH[..], &["--generations", "0", "--no-intervals", "--out", "again", "--json"]].concat(),
    );
    let again: serde_json::Value = serde_json::from_str(&again).expect("JSON");
    assert!((again["start"].as_f64().expect("a number") - best).abs() < 1e-9, "{again}");

    // A different search cannot be resumed there.
    let output = tune(at, &[&out("one", "1")[..], &["--resume"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("another: the controller files differ"),
        "{}",
        text(&output.stderr)
    );
}

fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn the_tuned_file_is_the_file_with_other_numbers_and_all_of_its_comments() {
    let folder = folder();
    let at = folder.path();
    let default = ["--over", "torque_change_weight=10:100:log"];
    let once = ["--generations", "1", "--no-intervals", "--seed", "3", "--out", "o", "--quiet"];
    well(at, &[&SEARCH[..], &default, &once].concat());
    assert_eq!(
        fs::read_to_string(at.join("mine.toml")).expect("a file"),
        CONTROLLER,
        "the file itself stays"
    );
    let tuned = fs::read_to_string(at.join("o/tuned/mine.toml")).expect("a tuned file");
    assert_eq!(tuned.lines().count(), CONTROLLER.lines().count());
    let changed: Vec<(&str, &str)> = CONTROLLER.lines().zip(tuned.lines()).filter(|(a, b)| a != b).collect();
    assert_eq!(changed.len(), 2, "{changed:?}");
    assert!(changed[0].1.starts_with("stiff = 0.") && changed[0].1.ends_with("   # s, the response"));
    assert!(changed[1].1.starts_with("weight = ") && changed[1].1.ends_with("   # heavy"));
    let diff = fs::read_to_string(at.join("o/tuned.diff")).expect("a diff");
    for (old, new) in changed {
        assert!(diff.contains(&format!("\n-{old}\n+{new}\n")), "{diff}");
    }
    let report = fs::read_to_string(at.join("o/report.md")).expect("a report");
    assert!(report.contains(&diff) && report.contains("--set 'torque_change_weight="), "{report}");
}

#[test]
fn an_area_is_that_of_the_sweep_with_the_same_pushes() {
    let folder = folder();
    let at = folder.path();
    let map = ["--directions", "2", "--impulses", "10:50:20"];
    let over = ["--over", "parameters.stiff=0.1:0.8:log", "--generations", "0", "--no-intervals", "--json"];
    let said = well(at, &[&["pushed.toml"][..], &map, &over].concat());
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let mut sweep = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    let sweep = sweep.current_dir(at).args(["sweep", "pushed.toml", "--json"]).args(map).output();
    let swept: serde_json::Value =
        serde_json::from_slice(&sweep.expect("the program starts").stdout).expect("JSON");
    let area = swept["area"].as_f64().expect("an area");
    assert!(area > 50.0, "some are survived: {swept}");
    assert_eq!(said["scenes"][0]["pushes"]["area"].as_f64(), Some(area), "{said}");
}

#[test]
fn what_cannot_be_searched_is_said_with_its_place() {
    let folder = folder();
    let over = ["--over", "parameters.stiff=0.1:0.8"];
    let cases: [(&[&str], &str, &str); 9] = [
        (&["--over", "parameters.stif=0.1:0.8"], "--over:1:12", "did you mean `stiff`?"),
        (
            &["--over", "controller.states.stand.objectives.con.weight=1:2"],
            "--over:1:36",
            "did you mean `com`?",
        ),
        (
            &["--over", "controller.states.stand.objectives.com.weight=-1:2"],
            "--over:1:47",
            "must be 0 or more",
        ),
        (&["--over", "duration=2:1"], "--over:1:10", "not less than"),
        (&[&over[..], &["--for", "pased + margin"]].concat(), "--for:1:1", "did you mean `passed`?"),
        (&[&over[..], &["--for", "area(effort)"]].concat(), "--for:1:6", "expected pushes, found a number"),
        (&[&over[..], &["--for", "passed", "--directions", "3"]].concat(), "", "does not use `pushes`"),
        (&[&over[..], &over[..]].concat(), "", "is given twice"),
        (&[], "", "nothing may change"),
    ];
    for (arguments, place, said) in cases {
        let output = tune(folder.path(), &[&["pushed.toml"], arguments].concat());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(place) && told.contains(said), "{arguments:?}: {told}");
    }
}

#[test]
fn slopes_of_figures_are_those_of_steps_four_times_as_small() {
    let folder = folder();
    let scene = folder.path().join("pushed.toml");
    let scene = TunedScene::load(scene.to_str().expect("a path"), &[]).expect("a scene");
    let over = ["controller.states.stand.objectives.com.weight=2:200", "torque_change_weight=10:100"];
    let problem = Problem {
        scenes: vec![scene],
        variables: over.map(|over| Variable::parse(over).expect("a variable")).into(),
        aim: TuneObjective::parse("margin").expect("an aim"),
        map: None,
    };
    let slopes = |step: f64| {
        let evaluate = |sets: &[Vec<f64>]| -> Result<Option<Vec<Evaluation>>, Infallible> {
            let mut all = Vec::new();
            let take = |_, evaluation| {
                all.push(evaluation);
                Ok::<(), Infallible>(())
            };
            assert!(problem.evaluate(sets, 2, &|| false, take).expect("threads"));
            Ok(Some(all))
        };
        let Ok(found) = tune::sensitivities(&[20.0, 45.0], step, evaluate);
        found.expect("nothing stops it")
    };
    let (coarse, fine) = (slopes(tune::STEP), slopes(0.25 * tune::STEP));
    let mut compared = 0;
    for (value, (coarse, fine)) in coarse.iter().zip(&fine).enumerate() {
        for ((name, _), (coarse, fine)) in tune::names(false).iter().zip(coarse[0].iter().zip(&fine[0])) {
            if coarse.jumps || fine.jumps || fine.slope.is_nan() || fine.slope == 0.0 {
                continue;
            }
            let apart = (coarse.slope - fine.slope).abs() / fine.slope.abs();
            // A peak may move to another frame: figures that are not means have less accurate slopes.
            let is_mean = ["effort", "torque_change", "goal_error"].contains(&name.as_str());
            let most = if is_mean { 0.02 } else { 0.1 };
            assert!(apart < most, "{name} over value {value}: {} and {}", coarse.slope, fine.slope);
            compared += 1;
        }
    }
    assert!(compared >= 8, "{compared} figures have slopes");
}

#[test]
fn values_that_change_nothing_are_named_and_so_are_those_that_are_zero() {
    let folder = folder();
    let more = CONTROLLER.replace("[parameters]\n", "[parameters]\nidle = 0.4\nnothing = 0.0\n");
    fs::write(folder.path().join("mine.toml"), more).expect("a file");
    let over =
        ["stiff=0.2:0.5", "idle=0:1", "nothing=0:1"].map(|value| format!("controller.parameters.{value}"));
    let over = over.iter().flat_map(|value| ["--over", value]);
    let told =
        well(folder.path(), &["pushed.toml", "--sensitivities"].into_iter().chain(over).collect::<Vec<_>>());
    assert!(told.contains("No figure changes with controller.parameters.idle\n"), "{told}");
    assert!(told.contains("1 % of zero is nothing: controller.parameters.nothing\n"), "{told}");
}
