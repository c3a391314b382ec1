//! `ARCHITECTURE.md` is true: the files and items that it names exist, and every crate is listed. The compiler
//! ensures that crates depend on each other in one direction only.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn map() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).expect("there is a map")
}

/// The crates in the table of the map, in order.
fn crates(map: &str) -> Vec<String> {
    let cells = map.lines().filter_map(|line| line.strip_prefix("| `crates/")?.split_once("/`"));
    cells.map(|(name, _)| name.to_string()).collect()
}

/// Text in backquotes outside code blocks.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

/// The Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let below = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    below.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

#[test]
fn no_line_of_the_sources_is_longer_than_120_columns() {
    let rooms = crates(&map()).into_iter().map(|name| root().join("crates").join(name).join("src"));
    for path in rooms.chain([root().join("src")]).flat_map(|room| sources(&room)) {
        let text = fs::read_to_string(&path).expect("a file");
        let wide = text.lines().position(|line| line.chars().count() > 120).map(|line| line + 1);
        assert_eq!(wide, None, "{} has a line of more than 120 columns", path.display());
    }
}

#[test]
fn every_path_on_the_map_exists() {
    let map = map();
    let is_path = |name: &&str| {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        name.contains('/') || matches!(ending, Some("rs" | "md" | "toml" | "xml"))
    };
    for path in quoted(&map).into_iter().filter(is_path) {
        assert!(root().join(path).exists(), "ARCHITECTURE.md names `{path}`, which is not there");
    }
}

#[test]
fn every_crate_is_on_the_map_once() {
    let list = crates(&map());
    let named: BTreeSet<String> = list.iter().cloned().collect();
    assert_eq!(named.len(), list.len(), "a crate is named twice: {list:?}");
    let entries = fs::read_dir(root().join("crates")).expect("the folder of crates can be read");
    let there: BTreeSet<String> = entries
        .map(|entry| {
            entry.expect("the folder of crates can be read").file_name().to_string_lossy().into_owned()
        })
        .collect();
    assert_eq!(named, there, "left: crates on the map; right: crates");
}

/// Names of the packages that a crate of the workspace is built from, including itself.
fn packages(of: &[&str]) -> BTreeSet<String> {
    let cargo = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(of)
        .arg("--manifest-path")
        .arg(root().join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let tree = String::from_utf8(cargo.stdout).expect("names are text");
    let names: BTreeSet<String> =
        tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_string).collect();
    assert!(names.contains("nalgebra"), "{names:?}");
    names
}

#[test]
fn the_library_alone_needs_nothing_that_people_see() {
    let names = packages(&["--package", "aplomb", "--no-default-features"]);
    let seen = [
        "ab_glyph",
        "clap",
        "csv",
        "epaint_default_fonts",
        "indicatif",
        "tiny-skia",
        "mcap",
        "miette",
        "petgraph",
        "plotters",
        "ruzstd",
        "schemars",
        "sha2",
    ];
    let found: Vec<_> = seen.into_iter().filter(|name| names.contains(*name)).collect();
    assert!(found.is_empty(), "without the feature `cli` the library still needs {found:?}");
}

#[test]
fn what_solves_a_frame_reads_no_files() {
    let names = packages(&["--package", "aplomb-control"]);
    let readers = ["include_dir", "mesh-loader", "roxmltree", "strsim", "toml"];
    let found: Vec<_> = readers.into_iter().filter(|name| names.contains(*name)).collect();
    assert!(found.is_empty(), "aplomb-control needs {found:?}");
    let others = names.iter().filter(|name| !name.starts_with("aplomb-")).count();
    assert!(others <= 50, "aplomb-control needs {others} packages: {names:?}");
}
