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
    /// Keep up with a target that moves with time instead of lagging behind it. Where it is left out, a target of
    /// `time`, `state_time` or keyframes alone is followed.
    follow: Option<bool>,
}

struct Bound {
    target: Scalar,
    follow: bool,
}

impl ComHeight {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        let target = self.target.bind(binder.source, binder.names)?;
        Ok(Bound { follow: self.follow.unwrap_or(target.is_of_time()), target })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let goal = now.ground_height + self.target.value(now.values);
        let residual = Residual::position(next.com().component(2) - goal);
        Some(if self.follow { residual.moving(next, [now.motion_of_number(&self.target)]) } else { residual })
    }

    fn follows(&self) -> Option<&'static str> {
        self.follow.then_some("m")
    }
}
