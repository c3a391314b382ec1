//! Text of files and names, made safe for a terminal: control characters are made visible and have no effect.

use std::borrow::Cow;

/// The text with every control character replaced by its visible symbol (`␛` for the one that begins escape
/// sequences), except tabs and line ends.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_shown) {
        Cow::Owned(text.chars().map(picture).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The text in one line: like [`visible`], but with spaces for line ends and tabs.
pub fn in_line(text: &str) -> String {
    text.chars().map(|letter| if matches!(letter, '\n' | '\t') { ' ' } else { picture(letter) }).collect()
}

/// A name from a file with every control character replaced by its symbol, including line ends, so that no name
/// prints a separate line.
pub fn name(text: &str) -> String {
    let whole = |letter: char| match letter {
        '\n' => '␊',
        '\t' => '␉',
        other => picture(other),
    };
    text.chars().map(whole).collect()
}

fn is_shown(letter: char) -> bool {
    picture(letter) != letter
}

fn picture(letter: char) -> char {
    match letter {
        '\n' | '\t' => letter,
        // Unicode has a symbol for each of them.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '␡',
        // The second set of controls, and characters that change the direction of text.
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        assert_eq!(visible("a\u{1b}[31mb\r\u{9b}2Jc\n\té"), "a␛[31mb␍\u{fffd}2Jc\n\té");
        assert_eq!(in_line("a\nb"), "a b");
        assert_eq!(name("a\nb\tc\r"), "a␊b␉c␍");
    }
}
