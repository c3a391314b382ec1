//! `docs/formulation.md` states the same constants as the code.

use aplomb::synthesis::check::STAGES;
use std::fs;
use std::path::Path;

#[test]
fn the_constants_of_the_formulation_are_those_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/formulation.md")).expect("there is a formulation");
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| `")?.split('|').map(str::trim).collect();
        let [name, file, value, ..] = cells[..] else { return None };
        file.starts_with("`crates/").then_some((name.trim_matches('`'), file.trim_matches('`'), value))
    });
    let mut count = 0;
    for (name, file, value) in rows {
        let code = fs::read_to_string(root.join(file)).expect("the file of a constant exists");
        let found = code.split_once(&format!("const {name}: ")).and_then(|(_, rest)| {
            let (_, rest) = rest.split_once("= ")?;
            rest.split_once(';').map(|(value, _)| value)
        });
        assert_eq!(found, Some(value), "`{name}` of {file}; left: the code, right: docs/formulation.md");
        count += 1;
    }
    assert!(count > 20, "the table of constants is gone");
}

#[test]
fn the_table_of_checks_is_that_of_the_solve_loop() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/formulation.md")).expect("there is a formulation");
    let (_, text) = text.split_once("## The solve loop").expect("the solve loop is described");
    let rows = text.lines().filter_map(|line| {
        let (stage, rest) = line.strip_prefix("| ")?.split_once(" | `")?;
        Some(format!("{} {}", stage.parse::<usize>().ok()?, rest.split_once('`')?.0))
    });
    let stages = STAGES.iter().enumerate();
    let code = stages.flat_map(|(k, stage)| stage.iter().map(move |check| (k + 1, check.name)));
    let code = code.map(|(stage, check)| {
        let name = serde_json::to_value(check).expect("a name");
        format!("{stage} {}", name.as_str().expect("a name"))
    });
    assert_eq!(rows.collect::<Vec<_>>(), code.collect::<Vec<_>>());
}
