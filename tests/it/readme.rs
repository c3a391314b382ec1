//! Every block of the README and of the tutorials is run, and the files that they name exist.

use aplomb::language::files::{self, Folder};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("there is a README")
}

/// A fenced block.
struct Block {
    /// Line of its first fence, from 1.
    line: usize,
    language: String,
    text: String,
    /// Instruction to this test in the comment on the line before the block.
    note: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut list = Vec::new();
    let mut open: Option<Block> = None;
    let mut before = "";
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => list.push(block),
            (Some(language), None) => {
                let note = before.strip_prefix("<!-- ").and_then(|note| note.strip_suffix(" -->"));
                open = Some(Block {
                    line: index + 1,
                    language: language.to_string(),
                    text: String::new(),
                    note: note.unwrap_or_default().to_string(),
                });
            }
            (None, Some(mut block)) => {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
        before = line;
    }
    assert!(open.is_none(), "a block does not end");
    list
}

/// The words of a command, with single and double quotes interpreted as by a shell.
fn words(command: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => list.push(String::new()),
            _ => list.last_mut().expect("one word at least").push(c),
        }
    }
    list.retain(|word| !word.is_empty());
    list
}

/// Arguments of the program, if the command calls it in one of the two ways.
fn arguments(command: &str) -> Option<Vec<String>> {
    let rest = command.strip_prefix("cargo run --release -- ").or(command.strip_prefix("aplomb "))?;
    Some(words(rest))
}

#[test]
fn every_block_of_the_readme_does_what_it_says() {
    run_blocks("README.md");
}

#[test]
fn the_tutorial_of_a_first_controller_does_what_it_says() {
    run_blocks("docs/tutorials/first-controller.md");
}

#[test]
fn the_tutorial_of_a_fall_does_what_it_says() {
    run_blocks("docs/tutorials/why-did-it-fall.md");
}

#[test]
fn the_tutorial_of_a_wall_does_what_it_says() {
    run_blocks("docs/tutorials/wall.md");
}

#[test]
fn the_tutorial_of_a_body_does_what_it_says() {
    run_blocks("docs/tutorials/body.md");
}

#[test]
fn the_tutorial_of_tests_does_what_it_says() {
    run_blocks("docs/tutorials/push-to-test.md");
}

#[test]
fn the_tutorial_of_falls_does_what_it_says() {
    run_blocks("docs/tutorials/fall.md");
}

#[test]
fn the_tutorial_of_driving_does_what_it_says() {
    run_blocks("docs/tutorials/drive.md");
}

/// Runs each block of a document, one after another in one folder.
fn run_blocks(document: &str) {
    let text = fs::read_to_string(root().join(document)).expect("the document is there");
    let folder = tempfile::tempdir().expect("a folder to run in");
    // A copy of the repository, without `runs`.
    for name in ["characters", "controllers", "scenes", "plots"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).expect("links can be made");
    }
    for block in blocks(&text) {
        let place = format!("{document}:{}", block.line);
        match block.language.as_str() {
            "sh" => {
                block.text.lines().for_each(|command| assert_runs(command, &[], 0, folder.path(), &place))
            }
            "console" => {
                let code =
                    block.note.strip_prefix("fails with ").map_or(0, |code| code.parse().expect(&place));
                let (command, output) = block.text.split_once('\n').expect(&place);
                let command = command.strip_prefix("$ ").expect(&place);
                assert_runs(command, &output.lines().collect::<Vec<_>>(), code, folder.path(), &place);
            }
            "toml" | "xml" | "c" => {
                if let Some(file) = block.note.strip_prefix("excerpt of ") {
                    let text = fs::read_to_string(root().join(file)).expect(&place);
                    assert!(text.contains(&block.text), "{place}: this is not in {file}:\n{}", block.text);
                } else {
                    let file = block.note.strip_prefix("file ").expect(&place);
                    fs::write(folder.path().join(file), &block.text).expect(&place);
                }
            }
            // Rust blocks run as doctests of the library, those for Python in its own tests (scripts/test-python).
            "rust" | "python" => {}
            other => panic!("{place}: nothing tests blocks of `{other}`"),
        }
    }
}

fn assert_runs(command: &str, expected: &[&str], code: i32, folder: &Path, place: &str) {
    if ["scripts/test", "pip install ./python"].contains(&command) {
        // The first runs this test, and the next block inspects it; the other is run by scripts/test-python.
        return;
    }
    let arguments = arguments(command).unwrap_or_else(|| panic!("{place}: nothing tests `{command}`"));
    let program = env!("CARGO_BIN_EXE_aplomb");
    let Output { status, stdout, stderr } =
        Command::new(program).args(arguments).current_dir(folder).output().expect("the program starts");
    let output = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(code), "{place}: `{command}` said\n{output}");
    for line in expected {
        assert!(output.contains(line), "{place}: `{command}` did not say `{line}` but\n{output}");
    }
}

/// The command at the start of a block.
fn first_command(block: &Block) -> String {
    let line = block.text.lines().next().unwrap_or_default();
    line.strip_prefix("$ ").unwrap_or(line).to_string()
}

#[test]
fn the_first_two_commands_run_the_main_scene_and_all_tests() {
    let commands: Vec<String> =
        blocks(&readme()).into_iter().take(2).map(|block| first_command(&block)).collect();
    assert_eq!(commands, ["cargo run --release -- run scenes/balance_push.toml", "scripts/test"]);
}

#[cfg(unix)]
#[test]
fn the_checks_of_a_change_end_with_the_test_command_of_the_readme() {
    use std::os::unix::fs::PermissionsExt;
    for file in ["scripts/test", "scripts/install-tools", ".ci/run"] {
        let data = fs::metadata(root().join(file)).expect("the script is there");
        assert!(data.permissions().mode() & 0o111 == 0o111, "{file} cannot be executed");
    }
    let checks = fs::read_to_string(root().join(".ci/run")).expect("it can be read");
    assert_eq!(checks.lines().last(), Some("scripts/test"));
    let tests = fs::read_to_string(root().join("scripts/test")).expect("it can be read");
    assert!(tests.contains("cargo test --locked --workspace"));
}

#[test]
fn a_page_names_all_that_ships() {
    let text = fs::read_to_string(root().join("docs/what-ships.md")).expect("the page is there");
    let shipped = Folder::ALL.into_iter().flat_map(files::shipped);
    let missing: Vec<String> = shipped.filter(|name| !text.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/what-ships.md does not name {missing:?}");
}

/// All Markdown pages that users read.
fn documents() -> Vec<String> {
    let mut list = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "llms.txt"].map(String::from).to_vec();
    for folder in ["docs", "docs/tutorials"] {
        let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
        let names =
            entries.map(|entry| entry.expect("it can be read").file_name().into_string().expect("text"));
        list.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    list.sort();
    list
}

/// The anchors of the headings of a page.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let slug = |line: &str| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        heading.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(slug).collect()
}

#[test]
fn links_and_paths_in_the_documents_lead_somewhere() {
    let mut wrong = Vec::new();
    for document in documents() {
        let path = root().join(&document);
        let text = fs::read_to_string(&path).expect("the document is there");
        let prose: String = text.split("```").step_by(2).collect();
        let links = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.with_file_name("").join(file) };
            if !target.exists() {
                wrong.push(format!("{document} links to `{link}`, which is not there"));
                continue;
            }
            if !anchor.is_empty() {
                let known = anchors(&fs::read_to_string(&target).expect("it can be read"));
                if !known.iter().any(|known| known == anchor) {
                    wrong.push(format!("{document}: `{link}` has no such heading"));
                }
            }
        }
        let quoted: Vec<&str> = prose.split('`').skip(1).step_by(2).collect();
        let ours = [
            "docs/",
            "src/",
            "crates/",
            "tests/",
            "controllers/",
            "scenes/",
            "characters/",
            "scripts/",
            "plots/",
        ];
        let is_path = |name: &&str| {
            let named = ours.iter().any(|folder| name.starts_with(folder) && name.len() > folder.len());
            let is_written = [".svg", ".png", ".csv"].iter().any(|end| name.ends_with(end));
            named && !is_written && !name.contains([' ', 'K', '*', '<', 'N'])
        };
        for path in quoted.into_iter().filter(is_path) {
            if !root().join(path).exists() {
                wrong.push(format!("{document} names `{path}`, which is not there"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
