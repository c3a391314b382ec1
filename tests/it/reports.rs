//! Reports of runs on other characters than the first, on weak events that are not reported, and commands without a
//! report.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Exit code, standard output and standard error.
fn aplomb(folder: &Path, arguments: &[&str], columns: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1").env("COLUMNS", columns);
    let output = command.output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const TWO: &str = "duration = 0.8\n[characters.big]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
    position = [0, 0.6]\n[characters.small]\nmodel = \"child\"\ncontroller = \"balance\"\nposition = [0, -0.6]\n\
    [events.shove]\nat = 0.5\nduration = 0.1\ncharacter = \"small\"\nbody = \"chest\"\nimpulse = [4, 0, 0]\n\
    [events.late]\nat = 0.79\nduration = 0.1\ncharacter = \"small\"\nbody = \"chest\"\nimpulse = [4, 0, 0]\n\
    [success]\nup = { always = \"com_height > 0.8 * standing_height\" }\n";

#[test]
fn pushes_on_other_characters_are_told_with_where_their_summaries_are() {
    let folder = folder();
    fs::write(folder.path().join("two.toml"), TWO).expect("written");
    for more in [&[][..], &["--verbose"]] {
        let run = [&["run", "two.toml", "--no-plots"], more].concat();
        let (code, out, err) = aplomb(folder.path(), &run, "200");
        assert_eq!(code, Some(0), "{out}{err}");
        let line =
            |label: &str| out.lines().find(|line| line.trim_start().starts_with(label)).unwrap_or_default();
        assert!(line("shove").contains("on small: 4.00 N s along the ground at 0.50 s"), "{out}");
        // For an event that the end of the run cuts off, the part that acted.
        assert!(line("late").contains("on small: 0.40 N s"), "{out}");
        assert!(out.contains("figures of its own: `aplomb summary runs/two/trace-small.mcap`"), "{out}");
    }
    let (code, out, _) = aplomb(folder.path(), &["summary", "runs/two/trace-small.mcap"], "200");
    assert!(code == Some(0) && out.contains("N s along the ground at 0.50 s"), "{out}");
}

/// A ball that flies against the character's chest.
const BALL: &str = "duration = 0.8\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
    [passive.ball]\nkind = \"articulated\"\nmodel = \"light.xml\"\nposition = [0.6, 0, 1.2]\nvelocity = [-2, 0, 1]\n\
    [success]\nupright = { always = \"com_height > 0.8 * standing_height\" }\n";
const LIGHT: &str = "<mujoco model=\"light\"><worldbody><body name=\"ball\"><freejoint/>\
    <geom type=\"sphere\" size=\"0.06\" mass=\"MASS\"/></body></worldbody></mujoco>";

#[test]
fn an_object_that_only_brushes_the_character_is_no_push() {
    let folder = folder();
    let pushes = |mass: &str| {
        fs::write(folder.path().join("ball.toml"), BALL).expect("written");
        fs::write(folder.path().join("light.xml"), LIGHT.replace("MASS", mass)).expect("written");
        let run = ["run", "ball.toml", "--no-plots", "--json"];
        let (code, out, err) = aplomb(folder.path(), &run, "200");
        assert!(code.is_some_and(|code| code < 2), "{err}");
        let summary: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        let impulse: f64 = summary["passive"][0]["impulse"]
            .as_array()
            .expect("a vector")
            .iter()
            .map(|part| part.as_f64().expect("a number").abs())
            .sum();
        (impulse, summary["pushes"].as_array().expect("a list").len())
    };
    let (light, listed) = pushes("0.01");
    assert!(light > 0.0 && light < 0.1 && listed == 0, "{light} N s, {listed} pushes");
    let (heavy, listed) = pushes("2.0");
    assert!(heavy > 0.3 && listed == 1, "{heavy} N s, {listed} pushes");
}

#[test]
fn quiet_commands_print_nothing_but_errors_and_what_json_asks_for() {
    let folder = folder();
    let at = folder.path();
    let silent = |arguments: &[&str]| {
        let (code, out, err) = aplomb(at, arguments, "100");
        assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""), "{arguments:?}");
    };
    let run = ["run", "balance_push", "--set", "duration=0.5", "--set", "success={}", "--quiet"];
    silent(&run);
    silent(&["summary", "runs/balance_push", "--write", "--quiet"]);
    silent(&["plot", "runs/balance_push", "balance", "-q"]);
    silent(&["compare", "com.x", "runs/balance_push", "--quiet"]);
    silent(&["export", "runs/balance_push", "--to", "csv", "--quiet"]);
    silent(&["film", "runs/balance_push", "--until", "0.1", "--width", "160", "--quiet"]);
    silent(&["export", "runs/balance_push", "--to", "bvh", "--quiet"]);
    silent(&["new", "controller", "own", "--track", "runs/balance_push/motion.bvh", "--quiet"]);
    silent(&["check", "own.toml", "--quiet"]);
    let (_, out, _) = aplomb(at, &["summary", "runs/balance_push", "--quiet", "--json"], "100");
    assert!(out.starts_with('{'), "{out}");

    let text = "duration = 0.5\nsolver = \"activeset\"\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
                [success]\nup = { always = \"com_speed > -1\" }\n";
    fs::write(at.join("warned.toml"), text.replace("solver = \"activeset\"\n", "")).expect("written");
    silent(&["check", "warned.toml", "--quiet"]);
    let (code, out, err) = aplomb(at, &["check", "warned.toml", "--quiet", "--deny-warnings"], "100");
    assert!(code == Some(2) && out.is_empty() && err.contains("holds in every run"), "{out}{err}");
    fs::write(at.join("wrong.toml"), text.replace("com_speed", "com_sped")).expect("written");
    let (code, out, err) = aplomb(at, &["check", "wrong.toml", "--quiet"], "100");
    assert!(code == Some(2) && out.is_empty() && err.contains('×'), "{out}{err}");
}

#[test]
fn lists_are_folded_to_the_width() {
    let folder = folder();
    for list in ["rules", "quantities"] {
        let (_, wide, _) = aplomb(folder.path(), &["list", list], "10000");
        let (_, narrow, _) = aplomb(folder.path(), &["list", list], "80");
        assert!(narrow.lines().count() > wide.lines().count());
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&narrow), words(&wide));
        let long = narrow.lines().filter(|line| line.chars().count() > 80);
        // A form in the first column that is longer is not broken.
        assert!(
            long.clone().all(|line| !line.trim_start().contains("  ")),
            "{}",
            long.collect::<Vec<_>>().join("\n")
        );
    }
}

#[test]
fn the_first_of_two_equal_keys_is_named_and_a_joint_far_from_its_trajectory_is_told() {
    let folder = folder();
    let at = folder.path();
    let scene = "duration = 1.0\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n[events.e]\nat = 0.5\n\
                 body = \"chest\"\nduration = 0.1\nbody = \"chest\"\nimpulse = [0, 5, 0]\n";
    fs::write(at.join("keys.toml"), scene).expect("written");
    let (code, _, err) = aplomb(at, &["check", "keys.toml"], "100");
    assert!(code == Some(2) && err.contains("duplicate key: the first one is in line 7"), "{err}");
    let controller = "start = \"a\"\n[states.a]\n[states.b]\n[states.a]\n";
    fs::write(at.join("states.toml"), controller).expect("written");
    let (_, _, err) = aplomb(at, &["check", "states.toml"], "100");
    assert!(err.contains("duplicate key: the first one is in line 2"), "{err}");
    // A key of another table is not a duplicate.
    let other = "duration = 1.0\n[characters.a]\nmodel = \"adult\"\n[characters.b]\nmodel = \"adult\"\n\
                 model = \"child\"\n";
    fs::write(at.join("other.toml"), other).expect("written");
    let (_, _, err) = aplomb(at, &["check", "other.toml"], "100");
    assert!(err.contains("duplicate key: the first one is in line 5"), "{err}");
    let objective = "[[objectives]]\nname = \"damp\"\nweight = 1\nresponse = 0.1\nof = { velocity = {} }\n";
    fs::write(at.join("twice.toml"), format!("start = \"a\"\n{objective}{objective}[states.a]\n"))
        .expect("written");
    let (_, _, err) = aplomb(at, &["check", "twice.toml"], "100");
    assert!(
        err.contains("a second objective named `damp`") && err.contains("the first one is in line 3"),
        "{err}"
    );
}
