//! The names that an expression may use, with their documentation.

mod listed;
mod own;
mod parts;

pub(crate) use listed::listed;
pub(crate) use own::{DefinedName, OwnKind, own, planned};
pub(crate) use parts::{Parts, parts};

use aplomb_language::expression::Type;

/// A name.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// The name.
    pub name: String,
    /// How it is written with arguments, if it has any.
    pub written: Option<String>,
    /// Its kind, for display.
    pub what: &'static str,
    /// Type of its value, if known.
    pub result: Option<Type>,
    /// Types of its arguments.
    pub arguments: &'static [Type],
    /// Unit of its value; empty if it has none.
    pub unit: String,
    /// Documentation.
    pub about: String,
}

impl Word {
    /// A name with its documentation.
    pub(crate) fn new(name: &str, what: &'static str, about: impl Into<String>) -> Self {
        Word {
            name: name.to_owned(),
            written: None,
            what,
            result: None,
            arguments: &[],
            unit: String::new(),
            about: about.into(),
        }
    }

    /// This name with a type.
    pub(crate) fn of_type(self, result: Type) -> Self {
        Word { result: Some(result), ..self }
    }

    /// Text behind it in a list: its kind and unit.
    pub(crate) fn detail(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(", {}", self.unit) };
        format!("{}{unit}", self.what)
    }
}
