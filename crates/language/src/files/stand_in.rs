//! Stand-ins for missing values, which allow the rest of a table to be read.

use super::mend::{ItemPath, table_at};
use super::part::TypeMismatch;
use super::toml_error::missing;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Keys whose stand-in causes no further mistakes: the file's other mistakes are reported even if these are missing.
const HARMLESS: [&str; 3] = ["name", "weight", "duration"];

/// A value in place of a missing one.
pub(super) struct StandIn {
    /// Path of the table that lacks the key.
    pub(super) path: ItemPath,
    key: String,
    /// Span of that table, which is reported if the stand-in is rejected.
    span: Range<usize>,
    /// Number of the stand-in value in use.
    number: usize,
    /// Counter that makes names unique.
    count: usize,
}

impl StandIn {
    /// Puts a stand-in for `key` into the table at `path`; `None` if there is no such table.
    pub(super) fn put(
        table: &mut DeTable<'_>,
        path: &ItemPath,
        key: &str,
        span: Range<usize>,
        count: usize,
    ) -> Option<Self> {
        let stand_in = StandIn { path: path.clone(), key: key.to_owned(), span, number: 0, count };
        stand_in.write(table).then_some(stand_in)
    }

    /// Whether the error means that the stand-in has the wrong type. A kind that is not a string still counts as
    /// missing.
    pub(super) fn is_blamed(&self, error: &TypeMismatch) -> bool {
        let of_table = ["missing field ", "unknown field ", "unexpected keys in table: "];
        let is_of_value = || !of_table.iter().any(|beginning| error.message.starts_with(beginning));
        let is_here = error.span.clone().unwrap_or(0..0) == self.span;
        is_here && (is_of_value() || missing(&error.message) == Some(&*self.key))
    }

    /// Replaces the stand-in by one of the next type; returns false, without a replacement, if none is left.
    pub(super) fn change(&mut self, table: &mut DeTable<'_>) -> bool {
        self.number += 1;
        self.write(table)
    }

    /// Whether mistakes found with this stand-in are genuine mistakes of the file.
    pub(super) fn is_harmless(&self) -> bool {
        HARMLESS.contains(&self.key.as_str())
    }

    fn write(&self, table: &mut DeTable<'_>) -> bool {
        let (Some(value), Some(table)) = (self.value(), table_at(table, &self.path)) else { return false };
        let key = Spanned::new(self.span.clone(), self.key.clone().into());
        table.insert(key, Spanned::new(self.span.clone(), value));
        true
    }

    fn value(&self) -> Option<DeValue<'static>> {
        let text = || DeValue::String(format!("without a name {}", self.count).into());
        let array = |count: usize, of: &dyn Fn() -> Option<DeValue<'static>>| {
            let mut array = DeArray::new();
            for _ in 0..count {
                array.push(Spanned::new(self.span.clone(), of()?));
            }
            Some(DeValue::Array(array))
        };
        // No event is later than the end of a run of this length, s.
        let number = || plain(if self.key == "duration" { "value = 1000.0" } else { "value = 1.0" });
        match (self.number, self.key == "name") {
            (0, true) | (1, false) => Some(text()),
            (0, false) | (1, true) => number(),
            (2, _) => array(3, &number),
            (3, _) => array(2, &number),
            (4, _) => array(0, &number),
            (5, _) => Some(DeValue::Boolean(true)),
            _ => None,
        }
    }
}

/// The value in TOML text with one key.
fn plain(text: &'static str) -> Option<DeValue<'static>> {
    let table = DeTable::parse(text).ok()?.into_inner();
    table.into_iter().next().map(|(_, value)| value.into_inner())
}
