//! `ARCHITECTURE.md` is true: what it names exists, what exists it names, and imports run one way.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn map() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).expect("there is a map")
}

/// The rooms in the order of the map's tables: `model` for `src/model/`, `state` for `src/state.rs`.
fn rooms(map: &str) -> Vec<String> {
    let cells = map.lines().filter_map(|line| line.strip_prefix("| `src/")?.split_once('`'));
    cells.map(|(path, _)| path.trim_end_matches('/').trim_end_matches(".rs").to_string()).collect()
}

/// What stands between backquotes outside code blocks.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_path_on_the_map_exists() {
    let map = map();
    let is_path = |name: &&str| {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        name.contains('/') || matches!(ending, Some("rs" | "md" | "toml" | "xml"))
    };
    for path in quoted(&map).into_iter().filter(is_path) {
        let places = [root().join(path), root().join("src").join(path)];
        assert!(
            places.iter().any(|place| place.exists()),
            "ARCHITECTURE.md names `{path}`, which is not there"
        );
    }
}

#[test]
fn every_room_is_on_the_map_once() {
    let list = rooms(&map());
    let named: BTreeSet<String> = list.iter().cloned().collect();
    assert_eq!(named.len(), list.len(), "a room is named twice: {list:?}");
    let entries = fs::read_dir(root().join("src")).expect("src can be read");
    let there: BTreeSet<String> = entries
        .map(|entry| entry.expect("src can be read").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_string()))
        .filter(|name| name != "lib")
        .collect();
    assert_eq!(named, there, "left: rooms on the map; right: rooms in src");
}

#[test]
fn imports_run_from_later_rooms_to_earlier_ones() {
    let rooms = rooms(&map());
    let order = |room: &str| rooms.iter().position(|other| other == room);
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    files.sort();
    let texts: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|file| {
            let text = fs::read_to_string(&file).expect("source can be read");
            (file, blank_comments_and_strings(&text))
        })
        .collect();
    let only_for_tests: BTreeSet<PathBuf> =
        texts.iter().flat_map(|(file, text)| test_modules(file, text)).collect();
    let mut wrong = Vec::new();
    for (file, text) in &texts {
        let inside = file.strip_prefix(root().join("src")).expect("inside src");
        if only_for_tests.contains(file) || inside == Path::new("lib.rs") {
            continue;
        }
        let parts: Vec<String> =
            inside.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let depth = parts.len() - usize::from(parts.last().is_some_and(|name| name == "mod"));
        let here = order(&parts[0]);
        for (line, used) in imports(&without_tests(text), depth) {
            if used != parts[0] && order(&used).is_some() && order(&used) > here {
                wrong.push(format!("{}:{line} uses `{used}`", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "against the order of ARCHITECTURE.md:\n{}", wrong.join("\n"));
}

#[test]
fn the_engine_alone_needs_nothing_that_people_see() {
    let cargo = std::process::Command::new(env!("CARGO"))
        .args([
            "tree",
            "--locked",
            "--offline",
            "--no-default-features",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ])
        .args(["--format", "{p}", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let tree = String::from_utf8(cargo.stdout).expect("names are text");
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("aplomb") && names.contains("nalgebra"), "{names:?}");
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
        "sha2",
        "zstd",
    ];
    let found: Vec<_> = seen.into_iter().filter(|name| names.contains(name)).collect();
    assert!(found.is_empty(), "without the feature `cli` the library still needs {found:?}");
}

pub fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("folders can be read") {
        let path = entry.expect("folders can be read").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The text with comments, strings and characters replaced by spaces, line by line as it was.
pub fn blank_comments_and_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let blank = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw_string(rest).filter(|_| !ends_in_word(&out)) {
            let close = format!("\"{}", "#".repeat(hashes));
            let open = hashes + 2;
            rest[open..].find(&close).map_or(rest.len(), |end| open + end + close.len())
        } else if first == '"' {
            quoted_length(rest, '"')
        } else if first == '\'' && (rest.starts_with("'\\") || rest.chars().nth(2) == Some('\'')) {
            quoted_length(rest, '\'')
        } else {
            0
        };
        if blank == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            out.extend(rest[..blank].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[blank..];
        }
    }
    out
}

fn ends_in_word(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Number of hashes of the raw string that begins here, if one does.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// Length of a string or character literal, quotes included.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

const TEST_ONLY: &str = "#[cfg(test)]";

/// Files of modules that `text` declares for tests alone.
pub fn test_modules(file: &Path, text: &str) -> Vec<PathBuf> {
    let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib" | "main") => file.with_file_name(""),
        _ => file.with_extension(""),
    };
    let declared = text.split(TEST_ONLY).skip(1).filter_map(|after| {
        let item = &after[..after.find([';', '{'])?];
        let ends = after[item.len()..].starts_with(';');
        item.split_once("mod ").filter(|_| ends).map(|(_, name)| name.trim().to_string())
    });
    declared.map(|name| folder.join(name).with_extension("rs")).collect()
}

/// The text with every item under `#[cfg(test)]` blanked.
pub fn without_tests(text: &str) -> String {
    let mut out = text.to_string();
    while let Some(start) = out.find(TEST_ONLY) {
        let body = out[start..].find([';', '{']).map_or(out.len(), |index| start + index);
        let mut depth = 0;
        let closes = |c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        };
        let end = out[body..].find(closes).map_or(out.len(), |index| body + index + 1);
        let blank: String = out[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        out.replace_range(start..end, &blank);
    }
    out
}

/// (line, room) of every path from the crate's root, written with `crate::` or with as many `super::` as the
/// module is deep.
fn imports(text: &str, depth: usize) -> Vec<(usize, String)> {
    let up = "super::".repeat(depth);
    let mut found = Vec::new();
    for way in ["crate::", up.as_str()] {
        for (index, _) in text.match_indices(way) {
            let before = &text[..index];
            if ends_in_word(before) || before.ends_with("::") {
                continue;
            }
            let line = before.matches('\n').count() + 1;
            let names = first_names(&text[index + way.len()..]);
            found.extend(names.into_iter().map(|name| (line, name)));
        }
    }
    found
}

/// `a` of `a::b`; `a` and `c` of `{a::b, c}`.
fn first_names(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = path.strip_prefix('{') else { return vec![word(path)] };
    let mut names = vec![word(group)];
    let mut depth = 1;
    for (index, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(word(&group[index + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn imports_are_found_wherever_they_stand_outside_tests() {
    let text = r##"
        use crate::{model::{Model, Shape}, state};
        use super::sibling;
        fn f<'a>(x: &'a str) { crate::spatial::Force::default(); let _ = ('{', "crate::not_me", r#"crate::nor_me"#); }
        // crate::a_comment
        #[cfg(test)]
        mod tests { use crate::only_in_tests; fn g() {} }
        use super::super::solver;
        #[cfg(test)]
        mod helpers;
    "##;
    let blanked = blank_comments_and_strings(text);
    let found: Vec<String> = imports(&without_tests(&blanked), 2).into_iter().map(|(_, room)| room).collect();
    assert_eq!(found, ["model", "state", "spatial", "solver"]);
    let tests = test_modules(Path::new("src/room/mod.rs"), &blanked);
    assert_eq!(tests, [Path::new("src/room/helpers.rs")]);
}
