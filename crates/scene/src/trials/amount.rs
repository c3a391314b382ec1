//! A number, or a draw of one.

use super::spec::DrawSpec;
use aplomb_language::Spanned;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// A number, or a random draw of one.
#[derive(Clone, Debug)]
pub enum Amount {
    /// A fixed number.
    Fixed(f64),
    /// A drawn number.
    Drawn(Box<DrawSpec>),
}

impl Amount {
    /// A possible value.
    pub(super) fn example(&self) -> f64 {
        match self {
            Amount::Fixed(length) => *length,
            Amount::Drawn(draw) => match &**draw {
                DrawSpec::Uniform(range) | DrawSpec::LogUniform(range) => range.get_ref()[1],
                DrawSpec::Integer(range) => range.get_ref()[1] as f64,
                DrawSpec::Normal(normal) => *normal.mean.get_ref(),
                // Lengths are not drawn in these ways.
                DrawSpec::Choice(_) | DrawSpec::Direction(_) | DrawSpec::SameAs(_) => 1.0,
            },
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AmountVisitor)
    }
}

struct AmountVisitor;

impl<'de> Visitor<'de> for AmountVisitor {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number or a draw such as `{ uniform = [20, 40] }`")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Amount, E> {
        Ok(Amount::Fixed(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Amount, E> {
        Ok(Amount::Fixed(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Amount, A::Error> {
        let draw = LengthDraw::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Amount::Drawn(Box::new(draw.into())))
    }
}

/// Random draws of a number.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum LengthDraw {
    /// A uniformly distributed number: `[low, high]`.
    Uniform(Spanned<[f64; 2]>),
    /// A log-uniformly distributed number, with bounds above 0: `[low, high]`.
    LogUniform(Spanned<[f64; 2]>),
    /// A normally distributed number.
    Normal(super::spec::NormalSpec),
}

impl From<LengthDraw> for DrawSpec {
    fn from(length: LengthDraw) -> Self {
        match length {
            LengthDraw::Uniform(range) => DrawSpec::Uniform(range),
            LengthDraw::LogUniform(range) => DrawSpec::LogUniform(range),
            LengthDraw::Normal(normal) => DrawSpec::Normal(normal),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Amount {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number, or a draw of one.",
            "anyOf": [{ "type": "number" }, generator.subschema_for::<LengthDraw>()],
        })
    }
}
