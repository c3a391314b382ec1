//! Lines that fit the width of the terminal.

use super::output::COLOURS;
use std::io::{self, IsTerminal};
use terminal_size::{Width, terminal_size};

/// Least width for which lines are folded, characters.
const NARROWEST: usize = 20;
/// Width below which no space is left for text next to labels, characters.
const NARROW: usize = 60;

/// Number of characters in a line of standard output, from the variable `COLUMNS`, else the terminal. `None` if
/// neither has a width in which text fits: lines remain unchanged.
pub(crate) fn width_of_output() -> Option<usize> {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    given.or_else(|| width_of_terminal(&io::stdout())).filter(|width| *width >= NARROWEST)
}

/// Number of characters in a line of standard error, if that is a terminal.
pub(crate) fn width_of_errors() -> Option<usize> {
    width_of_terminal(&io::stderr()).filter(|width| *width >= NARROWEST)
}

fn width_of_terminal(stream: &impl IsTerminal) -> Option<usize> {
    let (Width(width), _) = terminal_size().filter(|_| stream.is_terminal())?;
    Some(usize::from(width))
}

/// Breaks lines of the text that are longer than the width between words, and indents the continuations by `indent`;
/// a longer word remains whole. On a narrow terminal the indent is 4.
pub(crate) fn fitted(text: &str, width: Option<usize>, indent: usize) -> String {
    let Some(width) = width else { return text.into() };
    let indent = if width < NARROW { indent.min(4) } else { indent };
    let mut all = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        fold(&mut all, line, width, indent);
        all.push('\n');
    }
    all
}

/// Appends a line, broken between words. Spaces between words that stay on one line are kept.
fn fold(all: &mut String, line: &str, width: usize, indent: usize) {
    let first = line.len() - line.trim_start().len();
    all.push_str(&line[..first]);
    let (mut length, mut is_empty) = (first, true);
    let mut rest = &line[first..];
    while !rest.is_empty() {
        let end = rest.find(' ').unwrap_or(rest.len());
        let after = rest[end..].len() - rest[end..].trim_start().len();
        let (word, gap) = (&rest[..end], &rest[end..end + after]);
        let letters = letters(word);
        if !is_empty && length + letters > width {
            all.truncate(all.trim_end_matches(' ').len());
            all.push('\n');
            all.extend(std::iter::repeat_n(' ', indent));
            length = indent;
        }
        all.push_str(word);
        all.push_str(gap);
        (length, is_empty) = (length + letters + after, false);
        rest = &rest[end + after..];
    }
    all.truncate(all.trim_end_matches(' ').len());
}

/// Number of characters of a word, without colours.
fn letters(word: &str) -> usize {
    let colours: usize =
        COLOURS.iter().map(|colour| word.matches(colour).count() * colour.chars().count()).sum();
    word.chars().count() - colours
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_what_follows_is_indented() {
        let text = "  verdict          \u{1b}[32mpass\u{1b}[0m: 3 of 3 criteria held\nshort\n";
        assert_eq!(fitted(text, None, 19), text);
        assert_eq!(fitted(text, Some(80), 19), text);
        let narrow = fitted(text, Some(30), 19);
        assert_eq!(narrow, "  verdict          \u{1b}[32mpass\u{1b}[0m: 3 of\n    3 criteria held\nshort\n");
        let wide = "  reason           one two three four five six seven eight nine ten eleven\n";
        let folded = fitted(wide, Some(60), 19);
        assert_eq!(folded.lines().nth(1), Some("                   nine ten eleven"), "{folded}");
        assert_eq!(fitted("written to /a/very/long/path/to/nowhere", Some(20), 2).lines().count(), 2);
    }
}
