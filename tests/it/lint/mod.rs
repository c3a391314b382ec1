//! The linter: for each rule, a file in which it finds something and one in which it does not, and mistakes seeded
//! into shipped files.

mod operators;
mod rules;
mod seeded;
mod text;

use aplomb::language::files::{self, Folder};
use operators::{Defect, OPERATORS};
use text::Shipped;

/// All shipped controllers and scenes.
fn shipped() -> Vec<Shipped> {
    let of = |folder: Folder| {
        files::shipped(folder).into_iter().map(move |name| {
            let text = files::find(folder, &name, None).expect("it ships").source.text.to_string();
            Shipped { path: format!("{}/{name}.toml", folder.name()), text }
        })
    };
    of(Folder::Controllers).chain(of(Folder::Scenes)).collect()
}

/// Every mistake that an operator can make.
fn defects(operator: usize) -> Vec<Defect> {
    shipped().iter().flat_map(OPERATORS[operator].apply).collect()
}

#[test]
fn every_operator_finds_places_for_its_mistake() {
    for (index, operator) in OPERATORS.iter().enumerate() {
        let defects = defects(index);
        assert!(!defects.is_empty(), "{}: nowhere", operator.name);
        for defect in &defects {
            let original = shipped().into_iter().find(|file| file.path == defect.path).unwrap();
            assert_ne!(original.text, defect.text, "{}: {} {}", operator.name, defect.path, defect.what);
            assert!(!defect.lines.is_empty(), "{}: {}", operator.name, defect.what);
            let parsed: Result<toml::Table, _> = defect.text.parse();
            assert!(parsed.is_ok(), "{}: {} {}\n{}", operator.name, defect.path, defect.what, defect.text);
        }
        println!("{}: {}", operator.name, defects.len());
    }
}
