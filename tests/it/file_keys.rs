//! `docs/files.md` describes every key as the types do, and shipped files fit the schemas.
//!
//! The JSON Schemas in `docs/schemas/`, and the tables of the manual between `<!-- … -->` and `<!-- end -->`, are
//! generated from the types that files are read into. `UPDATE_DOCS=1 cargo test file_keys` rewrites them.

mod validate;

use aplomb::controller::{ControllerSpec, quantity};
use aplomb::language::diagnostic::Source;
use aplomb::language::files::{self, Folder};
use aplomb::objective::ObjectiveSpec;
use aplomb::scene::SceneSpec;
use aplomb::view::plot::figure::Figure;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const END: &str = "<!-- end -->";
const HOW: &str = "`UPDATE_DOCS=1 cargo test file_keys` writes it anew";
/// Kinds of files, and the name in the manual of the type that they are read into.
const ROOTS: [(&str, &str, Folder); 3] = [
    ("scene", "SceneSpec", Folder::Scenes),
    ("controller", "ControllerSpec", Folder::Controllers),
    ("plot", "Figure", Folder::Plots),
];

#[test]
fn the_manual_of_files_says_what_the_types_say() {
    let types = types();
    let path = root().join("docs/files.md");
    let written = fs::read_to_string(&path).expect("there is a manual");
    let mut made = String::new();
    let mut rest = written.as_str();
    let mut tables = BTreeSet::new();
    while let Some((before, after)) = rest.split_once("<!-- ") {
        let (what, after) = after.split_once(" -->").expect("a comment ends");
        let (_, after) = after.split_once(END).expect("a table ends");
        made += &format!("{before}<!-- {what} -->\n\n{}\n{END}", table(&types, what));
        assert!(tables.insert(what.to_string()), "docs/files.md has two tables of {what}");
        rest = after;
    }
    made += rest;
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &made).expect("the manual can be written");
    } else if let Some((number, (has, wants))) =
        written.lines().zip(made.lines()).enumerate().find(|(_, (has, wants))| has != wants)
    {
        panic!("docs/files.md:{}: has\n  {has}\nbut the types say\n  {wants}\n{HOW}", number + 1);
    } else {
        assert_eq!(written.len(), made.len(), "docs/files.md: {HOW}");
    }
    let tables_of_keys = types.iter().filter(|(_, schema)| schema["additionalProperties"] == false);
    for (name, _) in tables_of_keys {
        let table = format!("keys of {}", name.split('_').next().expect("a name"));
        assert!(tables.contains(&table), "docs/files.md needs a section with `<!-- {table} -->`");
    }
    for (kind, sentence) in ObjectiveSpec::list() {
        let heading = format!("### {kind}\n\n{sentence}");
        assert!(made.contains(&heading), "docs/files.md needs a section\n{heading}");
    }
}

#[test]
fn every_key_has_a_sentence() {
    for (name, schema) in &types() {
        for (key, value) in properties(schema) {
            assert!(value["description"].is_string(), "`{key}` of {name} has no doc comment");
        }
    }
}

#[test]
fn shipped_files_fit_the_schemas() {
    for (kind, _, folder) in ROOTS {
        let schema = schema(kind);
        for name in files::shipped(folder) {
            let source = files::find(folder, &name, None).unwrap().source;
            let file: Value = toml::from_str(&source.text).unwrap();
            assert_eq!(validate::mistakes(&schema, &file), Vec::<String>::new(), "{}", source.name);
        }
    }
}

#[test]
fn files_with_mistakes_do_not_fit_the_schemas() {
    let scene = "duration = 1.0\n[passive.cloth]\nkind = \"rope\"\nends = [[0, 0, 1], [1, 0, 1]]\nsticks = 3\nmass = 1.0\n";
    let mistakes = |text: &str| validate::mistakes(&schema("scene"), &toml::from_str(text).unwrap());
    assert_eq!(mistakes(scene), Vec::<String>::new());
    let wrong = [
        ("duration = 1.0", "duration = \"long\""),
        ("duration = 1.0", "durration = 1.0"),
        ("kind = \"rope\"", "kind = \"rop\""),
        ("mass = 1.0", "mass = 1.0\nheld = []"),
        ("[1, 0, 1]]", "[1, 0]]"),
        ("mass = 1.0", "fixed = [\"third\"]\nmass = 1.0"),
        ("mass = 1.0\n", ""),
    ];
    for (right, wrong) in wrong {
        assert_ne!(mistakes(&scene.replace(right, wrong)), Vec::<String>::new(), "{wrong}");
    }
}

/// Adds an element to each array of the value in turn, and calls `see` with the whole value and the key of the array.
fn lengthen(value: &Value, key: &str, see: &mut dyn FnMut(&str, Value)) {
    match value {
        Value::Object(table) => {
            for (name, inner) in table {
                lengthen(inner, name, &mut |key, longer| {
                    let mut table = table.clone();
                    table.insert(name.clone(), longer);
                    see(key, Value::Object(table));
                });
            }
        }
        Value::Array(list) => {
            if let Some(last) = list.last() {
                see(key, Value::Array([&list[..], std::slice::from_ref(last)].concat()));
            }
            for (index, inner) in list.iter().enumerate() {
                lengthen(inner, key, &mut |key, longer| {
                    let mut list = list.clone();
                    list[index] = longer;
                    see(key, Value::Array(list));
                });
            }
        }
        _ => {}
    }
}

#[test]
fn no_array_of_a_fixed_length_takes_an_element_more() {
    let mut keys = BTreeSet::new();
    let mut taken = BTreeSet::new();
    for (kind, _, folder) in ROOTS {
        let schema = schema(kind);
        for name in files::shipped(folder) {
            let source = files::find_shipped(folder, &name).expect("it ships").source;
            let file: Value = toml::from_str(&source.text).expect("TOML");
            lengthen(&file, "", &mut |key, longer| {
                // One array for each key is enough.
                if keys.contains(&(kind, key.to_string())) || validate::mistakes(&schema, &longer).is_empty()
                {
                    return;
                }
                let text = toml::to_string(&longer).expect("TOML");
                let mut source = Source::new("longer.toml", text);
                let format = files::Format::default();
                let mistakes = match kind {
                    "scene" => files::read_all::<SceneSpec>(&mut source, &[], &format).mistakes,
                    "controller" => files::read_all::<ControllerSpec>(&mut source, &[], &format).mistakes,
                    _ => files::read_all::<Figure>(&mut source, &[], &format).mistakes,
                };
                // Arrays that may contain expressions are checked where those are bound.
                keys.insert((kind, key.to_string()));
                if mistakes.is_empty() {
                    // It may be an array of expressions, which are checked where they are bound.
                    let folder = tempfile::tempdir().expect("a folder");
                    let path = folder.path().join(format!("{kind}.toml"));
                    fs::write(&path, &*source.text).expect("written");
                    let mut check = Command::new(env!("CARGO_BIN_EXE_aplomb"));
                    let checked =
                        check.arg("check").arg(&path).env("NO_COLOR", "1").output().expect("it runs");
                    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
                    if !said.contains("a vector has 3 components, not 4") {
                        taken.insert(format!("`{key}` of {kind} {name}: {said}"));
                    }
                }
            });
        }
    }
    assert!(taken.is_empty(), "{taken:?}");
    let found = |kind: &str| keys.iter().filter(|(of, _)| *of == kind).count();
    assert!(found("scene") >= 12, "{keys:?}");
}

/// The schema of a kind of file, from its type.
fn schema(kind: &str) -> Value {
    let (_, text) =
        aplomb::schema::schemas().into_iter().find(|(name, _)| *name == kind).expect("a kind of file");
    serde_json::from_str(&text).expect("a schema is JSON")
}

#[test]
fn the_schemas_that_ship_are_those_of_the_types() {
    for (kind, text) in aplomb::schema::schemas() {
        let path = root().join(format!("docs/schemas/{kind}.schema.json"));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &text).expect("the schema can be written");
            continue;
        }
        assert!(fs::read_to_string(&path).expect("it ships") == text, "{}: {HOW}", path.display());
        let output =
            Command::new(env!("CARGO_BIN_EXE_aplomb")).args(["schema", kind]).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), text);
    }
}

/// The schemas of all types that files are read into, by name.
fn types() -> Map<String, Value> {
    let mut types = Map::new();
    for (kind, name, _) in ROOTS {
        let mut schema = schema(kind);
        let definitions = schema["$defs"].take();
        types.insert(name.into(), schema);
        for (name, schema) in definitions.as_object().expect("a scene has more than one type") {
            let before = types.insert(name.clone(), schema.clone());
            assert!(before.is_none_or(|before| before == *schema), "two types are called {name}");
        }
    }
    types
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The table that a comment of the manual requests.
fn table(types: &Map<String, Value>, what: &str) -> String {
    let words: Vec<&str> = what.split(' ').collect();
    match words[..] {
        ["keys", "of", name] => keys(types, name),
        ["kinds", "of", name] => kinds(types, name),
        ["quantities"] => quantities(),
        ["events"] => events(),
        ["functions", "in", _] => functions(),
        ["sets", "in", _] => sets(),
        _ => panic!("docs/files.md asks for `{what}`"),
    }
}

/// The schema of a type by its name; the first instance of a generic type.
fn find<'t>(types: &'t Map<String, Value>, name: &str) -> &'t Value {
    let generic =
        || types.iter().find(|(other, _)| other.starts_with(&format!("{name}_"))).map(|(_, found)| found);
    types.get(name).or_else(generic).unwrap_or_else(|| panic!("no type {name}"))
}

fn keys(types: &Map<String, Value>, name: &str) -> String {
    let schema = find(types, name);
    let mut out = format!("{}\n", text(schema).expect("a type has a doc comment"));
    let required =
        |key: &str| schema["required"].as_array().is_some_and(|keys| keys.iter().any(|one| one == key));
    // The heading contains `kind`.
    let keys: Vec<_> = properties(schema).filter(|(_, value)| value["const"].is_null()).collect();
    if !keys.is_empty() {
        out += "\n| key | value | default | |\n|---|---|---|---|\n";
    }
    for (key, value) in keys {
        let default = match &value["default"] {
            _ if required(key) => "required".into(),
            Value::Null => String::new(),
            Value::Array(empty) if empty.is_empty() => String::new(),
            Value::Object(empty) if empty.is_empty() => String::new(),
            default => format!("`{}`", plain(default)),
        };
        let about = cell(&text(value).unwrap_or_default());
        out += &format!("| `{key}` | {} | {default} | {about} |\n", words(types, value));
    }
    out
}

fn kinds(types: &Map<String, Value>, name: &str) -> String {
    let mut out = "| | value | |\n|---|---|---|\n".to_string();
    for kind in find(types, name)["oneOf"].as_array().expect("a type of kinds") {
        for (key, value) in properties(kind) {
            let about = cell(&text(kind).unwrap_or_default());
            out += &format!("| `{key}` | {} | {about} |\n", words(types, value));
        }
    }
    out
}

/// The doc comment, with the lines of each paragraph joined.
fn text(schema: &Value) -> Option<String> {
    let paragraphs =
        schema["description"].as_str()?.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    Some(paragraphs.collect::<Vec<_>>().join("\n\n"))
}

/// Text escaped for a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A value in the syntax of the files.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => format!("[{}]", values.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Value::Number(number) => match number.as_f64() {
            Some(x) if x != 0.0 && !(1e-2..1e4).contains(&x.abs()) => format!("{x:e}"),
            Some(x) => format!("{x}"),
            None => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// The names of an enum whose variants have no content.
fn choices(schema: &Value) -> Option<Vec<&str>> {
    let one = |choice: &'_ Value| choice["const"].as_str().map(|_| ());
    match (&schema["enum"], &schema["oneOf"]) {
        (Value::Array(names), _) => names.iter().map(Value::as_str).collect(),
        (_, Value::Array(kinds))
            if kinds.iter().all(|kind| one(kind).is_some() || kind["enum"].is_array()) =>
        {
            let names = kinds.iter().flat_map(|kind| match &kind["enum"] {
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                _ => kind["const"].as_str().into_iter().collect::<Vec<_>>(),
            });
            Some(names.collect())
        }
        _ => None,
    }
}

/// Description of the values that a schema allows.
fn words(types: &Map<String, Value>, schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().expect("a name").replace("%20", " ");
        return named(types, &name);
    }
    if let Some(names) = choices(schema) {
        return or(&names);
    }
    match schema["type"].as_str() {
        Some("number") => "number".into(),
        Some("integer") => "whole number".into(),
        Some("boolean") => "`true` or `false`".into(),
        Some("string") => "string".into(),
        Some("array") => {
            let items = &schema["items"];
            let inner = || words(types, items).trim_matches('`').to_string();
            match (schema["minItems"].as_u64(), items["type"].as_str()) {
                (Some(3), Some("number")) => "`[x, y, z]`".into(),
                (Some(2), Some("number")) => "`[x, y]`".into(),
                (Some(2), Some("integer")) => "`[number, number]`".into(),
                (Some(2), _) => format!("`[{0}, {0}]`", inner()),
                _ => format!("list: {}", words(types, items)),
            }
        }
        Some("object") => format!("table, by name: {}", words(types, &schema["additionalProperties"])),
        _ => panic!("what is {schema}?"),
    }
}

/// Joins names: `a`, `b` or `c`.
fn or(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, others) = names.split_last().expect("an enum has variants");
    if others.is_empty() { last.clone() } else { format!("{} or {last}", others.join(", ")) }
}

fn named(types: &Map<String, Value>, name: &str) -> String {
    match name {
        "ObjectiveSpec" => "one of the [kinds of objective](#kinds-of-objective)".into(),
        "PassiveSpec" => "[passive object](#passive-object)".into(),
        "Criterion" => "[criterion](#success)".into(),
        "Content" => "one of the [kinds of panel](#kinds-of-panel)".into(),
        "Grouped" | "ContactForce" | "FrictionUse" | "TorqueUse" => "[groups](#groups)".into(),
        "Parameter" => "number or `[x, y, z]`".into(),
        "Laid" => "as in that file".into(),
        "Amount" => "number or [draw](#draw) of one".into(),
        "Value" => "number, string, truth or list of numbers".into(),
        expression if expression.starts_with(|c: char| c.is_lowercase()) => {
            format!("[{expression}](#expressions)")
        }
        name => match choices(find(types, name)) {
            Some(names) => or(&names),
            None => {
                let word = spaced(name.trim_end_matches("Spec").trim_end_matches("Entry"));
                format!("[{word}](#{})", word.replace(' ', "-"))
            }
        },
    }
}

/// Converts `ReactionDelay` to `reaction delay`.
fn spaced(name: &str) -> String {
    let mut out = String::new();
    for (index, c) in name.char_indices() {
        if c.is_uppercase() && index > 0 {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn quantities() -> String {
    let mut out = "| quantity | is a | unit | |\n|---|---|---|---|\n".to_string();
    for quantity in quantity::list() {
        let (name, result) = (quantity.signature(), quantity.result);
        out += &format!("| `{name}` | {result} | {} | {} |\n", quantity.unit, quantity.about);
    }
    out
}

fn events() -> String {
    let rows =
        aplomb::scene::list_events().into_iter().map(|(kind, about)| format!("| `{kind}` | {about} |\n"));
    format!("| kind | |\n|---|---|\n{}", rows.collect::<String>())
}

fn sets() -> String {
    use aplomb::language::expression::{list_folds, list_sets};
    let folds = list_folds().map(|(_, usage, about)| format!("| `{usage}` | {about} |\n"));
    let sets = list_sets().map(|(name, about)| format!("| `{name}` | {about} |\n"));
    format!("| written | |\n|---|---|\n{}", folds.chain(sets).collect::<String>())
}

fn functions() -> String {
    let signatures = aplomb::language::expression::list_functions().map(|(_, usage, _)| format!("`{usage}`"));
    format!("{}\n", signatures.collect::<Vec<_>>().join(", "))
}
