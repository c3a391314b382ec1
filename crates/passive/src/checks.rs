//! Checks of numbers in files that several kinds share.

use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_math::extent::{self, LARGEST};
use std::ops::{Range, RangeInclusive};

/// Collects errors.
pub(crate) struct Checks<'a> {
    source: &'a Source,
    pub errors: Vec<FileError>,
}

impl<'a> Checks<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Checks { source, errors: Vec::new() }
    }

    pub(crate) fn wrong(&mut self, span: Range<usize>, message: String) {
        self.errors.push(FileError::new(self.source, span, message));
    }

    pub(crate) fn vector(&mut self, name: &str, vector: &Spanned<[f64; 3]>) {
        if !vector.get_ref().iter().all(|number| number.is_finite()) {
            self.wrong(vector.span(), format!("{name} must be finite"));
        } else if !vector.get_ref().iter().all(|number| extent::is_usable(*number)) {
            self.wrong(vector.span(), format!("{name} must be at most {LARGEST:e}"));
        }
    }

    /// Checks a vector that gives a direction.
    pub(crate) fn direction(&mut self, name: &str, vector: &Spanned<[f64; 3]>) {
        let length = vector.get_ref().iter().map(|x| x * x).sum::<f64>().sqrt();
        if !(length > 1e-9 && length.is_finite()) {
            self.wrong(vector.span(), format!("{name} must be finite and not zero"));
        }
    }

    pub(crate) fn positive(&mut self, name: &str, value: &Spanned<f64>) {
        let number = *value.get_ref();
        if !(number > 0.0 && number.is_finite()) {
            self.wrong(value.span(), format!("{name} must be more than 0, not {number}"));
        } else {
            self.at_most(name, value);
        }
    }

    pub(crate) fn not_negative(&mut self, name: &str, value: &Spanned<f64>) {
        let number = *value.get_ref();
        if !(number >= 0.0 && number.is_finite()) {
            self.wrong(value.span(), format!("{name} must be 0 or more, not {number}"));
        } else {
            self.at_most(name, value);
        }
    }

    fn at_most(&mut self, name: &str, value: &Spanned<f64>) {
        if !extent::is_usable(*value.get_ref()) {
            let number = value.get_ref();
            self.wrong(value.span(), format!("{name} must be at most {LARGEST:e}, not {number:e}"));
        }
    }

    pub(crate) fn within(&mut self, name: &str, value: &Spanned<f64>, range: RangeInclusive<f64>) {
        let number = *value.get_ref();
        if !range.contains(&number) {
            let (low, high) = (range.start(), range.end());
            self.wrong(value.span(), format!("{name} must be from {low} to {high}, not {number}"));
        }
    }

    pub(crate) fn count(&mut self, name: &str, value: &Spanned<u32>, range: RangeInclusive<u32>) {
        let number = *value.get_ref();
        if !range.contains(&number) {
            let (low, high) = (range.start(), range.end());
            self.wrong(value.span(), format!("{name} must be from {low} to {high}, not {number}"));
        }
    }
}

/// Default values of keys.
pub(crate) mod defaults {
    use aplomb_language::Spanned;

    pub(crate) fn given<T>(value: T) -> Spanned<T> {
        Spanned::new(0..0, value)
    }

    pub(crate) fn origin() -> Spanned<[f64; 3]> {
        given([0.0; 3])
    }

    pub(crate) fn zero() -> Spanned<f64> {
        given(0.0)
    }

    pub(crate) fn one() -> Spanned<f64> {
        given(1.0)
    }

    pub(crate) fn no_times() -> Spanned<u32> {
        given(0)
    }

    pub(crate) fn yes() -> bool {
        true
    }
}
