//! The aim of a search: an expression of quantities of runs that is maximised.

use super::figure::{FigureLookup, FigureNames, OwnRun, Pushes};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{Scalar, ScalarField};

/// The default aim: criteria first, then the time for which they held, then their margin.
pub const DEFAULT: &str = "passed + lasted + margin";
/// The default if a map of pushes is requested.
pub const DEFAULT_OF_PUSHES: &str = "area(pushes) + endured(pushes)";

/// An expression to be maximised.
#[doc(alias = "objective function")]
#[derive(Clone, Debug)]
pub struct TuneObjective {
    text: String,
    bound: Scalar,
    /// Whether it uses a map of pushes.
    pub of_pushes: bool,
}

impl TuneObjective {
    /// Reads an expression.
    ///
    /// # Errors
    /// If the text is not a numerical expression, or contains unknown names; the error points into the text.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        let names = FigureNames::default();
        let bound = ScalarField::of_text(text).bind(&Source::new("--for", text), &names)?;
        Ok(TuneObjective { text: text.into(), bound, of_pushes: names.names_pushes.get() })
    }

    /// The text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value for a scene; `None` if it is not finite, for example because one of its quantities has no value.
    pub(crate) fn value(&self, own: &OwnRun, pushes: Option<&Pushes>) -> Option<f64> {
        Some(self.bound.value(&FigureLookup { own, pushes })).filter(|value| value.is_finite())
    }
}
