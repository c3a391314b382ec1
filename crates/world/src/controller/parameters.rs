//! Parameters of a controller: numbers, and vectors, whose components are parameters too.

use aplomb_language::Spanned;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// The components of a vector, as expressions name them.
const AXES: [&str; 3] = ["x", "y", "z"];

/// All numbers of a controller's parameters by name; those of a vector `v` are `v.x`, `v.y` and `v.z`.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    numbers: IndexMap<Spanned<String>, Spanned<f64>>,
    names: Vec<Spanned<String>>,
}

impl Parameters {
    /// Names in the order of the file, without the components of vectors.
    pub fn names(&self) -> impl Iterator<Item = &Spanned<String>> {
        self.names.iter()
    }

    /// The vector of this name.
    pub fn vector(&self, name: &str) -> Option<[f64; 3]> {
        let [x, y, z] = AXES.map(|axis| self.numbers.get(format!("{name}.{axis}").as_str()));
        Some([*x?.get_ref(), *y?.get_ref(), *z?.get_ref()])
    }

    /// Whether there is a number or a vector of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.numbers.contains_key(name) || self.names.iter().any(|own| own.get_ref() == name)
    }

    /// Adds the parameters of another controller, with names from `whole`.
    pub(super) fn extend(&mut self, others: &Parameters, whole: impl Fn(&str) -> String) {
        let renamed = |name: &Spanned<String>| Spanned::new(name.span(), whole(name.get_ref()));
        self.names.extend(others.names.iter().map(renamed));
        self.numbers.extend(others.numbers.iter().map(|(name, value)| (renamed(name), value.clone())));
    }
}

impl Deref for Parameters {
    type Target = IndexMap<Spanned<String>, Spanned<f64>>;

    fn deref(&self) -> &Self::Target {
        &self.numbers
    }
}

impl DerefMut for Parameters {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.numbers
    }
}

impl<'a> IntoIterator for &'a Parameters {
    type Item = (&'a Spanned<String>, &'a Spanned<f64>);
    type IntoIter = indexmap::map::Iter<'a, Spanned<String>, Spanned<f64>>;

    fn into_iter(self) -> Self::IntoIter {
        self.numbers.iter()
    }
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Parameter {
    /// A number.
    Number(f64),
    /// Three numbers.
    Vector([f64; 3]),
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given: IndexMap<Spanned<String>, Spanned<Parameter>> = IndexMap::deserialize(deserializer)?;
        let mut parameters = Parameters::default();
        for (name, value) in given {
            match value.get_ref() {
                Parameter::Number(number) => {
                    parameters.numbers.insert(name.clone(), Spanned::new(value.span(), *number));
                }
                Parameter::Vector(vector) => {
                    for (axis, number) in AXES.iter().zip(vector) {
                        let component = Spanned::new(name.span(), format!("{name}.{axis}"));
                        parameters.numbers.insert(component, Spanned::new(value.span(), *number));
                    }
                }
            }
            parameters.names.push(name);
        }
        Ok(parameters)
    }
}

impl<'de> Deserialize<'de> for Parameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParameterVisitor)
    }
}

struct ParameterVisitor;

impl<'de> Visitor<'de> for ParameterVisitor {
    type Value = Parameter;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number or `[x, y, z]`")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Parameter, E> {
        Ok(Parameter::Number(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Parameter, E> {
        Ok(Parameter::Number(value as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Parameter, A::Error> {
        let mut vector = Vec::with_capacity(3);
        while let Some(number) = sequence.next_element::<f64>()? {
            vector.push(number);
        }
        let count = vector.len();
        vector.try_into().map(Parameter::Vector).map_err(|_| A::Error::invalid_length(count, &self))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Parameters {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "parameters".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        IndexMap::<String, Parameter>::json_schema(generator)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Parameter {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Parameter".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number, or three.",
            "anyOf": [
                { "type": "number" },
                { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 },
            ],
        })
    }
}
