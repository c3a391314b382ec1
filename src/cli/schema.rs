//! `aplomb schema`: the JSON Schema of a kind of file.

use super::show::ShippedKind;
use super::{Done, Failure, output};
use crate::controller::ControllerSpec;
use crate::scene::SceneSpec;
use crate::view::plot::figure::Figure;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};

/// Print the JSON Schema of a kind of file, for editors and other programs.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Kind of file
    kind: SchemaKind,
}

const AFTER_HELP: &str = "\
Keys, types, defaults, units and one sentence on each key. An editor with a TOML language server uses it for a file \
that begins with `#:schema ./scene.schema.json`, as those of `aplomb new` do.

Examples:
  aplomb schema scene > scene.schema.json
  aplomb schema controller > controller.schema.json";

/// The kinds of TOML files.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SchemaKind {
    Scene,
    Controller,
    Plot,
}

pub fn run(arguments: &Arguments) -> Result<Done, Failure> {
    output::print(&text(arguments.kind))?;
    Ok(Done::Well)
}

fn text(kind: SchemaKind) -> String {
    let schema = match kind {
        SchemaKind::Scene => schema::<SceneSpec>(),
        SchemaKind::Controller => schema::<ControllerSpec>(),
        SchemaKind::Plot => schema::<Figure>(),
    };
    format!("{:#}\n", schema.as_value())
}

/// Name and text of the schema for a kind of shipped file, if it has one.
pub(super) fn of(shipped: ShippedKind) -> Option<(String, String)> {
    let kind = match shipped {
        ShippedKind::Scene => SchemaKind::Scene,
        ShippedKind::Controller => SchemaKind::Controller,
        ShippedKind::Plot => SchemaKind::Plot,
        ShippedKind::Character | ShippedKind::Passive => return None,
    };
    Some((format!("{}.schema.json", shipped.word()), text(kind)))
}

/// The schema of a file's type.
fn schema<T: JsonSchema>() -> Schema {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    if let Some(object) = schema.as_object_mut() {
        object.values_mut().for_each(without_null);
    }
    schema
}

/// Removes `null` from types and choices: TOML has no null, and optional keys are not required.
fn without_null(value: &mut serde_json::Value) {
    use serde_json::Value;
    match value {
        Value::Object(object) => {
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = &types[..] {
                    let only = only.clone();
                    object.insert("type".into(), only);
                }
            }
            if let Some(Value::Array(choices)) = object.get_mut("enum") {
                choices.retain(|choice| !choice.is_null());
            }
            if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
                if let [Value::Object(only)] = &choices[..] {
                    let only = only.clone();
                    object.shift_remove("anyOf");
                    object.extend(only);
                }
            }
            if object.get("default").is_some_and(Value::is_null) {
                object.shift_remove("default");
            }
            object.values_mut().for_each(without_null);
        }
        Value::Array(values) => values.iter_mut().for_each(without_null),
        _ => {}
    }
}
