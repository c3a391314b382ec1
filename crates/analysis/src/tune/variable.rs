//! The variables of a search: values of files, each within bounds.

use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::files::{Override, OverrideTarget};
use aplomb_math::elementary::{log, pow};
use std::ops::Range;

/// Number of digits of tried values, so that files contain short numbers that equal the tried ones.
const DIGITS: usize = 5;

/// `KEY=LOW:HIGH` or `KEY=LOW:HIGH:log`: a value by its path for `--set`, and its bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The argument as given.
    argument: String,
    /// Name in tables: the path as given.
    pub name: String,
    /// The path for `--set`.
    path: String,
    /// Least value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Whether the search uses ratios rather than differences.
    pub logarithmic: bool,
}

const HELP: &str = "for example `--over controller.parameters.outward=0.05:0.2`, or `…weight=0.5:50:log`, \
                    where ratios count";

impl Variable {
    /// Reads an argument of the command line.
    ///
    /// # Errors
    /// If the argument is not `KEY=LOW:HIGH`; the error points into the argument.
    pub fn parse(argument: &str) -> Result<Self, FileError> {
        let source = Source::new("--over", argument);
        let mistake = |span: Range<usize>, message: String| FileError::new(&source, span, message).help(HELP);
        let Some((key, range)) = argument.rsplit_once('=') else {
            return Err(mistake(0..argument.len(), "expected `KEY=LOW:HIGH`".into()));
        };
        let start = key.len() + 1;
        let mut parts = Vec::new();
        let mut from = start;
        for part in range.split(':') {
            parts.push((part.trim(), from..from + part.len()));
            from += part.len() + 1;
        }
        let number = |(text, span): &(&str, Range<usize>)| {
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| mistake(span.clone(), format!("expected a number, found `{text}`")))
        };
        let (low, high, logarithmic) = match parts.as_slice() {
            [low, high] => (number(low)?, number(high)?, false),
            [low, high, (word, span)] => match *word {
                "log" => (number(low)?, number(high)?, true),
                _ => return Err(mistake(span.clone(), format!("expected `log`, found `{word}`"))),
            },
            _ => return Err(mistake(start..argument.len(), "expected `LOW:HIGH`".into())),
        };
        if low >= high {
            return Err(mistake(start..argument.len(), format!("{low} is not less than {high}")));
        }
        if logarithmic && low <= 0.0 {
            return Err(mistake(
                parts[0].1.clone(),
                "values of which ratios count must be more than 0".into(),
            ));
        }
        Self::new(argument, key, [low, high], logarithmic)
    }

    /// A value with ordered bounds.
    ///
    /// # Errors
    /// If the key is not a path.
    pub(crate) fn new(
        argument: &str,
        key: &str,
        [low, high]: [f64; 2],
        logarithmic: bool,
    ) -> Result<Self, FileError> {
        let item = Override::parse(&format!("{key}=0")).map_err(|mut mistake| {
            let source = Source::new("--over", argument);
            (mistake.file, mistake.text) = (source.name, source.text);
            mistake.span = 0..key.len();
            mistake
        })?;
        let is_short =
            item.target == OverrideTarget::Controller && !key.trim_start().starts_with("controller");
        let path = if is_short { format!("controller.{key}") } else { key.into() };
        Ok(Variable { argument: argument.into(), name: key.into(), path, low, high, logarithmic })
    }

    /// A logarithmic variable with the bounds `value / factor` and `value * factor`.
    ///
    /// # Errors
    /// If the path is invalid.
    pub fn about(path: &str, value: f64, factor: f64) -> Result<Self, FileError> {
        let name = path.strip_prefix("controller.").filter(|rest| rest.starts_with("parameters."));
        let name = name.unwrap_or(path);
        let bounds = [rounded(value / factor), rounded(value * factor)];
        Self::new(&format!("{name}={}:{}:log", bounds[0], bounds[1]), name, bounds, true)
    }

    /// The `PATH=VALUE` that gives a scene this value.
    pub fn set(&self, value: f64) -> String {
        format!("{}={value:?}", self.path)
    }

    /// The override that sets this value.
    ///
    /// # Errors
    /// Never: the path has been parsed already.
    pub fn item(&self, value: f64) -> Result<Override, FileError> {
        Override::parse(&self.set(value))
    }

    /// The value at a position of the search: the bounds are at 0 and 1, and positions beyond them are reflected.
    pub(crate) fn value(&self, place: f64) -> f64 {
        let turned = place.rem_euclid(2.0);
        let share = if turned > 1.0 { 2.0 - turned } else { turned };
        let value = match self.logarithmic {
            true => self.low * pow(self.high / self.low, share),
            false => self.low + share * (self.high - self.low),
        };
        rounded(value).clamp(self.low, self.high)
    }

    /// The position of a value, clamped to the bounds.
    pub fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        match self.logarithmic {
            true => log(value / self.low) / log(self.high / self.low),
            false => (value - self.low) / (self.high - self.low),
        }
    }

    /// A mistake that one of its values caused in the files of a scene, located in its argument; other mistakes
    /// unchanged.
    pub(crate) fn blamed(&self, mut mistake: FileError) -> FileError {
        let is_mine = &*mistake.file == "--set"
            && mistake.text.strip_prefix(&*self.path).is_some_and(|rest| rest.starts_with('='));
        if !is_mine {
            return mistake;
        }
        let added = self.path.len() - self.name.len();
        let (from, to) = (mistake.span.start, mistake.span.end);
        mistake.span = match from < self.path.len() {
            true => from.saturating_sub(added)..to.saturating_sub(added).min(self.name.len()),
            false => self.name.len() + 1..self.argument.len(),
        };
        (mistake.file, mistake.text) = ("--over".into(), self.argument.as_str().into());
        mistake
    }
}

/// A number rounded to a few digits.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.0$e}", DIGITS - 1).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_and_what_is_none_is_said_with_its_place() {
        let variable = Variable::parse("parameters.outward=0.05:0.2").unwrap();
        assert_eq!((variable.low, variable.high, variable.logarithmic), (0.05, 0.2, false));
        assert_eq!(variable.set(0.1), "controller.parameters.outward=0.1");
        assert!(Variable::parse("controller.objectives.\"a = b\".weight=1:8:log").unwrap().logarithmic);
        let cases = [
            ("outward", "KEY=LOW:HIGH", 0),
            ("outward=0.1", "LOW:HIGH", 8),
            ("outward=0.1:x", "`x`", 12),
            ("outward=0.2:0.1", "not less", 8),
            ("outward=0:0.1:log", "more than 0", 8),
            ("outward=0.1:0.2:lin", "`log`", 16),
            ("out ward=0.1:0.2", "path", 0),
        ];
        for (argument, said, place) in cases {
            let mistake = Variable::parse(argument).unwrap_err();
            assert!(mistake.message.contains(said), "{argument}: {}", mistake.message);
            assert_eq!((&*mistake.file, mistake.span.start), ("--over", place), "{argument}");
        }
    }

    #[test]
    fn places_beyond_the_bounds_are_reflected_and_values_have_few_digits() {
        for argument in ["a=0.05:0.2", "a=1e-3:10:log"] {
            let variable = Variable::parse(argument).unwrap();
            for place in [0.0, 0.123456789, 0.5, 1.0] {
                let value = variable.value(place);
                assert!((variable.place(value) - place).abs() < 1e-4);
                assert_eq!(variable.value(-place), value);
                assert_eq!(variable.value(2.0 - place), value);
                assert!(format!("{value:e}").len() <= "1.2345e-2".len(), "{value}");
            }
            assert_eq!([variable.value(0.0), variable.value(1.0)], [variable.low, variable.high]);
        }
    }
}
