//! Bounds on the size of a file.

use aplomb_language::diagnostic::{FileError, Source};

/// Longest file, bytes.
const LONGEST: usize = 16 << 20;
/// Largest number of elements, texts and comments.
pub(crate) const MOST_NODES: u32 = 200_000;
/// Deepest nesting of elements.
pub(crate) const DEEPEST: usize = 256;
/// Largest number of attributes of an element: the XML parser compares each with every other.
const MOST_ATTRIBUTES: usize = 200;

/// Rejects files that would take the XML parser long.
pub(super) fn check(source: &Source) -> Result<(), FileError> {
    if source.text.len() > LONGEST {
        return Err(FileError::new(source, 0..0, format!("the file is longer than {} MiB", LONGEST >> 20)));
    }
    match element_with_many_attributes(&source.text) {
        Some(start) => {
            let message = format!("an element has more than {MOST_ATTRIBUTES} attributes");
            Err(FileError::new(source, start..start + 1, message))
        }
        None => Ok(()),
    }
}

/// Position of the first tag with too many equals signs outside quotes. Comments and the like are skipped;
/// whether the rest is XML is left to the parser.
fn element_with_many_attributes(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|found| at + found) {
        let rest = &text[start..];
        let markup = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((open, close)) = markup.iter().find(|(open, _)| rest.starts_with(open)) {
            let end = rest[open.len()..].find(close)?;
            at = start + open.len() + end + close.len();
            continue;
        }
        let mut quote = None;
        let mut attributes = 0;
        let mut end = rest.len();
        for (offset, byte) in rest.bytes().enumerate() {
            match (quote, byte) {
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => attributes += 1,
                (None, b'>') => {
                    end = offset + 1;
                    break;
                }
                (None, _) => {}
            }
        }
        if attributes > MOST_ATTRIBUTES {
            return Some(start);
        }
        at = start + end;
    }
    None
}
