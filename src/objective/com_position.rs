//! COM to a point of the world.

use super::{Binder, Now, Objective, Residual};
use crate::diagnostic::FileError;
use crate::expression::{VectorField, VectorValue};
use crate::predict::Prediction;
use serde::Deserialize;

/// r = c⁺ − target, m; its horizontal part alone with `horizontal = true`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComPosition {
    /// World, m.
    target: VectorField,
    /// Leave the height free.
    #[serde(default)]
    horizontal: bool,
}

struct Bound {
    target: VectorValue,
    horizontal: bool,
}

impl ComPosition {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        Ok(Bound { target: self.target.bind(binder.source, binder.names)?, horizontal: self.horizontal })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let target = self.target.value(now.values);
        let error = super::is_known(&target).then(|| next.com() - target)?;
        Some(Residual::position(if self.horizontal { error.horizontal() } else { error }))
    }
}
