//! Parsing of TOML documents into specifications, with the properties of a kind of file beyond its types.

use super::finite;
use super::lay;
use super::mend;
use super::overrides::{Override, shift};
use super::toml_error::{translate, unexpected, unknown};
use crate::diagnostic::{FileError, Source};
use serde::de::DeserializeOwned;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A parsed document, with all of its mistakes.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// `None` if mistakes left a part unknown; unknown keys alone do not.
    pub value: Option<T>,
    /// Every mistake, in the order of the file.
    pub mistakes: Vec<FileError>,
}

impl<T> Read<T> {
    /// A failed read with a single mistake.
    pub(crate) fn failed(mistake: FileError) -> Self {
        Read { value: None, mistakes: vec![mistake] }
    }
}

/// Parses TOML text as `T`, after applying the overrides.
///
/// The overrides become part of `source`, so that spans kept in `T` are spans of `source`.
///
/// # Errors
/// The first mistake: text that is not TOML or not of the type's form, or an override without a place.
pub fn read<T: DeserializeOwned>(
    source: &mut Source,
    overrides: &[Override],
    format: &Format,
) -> Result<T, FileError> {
    let read = read_all(source, overrides, format);
    match (read.mistakes.into_iter().next(), read.value) {
        (None, Some(value)) => Ok(value),
        (Some(mistake), _) => Err(mistake),
        // A value without content always has a mistake.
        (None, None) => Err(FileError::new(source, 0..0, "this file cannot be read")),
    }
}

/// Largest size of a file, bytes.
const LONGEST: usize = 16 << 20;

/// [`read`] with all mistakes.
pub fn read_all<T: DeserializeOwned>(
    source: &mut Source,
    overrides: &[Override],
    format: &Format,
) -> Read<T> {
    let text = source.text.clone();
    let mut document = match Document::parse(source, 0, &text) {
        Ok(document) => document,
        Err(mistake) => return Read::failed(mistake),
    };
    match document.apply(source, overrides, format) {
        Ok(()) => document.read(source, format),
        Err(mistake) => Read::failed(mistake),
    }
}

/// TOML text that can be modified before it is parsed into a type.
#[derive(Clone, Debug)]
pub struct Document<'t> {
    table: Spanned<DeTable<'t>>,
}

/// A table taken out of a document.
#[derive(Clone, Debug, Default)]
pub struct Piece<'t>(pub(super) DeTable<'t>);

impl<'t> Document<'t> {
    /// Parses text whose bytes begin at `start` in the numbering of `source`.
    ///
    /// # Errors
    /// Text that is not TOML.
    pub fn parse(source: &Source, start: usize, text: &'t str) -> Result<Self, FileError> {
        if text.len() > LONGEST {
            let message = format!("the file is longer than {} MiB", LONGEST >> 20);
            return Err(FileError::new(source, start..start, message));
        }
        let table = DeTable::parse(text).map_err(|error| match start {
            0 => translate(source, error.message(), error.span()),
            _ => translate(&source.file_at(start), error.message(), error.span()),
        })?;
        let table = match start {
            0 => table,
            _ => {
                let span = table.span();
                let whole = shift(Spanned::new(span, DeValue::Table(table.into_inner())), start);
                let span = whole.span();
                match whole.into_inner() {
                    DeValue::Table(table) => Spanned::new(span, table),
                    _ => Spanned::new(span, DeTable::new()),
                }
            }
        };
        Ok(Document { table })
    }

    /// Sets the values of overrides, whose texts are appended to `source`.
    ///
    /// # Errors
    /// An override without a place in the document.
    pub fn apply(
        &mut self,
        source: &mut Source,
        overrides: &'t [Override],
        format: &Format,
    ) -> Result<(), FileError> {
        overrides.iter().try_for_each(|item| item.apply(source, self.table.get_mut(), format))
    }

    /// Applies a table of another document: values replace values, tables and named elements are merged, and
    /// further elements are appended.
    ///
    /// # Errors
    /// A name that the document does not have.
    pub fn lay(&mut self, source: &Source, piece: Piece<'t>, format: &Format) -> Result<(), FileError> {
        lay::over(source, self.table.get_mut(), piece.0, format)
    }

    /// The tables inside the table at `key`, by name.
    pub fn pieces(&self, key: &str) -> Vec<(String, Piece<'t>)> {
        let Some(DeValue::Table(table)) = self.table.get_ref().get(key).map(Spanned::get_ref) else {
            return Vec::new();
        };
        let piece = |(name, value): (&Spanned<_>, &Spanned<DeValue<'t>>)| {
            let name: &std::borrow::Cow<'_, str> = name.get_ref();
            match value.get_ref() {
                DeValue::Table(table) => Some((name.to_string(), Piece(table.clone()))),
                _ => None,
            }
        };
        table.iter().filter_map(piece).collect()
    }

    /// Swaps left and right in the document's names by calling `mirror`.
    pub fn mirror(&mut self, mirror: impl FnOnce(&mut DeTable<'t>)) {
        mirror(self.table.get_mut());
    }

    /// Deserialises the document.
    pub fn read<T: DeserializeOwned>(self, source: &Source, format: &Format) -> Read<T> {
        let Document { table } = self;
        // In a file of another kind, every key would be a mistake.
        for (foreign, is) in format.foreign {
            if let Some((key, _)) = table.get_ref().iter().find(|(key, _)| key.get_ref() == foreign) {
                return Read::failed(FileError::new(source, key.span(), *is));
            }
        }
        let none = finite::mistakes(source, table.get_ref(), format.may_be_infinite);
        let (value, mut mistakes) = mend::read(source, table, format);
        // The value is unknown if these mistakes removed a part.
        let value = value.filter(|_| none.is_empty());
        mistakes.extend(none);
        Read { value, mistakes }
    }
}

impl Piece<'_> {
    /// The document without this key.
    pub fn without(mut self, key: &str) -> Self {
        self.0.remove(key);
        self
    }
}

/// Properties of a kind of file beyond its types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Format {
    /// Tables whose keys users choose (`events`, `states`): an override cannot create an entry in them.
    pub named: &'static [&'static str],
    /// Keys that determine which other keys their table may have, with the path of the table (keys joined by
    /// dots, `*` for any): they are parsed first, wherever they are.
    pub first: &'static [(&'static str, &'static str)],
    /// Keys whose value may be infinite; all others must be finite.
    pub may_be_infinite: &'static [&'static str],
    /// Expands a shortened path of keys in this document.
    pub unfold: Option<Unfold>,
    /// Keys that are often written in another form or in another table, with help; `TABLE.KEY`: only below that table.
    pub hints: &'static [(&'static str, &'static str)],
    /// Tables that only files of another kind have, with the name of that kind in messages.
    pub foreign: &'static [(&'static str, &'static str)],
}

impl Format {
    /// Help for a key whose value has a wrong form or that is unknown in its table. `message` is serde's error about
    /// the value at the end of `path`.
    pub(super) fn hint(&self, message: &str, path: &[String]) -> Option<&'static str> {
        let unknown = unknown(message, "unknown field ").map(|(key, _)| key);
        let in_kind = unexpected(message).map(|(key, _)| key);
        let of_other_form =
            || path.last().filter(|_| message.starts_with("invalid type: ")).map(String::as_str);
        let key = unknown.or(in_kind).or_else(of_other_form)?;
        let is_meant = |hinted: &str| match hinted.rsplit_once('.') {
            Some((table, last)) => last == key && path.iter().any(|name| name == table),
            None => hinted == key && in_kind.is_none(),
        };
        self.hints.iter().find(|(hinted, _)| is_meant(hinted)).map(|(_, help)| *help)
    }
}

/// Keys from the root of a document, with their spans.
pub type Keys = Vec<(String, Range<usize>)>;

/// Expands a path of keys in a document.
pub type Unfold = fn(&DeTable<'_>, Keys) -> Keys;
