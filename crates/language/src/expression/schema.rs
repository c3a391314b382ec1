//! JSON Schemas of the fields that hold expressions.

use super::field::{
    BodyField, ConditionField, ExpressionField, HoldField, ObjectField, PlaceField, ScalarField, SiteField,
    VectorField,
};
use super::keyframes::Keyframes;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

macro_rules! schema {
    ($($Field:ident $name:literal $about:literal: |$generator:ident| $schema:expr,)*) => {
        $(impl JsonSchema for $Field {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                let mut schema: Schema = $schema;
                schema.insert("description".into(), $about.into());
                schema
            }
        })*
    };
}

schema! {
    ScalarField "number" "A number, an expression in quotes, or keyframes.": |generator| {
        let keyframes = keyframes::<f64>(generator);
        json_schema!({ "anyOf": [{ "type": "number" }, { "type": "string" }, keyframes] })
    },
    VectorField "vector" "Three numbers or expressions, an expression in quotes, or keyframes.": |generator| {
        let keyframes = keyframes::<[f64; 3]>(generator);
        let number = generator.subschema_for::<ScalarField>();
        json_schema!({ "anyOf": [
            { "type": "array", "items": number, "minItems": 3, "maxItems": 3 },
            { "type": "string" },
            keyframes,
        ] })
    },
    ConditionField "condition" "`true`, `false`, or a condition in quotes.": |_generator| {
        json_schema!({ "type": ["boolean", "string"] })
    },
    ExpressionField "expression"
    "A number, `true`, `false`, an expression in quotes, three of them, or keyframes.": |generator| {
        let number = generator.subschema_for::<ScalarField>();
        let (numbers, vectors) = (keyframes::<f64>(generator), keyframes::<[f64; 3]>(generator));
        json_schema!({ "anyOf": [
            { "type": ["number", "boolean", "string"] },
            { "type": "array", "items": number, "minItems": 3, "maxItems": 3 },
            numbers,
            vectors,
        ] })
    },
    BodyField "body" "The name of a body, or an expression that chooses one.": |_generator| {
        json_schema!({ "type": "string" })
    },
    PlaceField "body or site" "The name of a body or a site, or an expression that chooses one.": |_generator| {
        json_schema!({ "type": "string" })
    },
    SiteField "site" "The name of a site, or an expression that chooses one.": |_generator| {
        json_schema!({ "type": "string" })
    },
    HoldField "hold" "The name of a hold, or an expression that chooses one.": |_generator| {
        json_schema!({ "type": "string" })
    },
    ObjectField "passive object" "The name of a passive object, or an expression that chooses one.": |_generator| {
        json_schema!({ "type": "string" })
    },
}

/// `{ keyframes = { … } }`.
fn keyframes<V: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let keyframes = generator.subschema_for::<Keyframes<V>>();
    json_schema!({
        "type": "object",
        "properties": { "keyframes": keyframes },
        "required": ["keyframes"],
        "additionalProperties": false,
    })
}

/// The form in files, for defaults in schemas.
impl Serialize for VectorField {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.written() {
            Ok(parts) => serializer.collect_seq(parts),
            Err(text) => serializer.serialize_str(text),
        }
    }
}

/// The form in files, for defaults in schemas.
impl Serialize for ScalarField {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.written() {
            Ok(number) => serializer.serialize_f64(number),
            Err(text) => serializer.serialize_str(text),
        }
    }
}
