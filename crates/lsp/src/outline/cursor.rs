//! The key or value at a position in a text.

use super::{DocumentOutline, OutlineItem, OutlineValue, PathStep};
use std::ops::Range;

/// The key or value to which a position in a text belongs.
#[derive(Clone, Debug)]
pub(crate) enum CursorContext<'o> {
    /// A key, or a place for one.
    Key {
        /// The table that it is in.
        table: Vec<PathStep>,
        /// Bytes of its existing part.
        span: Range<usize>,
        /// Whether it is in a header: `[a.b]`.
        header: Option<&'o OutlineItem>,
        /// The item that it is a key of.
        item: Option<&'o OutlineItem>,
    },
    /// A value, or a place for one.
    Value {
        /// Its path in the document.
        path: Vec<PathStep>,
        /// Bytes of its existing part; for a text, those between its quotes.
        span: Range<usize>,
        /// Whether it is in quotes.
        is_text: bool,
    },
    /// A comment, or a place where nothing may be written.
    Nothing,
}

impl DocumentOutline {
    /// The key or value at an offset of the text.
    pub(crate) fn spot(&self, text: &str, offset: usize) -> CursorContext<'_> {
        if self.comments.iter().any(|comment| comment.start < offset && offset <= comment.end) {
            return CursorContext::Nothing;
        }
        for item in &self.items {
            if let Some(key) = item.keys.iter().find(|key| key.span.start <= offset && offset <= key.span.end)
            {
                let table = item.path[..key.depth - 1].to_vec();
                let header = (item.value == OutlineValue::Header).then_some(item);
                return CursorContext::Key { table, span: key.span.clone(), header, item: Some(item) };
            }
        }
        let holds = |item: &&OutlineItem| match &item.value {
            OutlineValue::Header => false,
            OutlineValue::Text(inner) => inner.start <= offset && offset <= inner.end,
            OutlineValue::Bare | OutlineValue::Missing => {
                item.span.start <= offset && offset <= item.span.end
            }
            // A value that is not closed extends to its end.
            OutlineValue::Table | OutlineValue::Array => {
                item.span.start < offset && (offset < item.span.end || !self.is_closed(text, item, offset))
            }
        };
        let innermost = self.items.iter().filter(holds).min_by_key(|item| item.span.len());
        match innermost {
            Some(item) => self.within(text, item, offset),
            None => self.between(text, offset),
        }
    }

    /// Whether a table or an array ends before the offset.
    fn is_closed(&self, text: &str, item: &OutlineItem, offset: usize) -> bool {
        let last = text.as_bytes().get(item.span.end.wrapping_sub(1));
        let is_closed = item.span.len() > 1 && matches!(last, Some(b'}' | b']'));
        is_closed || text.get(item.span.end..offset).is_none_or(|after| after.contains('\n'))
    }

    fn within(&self, text: &str, item: &OutlineItem, offset: usize) -> CursorContext<'_> {
        let path = item.path.clone();
        match &item.value {
            OutlineValue::Table => {
                let is_blank = |start: usize| {
                    let before = text.get(start..offset).unwrap_or_default().trim_end();
                    before.ends_with(['{', ',']) || before.is_empty()
                };
                match is_blank(item.span.start) {
                    true => {
                        CursorContext::Key { table: path, span: offset..offset, header: None, item: None }
                    }
                    false => CursorContext::Nothing,
                }
            }
            OutlineValue::Array => {
                let is_element = |other: &&OutlineItem| {
                    other.path.len() == path.len() + 1 && other.path.starts_with(&path)
                };
                let before = self.items.iter().filter(is_element).filter(|other| other.span.end <= offset);
                let index = PathStep::Index(before.count());
                CursorContext::Value {
                    path: [path, vec![index]].concat(),
                    span: offset..offset,
                    is_text: false,
                }
            }
            OutlineValue::Text(inner) => CursorContext::Value { path, span: inner.clone(), is_text: true },
            OutlineValue::Missing => CursorContext::Value { path, span: offset..offset, is_text: false },
            OutlineValue::Bare | OutlineValue::Header => {
                CursorContext::Value { path, span: item.span.clone(), is_text: false }
            }
        }
    }

    /// A place outside of all values: one for a key, where the line is empty.
    fn between(&self, text: &str, offset: usize) -> CursorContext<'_> {
        let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |line| line + 1);
        if !text.get(start..offset).unwrap_or_default().trim().is_empty() {
            return CursorContext::Nothing;
        }
        let header =
            self.items.iter().rfind(|item| item.value == OutlineValue::Header && item.span.end <= offset);
        let table = header.map(|item| item.path.clone()).unwrap_or_default();
        CursorContext::Key { table, span: offset..offset, header: None, item: None }
    }
}
