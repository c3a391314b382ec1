//! A reader of TOML that continues after every error: an open value ends with its line, or where
//! the next header or key begins.

use super::{DocumentOutline, Key, OutlineItem, OutlineValue, PathStep};
use std::collections::HashMap;
use std::ops::Range;

/// Deepest nesting of values that is parsed.
const DEEPEST: usize = 60;

/// Most keys joined by dots that are parsed.
const LONGEST: usize = 60;

/// Reads a text.
pub(super) fn scan(text: &str) -> DocumentOutline {
    let mut scanner = Scanner { text, bytes: text.as_bytes(), at: 0, outline: DocumentOutline::default() };
    scanner.document();
    scanner.outline
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    outline: DocumentOutline,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn document(&mut self) {
        let mut table = Vec::new();
        let mut lengths: HashMap<Vec<PathStep>, usize> = HashMap::new();
        loop {
            self.skip_space(true);
            match self.peek() {
                None => return,
                Some(b'[') => table = self.header(&mut lengths),
                Some(_) => self.entry(&table, 0),
            }
            self.end_of_line();
        }
    }

    /// Skips spaces and comments, and line ends if `lines`.
    fn skip_space(&mut self, lines: bool) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' if lines => self.at += 1,
                b'#' => {
                    let end = self.line_end();
                    self.outline.comments.push(self.at..end);
                    self.at = end;
                }
                _ => return,
            }
        }
    }

    /// Offset of the end of this line, without its `\r`.
    fn line_end(&self) -> usize {
        let end = self.bytes[self.at..].iter().position(|byte| *byte == b'\n').map(|more| self.at + more);
        let end = end.unwrap_or(self.bytes.len());
        if end > self.at && self.bytes[end - 1] == b'\r' { end - 1 } else { end }
    }

    /// Skips the rest of a line.
    fn end_of_line(&mut self) {
        self.skip_space(false);
        if self.peek().is_some_and(|byte| byte != b'\n') {
            self.at = self.line_end();
        }
    }

    /// `[a.b]`, `[[a.b]]`: the path of the table that it begins.
    fn header(&mut self, lengths: &mut HashMap<Vec<PathStep>, usize>) -> Vec<PathStep> {
        let start = self.at;
        self.at += 1;
        let is_array = self.peek() == Some(b'[');
        self.at += usize::from(is_array);
        let names = self.dotted();
        let mut path: Vec<PathStep> = Vec::new();
        let mut keys = Vec::new();
        let last = names.len().saturating_sub(1);
        for (place, (name, span)) in names.into_iter().enumerate() {
            path.push(PathStep::Key(name));
            keys.push(Key { span, depth: path.len() });
            let is_last = place == last;
            if is_last && is_array {
                let length = lengths.entry(path.clone()).or_insert(0);
                path.push(PathStep::Index(*length));
                *length += 1;
            } else if let Some(length) = lengths.get(&path) {
                path.push(PathStep::Index(length.saturating_sub(1)));
            }
        }
        while self.peek() == Some(b']') {
            self.at += 1;
        }
        let span = start..self.at;
        self.outline.items.push(OutlineItem { path: path.clone(), keys, span, value: OutlineValue::Header });
        path
    }

    /// Keys with dots between them; the last may be empty.
    fn dotted(&mut self) -> Vec<(String, Range<usize>)> {
        let mut names = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.at;
            let name = match self.peek() {
                Some(quote @ (b'"' | b'\'')) => self.text[self.quoted(quote)].to_owned(),
                _ => {
                    while self.peek().is_some_and(is_of_key) {
                        self.at += 1;
                    }
                    self.text[start..self.at].to_owned()
                }
            };
            names.push((name, start..self.at));
            self.skip_blanks();
            if self.peek() != Some(b'.') || names.len() == LONGEST {
                return names;
            }
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// `key = value`, or the existing part of it.
    fn entry(&mut self, table: &[PathStep], depth: usize) {
        let before = self.at;
        let names = self.dotted();
        if self.at == before {
            // No key can begin with this.
            self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
            return;
        }
        let mut path = table.to_vec();
        let mut keys = Vec::new();
        for (name, span) in names {
            path.push(PathStep::Key(name));
            keys.push(Key { span, depth: path.len() });
        }
        if self.peek() == Some(b'=') {
            self.at += 1;
            self.value(path, keys, depth);
        } else {
            let span = self.at..self.at;
            self.outline.items.push(OutlineItem { path, keys, span, value: OutlineValue::Missing });
        }
    }

    /// The value of an item, which may be on the next line in an array or a table.
    fn value(&mut self, path: Vec<PathStep>, keys: Vec<Key>, depth: usize) {
        let blank = self.at;
        self.skip_blanks();
        let start = self.at;
        let number = self.outline.items.len();
        let value = match self.peek() {
            None | Some(b'\n' | b'\r' | b'#' | b',' | b'}' | b']') => OutlineValue::Missing,
            Some(quote @ (b'"' | b'\'')) => OutlineValue::Text(self.quoted(quote)),
            Some(b'{') if depth < DEEPEST => OutlineValue::Table,
            Some(b'[') if depth < DEEPEST => OutlineValue::Array,
            Some(_) => {
                while self
                    .peek()
                    .is_some_and(|byte| !matches!(byte, b'\n' | b'\r' | b'#' | b',' | b'}' | b']'))
                {
                    self.at += 1;
                }
                while self.at > start && matches!(self.bytes[self.at - 1], b' ' | b'\t') {
                    self.at -= 1;
                }
                OutlineValue::Bare
            }
        };
        let span = if value == OutlineValue::Missing { blank..self.at } else { start..self.at };
        let is_open = matches!(value, OutlineValue::Table | OutlineValue::Array);
        self.outline.items.push(OutlineItem { path: path.clone(), keys, span, value: value.clone() });
        if is_open {
            self.at += 1;
            self.inside(&path, &value, depth + 1);
            self.outline.items[number].span.end = self.at;
        }
    }

    /// The entries of a table or the elements of an array, up to its end.
    fn inside(&mut self, path: &[PathStep], value: &OutlineValue, depth: usize) {
        let close = if *value == OutlineValue::Table { b'}' } else { b']' };
        let mut index = 0;
        // Whether what comes next is after a comma.
        let mut is_next = true;
        loop {
            let line = self.at;
            self.skip_space(true);
            let is_new_line = self.text[line..self.at].contains('\n');
            match self.peek() {
                None => return,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return;
                }
                Some(b',') => {
                    self.at += 1;
                    is_next = true;
                }
                Some(_) if is_new_line && self.is_elsewhere(value, is_next) => {
                    self.at = line;
                    return;
                }
                // A closing bracket without an opening one.
                Some(b'}' | b']') => return,
                Some(_) => {
                    is_next = false;
                    let before = self.at;
                    if *value == OutlineValue::Table {
                        self.entry(path, depth);
                    } else {
                        let path = [path, &[PathStep::Index(index)]].concat();
                        index += 1;
                        self.value(path, Vec::new(), depth);
                    }
                    self.at += usize::from(self.at == before);
                    while !self.text.is_char_boundary(self.at) {
                        self.at += 1;
                    }
                }
            }
        }
    }

    /// Whether a line within brackets begins something outside of them: they were not closed.
    fn is_elsewhere(&self, value: &OutlineValue, is_next: bool) -> bool {
        let line = &self.text[self.at..self.line_end()];
        let is_key = |text: &str| {
            !text.is_empty() && text.bytes().all(|byte| is_of_key(byte) || matches!(byte, b'.' | b'"' | b' '))
        };
        if line.starts_with('[') {
            let name = line.split('#').next().unwrap_or(line).trim_end();
            let inner = name.trim_start_matches('[');
            let opened = name.len() - inner.len();
            let bare = inner.strip_suffix(if opened == 2 { "]]" } else { "]" });
            return bare.is_some_and(|bare| {
                is_key(bare) && bare.starts_with(|first: char| first.is_alphabetic() || first == '_')
            });
        }
        let has_key = line.split_once('=').is_some_and(|(key, _)| is_key(key.trim_end()));
        has_key && !(*value == OutlineValue::Table && is_next)
    }

    /// Text in quotes; the bytes between them. It ends with its line where it is not closed.
    fn quoted(&mut self, quote: u8) -> Range<usize> {
        let three = [quote; 3];
        if self.bytes[self.at..].starts_with(&three) {
            self.at += 3;
            let start = self.at;
            while self.at < self.bytes.len() && !self.bytes[self.at..].starts_with(&three) {
                self.at += if self.bytes[self.at] == b'\\' && quote == b'"' { 2 } else { 1 };
            }
            self.at = self.at.min(self.bytes.len());
            let end = self.at;
            self.at = (self.at + 3).min(self.bytes.len());
            return self.at_characters(start..end);
        }
        self.at += 1;
        let start = self.at;
        let end = self.line_end();
        while self.at < end && self.bytes[self.at] != quote {
            self.at += if self.bytes[self.at] == b'\\' && quote == b'"' { 2 } else { 1 };
        }
        self.at = self.at.min(end);
        let inner = start..self.at;
        self.at += usize::from(self.peek() == Some(quote));
        self.at_characters(inner)
    }

    /// The range, widened to whole characters, of which an escape may have cut one.
    fn at_characters(&mut self, mut range: Range<usize>) -> Range<usize> {
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        while !self.text.is_char_boundary(range.end) {
            range.end += 1;
        }
        range.start.min(range.end)..range.end
    }
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}
