//! Code actions.

use super::editor::{Editor, edited};
use super::finding::RIGHT;
use serde_json::{Value, json};

/// Titles of the code actions for each finding of a text, with the resulting text.
fn corrections(text: &str, keep_data: bool) -> Vec<(String, String)> {
    let mut editor = Editor::start();
    editor.open("a.toml", text);
    let uri = editor.uri("a.toml");
    let mut all = Vec::new();
    for mut diagnostic in editor.diagnostics("a.toml", 1) {
        if !keep_data && let Some(fields) = diagnostic.as_object_mut() {
            fields.remove("data");
        }
        let parameters = json!({
            "textDocument": { "uri": uri },
            "range": diagnostic["range"],
            "context": { "diagnostics": [diagnostic] },
        });
        let actions = editor.ask("textDocument/codeAction", parameters);
        for action in actions.as_array().expect("a list") {
            assert_eq!(action["kind"], "quickfix");
            let edits = action["edit"]["changes"][&uri].as_array().expect("edits");
            all.push((action["title"].as_str().unwrap_or_default().to_owned(), edited(text, edits)));
        }
    }
    all
}

fn is_right(text: &str) -> bool {
    let mut editor = Editor::start();
    editor.open("a.toml", text);
    editor.diagnostics("a.toml", 1).iter().all(|found| found["severity"] != 1)
}

#[test]
fn the_name_that_was_meant_is_put_in_place() {
    for (right, wrong) in [
        ("com_over_support = {}", "com_over_suport = {}"),
        ("\"chest\"", "\"chets\""),
        ("\"standing_height\"", "\"0.9 * standing_hight + 0\""),
        ("response = 0.3\nof = { pose", "respones = 0.3\nof = { pose"),
        ("start = \"stand\"", "start = \"stnad\""),
    ] {
        let text = format!("# é𝄞\n{}", RIGHT.replace(right, wrong));
        for keep_data in [true, false] {
            let found = corrections(&text, keep_data);
            let [(title, corrected)] = &found[..] else { panic!("{wrong}: {found:?}") };
            assert!(title.starts_with("Change `"), "{title}");
            assert!(is_right(corrected), "{wrong}:\n{corrected}");
        }
    }
}

#[test]
fn a_rule_is_allowed() {
    let text = format!("# a file\ntitle = \"T\"\n{RIGHT}[states.nowhere]\n");
    let found = corrections(&text, true);
    let (title, allowed) =
        found.iter().find(|(title, _)| title.contains("unreachable-state")).expect("an action");
    assert_eq!(title, "Allow `unreachable-state` in this file");
    assert!(
        allowed.starts_with("# a file\ntitle = \"T\"\nallow = [\"unreachable-state\"]\nstart"),
        "{allowed}"
    );
    let one = text.replace("start =", "allow = [\"unit-mismatch\"]\nstart =");
    let found = corrections(&one, true);
    let (_, allowed) =
        found.iter().find(|(title, _)| title.contains("unreachable-state")).expect("an action");
    assert!(allowed.contains("allow = [\"unit-mismatch\", \"unreachable-state\"]\n"), "{allowed}");
    let mut editor = Editor::start();
    editor.open("a.toml", allowed);
    let left = editor.diagnostics("a.toml", 1);
    assert!(left.iter().all(|found: &Value| found["code"] != "unreachable-state"), "{left:?}");
}
