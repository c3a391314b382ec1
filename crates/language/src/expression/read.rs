//! How the fields read from TOML. The visitors are written by hand because serde's untagged enums lose spans.

use super::field::{
    AnyForm, ConditionField, ConditionForm, ExpressionField, NumberForm, ScalarField, VectorField,
    VectorSyntax,
};
use super::keyframes::Keyframes;
use crate::Spanned;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use std::fmt;

/// `Deserialize` for a field around `Spanned<Form>`.
macro_rules! spanned_field {
    ($field:ident, $form:ident, $visitor:ident) => {
        impl<'de> Deserialize<'de> for $field {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Spanned::deserialize(deserializer).map($field)
            }
        }

        impl<'de> Deserialize<'de> for $form {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($visitor)
            }
        }

        struct $visitor;
    };
}

spanned_field!(ScalarField, NumberForm, NumberVisitor);
spanned_field!(VectorField, VectorSyntax, VectorVisitor);
spanned_field!(ConditionField, ConditionForm, ConditionVisitor);
spanned_field!(ExpressionField, AnyForm, AnyVisitor);

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = NumberForm;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number, an expression in quotes, or `{ keyframes = { times = […], values = […] } }`")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<NumberForm, E> {
        Ok(NumberForm::Number(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<NumberForm, E> {
        Ok(NumberForm::Number(value as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<NumberForm, E> {
        Ok(NumberForm::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NumberForm, A::Error> {
        keyframes(map).map(NumberForm::Keyframes)
    }
}

impl<'de> Visitor<'de> for VectorVisitor {
    type Value = VectorSyntax;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(
            "`[x, y, z]`, an expression in quotes, or `{ keyframes = { times = […], values = [[x, y, z], …] } }`",
        )
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<VectorSyntax, E> {
        Ok(VectorSyntax::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<VectorSyntax, A::Error> {
        parts(sequence).map(VectorSyntax::Parts)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<VectorSyntax, A::Error> {
        keyframes(map).map(VectorSyntax::Keyframes)
    }
}

impl<'de> Visitor<'de> for ConditionVisitor {
    type Value = ConditionForm;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("`true`, `false`, or a condition in quotes")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<ConditionForm, E> {
        Ok(ConditionForm::Boolean(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ConditionForm, E> {
        Ok(ConditionForm::Text(text.to_owned()))
    }
}

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = AnyForm;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(
            "a number, `true`, `false`, an expression in quotes, `[x, y, z]`, or \
             `{ keyframes = { times = […], values = […] } }`",
        )
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<AnyForm, E> {
        Ok(AnyForm::Boolean(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<AnyForm, E> {
        Ok(AnyForm::Number(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<AnyForm, E> {
        Ok(AnyForm::Number(value as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<AnyForm, E> {
        Ok(AnyForm::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<AnyForm, A::Error> {
        parts(sequence).map(AnyForm::Parts)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AnyForm, A::Error> {
        keyframes(map).map(AnyForm::Keyframes)
    }
}

fn parts<'de, A: SeqAccess<'de>>(mut sequence: A) -> Result<Vec<ScalarField>, A::Error> {
    let mut parts = Vec::with_capacity(3);
    while let Some(part) = sequence.next_element()? {
        parts.push(part);
    }
    Ok(parts)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyframesTable<V> {
    keyframes: Keyframes<V>,
}

fn keyframes<'de, V: Deserialize<'de>, A: MapAccess<'de>>(map: A) -> Result<Keyframes<V>, A::Error> {
    let table = KeyframesTable::deserialize(de::value::MapAccessDeserializer::new(map))?;
    Ok(table.keyframes)
}
