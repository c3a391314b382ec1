//! Each rule with a file in which it finds something and one in which it does not, and shipped files, in which no rule
//! finds anything.

use crate::architecture::root;
use aplomb::analysis::check::{self, Finding, Kind};
use aplomb::analysis::lint;
use aplomb::language::diagnostic::{FileError, Source, Warning};
use aplomb::language::files::{self, Folder};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Bodies that shipped controllers are for.
pub fn body_of(controller: &str) -> &'static str {
    if controller.contains("quadruped") || controller.contains("trot") { "quadruped" } else { "adult" }
}

pub fn body(name: &str) -> Source {
    files::find(Folder::Characters, name, None).expect("it ships").source
}

/// What is found in a file.
pub fn found(path: &Path, model: &Source) -> Vec<Finding> {
    let name = path.to_str().expect("paths are text");
    let (kind, located) = check::find(name).expect("the file is there");
    match kind {
        Kind::Scene => check::scene(name, &[]),
        Kind::Controller => check::controller(&located.source, model, &[]),
        Kind::Plot | Kind::Model => panic!("{name} is no scene and no controller"),
    }
}

fn error(finding: &Finding) -> &FileError {
    match finding {
        Finding::Mistake(error) | Finding::Warning(Warning(error)) => error,
        Finding::Missing(missing) => panic!("{missing:?}"),
    }
}

#[test]
fn every_rule_finds_its_mistake_where_it_stands_and_nothing_once_it_is_mended() {
    let folder = root().join("tests/data/lint");
    let names: BTreeSet<String> = lint::rules().map(|rule| rule.name.to_string()).collect();
    let folders =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names, folders.collect(), "left: rules; right: folders of examples");
    assert!(names.len() >= 25);
    let mut wrong = Vec::new();
    for name in &names {
        let own = folder.join(name).join("body.xml");
        let model = match fs::read_to_string(&own) {
            Ok(text) => Source::new("body.xml", text).from_file(&own),
            Err(_) => body("adult"),
        };
        let bad = folder.join(name).join("wrong.toml");
        let findings = found(&bad, &model);
        let text = fs::read_to_string(&bad).unwrap();
        let marked: BTreeSet<usize> =
            (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("# here")).map(|(n, _)| n).collect();
        let here = |finding: &&Finding| error(finding).file.ends_with("wrong.toml");
        let lines: BTreeSet<usize> =
            findings.iter().filter(here).map(|finding| error(finding).place().1).collect();
        let is_it = |finding: &Finding| finding.is_warning() && error(finding).rule == Some(name);
        if findings.is_empty() || !findings.iter().all(is_it) || lines != marked {
            wrong.push(format!("{name}: marked {marked:?}, found {:#?}", told(&findings)));
        }
        let mended = found(&folder.join(name).join("right.toml"), &model);
        if !mended.is_empty() {
            wrong.push(format!("{name}, mended: {:#?}", told(&mended)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

pub fn told(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{:?} {:#}", error(finding).rule, error(finding))).collect()
}

#[test]
fn no_rule_finds_anything_in_a_shipped_file() {
    let mut wrong = Vec::new();
    for name in files::shipped(Folder::Controllers) {
        let located = files::find(Folder::Controllers, &name, None).unwrap();
        let findings = check::controller(&located.source, &body(body_of(&name)), &[]);
        wrong.extend(told(&findings));
    }
    for name in files::shipped(Folder::Scenes) {
        wrong.extend(told(&check::scene(&name, &[])));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_allows_a_rule_by_its_name_and_names_only_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stand.toml");
    let text = fs::read_to_string(root().join("tests/data/lint/zero-weight/wrong.toml")).unwrap();
    let with = |allow: &str| {
        fs::write(&path, format!("allow = [{allow}]\n{text}")).unwrap();
        found(&path, &body("adult"))
    };
    assert_eq!(with("").len(), 1);
    assert!(with("\"zero-weight\"").is_empty());
    assert_eq!(with("\"idle-event\"").len(), 1, "another rule");
    let unknown = with("\"zero-wieght\"");
    let mistake = unknown.iter().find(|finding| !finding.is_warning()).expect("no rule has this name");
    assert_eq!(error(mistake).help.as_deref(), Some("did you mean `zero-weight`?"));
    assert_eq!(error(mistake).place().1, 1);
}
