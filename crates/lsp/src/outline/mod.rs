//! The items of a TOML text with their positions, also for a text that is being written and does not parse.

mod cursor;
mod path;
mod scan;
#[cfg(test)]
mod tests;

pub(crate) use cursor::CursorContext;
pub(crate) use path::{PathStep, is, key_path};

use std::ops::Range;

/// The items of a text, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocumentOutline {
    /// Headers, keys with values, and elements of arrays.
    pub items: Vec<OutlineItem>,
    /// Comments, with their `#`.
    pub comments: Vec<Range<usize>>,
}

/// An item of a text.
#[derive(Clone, Debug)]
pub(crate) struct OutlineItem {
    /// Its path in the document.
    pub path: Vec<PathStep>,
    /// Places of the keys that are written here, those of the end of `path`; none for an element of an array.
    pub keys: Vec<Key>,
    /// Bytes of its value; for a header, those of the whole header.
    pub span: Range<usize>,
    /// The form of its value.
    pub value: OutlineValue,
}

/// A key as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Bytes of the key, with its quotes.
    pub span: Range<usize>,
    /// Number of steps of the item's path up to and including this key.
    pub depth: usize,
}

/// The form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OutlineValue {
    /// `[a.b]` or `[[a.b]]`: what follows is in that table.
    Header,
    /// Text in quotes, by the bytes between them.
    Text(Range<usize>),
    /// A number, a Boolean, or text without quotes so far.
    Bare,
    /// `{ … }`
    Table,
    /// `[ … ]`
    Array,
    /// No value yet.
    Missing,
}

impl DocumentOutline {
    /// The items of a text.
    pub(crate) fn of(text: &str) -> Self {
        scan::scan(text)
    }

    /// The value of the text item at a path, as it is written.
    pub(crate) fn text_at<'t>(&self, text: &'t str, path: &[&str]) -> Option<&'t str> {
        let item = self.items.iter().find(|item| path::is(&item.path, path))?;
        item.written(text)
    }

    /// Keys of the root.
    pub(crate) fn root_keys(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| item.path.first()?.key())
    }

    /// The keys of the table at a path, with each place at which one is written.
    pub(crate) fn keys_in<'o>(
        &'o self,
        table: &'o [PathStep],
    ) -> impl Iterator<Item = (&'o str, &'o OutlineItem, &'o Key)> {
        self.items.iter().filter(move |item| item.path.starts_with(table)).filter_map(move |item| {
            let key = item.keys.iter().find(|key| key.depth == table.len() + 1)?;
            Some((item.path[table.len()].key()?, item, key))
        })
    }

    /// Every place at which the key at this path is written.
    pub(crate) fn places_of<'o>(
        &'o self,
        path: &'o [PathStep],
    ) -> impl Iterator<Item = (&'o OutlineItem, &'o Key)> {
        self.items.iter().filter(move |item| item.path.starts_with(path)).filter_map(move |item| {
            item.keys.iter().find(|key| key.depth == path.len()).map(|key| (item, key))
        })
    }

    /// The whole extent of a header's table: up to the next header that is not within it.
    pub(crate) fn extent(&self, header: usize, length: usize) -> Range<usize> {
        let own = &self.items[header];
        let later = self.items[header + 1..].iter().find(|item| {
            item.value == OutlineValue::Header && !(item.path.starts_with(&own.path) && item.path != own.path)
        });
        own.span.start..later.map_or(length, |item| item.span.start)
    }
}

impl OutlineItem {
    /// The text of its value, without quotes.
    pub(crate) fn written<'t>(&self, text: &'t str) -> Option<&'t str> {
        match &self.value {
            OutlineValue::Text(inner) => text.get(inner.clone()),
            OutlineValue::Bare => text.get(self.span.clone()),
            _ => None,
        }
    }

    /// Bytes between the quotes of a text.
    pub(crate) fn inner(&self) -> Option<Range<usize>> {
        if let OutlineValue::Text(inner) = &self.value { Some(inner.clone()) } else { None }
    }
}
