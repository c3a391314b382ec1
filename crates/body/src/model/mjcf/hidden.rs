//! Errors that are hidden by the first error of an element, because the reader leaves an element at its first wrong
//! attribute.

use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use std::ops::Range;
use std::sync::Arc;

/// Largest number of times that a file is read again.
const MOST: usize = 20;

/// The errors, with those in further attributes. Each attribute of numbers that is wrong is omitted and the file read
/// again: such an attribute has a default, or its absence is an error of the element, which is not added.
pub(super) fn with_hidden(
    errors: FileErrors,
    source: &Source,
    read: impl Fn(&Source) -> Option<FileErrors>,
) -> FileErrors {
    let mut all = errors.into_vec();
    let first = all.len();
    let mut text = source.text.to_string();
    let mut reported = 0;
    for _ in 0..MOST {
        let is_own = |error: &&FileError| error.file == source.name && error.text.len() == source.text.len();
        let wrong: Vec<Range<usize>> = all[reported..]
            .iter()
            .filter(is_own)
            .filter_map(|error| numbers_at(&text, error.span.start))
            .collect();
        if wrong.is_empty() {
            break;
        }
        for span in wrong {
            let blank = " ".repeat(span.len());
            text.replace_range(span, &blank);
        }
        reported = all.len();
        let mut again = source.clone();
        again.text = Arc::from(text.as_str());
        let Some(more) = read(&again) else { break };
        for error in more.into_vec() {
            let is_new = all.iter().all(|other| other.span != error.span);
            if is_new && is_own(&&error) && numbers_at(&source.text, error.span.start).is_some() {
                all.push(FileError { text: source.text.clone(), ..error });
            }
        }
    }
    if all.len() > first {
        all.sort_by_key(|error| error.span.start);
    }
    all.into()
}

/// The attribute of ASCII numbers that begins here, `range="10 -120"`.
fn numbers_at(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let (name, value) = rest.split_once('=')?;
    let is_name = !name.is_empty() && name.trim_end().chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let quoted = value.trim_start();
    let quote = quoted.chars().next().filter(|quote| is_name && matches!(quote, '"' | '\''))?;
    let end = quoted[1..].find(quote)?;
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    // Without its two points a shape has a size of another form.
    let is_form = name.trim_end() == "fromto";
    if is_form || !quoted[1..1 + end].split_whitespace().all(is_number) {
        return None;
    }
    Some(at..text.len() - quoted.len() + end + 2)
}
