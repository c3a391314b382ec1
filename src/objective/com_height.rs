//! Height of the COM.

use super::{Binder, Now, Objective, Residual};
use crate::diagnostic::FileError;
use crate::expression::{Scalar, ScalarField};
use crate::predict::Prediction;
use serde::Deserialize;

/// r = c_z⁺ − ground − target, m.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComHeight {
    /// Over the ground, m; e.g. `"0.985 * standing_height"`.
    target: ScalarField,
}

struct Bound {
    target: Scalar,
}

impl ComHeight {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        Ok(Bound { target: self.target.bind(binder.source, binder.names)? })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let goal = now.ground_height + self.target.value(now.values);
        Some(Residual::position(next.com().component(2) - goal))
    }
}
