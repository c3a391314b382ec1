//! Definitions, references, symbols, and other names.

use super::editor::{Editor, edited};
use serde_json::{Value, json};

const TEXT: &str = "start = \"a\"\n[parameters]\ngain = 2.0\nv = [0, 0, 1]\n[define]\nlow = \"gain * v.x\"\n\
                    [states.a]\nlet = { side = \"left_sole\" }\n\
                    while = \"visits(a) < gain and any(gain > 1 for gain in objects)\"\nto = [\"b\"]\n\
                    [[states.a.objectives]]\nname = \"é a gain\"\nweight = \"max(0, gain * low)\"\n\
                    of.body_point = { body = \"left_foot\", target = [0, \"gain\", \"position(side).z\"] }\n\
                    [states.b]\nuntil = \"previous_state == a\"\nelse = \"a\"\n\
                    each_frame = { side = \"side if gain > 1 else right_sole\" }\n\
                    [include.step.states.lift.objectives.foot]\nweight = \"2 * gain\"\n";

/// The text after a name is changed at a position, or the reason for a refusal.
fn renamed(before: &str, after: &str, new: &str) -> Result<String, String> {
    let mut editor = Editor::start();
    let marked = TEXT.replacen(&format!("{before}{after}"), &format!("{before}|{after}"), 1);
    let mut parameters = editor.open_at("a.toml", &marked);
    parameters["newName"] = json!(new);
    let uri = editor.uri("a.toml");
    let answer = editor.try_ask("textDocument/rename", parameters).map_err(|(_, message)| message)?;
    let edits = answer["changes"][&uri].as_array().expect("edits").clone();
    Ok(edited(TEXT, &edits))
}

#[test]
fn a_parameter_is_renamed_everywhere_but_where_it_is_hidden() {
    let text = renamed("ga", "in = 2.0", "stiff").expect("renamed");
    let meant =
        TEXT.replace("gain", "stiff").replace("any(stiff > 1 for stiff in", "any(gain > 1 for gain in");
    // An expression that has a variable of the name is left alone, and an objective's name is text.
    let meant = meant.replace("visits(a) < stiff", "visits(a) < gain").replace("é a stiff", "é a gain");
    assert_eq!(text, meant);
    assert_eq!(renamed("\"ga", "in * v.x", "stiff").expect("from a use"), meant);
}

#[test]
fn a_state_is_renamed_in_headers_exits_and_expressions() {
    let text = renamed("start = \"", "a", "left down").expect("renamed");
    for line in [
        "start = \"left down\"",
        "[states.\"left down\"]",
        "while = \"visits('left down') < gain and any(gain > 1 for gain in objects)\"",
        "[[states.\"left down\".objectives]]",
        "name = \"é a gain\"",
        "until = \"previous_state == 'left down'\"",
        "else = \"left down\"",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} is not in\n{text}");
    }
    assert_eq!(text.matches("left down").count(), 6);
}

#[test]
fn a_binding_is_renamed_in_all_states() {
    let text = renamed("{ si", "de = ", "foot").expect("renamed");
    assert_eq!(text, TEXT.replace("side", "foot"));
}

#[test]
fn names_that_clash_or_are_none_are_refused() {
    let refused = |new| renamed("ga", "in = 2.0", new).expect_err("refused");
    assert_eq!(refused("low"), "`low` is already a definition");
    assert_eq!(refused("com_height"), "`com_height` is already a quantity");
    assert_eq!(refused("chest"), "`chest` is already a body");
    assert!(refused("1st").contains("cannot be a name"));
    assert!(refused("and").contains("cannot be a name"));
    assert!(refused("").contains("cannot be a name"));
    let refused = |new| renamed("start = \"", "a", new).expect_err("refused");
    assert_eq!(refused("b"), "`b` is already a state");
    assert!(refused("a.b").contains("cannot be a name"));
    assert!(renamed("wh", "ile", "x").expect_err("refused").contains("no name to change here"));
    assert!(renamed("left_", "sole", "x").expect_err("refused").contains("no name to change here"));
}

#[test]
fn what_can_be_renamed_is_said_before() {
    let mut editor = Editor::start();
    let at = editor.open_at("a.toml", &TEXT.replacen("v.x", "v|.x", 1));
    let answer = editor.ask("textDocument/prepareRename", at);
    assert_eq!(answer["placeholder"], "v");
    let characters = [&answer["range"]["start"]["character"], &answer["range"]["end"]["character"]];
    assert_eq!(characters.map(Value::as_u64), [Some(14), Some(15)]);
}

#[test]
fn definitions_and_references_are_found() {
    let mut editor = Editor::start();
    editor.write("parts/step.toml", "start = \"lift\"\n[states.lift]\n");
    let text = format!("{TEXT}[include.step]\nfile = \"parts/step.toml\"\n");
    let place = |editor: &mut Editor, marked: &str| {
        let at = editor.open_at("a.toml", marked);
        editor.ask("textDocument/definition", at)
    };
    let found = place(&mut editor, &text.replacen("* low", "* l|ow", 1));
    assert_eq!(found["range"]["start"], json!({ "line": 5, "character": 0 }));
    let found = place(&mut editor, &text.replacen("[\"b\"]", "[\"b|\"]", 1));
    assert_eq!(found["range"]["start"], json!({ "line": 14, "character": 8 }));
    let found = place(&mut editor, &text.replacen("parts/step", "parts/|step", 1));
    assert_eq!(found["uri"], editor.uri("parts/step.toml"));
    let found = place(&mut editor, &text.replacen("[\"b\"]", "[\"step.li|ft\"]", 1));
    assert_eq!(found["uri"], editor.uri("parts/step.toml"));
    assert_eq!(found["range"]["start"], json!({ "line": 1, "character": 8 }));

    let mut at = editor.open_at("b.toml", &TEXT.replacen("start = \"a", "start = \"|a", 1));
    at["context"] = json!({ "includeDeclaration": false });
    let found = editor.ask("textDocument/references", at.clone());
    assert_eq!(found.as_array().map(Vec::len), Some(4));
    at["context"] = json!({ "includeDeclaration": true });
    assert_eq!(editor.ask("textDocument/references", at.clone()).as_array().map(Vec::len), Some(6));
    assert_eq!(editor.ask("textDocument/documentHighlight", at).as_array().map(Vec::len), Some(6));
}

#[test]
fn a_text_has_symbols() {
    let mut editor = Editor::start();
    editor.open("a.toml", TEXT);
    let uri = editor.uri("a.toml");
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().cloned().unwrap_or_default();
        list.iter().filter_map(|symbol| Some(symbol["name"].as_str()?.to_owned())).collect()
    };
    assert_eq!(names(&symbols), ["gain", "v", "low", "a", "b", "step"]);
    assert_eq!(names(&symbols[3]["children"]), ["é a gain"]);
    let [start, end] = ["start", "end"].map(|end| symbols[3]["range"][end]["line"].as_u64());
    assert_eq!((start, end), (Some(6), Some(14)), "to the next state");
    let scene = "duration = 1\n[characters.hero]\nmodel = \"adult\"\n[events]\npush = { at = 1 }\n\
                 [success]\nup.always = \"true\"\n";
    editor.open("scene.toml", scene);
    let uri = editor.uri("scene.toml");
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(names(&symbols), ["hero", "push", "up"]);
}
