//! The JSON Schemas of files, generated from the types that files are parsed into.

use crate::controller::ControllerSpec;
use crate::scene::SceneSpec;
use crate::view::plot::figure::Figure;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};

/// The JSON Schema of scenes, controllers and plots, each with its name.
pub fn schemas() -> [(&'static str, String); 3] {
    let text = |schema: Schema| format!("{:#}\n", schema.as_value());
    [
        ("scene", text(schema::<SceneSpec>())),
        ("controller", text(schema::<ControllerSpec>())),
        ("plot", text(schema::<Figure>())),
    ]
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
