//! Shipped files as lines, for mutation, analysed from the text alone.

use std::ops::Range;

/// A shipped file, as text.
#[derive(Clone, Debug)]
pub struct Shipped {
    /// Path, such as `controllers/balance.toml`.
    pub path: String,
    pub text: String,
}

/// A state of a controller.
#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    /// The line of its header, from 0.
    pub header: usize,
    /// Lines of the table itself, before any subtable.
    pub lines: Range<usize>,
}

impl Shipped {
    pub fn is_controller(&self) -> bool {
        self.path.starts_with("controllers/")
    }

    pub fn lines(&self) -> Vec<String> {
        self.text.lines().map(String::from).collect()
    }

    /// The states of a controller in the order of the file.
    pub fn states(&self) -> Vec<State> {
        let lines = self.lines();
        let mut states = Vec::new();
        for (header, line) in lines.iter().enumerate() {
            let Some(name) = line.strip_prefix("[states.").and_then(|rest| rest.strip_suffix(']')) else {
                continue;
            };
            if name.contains('.') {
                continue;
            }
            let after = lines[header + 1..].iter().position(|line| line.starts_with('['));
            let end = after.map_or(lines.len(), |count| header + 1 + count);
            states.push(State { name: name.into(), header, lines: header + 1..end });
        }
        states
    }

    /// The value of a top-level key, as written.
    pub fn top(&self, key: &str) -> Option<(usize, String)> {
        let lines = self.lines();
        let end = lines.iter().position(|line| line.starts_with('[')).unwrap_or(lines.len());
        let place = lines[..end].iter().position(|line| value_of(line, key).is_some())?;
        Some((place, value_of(&lines[place], key)?))
    }
}

/// The value of `key = value` at the start of a line, without a comment.
pub fn value_of(line: &str, key: &str) -> Option<String> {
    let rest = line.strip_prefix(key)?.strip_prefix(" = ")?;
    Some(code(rest).trim().to_string())
}

/// A line without the comment at its end.
pub fn code(line: &str) -> &str {
    let mut quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// The byte ranges of the numbers of `key = NUMBER` in a line, also within inline tables.
pub fn numbers_of(line: &str, key: &str) -> Vec<Range<usize>> {
    let code = code(line);
    let wanted = format!("{key} = ");
    let mut found = Vec::new();
    for (at, _) in code.match_indices(&wanted) {
        let is_word = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let start = at + wanted.len();
        let length = number_length(&code[start..]);
        if !is_word && length > 0 {
            found.push(start..start + length);
        }
    }
    found
}

/// Length in bytes of the number at the start of a text.
pub fn number_length(text: &str) -> usize {
    let sign = usize::from(text.starts_with('-'));
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let digits = text[sign..].find(|c: char| !is_digit(c)).unwrap_or(text.len() - sign);
    if !text[sign..].starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    let mut end = sign + digits;
    let rest = &text[end..];
    if let Some(exponent) = rest.strip_prefix('e') {
        let minus = usize::from(exponent.starts_with(['-', '+']));
        let count = exponent[minus..].find(|c: char| !c.is_ascii_digit()).unwrap_or(exponent.len() - minus);
        if count > 0 {
            end += 1 + minus + count;
        }
    }
    end
}

/// A comparison with a literal number: `com_speed < 0.05`.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Byte range in the line.
    pub place: Range<usize>,
    pub quantity: String,
    pub operator: String,
    /// Byte range of the number in the line.
    pub number: Range<usize>,
}

/// Quantities of known units that are never negative.
pub const NEVER_NEGATIVE: [(&str, &str); 9] = [
    ("com_speed", "m/s"),
    ("joint_speed", "rad/s"),
    ("grip_count", ""),
    ("contacts", ""),
    ("state_time", "s"),
    ("load(", ""),
    ("speed(", "m/s"),
    ("stretch(", ""),
    ("grip_force(", "N"),
];

/// Other quantities of known units.
pub const OTHERS: [(&str, &str); 6] = [
    ("height(", "m"),
    ("tilt(", "rad"),
    ("swing_speed", "m/s"),
    ("com_height", "m"),
    ("swing_angle", "rad"),
    ("energy(", "J"),
];

/// The comparisons of a line with literal numbers whose left side begins with one of `quantities`.
pub fn comparisons(
    line: &str,
    quantities: &[(&'static str, &'static str)],
) -> Vec<(Comparison, &'static str)> {
    let code = code(line);
    let mut found = Vec::new();
    for (name, unit) in quantities {
        for (at, _) in code.match_indices(name) {
            if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let mut end = at + name.len();
            if name.ends_with('(') {
                let Some(close) = code[end..].find(')') else { continue };
                if code[end..end + close].contains('(') {
                    continue;
                }
                end += close + 1;
            }
            let rest = &code[end..];
            let Some(operator) =
                [" < ", " > ", " == ", " >= ", " <= "].iter().find(|o| rest.starts_with(**o))
            else {
                continue;
            };
            let start = end + operator.len();
            let length = number_length(&code[start..]);
            let after = code[start + length..].trim_start();
            if length == 0 || after.starts_with(['*', '/', '+', '-', '^']) {
                continue;
            }
            // A part of a sum or a product is not a separate comparison.
            let before = code[..at].trim_end();
            if before.ends_with(['*', '/', '+', '-', '^']) {
                continue;
            }
            found.push((
                Comparison {
                    place: at..start + length,
                    quantity: code[at..end].into(),
                    operator: operator.trim().into(),
                    number: start..start + length,
                },
                *unit,
            ));
        }
    }
    found
}
