//! JSON Schema of the header's message.

use serde_json::{Value, json};

/// Name of the schema.
pub(super) const NAME: &str = "aplomb.Header";

/// The contents of the header message.
pub(super) fn header() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": NAME,
        "description": "What does not change during the run. SI, world axes, z up; texts whole, with SHA-256.",
        "type": "object",
        "properties": header_message(),
    })
}

fn header_message() -> Value {
    json!({
        "format": { "type": "integer", "description": "Version of this layout." },
        "header": { "type": "object", "properties": {
            "version": text("Version of the program."),
            "scene": text("Name of the scene."),
            "dt": number("s", "Time step."),
            "duration": number("s", "Duration asked for."),
            "gravity": vector(3, "m/s²", "Gravity."),
            "bias_velocity": text("Velocity the bias force is taken at; each frame says what it used."),
            "mass": number("kg", "Mass of the character."),
            "com_height": number("m", "Height of the centre of mass in the rest pose."),
            "torque_limits": list("Limits of the joint torque per velocity coordinate; null: unlimited.", json!({})),
            "texts": list("Texts the run was made from.", json!({ "type": "object", "properties": {
                "kind": text("model, scene or controller."),
                "name": text("File name."),
                "sha256": text("SHA-256 of the text, hexadecimal."),
                "text": text("The whole text."),
            }})),
        }},
    })
}

fn text(doc: &str) -> Value {
    json!({ "type": "string", "description": doc })
}

fn number(unit: &str, doc: &str) -> Value {
    json!({ "type": "number", "unit": unit, "description": format!("{doc} Unit: {unit}.") })
}

fn vector(length: usize, unit: &str, doc: &str) -> Value {
    json!({
        "type": "array",
        "items": { "type": "number" },
        "minItems": length,
        "maxItems": length,
        "unit": unit,
        "description": format!("{doc} Unit: {unit}."),
    })
}

fn list(doc: &str, item: Value) -> Value {
    json!({ "type": "array", "items": item, "description": doc })
}
