use super::*;

/// The path as a person writes it: `states.balance.objectives.2`.
fn shown(path: &[PathStep]) -> String {
    let steps = path.iter().map(|step| match step {
        PathStep::Key(key) => key.clone(),
        PathStep::Index(index) => index.to_string(),
    });
    steps.collect::<Vec<_>>().join(".")
}

/// The offset of `|` in a text, and the text without it.
fn at(marked: &str) -> (String, usize) {
    let offset = marked.find('|').expect("a mark");
    (marked.replacen('|', "", 1), offset)
}

fn spot(marked: &str) -> String {
    let (text, offset) = at(marked);
    match DocumentOutline::of(&text).spot(&text, offset) {
        CursorContext::Key { table, span, header, .. } => {
            format!("key {}: {}{}", shown(&table), &text[span], if header.is_some() { " []" } else { "" })
        }
        CursorContext::Value { path, span, is_text } => {
            format!("value {}: {}{}", shown(&path), &text[span], if is_text { " \"" } else { "" })
        }
        CursorContext::Nothing => "nothing".into(),
    }
}

#[test]
fn a_place_is_known_in_a_whole_text() {
    assert_eq!(spot("a = 1\n|\n[b]\nc = 2"), "key : ");
    assert_eq!(spot("a = 1\n[b]\n|\nc = 2"), "key b: ");
    assert_eq!(spot("[b.|c]\nd = 2"), "key b: c []");
    assert_eq!(spot("[[b.c]]\n[[b.c]]\nna|me = 'x'"), "key b.c.1: name");
    assert_eq!(spot("[[s]]\n[s.o]\nx = 1|2"), "value s.0.o.x: 12");
    assert_eq!(spot("of = { upright = { body = \"ch|est\" } }"), "value of.upright.body: chest \"");
    assert_eq!(spot("of = { upright = { | } }"), "key of.upright: ");
    assert_eq!(spot("of = { a = 1, | }"), "key of: ");
    assert_eq!(spot("to = [\"a\", \"|b\"]"), "value to.1: b \"");
    assert_eq!(spot("to = [\"a\", |]"), "value to.1: ");
    assert_eq!(spot("a.b = 1 # no|te"), "nothing");
    assert_eq!(spot("\"é ü\".x = \"ä|\""), "value é ü.x: ä \"");
    assert_eq!(spot("a = \"\"\"\nx\ny|\"\"\"\nb = 1"), "value a: \nx\ny \"");
}

#[test]
fn a_place_is_known_in_a_text_that_is_being_written() {
    assert_eq!(spot("whi|\n[b]\nc = 2"), "key : whi");
    assert_eq!(spot("while = |\n[b]"), "value while: ");
    assert_eq!(spot("while = \"com_he|\n[b]\nc = 1"), "value while: com_he \"");
    assert_eq!(spot("of = { upright = { body = \"ch|\nweight = 1"), "value of.upright.body: ch \"");
    assert_eq!(spot("of = { upright = { bo|\nweight = 1"), "key of.upright: bo");
    assert_eq!(spot("of = { |\nweight = 1"), "key of: ");
    assert_eq!(spot("to = [\"a\", \"|\n[states.b]\nto = 1"), "value to.1:  \"");
    assert_eq!(spot("[states.|"), "key states:  []");
    assert_eq!(spot("[[states.a.ob|"), "key states.a: ob []");
    assert_eq!(spot("to = [\n  \"a\",\n  |\n]\n"), "value to.1: ");
    assert_eq!(spot("t = [\n\"a\",\n\n[states.b]\nto = \"|\""), "value states.b.to:  \"");
    assert_eq!(spot("t = [\n[1, 2],\n[3, |4]]\n"), "value t.1.1: 4");
}

#[test]
fn every_prefix_of_every_text_is_read_to_its_end() {
    let text =
        "a = '''x\ny'''\n[b.\"c d\"]\ne = { f = [1, { g = \"h\\\"\" }], i.j = 2 } # ü\n[[k]]\nl = \"é\\";
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        let part = &text[..end];
        let outline = DocumentOutline::of(part);
        for offset in 0..=end + 1 {
            outline.spot(part, offset);
        }
        assert!(outline.items.iter().all(|item| item.span.end <= end && item.span.start <= item.span.end));
    }
    for hostile in ["[[[[[[[", "= = =", "}}}]]]", "a=[{b=[{", "\"", "'''", "\u{feff}a=1", "a.=.b", "\0\0=\0"]
    {
        DocumentOutline::of(&hostile.repeat(3000));
    }
}

/// Paths of all plain values below a value.
fn leaves(value: &toml::Value, path: &mut Vec<PathStep>, all: &mut Vec<String>) {
    let below: Vec<(PathStep, &toml::Value)> = match value {
        toml::Value::Table(table) => {
            table.iter().map(|(key, value)| (PathStep::from(key.as_str()), value)).collect()
        }
        toml::Value::Array(array) => {
            array.iter().enumerate().map(|(k, value)| (PathStep::Index(k), value)).collect()
        }
        _ => return all.push(shown(path)),
    };
    for (step, value) in below {
        path.push(step);
        leaves(value, path, all);
        path.pop();
    }
}

#[test]
fn every_value_of_the_shipped_files_is_where_the_parser_has_it() {
    use aplomb_language::files::{Folder, find_shipped, shipped};
    let mut count = 0;
    for folder in [Folder::Controllers, Folder::Scenes, Folder::Plots] {
        for name in shipped(folder) {
            let text = find_shipped(folder, &name).expect("a file").source.text;
            let table: toml::Table = text.parse().expect("TOML");
            let mut meant = Vec::new();
            leaves(&toml::Value::Table(table), &mut Vec::new(), &mut meant);
            let outline = DocumentOutline::of(&text);
            let plain = outline
                .items
                .iter()
                .filter(|item| matches!(item.value, OutlineValue::Text(_) | OutlineValue::Bare));
            let mut found: Vec<String> = plain.map(|item| shown(&item.path)).collect();
            assert!(outline.items.iter().all(|item| item.value != OutlineValue::Missing), "{name}");
            meant.sort();
            found.sort();
            assert_eq!(found, meant, "{name}");
            count += found.len();
        }
    }
    assert!(count > 5000, "{count}");
}
