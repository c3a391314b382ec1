//! How long requests take on the largest shipped controller:
//! `cargo test --release -p aplomb-lsp speed -- --ignored --nocapture`.

use super::editor::Editor;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Repetitions of each request, at places all over the text.
const TIMES: usize = 60;

#[test]
#[ignore = "measures, and asserts nothing"]
fn speed_of_each_request_on_the_largest_controller() {
    let text = aplomb_language::files::shipped(aplomb_language::files::Folder::Controllers)
        .into_iter()
        .filter_map(|name| {
            aplomb_language::files::find_shipped(aplomb_language::files::Folder::Controllers, &name).ok()
        })
        .map(|found| found.source.text.to_string())
        .max_by_key(String::len)
        .expect("a controller");
    let mut editor = Editor::start();
    let lines: Vec<&str> = text.lines().collect();
    println!("{} lines, {} bytes", lines.len(), text.len());
    let opened = Instant::now();
    editor.open("controllers/big.toml", &text);
    editor.diagnostics("controllers/big.toml", 1);
    println!("{:32} {:8.2} ms", "open, until diagnostics", milliseconds(opened.elapsed()));
    let uri = editor.uri("controllers/big.toml");
    for version in 2..5 {
        let changed = Instant::now();
        let start = json!({ "line": 1, "character": 0 });
        editor.change(
            "controllers/big.toml",
            version,
            json!([{ "range": { "start": start, "end": start }, "text": "\n" }]),
        );
        editor.diagnostics("controllers/big.toml", version);
        println!("{:32} {:8.2} ms", "change, until diagnostics", milliseconds(changed.elapsed()));
    }
    for method in [
        "completion",
        "hover",
        "definition",
        "references",
        "documentHighlight",
        "documentSymbol",
        "codeAction",
        "prepareRename",
        "rename",
    ] {
        let mut taken: Vec<Duration> = Vec::new();
        for number in 0..TIMES {
            let line = number * lines.len() / TIMES;
            let middle = lines[line].find('"').map_or(lines[line].len() / 2, |quote| quote + 2);
            let position = json!({ "line": line, "character": middle.min(lines[line].len()) });
            let parameters: Value = json!({
                "textDocument": { "uri": uri },
                "position": position,
                "range": { "start": position, "end": position },
                "context": { "triggerKind": 1, "diagnostics": [], "includeDeclaration": true },
                "newName": "another_name",
            });
            let asked = Instant::now();
            _ = editor.try_ask(&format!("textDocument/{method}"), parameters);
            taken.push(asked.elapsed());
        }
        taken.sort();
        let [middle, most] = [taken[TIMES / 2], taken[TIMES - 1]].map(milliseconds);
        println!("{method:32} {middle:8.2} ms median, {most:8.2} ms at most");
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
