//! Scenes of several characters: none of them is preferred in queries, settings or changes.

use crate::run::frames;
use aplomb::scene::{self, LoadError, Run, SceneFiles};
use aplomb::trace::Frame;
use aplomb::world::CharacterId;

/// Shipped bodies, each with a controller with which it stands.
const BODIES: [[&str; 2]; 3] = [["adult", "balance"], ["child", "balance"], ["quadruped", "stand_quadruped"]];

fn text_of([first, second]: [[&str; 2]; 2]) -> String {
    let character = |name: &str, [model, controller]: [&str; 2], x: f64| {
        format!(
            "[characters.{name}]\nmodel = \"{model}\"\ncontroller = \"{controller}\"\nposition = [{x}, 0]\n"
        )
    };
    format!("duration = 0.6\n{}{}", character("here", first, 0.0), character("there", second, 3.0))
}

fn loaded(text: &str, overrides: &[&str]) -> Result<SceneFiles, LoadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
    scene::load(path.to_str().unwrap(), &overrides)
}

fn mistake(text: &str, overrides: &[&str]) -> String {
    match loaded(text, overrides) {
        Ok(files) => format!("{:#}", Run::bind(&files).err().expect("a mistake")),
        Err(error) => format!("{error:#}"),
    }
}

/// A chain that falls onto the place where a character stands.
fn chain(x: f64) -> String {
    let [from, to] = [x - 0.4, x + 0.4];
    format!(
        "[passive.chain_{}]\nkind = \"chain\"\npoints = [[{from}, -0.1, 0.35], [{to}, -0.1, 0.35]]\n\
         links = 8\nmass = 0.5\nfixed = false\n",
        x as i32
    )
}

#[test]
fn objects_fall_on_every_pair_of_bodies_in_both_orders() {
    for first in BODIES {
        for second in BODIES {
            let text = format!("{}{}{}", text_of([first, second]), chain(0.0), chain(3.0));
            let mut run = Run::bind(&loaded(&text, &[]).unwrap()).unwrap();
            let frames = frames(&mut run);
            assert_eq!(frames.len(), 60, "{first:?} {second:?}");
            // The trace of the first character names its own bodies directly, and those of the other as `NAME.BODY`.
            let touched = |object: usize, is_right: &dyn Fn(&str) -> bool| {
                let objects = run.world.passive().objects.len();
                let of_chain = |frame: &Frame| frame.passive.len() - objects + object;
                let others: Vec<&str> = frames
                    .iter()
                    .flat_map(|frame| &frame.passive[of_chain(frame)].touches)
                    .map(|touch| touch.other.as_str())
                    .filter(|other| *other != "ground" && !other.starts_with("chain"))
                    .filter(|other| !other.is_empty())
                    .collect();
                assert!(others.iter().all(|other| is_right(other)), "{first:?} {second:?}: {others:?}");
                others.len()
            };
            let model = |id| &run.world.character(CharacterId(id)).model;
            let own = touched(0, &|other| model(0).body(other).is_some());
            let of_other = touched(1, &|other| {
                other.strip_prefix("there.").is_some_and(|body| model(1).body(body).is_some())
            });
            // A chain that starts above a quadruped's feet may come down beside its legs.
            if first[0] == "adult" && second[0] == "adult" {
                assert!(own > 0 && of_other > 0, "{own} {of_other}");
            }
        }
    }
}

#[test]
fn every_characters_controller_is_reached_by_its_name_and_no_other() {
    let text = text_of([BODIES[0], BODIES[1]]);
    let set = "characters.there.controller.title=the other";
    let files = loaded(&text, &[set]).unwrap();
    let titles: Vec<&str> = files
        .characters
        .iter()
        .map(|character| character.controller.spec.title.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(titles[1], "the other");
    assert_ne!(titles[0], "the other");
    // The file of the controller is a value of the scene, as before.
    let files = loaded(&text, &["characters.there.controller=limp"]).unwrap();
    assert!(files.characters[1].controller.source.name.contains("limp"));
    // The path works beside the shortcut for scenes with one character.
    let one = "duration = 1\n[characters.only]\nmodel = \"adult\"\ncontroller = \"balance\"\n";
    for set in ["controller.title=mine", "characters.only.controller.title=mine"] {
        let files = loaded(one, &[set]).unwrap();
        assert_eq!(files.characters[0].controller.spec.title.as_deref(), Some("mine"), "{set}");
    }
}

#[test]
fn whose_controller_is_meant_has_to_be_said() {
    let text = text_of([BODIES[0], BODIES[1]]);
    let said = mistake(&text, &["controller.title=mine"]);
    assert!(said.contains("the scene has 2 characters"), "{said}");
    assert!(said.contains("characters.here.controller.title=mine"), "{said}");
    let said = mistake(&text, &["characters.ther.controller.title=mine"]);
    assert!(said.contains("there is no character `ther`") && said.contains("`there`"), "{said}");
}

#[test]
fn events_change_the_controller_of_whom_they_name() {
    let text = text_of([BODIES[0], BODIES[1]]);
    let event = |kind: &str, keys: &str, whom: &str| {
        format!("{text}[events.change]\nkind = \"{kind}\"\nat = 0.2\n{keys}\n{whom}")
    };
    let kinds = [
        ("set", "path = \"title\"\nvalue = \"'other'\""),
        ("replace", "controller = \"limp\""),
        ("disable", "objective = \"rest pose\""),
        ("push", "duration = 0.1\nbody = \"chest\"\nimpulse = [1, 0, 0]"),
    ];
    let straight = {
        let mut run = Run::bind(&loaded(&text, &[]).unwrap()).unwrap();
        frames(&mut run);
        [0, 1].map(|id| run.world.character(CharacterId(id)).snapshot.state.q.clone())
    };
    for (kind, keys) in kinds {
        let said = mistake(&event(kind, keys, ""), &[]);
        assert!(said.contains("the scene has 2 characters: name one with `character`"), "{kind}: {said}");
        let said = mistake(&event(kind, keys, "character = \"ther\"\n"), &[]);
        assert!(said.contains("there is no character `ther`"), "{kind}: {said}");
        for (whom, name) in ["here", "there"].into_iter().enumerate() {
            let files = loaded(&event(kind, keys, &format!("character = {name:?}\n")), &[]).unwrap();
            let mut run = Run::bind(&files).unwrap();
            frames(&mut run);
            for id in [0, 1] {
                let character = run.world.character(CharacterId(id));
                if kind == "set" {
                    let is_set = character.controller.spec.title.as_deref() == Some("'other'");
                    assert_eq!(is_set, id == whom, "{kind} {name}");
                } else {
                    let is_as_before = character.snapshot.state.q == straight[id];
                    assert_eq!(is_as_before, id != whom, "{kind} {name}: character {id}");
                }
            }
        }
    }
    let throw = event(
        "throw",
        "mass = 1\nradius = 0.1\nposition = [9, 0, 1]\nvelocity = [0, 0, 0]",
        "character = \"here\"\n",
    );
    let said = mistake(&throw, &[]);
    assert!(said.contains("a throw has no `character`"), "{said}");
}

#[test]
fn a_scene_without_characters_says_that_nobody_reads_a_controllers_value() {
    let text = "duration = 1\n[passive.ball]\nkind = \"articulated\"\nmodel = \"ball\"\n";
    assert!(loaded(text, &[]).unwrap().characters.is_empty());
    let said = mistake(text, &["controller.title=mine"]);
    assert!(said.contains("the scene has no character"), "{said}");
}
