//! Height of the COM.

use super::{
    Axes, Binder, BoundObjective, Evaluated, Marker, Now, Objective, Residual, Statement, Subject, Target,
};
use crate::language::diagnostic::{FileError, Source};
use crate::language::expression::{ScalarField, Unit};
use crate::math::rates::Rates;
use crate::model::Model;
use crate::predict::Prediction;
use nalgebra::Vector3;
use serde::Deserialize;

/// r = c_z⁺ − ground − target, m. Rates are over the ground, where it rises or sinks.
#[derive(Clone, Copy, Debug)]
pub struct ComHeight {
    /// Over the ground, m.
    pub target: Target<f64>,
}

impl Objective for ComHeight {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let goal = now.ground_height + self.target.value;
        let residual = Residual::position(next.com().component(2) - goal);
        let mut rates = self.target.rates.unwrap_or_default();
        rates.velocity += now.ground_rate;
        Some(if rates == Rates::default() { residual } else { residual.moving(next, [rates]) })
    }

    fn follows(&self) -> Option<&'static str> {
        self.target.is_followed().then_some("m")
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Height)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        pairs.push([self.target.value, now.com.z - now.ground_height]);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        let target = Vector3::new(0.0, 0.0, now.ground_height + self.target.value);
        Some(Axes::Vertical.towards(now.com, target, Some("of.com_height.target")))
    }
}

/// r = c_z⁺ − ground − target, m. Rates are over the ground, where it rises or sinks.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ComHeightSpec {
    /// Over the ground, m; e.g. `"0.985 * standing_height"`.
    target: ScalarField,
    /// Feed the target's velocity and acceleration forward instead of lagging behind it. Where it is left out, a target of
    /// `time`, `state_time` or keyframes alone is followed.
    follow: Option<bool>,
}

impl ComHeightSpec {
    /// What the file says.
    pub fn statement(&self, source: &Source) -> Statement {
        Statement {
            about: Some(String::new()),
            target: Some(self.target.written_as(source)),
            unit: Some(Unit::METRE),
            follow: self.follow,
            ..Statement::default()
        }
    }

    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let target = binder.number_target(&self.target, self.follow)?;
        let follow = target.follow;
        let made = Evaluated::new(Subject::Height, move |_, values, now| {
            Some(ComHeight { target: target.known(values, now)? })
        });
        Ok(made.following(follow, "m"))
    }
}
