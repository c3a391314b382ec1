//! Code actions for diagnostics: insert the name that was probably meant, or allow a rule.

use crate::diagnostics::Fix;
use crate::document::TextDocument;
use crate::outline::{OutlineValue, PathStep};
use crate::position::Encoding;
use aplomb_analysis::check::Kind;
use lsp_types::{CodeAction, CodeActionKind, Diagnostic, NumberOrString, TextEdit, WorkspaceEdit};
use std::collections::HashMap;

/// The code actions for diagnostics of a text.
pub(crate) fn actions(document: &TextDocument, found: &[Diagnostic], encoding: Encoding) -> Vec<CodeAction> {
    let mut all: Vec<CodeAction> = Vec::new();
    for diagnostic in found {
        let fix = diagnostic.data.clone().and_then(|data| serde_json::from_value::<Fix>(data).ok());
        if let Some(fix) = fix {
            let edit = TextEdit { range: fix.range, new_text: fix.new_text };
            all.push(action(document, fix.title, edit, diagnostic, true));
        }
    }
    for diagnostic in found {
        if let Some(NumberOrString::String(rule)) = &diagnostic.code
            && matches!(document.kind, Kind::Scene | Kind::Controller)
        {
            let title = format!("Allow `{rule}` in this file");
            all.push(action(document, title, allow(document, rule, encoding), diagnostic, false));
        }
    }
    all
}

#[expect(clippy::mutable_key_type, reason = "the type of the protocol; its keys do not change")]
fn action(
    document: &TextDocument,
    title: String,
    edit: TextEdit,
    diagnostic: &Diagnostic,
    is_preferred: bool,
) -> CodeAction {
    let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
    CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic.clone()]),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        is_preferred: Some(is_preferred),
        ..CodeAction::default()
    }
}

/// Adds a rule to `allow`.
fn allow(document: &TextDocument, rule: &str, encoding: Encoding) -> TextEdit {
    let (outline, text) = (&document.outline, &document.text);
    let at = |offset: usize, new_text: String| {
        let range = document.lines.range(text, &(offset..offset), encoding);
        TextEdit { range, new_text }
    };
    let path = [PathStep::from("allow")];
    if let Some(list) =
        outline.items.iter().find(|item| item.path == path && item.value == OutlineValue::Array)
    {
        let last = outline.items.iter().rfind(|item| item.path.len() == 2 && item.path[0] == path[0]);
        return match last {
            Some(last) => at(last.span.end, format!(", \"{rule}\"")),
            None => at(list.span.start + 1, format!("\"{rule}\"")),
        };
    }
    // After the title, else before the first key.
    let title = outline.items.iter().find(|item| item.path == [PathStep::from("title")]);
    let line =
        |offset: usize| text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let next =
        |offset: usize| text.get(offset..).and_then(|rest| rest.find('\n')).map(|more| offset + more + 1);
    let first = outline
        .items
        .first()
        .map_or(text.len(), |item| line(item.keys.first().map_or(item.span.start, |key| key.span.start)));
    match title.map(|title| next(title.span.end)) {
        Some(Some(after)) => at(after, format!("allow = [\"{rule}\"]\n")),
        Some(None) => at(text.len(), format!("\nallow = [\"{rule}\"]\n")),
        None => at(first, format!("allow = [\"{rule}\"]\n")),
    }
}
