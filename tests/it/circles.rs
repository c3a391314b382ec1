//! Files of one room do not import each other in circles. A `mod.rs` may name the files beneath it: that declares
//! them.

use crate::architecture::{blank_comments_and_strings, root, rust_files, test_modules, without_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// `["view", "plot", "svg"]` for `src/view/plot/svg.rs`, `["view"]` for `src/view/mod.rs`.
type Module = Vec<String>;

/// The files of a crate by module.
struct Crate {
    texts: BTreeMap<Module, String>,
    /// For each module what it exports anew: name and path.
    exports: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
}

impl Crate {
    /// Comments, strings and tests are left out.
    fn new(files: impl IntoIterator<Item = (PathBuf, String)>) -> Self {
        let blanked = files.into_iter().map(|(file, text)| (file, blank_comments_and_strings(&text)));
        let blanked: Vec<(PathBuf, String)> = blanked.collect();
        let only_for_tests: BTreeSet<PathBuf> =
            blanked.iter().flat_map(|(file, text)| test_modules(file, text)).collect();
        let kept = blanked.iter().filter(|(file, _)| !only_for_tests.contains(file));
        let texts: BTreeMap<Module, String> =
            kept.map(|(file, text)| (module_of(file), without_tests(text))).collect();
        let exports = texts.iter().map(|(module, text)| (module.clone(), exports(text))).collect();
        Crate { texts, exports }
    }

    /// The module in which what a path means is written.
    fn home(&self, from: &Module, path: &[String], depth: usize) -> Module {
        let (mut at, mut rest) = match path[0].as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                (from[..from.len().saturating_sub(ups)].to_vec(), &path[ups..])
            }
            _ => (from.clone(), path),
        };
        while let Some((first, others)) = rest.split_first() {
            let below = [at.as_slice(), std::slice::from_ref(first)].concat();
            if !self.texts.contains_key(&below) {
                break;
            }
            (at, rest) = (below, others);
        }
        let exported = rest.first().and_then(|name| self.exports.get(&at)?.get(name));
        match exported {
            Some(path) if depth < 8 => self.home(&at, path, depth + 1),
            _ => at,
        }
    }

    /// For each module those of its room that it imports.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |module: &Module, text: &str| -> BTreeSet<Module> {
            let homes = paths(text).into_iter().map(|path| self.home(module, &path, 0));
            homes.filter(|home| home.first() == module.first() && !home.starts_with(module)).collect()
        };
        self.texts.iter().map(|(module, text)| (module, of(module, text))).collect()
    }

    /// Sets of modules each of which imports every other, directly or through others.
    fn circles(&self) -> Vec<BTreeSet<Module>> {
        let imports = self.imports();
        let reached = |start: &Module| {
            let mut reached = BTreeSet::new();
            let mut open = vec![start.clone()];
            while let Some(module) = open.pop() {
                for next in imports.get(&module).into_iter().flatten() {
                    if reached.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
            reached
        };
        let reach: BTreeMap<&Module, BTreeSet<Module>> =
            imports.keys().map(|module| (*module, reached(module))).collect();
        let mut circles: Vec<BTreeSet<Module>> = Vec::new();
        for (module, others) in &reach {
            let members = others.iter().filter(|other| reach[other].contains(*module));
            let circle: BTreeSet<Module> = members.cloned().collect();
            if circle.len() > 1 && !circles.contains(&circle) {
                circles.push(circle);
            }
        }
        circles
    }
}

fn module_of(file: &Path) -> Module {
    let parts = file.with_extension("");
    let mut parts: Module = parts.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.pop_if(|last| *last == "mod");
    parts
}

/// Every path that begins with `crate`, `self` or `super`, groups in braces written out.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut done = 0;
    for (index, _) in text.match_indices("::") {
        let start = text[..index].rfind(|c: char| !is_of_word(c)).map_or(0, |before| before + 1);
        let first = &text[start..index];
        let leads = matches!(first, "crate" | "self" | "super") && !text[..start].ends_with("::");
        if leads && start >= done {
            done = expand(text, start, &[], &mut found);
        }
    }
    found
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Writes out the path that begins at `start`, after `before`; where it ends.
fn expand(text: &str, start: usize, before: &[String], found: &mut Vec<Vec<String>>) -> usize {
    if text[start..].starts_with('{') {
        let mut at = start + 1;
        loop {
            at += text[at..].len() - text[at..].trim_start_matches([' ', '\n', ',']).len();
            if at >= text.len() || text[at..].starts_with('}') {
                return at + 1;
            }
            let next = expand(text, at, before, found);
            // What a name is called here does not matter.
            at = next + text[next..].find([',', '}']).unwrap_or(0);
            if next == at && !text[at..].starts_with([',', '}']) {
                return at;
            }
        }
    }
    let end = text[start..].find(|c: char| !is_of_word(c)).map_or(text.len(), |length| start + length);
    let path = [before, &[text[start..end].to_string()]].concat();
    match text[end..].strip_prefix("::") {
        Some(_) => expand(text, end + 2, &path, found),
        None => {
            found.push(path);
            end
        }
    }
}

/// What `pub use` exports, by its last name.
fn exports(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut found = Vec::new();
    for (index, word) in text.match_indices("use ") {
        let line = text[..index].rfind(['\n', ';', '}']).map_or(0, |before| before + 1);
        if text[line..index].trim_start().starts_with("pub") {
            expand(text, index + word.len(), &[], &mut found);
        }
    }
    found.into_iter().filter_map(|path| Some((path.last()?.clone(), path))).collect()
}

fn named(circle: &BTreeSet<Module>) -> String {
    circle.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(", ")
}

#[test]
fn files_of_a_room_do_not_import_each_other_in_circles() {
    let mut files = Vec::new();
    let source = root().join("src");
    rust_files(&source, &mut files);
    let texts = files.into_iter().map(|file| {
        let text = fs::read_to_string(&file).expect("source can be read");
        (file.strip_prefix(&source).expect("inside src").to_path_buf(), text)
    });
    let circles = Crate::new(texts).circles();
    let named: Vec<String> = circles.iter().map(named).collect();
    assert!(named.is_empty(), "these import each other:\n{}", named.join("\n"));
}

#[test]
fn a_circle_is_found_through_groups_and_what_is_exported_anew() {
    let files = [
        (
            "room/mod.rs",
            "mod a; mod b; mod c; mod d;\npub use b::{B as Renamed, Other};\npub use self::a::A;",
        ),
        ("room/a.rs", "use super::{c::{\n    C, D}, d};\n#[cfg(test)] mod tests { use super::super::b::B; }"),
        ("room/b.rs", "use crate::room::A;"),
        ("room/c.rs", "fn f() -> super::Other {}"),
        ("room/d.rs", "// use super::a::A;\nuse crate::other::E;"),
        ("other.rs", "use crate::room::d::D;"),
    ];
    let files = files.map(|(path, text)| (PathBuf::from(path), text.to_string()));
    let circles = Crate::new(files).circles();
    let circles: Vec<String> = circles.iter().map(named).collect();
    assert_eq!(circles, ["room::a, room::b, room::c"]);
}
