//! Input that would take forever or use all memory is rejected at once, with its place; and files that pass `check`
//! can be run.

use super::*;
use std::time::{Duration, Instant};

/// Runs a command that must be rejected at once, with a place.
fn refused(folder: &Path, arguments: &[&str], words: &str) {
    let started = Instant::now();
    let output = aplomb(folder, arguments);
    let said = err(&output);
    assert_eq!(code(&output), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(words) && said.contains("╭─["), "{arguments:?}: {said}");
    assert!(said.len() < 5000, "{arguments:?}: {} bytes", said.len());
    assert!(started.elapsed() < Duration::from_secs(30), "{arguments:?}: {:?}", started.elapsed());
}

#[test]
fn sizes_that_nothing_can_be_computed_with_are_refused_at_their_places() {
    let folder = folder();
    let over = "frames of 0.01 s";
    for (scene, set, words) in [
        ("stand", "duration=1e300", over),
        ("stand", "duration=1e9", over),
        ("bounce", "passive_settings.dt=1e-12", "steps"),
        ("stand", "gravity=[0, 0, -1e30]", "no part of gravity"),
        ("stand", "torque_change_weight=1e30", "at most 1e9"),
        (
            "stand",
            "obstacles.a={ half_lengths=[1e308, 1, 1], position=[2, 0, 0] }",
            "half_lengths must be at most",
        ),
        ("stand", "obstacles.a={ half_lengths=[1, 1, 1], position=[1e308, 0, 0] }", "within 10000 m"),
        ("balance_push", "events.push.at=1e30", "at most 1e9"),
        ("balance_push", "events.push.impulse=[0, 1e300, 0]", "no part of impulse"),
        ("stand", "characters.adult.velocity=[1e200, 0, 0]", "no part of velocity"),
    ] {
        refused(folder.path(), &["check", scene, "--set", set], words);
        refused(folder.path(), &["run", scene, "--set", set], words);
    }
    let sweep = |more: &[&str]| {
        let arguments = [&["sweep", "step_push"], more].concat();
        refused(folder.path(), &arguments, "more than 100000");
    };
    sweep(&["--directions", "18446744073709551615"]);
    sweep(&["--directions", "1000000", "--impulses", "20:80:1"]);
    sweep(&["--over", "duration=1:2:lin1000", "--over", "dt=0.001:0.01:lin1000"]);
}

#[test]
fn bodies_controllers_and_plots_have_sizes_too() {
    let folder = folder();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("written");
    let free = |index: usize| {
        format!("<body pos=\"{index} 0 1\"><freejoint/><geom size=\"0.1\" mass=\"1\"/></body>\n")
    };
    let body = |inside: String| format!("<mujoco><worldbody>{inside}</worldbody></mujoco>\n");
    write("many.xml", body((0..1000).map(free).collect()));
    refused(folder.path(), &["check", "many.xml"], "at most 1000 coordinates");
    let shapes: String = (0..6000).map(|_| "<geom size=\"0.1\" mass=\"1\"/>\n").collect();
    write("shapes.xml", body(format!("<body><freejoint/>{shapes}</body>")));
    refused(folder.path(), &["check", "shapes.xml"], "at most 5000 shapes");
    for (what, inside) in [
        ("mass", "<geom size=\"0.1\" mass=\"1e155\"/>"),
        ("place", "<geom size=\"0.1\" pos=\"1e155 0 0\" mass=\"1\"/>"),
        ("size", "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><geom size=\"1e154\"/>"),
    ] {
        write("large.xml", body(format!("<body name=\"b\"><freejoint/>{inside}</body>")));
        refused(folder.path(), &["check", "large.xml"], "larger than anything is computed with");
        assert!(!what.is_empty());
    }
    let state =
        |index: usize| format!("[states.s{index}]\nuntil = \"time > {index}\"\nto = [\"s{}\"]\n", index + 1);
    let states: String = (0..20_000).map(state).collect();
    write("states.toml", format!("start = \"s0\"\n{states}[states.s20000]\n"));
    refused(folder.path(), &["check", "states.toml"], "at most 1000 states");
    let panels = "[[panels]]\nof = { lines = { channels = [\"com.x\"] } }\n".repeat(5000);
    write("panels.toml", format!("title = \"t\"\n{panels}"));
    refused(folder.path(), &["check", "panels.toml"], "at most 60 panels");
    write("title.toml", format!("title = \"{}\"\nduration = 1\n", "a".repeat(2_000_000)));
    refused(folder.path(), &["check", "title.toml"], "at most 1000 letters");
    write("long.toml", format!("title = \"{}\"\n", "a".repeat(20_000_000)));
    refused(folder.path(), &["check", "long.toml"], "longer than 16 MiB");
}

#[test]
fn numbers_of_shipped_scenes_made_extreme_are_refused_or_run_to_a_summary() {
    const EXTREME: [&str; 7] = ["1e308", "-1e308", "0", "-1", "1e9", "nan", "1e155"];
    let folder = folder();
    let mut tried = 0;
    for (round, name) in
        ["throw_ball", "four_bar", "ragdoll_fall", "shaking_floor", "balance_push"].into_iter().enumerate()
    {
        let located = aplomb::language::files::find_shipped(aplomb::language::files::Folder::Scenes, name);
        let text = located.expect("it ships").source.text.to_string();
        let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        // Numbers after a space or a bracket, outside of comments.
        let starts: Vec<usize> = (1..text.len())
            .filter(|at| is_digit(*at) && matches!(text.as_bytes()[at - 1], b' ' | b'[' | b'-'))
            .filter(|at| !text[..*at].rsplit('\n').next().unwrap_or_default().contains('#'))
            .collect();
        for (place, start) in starts.into_iter().enumerate().filter(|(place, _)| place % 4 == round % 4) {
            let rest = &text[start..];
            let length = rest
                .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '.'))
                .unwrap_or(rest.len());
            let extreme = EXTREME[(place + round) % EXTREME.len()].trim_start_matches(
                match text.as_bytes()[start - 1] {
                    b'-' => "-",
                    _ => " ",
                },
            );
            let changed = format!("{}{extreme}{}", &text[..start], &rest[length..]);
            fs::write(folder.path().join("m.toml"), &changed).expect("written");
            let is_duration = text[..start].ends_with("duration = ");
            let short: &[&str] = if is_duration { &[] } else { &["--set", "duration=0.03"] };
            let checked = aplomb(folder.path(), &["check", "m.toml"]);
            if is_duration && code(&checked) == Some(0) {
                continue;
            }
            let ran = aplomb(
                folder.path(),
                &[&["run", "m.toml", "--no-plots", "-q", "--out", "o"], short].concat(),
            );
            let said = err(&ran);
            let line = text[..start].lines().count();
            assert!(matches!(code(&ran), Some(0..=2)), "{name}:{line}: {extreme}: {said}");
            // A file that passed the check leads to a summary, or to a message with the place of the mistake in the
            // scene.
            if code(&checked) == Some(0) && code(&ran) == Some(2) {
                assert!(
                    said.contains("the run ended at") || said.contains("╭─["),
                    "{name}:{line}: {extreme}: {said}"
                );
            }
            tried += 1;
        }
    }
    assert!(tried > 15, "{tried}");
}
