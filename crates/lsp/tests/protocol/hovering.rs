//! Hover, with values of the last run.

use super::editor::Editor;
use std::time::{Duration, Instant};

const TEXT: &str = "start = \"a\"\n[parameters]\ngain = 2.0  # how stiff\n[commands.speed]\ndefault = 1.0\n\
                    unit = \"m/s\"\ndoc = \"How fast.\"\n[define]\nlow = \"0.9 * standing_height\"\n\
                    [states.a]\ndoc = \"On both feet.\"\nlet = { pivot = \"left_sole\" }\n\
                    until = \"com_height < low\"\nto = [\"b\"]\nelse = \"a\"\n[states.b]\n";

/// Hover text at a position, given by the strings before and after it.
fn hover(before: &str, after: &str) -> String {
    let mut editor = Editor::start();
    let whole = format!("{before}{after}");
    assert!(TEXT.contains(&whole), "{whole}");
    editor.hover("a.toml", &TEXT.replacen(&whole, &format!("{before}|{after}"), 1))
}

#[test]
fn keys_and_their_kinds_are_described() {
    let said = hover("unt", "il");
    assert!(said.starts_with("**until** (expression)") && said.contains("The state is left when"), "{said}");
    let mut editor = Editor::start();
    let said = editor.hover("b.toml", "start = \"a\"\n[[objectives]]\nof = { upr|ight = {} }");
    assert!(said.contains("keeps the back straight") && said.contains("r = horizontal part"), "{said}");
    let said = editor.hover("c.toml", "start = \"a\"\n[states.a]\ndrive = \"lim|p\"");
    assert!(said.contains("joint torques are 0"), "{said}");
    let said = editor.hover("d.toml", "start = \"a\"\nallow = [\"unreachable-st|ate\"]");
    assert!(said.contains("rule **unreachable-state**"), "{said}");
    let said = editor.hover("e.toml", "duration = 1\n[characters.a]\ncontroller = \"bal|ance\"");
    assert!(said.starts_with("controller `balance`\n\n"), "{said}");
}

#[test]
fn names_have_unit_formula_and_sentence() {
    let said = hover("com_he", "ight");
    assert!(said.contains("com_height [m]") && said.contains("quantity"), "{said}");
    let said = hover("< l", "ow");
    assert_eq!(said, "```\nlow = 0.9 * standing_height [m]\n```\ndefinition");
    let said = hover("ga", "in");
    assert_eq!(said, "```\ngain = 2.0\n```\nparameter\n\nhow stiff");
    let said = hover("piv", "ot");
    assert_eq!(said, "```\npivot = left_sole\n```\nbinding of `a`");
    let said = hover("[commands.spe", "ed");
    assert_eq!(said, "```\nspeed = 1.0 [m/s]\n```\ncommand\n\nHow fast.");
    let said = hover("left_", "sole");
    assert!(said.contains("role of a point") || said.contains("site"), "{said}");
}

#[test]
fn a_state_says_where_it_goes() {
    let said = hover("start = \"", "a");
    assert_eq!(said, "state **a**\n\nOn both feet.\n\nuntil `com_height < low`\n\nGoes to `b`, else `a`.");
    assert!(hover("[\"", "b\"]").contains("Goes nowhere."));
}

#[test]
fn values_of_the_last_run_are_shown() {
    let mut editor = Editor::start();
    let controller = super::finding::RIGHT.replace(
        "[states.stand]\n",
        "[states.stand]\neach_frame = { tall = \"com_height\" }\nlet = { foot = \"left_sole\" }\n",
    );
    editor.write("mine.toml", &controller);
    editor.write(
        "scene.toml",
        "duration = 0.1\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"mine.toml\"\n",
    );
    let path = editor.path("scene.toml");
    let files = aplomb_scene::load(path.to_str().expect("a path"), &[]).expect("a scene");
    let mut run = aplomb_scene::Run::bind(&files).expect("a run");
    let header = aplomb_scene::header(&files, &run);
    std::fs::create_dir_all(editor.path("runs/scene")).expect("made");
    let trace = editor.path("runs/scene/trace.mcap");
    let mut writer = aplomb_trace::TraceWriter::create(&trace, &header).expect("a trace");
    let last = run.finish(|_, result| Ok::<(), Box<dyn std::error::Error>>(writer.write(&result.frame())?));
    writer.write(&last.expect("a run")).expect("written");
    writer.finish().expect("finished");
    let ask = |editor: &mut Editor, before: &str, after: &str| {
        let marked = controller.replacen(&format!("{before}{after}"), &format!("{before}|{after}"), 1);
        let since = Instant::now();
        loop {
            let said = editor.hover("mine.toml", &marked);
            // The trace is read in parallel with the requests.
            if said.contains("last run") || since.elapsed() > Duration::from_secs(20) {
                return said;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let said = ask(&mut editor, "{ ta", "ll");
    assert!(said.contains("In the last run, `runs/scene` (to 0.1") && said.contains("at the end"), "{said}");
    let said = ask(&mut editor, "[states.st", "and]");
    assert!(said.contains("entered once, 0.1"), "{said}");
    let said = ask(&mut editor, "name = \"ba", "lance\"");
    assert!(said.contains("* weight 10 at the end") && said.contains("* cost"), "{said}");
    let said = ask(&mut editor, "{ fo", "ot");
    assert!(said.contains("`left_sole` at the end"), "{said}");
}
