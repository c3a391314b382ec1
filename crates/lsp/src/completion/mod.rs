//! Completions at a position in a text.

mod files;
mod keys;
mod offer;
mod values;

use crate::document::{Certainty, TextDocument};
use crate::lookup::NameLookup;
use crate::outline::CursorContext;
use crate::position::Encoding;
use crate::workspace::Workspace;
use aplomb_trace::Channel;
use lsp_types::CompletionItem;
use offer::Offer;
use std::ops::Range;

/// The capabilities of an editor for completions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Editor {
    /// How it counts characters.
    pub encoding: Encoding,
    /// Whether it can put the cursor somewhere into what it inserts.
    pub has_snippets: bool,
}

/// A place where a completion is requested.
struct CompletionSite<'a> {
    document: &'a TextDocument,
    names: NameLookup<'a>,
    channels: &'a [Channel],
    offset: usize,
}

/// The completions at an offset.
pub(crate) fn completion(
    workspace: &Workspace,
    document: &TextDocument,
    offset: usize,
    channels: &[Channel],
    editor: Editor,
) -> Vec<CompletionItem> {
    if document.certainty == Certainty::Foreign {
        return Vec::new();
    }
    let names = NameLookup::of(workspace, document);
    let wanted = CompletionSite { document, names, channels, offset };
    let (span, offers): (Range<usize>, Vec<Offer>) = match document.outline.spot(&document.text, offset) {
        CursorContext::Key { table, span, header: Some(item), .. } => (span, wanted.headers(&table, item)),
        CursorContext::Key { table, span, header: None, item } => (span, wanted.keys(&table, item)),
        CursorContext::Value { path, span, is_text } => wanted.values(&path, span, is_text),
        CursorContext::Nothing => return Vec::new(),
    };
    let range = document.lines.range(&document.text, &span, editor.encoding);
    offers.into_iter().map(|offer| offer.shown(range, editor.has_snippets)).collect()
}
