//! The place of the value that an override replaces.

use super::document::{Format, Keys};
use super::overrides::Override;
use super::overrides::element;
use crate::diagnostic::Source;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Target of a path in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// A value at these bytes of the file's text.
    Here(Range<usize>),
    /// A value of the file included under this name, at these keys.
    Within(String, Keys),
    /// The file has no such value.
    Nowhere,
}

impl Override {
    /// Place of the value in a file of this format.
    pub fn written(&self, file: &Source, format: &Format) -> Written {
        written(self.path.clone(), file, format)
    }
}

/// Target of a path of keys in a file of this format.
pub fn written(path: Keys, file: &Source, format: &Format) -> Written {
    let Ok(table) = DeTable::parse(&file.text) else { return Written::Nowhere };
    let path = match format.unfold {
        Some(unfold) => unfold(table.get_ref(), path),
        None => path,
    };
    match (value(table.get_ref(), &path), path.as_slice()) {
        (Some(value), _) => Written::Here(value.span()),
        (None, [(first, _), (name, _), rest @ ..]) if first == "include" && !rest.is_empty() => {
            Written::Within(name.clone(), rest.to_vec())
        }
        _ => Written::Nowhere,
    }
}

fn value<'t, 'i>(table: &'t DeTable<'i>, path: &Keys) -> Option<&'t Spanned<DeValue<'i>>> {
    let ((first, _), rest) = path.split_first()?;
    let mut at = table.get(first.as_str())?;
    for (key, _) in rest {
        at = match at.get_ref() {
            DeValue::Table(table) => table.get(key.as_str())?,
            DeValue::Array(array) => array.get(element(array, key)?)?,
            _ => return None,
        };
    }
    Some(at)
}
