//! Text from files reaches a terminal as text, with bounded length, once, and with its place.

use super::*;

const ESCAPE: char = '\u{1b}';

#[test]
fn nothing_in_a_file_steers_the_terminal() {
    let folder = folder();
    let scene = "title = \"\\u001b[2J\\u001b]0;owned\\u0007\"\nduration = 0.05\n[characters.hero]\n\
                 model = \"adult\"\ncontroller = \"balance\"\n[success]\n\"\\u001b[1m\" = { at_end = \"true\" }\n";
    fs::write(folder.path().join("scene.toml"), scene).expect("written");
    let ran = aplomb(folder.path(), &["run", "scene.toml", "--no-plots", "--verbose", "--out", "o"]);
    assert_eq!(code(&ran), Some(0), "{}", err(&ran));
    assert!(!out(&ran).contains(ESCAPE) && out(&ran).contains("␛[2J"), "{}", out(&ran));
    for (name, text) in [
        ("key.toml", "\"\\u001b[31mkey\" = 1\n"),
        ("value.toml", "duration = \"\\u001b[31m\"\n"),
        ("raw.toml", "duration = 1 # \u{9b}2J\nfriction = 2 # \u{202e}\n"),
        ("name.toml", "duration = 1\n[characters.hero]\nmodel = \"\\u001b[31m\"\ncontroller = \"balance\"\n"),
    ] {
        fs::write(folder.path().join(name), text).expect("written");
        let checked = aplomb(folder.path(), &["check", name]);
        assert_eq!(code(&checked), Some(2), "{name}: {}", err(&checked));
        let said = err(&checked) + &out(&checked);
        assert!(!said.contains([ESCAPE, '\u{9b}', '\u{202e}']), "{name}: {said:?}");
    }
}

#[test]
fn a_mistake_in_a_line_without_end_is_shown_with_what_is_around_it() {
    let folder = folder();
    let text = format!("title = \"{}\" x\n", "a".repeat(3_000_000));
    fs::write(folder.path().join("long.toml"), text).expect("written");
    let checked = aplomb(folder.path(), &["check", "long.toml"]);
    assert_eq!(code(&checked), Some(2));
    assert!(err(&checked).len() < 3000, "{} bytes", err(&checked).len());
    assert!(err(&checked).contains("long.toml:1:3000012"), "{}", err(&checked));
}

#[test]
fn lines_of_files_that_are_no_controllers_are_not_shown() {
    let folder = folder();
    fs::write(folder.path().join("secret"), "password: hunter2\n").expect("written");
    let scene = "duration = 1\n[characters.hero]\nmodel = \"secret\"\ncontroller = \"./secret\"\n";
    fs::write(folder.path().join("scene.toml"), scene).expect("written");
    for command in ["check", "run"] {
        let said = err(&aplomb(folder.path(), &[command, "scene.toml"]));
        assert!(!said.contains("hunter2") && said.contains("there is no controller `./secret`"), "{said}");
    }
}

#[test]
fn a_binary_file_is_said_to_be_one_with_line_and_column() {
    let folder = folder();
    fs::write(folder.path().join("binary.toml"), b"duration = 1\nab\xff\xfe\0").expect("written");
    let said = err(&aplomb(folder.path(), &["check", "binary.toml"]));
    assert!(said.contains("line 2, column 3 (byte 15) is not UTF-8 text"), "{said}");
}

#[test]
fn every_mistake_is_said_at_once_and_once() {
    let folder = folder();
    // An objective of every state is reported once.
    let controller = "start = \"a\"\n[[objectives]]\nname = \"calm\"\nweight = \"nonsense\"\nof = { com_height = { target = \"rubbish\" } }\n\
                      [states.a]\nuntil = \"tme > 1\"\nto = [\"b\"]\n[states.b]\nuntil = \"wrong\"\nto = [\"a\"]\n";
    fs::write(folder.path().join("c.toml"), controller).expect("written");
    let scene = "duration = 1\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"c.toml\"\n[success]\nx = { at_end = \"bad\" }\n";
    fs::write(folder.path().join("s.toml"), scene).expect("written");
    for command in ["check", "run"] {
        let said = err(&aplomb(folder.path(), &[command, "s.toml"]));
        for word in ["`nonsense`", "`rubbish`", "`tme`", "`wrong`", "`bad`"] {
            let times = said.lines().filter(|line| line.contains(word) && line.contains('×')).count();
            assert_eq!(times, 1, "{command}: {word} in\n{said}");
        }
    }
}
