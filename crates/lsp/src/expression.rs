//! The names in the text of an expression, also in one that is being written.

use std::ops::Range;

/// Words that are not names.
pub(crate) const KEYWORDS: [&str; 9] = ["if", "else", "and", "or", "not", "for", "in", "true", "false"];

/// A name as written: `a`, `a.b`, `'a b'`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenName {
    /// Bytes of its parts, without quotes and dots; the last may be empty.
    pub parts: Vec<Range<usize>>,
    /// Bytes of the whole, with quotes.
    pub span: Range<usize>,
    /// Whether it is in single quotes.
    pub is_quoted: bool,
    /// Whether an opening bracket follows.
    pub is_call: bool,
}

impl WrittenName {
    /// The name without quotes.
    pub(crate) fn text<'t>(&self, expression: &'t str) -> &'t str {
        let (Some(first), Some(last)) = (self.parts.first(), self.parts.last()) else { return "" };
        expression.get(first.start..last.end).unwrap_or_default()
    }

    /// The name up to the part that an offset is in.
    pub(crate) fn up_to<'t>(&self, expression: &'t str, offset: usize) -> &'t str {
        let last = self.parts.iter().find(|part| offset <= part.end).or(self.parts.last());
        let (Some(first), Some(last)) = (self.parts.first(), last) else { return "" };
        expression.get(first.start..last.end).unwrap_or_default()
    }
}

/// All names of an expression, without keywords.
pub(crate) fn names(text: &str) -> Vec<WrittenName> {
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first == '\'' {
            let start = at + 1;
            let end = text[start..].find('\'').map_or(text.len(), |more| start + more);
            let whole = at..(end + 1).min(text.len());
            at = whole.end;
            let inside = start..end;
            names.push(WrittenName { parts: vec![inside], span: whole, is_quoted: true, is_call: false });
        } else if first.is_alphabetic() || first == '_' {
            let name = dotted(text, at);
            at = name.span.end;
            if !KEYWORDS.contains(&name.text(text)) {
                names.push(name);
            }
        } else if first.is_ascii_digit() {
            at = word_end(text, at).max(at + 1);
        } else {
            at += first.len_utf8();
        }
    }
    names
}

fn word_end(text: &str, start: usize) -> usize {
    let is_over = |character: char| !(character.is_alphanumeric() || character == '_');
    text[start..].find(is_over).map_or(text.len(), |more| start + more)
}

fn dotted(text: &str, start: usize) -> WrittenName {
    let mut end = word_end(text, start);
    let first = start..end;
    let mut parts = vec![first];
    while text[end..].starts_with('.') {
        let next = end + 1;
        end = word_end(text, next);
        parts.push(next..end);
    }
    let is_call = text[end..].trim_start().starts_with('(');
    WrittenName { parts, span: start..end, is_quoted: false, is_call }
}

/// The name that an offset is in or at the end of.
pub(crate) fn name_at(text: &str, offset: usize) -> Option<WrittenName> {
    names(text).into_iter().find(|name| name.span.start <= offset && offset <= name.span.end)
}

/// The function whose brackets contain an offset, and the index of the argument there.
pub(crate) fn call_at(text: &str, offset: usize) -> Option<(String, usize)> {
    let before = text.get(..offset)?;
    let (mut depth, mut argument) = (0_usize, 0);
    for (at, character) in before.char_indices().rev() {
        match character {
            ')' | ']' => depth += 1,
            '(' if depth == 0 => {
                let name = before[..at].trim_end();
                let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
                let start = name
                    .rfind(|character| !is_of_name(character))
                    .map_or(0, |end| end + name[end..].chars().next().map_or(1, char::len_utf8));
                return Some((name[start..].to_owned(), argument)).filter(|(name, _)| !name.is_empty());
            }
            '[' if depth == 0 => argument = 0,
            '(' | '[' => depth -= 1,
            ',' if depth == 0 => argument += 1,
            _ => {}
        }
    }
    None
}

/// The variables of iterations over sets in an expression: `x` of `for x in objects`.
pub(crate) fn variables(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text
        .split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(3).filter(|three| three[0] == "for" && three[2] == "in").map(|three| three[1]).collect()
}

/// A name as an expression must write it: in quotes if it is not a plain word.
pub(crate) fn written(name: &str) -> String {
    let mut parts = name.split('.');
    let is_plain = parts.all(aplomb_language::namespace::is_word) && !KEYWORDS.contains(&name);
    if is_plain { name.to_owned() } else { format!("'{name}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_stand() {
        let text = "norm(com - pivot.x) < 1e3 and not visits('left down') if ü";
        let found: Vec<&str> = names(text).iter().map(|name| name.text(text)).collect();
        assert_eq!(found, ["norm", "com", "pivot.x", "visits", "left down", "ü"]);
        assert!(names(text)[0].is_call && !names(text)[1].is_call);
        let unfinished = "com. + 'lef";
        let found: Vec<&str> = names(unfinished).iter().map(|name| name.text(unfinished)).collect();
        assert_eq!(found, ["com.", "lef"]);
        assert_eq!(name_at(text, 13).map(|name| name.up_to(text, 13).to_owned()).as_deref(), Some("pivot"));
        assert_eq!(name_at(text, 17).map(|name| name.up_to(text, 17).to_owned()).as_deref(), Some("pivot.x"));
    }

    #[test]
    fn the_call_around_a_place_is_known() {
        let at = |marked: &str| {
            let offset = marked.find('|').expect("a mark");
            call_at(&marked.replacen('|', "", 1), offset)
        };
        assert_eq!(at("1 + touches(|"), Some(("touches".into(), 0)));
        assert_eq!(at("reach_height(a, position(b, c), |"), Some(("reach_height".into(), 2)));
        assert_eq!(at("f(g(x|"), Some(("g".into(), 0)));
        assert_eq!(at("ü(a) + |"), None);
        assert_eq!(at("(a, |"), None);
    }

    #[test]
    fn variables_of_sets_are_known() {
        assert_eq!(variables("any(distance(o) < 1 for o in objects if exists(o))"), ["o"]);
        assert_eq!(written("left foot"), "'left foot'");
        assert_eq!(written("a.b"), "a.b");
    }
}
