//! Completion.

use super::editor::Editor;
use serde_json::Value;

fn has(offered: &[String], names: &[&str]) {
    for name in names {
        assert!(offered.iter().any(|label| label == name), "{name} is not among {offered:?}");
    }
}

fn lacks(offered: &[String], names: &[&str]) {
    for name in names {
        assert!(offered.iter().all(|label| label != name), "{name} is among {offered:?}");
    }
}

#[test]
fn keys_of_the_table_are_offered_that_are_not_there() {
    let mut editor = Editor::start();
    let offered = editor.offered("a.toml", "start = \"a\"\n[states.a]\nuntil = \"true\"\n|\n[states.b]\n");
    has(&offered, &["while", "to", "else", "let", "objectives"]);
    lacks(&offered, &["until", "duration", "weight"]);
    let offered = editor.offered("b.toml", "start = \"a\"\n[[objectives]]\nname = \"x\"\nwei|");
    has(&offered, &["weight", "response", "of"]);
    let items =
        editor.items("c.toml", "start = \"a\"\n[[objectives]]\nname = \"x\"\nof = { | \nweight = 1\n");
    let upright = items.iter().find(|item| item["label"] == "upright").expect("a kind");
    assert_eq!(upright["textEdit"]["newText"], "upright = { body = \"$1\" }");
    assert!(upright["documentation"]["value"].as_str().is_some_and(|text| text.contains("back straight")));
    let offered = editor.offered("scene.toml", "duration = 1\n[events.push]\n|");
    has(&offered, &["at", "impulse", "body"]);
    let offered = editor.offered("plot.toml", "[[panels]]\nof = { lines = { | } }");
    has(&offered, &["channels", "labels"]);
}

#[test]
fn an_empty_file_may_become_any_and_others_are_left_alone() {
    let mut editor = Editor::start();
    has(&editor.offered("a.toml", "|"), &["start", "states", "duration", "characters", "panels"]);
    let cargo = "[package]\nname = \"x\"\n|\n[dependencies]\n";
    assert_eq!(editor.offered("Cargo.toml", cargo), [""; 0]);
    assert_eq!(editor.diagnostics("Cargo.toml", 1), [""; 0]);
    assert_eq!(editor.diagnostics("a.toml", 1), [""; 0]);
}

#[test]
fn headers_are_offered() {
    let mut editor = Editor::start();
    let offered = editor.offered("a.toml", "start = \"a\"\n[states.a]\n[[states.|\n");
    has(&offered, &["a"]);
    let offered = editor.offered("b.toml", "start = \"a\"\n[states.a]\n[[states.a.|]]\n");
    has(&offered, &["objectives"]);
    let offered = editor.offered("c.toml", "start = \"a\"\n[pl|");
    has(&offered, &["planner", "parameters", "define", "states"]);
    lacks(&offered, &["title"]);
}

const OWN: &str = "start = \"a\"\n[parameters]\ngain = 2.0  # how stiff\nv = [0, 0, 1]\n\
                   [commands.speed]\ndefault = 1.0\n[define]\nlow = \"0.9 * standing_height\"\n\
                   [planner.capture_step]\n[states.a]\nlet = { pivot = \"left_sole\" }\nto = [\"b\"]\n";

#[test]
fn an_expression_is_offered_every_name_it_may_use() {
    let mut editor = Editor::start();
    let items = editor.items("a.toml", &format!("{OWN}while = \"co|\n[states.b]\n"));
    let offered: Vec<String> =
        items.iter().filter_map(|item| item["label"].as_str().map(str::to_owned)).collect();
    has(&offered, &["gain", "v", "speed", "low", "capture_step.target", "pivot", "a", "b"]);
    has(&offered, &["com_height", "touches", "visits", "norm", "count", "objects", "state_time", "pi"]);
    has(&offered, &["chest", "left_sole", "left_knee", "ground"]);
    lacks(&offered, &["weight_of", "objectives", "capture_step.nothing"]);
    let find = |name: &str| items.iter().find(|item| item["label"] == name).expect("an item");
    assert_eq!(find("com_height")["detail"], "quantity, m");
    let about = |item: &Value| item["documentation"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(about(find("gain")).contains("how stiff") && about(find("gain")).contains("2.0"));
    assert_eq!(find("norm")["textEdit"]["newText"], "norm($1)");
    // The typed part of the name is replaced.
    assert_eq!(find("com_height")["textEdit"]["range"]["start"]["character"], 9);
    assert_eq!(find("com_height")["textEdit"]["range"]["end"]["character"], 11);
}

#[test]
fn names_of_the_type_that_is_wanted_come_first() {
    let mut editor = Editor::start();
    let first = |items: Vec<Value>, name: &str| {
        let item = items.iter().find(|item| item["label"] == name).expect("an item").clone();
        item["sortText"].as_str().is_some_and(|text| text.starts_with('0'))
    };
    let items = editor.items("a.toml", "start = \"a\"\n[states.a]\nwhile = \"tilt(|");
    assert!(
        first(items.clone(), "chest") && !first(items.clone(), "com_height") && !first(items, "left_knee")
    );
    let items = editor.items("b.toml", "start = \"a\"\n[states.a]\nwhile = \"angle(|)");
    assert!(first(items.clone(), "left_knee") && !first(items, "chest"));
    let items = editor.items("c.toml", "start = \"a\"\n[states.a]\nwhile = \"visits(|) > 1\"\n[states.b]");
    assert!(first(items.clone(), "a") && first(items, "b"));
    let items = editor.items("d.toml", "start = \"a\"\n[[objectives]]\nof = { upright = { body = \"|");
    assert!(first(items.clone(), "chest") && first(items, "left_foot"));
}

#[test]
fn components_of_vectors_are_offered_after_a_dot() {
    let mut editor = Editor::start();
    let offered = editor.offered("a.toml", &format!("{OWN}while = \"v.| > 1\"\n"));
    has(&offered, &["v.x", "v.y", "v.z"]);
    let offered = editor.offered("b.toml", &format!("{OWN}while = \"com.|\n"));
    has(&offered, &["com.z"]);
    let offered = editor.offered("c.toml", &format!("{OWN}while = \"gain.|\n"));
    lacks(&offered, &["gain.x"]);
}

#[test]
fn states_are_offered_where_one_is_wanted() {
    let mut editor = Editor::start();
    let text =
        "start = \"a\"\n[states.a]\ndoc = \"on both feet\"\nto = [\"|\n[states.\"left down\"]\n[states.b]\n";
    let items = editor.items("a.toml", text);
    let labels: Vec<&str> = items.iter().filter_map(|item| item["label"].as_str()).collect();
    assert_eq!(labels, ["a", "left down", "b"]);
    assert_eq!(items[0]["documentation"]["value"], "on both feet");
    // Without quotes in the text, completions include them.
    let items = editor.items("b.toml", "start = |\n[states.a]\n");
    assert_eq!(items[0]["textEdit"]["newText"], "\"a\"");
    let items =
        editor.items("c.toml", "start = \"a\"\n[states.a]\nwhile = \"visits(|\n[states.\"left down\"]\n");
    let quoted = items.iter().find(|item| item["label"] == "left down").expect("a state");
    assert_eq!(quoted["textEdit"]["newText"], "'left down'");
}

#[test]
fn included_controllers_lend_their_names() {
    let mut editor = Editor::start();
    editor.write("parts/step.toml", "start = \"left_lift\"\n[parameters]\nreach = 1.0\n[states.left_lift]\n");
    let include = "start = \"a\"\n[include.step]\nfile = \"parts/step.toml\"\nmirror = true\n";
    let offered = editor.offered("a.toml", &format!("{include}[states.a]\nto = [\"|\n"));
    assert_eq!(offered, ["step", "a", "step.right_lift"], "mirrored");
    let offered = editor.offered("b.toml", &format!("{include}[states.a]\nwhile = \"step.|\n"));
    has(&offered, &["step.reach"]);
    let offered = editor.offered("d.toml", &format!("{include}start = \"|\n"));
    assert_eq!(offered, ["right_lift"]);
    let offered = editor.offered("c.toml", &format!("{include}[include.step.parameters]\n|\n"));
    assert_eq!(offered, ["reach"]);
}

#[test]
fn choices_files_joints_rules_and_scene_names_are_offered() {
    let mut editor = Editor::start();
    let offered = editor.offered("a.toml", "start = \"a\"\n[states.a]\ndrive = \"|");
    assert_eq!(offered, ["torques", "limp", "ragdoll"]);
    let offered = editor.offered("b.toml", "start = \"a\"\n[[objectives]]\nhard = |");
    assert_eq!(offered, ["true", "false"]);
    let offered = editor.offered("c.toml", "start = \"a\"\n[[objectives]]\njoints = [\"|");
    has(&offered, &["arms", "left_knee"]);
    let offered = editor.offered("d.toml", "start = \"a\"\nallow = [\"|");
    has(&offered, &["unreachable-state"]);
    editor.write(
        "mine.toml",
        "start = \"a\"\n[[objectives]]\nname = \"own goal\"\n[commands.speed]\n[states.a]\n",
    );
    let scene = "duration = 1\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"mine.toml\"\n\
                 [obstacles.box]\n[events.e]\n";
    let offered = editor.offered("e.toml", "duration = 1\n[characters.hero]\ncontroller = \"|");
    has(&offered, &["mine.toml", "balance", "paper/balance"]);
    let offered = editor.offered("f.toml", &format!("{scene}objective = \"|"));
    assert_eq!(offered, ["own goal"]);
    let offered = editor.offered("g.toml", &format!("{scene}obstacle = \"|"));
    assert_eq!(offered, ["box", "ground"]);
    let offered = editor.offered("k.toml", &format!("{scene}[events.f]\nafter = \"|"));
    assert_eq!(offered, ["e", "f"]);
    let offered = editor.offered("h.toml", &format!("{scene}command = \"|"));
    assert_eq!(offered, ["speed"]);
    let offered =
        editor.offered("i.toml", &format!("{scene}[success]\nup = {{ always = \"touches_surface(|"));
    has(&offered, &["box", "com_height", "a"]);
    let offered =
        editor.offered("j.toml", "start = \"a\"\n[[objectives]]\nof = { pose = { angles = { | } } }");
    has(&offered, &["left_knee"]);
}

#[test]
fn a_number_that_is_written_is_left_alone() {
    let mut editor = Editor::start();
    assert_eq!(editor.offered("a.toml", "start = \"a\"\n[[objectives]]\nweight = 1|"), [""; 0]);
    has(&editor.offered("b.toml", "start = \"a\"\n[[objectives]]\nweight = co|"), &["com_height"]);
}

#[test]
fn an_editor_without_snippets_gets_none() {
    let mut editor = Editor::with(serde_json::json!({}));
    let items = editor.items("c.toml", "start = \"a\"\n[[objectives]]\nof = { |");
    assert!(items.iter().all(|item| !item["textEdit"]["newText"].as_str().unwrap_or("$").contains('$')));
    assert!(items.iter().all(|item| item["insertTextFormat"].is_null()));
}
