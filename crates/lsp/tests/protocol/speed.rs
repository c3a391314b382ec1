//! How long requests take on the largest shipped controller:
//! `cargo test --release -p aplomb-lsp speed -- --ignored --nocapture`.

use super::editor::Editor;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// Repetitions of each request, at places all over the text.
const TIMES: usize = 60;

#[test]
#[ignore = "measures, and asserts nothing"]
fn speed_of_each_request_on_the_largest_controller() {
    // Where it is written: with the scenes that are beside it, and runs.
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../controllers").canonicalize().expect("a folder");
    let files = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let files = files.filter_map(|path| Some((std::fs::read_to_string(&path).ok()?, path)));
    let (text, path) = files.max_by_key(|(text, _)| text.len()).expect("a controller");
    let name = path.to_str().expect("a path");
    let mut editor = Editor::start();
    let lines: Vec<&str> = text.lines().collect();
    println!("{name}: {} lines, {} bytes", lines.len(), text.len());
    let opened = Instant::now();
    editor.open(name, &text);
    editor.diagnostics(name, 1);
    println!("{:32} {:8.2} ms", "open, until diagnostics", milliseconds(opened.elapsed()));
    let uri = editor.uri(name);
    for version in 2..5 {
        let changed = Instant::now();
        let start = json!({ "line": 1, "character": 0 });
        editor.change(name, version, json!([{ "range": { "start": start, "end": start }, "text": "\n" }]));
        editor.diagnostics(name, version);
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
