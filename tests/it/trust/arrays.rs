//! Arrays of a fixed length, in every kind of file that users write.

use super::*;

/// Keys with arrays of a fixed length in scenes, each as `--set` with one element too many.
const TOO_LONG: [(&str, &str); 8] = [
    ("stand", "gravity=[0, 0, -9.81, 5]"),
    ("stand", "obstacles.a={ half_lengths=[1, 1, 1, 1], position=[3, 0, 0] }"),
    ("stand", "obstacles.a={ half_lengths=[1, 1, 1], position=[3, 0, 0, 0] }"),
    ("stand", "obstacles.a={ half_lengths=[1, 1, 1], position=[3, 0, 0], rotation=[0, 0, 0, 0] }"),
    ("balance_push", "events.push.impulse=[0, 24, 0, 1]"),
    ("stand", "characters.adult.position=[0, 0, 0]"),
    ("stand", "bars.a={ ends=[[0, 0, 2, 1], [1, 0, 2]], radius=0.02 }"),
    ("stand", "bars.a={ ends=[[0, 0, 2], [1, 0, 2], [2, 0, 2]], radius=0.02 }"),
];

#[test]
fn what_is_too_much_in_an_array_is_a_mistake_at_its_place() {
    let folder = folder();
    for (scene, value) in TOO_LONG {
        let checked = aplomb(folder.path(), &["check", scene, "--set", value]);
        let said = err(&checked);
        assert_eq!(code(&checked), Some(2), "{value}: {said}");
        let words = [
            "expected two numbers",
            "expected three numbers",
            "expected an array of length 2",
            "three components",
        ];
        assert!(words.iter().any(|words| said.contains(words)), "{value}: {said}");
    }
}

#[test]
fn what_a_scene_names_is_not_taken_from_the_folder_somebody_is_in() {
    let folder = folder();
    let inside = folder.path().join("scenes");
    fs::create_dir(&inside).expect("a folder");
    // These are not valid files: reading them fails.
    fs::write(folder.path().join("balance.toml"), "]").expect("written");
    fs::write(folder.path().join("adult.xml"), "<").expect("written");
    let scene = "duration = 0.05\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"balance\"\n";
    fs::write(inside.join("mine.toml"), scene).expect("written");
    let checked = aplomb(folder.path(), &["check", "scenes/mine.toml"]);
    assert_eq!(code(&checked), Some(0), "{}", err(&checked));
    // Beside the scene they are used, and also with names on the command line.
    fs::write(inside.join("balance.toml"), "]").expect("written");
    assert_eq!(code(&aplomb(folder.path(), &["check", "scenes/mine.toml"])), Some(2));
    let set = "characters.hero.controller=\"balance\"";
    fs::remove_file(inside.join("balance.toml")).expect("removed");
    assert_eq!(code(&aplomb(folder.path(), &["check", "scenes/mine.toml", "--set", set])), Some(2));
}
