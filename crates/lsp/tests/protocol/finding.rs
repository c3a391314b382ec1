//! Diagnostics.

use super::editor::Editor;
use serde_json::{Value, json};

/// A controller of one state without a mistake.
pub(crate) const RIGHT: &str = "\
start = \"stand\"
[states.stand]
[[states.stand.objectives]]
name = \"upright\"
weight = 1.0
response = 0.3
of = { upright = { body = \"chest\" } }
[[states.stand.objectives]]
name = \"joints\"
weight = 0.1
of = { velocity = {} }
[[states.stand.objectives]]
name = \"balance\"
weight = 10.0
response = 0.3
of = { com_over_support = {} }
[[states.stand.objectives]]
name = \"height\"
weight = 10.0
response = 0.3
of = { com_height = { target = \"standing_height\" } }
[[states.stand.objectives]]
name = \"rest\"
weight = 0.1
response = 0.3
of = { pose = {} }
";

fn messages(found: &[Value]) -> Vec<&str> {
    found.iter().map(|found| found["message"].as_str().expect("a message")).collect()
}

#[test]
fn mistakes_are_shown_where_they_are_and_go_when_they_are_corrected() {
    let mut editor = Editor::start();
    editor.open("a.toml", &RIGHT.replace("chest", "chezt"));
    let found = editor.diagnostics("a.toml", 1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "aplomb");
    assert!(messages(&found)[0].contains("did you mean `chest`?"), "{found:?}");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 6, "character": 27 }));
    let range = json!({ "start": { "line": 6, "character": 27 }, "end": { "line": 6, "character": 32 } });
    editor.change("a.toml", 2, json!([{ "range": range, "text": "chest" }]));
    assert_eq!(messages(&editor.diagnostics("a.toml", 2)), [""; 0]);
    assert_eq!(editor.end(), Ok(()));
}

#[test]
fn warnings_have_their_rule_as_code() {
    let mut editor = Editor::start();
    editor.open("a.toml", &format!("{RIGHT}[states.nowhere]\n"));
    let found = editor.diagnostics("a.toml", 1);
    let unreachable = found.iter().find(|found| found["code"] == "unreachable-state").expect("a warning");
    assert_eq!(unreachable["severity"], 2);
    assert_eq!(unreachable["range"]["start"]["line"], RIGHT.lines().count());
}

#[test]
fn places_count_as_the_editor_does() {
    let text = RIGHT.replace("name = \"upright\"", "name = \"é𝄞\"").replace("{ upright", "{ uprigth");
    let wide = format!("# é𝄞\n{}", text.replace("response = 0.3\nof = { up", "\"é𝄞\" = 1\nof = { up"));
    for (capabilities, end) in
        [(json!({}), 5), (json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } }), 8)]
    {
        let mut editor = Editor::with(capabilities);
        editor.open("a.toml", &wide);
        let found = editor.diagnostics("a.toml", 1);
        let key = found.iter().find(|found| messages(std::slice::from_ref(found))[0].contains("é𝄞"));
        let range = &key.expect("an unknown key")["range"];
        assert_eq!(range["start"]["character"], 0, "{range}");
        assert_eq!(range["end"]["character"], end, "{range}");
    }
}

#[test]
fn a_scene_and_its_controller_are_judged_as_they_are_in_the_editor() {
    let mut editor = Editor::start();
    editor.write("mine.toml", "not what the editor has");
    editor.open("mine.toml", RIGHT);
    let scene = "duration = 1.0\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"mine.toml\"\n\
                 [success]\nup = { always = \"com_height > 0.5\" }\n";
    editor.open("scene.toml", scene);
    let errors = |found: Vec<Value>| -> Vec<Value> {
        found.into_iter().filter(|found| found["severity"] == 1).collect()
    };
    assert_eq!(errors(editor.diagnostics("mine.toml", 1)), [""; 0]);
    assert_eq!(errors(editor.diagnostics("scene.toml", 1)), [""; 0]);
    // A mistake in the controller shows in the scene at the reference, with its own place beside it.
    editor.change("mine.toml", 2, json!([{ "text": RIGHT.replace("com_over_support", "com_over_suport") }]));
    assert_eq!(errors(editor.diagnostics("mine.toml", 2)).len(), 1);
    let found = errors(editor.diagnostics("scene.toml", 1));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(messages(&found)[0].starts_with("mine.toml:16: "), "{found:?}");
    assert_eq!(found[0]["range"]["start"]["line"], 3);
    assert_eq!(found[0]["relatedInformation"][0]["location"]["uri"], editor.uri("mine.toml"));
}

#[test]
fn a_controller_is_judged_with_the_body_of_a_scene_beside_it() {
    let mut editor = Editor::start();
    let four = RIGHT.replace("chest", "left_hind_foot");
    editor.open("four.toml", &four);
    assert_eq!(editor.diagnostics("four.toml", 1), [""; 0], "the other shipped body has it");
    editor.write(
        "scenes/walk.toml",
        "duration = 1.0\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"../controllers/four.toml\"\n",
    );
    editor.open("controllers/four.toml", &four);
    let found = editor.diagnostics("controllers/four.toml", 1);
    assert!(messages(&found)[0].contains("left_hind_foot"), "{found:?}");
}

#[test]
fn plots_and_bodies_are_judged() {
    let mut editor = Editor::start();
    editor.open("plot.toml", "[[panels]]\nof.lines.chanels = [\"com.x\"]\n");
    let found = editor.diagnostics("plot.toml", 1);
    assert!(messages(&found).iter().any(|said| said.contains("did you mean `channels`?")), "{found:?}");
    editor.open("body.xml", "<mujoco><worldbody><body><geom size='1'/></worldbody></mujoco>");
    assert_eq!(editor.diagnostics("body.xml", 1).len(), 1);
}

#[test]
fn only_the_latest_version_counts_and_a_closed_text_shows_nothing() {
    let mut editor = Editor::start();
    editor.open("a.toml", "start = 1");
    for version in 2..60 {
        editor.change("a.toml", version, json!([{ "text": format!("start = {version}") }]));
    }
    editor.change("a.toml", 60, json!([{ "text": RIGHT }]));
    assert_eq!(editor.diagnostics("a.toml", 60), [""; 0]);
    let uri = editor.uri("a.toml");
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert!(editor.cleared("a.toml"));
}

#[test]
fn shipped_controllers_have_no_errors_and_planners_the_results_that_are_offered() {
    let mut editor = Editor::start();
    for (name, planner) in [("step_recovery", "capture_step"), ("step_recovery_preview", "preview_step")] {
        let folder = aplomb_language::files::Folder::Controllers;
        let text = aplomb_language::files::find_shipped(folder, name).expect("a controller").source.text;
        let asked = format!("{text}\n[states.one_more]\nwhile = \"{planner}.|\"\n");
        let offered = editor.offered("controllers/asked.toml", &asked);
        let is_result = |label: &String| label.starts_with(planner) && !label.contains("partner");
        let results: Vec<&String> = offered.iter().filter(|label| is_result(label)).collect();
        assert!(results.len() >= 4, "{offered:?}");
        let bound = results.iter().enumerate().map(|(k, result)| format!("number_{k} = \"{result}\""));
        let bound = bound.collect::<Vec<_>>().join(", ");
        let whole = format!("{text}\n[states.one_more]\neach_frame = {{ {bound} }}\n");
        editor.open("controllers/one_more.toml", &whole);
        let found = editor.diagnostics("controllers/one_more.toml", 1);
        let errors: Vec<_> = found.iter().filter(|found| found["severity"] == 1).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}
