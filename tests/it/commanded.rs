//! Controllers that are steered by commands.

use crate::run::frames;
use aplomb::controller::ControllerFile;
use aplomb::language::diagnostic::Source;
use aplomb::model::Model;
use aplomb::scene::{self, Run};
use aplomb::trace::Frame;
use aplomb::world::{StartPose, World, WorldError};
use nalgebra::Vector3;

fn driven(overrides: &[&str]) -> (Run, Vec<Frame>) {
    let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
    let mut run = Run::bind(&scene::load("drive", &overrides).unwrap()).unwrap();
    let frames = frames(&mut run);
    (run, frames)
}

/// Mean velocity of the centre of mass over the ground between two times, m/s.
fn pace(frames: &[Frame], from: f64, to: f64) -> [f64; 2] {
    let at = |time: f64| frames.iter().find(|frame| frame.time > time).unwrap().com;
    let (a, b) = (at(from), at(to));
    [(b[0] - a[0]) / (to - from), (b[1] - a[1]) / (to - from)]
}

#[test]
fn it_walks_turns_goes_aside_and_stops_as_it_is_told() {
    let (run, frames) = driven(&[]);
    assert!(run.criteria.iter().all(|criterion| criterion.holds));
    let [ahead, _] = pace(&frames, 2.0, 4.0);
    assert!((ahead - 0.8).abs() < 0.08, "{ahead} m/s where 0.8 are told");
    let end = pace(&frames, 14.5, 15.5);
    assert!(end[0].hypot(end[1]) < 0.01, "it stands: {end:?}");
}

#[test]
fn what_is_told_to_a_controller_is_what_it_does_at_any_speed() {
    for told in [-0.3, 0.3, 0.6, 1.0] {
        let (run, frames) = driven(&[
            &format!(
                "events={{ go = {{ kind = \"command\", at = 0.5, command = \"walk_velocity\", to = [{told}, 0, 0] }} }}"
            ),
            "success={ upright = { always = \"com_height > 0.85 * standing_height\" } }",
            "duration=6",
        ]);
        assert!(run.criteria[0].holds, "{told} m/s: it falls");
        let [ahead, _] = pace(&frames, 3.0, 5.8);
        assert!((ahead - told).abs() < 0.1, "{ahead} m/s where {told} are told");
    }
}

#[test]
fn it_turns_as_fast_as_it_is_told_at_any_speed() {
    for (speed, rate) in [(0.4, 0.3), (1.0, 0.6), (1.0, -0.6), (1.2, 0.3), (1.2, -0.3)] {
        let (run, frames) = driven(&[
            &format!(
                "events={{ go = {{ kind = \"command\", at = 0.5, command = \"walk_velocity\", to = [{speed}, 0, 0] }}, \
                 left = {{ kind = \"command\", at = 3.0, command = \"turn\", to = {rate} }} }}"
            ),
            "success={ upright = { always = \"com_height > 0.85 * standing_height\" } }",
            "duration=10",
        ]);
        assert!(run.criteria[0].holds, "{speed} m/s, {rate} rad/s: it falls");
        let headings = headings(&frames);
        let at = |time: f64| headings[frames.iter().position(|frame| frame.time > time).unwrap()];
        let turned = (at(9.9) - at(5.0)) / 4.9;
        assert!((turned - rate).abs() < 0.1, "{speed} m/s: {turned} rad/s where {rate} are told");
    }
}

/// Heading of the pelvis, rad from +x to the left, continuous over several turns; its quaternion in the configuration
/// is w, x, y, z.
fn headings(frames: &[Frame]) -> Vec<f64> {
    let mut last = 0.0;
    let heading = |frame: &Frame| {
        let [w, x, y, z] = [3, 4, 5, 6].map(|index| frame.q[index]);
        let now = (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z));
        let turns = ((now - last) / std::f64::consts::TAU).round();
        last = now - std::f64::consts::TAU * turns;
        last
    };
    frames.iter().map(heading).collect()
}

#[test]
fn it_turns_as_far_as_it_is_told_wherever_in_a_step_the_turn_begins_and_ends() {
    let mut state = 17;
    let mut between = |low: f64, high: f64| low + (high - low) * random(&mut state);
    for walks in [false, true, true, true, true, true] {
        let speed = if walks { between(0.1, 1.0) } else { 0.0 };
        let (rate, from, time) = (between(-0.6, 0.6), between(2.5, 3.5), between(0.4, 2.5));
        let (_, frames) = driven(&[
            &format!(
                "events={{ go = {{ kind = \"command\", at = 0.5, command = \"walk_velocity\", to = [{speed}, 0, 0] }}, \
                 left = {{ kind = \"command\", at = {from}, command = \"turn\", to = {rate} }}, \
                 straight = {{ kind = \"command\", at = {}, command = \"turn\", to = 0 }} }}",
                from + time
            ),
            "success={ upright = { always = \"com_height > 0.85 * standing_height\" } }",
            &format!("duration={}", from + time + 3.0),
        ]);
        // Averaged over the last second, so that the rotation of the pelvis with each step cancels.
        let all = headings(&frames);
        let last = &all[all.len() - 100..];
        let heading = last.iter().sum::<f64>() / last.len() as f64;
        let told = rate * time;
        assert!((heading - told).abs() < 0.12, "{heading} rad where {told} are told, at {speed} m/s");
    }
}

#[test]
fn a_command_of_a_program_an_event_and_a_scene_are_one_thing_to_the_last_bit() {
    let text = |rest: &str| {
        format!(
            "duration = 1.5\nbias_velocity = \"extrapolated\"\ncontact_response = 0.01\n\
             [characters.a]\nmodel = \"adult\"\ncontroller = \"drive\"\n{rest}"
        )
    };
    let bound =
        |rest: &str| Run::bind(&scene::load_text(&Source::new("scene.toml", text(rest))).unwrap()).unwrap();
    let mut by_event = bound("[events.go]\nkind = \"command\"\nat = 0\ncommand = \"turn\"\nto = 0.3\n");
    let mut by_scene = bound("commands = { turn = 0.3 }\n");
    let mut by_program = bound("");
    let first = by_program.world.characters().next().unwrap();
    by_program.world.command(first, "turn", 0.3).unwrap();
    let [event, scene, program] = [&mut by_event, &mut by_scene, &mut by_program].map(frames);
    for (k, frame) in event.iter().enumerate() {
        assert_eq!(format!("{:?}", frame.q), format!("{:?}", scene[k].q), "frame {k}");
        assert_eq!(format!("{:?}", frame.q), format!("{:?}", program[k].q), "frame {k}");
        assert_eq!(frame.commands, program[k].commands, "frame {k}");
    }
    // The controller's own commands and those of the included machine that walks: two vectors and two numbers in all.
    assert_eq!(event[0].commands.iter().filter(|told| **told == Some(0.3)).count(), 2);
    assert_eq!(event[0].commands.len(), 8);
}

#[test]
fn a_command_follows_a_track_and_what_waits_for_it_comes_when_it_is_over() {
    let text = "duration = 1.0\n[characters.a]\nmodel = \"adult\"\ncontroller = \"drive\"\n\
                [events.go]\nkind = \"command\"\nat = 0.2\ncommand = \"turn\"\n\
                track = { times = [0, 0.4], values = [0, 0.2] }\n\
                [events.back]\nkind = \"command\"\nafter = \"go\"\ndelay = 0.1\ncommand = \"turn\"\nto = -0.1\n";
    let files = scene::load_text(&Source::new("scene.toml", text)).unwrap();
    let mut run = Run::bind(&files).unwrap();
    let told: Vec<f64> = frames(&mut run).iter().map(|frame| frame.commands[3].unwrap()).collect();
    for (index, told) in told.iter().enumerate() {
        let time = 0.01 * index as f64;
        let expected = match time {
            _ if time > 0.705 => -0.1,
            _ => (0.5 * (time - 0.2)).clamp(0.0, 0.2),
        };
        assert!((told - expected).abs() < 1e-12, "at {time} s: {told}, not {expected}");
    }
    // A world that is restored repeats the same commands.
    let mut run = Run::bind(&files).unwrap();
    let before = run.world.checkpoint();
    let first = frames(&mut run);
    run.world.restore(&before).unwrap();
    assert_eq!(format!("{:?}", frames(&mut run)), format!("{first:?}"));
}

#[test]
fn mistakes_of_commands_are_told_at_their_place() {
    let said = |rest: &str| {
        let text = format!("duration = 1\n[characters.a]\nmodel = \"adult\"\ncontroller = \"drive\"\n{rest}");
        match scene::load_text(&Source::new("scene.toml", text)) {
            Ok(files) => format!("{:#}", Run::bind(&files).err().expect(rest)),
            Err(error) => format!("{error:#}"),
        }
    };
    let event = |keys: &str| said(&format!("[events.go]\nkind = \"command\"\nat = 0.5\n{keys}"));
    let unknown = event("command = \"trun\"\nto = 1\n");
    assert!(unknown.contains("no command `trun`") && unknown.contains("`turn`"), "{unknown}");
    assert!(unknown.contains("scene.toml:8:11"), "{unknown}");
    assert!(event("command = \"turn\"\nto = [1, 0, 0]\n").contains("`turn` is a number"));
    assert!(event("command = \"turn\"\n").contains("needs `to` or `track`"));
    let track = |keys: &str| event(&format!("command = \"turn\"\ntrack = {{ {keys} }}\n"));
    assert!(track("times = [0, 1], values = [0]").contains("2 times need as many values, not 1"));
    assert!(track("times = [1, 1], values = [0, 1]").contains("times must increase, but 1 follows 1"));
    assert!(track("times = [-1, 1], values = [0, 1]").contains("times must be 0 s or more, not -1"));
    assert!(track("times = [0, 1], values = [0, [1, 0, 0]]").contains("all numbers, or all `[x, y, z]`"));
    assert!(track("times = [0], values = [[1, 0, 0]]").contains("`turn` is a number"));
    let both = event("command = \"turn\"\nto = 1\ntrack = { times = [0], values = [1] }\n");
    assert!(both.contains("a command has `to` or `track`, not both"), "{both}");
    assert!(said("commands = { speed = 1 }\n").contains("no command `speed`"));
    // Mistakes in the controller's own file.
    let own = |keys: &str| {
        let text = format!("start = \"a\"\n[commands.go]\n{keys}\n[states.a]\n");
        let controller = ControllerFile::parse("own.toml", &text);
        controller.err().map(|errors| errors.to_string()).unwrap_or_default()
    };
    assert!(own("default = 2\nrange = [0, 1]").contains("outside of the range"));
    assert!(own("default = 0\nrange = [1, 0]").contains("the least first"));
}

#[test]
fn a_command_beyond_its_range_is_told_before_the_run_and_after_it() {
    let scene = "duration = 0.4\n[characters.a]\nmodel = \"adult\"\ncontroller = \"drive\"\n\
                 [events.turn]\nkind = \"command\"\nat = 0.1\ncommand = \"turn\"\nto = 30\n\
                 [events.go]\nkind = \"command\"\nat = 0.2\ncommand = \"walk_velocity\"\nto = [0.5, 0, 0]\n";
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let aplomb = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_aplomb"));
        let output =
            command.args(arguments).current_dir(folder.path()).env("NO_COLOR", "1").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let checked = aplomb(&["check", "scene.toml"]);
    assert!(checked.contains("`turn` is -0.6 to 0.6 rad/s, and this sets it to 30"), "{checked}");
    assert!(checked.contains("it is taken for 0.6") && checked.contains("command-out-of-range"), "{checked}");
    let ran = aplomb(&["run", "scene.toml", "--no-plots", "--out", "r"]);
    let said = "command `turn` was clamped to its range, -0.6 to 0.6 rad/s: it was set to 30 rad/s, beyond it \
                first at 0.10 s";
    assert_eq!(ran.matches("was clamped to its range").count(), 1, "{ran}");
    assert!(ran.contains(said), "{ran}");
    let summary = std::fs::read_to_string(folder.path().join("r/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let clamped = &summary["clamped_commands"];
    assert_eq!(
        (clamped.as_array().map(Vec::len), &clamped[0]["command"]),
        (Some(1), &"turn".into()),
        "{clamped}"
    );
    assert_eq!((clamped[0]["value"].as_f64(), clamped[0]["range"][1].as_f64()), (Some(30.0), Some(0.6)));
}

#[test]
fn a_world_says_which_commands_there_are() {
    let mut world = World::builder().build().unwrap();
    let balance = ControllerFile::shipped("balance").unwrap();
    let id = world.add_character(Model::shipped("adult").unwrap(), balance, StartPose::standing()).unwrap();
    let error = world.command(id, "turn", 0.1).unwrap_err();
    assert!(matches!(&error, WorldError::Command(_)));
    assert!(error.to_string().contains("it has none"), "{error}");
}

#[test]
fn what_a_controller_is_told_by_default_it_tells_the_machine_that_walks_in_it() {
    let text = "start = \"go\"\n[commands.turn]\ndefault = 0.4\n[include.legs]\nfile = \"drive\"\n\
                [states.go]\nmachine = \"legs\"\n";
    let scene = "duration = 4\nbias_velocity = \"extrapolated\"\ncontact_response = 0.01\n\
                 [characters.a]\nmodel = \"adult\"\ncontroller = \"mine.toml\"\n";
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let path = folder.path().join("scene.toml");
    let mut run = Run::bind(&scene::load(path.to_str().unwrap(), &[]).unwrap()).unwrap();
    let all = headings(&frames(&mut run));
    assert!((all[all.len() - 1] - 1.6).abs() < 0.4, "{} rad after 4 s of 0.4 rad/s", all[all.len() - 1]);
}

/// Files in a folder, with a scene of 0.4 s whose character is controlled by `outer.toml`.
fn told_inside(inner: &str, outer: &str, scene: &str) -> tempfile::TempDir {
    let folder = tempfile::TempDir::new().unwrap();
    let scene =
        format!("duration = 0.4\n[characters.a]\nmodel = \"adult\"\ncontroller = \"outer.toml\"\n{scene}");
    for (name, text) in [("inner.toml", inner), ("outer.toml", outer), ("scene.toml", &scene)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn bound_inside(folder: &tempfile::TempDir) -> Result<Run, String> {
    let path = folder.path().join("scene.toml");
    let files = scene::load(path.to_str().unwrap(), &[]).map_err(|error| error.to_string())?;
    Run::bind(&files).map_err(|errors| format!("{errors:?}"))
}

/// Waits until it is commanded to move; `way` is read on entry.
const WAITS: &str = r#"
start = "still"
[commands.reach]
default = 0
range = [-1, 1]
[commands.way]
default = [0, 0, 0]
[define]
told = "abs(reach) > 0.5"
[states.still]
until = "told"
to = ["moves"]
[states.moves]
let = { aside = "way.y" }
until = "not told and aside > 0"
to = ["still"]
"#;

#[test]
fn a_controller_tells_the_machine_in_it_by_expressions_of_its_own_in_each_frame() {
    let outer = r#"
start = "go"
[parameters]
gain = 2
[include.go]
file = "inner.toml"
[include.go.commands]
reach = "rate * (time - began) if not is_late else 0"
way = [0, "gain", "state_time"]
[define]
rate = "gain * 5"
is_late = "go.told and time > 0.295"
[states.go]
machine = "go"
let = { began = "0.1 + 0 * time" }
"#;
    // The expression for `reach` may not use a quantity that depends on it.
    let circle = bound_inside(&told_inside(WAITS, outer, "")).err().unwrap();
    assert!(circle.contains("`reach` is set by an expression that depends on it"), "{circle}");
    let outer = outer.replace("go.told and ", "");
    let folder = told_inside(WAITS, &outer, "");
    let frames = frames(&mut bound_inside(&folder).unwrap());
    for frame in &frames {
        let wanted = if frame.time > 0.295 { 0.0 } else { (10.0 * (frame.time - 0.1)).clamp(-1.0, 1.0) };
        let reach = frame.commands[0].unwrap();
        assert!((reach - wanted).abs() < 1e-9, "{reach} at {} s, not {wanted}", frame.time);
        assert_eq!(frame.commands[1..3], [Some(0.0), Some(2.0)]);
        assert!(frame.commands[3].is_some_and(|time| time >= frame.time), "the time in the outer state");
    }
    // Transitions in the same frame in which the expression changes, not one later: |reach| > 0.5 up to 0.05 s and
    // from 0.15 s on.
    let at = |time: f64| &*frames.iter().find(|frame| frame.time > time - 0.005).unwrap().state;
    let states = [0.04, 0.06, 0.14, 0.16, 0.29, 0.30].map(at);
    assert_eq!(states, ["go.moves", "go.still", "go.still", "go.moves", "go.moves", "go.still"]);
}

#[test]
fn who_tells_a_controller_tells_the_machines_in_it_and_nobody_else_does() {
    let middle = "start = \"on\"\n[commands.reach]\ndefault = 0\n[include.on]\nfile = \"inner.toml\"\n\
                  [states.on]\nmachine = \"on\"\nuntil = \"reach > 9\"\nto = [\"on\"]\n";
    let outer = "start = \"go\"\n[commands.reach]\ndefault = 0.25\n[include.go]\nfile = \"middle.toml\"\n\
                 [include.go.commands]\nreach = \"3 * reach\"\n";
    let event = "[events.a]\nkind = \"command\"\nat = 0.2\ncommand = \"reach\"\nto = 0.1\n";
    let folder = told_inside(WAITS, outer, event);
    std::fs::write(folder.path().join("middle.toml"), middle).unwrap();
    let mut run = bound_inside(&folder).unwrap();
    let names: Vec<String> =
        run.character().machine.commands.iter().map(|command| command.name.to_string()).collect();
    assert_eq!(names, ["reach", "go.on.way", "go.on.reach", "go.reach"]);
    let frames = frames(&mut run);
    let of = |frame: &Frame| [0, 4, 5].map(|number| frame.commands[number].unwrap());
    assert_eq!((of(&frames[0]), &*frames[0].state), ([0.25, 0.75, 0.75], "go.on.moves"));
    let last = frames.last().unwrap();
    assert!((last.commands[5].unwrap() - 0.3).abs() < 1e-9, "{:?}", last.commands);
    assert_eq!(of(last)[0], 0.1);
    // Without a command of the outer file, which an event could set.
    let alone = outer.replace("[commands.reach]\ndefault = 0.25\n", "").replace("3 * reach", "0.3");
    let folder = told_inside(WAITS, &alone, event);
    std::fs::write(folder.path().join("middle.toml"), middle).unwrap();
    let error = bound_inside(&folder).err().unwrap();
    assert!(error.contains("is set by the controller that includes its file"), "{error}");
}

#[test]
fn a_command_that_a_controller_tells_on_is_read_and_one_that_the_machine_does_not_read_is_told() {
    let warned = |inner: &str, outer: &str| {
        let folder = told_inside(inner, outer, "");
        let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_aplomb"));
        check.args(["check", "outer.toml"]).current_dir(folder.path()).env("NO_COLOR", "1");
        String::from_utf8_lossy(&check.output().unwrap().stderr).into_owned()
    };
    let outer = "start = \"go\"\n[commands.turn]\ndefault = 0\n[include.go]\nfile = \"inner.toml\"\n\
                 [include.go.commands]\nreach = \"turn\"\n";
    assert!(!warned(WAITS, outer).contains("nothing reads"), "{}", warned(WAITS, outer));
    let deaf = WAITS.replace("abs(reach)", "abs(way.z)");
    let said = warned(&deaf, outer);
    assert!(said.contains("nothing reads the command `reach`") && !said.contains("`turn`"), "{said}");
    // A command of the outer file that has the name of a command with another value is not read.
    let own = outer.replace("[commands.turn]", "[commands.reach]").replace("\"turn\"", "\"time\"");
    let said = warned(WAITS, &own);
    assert!(said.contains("nothing reads the command `reach`"), "{said}");
}

#[test]
fn what_a_machine_cannot_be_told_is_refused_where_it_is_said() {
    let outer = "start = \"go\"\n[include.go]\nfile = \"inner.toml\"\n[include.go.commands]\n";
    let cases = [
        ("raech = 1", "`go` has no command `raech`", "did you mean `reach`?"),
        ("reach = [1, 0, 0]", "the command `reach` is a number, and this is a vector", "outer.toml:5:9"),
        ("way = 1", "the command `way` is a vector, and this is a number", "outer.toml:5:7"),
        ("way = [1, 2]", "a vector has 3 components, not 2", "outer.toml:5:7"),
        ("reach = \"2 * raech\"", "unknown name `raech`", "outer.toml:5:14"),
    ];
    for (told, wrong, help) in cases {
        let folder = told_inside(WAITS, &format!("{outer}{told}\n"), "");
        let program = env!("CARGO_BIN_EXE_aplomb");
        let mut check = std::process::Command::new(program);
        check.args(["check", "outer.toml"]).current_dir(folder.path());
        let output = check.env("NO_COLOR", "1").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(wrong) && said.contains(help), "{told}: {said}");
    }
}

#[test]
fn a_mistake_in_what_a_machine_is_told_hides_no_other() {
    for (told, wrong) in [
        ("raech = 1", "`go` has no command `raech`"),
        ("way = 1", "the command `way` is a vector, and this is a number"),
        ("reach = \"2 * raech\"", "unknown name `raech`"),
    ] {
        let outer = format!(
            "start = \"go\"\n[include.go]\nfile = \"inner.toml\"\n[include.go.commands]\n{told}\n\
             [states.go]\nmachine = \"go\"\nuntil = \"state_time > 1\"\nto = [\"goo\"]\n"
        );
        let folder = told_inside(WAITS, &outer, "");
        let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_aplomb"));
        check.args(["check", "outer.toml"]).current_dir(folder.path());
        let output = check.env("NO_COLOR", "1").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(wrong) && said.contains("unknown state `goo`"), "{told}: {said}");
    }
}

/// Pseudo-random numbers from 0 to 1, the same on every machine.
fn random(state: &mut u32) -> f64 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    f64::from(*state >> 8) / f64::from(1 << 24)
}

/// Velocities and turn rates that change every 1 to 4 s, and pushes of `push` N s from any direction about every 5 s,
/// for `duration` s.
fn wild(seed: u32, duration: f64, push: f64) -> Vec<String> {
    let mut state = seed;
    let mut between = |low: f64, high: f64| low + (high - low) * random(&mut state);
    let (mut at, mut events) = (0.5, String::new());
    for number in 0.. {
        let (ahead, left, turn) = (between(-0.4, 1.2), between(-0.3, 0.3), between(-0.6, 0.6));
        events += &format!(
            "v{number} = {{ kind = \"command\", at = {at}, command = \"walk_velocity\", to = [{ahead}, {left}, 0] }}, \
             w{number} = {{ kind = \"command\", at = {at}, command = \"turn\", to = {turn} }}, "
        );
        at += between(1.0, 4.0);
        if at > duration {
            break;
        }
    }
    let pushes = if push > 0.0 { (duration / 5.0) as u32 } else { 0 };
    for number in 1..pushes {
        let (at, from) = (5.0 * f64::from(number) + between(-0.5, 0.5), between(0.0, std::f64::consts::TAU));
        let (x, y) = (push * from.cos(), push * from.sin());
        events += &format!(
            "p{number} = {{ at = {at}, body = \"chest\", duration = 0.15, impulse = [{x}, {y}, 0] }}, "
        );
    }
    let events = format!("events={{ {} }}", events.trim_end_matches(", "));
    let upright = "success={ upright = { always = \"com_height > 0.8 * standing_height\" } }";
    vec![events, upright.into(), format!("duration={duration}")]
}

/// Number of runs of half a minute, out of `draws`, without a fall.
fn upright(first: u32, draws: u32, push: f64) -> u32 {
    let stays = |seed: &u32| {
        let changes = wild(first + seed, 30.0, push);
        let (run, _) = driven(&changes.iter().map(String::as_str).collect::<Vec<_>>());
        run.criteria[0].holds
    };
    let upright = (0..draws).filter(stays).count() as u32;
    println!("{upright} of {draws} half minutes of random commands without a fall, pushed with {push} N s");
    upright
}

#[test]
fn commands_that_change_at_random_seldom_make_it_fall() {
    assert!(upright(1000, 10, 0.0) >= 9);
}

#[test]
fn pushes_from_anywhere_seldom_make_it_fall_while_it_is_driven() {
    assert!(upright(2000, 6, 20.0) >= 5);
}

#[test]
fn it_walks_with_double_supports_heels_that_rise_and_loads_that_come_gently() {
    let (_, frames) = driven(&[
        "events={ go = { kind = \"command\", at = 0.5, command = \"walk_velocity\", to = [0.85, 0, 0] } }",
        "success={ upright = { always = \"com_height > 0.85 * standing_height\" } }",
        "duration=9",
    ]);
    let weight = Model::shipped("adult").unwrap().mass() * 9.81;
    let load = |frame: &Frame, side: &str| {
        let of_side = frame.contacts.iter().filter(|contact| contact.body.starts_with(side));
        of_side.map(|contact| contact.force[2]).sum::<f64>() / weight
    };
    let steady = || frames.iter().filter(|frame| frame.time > 5.0 && frame.time < 8.9);
    let both = steady().filter(|frame| load(frame, "left") > 0.02 && load(frame, "right") > 0.02).count();
    let share = both as f64 / steady().count() as f64;
    assert!((0.12..0.28).contains(&share), "on both feet {share} of the time");
    for side in ["left", "right"] {
        let loads: Vec<f64> = steady().map(|frame| load(frame, side)).collect();
        let step = loads.windows(2).map(|two| (two[1] - two[0]).abs()).fold(0.0, f64::max);
        assert!(step < 0.35, "the load of the {side} foot changes by {step} m g in a frame");
    }
    // Legs are nearly straight at touchdown, and the rear soles rise.
    let model = Model::shipped("adult").unwrap();
    let knee = model.joints[model.joint("left_knee").unwrap().0].q_index;
    let frames: Vec<&Frame> = steady().collect();
    let comes_down = |two: &&[&Frame]| load(two[0], "left") == 0.0 && load(two[1], "left") > 0.0;
    let bent: Vec<f64> = frames.windows(2).filter(comes_down).map(|two| two[1].q[knee]).collect();
    let least = bent.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(bent.len() >= 3 && least < 0.48, "knees when a foot comes down: {bent:?} rad");
    let foot = model.body("left_foot").unwrap().0;
    let pitch = |frame: &&Frame| -(model.body_poses(&frame.q)[foot].rotation * Vector3::x()).z.asin();
    let highest = frames.iter().map(pitch).fold(0.0, f64::max);
    assert!(highest > 0.3, "the sole behind rises to {highest} rad");
}

#[test]
fn its_feet_are_together_soon_after_it_is_told_to_stop() {
    let (_, frames) = driven(&[
        "events={ go = { kind = \"command\", at = 0.5, command = \"walk_velocity\", to = [0.8, 0, 0] }, \
          stop = { kind = \"command\", at = 5, command = \"walk_velocity\", to = [0, 0, 0] } }",
        "success={}",
        "duration=9",
    ]);
    let stands = frames.iter().find(|frame| frame.time > 5.0 && frame.state.starts_with("stand")).unwrap();
    assert!(stands.time < 7.5, "it stands at {} s", stands.time);
    let model = Model::shipped("adult").unwrap();
    let poses = model.body_poses(&frames.last().unwrap().q);
    let [left, right] =
        ["left_foot", "right_foot"].map(|foot| poses[model.body(foot).unwrap().0].translation);
    assert!((left.x - right.x).abs() < 0.12, "one foot {} m ahead", (left.x - right.x).abs());
}
