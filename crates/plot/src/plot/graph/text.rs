//! Line breaking.

/// The text in at most `most` lines of about equal length and at most `width` characters (more for longer words); the
/// last line ends in an ellipsis if words remain.
pub(super) fn wrapped(text: &str, width: usize, most: usize) -> Vec<String> {
    let count = filled(text, width).len();
    let even = (1..=width).find(|&width| filled(text, width).len() <= count).unwrap_or(width);
    let mut lines = filled(text, even);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push_str(" …");
        }
    }
    lines
}

fn filled(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_and_lines_short() {
        assert_eq!(wrapped("while com_height > 0.8 * h", 12, 9), ["while", "com_height", "> 0.8 * h"]);
        assert_eq!(wrapped("a b c d", 1, 2), ["a", "b …"]);
        assert_eq!(wrapped("one two six ten a", 15, 9), ["one two", "six ten a"]);
        assert!(wrapped("", 10, 2).is_empty());
    }
}
