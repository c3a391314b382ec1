//! Trials: random draws of values of a scene, so that its criteria have a success rate.

mod amount;
mod check;
mod probe;
mod spec;
#[cfg(test)]
mod tests;

pub use amount::Amount;
pub(crate) use check::check;
pub use probe::at_ends;
pub(crate) use probe::mistakes;
pub use spec::{DirectionSpec, Directions, DrawSpec, NormalSpec, TrialsSpec};

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// Largest number of trials of a scene; more is probably a typing error.
pub(crate) const MOST_TRIALS: u32 = 100_000;

/// A value of a scene, in the form of TOML.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneValue {
    /// `true` or `false`.
    Truth(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A word or an expression.
    Text(String),
    /// A vector of numbers.
    Vector(Vec<f64>),
}

impl fmt::Display for SceneValue {
    /// Formats the value as TOML, for use after `PATH=` in `--set`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SceneValue::Truth(truth) => write!(f, "{truth}"),
            SceneValue::Integer(integer) => write!(f, "{integer}"),
            SceneValue::Number(number) => write!(f, "{number:?}"),
            SceneValue::Text(text) => f.write_str(&aplomb_language::files::in_quotes(text)),
            SceneValue::Vector(vector) => {
                let parts: Vec<String> = vector.iter().map(|part| format!("{part:?}")).collect();
                write!(f, "[{}]", parts.join(", "))
            }
        }
    }
}

impl<'de> Deserialize<'de> for SceneValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = SceneValue;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number, a word, a truth or a vector")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<SceneValue, E> {
        Ok(SceneValue::Truth(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<SceneValue, E> {
        Ok(SceneValue::Integer(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<SceneValue, E> {
        Ok(SceneValue::Number(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<SceneValue, E> {
        Ok(SceneValue::Text(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<SceneValue, A::Error> {
        let mut vector = Vec::new();
        while let Some(number) = sequence.next_element::<f64>()? {
            vector.push(number);
        }
        Ok(SceneValue::Vector(vector))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for SceneValue {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number, a word, a truth or a vector.",
            "anyOf": [
                { "type": "number" },
                { "type": "string" },
                { "type": "boolean" },
                { "type": "array", "items": { "type": "number" } },
            ],
        })
    }
}
