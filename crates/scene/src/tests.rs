//! The contents of scenes, their overrides from the command line, and the exact messages about mistakes, which are in
//! `tests/data/mistakes/`, for the scene of `tests/data/push.toml`.

#[allow(unreachable_pub)] // shared by several test programs
#[path = "../../../tests/support/mistakes.rs"]
mod mistakes;

use super::check::check;
use super::spec::{Criterion, FORMAT, SceneSpec};
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_language::files::{self, Override};
use std::path::Path;

const SCENE: &str = include_str!("../tests/data/push.toml");

fn read(text: &str, overrides: &[&str]) -> Result<(Source, SceneSpec), FileErrors> {
    let mut source = Source::new("push.toml", text);
    let overrides: Result<Vec<Override>, FileError> =
        overrides.iter().map(|argument| Override::parse(argument)).collect();
    let overrides = overrides.map_err(FileErrors::from)?;
    let spec = files::read(&mut source, &overrides, &FORMAT).map_err(FileErrors::from)?;
    let errors = check(&spec, &source).errors;
    if errors.is_empty() { Ok((source, spec)) } else { Err(errors.into()) }
}

fn scene(overrides: &[&str]) -> SceneSpec {
    read(SCENE, overrides).unwrap().1
}

fn said(text: &str, overrides: &[&str]) -> String {
    let errors = read(text, overrides).expect_err("a mistake");
    let texts: Vec<String> = errors.iter().map(aplomb_language::rendered::render).collect();
    texts.join("\n")
}

#[test]
fn mistakes_in_a_scene_are_said_where_they_stand() {
    mistakes::assert_told(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mistakes"), |mistake| {
        said(&mistake.made_in(SCENE), &mistake.set.as_deref().into_iter().collect::<Vec<_>>())
    });
}

#[test]
fn a_scene_says_what_happens_and_leaves_the_rest_to_defaults() {
    let scene = scene(&[]);
    assert_eq!((*scene.dt.get_ref(), *scene.gravity.get_ref()), (0.01, [0.0, 0.0, -9.81]));
    assert_eq!((*scene.ground.friction.get_ref(), *scene.ground.height.get_ref()), (0.8, 0.0));
    assert!(scene.characters["hero"].torque_limits);
    assert!(matches!(scene.success["upright"], Criterion::Always(_)));
}

#[test]
fn a_push_acts_in_the_frames_that_begin_within_it() {
    let scene = scene(&[]);
    let push = &scene.events["push"];
    assert_eq!(push.frames(0.01), 100..115);
    assert!((push.push_force(0.01).y - 160.0).abs() < 1e-9);
    assert_eq!(push.frames(0.04), 25..29, "1.0, 1.04, 1.08, 1.12");
    assert!((push.push_force(0.04).y * 4.0 * 0.04 - 24.0).abs() < 1e-12);
}

#[test]
fn overrides_replace_values_and_add_optional_ones() {
    let scene = scene(&[
        "ground.friction=0.2",
        "ground.height=0.1",
        "torque_change_weight=0.5",
        "events.push.impulse=[0, -3, 1]",
        "characters.hero.pose.'left elbow'=-0.4",
        "characters.hero.controller=other.toml",
        "title=pushed twice",
        "success.calm={ at_end = 'speed < 0.1' }",
        "bias_velocity=midpoint",
    ]);
    assert_eq!((*scene.ground.friction.get_ref(), *scene.ground.height.get_ref()), (0.2, 0.1));
    assert_eq!(*scene.torque_change_weight.get_ref(), 0.5);
    assert_eq!(scene.events["push"].impulse.as_ref().unwrap().get_ref(), &[0.0, -3.0, 1.0]);
    assert_eq!(*scene.characters["hero"].pose["left elbow"].get_ref(), -0.4);
    assert_eq!(scene.characters["hero"].controller.get_ref(), "other.toml");
    assert_eq!(scene.title.as_deref(), Some("pushed twice"));
    assert_eq!(scene.success.len(), 2);
    assert_eq!(scene.bias_velocity.name(), "midpoint");
}

#[test]
fn the_last_override_of_a_value_counts() {
    assert_eq!(*scene(&["dt=0.02", "dt=0.005"]).dt.get_ref(), 0.005);
}

#[test]
fn spaces_about_the_equals_sign_of_an_override_do_not_count() {
    assert_eq!(*scene(&["dt = 0.005 "]).dt.get_ref(), 0.005);
}

#[test]
fn a_quoted_key_of_an_override_that_is_not_closed_is_an_error() {
    let said = said(SCENE, &["events.\"push.impulse=3"]);
    assert!(said.contains("the quote of this key is not closed"), "{said}");
}

#[test]
fn a_section_that_is_not_in_the_file_can_be_set() {
    let text = SCENE.replace("[ground]\nfriction = 0.8\n", "");
    let (_, scene) = read(&text, &["ground.friction=0.3"]).unwrap();
    assert_eq!(*scene.ground.friction.get_ref(), 0.3);
}

#[test]
fn files_are_found_beside_the_file_that_names_them_or_by_shipped_name() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    let text = SCENE.replace("\"adult\"", "\"../bodies/mine.xml\"").replace("\"balance\"", "\"mine\"");
    let scene = write("scenes/push.toml", &text);
    write("bodies/mine.xml", "<mujoco/>");
    let controller = write("scenes/mine.toml", "start = 'stand'\n[states.stand]\n");
    let scene = scene.to_str().unwrap();
    let files = super::load(scene, &["controller.title=a title".into()]).unwrap();
    let actor = &files.characters[0];
    assert_eq!((files.name.as_str(), actor.name.as_str()), ("push", "hero"));
    assert_eq!(&*actor.model_source.text, "<mujoco/>");
    assert_eq!(Path::new(&*actor.controller.source.name), controller);
    assert_eq!(actor.controller.spec.title.as_deref(), Some("a title"));

    let missing = super::load(scene, &["characters.hero.model=nowhere.xml".into()]).unwrap_err();
    let text = format!("{missing:#}");
    assert!(text.contains("there is no character `nowhere.xml`"), "{text}");
    assert!(text.contains("looked for nowhere.xml, the shipped characters"), "{text}");
    assert!(text.contains("--set:1:23"), "{text}");

    let missing = super::load("no_such_scene", &[]).unwrap_err();
    assert!(missing.to_string().contains("there is no scene `no_such_scene`"));
}

#[test]
fn shipped_scenes_are_found_by_name_with_what_they_refer_to() {
    for name in files::shipped(files::Folder::Scenes) {
        let files = super::load(&name, &[]).unwrap_or_else(|error| panic!("{error:#}"));
        assert_eq!(*files.scene_source.name, *format!("scenes/{name}.toml"));
        let objects = files.passive_sources.iter().flatten();
        assert!(
            objects
                .into_iter()
                .all(|object| ["passive/", "characters/"].iter().any(|f| object.name.starts_with(f)))
        );
        let Some(actor) = files.characters.first() else { continue };
        assert!(actor.model_source.name.starts_with("characters/"), "{}", actor.model_source.name);
        assert!(actor.controller.source.name.starts_with("controllers/"), "{}", actor.controller.source.name);
    }
    let same = super::load("stand.toml", &[]).unwrap();
    assert_eq!(*same.scene_source.text, *super::load("scenes/stand", &[]).unwrap().scene_source.text);
    let error = super::load("stnad", &[]).unwrap_err();
    assert!(format!("{error:#}").contains("did you mean `stand`?"), "{error:#}");
}

#[test]
fn a_copy_of_a_shipped_scene_still_finds_the_shipped_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.toml");
    std::fs::write(&path, super::load("stand", &[]).unwrap().scene_source.text.as_bytes()).unwrap();
    let files = super::load(path.to_str().unwrap(), &[]).unwrap();
    assert_eq!(&*files.characters[0].model_source.name, "characters/adult.xml");
}

#[test]
fn files_that_are_no_text_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noise.toml");
    std::fs::write(&path, [b'a', 0xff]).unwrap();
    let error = super::load(path.to_str().unwrap(), &[]).unwrap_err();
    assert!(format!("{error:#}").contains("line 1, column 2 (byte 1) is not UTF-8 text"), "{error:#}");
    assert!(super::load(folder.path().to_str().unwrap(), &[]).is_err(), "a folder is no scene");
}

#[test]
fn a_setting_of_another_type_hides_no_other_mistakes() {
    let text = SCENE.replace("duration = 2.0", "duration = -2.0\ngravity = 9.81");
    let mistakes = match crate::load_text(&Source::new("scenes/own.toml", text)) {
        Err(crate::LoadError::Mistakes(mistakes)) => mistakes.to_string(),
        _ => panic!("no mistakes"),
    };
    assert!(mistakes.contains("expected three numbers `[x, y, z]`"), "{mistakes}");
    assert!(mistakes.contains("duration must be more than 0 s"), "{mistakes}");
}
