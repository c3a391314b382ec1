//! What a search makes as large as it can: an expression over figures of runs.

use super::figure::{FigureLookup, FigureNames, OwnRun, Pushes};
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::{Scalar, ScalarField};

/// Where nothing is said: criteria first, then for how long they held, then by how much.
pub const DEFAULT: &str = "passed + lasted + margin";
/// The default where a map of pushes is asked for.
pub const DEFAULT_OF_PUSHES: &str = "area(pushes) + endured(pushes)";

/// An expression that is to be as large as can be.
#[derive(Clone, Debug)]
pub struct Aim {
    text: String,
    bound: Scalar,
    /// Whether it speaks of a map of pushes.
    pub of_pushes: bool,
}

impl Aim {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is no expression or no number, and names that no figure has; the place is that in the text.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        let names = FigureNames::default();
        let bound = ScalarField::of_text(text).bind(&Source::new("--for", text), &names)?;
        Ok(Aim { text: text.into(), bound, of_pushes: names.names_pushes.get() })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it comes to for a scene; `None` where it is not finite, as where a figure in it has no value.
    pub fn value(&self, own: &OwnRun, pushes: Option<&Pushes>) -> Option<f64> {
        Some(self.bound.value(&FigureLookup { own, pushes })).filter(|value| value.is_finite())
    }
}
