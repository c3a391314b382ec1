//! Corrections attached to diagnostics: the name that was probably meant.

use crate::document::TextDocument;
use crate::position::Encoding;
use aplomb_language::diagnostic::FileError;
use lsp_types::Range;
use serde::{Deserialize, Serialize};

/// A correction, as the data of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Fix {
    /// Its title in an editor.
    pub title: String,
    /// The range that it replaces.
    pub range: Range,
    /// The replacement.
    pub new_text: String,
}

/// The correction of a mistake whose help names what was probably meant.
pub(super) fn of(document: &TextDocument, error: &FileError, encoding: Encoding) -> Option<Fix> {
    let meant = between(error.help.as_deref()?, "did you mean `")?;
    let part = document.text.get(error.span.clone())?;
    // The mistake may be in a part of what is marked: a name in an expression, or between quotes.
    let wrong =
        error.message.split('`').skip(1).step_by(2).find(|name| !name.is_empty() && part.contains(name))?;
    let start = error.span.start + place(part, wrong)?;
    let range = document.lines.range(&document.text, &(start..start + wrong.len()), encoding);
    Some(Fix { title: format!("Change `{wrong}` to `{meant}`"), range, new_text: meant.to_owned() })
}

fn between<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once('`').map(|(name, _)| name)
}

/// The place of a name in a text, as a whole word.
fn place(text: &str, name: &str) -> Option<usize> {
    let is_of_word = |character: char| character.is_alphanumeric() || character == '_';
    let found = text.match_indices(name).map(|(at, _)| at);
    let mut whole = found.filter(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_of_word) && !after.is_some_and(is_of_word)
    });
    whole.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_language::diagnostic::Source;

    #[test]
    fn a_name_in_an_expression_is_replaced_alone() {
        let text = "ä = \"com_hight + xcom_hight\"\n";
        let document = TextDocument::new("untitled:a".parse().expect("an address"), 1, text, None);
        let source = Source::new("a", text);
        let error = FileError::new(&source, 5..text.len() - 1, "unknown name `com_hight`");
        let fix = of(&document, &error.clone().help("did you mean `com_height`?"), Encoding::Utf16);
        let fix = fix.expect("a fix");
        assert_eq!((fix.range.start.character, fix.range.end.character), (5, 14));
        assert_eq!(fix.new_text, "com_height");
        assert_eq!(of(&document, &error.help("known: a, b"), Encoding::Utf16), None);
    }
}
