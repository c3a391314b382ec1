//! A completion.

use crate::names::Word;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat, MarkupContent,
    MarkupKind, Range, TextEdit,
};

/// A completion.
pub(super) struct Offer {
    /// Its text in the list.
    pub label: String,
    /// Its kind, for the editor.
    pub kind: CompletionItemKind,
    /// Text behind it in the list.
    pub detail: String,
    /// Sentences, Markdown.
    pub about: String,
    /// The text that is inserted, with `$1` where the cursor goes; `None` for the label.
    pub snippet: Option<String>,
    /// Place in the list: 0 for the first ones.
    pub rank: u8,
}

impl Offer {
    /// A completion with its documentation.
    pub(super) fn new(label: impl Into<String>, kind: CompletionItemKind, about: impl Into<String>) -> Self {
        let (label, about) = (label.into(), about.into());
        Offer { label, kind, detail: String::new(), about, snippet: None, rank: 2 }
    }

    /// A name of an expression.
    pub(super) fn word(word: &Word) -> Self {
        let kind = match word.what {
            "function" => CompletionItemKind::FUNCTION,
            _ if !word.arguments.is_empty() => CompletionItemKind::METHOD,
            "quantity" | "condition" | "constant" => CompletionItemKind::VARIABLE,
            "set" => CompletionItemKind::ENUM,
            _ => CompletionItemKind::FIELD,
        };
        let has_brackets = word.written.as_ref().is_some_and(|written| written.contains('('));
        let about = match &word.written {
            Some(written) => format!("`{written}`\n\n{}", word.about),
            None => word.about.clone(),
        };
        Offer {
            detail: word.detail(),
            snippet: has_brackets.then(|| format!("{}($1)", word.name)),
            ..Offer::new(&word.name, kind, about)
        }
    }

    /// This completion with a detail text behind it in the list.
    pub(super) fn detail(self, detail: impl Into<String>) -> Self {
        Offer { detail: detail.into(), ..self }
    }

    /// This completion with another rank in the list.
    pub(super) fn rank(self, rank: u8) -> Self {
        Offer { rank, ..self }
    }

    /// This completion with another inserted text.
    pub(super) fn snippet(self, snippet: impl Into<String>) -> Self {
        Offer { snippet: Some(snippet.into()), ..self }
    }

    /// This completion in quotes.
    pub(super) fn quoted(self) -> Self {
        let written = self.snippet.clone().unwrap_or_else(|| escaped(&self.label));
        Offer { snippet: Some(format!("\"{written}\"")), ..self }
    }

    /// The item of the protocol that replaces a range with it.
    pub(super) fn shown(self, range: Range, has_snippets: bool) -> CompletionItem {
        let is_snippet = has_snippets && self.snippet.as_ref().is_some_and(|snippet| snippet.contains('$'));
        let text = match self.snippet {
            Some(snippet) if is_snippet => snippet,
            Some(snippet) => plain(&snippet),
            None => self.label.clone(),
        };
        CompletionItem {
            sort_text: Some(format!("{}{}", self.rank, self.label)),
            label: self.label,
            kind: Some(self.kind),
            detail: Some(self.detail).filter(|detail| !detail.is_empty()),
            documentation: Some(self.about).filter(|about| !about.is_empty()).map(|value| {
                Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
            }),
            insert_text_format: is_snippet.then_some(InsertTextFormat::SNIPPET),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: text })),
            ..CompletionItem::default()
        }
    }
}

/// The text of a snippet without its placeholders.
fn plain(snippet: &str) -> String {
    let mut text = String::with_capacity(snippet.len());
    let mut rest = snippet.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '$' => while rest.next_if(char::is_ascii_digit).is_some() {},
            '\\' => text.extend(rest.next()),
            other => text.push(other),
        }
    }
    text
}

/// A text escaped so that a snippet has no placeholders in it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}
