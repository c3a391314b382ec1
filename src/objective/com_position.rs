//! COM to a point of the world.

use super::{Binder, Now, Objective, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{VectorField, VectorValue};
use crate::predict::Prediction;
use serde::Deserialize;

/// r = c⁺ − target, m; its horizontal part alone with `horizontal = true`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComPosition {
    /// World, m.
    target: VectorField,
    /// Leave the height free.
    #[serde(default)]
    horizontal: bool,
    /// Feed the target's velocity and acceleration forward instead of lagging behind it. Where it is left out, a target of
    /// `time`, `state_time` or keyframes alone is followed.
    follow: Option<bool>,
}

struct Bound {
    target: VectorValue,
    horizontal: bool,
    follow: bool,
}

impl ComPosition {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        let target = self.target.bind(binder.source, binder.names)?;
        let follow = self.follow.unwrap_or(target.is_of_time());
        Ok(Bound { target, horizontal: self.horizontal, follow })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let target = self.target.value(now.values);
        let error = super::is_known(&target).then(|| next.com() - target)?;
        let residual = Residual::position(if self.horizontal { error.horizontal() } else { error });
        if !self.follow {
            return Some(residual);
        }
        let motion = now.motion_of(&self.target);
        let rows = if self.horizontal { 0..2 } else { 0..3 };
        Some(residual.moving(next, rows.map(|row| motion.row(row))))
    }

    fn follows(&self) -> Option<&'static str> {
        self.follow.then_some("m")
    }
}
