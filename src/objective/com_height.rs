//! Height of the COM.

use super::{Binder, Now, Objective, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{Motion, Scalar, ScalarField};
use crate::predict::Prediction;
use serde::Deserialize;

/// r = c_z⁺ − ground − target, m. Rates are over the ground, where it rises or sinks.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComHeight {
    /// Over the ground, m; e.g. `"0.985 * standing_height"`.
    target: ScalarField,
    /// Feed the target's velocity and acceleration forward instead of lagging behind it. Where it is left out, a target of
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
        let mut motion = if self.follow { now.motion_of_number(&self.target) } else { Motion::default() };
        motion.velocity += now.ground_rate;
        Some(if motion == Motion::default() { residual } else { residual.moving(next, [motion]) })
    }

    fn follows(&self) -> Option<&'static str> {
        self.follow.then_some("m")
    }
}
