//! The lines around a place in a file, shortened to be readable.

use crate::diagnostic::FileError;
use crate::visible::in_line;
use std::ops::Range;

/// Number of characters of a line that are shown before and after the place.
const BEFORE: usize = 150;
const AFTER: usize = 250;

/// Number of lines shown above and below the place.
const AROUND: usize = 3;

/// The line of a place and its neighbours, cut around the place, with control characters made visible.
#[derive(Clone, Debug)]
pub(super) struct Excerpt {
    /// Name of the file.
    pub file: String,
    /// The lines of the excerpt.
    pub text: String,
    /// Bytes of `text` that are wrong.
    pub span: Range<usize>,
    /// Number of the first line in the file, from 0.
    pub first_line: usize,
    /// Line and column of the place in the file, from 0.
    pub place: (usize, usize),
}

impl Excerpt {
    pub(super) fn of(mistake: &FileError) -> Self {
        let text = &*mistake.text;
        let start = floor(text, mistake.span.start.min(text.len()));
        let (file, line, column) = mistake.place();
        let (line, column) = (line - 1, column - 1);
        let begin = text[..start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let place = start..floor(text, mistake.span.end.clamp(start, end));
        // The caller uses as many of these lines as it needs.
        let above: Vec<&str> = text[..begin].lines().rev().take(AROUND).collect();
        let mut shown: String = above.iter().rev().map(|line| cut(line) + "\n").collect();
        let first_line = line - above.len();
        // The line itself, from shortly before the place to shortly after its start.
        let from = word_start(text, back(text, start, BEFORE).max(begin)..start, begin);
        let until = word_end(text, start..ahead(text, start, AFTER).min(end), end);
        if from > begin {
            shown.push('…');
        }
        shown += &in_line(&text[from..start]);
        let span_start = shown.len();
        let wrong = place.start..place.end.min(until);
        shown += &in_line(&text[wrong.clone()]);
        let span = span_start..shown.len();
        shown += &in_line(text[wrong.end..until].trim_end_matches('\r'));
        if until < end {
            shown.push('…');
        }
        let mut below = text[end..].split('\n').skip(1);
        for line in below.by_ref().take(AROUND) {
            shown.push('\n');
            shown += &cut(line);
        }
        if below.next().is_some() {
            shown.push('\n');
        }
        Excerpt { file: in_line(&file), text: shown, span, first_line, place: (line, column) }
    }
}

/// A context line, cut to its beginning.
fn cut(line: &str) -> String {
    let line = line.trim_end_matches('\r');
    let end = word_end(line, 0..ahead(line, 0, AFTER), line.len());
    in_line(&line[..end]) + if end < line.len() { "…" } else { "" }
}

/// Largest number of characters that are dropped so that no word is cut.
const WORD: usize = 60;

/// The start of the first complete word in a range of a line, unless that is the start of the line.
fn word_start(text: &str, range: Range<usize>, begin: usize) -> usize {
    if range.start == begin || text[..range.start].ends_with(' ') {
        return range.start;
    }
    let near = &text[range.start..ahead(text, range.start, WORD).min(range.end)];
    near.find(' ').map_or(range.start, |space| range.start + space + 1)
}

/// The end of the last complete word in a range of a line, unless that is the end of the line.
fn word_end(text: &str, range: Range<usize>, end: usize) -> usize {
    if range.end == end || text[range.end..].starts_with(' ') {
        return range.end;
    }
    let near = back(text, range.end, WORD).max(range.start);
    text[near..range.end].rfind(' ').map_or(range.end, |space| near + space)
}

/// The nearest character boundary at or before a byte.
fn floor(text: &str, mut byte: usize) -> usize {
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// The byte offset `letters` characters after `from`.
fn ahead(text: &str, from: usize, letters: usize) -> usize {
    text[from..].char_indices().nth(letters).map_or(text.len(), |(offset, _)| from + offset)
}

/// The byte offset `letters` characters before `from`.
fn back(text: &str, from: usize, letters: usize) -> usize {
    text[..from].char_indices().rev().take(letters).last().map_or(from, |(offset, _)| offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    #[test]
    fn a_long_line_is_cut_around_its_place() {
        let text = format!("one\n{}X{}\nthree", "a".repeat(5000), "b".repeat(5000));
        let source = Source::new("long.toml", &text);
        let excerpt = Excerpt::of(&FileError::new(&source, 5004..5005, "wrong"));
        assert_eq!(&excerpt.text[excerpt.span.clone()], "X");
        assert!(excerpt.text.len() < 500, "{}", excerpt.text.len());
        assert_eq!((excerpt.first_line, excerpt.place), (0, (1, 5000)));
        assert_eq!(excerpt.text.lines().count(), 3);
    }

    #[test]
    fn a_long_line_is_cut_between_words() {
        let words = |letters: usize| "words of seven ".repeat(letters / 15);
        let text = format!("{}X {}\n{}", words(600), words(600), words(600));
        let source = Source::new("long.toml", &text);
        let place = text.find('X').unwrap();
        let excerpt = Excerpt::of(&FileError::new(&source, place..place + 1, "wrong"));
        for line in excerpt.text.lines() {
            let line = line.trim_start_matches('…').trim_end_matches('…');
            let is_whole = |word: &str| ["words", "of", "seven", "X"].contains(&word);
            assert!(line.split(' ').all(is_whole), "{line}");
        }
    }

    #[test]
    fn places_at_the_ends_of_a_file_have_excerpts() {
        for text in ["", "\n", "a", "a\n", "\na\n\n", "é\u{1b}\né"] {
            let source = Source::new("short.toml", text);
            for start in 0..=text.len() {
                for end in start..=text.len() + 2 {
                    let excerpt = Excerpt::of(&FileError::new(&source, start..end, "wrong"));
                    assert!(excerpt.text.get(excerpt.span.clone()).is_some(), "{text:?} {start}..{end}");
                    assert!(!excerpt.text.contains('\u{1b}'));
                }
            }
        }
    }
}
