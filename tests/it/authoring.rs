//! Writing files: shipped files are shown and copied, mistakes are reported at once, and runs print little.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1");
    command
}

/// Exit code, standard output, and standard error with its words separated by single spaces.
fn aplomb(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command(folder, arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let words: Vec<String> = text(stderr).split_whitespace().map(str::to_owned).collect();
    (status.code(), text(stdout), words.join(" "))
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("written");
}

const SCENE: &str = "duration = 1\n[characters.hero]\nmodel = \"child\"\ncontroller = \"c.toml\"\n";
const CONTROLLER: &str = "start = \"a\"\n[states.a]\n[[states.a.objectives]]\nname = \"pose\"\nweight = 1\n\
                          response = 0.5\nof = { pose = {} }\n";

#[test]
fn shipped_files_are_shown_as_they_are() {
    let folder = folder();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases: [(&[&str], &str); 4] = [
        (&["show", "step_recovery"], "controllers/step_recovery.toml"),
        (&["show", "climb", "--kind", "scene"], "scenes/climb.toml"),
        (&["show", "adult"], "characters/adult.xml"),
        (&["show", "ball"], "passive/ball.xml"),
    ];
    for (arguments, file) in cases {
        let (code, out, err) = aplomb(folder.path(), arguments);
        assert_eq!(code, Some(0), "{err}");
        assert_eq!(out, fs::read_to_string(root.join(file)).expect("a file"));
    }
    let (code, out, err) = aplomb(folder.path(), &["show", "climb"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("is the name of a scene and of a controller"), "{err}");
    assert!(err.contains("--kind scene"), "{err}");
    let (code, _, err) = aplomb(folder.path(), &["show", "step_recvery"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("did you mean `step_recovery`?"), "{err}");
}

#[test]
fn a_copy_of_anything_shipped_is_right() {
    let folder = folder();
    let kinds =
        [("scene", "scenes"), ("controller", "controllers"), ("plot", "plots"), ("character", "characters")];
    for (kind, list) in kinds {
        let (_, json, _) = aplomb(folder.path(), &["list", list, "--json"]);
        let items: Value = serde_json::from_str(&json).expect("JSON");
        let names = items.as_array().expect("a list").iter().filter_map(|item| item["name"].as_str());
        for name in names {
            let own = format!("{kind}_{}", name.replace('/', "_"));
            let (code, _, err) = aplomb(folder.path(), &["new", kind, &own, "--from", name]);
            assert_eq!(code, Some(0), "{err}");
        }
    }
    let copies =
        fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let copies: Vec<String> = copies.map(|name| name.to_string_lossy().into_owned()).collect();
    let files: Vec<&str> =
        copies.iter().map(String::as_str).filter(|name| !name.ends_with(".json")).collect();
    assert!(files.len() > 40, "{files:?}");
    let (code, out, err) = aplomb(folder.path(), &[&["check"], &files[..]].concat());
    assert_eq!(code, Some(0), "{err}");
    assert!(out.lines().all(|line| line.ends_with("ok") || line.ends_with("warning")), "{out}");
}

#[test]
fn new_files_name_a_schema_that_is_beside_them() {
    let folder = folder();
    for kind in ["scene", "controller", "plot"] {
        assert_eq!(aplomb(folder.path(), &["new", kind, &format!("my_{kind}")]).0, Some(0));
        let text = fs::read_to_string(folder.path().join(format!("my_{kind}.toml"))).expect("a file");
        let named = text.lines().next().and_then(|line| line.strip_prefix("#:schema ./")).expect("a schema");
        let schema = fs::read_to_string(folder.path().join(named)).expect("the schema");
        assert_eq!(schema, aplomb(folder.path(), &["schema", kind]).1);
    }
    for (kind, checked) in [("character", "mine.xml"), ("passive", "thing.xml")] {
        let name = checked.trim_end_matches(".xml");
        assert_eq!(aplomb(folder.path(), &["new", kind, name]).0, Some(0));
        let text = fs::read_to_string(folder.path().join(checked)).expect("a file");
        assert!(text.contains(&format!("model=\"{name}\"")), "{text}");
        assert_eq!(aplomb(folder.path(), &["check", checked]).0, Some(0));
    }
}

#[test]
fn comments_of_a_new_scene_stand_under_each_other() {
    let folder = folder();
    for controller in ["balance", "paper/step_recovery"] {
        let name = controller.replace('/', "_");
        aplomb(folder.path(), &["new", "scene", &name, "--controller", controller]);
        let text = fs::read_to_string(folder.path().join(format!("{name}.toml"))).expect("a scene");
        let lines: Vec<&str> =
            text.lines().skip_while(|line| !line.starts_with("[characters")).skip(1).take(2).collect();
        let columns: Vec<Option<usize>> = lines.iter().map(|line| line.find('#')).collect();
        assert!(columns[0].is_some() && columns[1] >= columns[0], "{text}");
        assert!(controller.len() > 7 || columns[0] == columns[1], "{text}");
    }
}

#[test]
fn a_copy_of_a_body_has_its_own_name_and_says_what_it_is_of() {
    let folder = folder();
    assert_eq!(aplomb(folder.path(), &["new", "passive", "ball05", "--from", "ball"]).0, Some(0));
    let text = fs::read_to_string(folder.path().join("ball05.xml")).expect("a body");
    assert!(text.starts_with("<!-- From `ball`: A ball of 0.43 kg"), "{text}");
    assert!(text.contains("<mujoco model=\"ball05\">") && text.contains("<body name=\"ball\">"), "{text}");
    assert_eq!(aplomb(folder.path(), &["new", "character", "tall", "--from", "adult"]).0, Some(0));
    let text = fs::read_to_string(folder.path().join("tall.xml")).expect("a body");
    assert!(text.starts_with("<!-- From `adult`:\nAn adult") && text.contains("model=\"tall\""), "{text}");
    assert_eq!(aplomb(folder.path(), &["check", "tall.xml", "ball05.xml"]).0, Some(0));
}

#[test]
fn a_new_scene_is_of_what_its_controller_is_for() {
    let folder = folder();
    let new = |controller: &str, more: &[&str]| {
        let name = format!("of_{}", controller.trim_end_matches(".toml"));
        let words = [&["new", "scene", &name, "--controller", controller], more].concat();
        let (code, _, err) = aplomb(folder.path(), &words);
        assert_eq!(code, Some(0), "{err}");
        let (code, out, err) = aplomb(folder.path(), &["check", &format!("{name}.toml")]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{controller}: {out}");
        fs::read_to_string(folder.path().join(format!("{name}.toml"))).expect("a scene")
    };
    let jump = new("jump", &["--model", "child"]);
    assert!(jump.contains("flies = ") && jump.contains("bias_velocity = \"momentum\""), "{jump}");
    assert!(jump.contains("controller = \"jump\"\n") && jump.contains("model = \"child\"\n"), "{jump}");
    let drive = new("drive", &[]);
    assert!(drive.contains("command = \"walk_velocity\"") && drive.contains("command = \"turn\""), "{drive}");
    // There is no scene called `gait`.
    let gait = new("gait", &[]);
    assert!(gait.contains("to = [0.75, 0, 0]   # m/s") && gait.contains("to = 0.5   # rad/s"), "{gait}");
    for text in [&jump, &drive, &gait] {
        assert!(!text.contains("impulse") && !text.contains("[events.push"), "{text}");
    }
    let pushed = new("balance", &[]);
    assert!(pushed.contains("impulse"), "{pushed}");
    let own = "start = \"a\"\n[commands.crouch]\ndefault = 1\nrange = [0.8, 1]\n[include.a]\nfile = \"balance\"\n\
               [include.a.states.balance.objectives.\"com height\"]\n\
               of = { com_height = { target = \"crouch * 0.985 * standing_height\" } }\n";
    write(folder.path(), "low.toml", own);
    let low = new("low.toml", &[]);
    assert!(low.contains("to = 0.9\n") && low.contains("to = 1\n") && !low.contains("impulse"), "{low}");
}

#[test]
fn a_controller_is_no_scene_and_the_scene_offered_runs() {
    let folder = folder();
    write(folder.path(), "c.toml", CONTROLLER);
    let (code, _, err) = aplomb(folder.path(), &["run", "c.toml"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("`c.toml` is a controller"), "{err}");
    let offered = err.split('`').find(|text| text.starts_with("aplomb new scene")).expect("a command");
    let words: Vec<&str> = offered.split(' ').skip(1).collect();
    assert_eq!(aplomb(folder.path(), &words).0, Some(0));
    let ran = ["run", "c_scene.toml", "--no-plots", "--set", "duration=0.1", "--set", "success={}"];
    let (code, _, err) = aplomb(folder.path(), &ran);
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn every_mistake_is_told_at_once_and_none_twice() {
    let folder = folder();
    let wrong = CONTROLLER
        .replace("weight = 1", "wieght = 1\nresponce = 2")
        .replace("pose = {}", "pose = { jonts = [] }");
    write(folder.path(), "c.toml", &wrong);
    write(
        folder.path(),
        "s.toml",
        &SCENE.replace("duration = 1", "duration = 1\ndt = 0\ngravty = [0, 0, -9]"),
    );
    let (code, json, _) = aplomb(folder.path(), &["check", "s.toml", "c.toml", "--json"]);
    assert_eq!(code, Some(2));
    let found: Value = serde_json::from_str(&json).expect("JSON");
    let places: Vec<String> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| format!("{}:{}", one["file"].as_str().expect("a file"), one["line"]))
        .collect();
    assert_eq!(places, ["s.toml:3", "s.toml:2", "c.toml:5", "c.toml:6", "c.toml:8"], "{json}");
    let (_, out, _) = aplomb(folder.path(), &["check", "s.toml", "c.toml"]);
    assert_eq!(out, "s.toml: 5 errors\nc.toml: 3 findings above\n");
}

#[test]
fn a_missing_key_does_not_hide_what_else_is_wrong() {
    let folder = folder();
    write(folder.path(), "c.toml", CONTROLLER);
    let push = "[events.a]\nat = 0.1\nbody = \"chst\"\nimpulse = [1, 0, 0]\n";
    write(folder.path(), "s.toml", &format!("{SCENE}\n{push}"));
    let (code, _, err) = aplomb(folder.path(), &["check", "s.toml"]);
    assert_eq!(code, Some(2));
    for said in ["a push needs `duration`", "did you mean `chest`?"] {
        assert!(err.contains(said), "no «{said}»: {err}");
    }
    // A missing name or weight of an objective does not hide other mistakes either.
    for key in ["name = \"pose\"\n", "weight = 1\n"] {
        write(folder.path(), "c.toml", &CONTROLLER.replace(key, "").replace("0.5", "\"2 * kneee\""));
        let (_, _, err) = aplomb(folder.path(), &["check", "c.toml"]);
        let said = format!("missing key `{}`", key.split(' ').next().unwrap_or_default());
        assert!(
            err.contains(&said) && err.contains("unknown name `kneee`"),
            "no «{said}» and another: {err}"
        );
    }
    write(folder.path(), "c.toml", CONTROLLER);
    // A missing duration of the scene does not either.
    let without = SCENE.replace("duration = 1", "");
    let push = format!("{push}duration = 0.1\n");
    write(folder.path(), "s.toml", &format!("{without}\n{push}"));
    let (_, _, err) = aplomb(folder.path(), &["check", "s.toml"]);
    for said in ["missing key `duration`", "did you mean `chest`?"] {
        assert!(err.contains(said), "no «{said}»: {err}");
    }
}

#[test]
fn a_plot_is_checked_with_the_channels_of_the_scene_beside_it() {
    let folder = folder();
    let plot = "title = \"mine\"\n[[panels]]\nof.lines.channels = [\"command.walk_velocity.x\", \"spead\"]\n";
    write(folder.path(), "p.toml", plot);
    let (_, out, err) = aplomb(folder.path(), &["check", "p.toml"]);
    assert!(out.contains("2 warnings") && err.contains("a run of `stand` has no channel `spead`"), "{err}");
    assert!(err.contains("aplomb check SCENE PLOT"), "{err}");
    let (_, out, err) = aplomb(folder.path(), &["check", "p.toml", "drive"]);
    assert!(out.contains("1 warning") && !err.contains("no channel `command"), "{err}");
}

#[test]
fn a_part_of_the_body_is_found_by_another_word_for_it() {
    let folder = folder();
    write(folder.path(), "s.toml", SCENE);
    for (word, own) in [("torso", "chest"), ("left_calf", "left_shank"), ("hips", "pelvis")] {
        write(
            folder.path(),
            "c.toml",
            &CONTROLLER.replace("pose = {}", &format!("upright = {{ body = \"{word}\" }}")),
        );
        let (code, _, err) = aplomb(folder.path(), &["check", "s.toml"]);
        assert!(code == Some(2) && err.contains(&format!("did you mean `{own}`?")), "{word}: {err}");
    }
}

#[test]
fn values_set_are_checked_too_and_a_controller_is_judged_with_its_scenes_body() {
    let folder = folder();
    write(folder.path(), "c.toml", CONTROLLER);
    write(folder.path(), "s.toml", SCENE);
    assert_eq!(aplomb(folder.path(), &["check", "s.toml", "c.toml"]).0, Some(0));
    let (code, _, err) = aplomb(folder.path(), &["check", "s.toml", "--set", "dt=-1"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("dt=-1"), "{err}");
    let (code, _, _) = aplomb(folder.path(), &["check", "c.toml", "--set", "controller.start=\"b\""]);
    assert_eq!(code, Some(2));
    let (code, _, err) = aplomb(folder.path(), &["check", "c.toml", "--set", "duration=1"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("--set has no effect"), "{err}");
    // A joint name that only the scene's body has.
    let body = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("characters/adult.xml"))
        .expect("a body");
    write(folder.path(), "b.xml", &body.replace("left_knee", "left_hinge"));
    write(folder.path(), "s.toml", &SCENE.replace("child", "b.xml"));
    write(
        folder.path(),
        "c.toml",
        &CONTROLLER.replace("pose = {}", "pose = { angles = { left_hinge = 0.1 } }"),
    );
    assert_eq!(aplomb(folder.path(), &["check", "c.toml"]).0, Some(2), "the adult has no such joint");
    let (code, out, err) = aplomb(folder.path(), &["check", "s.toml", "c.toml"]);
    assert_eq!((code, out.as_str()), (Some(0), "s.toml: ok\nc.toml: ok\n"), "{err}");
}

#[test]
fn watching_checks_again_when_a_file_of_the_scene_changes() {
    let folder = folder();
    write(folder.path(), "c.toml", CONTROLLER);
    write(folder.path(), "s.toml", SCENE);
    let mut child = command(folder.path(), &["check", "s.toml", "--watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let (send, lines) = mpsc::channel();
    let out = child.stdout.take().expect("a pipe");
    std::thread::spawn(move || {
        BufReader::new(out)
            .lines()
            .map_while(Result::ok)
            .for_each(|line| send.send(line).unwrap_or_default());
    });
    let verdict = || {
        let line = || lines.recv_timeout(Duration::from_secs(60)).expect("a line");
        let said = line();
        assert_eq!(line(), "watching …");
        said
    };
    let first = verdict();
    // Most editors save like this: a complete file replaces the old one.
    let save = |text: &str| {
        write(folder.path(), "saved", text);
        std::fs::rename(folder.path().join("saved"), folder.path().join("c.toml"))
            .expect("the file is replaced");
    };
    save(&CONTROLLER.replace("weight", "wieght"));
    let second = verdict();
    save(CONTROLLER);
    let third = verdict();
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
    assert_eq!([first, second, third], ["s.toml: ok", "s.toml: 1 error", "s.toml: ok"]);
}

#[test]
fn a_run_says_its_result_in_twelve_lines_and_the_rest_when_asked() {
    let folder = folder();
    let fails = ["--no-plots", "--set", "events.push.impulse=[150,0,0]", "--set", "duration=2"];
    for (scene, more) in [
        ("balance_push", &fails[..]),
        ("bounce", &["--no-plots"]),
        ("stand", &["--no-plots", "--set", "duration=0.2"]),
    ] {
        let (_, out, _) = aplomb(folder.path(), &[&["run", scene], more].concat());
        assert!(out.lines().count() <= 12, "{out}");
        assert!(out.contains("verdict") && out.contains("--verbose"), "{out}");
        assert!(out.lines().all(|line| line.chars().count() <= 104), "{out}");
        let (_, all, _) = aplomb(folder.path(), &[&["run", scene, "--verbose"], more].concat());
        assert!(all.lines().count() > out.lines().count() && all.contains("µs per frame"), "{all}");
    }
    let (_, out, _) = aplomb(folder.path(), &[&["run", "balance_push"], &fails[..]].concat());
    assert!(
        out.contains("fail: ") && out.contains("upright: broken at") && out.contains("Balance was lost"),
        "{out}"
    );
}

/// Two alternating states, each for a frame or two; an objective without weight, and one whose condition never holds.
const RESTLESS: &str = "\
start = \"a\"
[states.a]
until = \"state_time > 0.005\"
to = [\"b\"]
[states.b]
until = \"state_time > 0.005\"
to = [\"a\"]
[[objectives]]
name = \"pose\"
weight = 1
response = 0.5
of = { pose = {} }
[[objectives]]
name = \"light\"
weight = 0
response = 0.5
of = { pose = {} }
[[objectives]]
name = \"late\"
weight = 1
response = 0.5
when = \"com_speed < -1\"
of = { velocity = {} }
";

#[test]
fn a_run_tells_the_first_warning_of_its_controller_and_how_to_see_the_others() {
    let folder = folder();
    write(folder.path(), "c.toml", RESTLESS);
    write(folder.path(), "s.toml", SCENE);
    let run = |more: &[&str]| {
        aplomb(folder.path(), &[&["run", "s.toml", "--no-plots", "--no-trace"], more].concat())
    };
    let (code, _, err) = run(&["--set", "duration=0.02"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("[zero-weight]") && !err.contains("[constant-condition]"), "{err}");
    let more = "one more warning like it: `aplomb check s.toml --set 'duration=0.02'` says all";
    assert!(err.contains(more), "{err}");
    let (_, _, quiet) = run(&["--set", "duration=0.02", "--quiet"]);
    assert_eq!(quiet, "");
}

#[test]
fn all_of_a_run_is_every_state_and_what_no_objective_did() {
    let folder = folder();
    write(folder.path(), "c.toml", RESTLESS);
    write(folder.path(), "s.toml", SCENE);
    let (code, out, err) = aplomb(folder.path(), &["run", "s.toml", "--no-plots", "--verbose"]);
    assert_eq!(code, Some(0), "{err}");
    let stays = out.lines().filter(|line| line.ends_with(" s  a") || line.ends_with(" s  b")).count();
    assert!(stays > 40, "{out}");
    assert!(out.contains("not in force, or met, in every frame: light, late"), "{out}");
    assert!(!out.contains("not recorded"), "{out}");

    // A trace does not record wall-clock times.
    let (_, again, _) = aplomb(folder.path(), &["summary", "runs/s", "--verbose"]);
    assert!(again.contains("how long that took is not recorded") && !again.contains("real time"), "{again}");
    assert!(again.contains("µs per frame") && again.ends_with("not recorded\n"), "{again}");
    let (_, short, _) = aplomb(folder.path(), &["summary", "runs/s"]);
    assert!(short.contains("how long that took is not recorded") && !short.contains("real time"), "{short}");
}

#[test]
fn a_run_without_a_trace_does_not_take_away_that_of_another_and_a_new_one_its_exports() {
    let folder = folder();
    let run = |more: &[&str]| {
        aplomb(
            folder.path(),
            &[&["run", "stand", "--no-plots", "--set", "duration=0.1", "--set", "success={}"], more].concat(),
        )
    };
    assert_eq!(run(&[]).0, Some(0));
    let (code, _, err) = run(&["--no-trace"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("--out"), "{err}");
    assert_eq!(run(&["--no-trace", "--out", "other"]).0, Some(0));
    assert_eq!(aplomb(folder.path(), &["export", "runs/stand", "--to", "csv"]).0, Some(0));
    assert!(folder.path().join("runs/stand/frames.csv").exists());
    assert_eq!(run(&[]).0, Some(0));
    assert!(!folder.path().join("runs/stand/frames.csv").exists(), "that is of the run before");
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish"] {
        let (code, out, _) = aplomb(folder.path(), &["completions", shell]);
        assert_eq!(code, Some(0));
        assert!(out.contains("step") || out.contains("sweep") && out.contains("--directions"), "{shell}");
    }
    assert_eq!(aplomb(folder.path(), &["man", "pages"]).0, Some(0));
    for page in ["aplomb", "aplomb-run", "aplomb-check"] {
        let text = fs::read_to_string(folder.path().join(format!("pages/{page}.1"))).expect("a page");
        assert!(text.contains(".SH SYNOPSIS"), "{text}");
    }
}

#[test]
fn paragraphs_of_help_are_folded_once() {
    let folder = folder();
    let commands = [
        "run", "sweep", "check", "plot", "compare", "graph", "list", "export", "new", "schema", "show",
        "view",
    ];
    for command in commands {
        let (_, help, _) = aplomb(folder.path(), &[command, "--help"]);
        let lines: Vec<&str> = help.lines().collect();
        for pair in lines.windows(2) {
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.ends_with(':');
            if is_prose(pair[0]) && is_prose(pair[1]) {
                let next = pair[1].split(' ').next().unwrap_or_default();
                let fits = pair[0].chars().count() + 1 + next.chars().count() <= 95;
                assert!(!fits, "{command}: broken before its end: {:?}", pair[0]);
            }
        }
    }
}

#[test]
fn joints_say_what_a_positive_rate_does_and_sites_where_they_are() {
    let folder = folder();
    let line = |list: &str, name: &str, model: &str| {
        let (_, out, _) = aplomb(folder.path(), &["list", list, "--model", model]);
        let found = out.lines().find(|line| line.split_whitespace().next() == Some(name)).map(str::to_owned);
        found.unwrap_or_else(|| panic!("no {name} in {out}"))
    };
    assert!(line("joints", "left_knee", "adult").ends_with("moves `left_shank` backward"));
    assert!(line("joints", "abdomen_z", "adult").contains("counter-clockwise seen from above"));
    // The result follows from the axis, not from the name.
    let body = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("characters/adult.xml"))
        .expect("a body");
    let knee = body
        .lines()
        .find(|line| line.contains("name=\"left_knee\"") && line.contains("<joint"))
        .expect("a knee");
    assert!(knee.contains("axis=\"0 1 0\""), "{knee}");
    write(folder.path(), "b.xml", &body.replace(knee, &knee.replace("axis=\"0 1 0\"", "axis=\"0 -1 0\"")));
    assert!(line("joints", "left_knee", "b.xml").ends_with("moves `left_shank` forward"));
    let grip = line("sites", "left_hand_grip", "adult");
    assert!(grip.contains("m of its axes; at (") && grip.ends_with("m in the rest pose"), "{grip}");
    let (_, functions, _) = aplomb(folder.path(), &["list", "functions"]);
    assert!(
        functions.contains("16 s² (1 − s)²") && functions.contains("smoothstep(low, high, x)"),
        "{functions}"
    );
}

#[test]
fn a_wrong_word_is_answered_with_where_the_right_ones_are() {
    let folder = folder();
    write(folder.path(), "s.toml", SCENE);
    write(folder.path(), "crouch.toml", CONTROLLER);
    let said = |controller: &str| {
        write(folder.path(), "c.toml", controller);
        aplomb(folder.path(), &["check", "c.toml"]).2
    };
    let heavy = said(&CONTROLLER.replace("weight = 1", "weight = \"heavy\""));
    assert!(heavy.contains("unknown name `heavy`") && !heavy.contains("`head`"), "{heavy}");
    let torso = said(&CONTROLLER.replace("pose = {}", "upright = { body = \"torso\" }"));
    assert!(torso.contains("did you mean `chest`?"), "{torso}");
    let wing = said(&CONTROLLER.replace("pose = {}", "upright = { body = \"wing\" }"));
    assert!(wing.contains("known:") && wing.contains("pelvis, abdomen, chest"), "{wing}");
    let anywhere = said(&CONTROLLER.replace("weight = 1", "weight = \"position(wing).z\""));
    assert!(anywhere.contains("`aplomb list bodies` and `aplomb list sites`"), "{anywhere}");
    let degrees = said(&CONTROLLER.replace("pose = {}", "pose = { angles = { left_knee = 90 } }"));
    assert!(degrees.contains("more than a whole turn") && degrees.contains("1.5708"), "{degrees}");
    let (_, _, local) =
        aplomb(folder.path(), &["check", "s.toml", "--set", "characters.hero.controller=\"cruoch.toml\""]);
    assert!(local.contains("did you mean `crouch.toml`?"), "{local}");
}

#[test]
fn what_has_no_effect_is_warned_of() {
    let folder = folder();
    let body = "<mujoco><worldbody><body name=\"arm\"><joint name=\"a\" axis=\"0 1 0\"/><geom type=\"sphere\" size=\"0.1\" mass=\"1\"/>\
                <body name=\"hand\" pos=\"0 0 -0.3\"><joint name=\"b\" axis=\"0 1 0\"/><geom type=\"sphere\" size=\"0.1\" mass=\"1\"/>\
                </body></body></worldbody><actuator><motor joint=\"a\"/></actuator></mujoco>";
    write(folder.path(), "arm.xml", body);
    write(folder.path(), "c.toml", &CONTROLLER.replace("pose = {}", "pose = { angles = { b = 0.2 } }"));
    write(folder.path(), "s.toml", &SCENE.replace("\"child\"", "\"arm.xml\"\nheight = 1"));
    let (code, _, err) = aplomb(folder.path(), &["check", "s.toml"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("joint `b` has no actuator: a pose cannot move it"), "{err}");
    assert!(err.contains("`height` is not used"), "{err}");
}
