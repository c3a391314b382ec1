//! Films and pose strips of a run, as a user requests them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn aplomb(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1").output().expect("the program starts")
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a short run of `stand`.
fn ran() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["run", "stand", "--no-plots", "--quiet", "--set", "duration=0.4", "--set", "success={}"];
    let output = aplomb(folder.path(), &run);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    folder
}

#[test]
fn a_run_becomes_a_film_of_the_size_and_pace_asked_for() {
    let folder = ran();
    let film = |more: &[&str]| aplomb(folder.path(), &[&["film", "runs/stand"], more].concat());
    let output = film(&["--width", "320", "--fps", "10"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "runs/stand/film.gif\n");
    let gif = fs::read(folder.path().join("runs/stand/film.gif")).expect("a film");
    assert_eq!(&gif[..6], b"GIF89a");
    assert_eq!(u16::from_le_bytes([gif[6], gif[7]]), 320);
    let output =
        film(&["--to", "apng", "--width", "320", "--from", "0.1", "--until", "0.2", "--out", "f.png"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let png = fs::read(folder.path().join("f.png")).expect("a film");
    let at = png.windows(4).position(|word| word == b"acTL").expect("an animation");
    assert_eq!(
        u32::from_be_bytes(png[at + 4..at + 8].try_into().expect("four bytes")),
        3,
        "0.1, 0.14, 0.18 s"
    );

    for wrong in [&["--fps", "0"][..], &["--width", "7"], &["--from", "3"], &["--to", "avi"], &["--speed=-1"]]
    {
        let output = film(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", err(&output));
    }
    let output = film(&["--out", "nowhere/film.gif"]);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
}

#[test]
fn mp4_needs_ffmpeg_and_says_so() {
    let folder = ran();
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder.path()).args([
        "film",
        "runs/stand",
        "--to",
        "mp4",
        "--fps",
        "5",
        "--width",
        "200",
    ]);
    let without = command.env("PATH", folder.path()).output().expect("the program starts");
    assert_eq!(without.status.code(), Some(2));
    assert!(err(&without).contains("ffmpeg"), "{}", err(&without));
}

#[test]
fn plots_and_strips_show_the_time_and_the_moments_asked_for() {
    let folder = ran();
    let plot = |more: &[&str]| aplomb(folder.path(), &[&["plot", "runs/stand", "--out", "o"], more].concat());
    let times = |svg: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.path().join(svg)).expect("a picture");
        let document = roxmltree::Document::parse(&text).expect("SVG");
        let nodes = document.descendants().filter(|node| node.has_tag_name("text"));
        let texts = nodes.filter_map(|node| node.text()).map(str::trim);
        let is_time =
            |text: &&str| text.strip_suffix(" s").is_some_and(|number| number.parse::<f64>().is_ok());
        texts.filter(is_time).map(str::to_owned).collect()
    };
    let output = plot(&["--from", "0.1", "--until", "0.3", "--moments", "3", "--even"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(times("o/strip.svg"), ["0.10 s", "0.20 s", "0.30 s"]);
    let table = fs::read_to_string(folder.path().join("o/plots/costs.csv")).expect("a table");
    let rows: Vec<&str> = table.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!((rows.first(), rows.last(), rows.len()), (Some(&"0.1"), Some(&"0.3"), 21), "{rows:?}");
    assert_eq!(plot(&["--at", "0.05,0.25"]).status.code(), Some(0));
    assert_eq!(times("o/strip.svg"), ["0.05 s", "0.25 s"]);
    // The picture of a moment is requested, and no plot except one that is named.
    let drawn = |more: &[&str]| -> Vec<String> {
        let output = aplomb(folder.path(), &[&["plot", "runs/stand", "--at", "0.25"], more].concat());
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let names = text.lines().filter_map(|line| line.rsplit(['/', '\\']).next());
        names.map(str::to_owned).collect()
    };
    assert_eq!(drawn(&["--out", "at"]), ["strip.svg", "strip.png"]);
    assert!(!folder.path().join("at/plots").exists());
    assert_eq!(
        drawn(&["torques", "--out", "both"]),
        ["torques.svg", "torques.png", "torques.csv", "strip.svg", "strip.png"]
    );
    for wrong in [&["--from", "9"][..], &["--moments", "0"], &["--at", "0.1", "--even"]] {
        assert_eq!(plot(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
