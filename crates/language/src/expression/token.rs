//! The words of an expression, and mistakes in it.

use std::ops::Range;

/// One word, borrowed from the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'t> {
    Number(f64),
    /// A name or a keyword.
    Word(&'t str),
    /// A name in single quotes, never a keyword.
    Quoted(&'t str),
    Symbol(&'static str),
    End,
}

/// Longer symbols first, so that `<=` is not read as `<`.
const SYMBOLS: [&str; 17] =
    ["<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", "."];

/// Symbols from other languages, and the help that names the correct form.
const FOREIGN: [(&str, &str); 11] = [
    ("°", "angles are in rad: 45° is `45*pi/180`"),
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("**", "write `^` for a power"),
    ("=>", "write `>=`"),
    ("=<", "write `<=`"),
    ("<>", "write `!=`"),
    ("=", "write `==` to compare"),
    ("!", "write `not`"),
    ("?", "write `a if condition else b`"),
    ("%", "there is no remainder; `x - y*floor(x/y)` is one"),
];

/// Splits a text into words with their byte spans; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, Mistake> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (word, length) = next(&text[at..], first).map_err(|mut mistake| {
            // A percent sign after a number at the end is not a remainder operator.
            if let (Some((Token::Number(value), _)), "%") = (words.last(), text[at..].trim()) {
                mistake =
                    mistake.help(format!("a share is a plain number: {value} % is `{}`", value / 100.0));
            }
            mistake.span = mistake.span.start + at..mistake.span.end + at;
            mistake
        })?;
        words.push((word, at..at + length));
        at += length;
    }
    words.push((Token::End, text.len()..text.len()));
    Ok(words)
}

/// The word that `rest` starts with, and its length in bytes.
fn next(rest: &str, first: char) -> Result<(Token<'_>, usize), Mistake> {
    let digit_next = rest[first.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
    if first.is_ascii_digit() || (first == '.' && digit_next) {
        let length = number_length(rest);
        return match rest[..length].parse::<f64>() {
            Ok(value) if value.is_finite() => Ok((Token::Number(value), length)),
            _ => Err(Mistake::new(0..length, "this number is too large")),
        };
    }
    if first.is_alphabetic() || first == '_' {
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        return Ok((Token::Word(&rest[..length]), length));
    }
    if first == '\'' {
        return match rest[1..].find('\'') {
            Some(length) => Ok((Token::Quoted(&rest[1..1 + length]), length + 2)),
            None => Err(Mistake::new(0..rest.len(), "this quoted name has no closing `'`")),
        };
    }
    for (foreign, advice) in FOREIGN {
        let is_here = rest.starts_with(foreign) && !rest.starts_with("==") && !rest.starts_with("!=");
        if is_here {
            let message = format!("`{foreign}` has no meaning in an expression");
            return Err(Mistake::new(0..foreign.len(), message).help(advice));
        }
    }
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
        None => Err(Mistake::new(0..first.len_utf8(), format!("`{first}` has no meaning in an expression"))),
    }
}

/// Bytes of the number at the start of `rest`: digits, a point, digits, an exponent.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

/// A mistake in an expression, with a span in bytes of its text.
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    pub span: Range<usize>,
    pub message: String,
    pub label: Option<String>,
    pub help: Option<String>,
}

impl Mistake {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Mistake { span, message: message.into(), label: None, help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }
}
