//! A validator for the subset of JSON Schema that the schemas of files use. It panics on an unknown keyword, so that
//! nothing is skipped.

use serde_json::Value;

/// The parts of `value` that do not fit, as paths with a reason.
pub fn mistakes(schema: &Value, value: &Value) -> Vec<String> {
    let mut mistakes = Vec::new();
    check(schema, schema, value, "", &mut mistakes);
    mistakes
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str, mistakes: &mut Vec<String>) {
    let Value::Object(keywords) = schema else {
        match schema.as_bool() {
            Some(true) => {}
            _ => mistakes.push(format!("{path}: nothing may stand here")),
        }
        return;
    };
    let fits = |schema: &Value| {
        let mut inner = Vec::new();
        check(root, schema, value, path, &mut inner);
        inner.is_empty()
    };
    let elements = value.as_array().map_or(0, Vec::len) as u64;
    for (keyword, says) in keywords {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" | "format" => true,
            "$ref" => {
                let name =
                    says.as_str().and_then(|says| says.strip_prefix("#/$defs/")).expect("a definition");
                check(root, &root["$defs"][name.replace("%20", " ")], value, path, mistakes);
                true
            }
            "type" => match says {
                Value::Array(kinds) => kinds.iter().any(|kind| is(value, kind)),
                kind => is(value, kind),
            },
            "const" => value == says,
            "enum" => says.as_array().expect("names").contains(value),
            "anyOf" => says.as_array().expect("schemas").iter().any(&fits),
            "oneOf" => says.as_array().expect("schemas").iter().filter(|schema| fits(schema)).count() == 1,
            "minimum" => value.as_f64() >= says.as_f64(),
            "maximum" => value.as_f64() <= says.as_f64(),
            "minItems" => elements >= says.as_u64().expect("a count"),
            "maxItems" => elements <= says.as_u64().expect("a count"),
            "items" => {
                for (index, element) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, says, element, &format!("{path}.{index}"), mistakes);
                }
                true
            }
            "properties" => {
                for (key, schema) in says.as_object().expect("keys") {
                    if let Some(value) = value.get(key) {
                        check(root, schema, value, &format!("{path}.{key}"), mistakes);
                    }
                }
                true
            }
            "required" => {
                let keys = says.as_array().expect("keys").iter().filter_map(Value::as_str);
                value.is_object() && keys.clone().all(|key| value.get(key).is_some())
            }
            "additionalProperties" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    if keywords.get("properties").is_none_or(|known| known.get(key).is_none()) {
                        check(root, says, value, &format!("{path}.{key}"), mistakes);
                    }
                }
                true
            }
            unknown => panic!("the schema uses `{unknown}`"),
        };
        if !holds {
            mistakes.push(format!("{path}: {keyword} {says}"));
        }
    }
}

fn is(value: &Value, kind: &Value) -> bool {
    match kind.as_str().expect("a type has a name") {
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("a type `{unknown}`"),
    }
}
