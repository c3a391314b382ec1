//! Composed controllers: files that include files, states that contain states, and mirrored files.

use aplomb::controller::ControllerFile;
use aplomb::scene::{self, Run, SceneFiles};
use aplomb::trace::Frame;
use aplomb::world::StepError;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_string_lossy().into_owned()
}

/// Every frame of a run.
fn frames(files: &SceneFiles) -> Vec<Frame> {
    let mut run = Run::bind(files).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let mut frames = Vec::new();
    let last = run.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame());
        Ok(())
    });
    frames.push(last.expect("the run goes on to its end"));
    frames
}

/// The states in the order in which they were entered.
fn states(frames: &[Frame]) -> Vec<&str> {
    let mut states: Vec<&str> = frames.iter().map(|frame| frame.state.as_str()).collect();
    states.dedup();
    states
}

/// The messages of `aplomb check` about a file with mistakes, with words separated by single spaces.
fn complaints(folder: &Path, name: &str) -> String {
    let program = env!("CARGO_BIN_EXE_aplomb");
    let check = Command::new(program).args(["check", name]).current_dir(folder).env("NO_COLOR", "1").output();
    let check = check.expect("the program starts");
    assert_eq!(check.status.code(), Some(2), "{}", String::from_utf8_lossy(&check.stderr));
    let said = String::from_utf8_lossy(&check.stderr).into_owned();
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A controller that stands and alternates between two states.
const TICK: &str = r#"
start = "one"
[parameters]
wait = 0.1
[define]
is_over = "state_time >= wait - 0.001"
[[objectives]]
name = "damping"
weight = 0.05
response = 0.15
of = { velocity = {} }
[[objectives]]
name = "com"
weight = 20
response = 0.35
of = { com_over_support = {} }
[[objectives]]
name = "height"
weight = 20
response = 0.15
of = { com_height = { target = "0.985 * standing_height" } }
[states.one]
until = "is_over"
to = ["two"]
[states.two]
until = "is_over"
to = ["one"]
"#;

const SCENE: &str = "duration = 0.6\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"c.toml\"\n";

/// Files of a scene whose controller includes `TICK`.
fn ticking(controller: &str) -> TempDir {
    folder(&[("tick.toml", TICK), ("c.toml", controller), ("scene.toml", SCENE)])
}

#[test]
fn a_controller_that_only_includes_another_moves_bit_for_bit_like_it() {
    let folder = folder(&[("all.toml", "start = \"step\"\n[include.step]\nfile = \"step_recovery\"\n")]);
    let alone = frames(&scene::load("step_push", &["duration=1.5".into()]).expect("it ships"));
    let controller = format!("characters.adult.controller={:?}", path(&folder, "all.toml"));
    let included = frames(&scene::load("step_push", &["duration=1.5".into(), controller]).expect("sound"));
    assert_eq!(alone.len(), included.len());
    assert!(states(&alone).contains(&"take_step"));
    for (alone, included) in alone.iter().zip(&included) {
        assert_eq!(format!("step.{}", alone.state), included.state);
        assert_eq!(alone.q, included.q, "frame {}", alone.index);
        assert_eq!(alone.torque, included.torque, "frame {}", alone.index);
    }
}

#[test]
fn exits_of_an_outer_state_come_before_those_of_the_states_in_it_and_its_time_is_its_own() {
    let folder = ticking(
        r#"
start = "first"
[include.tick]
file = "tick.toml"
[states.first]
machine = "tick"
until = "state_time >= 0.299"
to = ["second"]
[states.second]
machine = "tick"
"#,
    );
    let frames = frames(&scene::load(&path(&folder, "scene.toml"), &[]).expect("sound"));
    let seen = states(&frames);
    // At 0.3 s both transitions are due; the outer one is taken.
    assert_eq!(seen[..4], ["first.one", "first.two", "first.one", "second.one"]);
    assert!(seen.contains(&"second.two"));
    let second = frames.iter().find(|frame| frame.state == "second.one").expect("entered");
    assert!((0.28..0.36).contains(&second.time), "{} s", second.time);
}

#[test]
fn a_state_with_others_in_it_has_a_name_counts_its_own_entries_and_is_present_with_each_of_them() {
    let folder = ticking(
        r#"
start = "first"
[include.tick]
file = "tick.toml"
[include.tock]
file = "tick.toml"
[define]
is_first = "present_state == first"
[states.first]
machine = "tick"
until = "state_time >= 0.249 or present_state != first or not is_first"
to = ["second"]
[states.second]
machine = "tick"
until = "visits(first) >= 2 or state_time >= 0.149"
to = ["tock", "first"]
"#,
    );
    let frames = |criteria: &str| {
        let scene = format!("{SCENE}[success]\n{criteria}");
        fs::write(folder.path().join("scene.toml"), scene).expect("written");
        let mut run =
            Run::bind(&scene::load(&path(&folder, "scene.toml"), &[]).expect("sound")).expect("sound");
        let mut states: Vec<String> = Vec::new();
        run.finish::<StepError>(|_, stepped| {
            let state = stepped.frame().state;
            states.extend((states.last() != Some(&state)).then_some(state));
            Ok(())
        })
        .expect("the run goes on to its end");
        let held: Vec<bool> = run.criteria.iter().map(|criterion| criterion.holds).collect();
        (states, held)
    };
    let (states, held) = frames(
        "a = { once = \"present_state == first\" }\n\
         b = { always = \"present_state == first or present_state == second or present_state == tock\" }\n\
         c = { once = \"present_state == second and present_state == second.two\" }\n\
         d = { always = \"not (present_state == first and present_state == second)\" }\n\
         e = { at_end = \"visits(first) == 1 and visits(first.one) == 2 and visits(first.two) == 1\" }\n\
         f = { at_end = \"visits(second) == 1 and visits(tock) == 1\" }\n\
         g = { once = \"present_state == tock and previous_state == second and previous_state != first\" }\n\
         h = { once = \"present_state == first and visits(second) > 0\" }",
    );
    assert_eq!(
        states,
        ["first.one", "first.two", "first.one", "second.one", "second.two", "tock.one", "tock.two"]
    );
    assert_eq!(held, [true, true, true, true, true, true, true, false]);
}

#[test]
fn an_includer_replaces_parameters_exits_and_objectives_by_name() {
    let folder = ticking(
        r#"
start = "tick"
[parameters]
longer = 0.2
[include.tick.parameters]
wait = 0.05
[include.tick]
file = "tick.toml"
[include.tick.objectives.com]
weight = "100 * longer + tick.wait"
[include.tick.states.two]
until = "tick.state_time >= longer - 0.001"
to = ["rest"]
[states.rest]
[[states.rest.objectives]]
name = "pose"
weight = 1
response = 0.3
of = { pose = {} }
"#,
    );
    let files = scene::load(&path(&folder, "scene.toml"), &[]).expect("sound");
    assert_eq!(states(&frames(&files)), ["tick.one", "tick.two", "rest"]);
    let controller = &files.characters[0].controller;
    assert_eq!(controller.spec.parameters.get("tick.wait").map(|wait| *wait.get_ref()), Some(0.05));
    // By the names in the composed controller, and by their paths.
    for override_ in ["controller.parameters.tick.wait=0.3", "controller.include.tick.parameters.wait=0.3"] {
        let files = scene::load(&path(&folder, "scene.toml"), &[override_.into()]).expect("sound");
        assert_eq!(states(&frames(&files)).len(), 3, "{override_}");
        let first = frames(&files).iter().filter(|frame| frame.state == "tick.one").count();
        assert!(first > 25, "{override_}: {first} frames");
    }
    let changed = controller.with_value("parameters.\"tick.wait\"", "0.07").expect("a parameter");
    assert_eq!(changed.spec.parameters.get("tick.wait").map(|wait| *wait.get_ref()), Some(0.07));
    for path in controller.objective_paths(0) {
        controller
            .with_value(&format!("{path}.enabled"), "false")
            .unwrap_or_else(|error| panic!("{path}: {error}"));
    }
}

#[test]
fn a_definition_that_an_includer_replaces_uses_those_of_the_includer() {
    let controller = r#"
start = "go"
[include.go]
file = "tick.toml"
[include.go.define]
is_over = "go.state_time >= later - 0.001"
[define]
longer = "MORE"
later = "go.wait + longer"
"#;
    let ways = ticking(&controller.replace("MORE", "0.1 + 0 * time"));
    let frames = frames(&scene::load(&path(&ways, "scene.toml"), &[]).expect("sound"));
    assert_eq!(states(&frames)[..3], ["go.one", "go.two", "go.one"]);
    let second = frames.iter().find(|frame| frame.state == "go.two").expect("entered");
    assert!((0.18..0.23).contains(&second.time), "{} s", second.time);
    // Then only the included file, as it is written, uses `wait`: that is no warning.
    let alone = ticking(&controller.replace("MORE", "0.1").replace("go.wait + ", ""));
    let program = env!("CARGO_BIN_EXE_aplomb");
    let check = Command::new(program).args(["check", "c.toml"]).current_dir(alone.path()).output();
    let check = check.expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&check.stdout).trim(), "c.toml: ok");
    // What follows from an error in it is not told: here roles of the gait that have no type then.
    let carry = include_str!("../../controllers/carry.toml").replace("box_mass / (mass", "box_mas / (mass");
    let wrong = folder(&[("c.toml", &carry)]);
    let said = complaints(wrong.path(), "c.toml");
    assert!(said.contains("unknown name `box_mas`") && said.matches("× ").count() == 1, "{said}");
    let circle = ticking(&controller.replace("MORE", "0.1 if go.is_over else 0.2"));
    let said = complaints(circle.path(), "c.toml");
    assert!(said.contains("the definition `is_over` depends on itself"), "{said}");
    assert!(said.contains("c.toml:6:11"), "{said}");
}

#[test]
fn an_includer_adds_bindings_and_objectives_to_a_state() {
    let folder = ticking(
        r#"
start = "tick"
[include.tick]
file = "tick.toml"
[include.tick.states.two]
let = { kept = "com_height", more = "tick.wait + 0.02" }
until = "tick.state_time > tick.more"
[[include.tick.states.two.objectives]]
name = "stays as high"
weight = "abs(tick.more)"
response = 0.2
of = { com_height = { target = "tick.kept" } }
"#,
    );
    let files = scene::load(&path(&folder, "scene.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let run = scene::Run::bind(&files).unwrap_or_else(|errors| panic!("{errors}"));
    let header = scene::header(&files, &run);
    assert!(header.objectives.iter().any(|name| name == "tick.stays as high"), "{:?}", header.objectives);
    assert!(states(&frames(&files)).len() > 1);
    // A name that is none is told as before.
    let bad = ticking(
        "start = \"tick\"\n[include.tick]\nfile = \"tick.toml\"\n[include.tick.states.two]\nlet = { \"a b\" = 1 }\n",
    );
    let error = scene::load(&path(&bad, "scene.toml"), &[])
        .and_then(|files| scene::Run::bind(&files).map(|_| ()).map_err(Into::into))
        .unwrap_err();
    assert!(error.to_string().contains("`a b` cannot be the name of a role"), "{error}");
}

#[test]
fn a_state_with_others_in_it_releases_for_all_of_them_and_its_rates_are_theirs_by_default() {
    let outer = |keys: &str| {
        format!(
            "start = \"first\"\n[include.tick]\nfile = \"tick.toml\"\n\
             [states.first]\nmachine = \"tick\"\nuntil = \"state_time >= 0.299\"\nto = [\"second\"]\n\
             [states.second]\nmachine = \"tick\"\n{keys}"
        )
    };
    let left = |keys: &str| {
        let folder = ticking(&outer(keys));
        let frames = frames(&scene::load(&path(&folder, "scene.toml"), &[]).expect("sound"));
        // The load on the left foot in each frame, N.
        let load = |frame: &Frame| -> f64 {
            let of_left = frame.contacts.iter().filter(|contact| contact.body.starts_with("left"));
            of_left.map(|contact| contact.force[2]).sum()
        };
        // The last record is of the end of the run, at which no frame begins.
        let frames = &frames[..frames.len() - 1];
        frames.iter().map(|frame| (frame.state.clone(), load(frame))).collect::<Vec<_>>()
    };
    let kept = left("");
    assert!(kept.iter().all(|(_, load)| *load > 100.0));
    let at_once = left("release = [\"left_foot\"]\nrelease_rate = inf\n");
    for (state, load) in &at_once {
        assert_eq!(state.starts_with("first"), *load > 100.0, "{state}: {load} N");
    }
    let inner: Vec<&str> = at_once.iter().map(|(state, _)| state.as_str()).collect();
    assert!(inner.contains(&"second.one") && inner.contains(&"second.two"));
    // More slowly than at the default of 10 m g/s.
    let bears = |loads: &[(String, f64)]| loads.iter().filter(|(_, load)| *load > 1.0).count();
    let (usual, slowly) =
        (left("release = [\"left_foot\"]\n"), left("release = [\"left_foot\"]\nrelease_rate = 4\n"));
    assert!(bears(&at_once) < bears(&usual) && bears(&usual) + 3 < bears(&slowly));
    let never = left("release = [\"left_foot\"]\nrelease_while = \"time > 9\"\n");
    assert!(never.iter().all(|(_, load)| *load > 100.0));
}

#[test]
fn a_mirrored_controller_moves_like_the_mirror_image() {
    let mirrored = "start = \"other\"\n[include.other]\nfile = \"one_foot\"\nmirror = true\n";
    let folder = folder(&[("other.toml", mirrored)]);
    let controller = format!("characters.adult.controller={:?}", path(&folder, "other.toml"));
    let left = frames(&scene::load("one_foot", &["duration=2.5".into()]).expect("it ships"));
    let right = frames(&scene::load("one_foot", &["duration=2.5".into(), controller]).expect("sound"));
    assert!(left.iter().any(|frame| frame.state == "hold"), "{:?}", states(&left));
    for (left, right) in left.iter().zip(&right) {
        assert_eq!(format!("other.{}", left.state), right.state, "frame {}", left.index);
        let off = [left.com[0] - right.com[0], left.com[1] + right.com[1], left.com[2] - right.com[2]];
        let off = off.into_iter().map(f64::abs).fold(0.0, f64::max);
        assert!(off < 1e-8, "frame {}: {off:.1e} m", left.index);
    }
}

#[test]
fn a_run_is_made_again_from_its_trace_alone() {
    let folder = ticking("start = \"tick\"\n[include.tick]\nfile = \"tick.toml\"\n");
    let files = scene::load(&path(&folder, "scene.toml"), &[]).expect("sound");
    let run = Run::bind(&files).expect("sound");
    let header = scene::header(&files, &run);
    assert_eq!(header.states, ["tick.one", "tick.two"]);
    drop(folder);
    let again = scene::load_kept(&header, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(states(&frames(&again))[..2], ["tick.one", "tick.two"]);
    let other = scene::load_kept(&header, &["controller.include.tick.parameters.wait=0.01".into()]);
    assert!(states(&frames(&other.expect("sound"))).len() > 10);
}

#[test]
fn a_vector_parameter_is_a_vector_and_three_numbers() {
    let text = r#"
start = "a"
[parameters]
target = [0.1, 0.0, 0.9]
[states.a]
[[states.a.objectives]]
name = "com"
weight = "20 * target.z"
response = 0.2
of = { com_position = { target = "target - [target.x, 0, 0]" } }
[[states.a.objectives]]
name = "damping"
weight = 0.05
response = 0.15
of = { velocity = {} }
[[states.a.objectives]]
name = "chest"
weight = 10
response = 0.25
of = { upright = { body = "chest" } }
"#;
    let controller = ControllerFile::parse("c.toml", text).expect("sound");
    assert_eq!(controller.spec.parameters.vector("target"), Some([0.1, 0.0, 0.9]));
    let folder = folder(&[("c.toml", text), ("scene.toml", SCENE)]);
    let scene = path(&folder, "scene.toml");
    let com = |override_: &str| {
        let files = scene::load(&scene, &[override_.into(), "duration=0.4".into()])
            .unwrap_or_else(|error| panic!("{error}"));
        frames(&files).last().expect("a frame").com[2]
    };
    let (high, low) =
        (com("controller.parameters.target=[0, 0, 0.9]"), com("controller.parameters.target.z=0.8"));
    assert!(high > low + 0.02, "{high} m, {low} m");
    let wrong = text.replace("[0.1, 0.0, 0.9]", "[0.1, 0.0]");
    let error = ControllerFile::parse("c.toml", &wrong).expect_err("two numbers").to_string();
    assert!(error.starts_with("c.toml:4:"), "{error}");
}

#[test]
fn weights_that_come_in_smoothly_spare_the_torques_a_jump() {
    let text = |blend: &str| {
        format!(
            r#"
start = "calm"
[include.stand]
file = "balance"
[states.calm]
machine = "stand"
until = "state_time > 0.3"
to = ["raise"]
[states.raise]
machine = "stand"
{blend}
[[states.raise.objectives]]
name = "arms"
weight = 5
response = 0.2
of = {{ pose = {{ angles = {{ left_shoulder_y = -1.0, right_shoulder_y = -1.0 }} }} }}
"#
        )
    };
    let jump = |blend: &str| {
        let folder = folder(&[("c.toml", &text(blend)), ("scene.toml", SCENE)]);
        let frames = frames(&scene::load(&path(&folder, "scene.toml"), &[]).expect("sound"));
        let first = frames.iter().position(|frame| frame.state == "raise.balance").expect("entered");
        let [before, after] = [first - 1, first].map(|frame| frames[frame].torque.clone());
        before.iter().zip(&after).map(|(before, after)| (after - before).abs()).fold(0.0, f64::max)
    };
    let (at_once, smooth) = (jump(""), jump("blend_in = 0.3"));
    assert!(smooth < 0.5 * at_once, "{smooth} N m, {at_once} N m at once");
}

#[test]
fn mistakes_in_a_composition_are_told_where_they_stand() {
    let outer = "start = \"tick\"\n[include.tick]\nfile = \"tick.toml\"\n";
    let cases = [
        ("start = \"a\"\n[include.a]\nfile = \"tik.toml\"\n", "c.toml:3:8", "did you mean `tick.toml`?"),
        ("start = \"a\"\n[include.a]\nfile = \"c.toml\"\n", "c.toml:3:8", "includes itself"),
        (
            "start = \"a\"\n[include.tick]\nfile = \"tick.toml\"\n[states.a]\nmachine = \"tock\"\n",
            "c.toml:5:11",
            "did you mean `tick`?",
        ),
        (&format!("{outer}parameters = {{ wiat = 1 }}\n"), "c.toml:4:16", "did you mean `wait`?"),
        (
            &format!("{outer}[include.tick.objectives.hight]\nweight = 1\n"),
            "c.toml:4:26",
            "did you mean `height`?",
        ),
        (
            &format!("{outer}[include.tick.states.tree]\nto = []\n"),
            "c.toml:4:22",
            "the file has no `tree` here",
        ),
        (
            &format!("{outer}[include.tick.states.one]\nto = [\"tick.too\"]\n"),
            "c.toml:5:7",
            "did you mean `tick.two`?",
        ),
        (
            &format!("{outer}[include.tick.states.one]\nuntil = \"tick.wiat > 0\"\n"),
            "c.toml:5:10",
            "did you mean `tick.wait`?",
        ),
        (&format!("{outer}[states.tick]\n"), "c.toml:2:10", "a second state named `tick`"),
        // A name of the other file has the prefix of its include, however similar another name is.
        (
            &format!("{outer}[define]\nis_oven = \"1\"\n[include.tick.states.one]\nuntil = \"is_over\"\n"),
            "c.toml:7:10",
            "did you mean `tick.is_over`?",
        ),
        (
            &format!(
                "{outer}[parameters]\nwail = 1\n[include.tick.states.one]\nuntil = \"wait + wail > 0\"\n"
            ),
            "c.toml:7:10",
            "did you mean `tick.wait`?",
        ),
        (
            "start = \"a\"\n[include.tick]\nfile = \"tick.toml\"\n[define]\na = \"time\"\n\
             [states.a]\nmachine = \"tick\"\n",
            "c.toml:5:1",
            "`a` is a definition, and a state at c.toml:6:9",
        ),
        (
            "start = \"a\"\n[include.tick]\nfile = \"tick.toml\"\n[states.a]\nmachine = \"tick\"\ndrive = \"limp\"\n",
            "c.toml:4:9",
            "`[include.tick.states.STATE]`; where others run the same machine, include its file once more",
        ),
    ];
    for (text, place, said) in cases {
        let folder = ticking(text);
        let found = complaints(folder.path(), "c.toml");
        assert!(found.contains(said) && found.contains(place), "{text}\n{found}");
    }
    // A mistake in the included file is reported with the name that it has there.
    let wrong = TICK.replace("0.985 * standing_height", "0.985 * standing_hieght");
    let folder = folder(&[("c.toml", outer), ("tick.toml", &wrong)]);
    let found = complaints(folder.path(), "c.toml");
    assert!(found.contains("tick.toml:21:") && found.contains("did you mean `standing_height`?"), "{found}");
}

/// `TICK` with a command, which an objective, a definition and a `let` read.
fn paced() -> String {
    let command = "[commands.pace]\ndefault = 1\nrange = [0.5, 2]\n[define]\nbrisk = \"pace > 1\"\n";
    let bindings = "[states.two]\nlet = { near = \"com\", rate = \"pace if brisk else 1\" }\n";
    TICK.replace("[define]\n", command)
        .replace("weight = 20\nresponse = 0.35", "weight = \"20 * max(0, pace)\"\nresponse = 0.35")
        .replace("[states.two]\n", bindings)
}

/// States `walk` and `done` that contain `TICK`, where `walk` ends by this condition and leads to this state.
fn walking(commands: &str, until: &str, to: &str) -> String {
    format!(
        "start = \"walk\"\n[include.tick]\nfile = \"tick.toml\"\n{commands}\n[define]\nrisen = \"com_height > 2\"\n\
         [states.walk]\nmachine = \"tick\"\nuntil = \"{until}\"\nto = [\"{to}\"]\n[states.done]\nmachine = \"tick\"\n"
    )
}

#[test]
fn a_mistake_in_what_commands_an_included_file_is_one_error_where_it_is_said() {
    let command = |value: &str| format!("[include.tick.commands]\npace = {value}");
    let cases = [
        ("\"1 + spede\"", "unknown name `spede`"),
        ("\"[1, 0, 0]\"", "the command `pace` is a number, and this is a vector"),
        ("\"1 + near.x\"", "did you mean `tick.near`?"),
        // A name of the included file that is bound in one of its states.
        (
            "\"1 + tick.near.x\"",
            "the role `tick.near` has no value in state `walk.one`, which reads the command `pace`",
        ),
    ];
    for (value, said) in cases {
        let text = walking(&command(value), "com.x > 3", "done");
        let folder = folder(&[("tick.toml", &paced()), ("c.toml", &text), ("scene.toml", SCENE)]);
        let found = complaints(folder.path(), "c.toml");
        assert!(found.contains(said) && found.contains("[c.toml:5:"), "{value}\n{found}");
        assert_eq!(found.matches('×').count(), 1, "{value}\n{found}");
        assert!(!found.contains("[tick.toml:"), "{value}\n{found}");
    }
    // A name of the including file that only some of its states bind.
    let text = walking(&command("\"1 + goal.x\""), "com.x > 3", "done");
    let own = text.replace("[states.done]\n", "[states.done]\nlet = { goal = \"com\" }\n");
    let files = [("tick.toml", paced()), ("c.toml", own), ("scene.toml", SCENE.to_owned())];
    let folder = folder(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let found = complaints(folder.path(), "c.toml");
    let said = "the role `goal` has no value in state `walk.one`, which reads the command `pace`";
    assert!(found.contains(said) && found.matches('×').count() == 1, "{found}");
    // If it has a value in every state there is no mistake.
    let bound = walking(&command("\"1 + 0 * goal.x\""), "com.x > 3", "done")
        .replace("[states.walk]\n", "[states.walk]\nlet = { goal = \"com\" }\n");
    fs::write(folder.path().join("c.toml"), bound).expect("written");
    assert!(scene::load(&path(&folder, "scene.toml"), &[]).and_then(|files| Ok(Run::bind(&files)?)).is_ok());
}

#[test]
fn what_is_no_state_is_told_to_be_something_else_where_a_state_is_wanted() {
    let states = "its states are in `walk` and in `done`: `walk.one`, `walk.two`";
    let ask = "ask for one of these, as in `present_state == walk` or `visits(walk)`";
    let of_definition = "`risen` is a definition, not a state";
    let cases = [
        (walking("", "com.x > 3", "tick"), "`tick` is an include, not a state", states),
        (walking("", "com.x > 3", "risen"), of_definition, "known: "),
        (walking("", "com.x > 3", "done").replacen("walk", "tick", 1), "`tick` is an include", states),
        (walking("", "present_state == tick", "done"), "unknown name `tick`", ask),
        (walking("", "visits(tick) > 1", "done"), "unknown name `tick`", ask),
        (walking("", "present_state == don", "done"), "unknown name `don`", "did you mean `done`?"),
        (
            walking("", "visits(risen) > 1", "done"),
            "expected a state of the controller, found true or false",
            of_definition,
        ),
        (
            walking("", "present_state == risen", "done"),
            "a state of the controller and true or false",
            of_definition,
        ),
        (walking("", "state == done", "done"), "unknown name `state`", "`present_state == done`"),
        (walking("", "done", "done"), "expected true or false", "`present_state == done`, how often"),
        (walking("", "done > 1", "done"), "cannot join a state", "entered `visits(done)`"),
    ];
    for (text, said, help) in cases {
        let folder = ticking(&text);
        let found = complaints(folder.path(), "c.toml");
        assert!(found.contains(said) && found.contains(help), "{text}\n{found}");
    }
}

#[test]
fn a_state_that_a_run_stays_in_is_told_with_the_one_in_it() {
    let folder = ticking(&walking("", "com.z > 3", "done"));
    let scene = SCENE.replace("0.6", "2") + "[success]\nfar = { once = \"present_state == done\" }\n";
    fs::write(folder.path().join("scene.toml"), scene).expect("written");
    let aplomb = |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_aplomb");
        let output =
            Command::new(program).args(arguments).current_dir(folder.path()).env("NO_COLOR", "1").output();
        let output = output.expect("the program starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    aplomb(&["run", "scene.toml", "--no-plots", "--out", "r"]);
    let summary = fs::read_to_string(folder.path().join("r/summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let (outer, inner) = (&summary["stay"], &summary["stay"]["inner"]);
    assert_eq!((outer["state"].as_str(), outer["from"].as_f64()), (Some("walk"), Some(0.0)));
    assert_eq!(outer["nearest"]["comparison"], "com.z > 3");
    let state = inner["state"].as_str().expect("the inner state");
    assert!(["walk.one", "walk.two"].contains(&state) && inner["from"].as_f64() > Some(1.5), "{inner}");
    let reason = summary["reason"].as_str().expect("a reason");
    assert!(reason.contains("`walk` stayed from 0.00 s: until com.z > 3: nearest "), "{reason}");
    assert!(reason.contains(&format!("; within it `{state}` stayed from ")), "{reason}");
    let explained = aplomb(&["explain", "r", "--budget", "10"]);
    assert!(
        explained.contains("It stayed in `walk` from 0.00 s to the end, 2.00 s: `until` (com.z > 3)"),
        "{explained}"
    );
    assert!(
        !explained.contains("It stayed in `walk.") && !explained.contains("it stayed in `walk."),
        "{explained}"
    );
    assert!(explained.contains("where it leaves `walk` after a second"), "{explained}");
}

#[test]
fn what_a_mirrored_file_names_and_the_body_lacks_is_said_to_be_mirrored() {
    let inner = "start = \"a\"\n[states.a]\nrelease = [\"left_fot\"]\n[[states.a.objectives]]\nname = \"pose\"\nweight = 1\nresponse = 0.5\nof = { pose = {} }\n";
    let outer = "start = \"a\"\n[include.a]\nfile = \"inner.toml\"\nmirror = true\n";
    let folder = folder(&[("c.toml", outer), ("inner.toml", inner)]);
    let found = complaints(folder.path(), "c.toml");
    assert!(found.contains("unknown name `right_fot`") && found.contains("left stands for right"), "{found}");
    assert!(found.contains("inner.toml:3:"), "{found}");
}

#[test]
fn a_graph_shows_states_inside_of_those_that_they_are_in() {
    let program = env!("CARGO_BIN_EXE_aplomb");
    let output = Command::new(program).args(["graph", "foot_to_foot", "--dot"]).output().expect("it starts");
    let dot = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(dot.contains("subgraph \"cluster_on_left\""), "{dot}");
    assert!(dot.contains("on_right.hold"), "{dot}");
}

#[test]
fn a_controller_and_its_mirror_image_stand_on_either_foot_in_turn() {
    let quick = ["controller.parameters.hold=2.5".into(), "duration=6.8".into()];
    let frames = frames(&scene::load("foot_to_foot", &quick).expect("it ships"));
    let expected = ["on_left.hold", "set_down.balance", "on_right.shift", "on_right.unload", "on_right.hold"];
    let passed = states(&frames);
    assert!(passed.windows(expected.len()).any(|states| states == expected), "{passed:?}");
    let stands = |frame: &Frame| frame.com[2] > 0.8 * frames[0].com[2];
    assert!(frames.iter().all(stands));
    let left = frames.iter().filter(|frame| frame.state == "on_left.hold");
    let right = frames.iter().filter(|frame| frame.state == "on_right.hold");
    let foot = |frames: Vec<&Frame>| frames.last().map(|frame| frame.com[1]).expect("held");
    let (left, right) = (foot(left.collect()), foot(right.collect()));
    assert!(left > 0.05 && right < left - 0.08, "over {left} m, then {right} m");
}
