//! What a user encounters in the first hour: lists, names that are taken, parts of runs, sweeps, several mistakes at
//! once, and comparisons of runs.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Exit code, standard output, and standard error with its words separated by single spaces.
fn aplomb(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1");
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let words: Vec<String> = text(stderr).split_whitespace().map(str::to_owned).collect();
    (status.code(), text(stdout), words.join(" "))
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("written");
}

fn run(folder: &Path, scene: &str, sets: &[&str], out: &str) {
    let mut arguments = vec!["run", scene, "--out", out, "--no-plots", "--quiet"];
    arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
    let (code, _, err) = aplomb(folder, &arguments);
    assert!(matches!(code, Some(0 | 1)), "{err}");
}

const SCENE: &str = "duration = 1\n[characters.hero]\nmodel = \"child\"\ncontroller = \"c.toml\"\n";
const DAMPED: &str =
    "\n[[objectives]]\nname = \"joint damping\"\nweight = 0.05\nresponse = 0.15\nof = { velocity = {} }\n";

#[test]
fn a_bare_list_names_the_lists() {
    let folder = folder();
    let (code, out, err) = aplomb(folder.path(), &["list"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.lines().count() > 15, "{out}");
    for name in ["objectives", "quantities", "scenes", "rules"] {
        assert!(out.lines().any(|line| line.starts_with(name)), "{out}");
        assert_eq!(aplomb(folder.path(), &["list", name]).0, Some(0));
    }
}

#[test]
fn a_local_file_that_has_the_name_of_a_shipped_one_is_told_of() {
    let folder = folder();
    let (code, _, err) = aplomb(folder.path(), &["new", "scene", "balance_push"]);
    assert_eq!(code, Some(0), "{err}");
    let said = "`balance_push` is the file balance_push.toml here, not the shipped scene of that name";
    let (_, _, err) = aplomb(folder.path(), &["run", "balance_push", "--set", "duration=0.1", "--no-plots"]);
    assert!(err.contains(said), "{err}");
    let (_, _, err) =
        aplomb(folder.path(), &["run", "balance_push.toml", "--set", "duration=0.1", "--no-plots"]);
    assert!(!err.contains("not the shipped"), "{err}");
    let (_, balance, _) = aplomb(folder.path(), &["show", "balance", "--kind", "controller"]);
    write(folder.path(), "balance.toml", &balance);
    write(folder.path(), "s.toml", &SCENE.replace("c.toml", "balance"));
    let (_, out, err) = aplomb(folder.path(), &["check", "s.toml"]);
    let said = "`balance` is the file balance.toml here, not the shipped controller of that name";
    assert!(err.contains(said) && err.contains("s.toml:4:14"), "{out} {err}");
}

#[test]
fn pictures_of_a_part_of_a_run_leave_those_of_the_whole() {
    let folder = folder();
    let (_, _, err) = aplomb(folder.path(), &["run", "stand", "--set", "duration=0.5", "--out", "r"]);
    let strip = folder.path().join("r/strip.svg");
    let whole = fs::read(&strip).unwrap_or_else(|_| panic!("{err}"));
    let (code, out, err) = aplomb(folder.path(), &["plot", "r", "--from", "0.2", "--until", "0.3"]);
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(fs::read(&strip).expect("a strip"), whole);
    assert!(out.contains("r/from_0.2_until_0.3/strip.svg"), "{out}");
    let part = folder.path().join("r/from_0.2_until_0.3/plots/costs.svg");
    assert!(part.exists());
    aplomb(folder.path(), &["run", "stand", "--set", "duration=0.4", "--out", "r", "--no-plots"]);
    assert!(!part.exists(), "it is of the run before");
}

#[test]
fn all_unknown_names_of_an_expression_are_told_at_once() {
    let folder = folder();
    let controller = format!(
        "start = \"a\"\n[states.a]\nuntil = \"com_hieght > tiem + sqr(2)\"\nto = [\"a\"]\n{DAMPED}\
         [[states.a.objectives]]\nname = \"palm\"\nweight = 1\n\
         of = {{ com_position = {{ target = [\"com.x + fo\", \"ba\", 1] }} }}\n"
    );
    write(folder.path(), "c.toml", &controller);
    write(folder.path(), "s.toml", SCENE);
    let (code, _, err) = aplomb(folder.path(), &["check", "s.toml"]);
    assert_eq!(code, Some(2));
    for name in ["name `com_hieght`", "name `tiem`", "function `sqr`", "name `fo`", "name `ba`"] {
        assert_eq!(err.matches(&format!("unknown {name}")).count(), 1, "{name}: {err}");
    }
}

#[test]
fn the_smallest_controller_is_told_to_damp_its_joints() {
    let folder = folder();
    let controller = "start = \"a\"\n[states.a]\n[[states.a.objectives]]\nname = \"com over support\"\n\
                      weight = 20\nresponse = 0.35\nof = { com_over_support = {} }\n";
    write(folder.path(), "c.toml", controller);
    write(folder.path(), "s.toml", SCENE);
    for command in ["check", "run"] {
        let (_, _, err) = aplomb(folder.path(), &[command, "s.toml"]);
        assert!(err.contains("no objective damps or holds the joints in state `a`"), "{command}: {err}");
    }
    write(folder.path(), "c.toml", &format!("{controller}{DAMPED}"));
    let (code, _, err) = aplomb(folder.path(), &["check", "s.toml"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[test]
fn a_sweep_names_the_criteria_that_did_not_hold_and_shows_any_channel() {
    let folder = folder();
    let arguments = [
        "sweep",
        "balance_push",
        "--set",
        "duration=0.3",
        "--set",
        "success={ far = { at_end = \"com.x > 1\" } }",
        "--over",
        "ground.friction=0.5:0.9:lin2",
        "--show",
        "com.x",
        "--show",
        "com.z:min",
        "--out",
        "sw",
    ];
    let (code, out, err) = aplomb(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{err}");
    let rows: Vec<&str> = out.lines().filter(|line| line.contains(" fail ")).collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.ends_with("  far")), "{out}");
    let table = fs::read_to_string(folder.path().join("sw/sweep.csv")).expect("a table");
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let heads = table.headers().expect("heads").clone();
    assert_eq!(heads.iter().rev().take(2).collect::<Vec<_>>(), ["com.z:min", "com.x"]);
    for row in table.records().map(Result::unwrap) {
        let height: f64 = row[row.len() - 1].parse().expect("a height");
        assert!((0.8..1.1).contains(&height), "{row:?}");
    }
    let picture = fs::read_to_string(folder.path().join("sw/sweep.svg")).expect("a picture");
    assert!(picture.contains("com.z:min"));
    let (code, _, err) = aplomb(
        folder.path(),
        &["sweep", "balance_push", "--over", "ground.friction=0.5:0.9:lin2", "--show", "com.w"],
    );
    assert_eq!(code, Some(2));
    assert!(err.contains("no channel `com.w`") && err.contains("did you mean"), "{err}");
}

#[test]
fn runs_are_verified_to_the_bit_and_the_first_number_that_differs_is_named() {
    let folder = folder();
    let path = folder.path();
    run(path, "balance_push", &["duration=1.2"], "a");
    run(path, "balance_push", &["duration=1.2"], "b");
    run(path, "balance_push", &["duration=1.2", "events.push.impulse=[12, 0, 0]"], "c");
    run(path, "balance_push", &["duration=1.1"], "d");
    let (code, out, err) = aplomb(path, &["verify", "a", "b"]);
    assert_eq!(code, Some(0), "{out} {err}");
    assert!(out.starts_with("the same: 121 records"), "{out}");
    let (code, out, _) = aplomb(path, &["verify", "a", "b", "--quiet"]);
    assert_eq!((code, out.as_str()), (Some(0), ""));

    let (code, out, _) = aplomb(path, &["verify", "a", "c", "--json"]);
    assert_eq!(code, Some(1));
    let found: Value = serde_json::from_str(&out).expect("JSON");
    let trace = &found["traces"][0];
    let first = &trace["first"];
    assert_eq!(found["same"], false);
    assert_eq!(trace["frames"], first["frame"], "all frames before are the same");
    assert_eq!(first["time"], 1.0, "{out}");
    assert!(first["difference"]["values"][0] != first["difference"]["values"][1]);
    let (code, out, _) = aplomb(path, &["verify", "a/trace.mcap", "c"]);
    assert_eq!(code, Some(1));
    let name = first["difference"]["name"].as_str().expect("a name");
    assert!(out.contains(&format!("frame 100 at 1.0000 s: `{name}` differs")), "{out}");

    let (code, out, _) = aplomb(path, &["verify", "a", "d"]);
    assert_eq!(code, Some(1), "{out}");
    assert_eq!(aplomb(path, &["verify", "a", "nowhere"]).0, Some(2));
    assert_eq!(aplomb(path, &["verify", "a"]).0, Some(2));

    let hashes = |run: &str| aplomb(path, &["verify", run, "--hashes"]).1;
    let (a, c) = (hashes("a"), hashes("c"));
    assert_eq!(a, hashes("b"));
    assert_eq!(a.lines().count(), 122);
    assert!(a.starts_with("frame,time,state_hash\n0,0,"), "{a}");
    let same = a.lines().zip(c.lines()).take_while(|(a, c)| a == c).count();
    assert!((101..104).contains(&same), "{same}");
}

#[test]
fn characters_are_compared_each_with_its_own_trace() {
    let folder = folder();
    let path = folder.path();
    run(path, "lean_on_friend", &["duration=0.2"], "a");
    run(path, "lean_on_friend", &["duration=0.2"], "b");
    let (code, out, err) = aplomb(path, &["verify", "a", "b"]);
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(out.contains("trace.mcap: the same") && out.contains("trace-"), "{out}");
}

#[test]
fn a_criterion_that_nothing_asks_for_is_explained_as_such() {
    let folder = folder();
    let sets = ["duration=1", "success={ up = { at_end = \"position(left_hand).z > 1.8\" } }"];
    run(folder.path(), "stand", &sets, "r");
    let (_, out, err) = aplomb(folder.path(), &["explain", "r"]);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains("no objective is about it"), "{out} {err}");
    let said = "`up` is about `left_hand`, which only angles of joints place: no objective is about it.";
    assert!(out.contains(said), "{out}");
}

#[test]
fn a_scene_of_ones_own_is_explained_with_the_path_that_has_to_be_typed() {
    let folder = folder();
    let path = folder.path();
    // A scene with the name of a shipped one, in a subfolder.
    fs::create_dir_all(path.join("mine/scenes")).unwrap();
    write(path, "mine/scenes/c.toml", &format!("start = \"a\"\n[states.a]\n{DAMPED}"));
    let scene =
        SCENE.replace("duration = 1", "duration = 0.1") + "[success]\nup = { at_end = \"com_height > 9\" }\n";
    write(path, "mine/scenes/stand.toml", &scene);
    let arguments = ["run", "mine/scenes/stand.toml", "--no-plots", "--out", "runs/r.toml"];
    let (code, _, err) = aplomb(path, &arguments);
    assert_eq!(code, Some(1), "{err}");
    // The folder of a run is recognised whatever its name ends in.
    let (code, out, err) = aplomb(path, &["explain", "runs/r.toml", "--budget", "4"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("aplomb run mine/scenes/stand.toml"), "{out}");
    run(path, "stand", &["duration=0.1", "success={ up = { at_end = \"com_height > 9\" } }"], "shipped");
    let (_, out, err) = aplomb(path, &["explain", "shipped", "--budget", "4"]);
    assert!(out.contains("aplomb run stand "), "{out} {err}");
}

#[test]
fn a_character_that_is_dropped_is_explained_with_its_way_and_loses_no_balance_in_the_air() {
    let folder = folder();
    let path = folder.path();
    write(path, "c.toml", &format!("start = \"a\"\n[states.a]\n{DAMPED}"));
    let dropped = "height = 2.0\n[success]\nup = { always = \"com_height > 0.6\" }\n";
    for (duration, end) in [("0.3", "to the end"), ("1.5", " s, and its centre of mass dropped from ")] {
        let scene = SCENE.replace("duration = 1", &format!("duration = {duration}")) + dropped;
        let scene =
            if duration == "0.3" { scene.replace("com_height > 0.6", "com_speed < 2.5") } else { scene };
        write(path, "s.toml", &scene);
        let (code, out, err) = aplomb(path, &["run", "s.toml", "--no-plots", "--out", "r"]);
        assert_eq!(code, Some(1), "{out} {err}");
        let (_, out, err) = aplomb(path, &["explain", "r", "--budget", "4"]);
        let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            out.contains("dropped from a height") && out.contains("It had no loaded contact from 0.00"),
            "{out} {err}"
        );
        assert!(out.contains(end) && !out.contains("unknown"), "{out}");
        assert!(!out.contains("Balance was lost at 0.0") && !out.contains("Balance was kept"), "{out}");
    }
}

#[test]
fn a_state_that_is_never_left_is_explained_with_the_threshold_that_lets_it_go_on() {
    let folder = folder();
    let pose = |height: f64| {
        format!(
            "name = \"height\"\nweight = 20\nresponse = 0.2\n\
             of = {{ com_height = {{ target = \"{height} * standing_height\" }} }}\n"
        )
    };
    let controller = format!(
        "start = \"down\"\n[states.down]\nuntil = \"com_height < 0.87 * standing_height\"\nto = [\"up\"]\n\
         [[states.down.objectives]]\n{}[states.up]\n[[states.up.objectives]]\n{}\
         [[objectives]]\nname = \"com over support\"\nweight = 20\nresponse = 0.35\n\
         of = {{ com_over_support = {{}} }}\n[[objectives]]\nname = \"upright\"\nweight = 5\nresponse = 0.25\n\
         of = {{ upright = {{ body = \"chest\" }} }}\n{DAMPED}",
        pose(0.9),
        pose(0.98)
    );
    write(folder.path(), "c.toml", &controller);
    let scene = SCENE.replace("duration = 1", "duration = 2")
        + "[success]\nup = { at_end = \"com_height > 0.96 * standing_height\" }\n";
    write(folder.path(), "s.toml", &scene);
    let (code, _, err) = aplomb(folder.path(), &["run", "s.toml", "--no-plots", "--out", "r"]);
    assert_eq!(code, Some(1), "{err}");
    let (_, out, err) = aplomb(folder.path(), &["explain", "r"]);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains("stuck in a state"), "{out} {err}");
    assert!(out.contains("It stayed in `down` from 0.00 s to the end"), "{out}");
    assert!(out.contains("the 0.87 in `until` of `down`"), "{out}");
}

#[test]
fn a_moment_beyond_the_run_is_left_out_and_a_scene_in_place_of_a_run_is_refused() {
    let folder = folder();
    write(folder.path(), "c.toml", &format!("start = \"a\"\n[states.a]\n{DAMPED}"));
    write(folder.path(), "s.toml", &SCENE.replace("duration = 1", "duration = 0.1"));
    run(folder.path(), "s.toml", &[], "r");
    let (code, _, err) = aplomb(folder.path(), &["plot", "r", "--at", "20"]);
    assert!(code == Some(2) && err.contains("--at 20: the frames are from 0.00 to 0.10 s"), "{err}");
    let (code, _, err) = aplomb(folder.path(), &["plot", "r", "--at", "0.05,20,30"]);
    assert!(code == Some(0) && err.contains("--at 20, 30: the frames are from 0.00 to 0.10 s"), "{err}");
    let (code, _, err) = aplomb(folder.path(), &["explain", "s.toml"]);
    assert!(code == Some(2) && err.contains("s.toml is a scene, not a run"), "{err}");
}

#[test]
fn all_bad_names_of_events_and_states_are_told_at_once() {
    let folder = folder();
    let controller = format!(
        "start = \"aa\"\n[states.a]\nuntil = \"com_hieght > 2\"\nto = [\"b\", \"cc\"]\n\
         [states.a.let]\nx = \"yy + 1\"\nz = \"zz + x\"\n\
         [[states.a.objectives]]\nname = \"high\"\nweight = \"gian * z\"\n\
         of = {{ com_height = {{ target = \"standng\" }} }}\n\
         [states.b]\nwhile = \"x > 1 and ww > 1\"\nto = [\"ee\"]\n{DAMPED}"
    );
    write(folder.path(), "c.toml", &controller);
    let scene = SCENE.to_owned()
        + "[events.p]\nwhen = \"pp > 1\"\nduration = 0.1\nbody = \"chst\"\nimpulse = [1, 0, 0]\n\
           [events.q]\nwhen = \"qq > 1\"\nafter = \"pq\"\nduration = 0.1\nbody = \"hed\"\nimpulse = [1, 0, 0]\n\
           [events.r]\nkind = \"shake\"\nat = 0.1\nduration = 0.1\nobstacle = \"xx\"\namplitude = [1, 0, 0]\n\
           frequency = 1\n[success]\nup = { at_end = \"ss > 1\" }\n";
    write(folder.path(), "s.toml", &scene);
    let (code, out, err) = aplomb(folder.path(), &["check", "s.toml"]);
    assert_eq!(code, Some(2));
    let states = ["state `aa`", "state `cc`", "state `ee`"];
    let values = ["com_hieght", "yy", "zz", "gian", "standng", "ww", "pp", "chst", "qq", "hed", "ss"];
    let values = values.map(|name| format!("name `{name}`"));
    for name in states.into_iter().chain(values.iter().map(String::as_str)) {
        assert_eq!(err.matches(&format!("unknown {name}")).count(), 1, "{name}: {err}");
    }
    for name in ["no event `pq`", "no obstacle `xx`"] {
        assert_eq!(err.matches(&format!("there is {name}")).count(), 1, "{name}: {err}");
    }
    // Consequences of other mistakes are not reported: `x` and `z` have values once these are corrected.
    assert!(out.contains("16 errors") && !err.contains("`x`") && !err.contains("`z`"), "{out} {err}");
}

#[test]
fn of_very_many_mistakes_the_first_are_told_with_the_number_of_the_others() {
    let folder = folder();
    let exits: Vec<String> = (0..100).map(|number| format!("\"x{number}\"")).collect();
    let controller = format!("start = \"a\"\n[states.a]\nto = [{}]\n{DAMPED}", exits.join(", "));
    write(folder.path(), "c.toml", &controller);
    let (code, out, err) = aplomb(folder.path(), &["check", "c.toml"]);
    assert_eq!((code, err.matches("unknown state").count()), (Some(2), 60), "{err}");
    assert!(
        out.contains("100 errors") && err.contains("and 41 more: `aplomb check --json` lists all"),
        "{out}"
    );
    let (_, out, _) = aplomb(folder.path(), &["check", "c.toml", "--json"]);
    assert_eq!(out.matches("unknown state").count(), 100);
}

#[test]
fn who_asks_for_the_state_is_told_its_name() {
    let folder = folder();
    write(folder.path(), "s.toml", &SCENE.replace("c.toml", "balance"));
    let set = "events={ e = { when = \"state == balance\", duration = 0.1, body = \"chest\", impulse = [1, 0, 0] } }";
    let (code, _, err) = aplomb(folder.path(), &["run", "s.toml", "--set", set]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("unknown name `state`") && err.contains("`present_state == balance`"), "{err}");
    let controller =
        format!("start = \"a\"\n[states.a]\nuntil = \"current_state == a\"\nto = [\"a\"]\n{DAMPED}");
    write(folder.path(), "c.toml", &controller);
    let (_, _, err) = aplomb(folder.path(), &["check", "c.toml"]);
    assert!(err.contains("unknown name `current_state`") && err.contains("`present_state == a`"), "{err}");
}

#[test]
fn causes_that_the_runs_of_explain_rule_out_come_last() {
    let folder = folder();
    let sets = ["duration=2", "events.push.impulse=[0, 60, 0]", "ground.friction=0.2"];
    run(folder.path(), "balance_push", &sets, "r");
    let (code, out, err) = aplomb(folder.path(), &["explain", "r", "--budget", "14"]);
    assert_eq!(code, Some(0), "{err}");
    let why = out.split("\nWhy\n").nth(1).and_then(|text| text.split("\n\n").next()).expect("a section");
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    let ruled_out: Vec<&str> = why.split("Ruled out: ").skip(1).collect();
    assert!(
        ruled_out.iter().any(|one| one.contains("slipped") && one.contains("with more friction")),
        "{out}"
    );
    assert!(
        why.starts_with("Most likely: pushed too hard")
            && !why.split("Ruled out").next().unwrap().contains("slipped")
    );
    let (_, out, _) = aplomb(folder.path(), &["explain", "r", "--budget", "14", "--json"]);
    let found: Value = serde_json::from_str(&out).expect("JSON");
    let kinds = found["kinds"].as_array().expect("a list");
    assert!(kinds[0]["refuted"].is_null() && kinds.iter().any(|kind| kind["refuted"].is_string()), "{out}");
}

#[test]
fn reaction_delays_end_at_one_time_wherever_they_are_told() {
    let folder = folder();
    let sets = ["duration=1.5", "events.push.impulse=[0, 70, 0]"];
    run(folder.path(), "reaction_delay", &sets, "r");
    let summary = fs::read_to_string(folder.path().join("r/summary.json")).expect("a summary");
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    let delay = &summary["reaction_delays"][0];
    let (from, to) = (delay["from"].as_f64().expect("a time"), delay["to"].as_f64().expect("a time"));
    let (_, out, err) = aplomb(folder.path(), &["explain", "r", "--budget", "2"]);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = format!("held from {from:.2} to {to:.2} s");
    assert!(out.matches("held from").count() > 1, "{out} {err}");
    assert_eq!(out.matches("held from").count(), out.matches(&said).count(), "{said}: {out}");
}

#[test]
fn a_run_in_full_says_how_late_the_character_reacts_and_knows() {
    let folder = folder();
    let told = |sets: &[&str]| {
        let mut arguments = vec!["run", "reaction_delay", "--verbose", "--no-trace", "--out", "r"];
        arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
        let (_, out, _) = aplomb(folder.path(), &arguments);
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let late = ["duration=1.5", "characters.adult.reaction_delay={ like = \"person\" }"];
    let out = told(&late);
    let said = "joint torques answer a surprise after 0.10 s, the controller knows of it after 0.20 s";
    assert!(out.contains(&format!("reaction delay {said} joint torques held from ")), "{out}");
    let (_, after) = out.split_once("joint torques held from ").expect("a surprise");
    let from: f64 = after.split_whitespace().next().and_then(|time| time.parse().ok()).expect("a time");
    assert!(after.contains(&format!("; unknown to the controller until {:.2} s", from + 0.2)), "{out}");
    let out = told(&["duration=0.2", "characters.adult.reaction_delay={ time = 0.1 }"]);
    assert!(out.contains("the controller knows of it at once; there was no surprise"), "{out}");
}

#[test]
fn a_foot_that_comes_down_hard_is_told_with_its_load() {
    let folder = folder();
    let told = |height: &str| {
        let sets = [format!("characters.adult.height={height}"), "duration=1".into(), "success={}".into()];
        let mut arguments = vec!["run", "stand", "--no-plots", "--out", "r"];
        arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
        let (_, out, err) = aplomb(folder.path(), &arguments);
        let summary = fs::read_to_string(folder.path().join("r/summary.json")).expect(&err);
        (out, serde_json::from_str::<Value>(&summary).expect("JSON"))
    };
    let (out, summary) = told("1.2");
    let landing = &summary["gait"]["hard_landings"][0];
    let (load, at) = (landing["load"].as_f64().expect(&out), landing["at"].as_f64().expect("a time"));
    // The body draws its feet up as it falls. A landing is reported at the beginning of its frame, and with discrete
    // frames a body falls farther than a stone.
    assert!(load > 4.0 && (-0.02..0.25).contains(&(at - f64::sqrt(2.0 * 1.2 / 9.81))), "{landing}");
    assert!(out.contains("hard landing") && out.contains("m g on it"), "{out}");
    let (out, summary) = told("0.02");
    assert_eq!(summary["gait"]["hard_landings"].as_array().map(Vec::len), Some(0), "{out}");
    assert!(!out.contains("hard landing"), "{out}");
}

#[test]
fn lines_of_a_run_are_broken_between_words_at_the_width_of_the_terminal() {
    let folder = folder();
    let run = |columns: &str, more: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
        let sets = ["--set", "events.push.impulse=[40, 0, 0]", "--no-plots", "--out", "r"];
        command.current_dir(folder.path()).args(["run", "balance_push"]).args(sets).arg(more);
        let Output { stdout, .. } = command.env("COLUMNS", columns).output().expect("the program starts");
        String::from_utf8(stdout).expect("UTF-8")
    };
    // The speed of the run depends on the machine.
    let words = |text: &str| -> Vec<String> {
        let all: Vec<&str> = text.split_whitespace().collect();
        let is_kept = |place: &usize| all.get(place + 1) != Some(&"×");
        (0..all.len()).filter(is_kept).map(|place| all[place].to_owned()).collect()
    };
    for more in ["--no-trace", "--verbose"] {
        let wide = run("200", more);
        for columns in ["80", "40"] {
            let text = run(columns, more);
            let most: usize = columns.parse().expect("a number");
            let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > most).collect();
            assert!(long.iter().all(|line| line.split_whitespace().count() == 1), "{columns}: {long:?}");
            if more == "--no-trace" {
                assert_eq!(words(&text), words(&wide), "no word is cut, and none is lost");
            }
        }
    }
}

#[test]
fn what_is_held_for_a_second_is_a_state_that_is_left_after_it() {
    let folder = folder();
    let scene = |until: &str| {
        let controller = format!(
            "start = \"reach\"\n[states.reach]\nuntil = \"{until}\"\ndebounce = 1.0\nto = [\"done\"]\n[states.done]\n\
             [[objectives]]\nname = \"com over support\"\nweight = 20\nresponse = 0.35\n\
             of = {{ com_over_support = {{}} }}\n{DAMPED}"
        );
        write(folder.path(), "c.toml", &controller);
        write(
            folder.path(),
            "s.toml",
            "duration = 1.6\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"c.toml\"\n\
             [success]\nheld = { once = \"visits(done) > 0\" }\n",
        );
        aplomb(folder.path(), &["run", "s.toml", "--no-plots", "--no-trace", "--out", "r"]).0
    };
    assert_eq!(scene("time > 0.3"), Some(0), "1.3 s are enough");
    assert_eq!(scene("time > 0.7"), Some(1), "0.9 s are not");
    assert_eq!(scene("time > 0.3 and abs(time - 0.9) > 0.05"), Some(1), "the second begins anew");
}

/// The adult with the toes' shapes on the feet, which are then rigid.
fn adult_without_toes() -> String {
    let mut text = include_str!("../../characters/adult.xml").to_owned();
    let cut = |text: &mut String, from: &str, to: &str, instead: &str| {
        let start = text.find(from).expect("begins");
        let end = start + text[start..].find(to).expect("ends") + to.len();
        text.replace_range(start..end, instead);
    };
    cut(&mut text, "<keyframe>", "</keyframe>", "");
    for side in ["left", "right"] {
        let shape = r#"<geom type="capsule" fromto="0.205 -0.035 -0.057 0.205 0.035 -0.057" size="0.013"/>"#;
        cut(&mut text, &format!("<body name=\"{side}_toe\""), "</body>", shape);
    }
    text
}

#[test]
fn feet_without_toes_stay_flat_in_a_walk() {
    let folder = folder();
    write(folder.path(), "flat.xml", &adult_without_toes());
    let scene = |body: &str| {
        format!(
            "duration = 5\nbias_velocity = \"extrapolated\"\ncontact_response = 0.01\n\
             [characters.hero]\nmodel = \"{body}\"\ncontroller = \"drive\"\n\
             [events.go]\nkind = \"command\"\nat = 0.5\ncommand = \"walk_velocity\"\nto = [0.8, 0, 0]\n\
             [success]\nwalks = {{ at_end = \"com.x > 2.5 and com_height > 0.9 * standing_height\" }}\n\
             flat = {{ always = \"max(orientation(left_foot).y, orientation(right_foot).y) < 0.2\" }}\n"
        )
    };
    for (body, is_flat) in [("flat.xml", true), ("adult", false)] {
        write(folder.path(), "s.toml", &scene(body));
        let (code, out, err) =
            aplomb(folder.path(), &["run", "s.toml", "--no-plots", "--no-trace", "--out", "r"]);
        assert_eq!(code == Some(0), is_flat, "{body}: {out} {err}");
    }
}

#[test]
fn the_strongest_of_many_pushes_is_told_and_whose_figures_they_are_where_only_another_fails() {
    let folder = folder();
    let push = |name: &str, at: f64, impulse: f64| {
        format!(
            "[events.{name}]\ncharacter = \"one\"\nat = {at}\nduration = 0.05\nbody = \"chest\"\nimpulse = \
             [{impulse}, 0, 0]\n"
        )
    };
    let pushes: String = [("a", 0.1, 1.0), ("b", 0.2, 2.0), ("c", 0.3, 6.0), ("d", 0.4, 1.5)]
        .map(|(n, t, j)| push(n, t, j))
        .concat();
    let text = format!(
        "duration = 1.4\n[characters.one]\nmodel = \"adult\"\ncontroller = \"balance\"\nposition = [0, 1]\n\
         [characters.other]\nmodel = \"adult\"\ncontroller = \"balance\"\nposition = [0, -1]\n\
         [characters.other.success]\nup = {{ always = \"com_height > 0.8 * standing_height\" }}\n{pushes}\
         [events.hard]\ncharacter = \"other\"\nat = 0.1\nduration = 0.1\nbody = \"chest\"\nimpulse = [70, 0, 0]\n"
    );
    write(folder.path(), "two.toml", &text);
    let (code, said, error) = aplomb(folder.path(), &["run", "two.toml", "--no-plots"]);
    assert_eq!(code, Some(1), "{error}");
    let begins = |name: &str| said.lines().any(|line| line.trim_start().starts_with(name));
    assert!(begins("a  ") && begins("c  ") && begins("and 2 more pushes") && !begins("b  "), "{said}");
    let summary = fs::read_to_string(folder.path().join("runs/two/summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let reason = summary["reason"].as_str().unwrap();
    assert!(reason.starts_with("`one`, the character of these figures, met its criteria."), "{reason}");
}
