//! What may be written at a place.

mod files;
mod keys;
mod offer;
mod values;

use crate::document::{Certainty, Document};
use crate::lookup::Names;
use crate::outline::Spot;
use crate::position::Encoding;
use crate::workspace::Workspace;
use aplomb_trace::Channel;
use lsp_types::CompletionItem;
use offer::Offer;
use std::ops::Range;

/// What an editor can do with completions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Editor {
    /// How it counts characters.
    pub encoding: Encoding,
    /// Whether it can put the cursor somewhere into what it inserts.
    pub has_snippets: bool,
}

/// A place where something is to be written.
struct Wanted<'a> {
    document: &'a Document,
    names: Names<'a>,
    channels: &'a [Channel],
    offset: usize,
}

/// What may be written at an offset.
pub fn completion(
    workspace: &Workspace,
    document: &Document,
    offset: usize,
    channels: &[Channel],
    editor: Editor,
) -> Vec<CompletionItem> {
    if document.certainty == Certainty::Foreign {
        return Vec::new();
    }
    let names = Names::of(workspace, document);
    let wanted = Wanted { document, names, channels, offset };
    let (span, offers): (Range<usize>, Vec<Offer>) = match document.outline.spot(&document.text, offset) {
        Spot::Key { table, span, header: Some(item), .. } => (span, wanted.headers(&table, item)),
        Spot::Key { table, span, header: None, item } => (span, wanted.keys(&table, item)),
        Spot::Value { path, span, is_text } => wanted.values(&path, span, is_text),
        Spot::Nothing => return Vec::new(),
    };
    let range = document.lines.range(&document.text, &span, editor.encoding);
    offers.into_iter().map(|offer| offer.shown(range, editor.has_snippets)).collect()
}
