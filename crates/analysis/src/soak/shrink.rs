//! The smallest scene with the defect of a random one.

use super::attempt::{CaseResult, Defect, attempt};
use super::case::{Case, rounded};
use std::io;
use std::path::Path;
use toml::{Table, Value};

/// Tables of a scene whose entries are left out one by one.
const PARTS: [&str; 7] = ["events", "passive", "obstacles", "terrain", "holds", "characters", "trials"];
/// Keys without which a scene is none.
const NEEDED: [&str; 2] = ["duration", "characters"];
/// Keys without which a character is none.
const OF_CHARACTER: [&str; 2] = ["model", "controller"];
/// Share of the duration to which a scene is shortened at once.
const SHORTER: f64 = 0.7;
/// Shortest duration, s.
const SHORTEST: f64 = 0.05;

/// The case without everything that its defect does not need, in files in `folder`; the defect that it has. Each part
/// is left out alone, as long as the same kind of defect remains and `may_go_on`.
///
/// # Errors
/// If the files cannot be written.
pub fn shrink(
    case: &Case,
    defect: &Defect,
    folder: &Path,
    may_go_on: impl Fn() -> bool,
) -> io::Result<(Case, Defect)> {
    let (mut best, mut found) = (case.clone(), defect.clone());
    loop {
        let mut is_smaller = false;
        for smaller in smaller_ones(&best) {
            if !may_go_on() {
                attempt(&best, folder)?;
                return Ok((best, found));
            }
            if let CaseResult::Found(same) = attempt(&smaller, folder)?
                && same.kind() == defect.kind()
            {
                (best, found, is_smaller) = (smaller, same, true);
                break;
            }
        }
        if !is_smaller {
            attempt(&best, folder)?;
            return Ok((best, found));
        }
    }
}

/// The cases that lack one part of this one, the largest parts first.
fn smaller_ones(case: &Case) -> Vec<Case> {
    let Ok(scene) = case.scene.parse::<Table>() else { return Vec::new() };
    let mut smaller = Vec::new();
    let mut add = |scene: Table| smaller.push(Case { scene: scene.to_string(), ..case.clone() });
    for part in PARTS {
        let entries = scene.get(part).and_then(Value::as_table);
        for key in entries.into_iter().flat_map(Table::keys) {
            let mut scene = scene.clone();
            if let Some(Value::Table(entries)) = scene.get_mut(part) {
                entries.remove(key);
                if entries.is_empty() {
                    scene.remove(part);
                }
            }
            add(scene);
        }
    }
    for key in scene.keys().filter(|key| !NEEDED.contains(&key.as_str()) && !PARTS.contains(&key.as_str())) {
        let mut scene = scene.clone();
        scene.remove(key);
        add(scene);
    }
    let characters = scene.get("characters").and_then(Value::as_table);
    for (name, spec) in characters.into_iter().flatten() {
        let keys = spec.as_table().into_iter().flat_map(Table::keys);
        for key in keys.filter(|key| !OF_CHARACTER.contains(&key.as_str())) {
            let mut scene = scene.clone();
            if let Some(Value::Table(spec)) =
                scene.get_mut("characters").and_then(|characters| characters.get_mut(name))
            {
                spec.remove(key);
            }
            add(scene);
        }
    }
    let duration = scene.get("duration").and_then(Value::as_float);
    if let Some(duration) = duration.filter(|duration| SHORTER * duration > SHORTEST) {
        let mut scene = scene.clone();
        scene.insert("duration".into(), rounded(SHORTER * duration).into());
        add(scene);
    }
    if case.body.is_some() {
        let scene = case.scene.replace("\"body.xml\"", &format!("\"{}\"", case.shipped_body));
        smaller.push(Case { scene, body: None, ..case.clone() });
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(scene: &str) -> Case {
        let (base, scene) = ("own".into(), scene.into());
        Case { number: 0, base, scene, body: None, shipped_body: String::new(), changes: Vec::new() }
    }

    #[test]
    fn parts_are_left_out_one_by_one() {
        let scene = "duration = 1.0\ndt = 0.01\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
                     heading = 1.0\n[events.push]\nat = 0.1\n[events.shake]\nat = 0.2\n";
        let case = own(scene);
        let smaller: Vec<Table> =
            smaller_ones(&case).iter().map(|case| case.scene.parse().unwrap()).collect();
        let events = |scene: &Table| scene.get("events").map_or(0, |events| events.as_table().unwrap().len());
        assert_eq!(smaller.iter().filter(|scene| events(scene) == 1).count(), 2);
        assert!(smaller.iter().any(|scene| !scene.contains_key("dt")));
        assert!(smaller.iter().any(|scene| scene["duration"].as_float() == Some(0.7)));
        let character = |scene: &Table| scene.get("characters")?.get("a")?.as_table().cloned();
        assert!(smaller.iter().filter_map(character).any(|a| !a.contains_key("heading")));
        assert!(smaller.iter().any(|scene| character(scene).is_none()));
        assert!(smaller.iter().all(|scene| scene.contains_key("duration")));
    }

    #[test]
    fn what_the_defect_does_not_need_is_left_out() {
        let scene = "duration = 1.0\nfriction_directions = 8\n[characters.a]\nmodel = \"adult\"\n\
                     controller = \"balance\"\nheading = 1.0\n[events.push]\nat = 0.1\nduration = 0.1\n\
                     body = \"chest\"\nimpulse = [1, 0, 0]\n[passive.slow]\nkind = \"articulated\"\n\
                     model = \"ball\"\nposition = [3, 0, 1]\n[passive.fast]\nkind = \"articulated\"\n\
                     model = \"ball\"\nposition = [5, 0, 1]\nvelocity = [0, 0, 3e7]\n";
        let case = own(scene);
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let CaseResult::Found(defect) = attempt(&case, folder).unwrap() else { panic!("it stays near") };
        let (small, same) = shrink(&case, &defect, folder, || true).unwrap();
        assert_eq!(same.kind(), defect.kind());
        let left: Table = small.scene.parse().unwrap();
        let names: Vec<&str> = left.keys().map(String::as_str).collect();
        assert_eq!(names, ["duration", "passive"], "{}", small.scene);
        assert_eq!(left["passive"].as_table().unwrap().len(), 1);
        let written = std::fs::read_to_string(folder.join("scene.toml")).unwrap();
        assert_eq!(written, small.scene, "the folder has the smallest");
    }
}
