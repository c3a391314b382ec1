//! The documentation of a key of a table, and its possible values.

use super::{Schema, SchemaNode};
use serde_json::Value;

/// The documentation of a key.
#[derive(Clone, Debug)]
pub(crate) struct KeyDoc {
    /// The key.
    pub name: String,
    /// Its documentation.
    pub about: String,
    /// Whether its table needs it.
    pub is_required: bool,
    /// Its default as TOML, if it has one worth showing.
    pub default: Option<String>,
    /// Form of its value.
    pub form: ValueForm,
    /// The values to choose from.
    pub choices: Vec<AllowedValue>,
    /// Keys that a table there needs.
    pub needed: Vec<(String, ValueForm)>,
}

/// A value to choose.
#[derive(Clone, Debug)]
pub(crate) struct AllowedValue {
    /// The value.
    pub name: String,
    /// Its documentation.
    pub about: String,
}

/// Form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueForm {
    /// A number, or an expression in quotes.
    Expression,
    /// A number.
    Number,
    /// `true` or `false`.
    Truth,
    /// Text in quotes.
    Text,
    /// `[ … ]`
    Array,
    /// `{ … }`
    Table,
    /// Another form, or several.
    Other,
}

impl ValueForm {
    /// Name of the form, for display.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ValueForm::Expression => "expression",
            ValueForm::Number => "number",
            ValueForm::Truth => "true or false",
            ValueForm::Text => "text",
            ValueForm::Array => "array",
            ValueForm::Table => "table",
            ValueForm::Other => "",
        }
    }
}

impl Schema {
    /// The documentation of a key, from its part of the table's schema.
    pub(super) fn key(&self, table: &SchemaNode<'_>, name: &str, part: &Value) -> KeyDoc {
        let nodes = self.alternatives(part);
        let own = sentence(part);
        // A kind is described where it is listed, its equation where its keys are.
        let of_kind = sentence(table.value).filter(|_| is_kind(table.value));
        let of_type = nodes.iter().find_map(|node| node.name.as_ref().and(sentence(node.value)));
        let documented = match (of_kind, own, of_type) {
            (Some(kind), _, Some(equation)) => format!("{kind}\n\n{equation}"),
            (Some(kind), own, None) => {
                [Some(kind), own].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
            }
            (None, Some(own), _) => own,
            (None, None, of_type) => of_type.unwrap_or_default(),
        };
        let required = table.value.get("required").and_then(Value::as_array);
        let default = part.get("default").filter(|value| !value.is_null() && !value.is_object());
        KeyDoc {
            name: name.to_owned(),
            about: documented,
            is_required: required.is_some_and(|all| all.iter().any(|needed| needed == name)),
            default: default.map(Value::to_string).filter(|text| text != "[]"),
            form: form(&nodes),
            choices: nodes.iter().flat_map(|node| choices(node.value)).collect(),
            needed: self.needed(&nodes),
        }
    }

    fn needed(&self, nodes: &[SchemaNode<'_>]) -> Vec<(String, ValueForm)> {
        let tables: Vec<_> = nodes.iter().filter(|node| node.value.get("properties").is_some()).collect();
        let [table] = tables.as_slice() else { return Vec::new() };
        let required = table.value.get("required").and_then(Value::as_array).into_iter().flatten();
        let names = required.filter_map(Value::as_str);
        names
            .filter_map(|name| {
                let part = table.value.get("properties")?.get(name)?;
                Some((name.to_owned(), form(&self.alternatives(part))))
            })
            .collect()
    }
}

/// Whether a part is one of several kinds of a table: it has exactly one key, which is required.
fn is_kind(table: &Value) -> bool {
    let count = table.get("properties").and_then(Value::as_object).map_or(0, serde_json::Map::len);
    let needed = table.get("required").and_then(Value::as_array).map_or(0, Vec::len);
    count == 1 && needed == 1
}

fn sentence(part: &Value) -> Option<String> {
    part.get("description")?.as_str().map(str::to_owned)
}

fn form(nodes: &[SchemaNode<'_>]) -> ValueForm {
    let named = nodes.iter().find_map(|node| node.name.as_deref());
    match named {
        Some("number" | "condition" | "expression" | "vector") => return ValueForm::Expression,
        Some("body" | "body or site" | "site" | "hold" | "passive object") => return ValueForm::Text,
        _ => {}
    }
    let mut found = None;
    for node in nodes {
        let of_node = match node.value.get("type") {
            Some(Value::String(one)) => by_type(one),
            Some(Value::Array(several)) => {
                let several = several.iter().filter_map(Value::as_str).filter(|one| *one != "null");
                several.map(by_type).next().unwrap_or(ValueForm::Other)
            }
            _ => continue,
        };
        match found {
            None => found = Some(of_node),
            Some(before) if before != of_node => return ValueForm::Other,
            Some(_) => {}
        }
    }
    found.unwrap_or(ValueForm::Other)
}

fn by_type(name: &str) -> ValueForm {
    match name {
        "number" | "integer" => ValueForm::Number,
        "boolean" => ValueForm::Truth,
        "string" => ValueForm::Text,
        "array" => ValueForm::Array,
        "object" => ValueForm::Table,
        _ => ValueForm::Other,
    }
}

/// The values that a part allows.
pub(super) fn choices(part: &Value) -> Vec<AllowedValue> {
    let one = part.get("const").into_iter();
    let several = part.get("enum").and_then(Value::as_array).into_iter().flatten();
    let names = one.chain(several).filter_map(Value::as_str);
    names
        .map(|name| AllowedValue { name: name.to_owned(), about: sentence(part).unwrap_or_default() })
        .collect()
}
