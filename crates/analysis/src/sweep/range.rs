//! `FROM:TO:STEP`, `FROM:TO:linN`, `FROM:TO:logN`, or one number.

use aplomb_language::diagnostic::{FileError, Source};

/// Largest number of values, and of runs; more is probably a typing error.
pub(super) const MOST: usize = 100_000;

/// Values in the order they are tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The values, in the unit of the varied value.
    pub values: Vec<f64>,
    /// Whether neighbours have a common ratio, as `logN` requires.
    pub logarithmic: bool,
}

impl Range {
    /// Reads the range at `start` in `argument`, which was given to `option`.
    ///
    /// # Errors
    ///
    /// If the text is not a range; the error points into the argument.
    pub fn parse(option: &str, argument: &str, start: usize) -> Result<Self, FileError> {
        let reader = RangeParser { source: Source::new(option, argument), argument };
        let parts = reader.parts(start);
        match parts[..] {
            [only] => Ok(Range { values: vec![reader.number(only)?], logarithmic: false }),
            [from, to, division] => reader.range(from, to, division),
            _ => Err(reader.mistake((start, argument.len()), "expected `FROM:TO:STEP`").help(HELP)),
        }
    }
}

const HELP: &str =
    "for example 20:80:5 (steps of 5), 0:1:lin11 (11 values), 1e-4:1:log5 (5 values of one ratio)";

/// Span of bytes in the argument.
type ArgumentSpan = (usize, usize);

struct RangeParser<'a> {
    source: Source,
    argument: &'a str,
}

impl RangeParser<'_> {
    fn parts(&self, start: usize) -> Vec<ArgumentSpan> {
        let mut parts = Vec::new();
        let mut from = start;
        for part in self.argument[start..].split(':') {
            parts.push((from, from + part.len()));
            from += part.len() + 1;
        }
        parts
    }

    fn text(&self, (from, to): ArgumentSpan) -> &str {
        self.argument[from..to].trim()
    }

    fn mistake(&self, (from, to): ArgumentSpan, message: impl Into<String>) -> FileError {
        FileError::new(&self.source, from..to, message)
    }

    fn number(&self, part: ArgumentSpan) -> Result<f64, FileError> {
        let number = self.text(part).parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| {
            let found = self.text(part);
            self.mistake(part, format!("expected a number, found `{found}`")).help(HELP)
        })
    }

    fn range(
        &self,
        from: ArgumentSpan,
        to: ArgumentSpan,
        division: ArgumentSpan,
    ) -> Result<Range, FileError> {
        let [low, high] = [self.number(from)?, self.number(to)?];
        let text = self.text(division);
        if let Some(count) = text.strip_prefix("lin") {
            let count = self.count(division, count)?;
            let step = (high - low) / (count - 1) as f64;
            return Ok(linear(low, step, count));
        }
        if let Some(count) = text.strip_prefix("log") {
            let count = self.count(division, count)?;
            if low.min(high) <= 0.0 {
                let part = if low <= 0.0 { from } else { to };
                return Err(self.mistake(part, "values of one ratio must be more than 0"));
            }
            let power = |k: usize| low * (high / low).powf(k as f64 / (count - 1) as f64);
            return Ok(Range { values: (0..count).map(power).map(rounded).collect(), logarithmic: true });
        }
        let step = self.number(division)?;
        let steps = (high - low) / step;
        if steps.is_nan() || steps < 0.0 || step == 0.0 {
            let message = format!("a step of {text} does not lead from {low} to {high}");
            return Err(self.mistake(division, message).help(HELP));
        }
        if steps >= MOST as f64 {
            return Err(self.too_many(division));
        }
        Ok(linear(low, step, (steps + 1e-9).floor() as usize + 1))
    }

    fn count(&self, part: ArgumentSpan, digits: &str) -> Result<usize, FileError> {
        match digits.parse() {
            Ok(count) if count > MOST => Err(self.too_many(part)),
            Ok(count) if count >= 2 => Ok(count),
            _ => {
                let message = format!("expected how many values, 2 or more, found `{digits}`");
                Err(self.mistake(part, message).help(HELP))
            }
        }
    }

    fn too_many(&self, part: ArgumentSpan) -> FileError {
        self.mistake(part, format!("these are more than {MOST} values"))
    }
}

fn linear(low: f64, step: f64, count: usize) -> Range {
    let largest = low.abs().max((low + (count - 1) as f64 * step).abs());
    let value = |k: usize| match low + k as f64 * step {
        // Round-off about zero.
        value if value.abs() < 1e-12 * largest => 0.0,
        value => rounded(value),
    };
    let values = (0..count).map(value).collect();
    Range { values, logarithmic: false }
}

/// A number rounded to twelve digits: 0.3, not 0.30000000000000004.
fn rounded(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}
