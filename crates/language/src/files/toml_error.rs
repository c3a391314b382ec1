//! Errors of the TOML parser and of serde, reworded and placed in the file.

use crate::diagnostic::{FileError, Source};
use std::ops::Range;

/// The reworded error of serde or the TOML parser about these bytes, or about the whole text if there is no span.
pub(super) fn translate(source: &Source, message: &str, span: Option<Range<usize>>) -> FileError {
    let span = first_line(source, span.unwrap_or(0..0));
    let file_error = |message: String| FileError::new(source, span.clone(), message);
    if let Some((name, known)) = unknown(message, "unknown field ").or_else(|| unexpected(message)) {
        return file_error(format!("unknown key `{name}`")).suggest(name, known);
    }
    if let Some((name, known)) = unknown(message, "unknown variant ") {
        let mistake = file_error(format!("`{name}` is not one of the choices here"));
        return match (is_expression(name), known.as_slice()) {
            // The expression belongs inside one of the choices.
            (true, [first, others @ ..]) => mistake.help(choice_around(name, first, others)),
            _ => mistake.suggest(name, known),
        };
    }
    if let Some(name) = missing(message) {
        let label = if span.start == 0 { "in this file" } else { "in this table" };
        return file_error(format!("missing key `{name}`")).label(label);
    }
    let invalid = ["invalid type: ", "invalid value: "].iter().find_map(|start| message.strip_prefix(start));
    if let Some((found, expected)) = invalid.and_then(|rest| rest.split_once(", expected ")) {
        let mistake = file_error(format!("expected {}, found {}", plain(expected), plain_found(found)));
        let header = source.text.get(span.clone()).unwrap_or_default().trim();
        return match expected.contains("sequence") && found == "map" && is_header(header) {
            true => mistake.help(format!("a list of tables: `[{header}]`, once for each")),
            false => match numbers_in(found) {
                Some(meant) => mistake.help(format!("numbers have no quotes and no units: `{meant}`")),
                None => mistake,
            },
        };
    }
    if let Some((length, expected)) =
        message.strip_prefix("invalid length ").and_then(|rest| rest.split_once(", expected "))
    {
        let elements = if length == "1" { "element" } else { "elements" };
        let mistake = file_error(format!("expected {}, found {length} {elements}", plain(expected)));
        return match comma_of_a_decimal(source.slice(span.clone())) {
            Some(number) => mistake.help(format!("decimals have a point: `{number}`")),
            None => mistake,
        };
    }
    if message == "wanted string or table" {
        return file_error("expected a table with one key that says which kind it is".into());
    }
    if message.starts_with("wanted exactly 1 element") {
        let mistake = file_error("expected exactly one key that says which kind it is".into());
        let help =
            "what belongs to a kind goes inside it: `kind = { key = value }`; with --set `kind.key=value`";
        return if message.ends_with("more than 1 element") { mistake.help(help) } else { mistake };
    }
    if message == "duplicate key"
        && let Some(first) = first_of(&source.text, span.start)
    {
        let (line, _) = source.line_column(first);
        return file_error(format!("duplicate key: the first one is in line {line}"));
    }
    match syntax_hint(source, span.clone()) {
        Some(help) => file_error(message.to_owned()).help(help),
        None => file_error(message.to_owned()),
    }
}

/// Whether a line is the header of a table.
fn is_header(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']') && !line.starts_with("[[")
}

/// Help for an expression that is written without its key, one of these choices.
fn choice_around(expression: &str, first: &str, others: &[&str]) -> String {
    let others: Vec<String> = others.iter().map(|other| format!("`{other}`")).collect();
    let others = match others.as_slice() {
        [] => String::new(),
        others => format!(", or {} in place of `{first}`", others.join(" or ")),
    };
    format!("write `{{ {first} = \"{expression}\" }}`{others}")
}

/// Offset of the first key or header that is repeated at `at`, if it is on a line of its own.
fn first_of(text: &str, at: usize) -> Option<usize> {
    let begins = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let head = |line: &str| -> Option<String> {
        let line = line.trim_start();
        let end = if line.starts_with('[') { line.find(']')? } else { line.find('=')? };
        Some(line[..end].chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).collect())
    };
    let own = head(text[begins..].lines().next()?)?;
    let is_header = own.starts_with('[');
    let mut first = None;
    let mut start = 0;
    for line in text[..begins].split_inclusive('\n') {
        match head(line) {
            Some(other) if other == own => {
                first = first.or(Some(start + line.len() - line.trim_start().len()))
            }
            // A key of the same name in another table is not a duplicate.
            Some(other) if !is_header && other.starts_with('[') => first = None,
            _ => {}
        }
        start += line.len();
    }
    first
}

/// Help for text that is not TOML: a decimal comma, or the comment syntax of another language.
fn syntax_hint(source: &Source, span: Range<usize>) -> Option<String> {
    let (above, below) = source.text.split_at_checked(span.start)?;
    let before = above.lines().next_back().unwrap_or_default();
    let after = below.lines().next()?;
    if let Some(fraction) = after.strip_prefix(',') {
        let whole =
            before.rsplit(|c: char| !c.is_ascii_digit()).next().filter(|digits| !digits.is_empty())?;
        let fraction =
            fraction.split(|c: char| !c.is_ascii_digit()).next().filter(|digits| !digits.is_empty())?;
        return Some(format!("decimals have a point: `{whole}.{fraction}`"));
    }
    if let Some(quoted) = after.strip_prefix(['“', '”', '„', '‘', '’']) {
        let end = quoted.find(['“', '”', '„', '‘', '’', '"', '\'']).unwrap_or(quoted.len());
        return Some(format!("quotes are straight: `\"{}\"`", &quoted[..end]));
    }
    let is_comment = ["//", "/*", "--", ";"].iter().any(|mark| after.contains(mark)) && !after.contains('#');
    is_comment.then(|| "comments begin with `#`".to_owned())
}

/// The number with a decimal comma in a list, rewritten with a point: its comma has no space after it, while others
/// do (`[0, 1,5, 0]`).
fn comma_of_a_decimal(list: &str) -> Option<String> {
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    let commas = || list.match_indices(',').map(|(at, _)| (&list[..at], &list[at + 1..]));
    let (before, after) =
        commas().find(|(before, after)| is_digit(before.chars().last()) && is_digit(after.chars().next()))?;
    let has_spaces = commas().any(|(_, after)| after.starts_with(' '));
    let whole = before.rsplit(|letter: char| !letter.is_ascii_digit()).next()?;
    let fraction = after.split(|letter: char| !letter.is_ascii_digit()).next()?;
    has_spaces.then(|| format!("{whole}.{fraction}"))
}

/// The number or the numbers that a text holds, as they are written in files: `string "2 s"`, `string "0,10,0"`.
fn numbers_in(found: &str) -> Option<String> {
    let text = found.strip_prefix("string \"")?.strip_suffix('"')?.trim();
    let number = |text: &str| text.trim().parse::<f64>().is_ok().then(|| text.trim().to_owned());
    if let Some((first, unit)) = text.split_once(' ') {
        let is_unit = |unit: &str| unit.len() < 8 && unit.starts_with(char::is_alphabetic);
        if let Some(number) = number(first).filter(|_| is_unit(unit.trim())) {
            return Some(number);
        }
    }
    if let Some(number) = number(text) {
        return Some(number);
    }
    let parts: Option<Vec<String>> = text.split(',').map(number).collect();
    parts.filter(|parts| parts.len() > 1).map(|parts| format!("[{}]", parts.join(", ")))
}

/// Whether text is meant as an expression and not as a name.
fn is_expression(text: &str) -> bool {
    text.contains(['<', '>', '=', '('])
}

/// The key in serde's «missing field `a`».
pub(super) fn missing(message: &str) -> Option<&str> {
    Some(message.strip_prefix("missing field ")?.trim_matches('`'))
}

/// The first wrong key and the known ones in toml's «unexpected keys in table: a, b, available keys: c, d»,
/// its message for the fields of an enum's variants.
pub(super) fn unexpected(message: &str) -> Option<(&str, Vec<&str>)> {
    let (wrong, known) =
        message.strip_prefix("unexpected keys in table: ")?.split_once(", available keys: ")?;
    Some((wrong.split(", ").next()?, known.split(", ").filter(|key| !key.is_empty()).collect()))
}

/// The name and the known names in serde's «unknown field `a`, expected one of `b`, `c`».
pub(super) fn unknown<'m>(message: &'m str, prefix: &str) -> Option<(&'m str, Vec<&'m str>)> {
    let mut quoted = message.strip_prefix(prefix)?.split('`').skip(1).step_by(2);
    let name = quoted.next()?;
    Some((name, quoted.collect()))
}

/// serde's names of expected types, in the terms of files.
fn plain(expected: &str) -> &str {
    match expected {
        "f64" => "a number",
        "u32" | "u64" | "usize" => "a whole number",
        "a string" => "text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "an array `[…]`",
        "a map" => "a table",
        "newtype variant" | "struct variant" => "a table with one key, the kind",
        "an array of length 2" | "a tuple of size 2" => "two numbers `[x, y]`",
        "an array of length 3" | "a tuple of size 3" => "three numbers `[x, y, z]`",
        struct_name if struct_name.starts_with("struct ") => "a table",
        enum_name if enum_name.starts_with("enum ") => "one of the known names",
        other => other,
    }
}

/// serde's names of found values («string "x"», «floating point `1.5`», «map»), in the terms of files.
fn plain_found(found: &str) -> String {
    match found.split_once([' ']) {
        Some(("string", text)) => format!("the text {text}"),
        Some(("integer", value)) => format!("the number {}", value.trim_matches('`')),
        Some(("floating", rest)) => {
            format!("the number {}", rest.trim_start_matches("point ").trim_matches('`'))
        }
        Some(("boolean", value)) => value.trim_matches('`').to_owned(),
        _ if found == "map" => "a table".into(),
        _ if found == "unit variant" => "a name alone".into(),
        _ if found == "sequence" => "an array".into(),
        _ => found.to_owned(),
    }
}

/// A span over several lines shortened to its first, so that messages show one line.
fn first_line(source: &Source, span: Range<usize>) -> Range<usize> {
    let length = source.slice(span.clone()).find('\n').unwrap_or(span.end.saturating_sub(span.start));
    span.start..span.start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_quotes_and_before_units() {
        let found = |text: &str| numbers_in(&format!("string \"{text}\""));
        assert_eq!(found("2 s").as_deref(), Some("2"));
        assert_eq!(found("0.5").as_deref(), Some("0.5"));
        assert_eq!(found("0,10, -2.5").as_deref(), Some("[0, 10, -2.5]"));
        assert_eq!(found("two"), None);
        assert_eq!(found("1 of all the bodies"), None);
        assert_eq!(numbers_in("integer `3`"), None);
    }
}
