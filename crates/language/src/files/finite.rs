//! Numbers that are `nan` or `inf`; the parser itself rejects numbers that are too large.

use crate::diagnostic::{FileError, Source};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A mistake for each number that is not finite, except for keys whose value may be infinite.
pub(super) fn mistakes(source: &Source, table: &DeTable<'_>, may_be_infinite: &[&str]) -> Vec<FileError> {
    let mut mistakes = Vec::new();
    let each = Each { source, may_be_infinite };
    each.table(table, &mut mistakes);
    mistakes
}

struct Each<'a> {
    source: &'a Source,
    may_be_infinite: &'a [&'a str],
}

impl Each<'_> {
    fn table(&self, table: &DeTable<'_>, mistakes: &mut Vec<FileError>) {
        for (key, value) in table {
            self.value(key.get_ref(), value, mistakes);
        }
    }

    fn value(&self, key: &str, value: &Spanned<DeValue<'_>>, mistakes: &mut Vec<FileError>) {
        match value.get_ref() {
            DeValue::Table(table) => self.table(table, mistakes),
            DeValue::Array(array) => array.iter().for_each(|value| self.value(key, value, mistakes)),
            DeValue::Float(float) => {
                let (nan, infinite) = (float.as_str().contains("nan"), float.as_str().contains("inf"));
                if nan || (infinite && !self.may_be_infinite.contains(&key)) {
                    let written = if nan { "nan" } else { "infinite" };
                    let message = format!("`{key}` must be a finite number, not {written}");
                    mistakes.push(FileError::new(self.source, value.span(), message));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Source;
    use crate::files::{Format, read_all};

    #[test]
    fn numbers_that_are_none_are_mistakes_wherever_they_stand() {
        let mut source = Source::new("a.toml", "a = nan\nb = { c = [1.0, -inf] }\nd = inf\ne = 2.0\n");
        let format = Format { may_be_infinite: &["d"], ..Format::default() };
        let read = read_all::<toml::Table>(&mut source, &[], &format);
        let said: Vec<String> = read.mistakes.iter().map(ToString::to_string).collect();
        let expected = [
            "a.toml:1:5: `a` must be a finite number, not nan",
            "a.toml:2:17: `c` must be a finite number, not infinite",
        ];
        assert_eq!(said, expected);
        assert!(read.value.is_none());
    }
}
