//! Positions in a text as editors count them: lines from 0, characters in bytes or in units of UTF-16.

use lsp_types::{Position, Range as Between};
use std::ops::Range;

/// How an editor counts the characters of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// In bytes.
    Utf8,
    /// In units of UTF-16, which all editors support.
    #[default]
    Utf16,
}

/// The lines of a text.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex {
    /// Offset of the first byte of each.
    starts: Vec<usize>,
}

impl LineIndex {
    /// The lines of a text.
    pub(crate) fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        LineIndex { starts: std::iter::once(0).chain(ends).collect() }
    }

    /// Byte offset of a position; for a position outside of the text, that of the nearest one inside.
    pub(crate) fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else { return text.len() };
        let end = self.starts.get(line + 1).map_or(text.len(), |next| next - 1);
        let within = text.get(start..end).unwrap_or_default().trim_end_matches('\r');
        let wanted = position.character as usize;
        if encoding == Encoding::Utf8 {
            let mut offset = wanted.min(within.len());
            while !within.is_char_boundary(offset) {
                offset -= 1;
            }
            return start + offset;
        }
        let mut units = 0;
        for (at, character) in within.char_indices() {
            if units + character.len_utf16() > wanted {
                return start + at;
            }
            units += character.len_utf16();
        }
        start + within.len()
    }

    /// Position of a byte offset.
    pub(crate) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = text.get(self.starts[line]..offset).unwrap_or_default();
        let characters = match encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.encode_utf16().count(),
        };
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Position { line: number(line), character: number(characters) }
    }

    /// Positions of both ends of a range of bytes.
    pub(crate) fn range(&self, text: &str, range: &Range<usize>, encoding: Encoding) -> Between {
        let end = range.end.max(range.start);
        Between { start: self.position(text, range.start, encoding), end: self.position(text, end, encoding) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_as_the_editor_does() {
        let text = "é𝄞 = 1\r\nb\n";
        let lines = LineIndex::of(text);
        for (encoding, characters) in [(Encoding::Utf16, 3), (Encoding::Utf8, 6)] {
            let after = Position { line: 0, character: characters };
            assert_eq!(lines.offset(text, after, encoding), 6, "{encoding:?}");
            assert_eq!(lines.position(text, 6, encoding), after);
            // Within a character: where it begins.
            assert_eq!(lines.offset(text, Position { line: 0, character: 2 }, encoding), 2, "{encoding:?}");
        }
        let end = |line, character| lines.offset(text, Position { line, character }, Encoding::Utf16);
        assert_eq!(end(0, 999), 10, "before the line's end");
        assert_eq!(end(2, 5), text.len());
        assert_eq!(end(u32::MAX, u32::MAX), text.len());
        assert_eq!(lines.position(text, 999, Encoding::Utf16), Position { line: 2, character: 0 });
    }
}
