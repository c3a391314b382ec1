//! `docs/files.md` says of every key what the code says of it.
//!
//! Tables between `<!-- … -->` and `<!-- end -->` are made from the doc comments of the structs that files are
//! read into. `UPDATE_DOCS=1 cargo test file_keys` writes them anew.

use aplomb::controller::quantity;
use aplomb::objective::ObjectiveSpec;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const END: &str = "<!-- end -->";

#[test]
fn the_manual_of_files_says_what_the_code_says() {
    let path = root().join("docs/files.md");
    let written = fs::read_to_string(&path).expect("there is a manual");
    let mut made = String::new();
    let mut rest = written.as_str();
    let mut tables = BTreeSet::new();
    while let Some((before, after)) = rest.split_once("<!-- ") {
        let (what, after) = after.split_once(" -->").expect("a comment ends");
        let (_, after) = after.split_once(END).expect("a table ends");
        made += &format!("{before}<!-- {what} -->\n\n{}\n{END}", table(what));
        assert!(tables.insert(what.to_string()), "docs/files.md has two tables of {what}");
        rest = after;
    }
    made += rest;
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &made).expect("the manual can be written");
    } else if let Some((number, (has, wants))) =
        written.lines().zip(made.lines()).enumerate().find(|(_, (has, wants))| has != wants)
    {
        panic!("docs/files.md:{}: has\n  {has}\nbut the code says\n  {wants}\n{HOW}", number + 1);
    } else {
        assert_eq!(written.len(), made.len(), "docs/files.md: {HOW}");
    }
    for (name, file) in structs_of_files() {
        let table = format!("keys of {name} in {file}");
        assert!(tables.contains(&table), "docs/files.md needs a section with `<!-- {table} -->`");
    }
    for (kind, sentence) in ObjectiveSpec::list() {
        let heading = format!("### {kind}\n\n{sentence}");
        assert!(made.contains(&heading), "docs/files.md needs a section\n{heading}");
    }
}

const HOW: &str = "`UPDATE_DOCS=1 cargo test file_keys` writes the tables anew";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The table a comment of the manual asks for.
fn table(what: &str) -> String {
    let words: Vec<&str> = what.split(' ').collect();
    match words[..] {
        ["keys", "of", name, "in", file] => keys(name, file),
        ["kinds", "of", name, "in", file] => kinds(name, file),
        ["quantities"] => quantities(),
        ["events"] => events(),
        ["functions", "in", file] => functions(file),
        _ => panic!("docs/files.md asks for `{what}`"),
    }
}

/// Structs that refuse unknown keys, and their files: what people write.
fn structs_of_files() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for path in rust_files(&root().join("src")) {
        let file = path.strip_prefix(root()).expect("inside").to_string_lossy().into_owned();
        let text = read(&file);
        for (index, _) in text.match_indices("#[serde(deny_unknown_fields)]\npub struct ") {
            let rest = &text[index..];
            let name = rest.split("pub struct ").nth(1).expect("matched");
            let name = name.split(|c: char| !c.is_alphanumeric()).next().expect("a name");
            found.push((name.to_string(), file.clone()));
        }
    }
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("src can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("src can be read").path()).collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

/// A field of a struct or a variant of an enum, as its source says.
#[derive(Default)]
struct Item {
    doc: String,
    attributes: String,
    /// `name: Type` or `Variant(Type)`.
    code: String,
}

impl Item {
    /// What stands in quotes after `key = ` in the attributes.
    fn attribute(&self, key: &str) -> Option<&str> {
        let (_, rest) = self.attributes.split_once(&format!("{key} = \""))?;
        rest.split('"').next()
    }

    fn has_default(&self) -> bool {
        self.attributes.contains("default")
    }
}

/// Items between the braces of the `struct` or `enum` called `name`, with the attributes before it.
fn items(text: &str, kind: &str, name: &str) -> (String, Vec<Item>) {
    let heads = [" {", "<V> {", "(", " {}"].map(|end| format!("pub {kind} {name}{end}"));
    let start = heads.iter().find_map(|head| text.find(head.as_str()));
    let start = start.unwrap_or_else(|| panic!("there is no {kind} {name}"));
    let attributes = text[..start].rsplit("\n\n").next().unwrap_or_default().to_string();
    let mut list = Vec::new();
    let mut item = Item::default();
    for line in text[start..].lines().skip(1).map(str::trim) {
        if line == "}" || line.is_empty() && list.is_empty() && item.doc.is_empty() {
            break;
        } else if let Some(doc) = line.strip_prefix("///") {
            item.doc = format!("{} {}", item.doc, doc.trim()).trim().to_string();
        } else if line.starts_with("#[") {
            item.attributes += line;
        } else if !line.is_empty() {
            item.code = line.trim_start_matches("pub ").trim_end_matches(',').to_string();
            list.push(std::mem::take(&mut item));
        }
    }
    (attributes, list)
}

fn keys(name: &str, file: &str) -> String {
    let text = read(file);
    let (attributes, items) = items(&text, "struct", name);
    let about: Vec<&str> =
        attributes.lines().filter_map(|line| Some(line.trim().strip_prefix("///")?.trim())).collect();
    let mut out = format!("{}\n", about.join("\n").trim());
    if items.is_empty() {
        return out;
    }
    out += "\n| key | value | default | |\n|---|---|---|---|\n";
    for item in items {
        let (key, kind) = item.code.split_once(": ").expect("a field has a type");
        let key = item.attribute("rename").unwrap_or(key);
        assert!(!item.doc.is_empty(), "{file}: `{key}` of {name} has no doc comment");
        out += &format!(
            "| `{key}` | {} | {} | {} |\n",
            value(kind),
            default(&item, kind, &text),
            cell(&item.doc)
        );
    }
    out
}

fn kinds(name: &str, file: &str) -> String {
    let (attributes, items) = items(&read(file), "enum", name);
    let mut out = "| | value | |\n|---|---|---|\n".to_string();
    for item in items {
        let (variant, inner) = item.code.split_once('(').unwrap_or((&item.code, ""));
        let inner = inner.trim_end_matches(')');
        let inner = if inner.is_empty() { String::new() } else { value(inner) };
        out += &format!("| `{}` | {inner} | {} |\n", renamed(variant, &attributes), cell(&item.doc));
    }
    out
}

/// Text that can stand in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A variant as files write it.
fn renamed(variant: &str, attributes: &str) -> String {
    let mut out = String::new();
    for (index, c) in variant.char_indices() {
        if c.is_uppercase() && index > 0 && attributes.contains("snake_case") {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// What a field of this type takes, in words.
fn value(kind: &str) -> String {
    let inside = |wrapper: &str| kind.strip_prefix(wrapper)?.strip_prefix('<')?.strip_suffix('>');
    if let Some(inner) = inside("Spanned").or(inside("Option")) {
        return value(inner);
    }
    if let Some(inner) = inside("Vec") {
        return format!("list: {}", value(inner));
    }
    if let Some(inner) = inside("IndexMap").or(inside("BTreeMap")) {
        let (_, inner) = inner.split_once(", ").expect("a map has keys and values");
        return format!("table, by name: {}", value(inner));
    }
    match kind {
        "f64" => "number".into(),
        "u32" | "u64" | "usize" => "whole number".into(),
        "[u32; 2]" => "`[number, number]`".into(),
        "[f64; 2]" => "`[x, y]`".into(),
        "[f64; 3]" => "`[x, y, z]`".into(),
        "[[f64; 3]; 2]" => "`[[x, y, z], [x, y, z]]`".into(),
        "bool" => "`true` or `false`".into(),
        "String" => "string".into(),
        "V" => "number or `[x, y, z]`".into(),
        "JointName" => "joint".into(),
        "ScalarField" => "[number](#expressions)".into(),
        "VectorField" => "[vector](#expressions)".into(),
        "ConditionField" => "[condition](#expressions)".into(),
        "ExpressionField" => "[expression](#expressions)".into(),
        "BodyField" => "[body](#expressions)".into(),
        "PlaceField" => "[body or site](#expressions)".into(),
        "SiteField" => "[site](#expressions)".into(),
        "HoldField" => "[hold](#expressions)".into(),
        "ObjectiveSpec" => "one of the [kinds of objective](#kinds-of-objective)".into(),
        "PassiveSpec" => "[passive thing](#passive-thing)".into(),
        "KeepApart" => "[keep apart](#keep-apart)".into(),
        "Criterion" => "[criterion](#success)".into(),
        "Content" => "one of the [kinds of panel](#kinds-of-panel)".into(),
        "Grouped" => "[groups](#groups)".into(),
        "BiasVelocity" | "Scale" | "Side" | "Interpolation" | "Clock" | "FrictionForm"
        | "BacktrackingForm" | "About" | "Advance" | "Drive" | "HoldKind" | "EventKind" | "Edge" | "End"
        | "StepperForm" | "RootForm" | "Keeps" | "LoopKind" => choices(kind),
        spec => {
            let name = spec.trim_end_matches("Spec").trim_end_matches("Entry");
            let word = renamed(name, "snake_case").replace('_', " ");
            format!("[{word}](#{})", word.replace(' ', "-"))
        }
    }
}

/// The enum of that name, wherever it is: its attributes and variants.
fn find_enum(name: &str) -> (String, Vec<Item>) {
    let head = format!("pub enum {name} {{");
    let texts =
        rust_files(&root().join("src")).into_iter().map(|path| fs::read_to_string(path).expect("source"));
    let text =
        texts.into_iter().find(|text| text.contains(&head)).unwrap_or_else(|| panic!("no enum {name}"));
    items(&text, "enum", name)
}

/// `a`, `b` or `c`.
fn choices(name: &str) -> String {
    let (attributes, items) = find_enum(name);
    let names: Vec<String> =
        items.iter().map(|item| format!("`{}`", renamed(&item.code, &attributes))).collect();
    let (last, others) = names.split_last().expect("an enum has variants");
    format!("{} or {last}", others.join(", "))
}

/// What holds where the key is left out.
fn default(item: &Item, kind: &str, text: &str) -> String {
    if let Some(path) = item.attribute("default") {
        let function = path.rsplit("::").next().unwrap_or(path);
        let head = format!("fn {function}() -> ");
        let shared = read("src/passive/checks.rs");
        let found = text.split_once(&head).or_else(|| shared.split_once(&head));
        let (_, body) = found.expect("the default is in the file, or shared by passive things");
        let body = body.split_once('{').and_then(|(_, rest)| rest.split_once('}')).expect("it has a body").0;
        let body = body.trim();
        let value = body.strip_prefix("given(").and_then(|body| body.strip_suffix(')')).unwrap_or(body);
        let value = format!("`{}`", value.replace("[0.0; 3]", "[0, 0, 0]"));
        return [",", "]", "`"].iter().fold(value, |value, end| value.replace(&format!(".0{end}"), end));
    }
    match kind {
        _ if kind.starts_with("Option") => String::new(),
        _ if !item.has_default() => "required".into(),
        "bool" => "`false`".into(),
        "u32" | "u64" => "`0`".into(),
        "[f64; 3]" => "`[0, 0, 0]`".into(),
        "BiasVelocity" | "Scale" | "Interpolation" | "Clock" | "FrictionForm" | "BacktrackingForm"
        | "About" | "Advance" | "Drive" | "HoldKind" | "EventKind" | "StepperForm" | "RootForm" | "Keeps"
        | "LoopKind" => {
            let (attributes, variants) = find_enum(kind);
            let chosen = variants.iter().find(|variant| variant.has_default()).expect("one is the default");
            format!("`{}`", renamed(&chosen.code, &attributes))
        }
        _ => String::new(),
    }
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

fn functions(file: &str) -> String {
    let text = read(file);
    let lines = text.lines().filter_map(|line| {
        let mut parts = line.trim().strip_prefix("(\"")?.split('"');
        let signature = parts.nth(2)?;
        signature.contains('(').then(|| format!("`{signature}`"))
    });
    format!("{}\n", lines.collect::<Vec<_>>().join(", "))
}
