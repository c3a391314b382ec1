//! Messages that no editor should send.

use super::editor::Editor;
use super::finding::RIGHT;
use serde_json::{Value, json};

const METHODS: [&str; 9] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/codeAction",
    "textDocument/prepareRename",
    "textDocument/rename",
];

const INVALID_PARAMETERS: i32 = -32602;

fn parameters(uri: &str, line: u64, character: u64) -> Value {
    let position = json!({ "line": line, "character": character });
    json!({
        "textDocument": { "uri": uri },
        "position": position,
        "range": { "start": position, "end": { "line": 0, "character": 0 } },
        "context": { "triggerKind": 1, "diagnostics": [], "includeDeclaration": true },
        "newName": "other",
    })
}

#[test]
fn unknown_requests_and_texts_that_are_not_open_are_errors() {
    let mut editor = Editor::start();
    let (code, message) = editor.try_ask("textDocument/moniker", json!({})).expect_err("unknown");
    assert_eq!((code, message.as_str()), (-32601, "there is no request `textDocument/moniker`"));
    for method in METHODS {
        for nonsense in [json!(null), json!([]), json!("x"), json!({ "textDocument": 7, "position": -1 })] {
            assert_eq!(editor.try_ask(method, nonsense).expect_err(method).0, INVALID_PARAMETERS);
        }
        let (code, message) =
            editor.try_ask(method, parameters("file:///not/open.toml", 0, 0)).expect_err(method);
        assert_eq!(code, INVALID_PARAMETERS);
        assert_eq!(message, "`file:///not/open.toml` is not open");
    }
    for nonsense in ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "x/y", "$/z"]
    {
        editor.tell(nonsense, json!({ "textDocument": null }));
    }
    let uri = editor.uri("closed.toml");
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    editor.change("closed.toml", 3, json!([{ "text": "a" }]));
    assert_eq!(editor.end(), Ok(()));
}

#[test]
fn places_outside_of_a_text_are_no_trouble() {
    let mut editor = Editor::start();
    for (name, text) in [("empty.toml", ""), ("a.toml", RIGHT), ("crlf.toml", &RIGHT.replace('\n', "\r\n"))] {
        editor.open(name, text);
        let uri = editor.uri(name);
        for (line, character) in [(0, 0), (0, 9_999), (9_999, 0), (u64::from(u32::MAX), u64::from(u32::MAX))]
        {
            for method in METHODS {
                // Renaming fails without a name at the position.
                let answer = editor.try_ask(method, parameters(&uri, line, character));
                assert!(answer.is_ok() || method.ends_with("ename"), "{method} {answer:?}");
            }
        }
    }
}

#[test]
fn every_request_has_an_answer_at_every_place_of_a_broken_text() {
    let mut editor = Editor::start();
    let text = "start = \"ü𝄞\n[states.'a b\".x]]\nlet = { a = \"a.b.c(\", ]\nto = [\"\"\"x\ny\n\"a\\\n\
                [[states.\nwhile = 'com. + (\n= 3\n";
    editor.open("a.toml", text);
    let uri = editor.uri("a.toml");
    for (line, content) in text.lines().enumerate() {
        for character in 0..=content.encode_utf16().count() {
            for method in METHODS {
                let answer = editor.try_ask(method, parameters(&uri, line as u64, character as u64));
                if let Err((code, message)) = answer {
                    assert_eq!(code, -32803, "{method} at {line}:{character}: {message}");
                }
            }
        }
    }
}

#[test]
fn long_lines_deep_nesting_and_texts_without_a_file_are_no_trouble() {
    let mut editor = Editor::start();
    let long =
        format!("start = \"{}\"\n[states.a]\nwhile = \"{}\"\n", "x".repeat(300_000), "(".repeat(100_000));
    let deep = format!("start = \"a\"\n[states.a]\nlet = {}", "{ a = [".repeat(20_000));
    let dotted = format!("start = \"a\"\n{} = 1\n[{}]\n", "a.".repeat(20_000), "b.".repeat(20_000));
    for (name, text) in [("long.toml", long), ("deep.toml", deep), ("dotted.toml", dotted)] {
        editor.open(name, &text);
        let uri = editor.uri(name);
        for method in METHODS {
            _ = editor.try_ask(method, parameters(&uri, 2, 40));
        }
        editor.diagnostics(name, 1);
    }
    let item = json!({ "uri": "untitled:Untitled-1", "languageId": "toml", "version": 1, "text": RIGHT });
    editor.tell("textDocument/didOpen", json!({ "textDocument": item }));
    let answer = editor.ask("textDocument/hover", parameters("untitled:Untitled-1", 0, 2));
    assert!(answer["contents"]["value"].is_string(), "{answer}");
    assert_eq!(editor.end(), Ok(()));
}

#[test]
fn after_a_shutdown_nothing_is_answered() {
    let mut editor = Editor::start();
    editor.ask("shutdown", Value::Null);
    assert_eq!(editor.try_ask("textDocument/hover", json!({})).expect_err("refused").0, -32600);
    let mut editor = Editor::start();
    editor.tell("exit", Value::Null);
    assert!(editor.ended().expect_err("an error").contains("before `shutdown`"));
}
