//! Files of the release before: they load, say which words are old, and move as the shipped ones do.

use aplomb::language::diagnostic::{FileError, Warning};
use aplomb::language::files::{self, Folder};
use aplomb::scene::{self, LoadError, Run, SceneFiles};
use aplomb::trace::Frame;
use std::fs;

fn load(reference: &str, overrides: &[&str]) -> SceneFiles {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    scene::load(reference, &overrides).unwrap_or_else(|error| panic!("{reference}: {error:?}"))
}

fn previous(name: &str) -> String {
    format!("{}/tests/data/previous/scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// The first frames of a run.
fn frames(files: &SceneFiles, count: usize) -> Vec<Frame> {
    let mut run = Run::bind(files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let step = |_| run.step().unwrap().expect("no criterion fails so soon").frame.clone();
    (0..count).map(step).collect()
}

/// Old word, and the help that names the new one.
fn old_words(warnings: &[Warning]) -> Vec<(String, String)> {
    let quoted = |text: &str| text.split('`').nth(1).unwrap_or_default().to_string();
    let old = warnings.iter().filter(|warning| warning.0.message.ends_with("is an old name"));
    let pair =
        |warning: &Warning| (quoted(&warning.0.message), quoted(warning.0.help.as_deref().unwrap_or("")));
    let mut pairs: Vec<(String, String)> = old.map(pair).collect();
    pairs.sort();
    pairs.dedup();
    pairs
}

/// Checks that an old scene warns of these words, that the shipped scene warns of none, and that both move alike.
fn moves_as_shipped(old: &str, new: &str, count: usize, words: &[(&str, &str)]) {
    moves_as_shipped_with(&[], old, new, count, words);
}

/// The same with changes to the old file.
fn moves_as_shipped_with(changes: &[&str], old: &str, new: &str, count: usize, words: &[(&str, &str)]) {
    let (before, today) = (load(&previous(old), changes), load(new, &[]));
    let words: Vec<(String, String)> =
        words.iter().map(|(old, new)| (old.to_string(), new.to_string())).collect();
    assert_eq!(old_words(&before.warnings), words);
    assert_eq!(old_words(&today.warnings), []);
    for (before, today) in frames(&before, count).iter().zip(&frames(&today, count)) {
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&before.q), bits(&today.q), "q at {} s", before.time);
        assert_eq!(bits(&before.v), bits(&today.v), "v at {} s", before.time);
        assert_eq!(bits(&before.torque), bits(&today.torque), "torques at {} s", before.time);
        assert_eq!(before.passive, today.passive, "at {} s", before.time);
        assert_eq!(before.state, today.state, "at {} s", before.time);
    }
}

#[test]
fn a_scene_with_a_controller_of_the_release_before_moves_as_todays() {
    // Beyond the push, into the first step.
    let words = [
        ("arrive_in", "time_to_go"),
        ("for", "debounce"),
        ("keep_apart", "collision_avoidance"),
        ("muscle_delay", "reaction_delay"),
        ("step_foot", "[planner.capture_step]"),
        ("step_target", "[planner.capture_step]"),
        ("step_time", "[planner.capture_step]"),
    ];
    // What was released had no load at once then.
    let changes = ["controller.states.take_step.release_rate=1e6"];
    moves_as_shipped_with(&changes, "muscle_delay", "reaction_delay", 90, &words);
}

#[test]
fn searches_for_holds_are_planners() {
    let words = [("free_foothold", "[planner.next_hold]"), ("free_hold", "[planner.next_hold]")];
    moves_as_shipped("climb", "climb", 250, &words);
}

#[test]
fn events_that_added_and_dropped_enable_and_disable() {
    let words = [("add", "enable"), ("arrive_in", "time_to_go"), ("drop", "disable")];
    moves_as_shipped("moving_target", "moving_target", 70, &words);
}

#[test]
fn a_weight_of_muscles_is_one_of_the_change_of_torques() {
    moves_as_shipped("swing_rest", "swing_rest", 30, &[("muscle_weight", "torque_change_weight")]);
}

#[test]
fn passive_objects_of_the_release_before_move_as_todays() {
    let functions = [("thing_height", "height"), ("thing_speed", "speed"), ("thing_stretch", "stretch")];
    let cloth = [("clear", "margin"), ("kept", "velocity_retention")];
    let mut words = [&cloth[..], &functions[..]].concat();
    moves_as_shipped("cloth_drape", "cloth_drape", 20, &words);
    words = vec![("kept", "velocity_retention"), functions[0], functions[1]];
    moves_as_shipped("plant", "plant", 30, &words);
    let position = ("thing_position", "position");
    words = vec![("closings", "projection_passes"), position, functions[1], functions[2]];
    moves_as_shipped("chain_1000", "chain_1000", 30, &words);
    words = vec![("held", "fixed"), position, functions[2], ("thing_velocity", "velocity")];
    moves_as_shipped("flag", "flag", 20, &words);
}

#[test]
fn every_old_key_of_passive_objects_is_understood_in_its_kind_alone() {
    let scene = |keys: &str| format!("duration = 1.0\n[passive.x]\n{keys}\n");
    let chain = "kind = \"chain\"\npoints = [[0, 0, 2], [0, 0, 1]]\nlinks = 2\nmass = 1.0\n";
    let read = |text: &str| scene::load_text(&aplomb::language::diagnostic::Source::new("x.toml", text));
    let files = read(&scene(&format!("{chain}held = false\nmost = 0.5\nstop_stiffness = 2.0\nclosings = 1")))
        .unwrap();
    let places: Vec<String> = files.warnings.iter().map(|warning| warning.0.location()).collect();
    assert_eq!(places, ["x.toml:7:1", "x.toml:8:1", "x.toml:9:1", "x.toml:10:1"]);
    // `most` never was a key of a rope, nor `held` one of a ball.
    let rope = "kind = \"rope\"\nends = [[0, 0, 2], [0, 0, 1]]\nsticks = 2\nmass = 1.0\nmost = 1.0";
    let Err(LoadError::Mistakes(errors)) = read(&scene(rope)) else { panic!("`most` was accepted") };
    assert_eq!(errors[0].message, "unknown key `most`");
}

#[test]
fn an_old_key_beside_the_new_one_is_a_mistake() {
    let text = "duration = 1.0\ntorque_change_weight = 0.1\nmuscle_weight = 0.2\n[passive]\n";
    let source = aplomb::language::diagnostic::Source::new("x.toml", text);
    let Err(LoadError::Mistakes(errors)) = scene::load_text(&source) else { panic!("both were accepted") };
    let error: &FileError = &errors[0];
    assert_eq!(error.location(), "x.toml:3:1");
    assert_eq!(
        error.message,
        "`muscle_weight` is the old name of `torque_change_weight`, which is given too"
    );
    assert_eq!(error.help.as_deref(), Some("leave `muscle_weight` out"));
}

#[test]
fn overrides_reach_new_keys_by_their_old_names() {
    let files = load("swing_rest", &["muscle_weight=0.5"]);
    assert_eq!(*files.scene.torque_change_weight.get_ref(), 0.5);
    let warning = &files.warnings[0].0;
    assert_eq!(warning.location(), "--set:1:1");
    assert_eq!(
        warning.help.as_deref(),
        Some("write `torque_change_weight`; the next release will not know `muscle_weight`")
    );
    // A table that is not there yet, a controller's list, and a key of one kind of passive object.
    let files = load(
        "step_push",
        &["characters.adult.muscle_delay.time=0.1", "controller.keep_apart.legs.enabled=false"],
    );
    let character = files.character_spec().unwrap();
    assert_eq!(*character.reaction_delay.as_ref().unwrap().time.get_ref(), 0.1);
    assert!(!files.actor.as_ref().unwrap().controller.spec.collision_avoidance[0].enabled);
    assert_eq!(files.warnings.len(), 2);
    let files = load("chain_1000", &["passive.chain.closings=7"]);
    assert_eq!(files.warnings.len(), 1);
    // Old words inside of a value.
    let files = load("cloth_drape", &["passive.cloth.relax={ passes = 8, kept = 0.25 }"]);
    let place = files.warnings[0].0.location();
    assert_eq!(place, "--set:1:35");
}

#[test]
fn renamed_files_are_found_by_their_old_names() {
    let found = |folder, name| files::find(folder, name, None).unwrap().source.name.to_string();
    assert_eq!(found(Folder::Scenes, "muscle_delay"), "scenes/reaction_delay.toml");
    assert_eq!(found(Folder::Scenes, "muscle_delay.toml"), "scenes/reaction_delay.toml");
    assert_eq!(found(Folder::Passive, "../things/ball.xml"), "passive/ball.xml");
    assert_eq!(found(Folder::Plots, "things"), "plots/passive.toml");
    assert!(!files::shipped(Folder::Scenes).contains(&"muscle_delay".to_string()));
}

#[test]
fn shipped_files_use_no_old_words() {
    for name in files::shipped(Folder::Scenes) {
        let files = load(&name, &[]);
        assert_eq!(old_words(&files.warnings), [], "{name}");
    }
    for name in files::shipped(Folder::Controllers) {
        let source = files::find(Folder::Controllers, &name, None).unwrap().source;
        let (_, spec) = aplomb::controller::read(source, &[]).unwrap();
        assert_eq!(old_words(&spec.old_words), [], "{name}");
    }
    let kept = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/previous/scenes")).unwrap();
    assert!(kept.count() >= 7);
}
